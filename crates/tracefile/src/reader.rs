//! From an input to entries.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ringtrace_events::Declarations;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::{
    ArgumentKind, ByLength, Fault, Framing, Header, Layout, LayoutVisitor, MAX_RECORD_BYTES, Mapping,
    Numbering, Record, Step, Tail, Version, header::Detected, with_layout,
};

use crate::complaint::{Complaint, Complaints, Oddity};
use crate::entry::Entry;
use crate::era::Era;
use crate::input::Input;
use crate::map::Map;
use crate::metadata::{Anchor, Metadata};
use crate::schema::{Schema, Schemas};
use crate::sniff::{self, Kind, SNIFF_BYTES};
use crate::table::{Known, Table};

/// What a visitor of entries wants next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// The next one.
    Continue,
    /// No more.
    Stop,
}

/// Something that looks at every entry. Closures do; a type of its own can say that it wants to be compiled into
/// the decoding loop.
pub trait Visitor {
    /// Looks at one.
    fn entry(&mut self, entry: &Entry<'_>) -> Flow;

    /// Looks at the bare record before an entry is made of it; `None`: make one. Whoever answers otherwise has
    /// checked that the payload is what the schema says.
    #[inline(always)]
    fn quick(&mut self, record: &Record<'_>, schema_index: u32) -> Option<Flow> {
        let _ = (record, schema_index);
        None
    }

    /// Nothing more can be decoded before more was read, which may take long: what is held back can be shown.
    fn idle(&mut self) {}
}

impl<F: FnMut(&Entry<'_>) -> Flow> Visitor for F {
    #[inline]
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self(entry)
    }
}

/// How a trace is to be read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The declarations, in the order of the build.
    pub sources: Vec<ringtrace_events::Source>,
    /// Read as the reader of this era did; else as the newest one for the version.
    pub era: Option<Era>,
    /// There is no header: ids go by position, but for those that mapping records name.
    pub no_header: bool,
    /// The version of a trace without a header; else it is guessed.
    pub version: Option<Version>,
    /// The byte order of a trace without a header; else it is guessed.
    pub order: Option<ByteOrder>,
    /// Whether `disable`d events take a number; else as the version did.
    pub count_disabled: Option<bool>,
    /// Read declarations as the era's reader did, oddities included: for that reader's own text.
    pub era_dialect: bool,
    /// What is tolerated with a complaint becomes an error.
    pub strict: bool,
}

/// Reads one trace.
#[derive(Debug)]
pub struct Reader {
    input: Input,
    state: State,
    layout: (Version, ByteOrder),
    by_length: bool,
    header: Option<Header>,
    era: Era,
    finished: bool,
    /// Bytes of the window that were decoded, and are given back before the next look at it.
    decoded: usize,
    /// What ids meant at the first record.
    first_names: Names,
    first_offset: u64,
    progress: Arc<AtomicU64>,
}

/// What reading knows beside the input.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) names: Names,
    pub(crate) tally: Tally,
}

/// What ids and names mean, at one place of the trace.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    pub(crate) schemas: Arc<Schemas>,
    pub(crate) table: Arc<Table>,
    pub(crate) header_pid: u32,
    pub(crate) threaded: bool,
    pub(crate) anchor: Option<Anchor>,
    pub(crate) metadata: Arc<Vec<Metadata>>,
}

/// What was read, and how well.
#[derive(Debug, Clone)]
pub(crate) struct Tally {
    pub(crate) file: Arc<str>,
    /// Records given so far.
    pub(crate) number: u64,
    pub(crate) strict: bool,
    pub(crate) complaints: Complaints,
}

/// What [`Reader::decode_window`] came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// There may be more.
    More,
    /// The visitor wants no more for now.
    Stopped,
    /// That was all.
    Finished,
}

/// Why a run over a window ended.
#[derive(Debug)]
pub(crate) enum Ended {
    /// At least this many bytes must be in the window.
    NeedMore(usize),
    /// The visitor wants no more.
    Stopped,
    /// The rest cannot be read.
    Failed(Complaint),
}

impl Reader {
    /// Finds out what `input` is. `file` is what messages call it.
    ///
    /// # Errors
    /// When it is no trace or not the one that the options say.
    pub fn new(file: &str, mut input: Input, options: &Options) -> Result<Reader, Complaint> {
        let whole = !input.grow(SNIFF_BYTES).map_err(|error| Complaint::system(file, &error))?;
        let kind = sniff::sniff(input.window(), whole);
        let (layout, header) = if options.no_header {
            (headerless_layout(file, &kind, options)?, None)
        } else {
            let header = expect_header(file, kind)?;
            input.consume(header.size);
            ((header.version, header.order), Some(header))
        };
        let version = layout.0;
        let era = options.era.unwrap_or_else(|| Era::newest(version));
        if !era.info().reads.contains(&version) {
            return Err(Complaint::of_file(
                file,
                format!(
                    "the file is simpletrace {version}, which the reader of {} did not take",
                    era.info().name
                ),
            )
            .help("leave --compat out to have the newest reader of each version"));
        }
        let dialect = if options.era_dialect { era.dialect() } else { Dialect::Read };
        let parsed = parse(options.sources.clone(), dialect);
        let mut names = Names {
            schemas: Arc::new(Schemas::new(&parsed.declarations, era.string_rule(version))),
            table: Arc::new(Table::default()),
            header_pid: header.and_then(|header| header.pid).unwrap_or(0) as u32,
            threaded: false,
            anchor: None,
            metadata: Arc::default(),
        };
        names.number_by_position(version, options);
        let tally =
            Tally { file: file.into(), number: 0, strict: options.strict, complaints: Complaints::default() };
        Ok(Reader {
            first_offset: input.offset(),
            input,
            first_names: names.clone(),
            state: State { names, tally },
            layout,
            by_length: era.info().by_length || version == Version::Rfc2011,
            header,
            era,
            finished: false,
            decoded: 0,
            progress: Arc::default(),
        })
    }

    /// The version of the file.
    pub fn version(&self) -> Version {
        self.layout.0
    }

    /// The byte order of the file.
    pub fn order(&self) -> ByteOrder {
        self.layout.1
    }

    /// The file's header, unless it has none.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Whose manner of reading is followed.
    pub fn era(&self) -> Era {
        self.era
    }

    /// What messages call the file.
    pub fn file(&self) -> &str {
        &self.state.tally.file
    }

    /// All schemas known by now. A trace can bring more along as it is read.
    pub fn schemas(&self) -> &Arc<Schemas> {
        &self.state.names.schemas
    }

    /// What ids mean by now.
    pub fn table(&self) -> &Table {
        &self.state.names.table
    }

    /// Whether ids carry the thread.
    pub fn is_threaded(&self) -> bool {
        self.state.names.threaded
    }

    /// What the trace said of itself so far.
    pub fn metadata(&self) -> &[Metadata] {
        &self.state.names.metadata
    }

    /// How the trace's clock goes with the wall clock, if it said so by now.
    pub fn anchor(&self) -> Option<Anchor> {
        self.state.names.anchor
    }

    /// What was tolerated so far.
    pub fn complaints(&self) -> &Complaints {
        &self.state.tally.complaints
    }

    /// How far it is, in bytes: a counter that can be watched from another thread.
    pub fn progress(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.progress)
    }

    /// Size of the file in bytes, where it is known.
    pub fn file_bytes(&self) -> Option<u64> {
        self.input.file_bytes()
    }

    /// The file, where it is mapped.
    pub fn mapped(&self) -> Option<&Arc<Map>> {
        self.input.mapped()
    }

    /// Calls `visit` with every entry that is left, until the end or until it wants no more.
    ///
    /// # Errors
    /// When the rest of the file cannot be read. Every entry before has been given.
    pub fn for_each(&mut self, mut visit: impl Visitor) -> Result<Flow, Complaint> {
        self.for_each_mut(&mut visit)
    }

    /// The same for a visitor that is needed afterwards.
    ///
    /// # Errors
    /// As [`Reader::for_each`].
    pub fn for_each_mut(&mut self, visit: &mut impl Visitor) -> Result<Flow, Complaint> {
        loop {
            match self.decode_window(visit)? {
                Progress::More => {}
                Progress::Stopped => return Ok(Flow::Stop),
                Progress::Finished => return Ok(Flow::Continue),
            }
        }
    }

    /// Decodes what the window holds, and makes the next call find more in it. The bytes of the entries given stay
    /// in [`Reader::window`] until then.
    pub(crate) fn decode_window(&mut self, visit: &mut impl Visitor) -> Result<Progress, Complaint> {
        if self.finished {
            return Ok(Progress::Finished);
        }
        self.input.consume(std::mem::take(&mut self.decoded));
        self.progress.store(self.input.offset(), Ordering::Relaxed);
        let (window, offset) = (self.input.window(), self.input.offset());
        let (ended, decoded) = run_any(self.layout, self.by_length, window, offset, &mut self.state, visit);
        match ended {
            Ended::Stopped => {
                self.decoded = decoded;
                Ok(Progress::Stopped)
            }
            Ended::Failed(complaint) => {
                self.finished = true;
                Err(complaint)
            }
            // What was given may still be looked at: the window moves with the next call.
            Ended::NeedMore(_) if decoded > 0 => {
                self.decoded = decoded;
                Ok(Progress::More)
            }
            Ended::NeedMore(need) => self.read_on(need, visit),
        }
    }

    /// Goes on when the window holds less than a record.
    fn read_on(&mut self, need: usize, visit: &mut impl Visitor) -> Result<Progress, Complaint> {
        visit.idle();
        let enough = need.min(MAX_RECORD_BYTES);
        let grown = self.input.grow(enough).map_err(|error| Complaint::system(self.file(), &error))?;
        if grown && need == enough {
            return Ok(Progress::More);
        }
        // Either the file ends here, or no writer makes such a record: show what the original would.
        let flow = self.read_tail(visit)?;
        if grown {
            self.skip(need)?;
        } else {
            self.finished = true;
        }
        Ok(match (flow, self.finished) {
            (Flow::Stop, _) => Progress::Stopped,
            (Flow::Continue, true) => Progress::Finished,
            (Flow::Continue, false) => Progress::More,
        })
    }

    /// Reads what the window holds as a record whose end is missing.
    fn read_tail(&mut self, visit: &mut impl Visitor) -> Result<Flow, Complaint> {
        let window = self.input.window();
        if window.is_empty() {
            return Ok(Flow::Continue);
        }
        let run = TailRun {
            window: &window[..window.len().min(MAX_RECORD_BYTES)],
            offset: self.input.offset(),
            by_length: self.by_length,
            state: &mut self.state,
            visit,
        };
        with_layout(self.layout.0, self.layout.1, run)
    }

    /// The bytes that the entries given by the last [`Reader::decode_window`] are in, and where they start in the
    /// file.
    pub(crate) fn window(&self) -> (&[u8], u64) {
        (self.input.window(), self.input.offset())
    }

    /// Where the next record begins, in bytes from the start of the file.
    pub(crate) fn position(&self) -> u64 {
        self.input.offset() + self.decoded as u64
    }

    /// What is known there.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Goes on at `position` of a mapped file, with what is known there.
    pub(crate) fn resume(&mut self, position: u64, state: State) {
        self.input.seek(position);
        self.decoded = 0;
        self.state = state;
    }

    /// Whether length fields decide where records end.
    pub fn is_by_length(&self) -> bool {
        self.by_length
    }

    /// A second reader of the same file, from its first record; `None` when it is a stream.
    pub fn again(&self) -> Option<Reader> {
        let mut input = Input::from_map(Arc::clone(self.input.mapped()?));
        input.seek(self.first_offset);
        let tally = Tally { number: 0, complaints: Complaints::default(), ..self.state.tally.clone() };
        Some(Reader {
            input,
            state: State { names: self.first_names.clone(), tally },
            layout: self.layout,
            by_length: self.by_length,
            header: self.header,
            era: self.era,
            finished: false,
            decoded: 0,
            first_names: self.first_names.clone(),
            first_offset: self.first_offset,
            progress: Arc::default(),
        })
    }

    fn skip(&mut self, bytes: usize) -> Result<(), Complaint> {
        let mut left = bytes;
        while left > 0 {
            let step = left.min(self.input.window().len());
            self.input.consume(step);
            left -= step;
            let more = self.input.grow(1).map_err(|error| Complaint::system(self.file(), &error))?;
            if !more {
                break;
            }
        }
        Ok(())
    }
}

fn expect_header(file: &str, kind: Kind) -> Result<Header, Complaint> {
    let complaint = |message: String| Complaint::of_file(file, message);
    Err(match kind {
        Kind::Trace(header) => return Ok(header),
        Kind::Empty => complaint("the file is empty, a trace has a header at least".into())
            .help("was tracing switched on, and was the program still running?"),
        Kind::CutHeader { have, need } => {
            complaint(format!("the file ends within its header: {need} bytes expected, {have} found"))
        }
        Kind::UnknownVersion(version, order) => complaint(format!(
            "simpletrace version {version} does not exist: 0, 2, 3 and 4 were expected ({order})"
        ))
        .at(None, 16),
        Kind::Kvmtrace(_) => complaint("this is a kvmtrace stream, not a simpletrace file".into())
            .help("ringtrace kvmtrace reads it"),
        Kind::Headerless(version, order) => {
            complaint(format!("there is no header; it looks like simpletrace {version} records, {order}"))
                .help("--no-header reads it, ids by position")
        }
        Kind::Other(what, advice) => complaint(format!("this is {what}, not a trace")).help(advice),
        Kind::Unknown => complaint(
            "not a trace: expected a simpletrace header (ff ff ff ff ff ff ff ff, then the magic)".into(),
        )
        .at(None, 0),
    })
}

fn headerless_layout(file: &str, kind: &Kind, options: &Options) -> Result<(Version, ByteOrder), Complaint> {
    if let Kind::Trace(header) = kind {
        return Err(Complaint::of_file(
            file,
            format!("the file has a header (simpletrace {})", header.version),
        )
        .at(None, 0)
        .help("leave --no-header out"));
    }
    let (version, order) = match kind {
        Kind::Headerless(version, order) => (*version, *order),
        _ => (Version::V4, ByteOrder::NATIVE),
    };
    Ok((options.version.unwrap_or(version), options.order.unwrap_or(order)))
}

impl Names {
    fn number_by_position(&mut self, version: Version, options: &Options) {
        let counted = match version.info().numbering {
            Numbering::Position { count_disabled } => Some(count_disabled),
            Numbering::Mapping => options.no_header.then_some(true),
        };
        if let Some(counted) = counted {
            let counted = options.count_disabled.unwrap_or(counted);
            Arc::make_mut(&mut self.table).number(&self.schemas, counted);
        }
    }
}

impl State {
    fn unknown_id(&self, id: u64, offset: u64, version: Version) -> Complaint {
        match self.names.table.known(id) {
            Known::Undeclared(name) => self
                .tally
                .complain(offset, format!("event `{name}` (id {id}) is not declared in the declarations given"))
                .help("give the declarations of the whole build with --events (QEMU: trace-events-all)"),
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
    fn map(&mut self, mapping: &Mapping<'_>, offset: u64) -> Result<(), Complaint> {
        let Ok(name) = std::str::from_utf8(mapping.name) else {
            return Err(self.tally.complain(
                offset,
                format!(
                    "the name of event id {} is not UTF-8: `{}`",
                    mapping.id,
                    mapping.name.escape_ascii()
                ),
            ));
        };
        match Metadata::parse(mapping.id, name) {
            None => Arc::make_mut(&mut self.names.table).map(mapping.id, name, &self.names.schemas),
            Some(Ok(metadata)) => self.learn(metadata),
            Some(Err(message)) => self.tally.tolerate(Oddity::Metadata, offset, message)?,
        }
        Ok(())
    }
}

impl State {
    /// Takes in what the trace says of itself.
    fn learn(&mut self, metadata: Metadata) {
        match &metadata {
            Metadata::Version(_) => self.names.threaded = true,
            Metadata::Declaration(text) => {
                let source = ringtrace_events::Source::new(&*self.tally.file, format!("{text}\n"));
                let parsed = parse(vec![source], Dialect::Read);
                Arc::make_mut(&mut self.names.schemas).add(&parsed.declarations);
                Arc::make_mut(&mut self.names.table).resolve(&self.names.schemas);
            }
            Metadata::Anchor(anchor) => self.names.anchor = Some(*anchor),
            Metadata::Thread(..) | Metadata::Other(..) => {}
        }
        Arc::make_mut(&mut self.names.metadata).push(metadata);
    }
}

impl Tally {
    fn complain(&self, offset: u64, message: String) -> Complaint {
        Complaint::of_file(&*self.file, message).at(Some(self.number + 1), offset)
    }

    /// Tolerates something, unless told to be strict.
    pub(crate) fn tolerate(&mut self, oddity: Oddity, offset: u64, message: String) -> Result<(), Complaint> {
        let complaint = self.complain(offset, message);
        if self.strict {
            return Err(complaint.help("leave --strict out to have it tolerated"));
        }
        self.complaints.add(oddity, || complaint);
        Ok(())
    }

    /// Whether the arguments of `schema` are in `payload`, neither more nor less.
    #[inline(always)]
    fn check_fit<L: Layout>(
        &mut self,
        schema: &Schema,
        payload: &[u8],
        offset: u64,
    ) -> Result<(), Complaint> {
        if schema.integer_bytes == Some(payload.len()) && L::VERSION != Version::Rfc2011 {
            return Ok(());
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
        if !rest.is_empty() && L::VERSION != Version::V0 {
            return self.tolerate(
                Oddity::Surplus,
                offset,
                format!("`{}` has {} bytes more than its declared arguments take", schema.name, rest.len()),
            );
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
        for (kind, argument) in schema.kinds.iter().zip(&schema.arguments) {
            let have = rest.len();
            let place = format!("argument `{}` of `{}`", argument.name, schema.name);
            match kind {
                ArgumentKind::Integer { signed } => {
                    if L::integer(&mut rest, *signed).is_none() {
                        return Err(self.misfit(offset, format!("{place}: 8 bytes expected, {have} found")));
                    }
                }
                ArgumentKind::Str => match L::string(&mut rest) {
                    None => {
                        let message = format!("{place}: 4 bytes of a string's length expected, {have} found");
                        return Err(self.misfit(offset, message));
                    }
                    Some(string) if string.bytes.len() as u64 != string.length => {
                        let have = string.bytes.len();
                        let last = schema.arguments.last().is_some_and(|last| last.name == argument.name);
                        let message = format!("{place}: a string of {} bytes, {have} found", string.length);
                        // The originals print a string that is cut; what comes after it is lost.
                        return if last {
                            self.tolerate(Oddity::CutString, offset, message)
                        } else {
                            Err(self.misfit(offset, message))
                        };
                    }
                    Some(_) => {}
                },
            }
        }
        Ok(())
    }

    fn misfit(&self, offset: u64, message: String) -> Complaint {
        self.complain(offset, message)
            .help("the file is damaged, or the declarations are not those of the program that wrote it")
    }

    #[cold]
    fn fault(&self, fault: Fault, offset: u64) -> Complaint {
        self.complain(offset + fault.at as u64, fault.to_string())
    }
}

/// Framing by declared arguments: the ends that readers before QEMU 6.1 saw.
struct ByDeclaration<'s>(&'s Names);

impl Framing for ByDeclaration<'_> {
    fn kinds(&self, id: u64) -> Option<&[ArgumentKind]> {
        self.0.table.schema(id).map(|index| self.0.schemas.get(index).kinds.as_slice())
    }
    const BY_LENGTH: bool = false;
}

/// Decodes `window`, whose first byte is at `offset` of the file, giving every entry to `visit`. Returns why it
/// ended and how many bytes are done with.
#[inline(never)]
pub(crate) fn run<L: Layout, const BY_LENGTH: bool>(
    window: &[u8],
    offset: u64,
    state: &mut State,
    visit: &mut (impl Visitor + ?Sized),
) -> (Ended, usize) {
    let mut at = 0;
    loop {
        let here = &window[at..];
        if BY_LENGTH
            && <L::Order as ringtrace_wire::Order>::ORDER == ByteOrder::Little
            && let Some(record) = L::ordinary(here)
            && let Some(schema_index) = state.names.table.schema(record.id)
            && let Some(flow) = visit.quick(&record, schema_index)
        {
            state.tally.number += 1;
            at += record.size;
            match flow {
                Flow::Continue => continue,
                Flow::Stop => return (Ended::Stopped, at),
            }
        }
        let step =
            if BY_LENGTH { L::step(here, &ByLength) } else { L::step(here, &ByDeclaration(&state.names)) };
        match step {
            Step::Record(record) => {
                let flow = give::<L>(&record, offset + at as u64, state, visit);
                match flow {
                    Ok(Flow::Continue) => at += record.size,
                    Ok(Flow::Stop) => return (Ended::Stopped, at + record.size),
                    Err(complaint) => return (Ended::Failed(complaint), at),
                }
            }
            Step::Mapping(mapping) => {
                if let Err(complaint) = state.map(&mapping, offset + at as u64) {
                    return (Ended::Failed(complaint), at);
                }
                at += mapping.size;
            }
            Step::NeedMore(need) => return (Ended::NeedMore(need), at),
            Step::Fault(fault) => return (Ended::Failed(state.tally.fault(fault, offset + at as u64)), at),
        }
    }
}

#[inline(always)]
fn give<L: Layout>(
    record: &Record<'_>,
    offset: u64,
    state: &mut State,
    visit: &mut (impl Visitor + ?Sized),
) -> Result<Flow, Complaint> {
    let State { names, tally } = state;
    let Some(schema_index) = names.table.schema(record.id) else {
        return Err(state.unknown_id(record.id, offset, L::VERSION));
    };
    if record.record_type != 1 {
        let message = format!("record type {} is none: taken for an event", record.record_type);
        tally.tolerate(Oddity::RecordType, offset, message)?;
    }
    let schema = names.schemas.get(schema_index);
    tally.check_fit::<L>(schema, record.payload, offset)?;
    tally.number += 1;
    let entry = Entry {
        number: tally.number,
        offset,
        timestamp_ns: record.timestamp_ns,
        id: record.id,
        pid: if L::VERSION == Version::Rfc2011 { names.header_pid } else { record.pid },
        schema,
        schema_index,
        payload: record.payload,
        record_bytes: record.size,
        version: L::VERSION,
        order: <L::Order as ringtrace_wire::Order>::ORDER,
        threaded: names.threaded,
    };
    Ok(visit.entry(&entry))
}

pub(crate) fn run_any(
    layout: (Version, ByteOrder),
    by_length: bool,
    window: &[u8],
    offset: u64,
    state: &mut State,
    visit: &mut impl Visitor,
) -> (Ended, usize) {
    use ringtrace_wire::Little;
    use ringtrace_wire::simpletrace::v4::V4;

    struct AnyRun<'r> {
        by_length: bool,
        window: &'r [u8],
        offset: u64,
        state: &'r mut State,
        visit: &'r mut dyn Visitor,
    }
    impl LayoutVisitor for AnyRun<'_> {
        type Output = (Ended, usize);
        fn visit<L: Layout>(self) -> (Ended, usize) {
            if self.by_length {
                run::<L, true>(self.window, self.offset, self.state, self.visit)
            } else {
                run::<L, false>(self.window, self.offset, self.state, self.visit)
            }
        }
    }
    // The traces that come in gigabytes get a loop of their own with the visitor compiled in; the others share
    // one a layout that calls it.
    if layout == (Version::V4, ByteOrder::Little) && by_length {
        return run::<V4<Little>, true>(window, offset, state, visit);
    }
    with_layout(layout.0, layout.1, AnyRun { by_length, window, offset, state, visit })
}

struct TailRun<'r, V> {
    window: &'r [u8],
    offset: u64,
    by_length: bool,
    state: &'r mut State,
    visit: &'r mut V,
}

impl<V: Visitor> LayoutVisitor for TailRun<'_, V> {
    type Output = Result<Flow, Complaint>;

    fn visit<L: Layout>(self) -> Result<Flow, Complaint> {
        let TailRun { window, offset, by_length, state, visit } = self;
        let tail = if by_length {
            L::tail(window, &ByLength)
        } else {
            L::tail(window, &ByDeclaration(&state.names))
        };
        match tail {
            Tail::Fault(fault) => Err(state
                .tally
                .fault(fault, offset)
                .help("the file is cut: the program may have been killed, or a copy ended early")),
            Tail::Ignored { have, need } => {
                let message = format!("the last {have} bytes are less than a record, which has {need}");
                state.tally.tolerate(Oddity::Remainder, offset, message)?;
                Ok(Flow::Continue)
            }
            Tail::Cut(Step::Record(record)) => {
                let flow = give::<L>(&record, offset, state, visit)?;
                state.tally.number -= 1;
                let message =
                    format!("the file ends within this record, of which {} bytes are there", window.len());
                let tolerated = state.tally.tolerate(Oddity::CutRecord, offset, message);
                state.tally.number += 1;
                tolerated.map(|()| flow)
            }
            Tail::Cut(Step::Mapping(mapping)) => {
                let message = "the file ends within a mapping record".to_owned();
                state.tally.tolerate(Oddity::CutMapping, offset, message)?;
                state.map(&mapping, offset)?;
                Ok(Flow::Continue)
            }
            Tail::Cut(_) => Ok(Flow::Continue),
        }
    }
}

/// Whether a file that begins with `start` is a trace that [`Reader::new`] takes.
pub fn is_trace(start: &[u8]) -> bool {
    matches!(ringtrace_wire::simpletrace::detect(start), Detected::Header(_))
}

/// The declarations of `sources` for a reader of any year, with what was wrong with them.
pub fn read_declarations(
    sources: Vec<ringtrace_events::Source>,
) -> (Declarations, Vec<ringtrace_events::Diagnostic>) {
    let parsed = parse(sources, Dialect::Read);
    (parsed.declarations, parsed.diagnostics)
}
