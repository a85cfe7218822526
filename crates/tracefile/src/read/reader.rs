//! The reader of a trace.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ringtrace_events::parse::Dialect;
use ringtrace_events::{Diagnostic, SourceFile};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::compact::EventSet;
use ringtrace_wire::simpletrace::header::HEADER_BYTES;
use ringtrace_wire::simpletrace::{ArgumentKind, DROPPED_ID, Header, MAX_RECORD_BYTES, Version, with_layout};

use crate::align::TracePlace;
use crate::block::BlockError;
use crate::compressed::Compression;
use crate::entry::{Modules, Schema, Schemas, Threads};
use crate::error::{Anomalies, Anomaly, Error, cut_record, oversized_record};
use crate::input::blocks::{BlockPlace, BlockTotals, Selection};
use crate::input::map::MappedFile;
use crate::input::{Input, spool};
use crate::metadata::{Anchor, Metadata};
use crate::read::cursor::{Cursor, EntrySource};
use crate::read::decode::{TailRun, WindowEnd, context_bytes, run_any};
use crate::read::era::Era;
use crate::read::files::TraceFiles;
use crate::read::open::{detect_compression, expect_header, sniff_input};
use crate::read::options::{Declared, Options};
use crate::read::resync::{LOOK_BYTES, Search};
use crate::read::sniff::{FileKind, headerless_layout};
use crate::read::state::{Context, DecodeState, NO_HEADER, Tally};
use crate::read::table::Table;
use crate::read::visitor::{Flow, SkipRecords, Visitor};

/// The size of the window after [`Reader::for_jumps`], in bytes.
const JUMP_BYTES: usize = 64 << 10;

/// Reads one trace and passes its entries to a visitor.
#[derive(Debug)]
pub struct Reader {
    pub(crate) input: Input,
    pub(crate) state: DecodeState,
    pub(crate) layout: (Version, ByteOrder),
    by_length: bool,
    header: Option<Header>,
    era: Era,
    live: bool,
    keep_going: bool,
    declared: Arc<Declared>,
    pub(crate) finished: bool,
    /// The number of decoded bytes, which the next call skips. They can extend beyond the window.
    pub(crate) decoded: usize,
    first_context: Context,
    first_offset: u64,
    pub(crate) progress: Arc<AtomicU64>,
    compression: Option<Compression>,
    is_compact: bool,
    /// Whether damaged blocks of a compact trace are skipped.
    pub(crate) skips_damage: bool,
    /// The other files, if the trace consists of several.
    files: Option<Box<TraceFiles>>,
    /// The place of the trace among several traces.
    pub(crate) place: TracePlace,
    /// Whether the trace was recorded after that of the previous reader.
    pub(crate) follows: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Growth {
    More,
    /// The input ends within the record.
    Ended,
    /// The record is too long; the window already contains the part that will be examined.
    Oversized,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadStatus {
    /// There may be more entries.
    More,
    Stopped,
    Finished,
}

impl Reader {
    /// Detects the format of `input` and creates a reader for it. `file` is the name in messages.
    ///
    /// # Errors
    /// Returns an error if `input` is not a trace, or not one that `options` allow.
    pub fn new(file: &str, mut input: Input, options: &Options) -> Result<Reader, Error> {
        let mut compression = None;
        if let Some(found) = detect_compression(&mut input).map_err(|error| Error::io(file, &error))? {
            input = input.decompress(found);
            compression = Some(found);
        }
        input = input.expand().map_err(|error| Error::io(file, &error))?;
        let mut tally = Tally {
            file: file.into(),
            number: 0,
            number_before: 0,
            strict: options.strict,
            keep_going: options.keep_going,
            anomalies: Anomalies::default(),
        };
        let is_compact = input.compact_bytes().is_some();
        if options.spool && input.mapped().is_none() {
            input =
                spool(file, input, |error| tally.tolerate_defect(error, options.live, options.keep_going))?;
        }
        let kind = sniff_input(&mut input).map_err(|error| Error::io(file, &error))?;
        let (layout, header) = if options.no_header {
            (headerless_layout(file, &kind, input.window(), options)?, None)
        } else {
            let header = expect_header(file, &kind).map_err(|error| {
                if input.window().len() < HEADER_BYTES { error.original_message(NO_HEADER) } else { error }
            })?;
            input.consume(header.size);
            ((header.version, header.order), Some(header))
        };
        let version = layout.0;
        let era = options.era.unwrap_or_else(|| Era::newest(version));
        if !era.info().reads.contains(&version) {
            let reader = era.info().name;
            let message = format!(
                "the file is a simpletrace {version} file, which the reader of {reader} does not support"
            );
            return Err(
                Error::new(file, message).help("without --compat, the newest reader of each version is used")
            );
        }
        let dialect = if options.era_dialect { era.dialect() } else { Dialect::Read };
        let declared = options.declared.get(&options.sources, dialect, era.string_rule(version));
        let mut context = Context {
            era,
            schemas: Arc::clone(&declared.schemas),
            table: Arc::new(Table::default()),
            header_pid: header.and_then(|header| header.pid).unwrap_or(0) as u32,
            threaded: false,
            anchor: None,
            metadata: Arc::default(),
            threads: Arc::default(),
            modules: Arc::default(),
            names_suffice: options.names_suffice && options.sources.is_empty(),
        };
        let by_position = context.number_by_position(version, options);
        if options.era == Some(Era::Y2010) {
            Arc::make_mut(&mut context.table).forget_dropped();
        }
        declared.check(by_position, options.strict)?;
        if let Some(header) = header {
            tally.check_header(&header)?;
        }
        Ok(Reader {
            first_offset: input.offset(),
            input,
            first_context: context.clone(),
            state: DecodeState::new(context, tally),
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
            compression,
            is_compact,
            skips_damage: options.keep_going,
            files: None,
            follows: false,
            place: TracePlace::default(),
        })
    }

    /// Returns the format from which the file is decompressed, if it is compressed.
    pub fn compression(&self) -> Option<Compression> {
        self.compression
    }

    /// Returns whether the file is a compact trace.
    pub fn is_compact(&self) -> bool {
        self.is_compact
    }

    /// Returns the size of a compact trace in the file, up to the part that was read if it is a
    /// stream. `None` if the trace is not compact, or was copied to a temporary file.
    pub fn compact_bytes(&self) -> Option<u64> {
        match &self.files {
            Some(files) if self.is_compact => Some(files.stored_bytes(&self.input)),
            _ => self.input.compact_bytes(),
        }
    }

    /// Returns whether [`Reader::again`] can read the file again.
    pub fn is_rereadable(&self) -> bool {
        match &self.files {
            Some(files) => !files.are_followed(),
            None => self.input.is_rereadable(),
        }
    }

    /// Returns the version of the file.
    pub fn version(&self) -> Version {
        self.layout.0
    }

    /// Returns the byte order of the file.
    pub fn order(&self) -> ByteOrder {
        self.layout.1
    }

    /// Returns the header of the file, if it has one.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Returns the era of the reader that is imitated.
    pub fn era(&self) -> Era {
        self.era
    }

    /// Returns the name of the file that is being read, or was read last.
    pub fn file(&self) -> &str {
        &self.state.tally.file
    }

    /// Returns the trace's name in messages: that of its file, or that of its files' folder.
    pub fn name(&self) -> &str {
        self.files.as_ref().map_or(&self.state.tally.file, |files| files.name())
    }

    /// Returns the files of a trace that consists of several.
    pub fn files(&self) -> Option<&TraceFiles> {
        self.files.as_deref()
    }

    /// Returns all schemas known so far. A trace can declare more as it is read.
    pub fn schemas(&self) -> &Arc<Schemas> {
        &self.state.context.schemas
    }

    /// Returns the event ids known so far.
    pub fn table(&self) -> &Table {
        &self.state.context.table
    }

    /// Returns the sources of the user's declarations, and the problems found in these sources.
    pub fn diagnostics(&self) -> (&[SourceFile], &[Diagnostic]) {
        (&self.declared.sources, &self.declared.diagnostics)
    }

    /// Returns the arguments of an event id, if the event's declaration is known so far.
    pub(crate) fn kinds(&self, id: u64) -> Option<&[ArgumentKind]> {
        let schema = self.schemas().get(self.table().schema(id)?);
        (!schema.is_opaque).then_some(&schema.kinds)
    }

    /// Returns the number of records read so far.
    pub fn records(&self) -> u64 {
        self.state.tally.number
    }

    /// Returns whether event ids contain the thread.
    pub fn is_threaded(&self) -> bool {
        self.state.context.threaded
    }

    /// Returns the metadata read so far.
    pub fn metadata(&self) -> &[Metadata] {
        &self.state.context.metadata
    }

    /// Returns the wall-clock time at one moment of the trace's clock, if known so far.
    pub fn anchor(&self) -> Option<Anchor> {
        self.state.context.anchor
    }

    /// Returns the names of threads read so far.
    pub fn threads(&self) -> &Threads {
        &self.state.context.threads
    }

    /// Returns the executable segments of the program's memory, as read so far.
    pub fn modules(&self) -> &Modules {
        &self.state.context.modules
    }

    /// Returns the anomalies found so far.
    pub fn anomalies(&self) -> &Anomalies {
        &self.state.tally.anomalies
    }

    /// Returns a counter of the bytes read, which other threads can poll.
    pub fn progress(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.progress)
    }

    /// Returns the size of the trace in bytes, if known. For a compact trace, this is its size as v4.
    pub fn file_bytes(&self) -> Option<u64> {
        match &self.files {
            Some(files) => files.total_bytes(&self.input),
            None => self.input.file_bytes(),
        }
    }

    /// Returns the number of bytes that were read, except those in skipped and missing blocks.
    pub(crate) fn read_bytes(&self) -> u64 {
        self.files.as_ref().map_or(0, |files| files.before().read_bytes) + self.input.read_bytes()
    }

    pub(crate) fn note_progress(&self) {
        let before = self.files.as_ref().map_or(0, |files| files.before().read_bytes);
        self.progress.store(before + self.input.offset(), Ordering::Relaxed);
    }

    /// Returns the mapped file, unless the input is a stream.
    pub fn mapped(&self) -> Option<&Arc<MappedFile>> {
        self.input.mapped()
    }

    /// Returns whether [`Reader::blocks`] returns blocks.
    pub(crate) fn has_mapped_blocks(&self) -> bool {
        self.input.has_mapped_blocks()
    }

    /// Returns the remaining blocks of a compact trace in a mapped file.
    pub(crate) fn blocks(&self) -> Option<(Arc<MappedFile>, Vec<BlockPlace>)> {
        self.input.block_places(self.position())
    }

    /// Skips parts of the file that certainly contain no record between these times, both included, or
    /// only records of events that `wants` rejects. Its arguments are a schema and its index. Without
    /// `wants`, all events are selected. Other records may still be visited.
    pub fn select(&mut self, since_ns: u64, until_ns: u64, wants: Option<impl Fn(u32, &Schema) -> bool>) {
        let events = wants.and_then(|wants| self.wanted_events(wants)).unwrap_or(EventSet::ALL);
        let selection = Selection { since_ns, until_ns, events };
        let selection = (selection != Selection::ALL).then_some(selection);
        self.input.select(selection);
        if let Some(files) = &mut self.files {
            let is_needed = files.select(selection);
            if !is_needed && self.state.tally.number == 0 {
                // The rest of the first file is not read.
                self.input = Input::empty();
            }
        }
    }

    /// Returns the set of events that `wants` accepts, at any position of the trace. `None` if it
    /// cannot be determined without reading all records.
    fn wanted_events(&self, wants: impl Fn(u32, &Schema) -> bool) -> Option<EventSet> {
        // The files of a folder have their own declarations.
        if self.files.is_some() || !self.has_mapped_blocks() || !self.input.is_index_complete() {
            return None;
        }
        let mut names = self.again()?;
        names.progress = Arc::default();
        names.input.select(Some(Selection::NONE));
        names.for_each(SkipRecords).ok()?;
        // If the event of an id changes, the set would depend on the position.
        if names.table().renamings() > 0 || names.anomalies().iter().next().is_some() {
            return None;
        }
        let schemas = names.schemas();
        let mut events = EventSet::default();
        let wanted = names.table().events().filter(|(_, schema)| {
            // A record of an undeclared event is an error, which must be found.
            schema.is_none_or(|index| wants(index, schemas.get(index)))
        });
        wanted.for_each(|(id, _)| events.insert(id));
        if wants(Schema::DROPPED, schemas.get(Schema::DROPPED)) {
            events.insert(DROPPED_ID);
        }
        Some(events)
    }

    /// Returns the totals of the blocks of a compact trace in a mapped file, if no header is damaged.
    pub(crate) fn block_totals(&self) -> Option<BlockTotals> {
        match &self.files {
            Some(_) => None,
            None => self.input.block_totals(),
        }
    }

    /// Returns the smallest and the largest time, if the file states them.
    pub(crate) fn stated_time_range_ns(&self) -> Option<(u64, u64)> {
        self.block_totals()?.time_range_ns
    }

    /// Passes every remaining entry to `visit`, until the end or until it stops.
    ///
    /// # Errors
    /// Returns an error if the rest of the file cannot be read. All entries before the error were
    /// visited.
    pub fn for_each(&mut self, mut visit: impl Visitor) -> Result<Flow, Error> {
        self.for_each_mut(&mut visit)
    }

    /// Like [`Reader::for_each`], but borrows `visit`, so that the caller can use it afterwards.
    ///
    /// # Errors
    /// See [`Reader::for_each`].
    pub fn for_each_mut(&mut self, visit: &mut impl Visitor) -> Result<Flow, Error> {
        loop {
            match self.decode_window(visit)? {
                ReadStatus::More => {}
                ReadStatus::Stopped => return Ok(Flow::Stop),
                ReadStatus::Finished => return Ok(Flow::Continue),
            }
        }
    }

    /// Decodes the entries in the window. The next call moves the window. Until then,
    /// [`Reader::window`] returns their bytes.
    pub(crate) fn decode_window(&mut self, visit: &mut impl Visitor) -> Result<ReadStatus, Error> {
        if self.finished {
            return Ok(ReadStatus::Finished);
        }
        let decoded = std::mem::take(&mut self.decoded);
        self.skip(decoded)?;
        self.note_progress();
        let (window, offset) = (self.input.window(), self.input.offset());
        let (ended, decoded) = run_any(self.layout, self.by_length, window, offset, &mut self.state, visit);
        match ended {
            WindowEnd::Stopped => {
                self.decoded = decoded;
                Ok(ReadStatus::Stopped)
            }
            // The caller may still use the entries before the damage.
            WindowEnd::Failed(_) if self.keep_going && decoded > 0 => {
                self.decoded = decoded;
                Ok(ReadStatus::More)
            }
            WindowEnd::Failed(error) if self.keep_going => self.skip_damage(error),
            WindowEnd::Failed(error) => {
                self.finished = true;
                Err(error)
            }
            // The caller may still use these entries; the next call moves the window.
            WindowEnd::NeedMore(_) if decoded > 0 => {
                self.decoded = decoded;
                Ok(ReadStatus::More)
            }
            WindowEnd::NeedMore(need) => self.read_on(need, visit),
        }
    }

    pub(crate) fn skip_damage(&mut self, mut error: Error) -> Result<ReadStatus, Error> {
        let from = self.input.read_bytes();
        // Search from the next byte on. Do not trust the length of the unreadable record: the
        // length itself may be damaged, and skipping that many bytes may skip intact records.
        let mut begin = 1;
        loop {
            let whole = !self.grow(2 * LOOK_BYTES)?;
            let bytes = self.input.window();
            let end = if whole { bytes.len() } else { bytes.len() - LOOK_BYTES };
            let search = Search { layout: self.layout, table: &self.state.context.table };
            let found = search.first(bytes, begin, end);
            self.input.consume(found.unwrap_or(end));
            begin = 0;
            // After missing blocks, the input continues although it could not grow.
            if found.is_some() || (whole && !self.grow(1)?) {
                self.finished = found.is_none();
                break;
            }
        }
        let skipped = self.input.read_bytes() - from;
        error.message += &format!("; {skipped} bytes were skipped");
        self.state.tally.anomalies.add(Anomaly::Damage, || error);
        self.finished = self.finished && !self.next_file()?;
        Ok(if self.finished { ReadStatus::Finished } else { ReadStatus::More })
    }

    /// Extends the window if it contains less than a record, or handles a truncated last record.
    fn read_on(&mut self, need: usize, visit: &mut impl Visitor) -> Result<ReadStatus, Error> {
        visit.idle();
        let oversized = match self.grow_window(need)? {
            Growth::More => return Ok(ReadStatus::More),
            Growth::Ended if self.live => {
                self.finished = true;
                return Ok(ReadStatus::Finished);
            }
            Growth::Ended if self.skip_context() => return Ok(ReadStatus::More),
            Growth::Ended => false,
            Growth::Oversized if self.skip_context() => return Ok(ReadStatus::More),
            Growth::Oversized if self.keep_going => {
                let error = self.state.tally.error_at(self.input.offset(), self.oversized(need));
                return self.skip_damage(error);
            }
            Growth::Oversized => true,
        };
        // The file ends here, or the record is too long. Do what the original reader would do.
        let flow = match self.read_tail(need, oversized, visit) {
            Err(error) if self.keep_going => return self.skip_damage(error),
            flow => flow?,
        };
        if oversized {
            // The record can extend beyond the window. Its start remains in the window until the
            // next call.
            self.decoded = need;
        } else {
            self.finished = true;
        }
        Ok(match (flow, self.finished) {
            (Flow::Stop, _) => ReadStatus::Stopped,
            (Flow::Continue, true) => ReadStatus::Finished,
            (Flow::Continue, false) => ReadStatus::More,
        })
    }

    /// Skips a context whose record is incomplete or too long. Returns whether there was one.
    fn skip_context(&mut self) -> bool {
        let bytes = context_bytes(self.layout, self.input.window());
        self.input.consume(bytes);
        bytes > 0
    }

    /// Extends the window for a record of at least `need` bytes.
    pub(crate) fn grow_window(&mut self, need: usize) -> Result<Growth, Error> {
        let max_record_bytes = self.state.tally.max_record_bytes();
        if self.keep_going && need > max_record_bytes {
            return Ok(Growth::Oversized);
        }
        let had = self.input.window().len();
        let grown = self.grow(need.min(max_record_bytes))?;
        Ok(match (grown, need <= max_record_bytes) {
            (true, true) => Growth::More,
            (true, false) => Growth::Oversized,
            // Fewer bytes than requested may be enough to detect that they are not a record.
            (false, _) if self.input.window().len() > had => Growth::More,
            (false, _) if self.next_file()? => Growth::More,
            (false, _) => Growth::Ended,
        })
    }

    /// Returns the error message for a record of at least `need` bytes.
    pub(crate) fn oversized(&self, need: usize) -> String {
        oversized_record(self.record_bytes(need))
    }

    /// Returns the size of a record that needs at least `need` bytes, or `None` if it is unknown.
    /// If the size depends on the arguments, `need` covers only the arguments in the window.
    pub(crate) fn record_bytes(&self, need: usize) -> Option<usize> {
        let is_exact = self.by_length && self.version() != Version::Rfc2011 && need != usize::MAX;
        is_exact.then_some(need)
    }

    /// Reads the window as a truncated record that needs at least `need` bytes. Either the file
    /// ends there, or the record is too long.
    fn read_tail(
        &mut self,
        need: usize,
        is_oversized: bool,
        visit: &mut impl Visitor,
    ) -> Result<Flow, Error> {
        let oversized = is_oversized.then(|| self.oversized(need));
        let need = self.record_bytes(need);
        let window = self.input.window();
        if window.is_empty() {
            return Ok(Flow::Continue);
        }
        let run = TailRun {
            window: &window[..window.len().min(MAX_RECORD_BYTES)],
            offset: self.input.offset(),
            by_length: self.by_length,
            need,
            oversized,
            state: &mut self.state,
            visit,
        };
        with_layout(self.layout.0, self.layout.1, run)
    }

    /// Returns the bytes that the last [`Reader::decode_window`] decoded, and their offset in the
    /// file.
    pub(crate) fn window(&self) -> (&[u8], u64) {
        (self.input.window(), self.input.offset())
    }

    pub(crate) fn position(&self) -> u64 {
        self.input.offset().saturating_add(self.decoded as u64)
    }

    /// Returns the state before the next record.
    pub(crate) fn state(&self) -> &DecodeState {
        &self.state
    }

    /// Continues at `position` in a mapped file, with the state at that position.
    pub(crate) fn resume(&mut self, position: u64, state: DecodeState) {
        self.input.seek(position);
        self.decoded = 0;
        self.finished = false;
        self.state = state;
    }

    pub(crate) fn keeps_going(&self) -> bool {
        self.keep_going
    }

    /// Returns whether the length field of a record determines where it ends.
    pub fn is_by_length(&self) -> bool {
        self.by_length
    }

    /// Reduces read-ahead for a caller that jumps within a mapped file and releases its pages.
    pub(crate) fn for_jumps(mut self) -> Reader {
        self.input.set_ahead(JUMP_BYTES);
        self
    }

    /// Creates a second reader of a file, which starts at its first record. Returns `None` for a
    /// stream. Both readers share [`Reader::progress`].
    pub fn again(&self) -> Option<Reader> {
        if let Some(files) = &self.files {
            return self.again_from(Input::empty(), Some(Box::new(files.again()?)));
        }
        self.again_from(self.input.again(self.first_offset)?, None)
    }

    fn again_from(&self, input: Input, files: Option<Box<TraceFiles>>) -> Option<Reader> {
        let mut tally = Tally {
            number: 0,
            number_before: 0,
            anomalies: Anomalies::default(),
            ..self.state.tally.clone()
        };
        if let Some(header) = &self.header {
            // Ignore the error: the first reader tolerated it.
            let _ = tally.check_header(header);
        }
        Some(Reader {
            input,
            state: DecodeState::new(self.first_context.clone(), tally),
            declared: Arc::clone(&self.declared),
            finished: false,
            decoded: 0,
            first_context: self.first_context.clone(),
            progress: Arc::clone(&self.progress),
            files,
            ..*self
        })
    }

    /// Creates a reader of a trace that consists of several files, which are read one after the
    /// other. They have the same version and byte order.
    ///
    /// # Errors
    /// Returns an error if the first file is not a trace, or not one that `options` allow.
    pub(crate) fn of_files(mut files: TraceFiles, options: &Options) -> Result<Option<Reader>, Error> {
        let Some((name, input)) = files.open_next() else { return Ok(None) };
        let input = input.map_err(|error| Error::io(&*name, &error))?;
        let mut reader = Reader::new(&name, input, options)?;
        if reader.compression.is_some() {
            return Err(Error::new(name, "the file is compressed, which programs do not do in a folder")
                .help("pass the files, decompressed or not, instead of their folder"));
        }
        reader.files = Some(Box::new(files));
        Ok(Some(reader))
    }

    /// Closes the file, so that any number of readers can wait for their turn. Reading starts with
    /// the first file. Only for a trace that consists of several files, before it is read.
    pub(crate) fn close(&mut self) {
        if let Some(files) = self.files.as_deref().and_then(TraceFiles::again) {
            self.files = Some(Box::new(files));
            self.input = Input::empty();
        }
    }

    /// Continues with the next file, if the trace consists of several files and there is one. The
    /// rest of the window is an incomplete record at the end of the previous file, or empty.
    #[cold]
    fn next_file(&mut self) -> Result<bool, Error> {
        let rest = self.input.window().len();
        while let Some((name, input)) = self.files.as_mut().and_then(|files| files.open_next()) {
            let error = |error: io::Error| Error::io(&*name, &error);
            let mut input = input.and_then(Input::expand).map_err(error)?;
            let kind = sniff_input(&mut input).map_err(error)?;
            if matches!(kind, FileKind::Empty) {
                // The program was killed when it had just created the file.
                continue;
            }
            let header = expect_header(&name, &kind)?;
            if (header.version, header.order) != self.layout {
                let (version, order) = self.layout;
                let message = format!(
                    "the file is a {} file, {}, but the files before it are {version}, {order}",
                    header.version, header.order
                );
                return Err(Error::new(name, message).help("read the files one by one"));
            }
            input.consume(header.size);
            let tally = &mut self.state.tally;
            if rest > 0 {
                tally.tolerate(Anomaly::CutRecord, self.input.offset(), || cut_record(rest, None))?;
            }
            if let Some(files) = &mut self.files {
                files.add_read(&self.input);
                input.select(files.selection());
            }
            self.is_compact |= input.compact_bytes().is_some();
            self.input = input;
            self.decoded = 0;
            tally.file = name.into();
            tally.number_before = tally.number;
            self.state.lost = None;
            let metadata = Arc::make_mut(&mut self.state.context.metadata);
            if let Some(files) = &mut self.files {
                files.keep_totals(metadata);
            }
            // The next file repeats what is known about the program.
            metadata.retain(|piece| matches!(piece, Metadata::Paused(_) | Metadata::Resumed(_)));
            return Ok(true);
        }
        Ok(false)
    }

    /// Continues with the next file of a trace that consists of several, if the current file was read
    /// to its end. Otherwise, reading continues as usual, and reaches the next file later.
    ///
    /// # Errors
    /// Returns an error if the next file cannot be read.
    pub fn enter_next_file(&mut self) -> Result<bool, Error> {
        Ok(self.files.is_some() && !self.grow(1)? && self.next_file()?)
    }

    /// Returns the time of the first record. Returns `None` for a stream, and if there is none.
    pub(crate) fn first_ns(&self) -> Option<u64> {
        // Ignore the error: it occurs again, and is then reported, when the entries are read.
        Cursor::new(self.again()?).peek_ns().ok()?
    }

    /// Returns all events that the trace declares anywhere, or `None` for a stream. If the trace is
    /// damaged, events after the damage are missing.
    pub fn all_declared(&self) -> Option<Arc<Schemas>> {
        let mut again = self.again()?;
        // The progress of this reader must not show the work of the other one.
        again.progress = Arc::default();
        // Ignore errors: they are found and reported when the whole trace is read.
        let _ = again.for_each(SkipRecords);
        Some(Arc::clone(again.schemas()))
    }

    pub(crate) fn skip(&mut self, bytes: usize) -> Result<(), Error> {
        let mut left = bytes;
        loop {
            let step = left.min(self.input.window().len());
            self.input.consume(step);
            left -= step;
            if left == 0 || !self.grow(1)? {
                break;
            }
        }
        Ok(())
    }

    /// Extends the window like [`Input::grow`], and handles defects of compact traces.
    fn grow(&mut self, bytes: usize) -> Result<bool, Error> {
        loop {
            let grown = self.input.grow(bytes);
            self.state.tally.number += self.input.take_missed();
            let error = match grown {
                Ok(grown) => return Ok(grown),
                Err(error) => error,
            };
            let tolerated = self.state.tally.tolerate_defect(&error, self.live, self.skips_damage);
            // Reading can continue after other errors.
            self.finished |= tolerated.is_err() && BlockError::of(&error).is_some();
            tolerated?;
        }
    }
}
