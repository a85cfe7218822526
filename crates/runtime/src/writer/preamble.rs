//! The preamble of a trace file: its header, metadata and declarations.

pub(crate) use ringtrace_wire::assembly::ENCODER;
use ringtrace_wire::ring::ORDER;
use ringtrace_wire::simpletrace::ArgumentKind;
use ringtrace_wire::simpletrace::metadata::{self, Anchor, Metadata};

use crate::event::id_set::IdSet;
use crate::event::{self, Argument, Event, registry};
use crate::options::{Policy, Settings};
use crate::os::{identity, modules};
use crate::ring::arena::Arena;
use crate::ring::declarations;

/// The arguments of events, as far as they are known. There is one allocation for all events, since
/// there can be thousands.
#[derive(Debug, Default)]
struct Arguments {
    kinds: Vec<ArgumentKind>,
    /// The start and the length of the part of `kinds` that belongs to an event, by id.
    parts: Vec<Option<(u32, u32)>>,
}

/// The preamble, and the declarations written since.
#[derive(Debug)]
pub(crate) struct Preamble {
    /// The part that an arena also contains. A copy of thousands of declarations would need more than a
    /// megabyte, and touching new memory takes longer than encoding them.
    stored: &'static [u8],
    /// The bytes after that part.
    bytes: Vec<u8>,
    /// Facts about the program and the session, which are the same in all files.
    facts: Vec<Metadata>,
    /// The monotonic time of the anchor; 0 if there is none.
    anchor_ns: u64,
    number: u32,
    declared: IdSet,
    arguments: Arguments,
    /// The dynamic linker's counters when the modules were declared.
    modules: Option<modules::Changes>,
}

/// The number of bytes that are encoded before they are stored in the arena.
const STORE_BYTES: usize = 64 << 10;

/// Facts about the program and the session, except the clock.
#[derive(Debug)]
pub(crate) struct Facts(Vec<Metadata>);

fn other(key: &str, value: &[u8]) -> Metadata {
    Metadata::Other(key.to_owned(), value.to_vec())
}

impl Facts {
    pub(crate) fn new(settings: &Settings) -> Facts {
        let mut facts = vec![other(metadata::HOST, rustix::system::uname().nodename().to_bytes())];
        // A reader uses the ids to find the traces that have the same clock, and the files of the
        // same trace.
        for (key, id) in [(metadata::BOOT, identity::boot()), (metadata::MACHINE, identity::machine())] {
            facts.extend(id.iter().map(|id| other(key, id.as_bytes())));
        }
        facts.push(other(metadata::TRACE, identity::trace().as_bytes()));
        if let Some(executable) = modules::executable() {
            facts.push(other(metadata::EXECUTABLE, &executable.path));
            if !executable.build_id.is_empty() {
                facts.push(other(metadata::BUILD_ID, executable.build_id_text().as_bytes()));
            }
        }
        if let Ok(mut command) = std::fs::read("/proc/self/cmdline") {
            command.truncate(command.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1));
            facts.push(other(metadata::COMMAND, &command));
        }
        let policy = match settings.policy {
            Policy::Discard => "discard".to_owned(),
            Policy::Overwrite => "overwrite".to_owned(),
            Policy::Block { timeout: None } => "block".to_owned(),
            Policy::Block { timeout: Some(timeout) } => format!("block:{}ms", timeout.as_millis()),
        };
        facts.push(other(metadata::POLICY, policy.as_bytes()));
        Facts(facts)
    }
}

impl Preamble {
    /// Returns roughly how many bytes the declarations of all events need.
    pub(crate) fn estimate() -> usize {
        const OTHER_BYTES: usize = 128;
        let mut bytes = 0;
        let add = |event: &Event, remark: Option<&str>| {
            let (name, text) = (event.name(), event.declaration().text);
            bytes += text.len() + 2 * name.len() + remark.map_or(0, str::len) + OTHER_BYTES;
        };
        registry::each_declared(add, || {});
        bytes
    }

    /// Creates the preamble of the first file, and stores it in `arena`. Its clock must have been started.
    pub(crate) fn new(facts: Facts, arena: &'static Arena) -> Preamble {
        let Facts(mut facts) = facts;
        facts.push(other(metadata::CLOCK, crate::clock::description().as_bytes()));
        let mut preamble = Preamble::of(facts, Some(arena), registry::records_stacks(), 0);
        preamble.store(arena);
        preamble
    }

    /// Creates the preamble of the next file. If metadata of the current file is copied to it (`copies`), its own has
    /// other numbers.
    pub(super) fn next(&self, copies: bool) -> Preamble {
        let with_modules = self.modules.is_some() || registry::records_stacks();
        Preamble::of(self.facts.clone(), None, with_modules, if copies { self.number } else { 0 })
    }

    fn of(facts: Vec<Metadata>, arena: Option<&'static Arena>, with_modules: bool, number: u32) -> Preamble {
        let mut preamble = Preamble {
            stored: &[],
            bytes: Vec::new(),
            facts: Vec::new(),
            anchor_ns: 0,
            number,
            declared: IdSet::default(),
            arguments: Arguments::default(),
            modules: None,
        };
        let monotonic_ns = crate::clock::monotonic_ns();
        ENCODER.header(0, 0, &mut preamble.bytes);
        let mut push = |metadata: &Metadata| {
            metadata.encode(preamble.number, ORDER, &mut preamble.bytes);
            preamble.number += 1;
        };
        push(&Metadata::Version(1));
        if let Ok(now) = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH) {
            push(&Metadata::Anchor(Anchor { monotonic_ns, realtime_ns: now.as_nanos() as i128 }));
            preamble.anchor_ns = monotonic_ns;
        }
        facts.iter().for_each(push);
        preamble.facts = facts;
        preamble.declare_in(arena);
        if with_modules {
            preamble.declare_modules();
        }
        preamble
    }

    /// Takes the arguments of events of unloaded libraries from the preamble of the previous file.
    pub(super) fn adopt_arguments(&mut self, previous: &Preamble) {
        for (event, arguments) in previous.arguments.iter() {
            if self.arguments.get(event).is_none() {
                self.arguments.set(event, arguments.iter().copied());
            }
        }
    }

    /// Appends declarations of newly registered events, and returns their bytes.
    pub(crate) fn declare(&mut self) -> &[u8] {
        let before = self.bytes.len();
        self.declare_in(None);
        &self.bytes[before..]
    }

    /// Appends declarations of newly registered events. Moves the preamble to `arena` meanwhile.
    fn declare_in(&mut self, mut arena: Option<&'static Arena>) {
        registry::each_declared(
            |event, remark| {
                if self.declared.insert(event.id()) {
                    self.arguments.set(event.id(), event.declaration().arguments.iter().map(kind));
                    let (id, text) = (event.id(), event.declaration().text);
                    declarations::encode(id, event.name(), text, remark, &mut self.bytes);
                    if self.bytes.len() >= STORE_BYTES {
                        // Without space, another attempt would fail, too.
                        arena = arena.filter(|arena| self.store(arena));
                    }
                }
            },
            || {},
        );
        // Include retired events: a library may have been unloaded before its records were read.
        registry::each_retired(|event| {
            if self.declared.insert(event.id) {
                declarations::encode(event.id, &event.name, &event.text, None, &mut self.bytes);
            }
        });
    }

    /// Moves the bytes after the stored part to `arena`. Returns whether there is space.
    fn store(&mut self, arena: &'static Arena) -> bool {
        let Some(stored) = arena.append_preamble(&self.bytes) else { return false };
        self.stored = stored;
        self.bytes.clear();
        true
    }

    /// Appends the executable segments in the process if they have changed, and returns their bytes.
    pub(crate) fn declare_modules(&mut self) -> &[u8] {
        let before = self.bytes.len();
        if let Some((modules, changes)) = modules::list(self.modules) {
            self.modules = Some(changes);
            for module in modules {
                let number = self.next_number();
                Metadata::Module(module).encode(number, ORDER, &mut self.bytes);
            }
        }
        &self.bytes[before..]
    }

    /// Returns the arguments of an event. Returns `None` for events of libraries that were unloaded
    /// before they were declared.
    pub(super) fn arguments(&self, event: u32) -> Option<&[ArgumentKind]> {
        self.arguments.get(event)
    }

    /// The ids of the declared events.
    pub(crate) fn declared(&self) -> &IdSet {
        &self.declared
    }

    /// The number of bytes.
    pub(super) fn len(&self) -> usize {
        self.stored.len() + self.bytes.len()
    }

    /// Returns the first `bytes` bytes, in two parts, each of which ends with a whole record.
    pub(super) fn start(&self, bytes: usize) -> [&[u8]; 2] {
        let stored = bytes.min(self.stored.len());
        [&self.stored[..stored], &self.bytes[..bytes - stored]]
    }

    pub(super) fn anchor_ns(&self) -> u64 {
        self.anchor_ns
    }

    pub(super) fn has_modules(&self) -> bool {
        self.modules.is_some()
    }

    pub(crate) fn next_number(&mut self) -> u32 {
        self.number = self.number.wrapping_add(1);
        self.number - 1
    }

    /// Skips the metadata numbers below `next`, which an assembly has used.
    pub(crate) fn skip_numbers(&mut self, next: u32) {
        self.number = self.number.max(next);
    }
}

impl Arguments {
    fn get(&self, event: u32) -> Option<&[ArgumentKind]> {
        let (start, length) = (*self.parts.get(event as usize)?)?;
        self.kinds.get(start as usize..)?.get(..length as usize)
    }

    fn set(&mut self, event: u32, kinds: impl ExactSizeIterator<Item = ArgumentKind>) {
        let at = event as usize;
        if self.parts.len() <= at {
            self.parts.resize(at + 1, None);
        }
        self.parts[at] = Some((self.kinds.len() as u32, kinds.len() as u32));
        self.kinds.extend(kinds);
    }

    fn iter(&self) -> impl Iterator<Item = (u32, &[ArgumentKind])> {
        (0..self.parts.len() as u32).filter_map(|event| Some((event, self.get(event)?)))
    }
}

fn kind(argument: &Argument) -> ArgumentKind {
    match argument.kind {
        event::ArgumentKind::Integer | event::ArgumentKind::Pointer => {
            ArgumentKind::Integer { signed: false }
        }
        event::ArgumentKind::Str => ArgumentKind::Str,
    }
}
