//! Writes entries to a trace file in any version.

mod compact;
mod copy;
mod loss;
mod numbers;
#[cfg(test)]
mod tests;
mod zstd;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use ringtrace_events::Text;
use ringtrace_wire::simpletrace::context;
use ringtrace_wire::simpletrace::encode::{Encoder, OpenRecord};
use ringtrace_wire::simpletrace::v0::MAX_ARGUMENTS;
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{
    ArgumentKind, Layout, LayoutVisitor, Numbering, Record, Version, with_layout,
};
use ringtrace_wire::{ByteOrder, Little};

pub use compact::CompactWriter;
pub use copy::{copy, is_canonical};
pub use loss::{LOSSES, Loss, Losses};
pub use zstd::ZstdWriter;

use crate::entry::key::KeyMap;
use crate::entry::{Entry, Modules, Schema, Value};
use crate::error::Error;
use crate::metadata::{Anchor, Lost, Metadata};
use crate::read::options::Declared;
use numbers::EventNumbers;

/// The format and the properties of the output file.
#[derive(Debug, Clone)]
pub struct Target {
    /// The version.
    pub version: Version,
    /// The byte order.
    pub order: ByteOrder,
    /// Whether to omit the metadata that makes a v4 file self-describing.
    pub plain: bool,
    /// The declarations that readers of the file will have. If ids are positions, these must be the
    /// declarations of all events of the program.
    pub declared: Arc<Declared>,
    /// The wall-clock time at one moment of the trace's clock, if known.
    pub anchor: Option<Anchor>,
}

/// Writes entries as one trace. The entries can be from several traces, of any version and byte
/// order. Information that the output version cannot represent is counted as a loss.
#[derive(Debug)]
pub struct TraceWriter {
    target: Target,
    encoder: Encoder,
    numbers: EventNumbers,
    plans: Vec<Option<Box<EventPlan>>>,
    mapped: HashSet<u64, foldhash::fast::RandomState>,
    declared: HashSet<u32>,
    metadata_count: u32,
    has_anchor: bool,
    thread_names: ThreadNames,
    /// The number of changes to threads in the source for which [`EventPlan::fast_ids`] are valid.
    thread_changes: u64,
    /// The executable segments in the file.
    modules: Modules,
    /// The source of the last of these, and its number of changes then.
    modules_of: (usize, u64),
    /// The arguments of the events in the file, by number.
    kinds: KeyMap<u32, Box<[ArgumentKind]>>,
    /// The process id in the file's header, once the header is written.
    header_pid: Option<u32>,
    losses: Losses,
}

/// The names of threads that were written. If threads of several traces have the same id, readers take the last
/// name for all of them, and it is not repeated for each record.
#[derive(Debug, Default)]
struct ThreadNames {
    /// By trace and thread.
    of_sources: KeyMap<(u32, u32), Box<str>>,
    /// By thread; `None` if threads of several traces have this id.
    in_file: KeyMap<u32, Option<Box<str>>>,
}

impl ThreadNames {
    /// Returns whether the name differs from the previous one of this thread, which it replaces.
    fn is_new(&mut self, trace: u32, tid: u32, name: &str) -> bool {
        let known = self.of_sources.get(&(trace, tid));
        if known.is_some_and(|known| **known == *name) {
            return false;
        }
        let in_file = match (self.in_file.get(&tid), known) {
            (Some(None), _) | (Some(Some(_)), None) => None,
            _ => Some(name.into()),
        };
        self.in_file.insert(tid, in_file);
        self.of_sources.insert((trace, tid), name.into());
        true
    }

    /// Returns the threads whose last name in the metadata `sources` was not written.
    fn renamed(&self, sources: &[&Metadata]) -> Vec<(u32, String)> {
        let names = sources.iter().filter_map(|metadata| match metadata {
            Metadata::Thread(tid, name) => Some((*tid, name)),
            _ => None,
        });
        let last: BTreeMap<u32, &String> = names.collect();
        let is_renamed = |&(tid, name): &(u32, &String)| {
            self.in_file.get(&tid).is_some_and(|known| known.as_ref().is_some_and(|known| **known != **name))
        };
        last.into_iter().filter(is_renamed).map(|(tid, name)| (tid, name.clone())).collect()
    }
}

#[derive(Debug)]
struct EventPlan {
    /// `None` if the file cannot contain the event.
    number: Option<u32>,
    slots: Box<[ValueSlot]>,
    /// Whether all values keep their encoding.
    is_direct: bool,
    losses: Vec<Loss>,
    name: Text,
    declaration: Text,
    kinds: Box<[ArgumentKind]>,
    integer_bytes: Option<usize>,
    /// Ids of source entries that were written without loss, with the corresponding ids in the
    /// file.
    fast_ids: FastIds,
}

/// The number of threads for which ids are cached per event, a power of two.
const THREADS_AT_HAND: usize = 1 << 8;

/// A cache of one event's ids, indexed by the lowest bits of the thread. Each element is a source
/// id and the corresponding id in the file.
#[derive(Debug, Default)]
struct FastIds(Vec<Option<(u64, u64)>>);

impl FastIds {
    #[inline(always)]
    fn id(&self, source_id: u64) -> Option<u64> {
        let place = (source_id >> 32) as usize & self.0.len().wrapping_sub(1);
        let (known, id) = (*self.0.get(place)?)?;
        (known == source_id).then_some(id)
    }

    fn remember(&mut self, source_id: u64, id: u64) {
        // Most traces have no thread ids, so one element is enough.
        let places = if source_id >> 32 == 0 { 1 } else { THREADS_AT_HAND };
        if self.0.len() < places {
            self.0 = vec![None; places];
        }
        let place = (source_id >> 32) as usize & (self.0.len() - 1);
        self.0[place] = Some((source_id, id));
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueSlot {
    Integer,
    Str,
    /// The address of a string, written as text.
    Address,
    /// A string, written as zero.
    Zero,
}

impl TraceWriter {
    /// Creates a writer of `target`.
    ///
    /// # Errors
    /// Returns an error if ids are positions and the declarations have an invalid line.
    pub fn new(target: Target) -> Result<TraceWriter, Error> {
        let Target { version, order, .. } = target;
        target.declared.check(version.info().numbering != Numbering::Mapping, false)?;
        Ok(TraceWriter {
            encoder: Encoder { version, order },
            numbers: EventNumbers::new(version, Arc::clone(&target.declared.schemas)),
            plans: Vec::new(),
            mapped: HashSet::default(),
            declared: HashSet::new(),
            metadata_count: 0,
            has_anchor: false,
            thread_names: ThreadNames::default(),
            thread_changes: 0,
            modules: Modules::default(),
            modules_of: (0, 0),
            kinds: KeyMap::default(),
            header_pid: None,
            losses: Losses::default(),
            target,
        })
    }

    /// Returns the losses so far.
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// Returns the arguments of an event id in the file. `None` if no event with this id was written.
    pub fn kinds(&self, id: u64) -> Option<&[ArgumentKind]> {
        self.kinds.get(&(id as u32)).map(AsRef::as_ref)
    }

    /// Appends `entry` to `out`, preceded by the header and metadata that readers need.
    pub fn write(&mut self, entry: &Entry<'_>, out: &mut Vec<u8>) {
        if self.header_pid.is_none() {
            self.begin(entry.pid, entry.timestamp_ns, out);
        }
        if self.describes_itself() {
            self.name_thread(entry, out);
        }
        if entry.is_dropped() {
            // A record in the format of the 2011 RFC can lack its argument.
            let count = entry.dropped().unwrap_or_else(|| {
                self.losses.add(Loss::Uneven);
                0
            });
            let pid = self.pid(entry);
            if let Some(lost) = entry.lost {
                match self.target.version {
                    Version::V4 if self.target.plain => {}
                    Version::V4 => self.push_metadata(&Metadata::Lost(Lost { count, ..lost }), out),
                    _ => self.losses.add(Loss::Metadata),
                }
            }
            self.encoder.dropped(count, entry.timestamp_ns, pid, out);
            return;
        }
        let index = entry.schema_index as usize;
        if !matches!(self.plans.get(index), Some(Some(_))) {
            self.make_plan(index, entry.schema);
        }
        let losses_before = self.losses;
        let Some(Some(plan)) = self.plans.get(index) else { return };
        plan.losses.iter().for_each(|&loss| self.losses.add(loss));
        let Some(number) = plan.number else { return };
        let pid = self.pid(entry);
        let id = self.id(number, entry.tid());
        if self.target.version == Version::V4 && !self.mapped.contains(&id) {
            self.introduce(index, number, id, out);
        }
        if !entry.context.is_empty() {
            self.write_context(entry, out);
        }
        let Some(Some(plan)) = self.plans.get_mut(index) else { return };
        let is_same = self.target.order == entry.order && self.target.version.has_payload_of(entry.version);
        let count = entry.argument_count();
        if count != plan.slots.len() {
            if is_same && plan.is_direct {
                let mut record = self.encoder.begin(id, entry.timestamp_ns, pid, count, out);
                record.payload(entry.payload);
                record.finish();
                return;
            }
            self.losses.add(Loss::Uneven);
        }
        let mut record = self.encoder.begin(id, entry.timestamp_ns, pid, plan.slots.len(), out);
        if is_same
            && plan.is_direct
            && with_layout(entry.version, entry.order, Fits { plan, payload: entry.payload })
        {
            record.payload(entry.payload);
        } else {
            plan.encode(entry, &mut record);
        }
        record.finish();
        let is_fast = (entry.version, entry.order) == (Version::V4, ByteOrder::Little)
            && self.target.version.info().has_pid;
        if is_fast && is_same && plan.is_direct && self.losses == losses_before {
            plan.fast_ids.remember(entry.id, id);
        }
    }

    /// Appends a little-endian v4 record on the fast path, if [`TraceWriter::write`] has already
    /// written a similar record. Otherwise returns `false`. `thread_changes` is
    /// [`OrdinaryRecords::thread_changes`](crate::OrdinaryRecords::thread_changes).
    #[inline(always)]
    pub fn write_fast(
        &mut self,
        record: &Record<'_>,
        schema_index: u32,
        thread_changes: u64,
        out: &mut Vec<u8>,
    ) -> bool {
        if self.thread_changes != thread_changes {
            self.forget_ids();
            self.thread_changes = thread_changes;
            return false;
        }
        let Some(Some(plan)) = self.plans.get(schema_index as usize) else { return false };
        let Some(id) = plan.fast_ids.id(record.id) else { return false };
        if !plan.fits::<V4<Little>>(record.payload) {
            return false;
        }
        let mut open = self.encoder.begin(id, record.timestamp_ns, record.pid, 0, out);
        open.payload(record.payload);
        open.finish();
        true
    }

    /// Writes the next records with [`TraceWriter::write`], because their threads may have other names.
    #[cold]
    fn forget_ids(&mut self) {
        self.plans.iter_mut().flatten().for_each(|plan| plan.fast_ids = FastIds::default());
    }

    /// Appends the metadata in `sources` that is not in the file yet.
    pub fn finish<'m>(&mut self, sources: impl IntoIterator<Item = &'m Metadata>, out: &mut Vec<u8>) {
        if self.header_pid.is_none() {
            self.begin(0, 0, out);
        }
        let sources: Vec<&Metadata> = sources.into_iter().collect();
        for (tid, name) in self.thread_names.renamed(&sources) {
            self.push_metadata(&Metadata::Thread(tid, name), out);
        }
        let mut seen = HashSet::new();
        for metadata in sources {
            if let Metadata::Thread(tid, _) = metadata
                && self.thread_names.in_file.contains_key(tid)
            {
                continue;
            }
            let is_own = matches!(metadata, Metadata::Version(_) | Metadata::Declaration(_));
            let is_there = matches!(metadata, Metadata::Anchor(_)) && self.has_anchor;
            // A thread's totals in two files can be equal, and are added up.
            let is_new = matches!(metadata, Metadata::Total(_)) || seen.insert(metadata.to_name());
            if is_own || !is_new {
                continue;
            }
            if self.target.version != Version::V4 {
                self.losses.add(Loss::Metadata);
            } else if !self.target.plain && !is_there {
                self.push_metadata(metadata, out);
            }
        }
    }

    #[cold]
    fn begin(&mut self, pid: u32, timestamp_ns: u64, out: &mut Vec<u8>) {
        self.encoder.header(u64::from(pid), timestamp_ns, out);
        self.header_pid = Some(pid);
        if self.describes_itself() {
            self.push_metadata(&Metadata::Version(1), out);
            if let Some(anchor) = self.target.anchor {
                self.push_metadata(&Metadata::Anchor(anchor), out);
            }
        }
    }

    fn describes_itself(&self) -> bool {
        self.target.version == Version::V4 && !self.target.plain
    }

    /// Appends the name of the entry's thread, if it is new. It applies to the records that follow.
    fn name_thread(&mut self, entry: &Entry<'_>, out: &mut Vec<u8>) {
        let Some((tid, name)) = entry.tid().zip(entry.thread_name()) else { return };
        if self.thread_names.is_new(entry.trace, tid, name) {
            self.push_metadata(&Metadata::Thread(tid, name.to_owned()), out);
        }
    }

    fn push_metadata(&mut self, metadata: &Metadata, out: &mut Vec<u8>) {
        self.has_anchor |= matches!(metadata, Metadata::Anchor(_));
        metadata.encode(self.metadata_count, self.target.order, out);
        self.metadata_count = self.metadata_count.wrapping_add(1);
    }

    /// Appends the mapping record of `id`. If the event's declaration is not in the file yet, it
    /// comes first.
    #[cold]
    fn introduce(&mut self, index: usize, number: u32, id: u64, out: &mut Vec<u8>) {
        let Some(Some(plan)) = self.plans.get(index) else { return };
        let (name, declaration) = (plan.name.clone(), plan.declaration.to_string());
        self.kinds.entry(number).or_insert_with(|| plan.file_kinds());
        if self.describes_itself() && self.declared.insert(number) {
            self.push_metadata(&Metadata::Declaration(declaration), out);
        }
        self.encoder.mapping(id, name.as_bytes(), out);
        self.mapped.insert(id);
    }

    /// Appends the context of an entry, and the executable segments that are not in the file yet.
    #[cold]
    fn write_context(&mut self, entry: &Entry<'_>, out: &mut Vec<u8>) {
        if self.target.version != Version::V4 {
            self.losses.add(Loss::Metadata);
        }
        if !self.describes_itself() {
            return;
        }
        // Traces of several processes have different modules at the same addresses.
        let source = (std::ptr::from_ref(entry.modules).addr(), entry.modules.changes());
        if self.modules_of != source {
            self.modules_of = source;
            for module in entry.modules.iter() {
                let changes = self.modules.changes();
                self.modules.add(module.clone());
                if self.modules.changes() != changes {
                    self.push_metadata(&Metadata::Module(module.clone()), out);
                }
            }
        }
        context::encode(entry.context.cpu(), entry.context.stack(), self.target.order, out);
    }

    fn pid(&mut self, entry: &Entry<'_>) -> u32 {
        let held = match self.target.version {
            Version::V3 | Version::V4 => return entry.pid,
            Version::V0 | Version::V2 => 0,
            Version::Rfc2011 => self.header_pid.unwrap_or(0),
        };
        if entry.version.info().has_pid && entry.pid != held {
            self.losses.add(Loss::Pids);
        }
        held
    }

    fn id(&mut self, number: u32, tid: Option<u32>) -> u64 {
        match tid {
            Some(tid) if self.describes_itself() => u64::from(tid) << 32 | u64::from(number),
            Some(_) => {
                self.losses.add(Loss::Threads);
                u64::from(number)
            }
            None => u64::from(number),
        }
    }

    #[cold]
    fn make_plan(&mut self, index: usize, schema: &Schema) {
        let mut numbered = self.numbers.number(schema);
        let is_too_long = self.target.version == Version::V0 && schema.kinds.len() > MAX_ARGUMENTS;
        let mut losses = Vec::new();
        if is_too_long {
            numbered = None;
            losses.push(Loss::Arguments);
        } else if numbered.is_none() {
            losses.push(Loss::Events);
        }
        let strings = numbered.as_ref().map_or(&[][..], |numbered| &numbered.strings);
        let slots: Box<[ValueSlot]> = schema
            .kinds
            .iter()
            .zip(strings)
            .map(|(kind, becomes_string)| match (kind, becomes_string) {
                (ArgumentKind::Integer { .. }, false) => ValueSlot::Integer,
                (ArgumentKind::Integer { .. }, true) => ValueSlot::Address,
                (ArgumentKind::Str, false) => ValueSlot::Zero,
                (ArgumentKind::Str, true) => ValueSlot::Str,
            })
            .collect();
        for (slot, loss) in [(ValueSlot::Zero, Loss::Strings), (ValueSlot::Address, Loss::Addresses)] {
            if slots.contains(&slot) {
                losses.push(loss);
            }
        }
        let plan = EventPlan {
            number: numbered.map(|numbered| numbered.number),
            is_direct: slots.iter().all(|slot| matches!(slot, ValueSlot::Integer | ValueSlot::Str)),
            slots,
            losses,
            name: schema.name.clone(),
            declaration: schema.declaration.clone(),
            kinds: schema.kinds.clone().into(),
            integer_bytes: schema.integer_bytes,
            fast_ids: FastIds::default(),
        };
        if self.plans.len() <= index {
            self.plans.resize_with(index + 1, || None);
        }
        self.plans[index] = Some(Box::new(plan));
    }
}

impl EventPlan {
    /// Returns the arguments as they are in the file.
    fn file_kinds(&self) -> Box<[ArgumentKind]> {
        let kind = |slot: &ValueSlot| match slot {
            ValueSlot::Str | ValueSlot::Address => ArgumentKind::Str,
            ValueSlot::Integer | ValueSlot::Zero => ArgumentKind::Integer { signed: false },
        };
        self.slots.iter().map(kind).collect()
    }

    #[inline(always)]
    fn fits<L: Layout>(&self, payload: &[u8]) -> bool {
        if self.integer_bytes == Some(payload.len()) && L::VERSION.has_payload_of(Version::V4) {
            return true;
        }
        L::skip_arguments(payload, &self.kinds).is_some_and(<[u8]>::is_empty)
    }

    fn encode(&self, entry: &Entry<'_>, record: &mut OpenRecord<'_>) {
        let mut values = entry.values();
        for slot in &self.slots {
            match (slot, values.next()) {
                (ValueSlot::Integer, Some(Value::Integer(value))) => record.integer(value),
                (ValueSlot::Str, Some(Value::Str(bytes))) => record.str(bytes),
                (ValueSlot::Address, Some(Value::Integer(value))) => {
                    record.str(format!("{value:#x}").as_bytes());
                }
                (ValueSlot::Str | ValueSlot::Address, _) => record.str(&[]),
                (ValueSlot::Integer | ValueSlot::Zero, _) => record.integer(0),
            }
        }
    }
}

struct Fits<'p> {
    plan: &'p EventPlan,
    payload: &'p [u8],
}

impl LayoutVisitor for Fits<'_> {
    type Output = bool;
    fn visit<L: Layout>(self) -> bool {
        self.plan.fits::<L>(self.payload)
    }
}
