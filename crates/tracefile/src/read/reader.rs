//! The reader of a trace.

mod facts;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use ringtrace_events::parse::Dialect;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::context::RecordContext;
use ringtrace_wire::simpletrace::header::HEADER_BYTES;
use ringtrace_wire::simpletrace::{Header, MAX_RECORD_BYTES, Step, Version, step_by_length, with_layout};

use crate::block::BlockError;
use crate::compressed::{Compression, CompressionError};
use crate::error::{Anomalies, Anomaly, Error, oversized_record};
use crate::input::{Input, spool};
use crate::metadata::Anchor;
use crate::read::cursor::{Cursor, EntrySource};
use crate::read::decode::{TailRun, WindowEnd, context_bytes, run_any};
use crate::read::era::Era;
use crate::read::files::TraceFiles;
use crate::read::open::{expect_header, find_blocks, sniff_after_damage};
use crate::read::options::{Declared, Options};
use crate::read::resync::{LOOK_BYTES, Search};
use crate::read::sniff::headerless_layout;
use crate::read::state::{Context, DecodeState, NO_HEADER, Tally};
use crate::read::table::Table;
use crate::read::visitor::{BlockRecords, Flow, Visitor};

/// The size of the window after [`Reader::for_jumps`], in bytes.
const JUMP_BYTES: usize = 64 << 10;

/// Reads one trace and passes its entries to a visitor.
#[derive(Debug)]
pub struct Reader {
    pub(crate) input: Input,
    pub(crate) state: DecodeState,
    pub(crate) layout: (Version, ByteOrder),
    pub(super) by_length: bool,
    pub(super) header: Option<Header>,
    pub(super) era: Era,
    pub(super) keep_going: bool,
    pub(super) declared: Arc<Declared>,
    pub(crate) finished: bool,
    /// The number of decoded bytes, which the next call skips. They can extend beyond the window.
    pub(crate) decoded: usize,
    pub(super) first_context: Context,
    pub(super) first_offset: u64,
    pub(crate) progress: Arc<AtomicU64>,
    pub(super) compression: Option<Compression>,
    pub(super) is_compact: bool,
    /// Whether damaged blocks of a compact trace are skipped.
    pub(crate) skips_damage: bool,
    /// Whether another thread decodes the blocks of a compact trace.
    pub(super) decodes_ahead: bool,
    /// The other files, if the trace consists of several.
    pub(super) files: Option<Box<TraceFiles>>,
    /// The place of the trace among several traces.
    pub(crate) place: TracePlace,
    /// Whether the trace was recorded after that of the previous reader.
    pub(crate) follows: bool,
    /// The anchor that replaces those in the trace.
    pub(crate) given_anchor: Option<Anchor>,
    /// The anomalies that were found before the first record. A second reader does not find them again.
    pub(super) first_anomalies: Anomalies,
    /// The files that were removed before they could be copied.
    pub(crate) removed: Arc<[PathBuf]>,
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

/// The place of a trace among several traces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TracePlace {
    /// The number of the trace, from 0. Files of one trace have the same number.
    pub(crate) trace: u32,
    /// The number of the scope of pairs: the trace, or 0 if pairs are matched across traces.
    pub(crate) scope: u32,
    /// The difference of the common clock and the trace's clock.
    pub(crate) shift_ns: u64,
    /// The difference of the trace's wall-clock times and those that follow from the common anchor.
    pub(crate) date_shift_ns: i64,
}

impl Reader {
    /// Detects the format of `input` and creates a reader for it. `file` is the name in messages.
    ///
    /// # Errors
    /// Returns an error if `input` is not a trace, or not one that `options` allow.
    pub fn new(file: &str, input: Input, options: &Options) -> Result<Reader, Error> {
        let (mut input, compression) = input.decode().map_err(|error| Error::io(file, &error))?;
        if !options.no_header {
            input = find_blocks(input).map_err(|error| Error::io(file, &error))?;
        }
        let mut tally = Tally {
            file: file.into(),
            number: 0,
            number_before: 0,
            strict: options.strict,
            keep_going: options.keep_going,
            live: options.live,
            imitates: options.imitates,
            unfinished: None,
            is_cut: false,
            anomalies: Anomalies::default(),
        };
        let is_compact = input.compact_bytes().is_some();
        if options.spool && input.mapped().is_none() {
            input = spool(file, input, |error| tally.tolerate_in_copy(error, options.keep_going))?;
        }
        let undamaged = tally.anomalies.clone();
        let skips_damage = options.skips_damage();
        let (kind, damage) =
            sniff_after_damage(&mut input, skips_damage).map_err(|error| Error::io(file, &error))?;
        damage.iter().try_for_each(|error| tally.tolerate_defect(error, skips_damage))?;
        tally.number += input.take_missed();
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
        // A second reader finds damaged blocks at the start again. Without a header, it starts with them.
        let first_anomalies = if damage.is_empty() { tally.anomalies.clone() } else { undamaged };
        let lacks_header = header.is_some_and(|header| header.size == 0);
        Ok(Reader {
            first_offset: if lacks_header { 0 } else { input.offset() },
            input,
            first_context: context.clone(),
            state: DecodeState::new(context, tally),
            layout,
            by_length: era.info().by_length || version == Version::Rfc2011,
            header,
            era,
            keep_going: options.keep_going,
            declared,
            finished: false,
            decoded: 0,
            progress: Arc::default(),
            compression,
            is_compact,
            skips_damage,
            decodes_ahead: false,
            files: None,
            follows: false,
            place: TracePlace::default(),
            given_anchor: None,
            first_anomalies,
            removed: Arc::default(),
        })
    }

    /// Returns whether the trace was still being written when it was opened, according to
    /// [`Options::live`].
    pub fn is_live(&self) -> bool {
        self.state.tally.live
    }

    /// Returns whether the trace declares events itself, as far as it was read.
    pub fn is_self_describing(&self) -> bool {
        self.state.context.is_self_describing()
    }

    /// Returns whether parts of the trace are missing, although the reader could continue. With
    /// [`Options::imitates`], a truncated file is complete if QEMU's readers accept it.
    pub fn is_incomplete(&self) -> bool {
        self.anomalies().iter().any(|(anomaly, ..)| self.is_part_missing(anomaly))
    }

    fn is_part_missing(&self, anomaly: Anomaly) -> bool {
        match anomaly {
            Anomaly::CutBlock | Anomaly::CutFile | Anomaly::MissingFiles => true,
            Anomaly::CutMapping | Anomaly::CutRecord | Anomaly::Oversized | Anomaly::Remainder => {
                !self.state.tally.imitates
            }
            _ => false,
        }
    }

    /// Returns the anomalies because of which records are missing: the first few of each kind.
    pub fn missing_parts(&self) -> impl Iterator<Item = &Error> {
        let kinds = self.anomalies().iter();
        let kinds = kinds.filter(|kind| kind.0 == Anomaly::Damage || self.is_part_missing(kind.0));
        kinds.flat_map(|(_, _, kept)| kept)
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
        if visit.takes_blocks() && self.input.window().is_empty() {
            match self.take_block(visit)? {
                Some(Flow::Stop) => return Ok(ReadStatus::Stopped),
                Some(Flow::Continue) if self.input.window().is_empty() => return Ok(ReadStatus::More),
                Some(Flow::Continue) | None => {}
            }
        }
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

    /// Moves the empty window to the next block of a compact trace, and passes its first records to `visit` while
    /// they are decoded. Returns `None`, and does nothing, if there is no block, or if another thread decodes blocks.
    fn take_block(&mut self, visit: &mut impl Visitor) -> Result<Option<Flow>, Error> {
        if !self.by_length || self.layout != (Version::V4, ByteOrder::Little) {
            return Ok(None);
        }
        loop {
            visit.idle();
            let Reader { input, state, .. } = self;
            let mut count = 0;
            let taken = input.take_block(|missed, block| {
                let before = state.tally.number + missed;
                let mut records = BlockRecords::new(block, &state.context, before);
                visit.take_block(&mut records);
                let (taken, end) = records.taken();
                count = taken;
                end
            });
            match taken {
                None | Some(Ok(false)) => return Ok(None),
                Some(Ok(true)) => {
                    self.state.tally.number += self.input.take_missed() + count;
                    return Ok(Some(visit.end_block(true)));
                }
                Some(Err(error)) => {
                    let flow = visit.end_block(false);
                    self.tolerate_defect(&error)?;
                    if flow == Flow::Stop {
                        return Ok(Some(flow));
                    }
                }
            }
        }
    }

    pub(crate) fn skip_damage(&mut self, mut error: Error) -> Result<ReadStatus, Error> {
        if self.is_compact
            && let Step::Record(record) = step_by_length(self.layout.0, self.layout.1, self.input.window())
        {
            // The checksum of its block is right, so the record is only unknown.
            let bytes = record.size;
            self.input.consume(bytes);
            self.state.tally.number += 1;
            self.state.tally.anomalies.add(Anomaly::Damage, || error);
            return Ok(ReadStatus::More);
        }
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
            Growth::Ended if self.is_live() => {
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

    /// Sets whether the blocks of a compact trace are decoded on another thread while their entries are
    /// processed. Only for mapped files, and as long as no blocks are skipped.
    pub fn decode_ahead(&mut self, is_wanted: bool) {
        self.decodes_ahead = is_wanted;
        self.input.set_decode_ahead(is_wanted);
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

    /// Reads the metadata at the start of a stream, up to the first record, so that [`Reader::metadata`] contains
    /// it. Waits until the stream contains a record, or ends.
    ///
    /// # Errors
    /// Returns an error if the stream cannot be read.
    pub fn read_head(&mut self) -> Result<(), Error> {
        let max_record_bytes = self.state.tally.max_record_bytes();
        loop {
            let (version, order) = self.layout;
            let offset = self.input.offset();
            let need = match step_by_length(version, order, self.input.window()) {
                Step::Mapping(mapping) if RecordContext::of(&mapping).is_none() => {
                    let size = mapping.size;
                    // Ignore the error: it occurs again, and is then reported, when the entries are read.
                    if self.state.map(&mapping, offset).is_err() {
                        return Ok(());
                    }
                    self.input.consume(size);
                    continue;
                }
                Step::NeedMore(need) if need <= max_record_bytes => need,
                _ => return Ok(()),
            };
            if !self.grow(need)? {
                return Ok(());
            }
        }
    }

    /// Returns the time of the first record. Returns `None` for a stream, and if there is none.
    pub(crate) fn first_ns(&self) -> Option<u64> {
        // Ignore the error: it occurs again, and is then reported, when the entries are read.
        Cursor::new(self.again()?).peek_ns().ok()?
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
    pub(super) fn grow(&mut self, bytes: usize) -> Result<bool, Error> {
        loop {
            let grown = self.input.grow(bytes);
            match grown {
                Ok(grown) => {
                    self.state.tally.number += self.input.take_missed();
                    return Ok(grown);
                }
                Err(error) => self.tolerate_defect(&error)?,
            }
        }
    }

    /// Handles an error of the input. Returns it if reading cannot continue.
    fn tolerate_defect(&mut self, error: &io::Error) -> Result<(), Error> {
        self.state.tally.number += self.input.take_missed();
        if let Some(damage) = CompressionError::of(error)
            && self.files.as_ref().is_some_and(|files| files.has_next())
        {
            // The next file can be read.
            self.input.end();
            return self.state.tally.tolerate_rest(damage, error);
        }
        let tolerated = self.state.tally.tolerate_defect(error, self.skips_damage);
        // Reading can continue after other errors.
        self.finished |= tolerated.is_err() && BlockError::of(error).is_some();
        tolerated
    }
}
