//! From an input to entries.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ringtrace_events::parse::Dialect;
use ringtrace_events::{Diagnostic, SourceFile};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::header::{Detected, HEADER_BYTES, detect};
use ringtrace_wire::simpletrace::{Header, MAX_RECORD_BYTES, Version, with_layout};

use crate::complaint::{Anomaly, Complaint, Complaints, oversized_record};
use crate::declared::{Declared, DeclaredCache};
use crate::decode::{Ended, TailRun, run_any};
use crate::era::Era;
use crate::input::Input;
use crate::map::Map;
use crate::metadata::{Anchor, Metadata};
use crate::resync::{LOOK_BYTES, Search};
use crate::schema::Schemas;
use crate::sniff::{HEADERLESS, Kind, SNIFF_BYTES, headerless, sniff};
use crate::sort::spool::spool_input;
use crate::state::{NO_HEADER, Names, State, Tally};
use crate::table::Table;
use crate::threads::Threads;
use crate::visitor::{Flow, Visitor};

/// How a trace is to be read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The declarations, in the order of the build.
    pub sources: Vec<SourceFile>,
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
    /// The trace is still being written: where it ends now is no damage.
    pub live: bool,
    /// What cannot be read is stepped over, with a complaint, and reading goes on behind it.
    pub keep_going: bool,
    /// What was made of the sources for the traces opened before; an empty one is right for new sources.
    pub declared: DeclaredCache,
    /// A stream is written to a temporary file first, so that it can be read more than once.
    pub spool: bool,
    /// Without declarations, the names in a v4 trace suffice: events of which nothing else is known have no arguments.
    pub names_suffice: bool,
}

/// How far [`Reader::for_jumps`] reads at once, in bytes.
const JUMP_BYTES: usize = 64 << 10;

/// Reads one trace.
#[derive(Debug)]
pub struct Reader {
    pub(crate) input: Input,
    pub(crate) state: State,
    pub(crate) layout: (Version, ByteOrder),
    by_length: bool,
    header: Option<Header>,
    era: Era,
    live: bool,
    keep_going: bool,
    declared: Arc<Declared>,
    pub(crate) finished: bool,
    /// Bytes that are done with, and are given back before the next look at the window. They can be more than it holds.
    pub(crate) decoded: usize,
    /// What ids meant at the first record.
    first_names: Names,
    first_offset: u64,
    pub(crate) progress: Arc<AtomicU64>,
}

/// What [`Reader::make_room`] came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    /// The window holds more than before.
    More,
    /// The input ends before the record does.
    Ended,
    /// No writer makes such a record, and the window holds all that is looked at of it.
    Oversized,
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

impl Reader {
    /// Finds out what `input` is. `file` is what messages call it.
    ///
    /// # Errors
    /// When it is no trace or not the one that the options say.
    pub fn new(file: &str, mut input: Input, options: &Options) -> Result<Reader, Complaint> {
        if options.spool && input.mapped().is_none() {
            input = spool_input(file, input)?;
        }
        let kind = sniff_input(&mut input).map_err(|error| Complaint::system(file, &error))?;
        let (layout, header) = if options.no_header {
            (headerless_layout(file, &kind, input.window(), options)?, None)
        } else {
            let header = expect_header(file, &kind).map_err(|complaint| {
                if input.window().len() < HEADER_BYTES {
                    complaint.original_message(NO_HEADER)
                } else {
                    complaint
                }
            })?;
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
        let declared = options.declared.get(&options.sources, dialect, era.string_rule(version));
        let mut names = Names {
            era,
            schemas: Arc::clone(&declared.schemas),
            table: Arc::new(Table::default()),
            header_pid: header.and_then(|header| header.pid).unwrap_or(0) as u32,
            threaded: false,
            anchor: None,
            metadata: Arc::default(),
            threads: Arc::default(),
            names_suffice: options.names_suffice && options.sources.is_empty(),
        };
        let by_position = names.number_by_position(version, options);
        if options.era == Some(Era::Y2010) {
            Arc::make_mut(&mut names.table).forget_dropped();
        }
        let mut tally = Tally {
            file: file.into(),
            number: 0,
            strict: options.strict,
            keep_going: options.keep_going,
            complaints: Complaints::default(),
        };
        declared.check(by_position, options.strict)?;
        if let Some(header) = header {
            tally.check_header(&header)?;
        }
        Ok(Reader {
            first_offset: input.offset(),
            input,
            first_names: names.clone(),
            state: State::new(names, tally),
            layout,
            by_length: era.info().by_length || version == Version::Rfc2011,
            header,
            era,
            live: options.live,
            keep_going: options.keep_going,
            declared,
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

    /// What was wrong with the declarations given, and their sources.
    pub fn diagnostics(&self) -> (&[SourceFile], &[Diagnostic]) {
        (&self.declared.sources, &self.declared.diagnostics)
    }

    /// How many records were read so far.
    pub fn records(&self) -> u64 {
        self.state.tally.number
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

    /// The names of threads that the trace said by now.
    pub fn threads(&self) -> &Threads {
        &self.state.names.threads
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
        let decoded = std::mem::take(&mut self.decoded);
        self.skip(decoded)?;
        self.progress.store(self.input.offset(), Ordering::Relaxed);
        let (window, offset) = (self.input.window(), self.input.offset());
        let (ended, decoded) = run_any(self.layout, self.by_length, window, offset, &mut self.state, visit);
        match ended {
            Ended::Stopped => {
                self.decoded = decoded;
                Ok(Progress::Stopped)
            }
            // What was given before the damage may still be looked at.
            Ended::Failed(_) if self.keep_going && decoded > 0 => {
                self.decoded = decoded;
                Ok(Progress::More)
            }
            Ended::Failed(complaint) if self.keep_going => self.step_over(complaint),
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

    /// Goes on behind what cannot be read.
    pub(crate) fn step_over(&mut self, mut complaint: Complaint) -> Result<Progress, Complaint> {
        let from = self.input.offset();
        // From the next byte on. The length of what cannot be read is not asked: it may be what is damaged, and point
        // behind records that are whole.
        let mut begin = 1;
        loop {
            let whole =
                !self.input.grow(2 * LOOK_BYTES).map_err(|error| Complaint::system(self.file(), &error))?;
            let bytes = self.input.window();
            let end = if whole { bytes.len() } else { bytes.len() - LOOK_BYTES };
            let search = Search { layout: self.layout, table: &self.state.names.table };
            let found = search.first(bytes, begin, end);
            self.input.consume(found.unwrap_or(end));
            begin = 0;
            if found.is_some() || whole {
                self.finished = found.is_none();
                break;
            }
        }
        let skipped = self.input.offset() - from;
        complaint.message += &format!("; {skipped} bytes were stepped over");
        self.state.tally.complaints.add(Anomaly::Damage, || complaint);
        Ok(if self.finished { Progress::Finished } else { Progress::More })
    }

    /// Goes on when the window holds less than a record.
    fn read_on(&mut self, need: usize, visit: &mut impl Visitor) -> Result<Progress, Complaint> {
        visit.idle();
        let oversized = match self.make_room(need)? {
            Room::More => return Ok(Progress::More),
            Room::Ended if self.live => {
                self.finished = true;
                return Ok(Progress::Finished);
            }
            Room::Ended => false,
            Room::Oversized if self.keep_going => {
                let complaint = self.state.tally.complain(self.input.offset(), self.oversized(need));
                return self.step_over(complaint);
            }
            Room::Oversized => true,
        };
        // Either the file ends here, or no writer makes such a record: show what the original would.
        let flow = match self.read_tail(oversized.then_some(need), visit) {
            Err(complaint) if self.keep_going => return self.step_over(complaint),
            flow => flow?,
        };
        if oversized {
            // More than the window holds: the start of it, that was given, stays there until the next look.
            self.decoded = need;
        } else {
            self.finished = true;
        }
        Ok(match (flow, self.finished) {
            (Flow::Stop, _) => Progress::Stopped,
            (Flow::Continue, true) => Progress::Finished,
            (Flow::Continue, false) => Progress::More,
        })
    }

    /// Makes the window hold more of a record that has `need` bytes or more.
    pub(crate) fn make_room(&mut self, need: usize) -> Result<Room, Complaint> {
        let max_record_bytes = self.state.tally.max_record_bytes();
        if self.keep_going && need > max_record_bytes {
            return Ok(Room::Oversized);
        }
        let had = self.input.window().len();
        let grown = self.input.grow(need.min(max_record_bytes));
        let grown = grown.map_err(|error| Complaint::system(self.file(), &error))?;
        Ok(match (grown, need <= max_record_bytes) {
            (true, true) => Room::More,
            (true, false) => Room::Oversized,
            // Less than was asked for may be enough to tell that it is no record at all.
            (false, _) if self.input.window().len() > had => Room::More,
            (false, _) => Room::Ended,
        })
    }

    /// What is wrong with a record of `need` bytes or more.
    pub(crate) fn oversized(&self, need: usize) -> String {
        // Where the sizes of arguments must be added up, it depends on the window how far that got.
        let is_exact = self.by_length && self.version() != Version::Rfc2011;
        oversized_record(is_exact.then_some(need))
    }

    /// Reads what the window holds as a record whose end is missing: the file ends there, or the record needs
    /// `oversized` bytes or more.
    fn read_tail(&mut self, oversized: Option<usize>, visit: &mut impl Visitor) -> Result<Flow, Complaint> {
        let oversized = oversized.map(|need| self.oversized(need));
        let window = self.input.window();
        if window.is_empty() {
            return Ok(Flow::Continue);
        }
        let run = TailRun {
            window: &window[..window.len().min(MAX_RECORD_BYTES)],
            offset: self.input.offset(),
            by_length: self.by_length,
            oversized,
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
        self.input.offset().saturating_add(self.decoded as u64)
    }

    /// What is known there.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Goes on at `position` of a mapped file, with what is known there.
    pub(crate) fn resume(&mut self, position: u64, state: State) {
        self.input.seek(position);
        self.decoded = 0;
        self.finished = false;
        self.state = state;
    }

    /// Whether it goes on behind damage.
    pub(crate) fn keeps_going(&self) -> bool {
        self.keep_going
    }

    /// Whether length fields decide where records end.
    pub fn is_by_length(&self) -> bool {
        self.by_length
    }

    /// From now on reads no more ahead than it must: for who jumps about in a mapped file, and gives its pages back.
    pub(crate) fn for_jumps(mut self) -> Reader {
        self.input.set_ahead(JUMP_BYTES);
        self
    }

    /// A second reader of the same file, from its first record; `None` when it is a stream. Both count in the same
    /// [`Reader::progress`].
    pub fn again(&self) -> Option<Reader> {
        let mut input = Input::from_map(Arc::clone(self.input.mapped()?));
        input.seek(self.first_offset);
        let mut tally = Tally { number: 0, complaints: Complaints::default(), ..self.state.tally.clone() };
        if let Some(header) = &self.header {
            // It was tolerated once.
            let _ = tally.check_header(header);
        }
        Some(Reader {
            input,
            state: State::new(self.first_names.clone(), tally),
            layout: self.layout,
            by_length: self.by_length,
            header: self.header,
            era: self.era,
            live: self.live,
            keep_going: self.keep_going,
            declared: Arc::clone(&self.declared),
            finished: false,
            decoded: 0,
            first_names: self.first_names.clone(),
            first_offset: self.first_offset,
            progress: Arc::clone(&self.progress),
        })
    }

    /// Steps over `bytes`, or what is left if that is less.
    pub(crate) fn skip(&mut self, bytes: usize) -> Result<(), Complaint> {
        let mut left = bytes;
        loop {
            let step = left.min(self.input.window().len());
            self.input.consume(step);
            left -= step;
            if left == 0 || !self.input.grow(1).map_err(|error| Complaint::system(self.file(), &error))? {
                break;
            }
        }
        Ok(())
    }
}

/// Tells what `input` is, waiting for no more of it than that takes: it may be a pipe that gives a record a day.
fn sniff_input(input: &mut Input) -> io::Result<Kind> {
    let mut enough = 1;
    while input.grow(enough)? {
        match detect(input.window()) {
            Detected::Header(header) => return Ok(Kind::Trace(header)),
            Detected::NeedMore(need) => enough = need,
            Detected::Other | Detected::UnknownVersion { .. } => {
                if enough == SNIFF_BYTES {
                    break;
                }
                enough = if enough == 1 { HEADER_BYTES } else { SNIFF_BYTES };
            }
        }
    }
    input.grow(SNIFF_BYTES)?;
    Ok(sniff(input.window()))
}

fn expect_header(file: &str, kind: &Kind) -> Result<Header, Complaint> {
    let complaint = |message: String| Complaint::of_file(file, message);
    Err(match kind {
        Kind::Trace(header) => return Ok(*header),
        Kind::Empty => complaint("the file is empty".into())
            .help("if the program was killed, try `ringtrace recover`; was tracing switched on?"),
        Kind::CutHeader { have, need } => {
            complaint(format!("the file ends within its header: {need} bytes expected, {have} found"))
        }
        Kind::UnknownVersion(version, expected, order) => complaint(format!(
            "simpletrace version {version} does not exist: {expected} was expected ({order})"
        ))
        .at(None, 16),
        Kind::Kvmtrace(_) => complaint("this is a kvmtrace stream, not a simpletrace file".into())
            .help("ringtrace kvmtrace reads it"),
        Kind::Headerless(version, order) => {
            complaint(format!("there is no header; it looks like simpletrace {version} records, {order}"))
                .help("--no-header reads it, ids by position")
        }
        Kind::Other(what, advice) => complaint(format!("this is {what}, not a trace")).help(*advice),
        Kind::Unknown => complaint(
            "not a trace: expected a simpletrace header (ff ff ff ff ff ff ff ff, then the magic)".into(),
        )
        .at(None, 0),
    })
}

/// Version and byte order of records without a header that begin with `start`.
fn headerless_layout(
    file: &str,
    kind: &Kind,
    start: &[u8],
    options: &Options,
) -> Result<(Version, ByteOrder), Complaint> {
    if let Kind::Trace(header) = kind {
        return Err(Complaint::of_file(
            file,
            format!("the file has a header (simpletrace {})", header.version),
        )
        .at(None, 0)
        .help("leave --no-header out"));
    }
    let versions: Vec<Version> = match options.version {
        Some(version) => vec![version],
        None => {
            let of_era = |version: &Version| options.era.is_none_or(|era| era.info().reads.contains(version));
            HEADERLESS.iter().copied().filter(of_era).collect()
        }
    };
    let orders = options.order.map_or(vec![ByteOrder::Little, ByteOrder::Big], |order| vec![order]);
    // Of what looks like nothing, the likeliest is tried: its error says more than this could.
    let version = versions.first().copied().unwrap_or(Version::V4);
    let likeliest = (version, options.order.unwrap_or(ByteOrder::NATIVE));
    Ok(headerless(start, &versions, &orders).unwrap_or(likeliest))
}
