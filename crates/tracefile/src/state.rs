//! What is known while a trace is read: the meaning of ids, and what was found odd.

use std::sync::Arc;

use ringtrace_events::parse::{Dialect, parse};
use ringtrace_wire::simpletrace::{
    ArgumentKind, DROPPED_ID, Fault, FaultKind, Header, Layout, MAX_RECORD_BYTES, Mapping, Numbering,
    Version, header, rfc2011,
};
use ringtrace_wire::{ByteOrder, Order};

use crate::complaint::{Anomaly, Complaint, Complaints};
use crate::era::Era;
use crate::metadata::{Anchor, Lost, Metadata};
use crate::reader::Options;
use crate::resync::{LOOK_BYTES, is_name};
use crate::schema::{Schema, Schemas};
use crate::table::{Known, Table};
use crate::threads::Threads;

/// What reading knows beside the input.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) names: Names,
    pub(crate) tally: Tally,
    /// What the dropped record at this offset tells of, if there is one.
    pub(crate) lost: Option<(u64, Lost)>,
    /// Where mapping records were, for who must take them in once more.
    pub(crate) mapped_at: Option<Vec<u64>>,
}

/// What ids and names mean, at one place of the trace.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    /// Whose reading it is.
    pub(crate) era: Era,
    pub(crate) schemas: Arc<Schemas>,
    pub(crate) table: Arc<Table>,
    pub(crate) header_pid: u32,
    pub(crate) threaded: bool,
    pub(crate) anchor: Option<Anchor>,
    pub(crate) metadata: Arc<Vec<Metadata>>,
    pub(crate) threads: Arc<Threads>,
    /// Whether events need not be declared.
    pub(crate) names_suffice: bool,
}

/// What a thread's name or a schema takes in a list of such, about.
const LEARNED_BYTES: usize = 64;

/// What to do about something that would be tolerated.
const STRICT_HELP: &str = "leave --strict out to have it tolerated";

/// What was read, and how well.
#[derive(Debug, Clone)]
pub(crate) struct Tally {
    pub(crate) file: Arc<str>,
    /// Records given so far.
    pub(crate) number: u64,
    pub(crate) strict: bool,
    /// Damage is stepped over: what can only be damage is no record.
    pub(crate) keep_going: bool,
    pub(crate) complaints: Complaints,
}

impl Tally {
    /// A record that claims to be longer is none, or damaged, however much of it is there.
    pub(crate) fn max_record_bytes(&self) -> usize {
        if self.keep_going { LOOK_BYTES } else { MAX_RECORD_BYTES }
    }
}

impl Names {
    /// A number that grows with all that is learned and can show in a text: while it stays, nothing of that changes.
    pub(crate) fn changes(&self) -> u64 {
        self.table.changes()
            + self.threads.changes()
            + self.schemas.added_count() as u64
            + u64::from(self.threaded)
    }

    /// Whether what holds here is wrong for `earlier`: not only more is known here, but something else.
    pub(crate) fn contradicts(&self, earlier: &Names) -> bool {
        self.table.renamings() != earlier.table.renamings() || self.threaded != earlier.threaded
    }

    /// What must be known to decode a part of a trace: all but what the trace said of itself, and the names of threads
    /// only where they are asked for.
    pub(crate) fn for_part(&self, with_thread_names: bool) -> Names {
        let threads = if with_thread_names { Arc::clone(&self.threads) } else { Arc::default() };
        Names { metadata: Arc::default(), threads, ..self.clone() }
    }

    /// About how many bytes a copy takes that then learns more.
    pub(crate) fn copied_bytes(&self) -> usize {
        self.table.bytes() + LEARNED_BYTES * (self.threads.count() + self.schemas.added_count())
    }

    /// Numbers the events where ids go by position, and says whether they do.
    pub(crate) fn number_by_position(&mut self, version: Version, options: &Options) -> bool {
        let counted = match version.info().numbering {
            Numbering::Position { count_disabled } => Some(count_disabled),
            Numbering::Mapping => (options.no_header && self.era != Era::Y2016).then_some(true),
        };
        if let Some(counted) = counted {
            let counted = options.count_disabled.unwrap_or(counted);
            Arc::make_mut(&mut self.table).number(&self.schemas, counted);
        }
        counted.is_some()
    }
}

impl State {
    /// Begins with `names`.
    pub(crate) fn new(names: Names, tally: Tally) -> State {
        State { names, tally, lost: None, mapped_at: None }
    }

    /// Whose events were lost and why, as far as was said right before `offset`.
    pub(crate) fn lost_at(&self, offset: u64) -> Option<Lost> {
        self.lost.filter(|(place, _)| *place == offset).map(|(_, lost)| lost)
    }

    pub(crate) fn unknown_id(&self, id: u64, offset: u64, version: Version) -> Complaint {
        match self.names.table.known(id) {
            Known::Undeclared(name) => {
                let declared = self.names.schemas.declared().count();
                let message = match declared {
                    0 => format!("event `{name}` (id {id}): the trace does not say what its arguments are"),
                    _ => format!("event `{name}` (id {id}) is none of the {declared} events declared"),
                };
                self.tally
                    .complain(offset, message)
                    .help("give the declarations of the whole build with --events (QEMU: trace-events-all)")
                    // The blank is missing there, too.
                    .original_message(format!(
                        "'{name}' event is logged but is not declared in the trace eventsfile, try using \
                         trace-events-all instead."
                    ))
            }
            _ if id == DROPPED_ID => {
                self.tally.complain(offset, "the reader of 2010 knows no dropped records".to_owned())
                    .help("choose the reader of a later year")
            }
            _ if version == Version::V4 && self.names.era == Era::Y2016 => self
                .tally
                .complain(offset, format!("event id {id} ({id:#x}) has no mapping before it"))
                .help("the file may be cut; without a header, too, the reader of 2016 knew mappings only"),
            _ if version == Version::V4 => {
                self.tally.complain(offset, format!("event id {id} ({id:#x}) has no mapping before it")).help(
                    "the file may be cut; give the declarations with --events, --no-header maps ids by position",
                )
            }
            _ => {
                let count = self.names.schemas.declared().count();
                self.tally.complain(offset, format!("event id {id} ({id:#x}) is none of the {count} events declared"))
                    .help("give the declarations of the program that wrote the trace, in the order of its build")
            }
        }
    }

    #[cold]
    pub(crate) fn map(&mut self, mapping: &Mapping<'_>, offset: u64) -> Result<(), Complaint> {
        if let Some(places) = &mut self.mapped_at {
            places.push(offset);
        }
        let name = &*self.mapped_name(mapping, offset)?;
        if self.tally.keep_going && !is_name(mapping.name) {
            return Err(self.tally.complain(offset, format!("`{}` is no event's name", name.escape_debug())));
        }
        match Metadata::parse(mapping.id, name) {
            // Who shares the table keeps it.
            None if self.names.table.has(mapping.id, name, &self.names.schemas) => {}
            None => {
                if self.names.names_suffice && self.names.schemas.find(name).is_none() {
                    Arc::make_mut(&mut self.names.schemas).add_name(name);
                }
                Arc::make_mut(&mut self.names.table).map(mapping.id, name, &self.names.schemas);
            }
            Some(Ok(metadata)) => self.learn(metadata, offset, mapping.size)?,
            Some(Err(message)) => self.tally.tolerate(Anomaly::Metadata, offset, || message)?,
        }
        Ok(())
    }

    /// The name in a mapping record. The last reader for Python 2 took it as bytes, and so could do with any.
    fn mapped_name(&mut self, mapping: &Mapping<'_>, offset: u64) -> Result<String, Complaint> {
        // A copy: who else has the file open can change it, which no `str` may see.
        let error = match String::from_utf8(mapping.name.to_vec()) {
            Ok(name) => return Ok(name),
            Err(error) => error,
        };
        let message =
            format!("the name of event id {} is not UTF-8: `{}`", mapping.id, mapping.name.escape_ascii());
        if self.names.era != Era::Y2016 {
            return Err(self.tally.complain(offset, message));
        }
        self.tally.tolerate(Anomaly::Metadata, offset, || message)?;
        Ok(String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}

impl State {
    /// Takes in what the trace says of itself, in `size` bytes at `offset`.
    fn learn(&mut self, metadata: Metadata, offset: u64, size: usize) -> Result<(), Complaint> {
        match &metadata {
            Metadata::Version(_) => {
                self.names.threaded = true;
                Arc::make_mut(&mut self.names.table).carry_threads();
            }
            Metadata::Declaration(text) => {
                let source = ringtrace_events::SourceFile::new(&*self.tally.file, format!("{text}\n"));
                let parsed = parse(vec![source], Dialect::Read);
                for (event, given) in self.names.schemas.contradicted(&parsed.declarations) {
                    let (theirs, given) = (&event.declaration, &given.declaration);
                    let message = format!(
                        "the trace declares `{theirs}`; it is read as it was declared with --events, `{given}`"
                    );
                    self.tally.tolerate(Anomaly::Declarations, offset, || message)?;
                }
                Arc::make_mut(&mut self.names.schemas).add(&parsed.declarations);
                let table = Arc::make_mut(&mut self.names.table);
                for event in &parsed.declarations.events {
                    table.resolve(&event.name, &self.names.schemas);
                }
            }
            Metadata::Anchor(anchor) => self.names.anchor = Some(*anchor),
            // It tells of one record only.
            Metadata::Lost(lost) => {
                self.lost = Some((offset.saturating_add(size as u64), *lost));
                return Ok(());
            }
            Metadata::Thread(tid, name) => Arc::make_mut(&mut self.names.threads).call(*tid, name),
            Metadata::Total(_) | Metadata::Paused(_) | Metadata::Resumed(_) | Metadata::Other(..) => {}
        }
        Arc::make_mut(&mut self.names.metadata).push(metadata);
        Ok(())
    }
}

impl Tally {
    pub(crate) fn complain(&self, offset: u64, message: String) -> Complaint {
        Complaint::of_file(&*self.file, message).at(Some(self.number + 1), offset)
    }

    /// Tolerates what no text says of a header.
    pub(crate) fn check_header(&mut self, header: &Header) -> Result<(), Complaint> {
        let written = header.version_field;
        if header.version != Version::Rfc2011 || written == rfc2011::VERSION_FIELD {
            return Ok(());
        }
        let message = format!(
            "the version is {written}; the proposal of 2011 seems to mean {}",
            rfc2011::VERSION_FIELD
        );
        let complaint = Complaint::of_file(&*self.file, message).at(None, header::VERSION_AT as u64);
        if self.strict {
            return Err(complaint.help(STRICT_HELP));
        }
        self.complaints.add(Anomaly::VersionField, || complaint);
        Ok(())
    }

    /// Notes what is wrong with the record that comes next; `message` is made only when it will be kept.
    pub(crate) fn note(&mut self, oddity: Anomaly, offset: u64, message: impl FnOnce() -> String) {
        let (file, record) = (&self.file, self.number + 1);
        self.complaints.add(oddity, || Complaint::of_file(&**file, message()).at(Some(record), offset));
    }

    /// Tolerates something, unless told to be strict; `message` is made only when it will be kept.
    pub(crate) fn tolerate(
        &mut self,
        oddity: Anomaly,
        offset: u64,
        message: impl FnOnce() -> String,
    ) -> Result<(), Complaint> {
        if self.strict {
            return Err(self.complain(offset, message()).help(STRICT_HELP));
        }
        self.note(oddity, offset, message);
        Ok(())
    }

    /// Whether the arguments of `schema` are in `payload`, neither more nor less.
    #[inline(always)]
    pub(crate) fn check_fit<L: Layout>(
        &mut self,
        schema: &Schema,
        payload: &[u8],
        offset: u64,
    ) -> Result<(), Complaint> {
        if schema.integer_bytes == Some(payload.len()) && L::VERSION != Version::Rfc2011 {
            return Ok(());
        }
        if L::VERSION == Version::Rfc2011 {
            return self.check_sized_fit::<L>(schema, payload, offset);
        }
        let mut rest = payload;
        for kind in &schema.kinds {
            let whole = match kind {
                ArgumentKind::Integer { signed } => L::integer(&mut rest, *signed).is_some(),
                ArgumentKind::Str => {
                    L::string(&mut rest).is_some_and(|string| string.bytes.len() as u64 == string.length)
                }
            };
            if !whole {
                return self.report_misfit::<L>(schema, payload, offset);
            }
        }
        if !rest.is_empty() && L::VERSION != Version::V0 && !schema.is_opaque {
            // A damaged length field would swallow the records behind it.
            if self.keep_going {
                return Err(
                    self.misfit(offset, format!("`{}` has {} bytes too many", schema.name, rest.len()))
                );
            }
            return self.tolerate(Anomaly::Surplus, offset, || {
                format!("`{}` has {} bytes more than its declared arguments take", schema.name, rest.len())
            });
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn report_misfit<L: Layout>(
        &mut self,
        schema: &Schema,
        payload: &[u8],
        offset: u64,
    ) -> Result<(), Complaint> {
        let mut rest = payload;
        for (index, (kind, argument)) in schema.kinds.iter().zip(&schema.arguments).enumerate() {
            let have = rest.len();
            let place = || format!("argument `{}` of `{}`", argument.name, schema.name);
            match kind {
                ArgumentKind::Integer { signed } => {
                    if L::integer(&mut rest, *signed).is_none() {
                        return Err(
                            self.misfit(offset, format!("{}: 8 bytes expected, {have} found", place()))
                        );
                    }
                }
                ArgumentKind::Str => match L::string(&mut rest) {
                    None => {
                        let message =
                            format!("{}: 4 bytes of a string's length expected, {have} found", place());
                        return Err(self.misfit(offset, message));
                    }
                    Some(string) if string.bytes.len() as u64 != string.length => {
                        let have = string.bytes.len();
                        let last = index + 1 == schema.kinds.len();
                        let message =
                            || format!("{}: a string of {} bytes, {have} found", place(), string.length);
                        // The originals print a string that is cut; what comes after it is lost.
                        return if last {
                            self.tolerate(Anomaly::CutString, offset, message)
                        } else {
                            Err(self.misfit(offset, message()))
                        };
                    }
                    Some(_) => {}
                },
            }
        }
        Ok(())
    }

    /// The same for the 2011 RFC: its records tell how many arguments they have, so that more or fewer than declared
    /// can be told apart from damage.
    #[cold]
    #[inline(never)]
    fn check_sized_fit<L: Layout>(
        &mut self,
        schema: &Schema,
        payload: &[u8],
        offset: u64,
    ) -> Result<(), Complaint> {
        let order = <L::Order as Order>::ORDER;
        let mut rest = payload;
        for (index, (kind, argument)) in schema.kinds.iter().zip(&schema.arguments).enumerate() {
            if rest.is_empty() {
                let (name, declared) = (&schema.name, schema.kinds.len());
                let message = || format!("`{name}` has {index} of its {declared} declared arguments");
                return self.tolerate(Anomaly::Missing, offset, message);
            }
            let before = rest;
            let taken = match kind {
                ArgumentKind::Integer { signed } => L::integer(&mut rest, *signed).is_some(),
                ArgumentKind::Str => L::string(&mut rest).is_some(),
            };
            if !taken {
                let place = format!("argument `{}` of `{}`", argument.name, schema.name);
                let message = format!("{place}: {}", sized_misfit(before, *kind, order));
                return Err(self.misfit(offset, message));
            }
        }
        let mut more = 0;
        while rfc2011::undeclared(&mut rest, order).is_some() {
            more += 1;
        }
        match (more, rest) {
            (0, []) => Ok(()),
            (_, []) => {
                let words = if more == 1 { "argument more" } else { "arguments more" };
                let message = || format!("`{}` has {more} {words} than declared", schema.name);
                self.tolerate(Anomaly::Surplus, offset, message)
            }
            _ => {
                let place = format!("argument {} of `{}`", schema.kinds.len() + more + 1, schema.name);
                let message = format!("{place}: {}", sized_misfit(rest, ArgumentKind::Str, order));
                Err(self.misfit(offset, message))
            }
        }
    }

    fn misfit(&self, offset: u64, message: String) -> Complaint {
        self.complain(offset, message)
            .help("the file is damaged, or the declarations are not those of the program that wrote it")
    }

    #[cold]
    pub(crate) fn fault(&self, fault: Fault, offset: u64) -> Complaint {
        let complaint = self.complain(offset + fault.at as u64, fault.to_string());
        match fault.kind {
            FaultKind::CutHeader { part: "record header", .. } => complaint.original_message(NO_HEADER),
            _ => complaint,
        }
    }
}

/// What QEMU's newest reader says of a file without a header, and of a record that ends within its own.
pub(crate) const NO_HEADER: &str = "Error reading header. Wrong filetype provided?";

/// Why the first argument of an RFC 2011 payload cannot be taken.
fn sized_misfit(payload: &[u8], kind: ArgumentKind, order: ByteOrder) -> String {
    let what = if kind == ArgumentKind::Str { "a string" } else { "an integer" };
    match rfc2011::first_size(payload, order) {
        None => format!("8 bytes of a size expected, {} found", payload.len()),
        Some((size, have)) if size > have as u64 => format!("{what} of {size} bytes, {have} found"),
        Some((size, _)) => format!("{what} of 1, 2, 4 or 8 bytes expected, {size} found"),
    }
}
