//! The state of a reader: the meaning of ids, and the anomalies found so far.

use std::sync::Arc;

use ringtrace_events::parse::{Dialect, parse};
use ringtrace_wire::simpletrace::context::{self, RecordContext};
use ringtrace_wire::simpletrace::{
    ArgumentKind, DROPPED_ID, Fault, FaultKind, Header, Layout, MAX_RECORD_BYTES, Mapping, Numbering, Record,
    Version, header, rfc2011,
};
use ringtrace_wire::{ByteOrder, Order};

use crate::block::{BlockDefect, BlockError};
use crate::compressed::CompressionError;
use crate::entry::{Entry, Modules, Schema, Schemas, Threads};
use crate::error::{Anomalies, Anomaly, Error, bytes, not_among, remain};
use crate::metadata::{Anchor, Lost, Metadata};
use crate::read::era::Era;
use crate::read::options::Options;
use crate::read::resync::{LOOK_BYTES, is_name};
use crate::read::table::{IdMeaning, Table};

#[derive(Debug, Clone)]
pub(crate) struct DecodeState {
    pub(crate) context: Context,
    pub(crate) tally: Tally,
    /// The offset of a dropped record, and the details of its loss from the preceding metadata
    /// record.
    pub(crate) lost: Option<(u64, Lost)>,
    /// The offsets of mapping records, for a caller that decodes these records again.
    pub(crate) mapped_at: Option<Vec<u64>>,
}

/// The meaning of ids and names at a position in the trace.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) era: Era,
    pub(crate) schemas: Arc<Schemas>,
    pub(crate) table: Arc<Table>,
    pub(crate) header_pid: u32,
    pub(crate) threaded: bool,
    pub(crate) anchor: Option<Anchor>,
    pub(crate) metadata: Arc<Vec<Metadata>>,
    pub(crate) threads: Arc<Threads>,
    pub(crate) modules: Arc<Modules>,
    /// Whether undeclared events are accepted.
    pub(crate) names_suffice: bool,
}

/// The approximate size, in bytes, of the list entry for a thread's name or a schema.
const LISTED_BYTES: usize = 64;

const PASS_ALL: &str = "pass the declarations of the whole build with --events (QEMU: trace-events-all)";
const PASS_OR_SKIP: &str =
    "the trace is damaged; pass all declarations with --events, or skip such records with --keep-going";
const UNDECLARED: &str = "is not declared, although the trace declares others";
const STRICT_HELP: &str = "without --strict this is a warning";
const NEEDS_MAPPINGS: &str = "the file may be truncated; the 2016 reader always needs mapping records";
const MAY_BE_POSITIONS: &str =
    "the file may be truncated; with --events and --no-header, ids are positions in the declarations";

#[derive(Debug, Clone)]
pub(crate) struct Tally {
    pub(crate) file: Arc<str>,
    /// The number of records in all files that were read.
    pub(crate) number: u64,
    /// The number of records in the files before `file`.
    pub(crate) number_before: u64,
    pub(crate) strict: bool,
    /// Whether damage is skipped. Records that can only be damage are then rejected.
    pub(crate) keep_going: bool,
    /// Whether a program is still writing the trace, so that the end of its last file is not damage.
    pub(crate) live: bool,
    /// Whether the user chose the reader to imitate.
    pub(crate) imitates: bool,
    /// The error for the truncated end of a `live` file. It is damage if there is a next file.
    pub(crate) unfinished: Option<Error>,
    /// Whether the end of the current file is known to be missing.
    pub(crate) is_cut: bool,
    pub(crate) anomalies: Anomalies,
}

impl Tally {
    /// Returns the limit above which a record is treated as damaged.
    pub(crate) fn max_record_bytes(&self) -> usize {
        if self.keep_going { LOOK_BYTES } else { MAX_RECORD_BYTES }
    }
}

impl Context {
    /// Returns a number that increases whenever something becomes known that can affect printed
    /// text.
    pub(crate) fn changes(&self) -> u64 {
        self.table.changes()
            + self.threads.changes()
            + self.modules.changes()
            + self.schemas.added_count() as u64
            + u64::from(self.threaded)
    }

    /// Returns the entry of a record without a context.
    #[inline(always)]
    pub(crate) fn entry<'a>(
        &'a self,
        record: &Record<'a>,
        schema_index: u32,
        number: u64,
        offset: u64,
        (version, order): (Version, ByteOrder),
    ) -> Entry<'a> {
        Entry {
            number,
            offset,
            timestamp_ns: record.timestamp_ns,
            id: record.id,
            pid: if version == Version::Rfc2011 { self.header_pid } else { record.pid },
            schema: self.schemas.get(schema_index),
            schema_index,
            payload: record.payload,
            record_bytes: record.size,
            version,
            order,
            threaded: self.threaded,
            lost: None,
            threads: &self.threads,
            context: RecordContext::default(),
            modules: &self.modules,
            trace: 0,
            scope: 0,
            date_shift_ns: 0,
        }
    }

    /// Returns whether this later context changes facts in `earlier`, rather than only adding
    /// facts.
    pub(crate) fn contradicts(&self, earlier: &Context) -> bool {
        self.table.renamings() != earlier.table.renamings() || self.threaded != earlier.threaded
    }

    /// Returns the context for decoding a part of a trace, without metadata.
    pub(crate) fn for_part(&self, with_thread_names: bool) -> Context {
        let threads = if with_thread_names { Arc::clone(&self.threads) } else { Arc::default() };
        Context { metadata: Arc::default(), threads, ..self.clone() }
    }

    pub(crate) fn copied_bytes(&self) -> usize {
        self.table.bytes()
            + LISTED_BYTES * (self.threads.count() + self.schemas.added_count() + self.modules.iter().count())
    }

    /// Assigns ids to the events if ids are positions in the declarations. Returns whether they
    /// are.
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

    pub(crate) fn is_self_describing(&self) -> bool {
        self.metadata.iter().any(|metadata| matches!(metadata, Metadata::Declaration(_)))
    }
}

impl DecodeState {
    pub(crate) fn new(context: Context, tally: Tally) -> DecodeState {
        DecodeState { context, tally, lost: None, mapped_at: None }
    }

    /// Returns the thread and the cause of a loss, from metadata directly before `offset`.
    pub(crate) fn lost_at(&self, offset: u64) -> Option<Lost> {
        self.lost.filter(|(place, _)| *place == offset).map(|(_, lost)| lost)
    }

    pub(crate) fn unknown_id(&self, id: u64, offset: u64, version: Version) -> Error {
        match self.context.table.meaning(id) {
            IdMeaning::Undeclared(name) => {
                let declared = self.context.schemas.declared().count();
                let (what, help) = match declared {
                    0 if self.context.is_self_describing() => (UNDECLARED.to_owned(), PASS_OR_SKIP),
                    0 => ("is not declared in the trace".to_owned(), PASS_ALL),
                    _ => (not_among(declared), PASS_ALL),
                };
                self.tally
                    .error_at(offset, format!("event `{name}` (id {id}) {what}"))
                    .help(help)
                    // This blank is also missing in QEMU's message.
                    .original_message(format!(
                        "'{name}' event is logged but is not declared in the trace eventsfile, try using \
                         trace-events-all instead."
                    ))
            }
            _ if id == DROPPED_ID => self
                .tally
                .error_at(offset, "the 2010 reader does not support dropped records".to_owned())
                .help("select the reader of a later year"),
            _ if version == Version::V4 => {
                let help = match self.context.table.events().next() {
                    Some(_) => {
                        "the file is damaged or incomplete; with --keep-going, commands skip such records"
                    }
                    None if self.context.era == Era::Y2016 => NEEDS_MAPPINGS,
                    None => MAY_BE_POSITIONS,
                };
                let message = format!("event id {id} ({id:#x}) has no mapping record before it");
                self.tally.error_at(offset, message).help(help)
            }
            _ => {
                let count = self.context.schemas.declared().count();
                self.tally.error_at(offset, format!("event id {id} ({id:#x}) {}", not_among(count))).help(
                    "pass the declarations of the program that wrote the trace, in the order of its build",
                )
            }
        }
    }

    #[cold]
    pub(crate) fn map(&mut self, mapping: &Mapping<'_>, offset: u64) -> Result<(), Error> {
        if let Some(places) = &mut self.mapped_at {
            places.push(offset);
        }
        let name = &*self.mapped_name(mapping, offset)?;
        if mapping.name.is_empty() && !self.tally.imitates {
            let message = format!("the mapping record of event id {} has no name", mapping.id);
            return Err(self.tally.error_at(offset, message).help(
                "zero bytes look like such records, for example after a power failure; --keep-going skips them",
            ));
        }
        if self.tally.keep_going && !is_name(mapping.name) {
            return Err(self.invalid_name(name, offset));
        }
        match Metadata::parse(mapping.id, name) {
            // Other contexts may share the table, so do not copy it unnecessarily.
            None if self.context.table.has(mapping.id, name, &self.context.schemas) => {}
            None => {
                if self.context.names_suffice && self.context.schemas.find(name).is_none() {
                    if self.context.is_self_describing() {
                        let message = || format!("event `{name}` {UNDECLARED}");
                        self.tally.tolerate(Anomaly::Undeclared, offset, message)?;
                    }
                    Arc::make_mut(&mut self.context.schemas).add_name(name);
                }
                Arc::make_mut(&mut self.context.table).map(mapping.id, name, &self.context.schemas);
            }
            Some(Ok(metadata)) => self.apply_metadata(metadata, offset, mapping.size)?,
            Some(Err(message)) => self.tally.tolerate(Anomaly::Metadata, offset, || message)?,
        }
        Ok(())
    }

    /// Returns the name in a mapping record. The reader of 2016, which was written in Python 2,
    /// accepts any bytes.
    fn mapped_name(&mut self, mapping: &Mapping<'_>, offset: u64) -> Result<String, Error> {
        // Copy the name: another process can change the mapped file, but a `str` must not change.
        let error = match String::from_utf8(mapping.name.to_vec()) {
            Ok(name) => return Ok(name),
            Err(error) => error,
        };
        let message =
            format!("the name of event id {} is not UTF-8: `{}`", mapping.id, mapping.name.escape_ascii());
        if self.context.era != Era::Y2016 {
            return Err(self.tally.error_at(offset, message));
        }
        let name = String::from_utf8_lossy(error.as_bytes()).into_owned();
        if self.tally.keep_going {
            // The record may be decoded again, so it must not be counted yet.
            return Err(self.invalid_name(&name, offset));
        }
        self.tally.tolerate(Anomaly::Metadata, offset, || message)?;
        Ok(name)
    }

    fn invalid_name(&self, name: &str, offset: u64) -> Error {
        self.tally.error_at(offset, format!("`{}` is not a valid event name", name.escape_debug()))
    }
}

impl DecodeState {
    /// Adds metadata at `offset` to the context. Its record has `size` bytes.
    fn apply_metadata(&mut self, metadata: Metadata, offset: u64, size: usize) -> Result<(), Error> {
        match &metadata {
            Metadata::Version(_) => {
                self.context.threaded = true;
                Arc::make_mut(&mut self.context.table).carry_threads();
            }
            Metadata::Declaration(text) => {
                let source = ringtrace_events::SourceFile::new(&*self.tally.file, format!("{text}\n"));
                let parsed = parse(vec![source], Dialect::Read);
                for (event, given) in self.context.schemas.contradicted(&parsed.declarations) {
                    let (theirs, given) = (&event.declaration, &given.declaration);
                    let message = format!(
                        "the trace declares `{theirs}`; the declaration from --events is used instead: `{given}`"
                    );
                    self.tally.tolerate(Anomaly::Declarations, offset, || message)?;
                }
                Arc::make_mut(&mut self.context.schemas).add(&parsed.declarations);
                let table = Arc::make_mut(&mut self.context.table);
                for event in &parsed.declarations.events {
                    table.resolve(&event.name, &self.context.schemas);
                }
            }
            // The first anchor applies to the whole trace.
            Metadata::Anchor(anchor) => {
                self.context.anchor.get_or_insert(*anchor);
            }
            // This applies to the next record only.
            Metadata::Lost(lost) => {
                self.lost = Some((offset.saturating_add(size as u64), *lost));
                return Ok(());
            }
            Metadata::Module(module) => {
                Arc::make_mut(&mut self.context.modules).add(module.clone());
                return Ok(());
            }
            // A context that belongs to no record.
            Metadata::Other(key, _) if key == context::KEY => return Ok(()),
            Metadata::Thread(tid, name) => Arc::make_mut(&mut self.context.threads).set_name(*tid, name),
            Metadata::Total(_) | Metadata::Paused(_) | Metadata::Resumed(_) | Metadata::Other(..) => {}
        }
        Arc::make_mut(&mut self.context.metadata).push(metadata);
        Ok(())
    }
}

impl Tally {
    /// Returns the number of records in the current file that were read.
    pub(crate) fn number_in_file(&self) -> u64 {
        self.number.saturating_sub(self.number_before)
    }

    pub(crate) fn error_at(&self, offset: u64, message: String) -> Error {
        Error::new(&*self.file, message).at(Some(self.number_in_file() + 1), offset)
    }

    pub(crate) fn check_header(&mut self, header: &Header) -> Result<(), Error> {
        let written = header.version_field;
        if header.version != Version::Rfc2011 || written == rfc2011::VERSION_FIELD {
            return Ok(());
        }
        let message = format!(
            "the version field is {written}; the proposal of 2011 suggests {}",
            rfc2011::VERSION_FIELD
        );
        let error = Error::new(&*self.file, message).at(None, header::VERSION_AT as u64);
        if self.strict {
            return Err(error.help(STRICT_HELP));
        }
        self.anomalies.add(Anomaly::VersionField, || error);
        Ok(())
    }

    /// Counts an anomaly of the next record. `message` is called only if its result is stored.
    pub(crate) fn note(&mut self, anomaly: Anomaly, offset: u64, message: impl FnOnce() -> String) {
        let (file, record) = (&self.file, self.number_in_file() + 1);
        self.anomalies.add(anomaly, || Error::new(&**file, message()).at(Some(record), offset));
    }

    /// Counts an anomaly, or returns it as an error with `--strict`. `message` is called only if
    /// necessary.
    pub(crate) fn tolerate(
        &mut self,
        anomaly: Anomaly,
        offset: u64,
        message: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        if self.strict {
            return Err(self.error_at(offset, message()).help(STRICT_HELP));
        }
        self.note(anomaly, offset, message);
        Ok(())
    }

    /// Counts an anomaly outside of the current file, or returns it as an error with `--strict`.
    pub(crate) fn tolerate_error(&mut self, anomaly: Anomaly, error: Error) -> Result<(), Error> {
        if self.strict {
            return Err(error.help(STRICT_HELP));
        }
        self.anomalies.add(anomaly, || error);
        Ok(())
    }

    /// Counts anomalies outside of the current file, or returns the first as an error with `--strict`.
    pub(crate) fn tolerate_all(&mut self, anomaly: Anomaly, errors: Vec<Error>) -> Result<(), Error> {
        errors.into_iter().try_for_each(|error| self.tolerate_error(anomaly, error))
    }

    /// Counts that the rest of a compressed file cannot be read, if reading continues elsewhere.
    pub(crate) fn tolerate_rest(
        &mut self,
        damage: &CompressionError,
        error: &std::io::Error,
    ) -> Result<(), Error> {
        self.is_cut = true;
        let anomaly = if damage.is_truncated() { Anomaly::CutFile } else { Anomaly::Damage };
        self.tolerate_error(anomaly, Error::io(&*self.file, error))
    }

    /// Counts a defect of an input that is copied, unless `strict` is set. Returns whether the rest can be
    /// copied, too.
    pub(crate) fn tolerate_in_copy(
        &mut self,
        error: &std::io::Error,
        skips_damage: bool,
    ) -> Result<bool, Error> {
        if let Some(damage) = CompressionError::of(error) {
            return self.tolerate_rest(damage, error).map(|()| false);
        }
        match self.tolerate_defect(error, skips_damage) {
            Ok(()) => Ok(true),
            Err(damage)
                if BlockError::of(error).is_some_and(|error| error.defect == BlockDefect::Damaged) =>
            {
                self.tolerate_error(Anomaly::Damage, damage).map(|()| false)
            }
            Err(error) => Err(error),
        }
    }

    /// Counts a defect of a compact trace, or returns it as an error if reading should not continue
    /// after it. All other errors are returned.
    #[cold]
    pub(crate) fn tolerate_defect(
        &mut self,
        error: &std::io::Error,
        skips_damage: bool,
    ) -> Result<(), Error> {
        let defect = BlockError::of(error).map(|error| error.defect);
        let mut error = Error::io(&*self.file, error);
        match defect {
            Some(BlockDefect::Truncated) if self.live => self.unfinished = Some(error),
            Some(BlockDefect::Truncated) if self.strict => return Err(error.help(STRICT_HELP)),
            Some(BlockDefect::Truncated) => self.anomalies.add(Anomaly::CutBlock, || error),
            Some(BlockDefect::Damaged) if skips_damage => {
                error.help = None;
                self.anomalies.add(Anomaly::Damage, || error);
            }
            _ => return Err(error),
        }
        Ok(())
    }

    /// Checks that `payload` consists of the arguments of `schema`.
    #[inline(always)]
    pub(crate) fn check_fit<L: Layout>(
        &mut self,
        schema: &Schema,
        payload: &[u8],
        offset: u64,
    ) -> Result<(), Error> {
        if schema.integer_bytes == Some(payload.len()) && L::VERSION != Version::Rfc2011 {
            return Ok(());
        }
        if L::VERSION == Version::Rfc2011 {
            return self.check_sized_fit::<L>(schema, payload, offset);
        }
        let Some(rest) = L::skip_arguments(payload, &schema.kinds) else {
            return self.report_mismatch::<L>(schema, payload, offset);
        };
        if !rest.is_empty() && L::VERSION != Version::V0 && !schema.is_opaque {
            // If the length field is damaged, the record appears to include the following ones.
            let message = || {
                let surplus = bytes(rest.len());
                format!("`{}` has {surplus} more than its declared arguments need", schema.name)
            };
            if self.keep_going {
                return Err(self.mismatch(offset, message()));
            }
            return self.tolerate(Anomaly::Surplus, offset, message);
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn report_mismatch<L: Layout>(
        &mut self,
        schema: &Schema,
        payload: &[u8],
        offset: u64,
    ) -> Result<(), Error> {
        let mut rest = payload;
        for (index, (kind, argument)) in schema.kinds.iter().zip(&schema.arguments).enumerate() {
            let have = rest.len();
            let place = || format!("argument `{}` of `{}`", argument.name, schema.name);
            match kind {
                ArgumentKind::Integer { signed } => {
                    if L::integer(&mut rest, *signed).is_none() {
                        return Err(
                            self.mismatch(offset, format!("{} needs 8 bytes, {}", place(), remain(have)))
                        );
                    }
                }
                ArgumentKind::Str => match L::string(&mut rest) {
                    None => {
                        let message =
                            format!("{} needs 4 bytes for its length, but only {}", place(), remain(have));
                        return Err(self.mismatch(offset, message));
                    }
                    Some(string) if string.bytes.len() as u64 != string.length => {
                        let have = string.bytes.len();
                        let last = index + 1 == schema.kinds.len();
                        let message = || {
                            let (place, size, have) = (place(), string.length, remain(have));
                            format!("{place} is a string of {size} bytes, but only {have}")
                        };
                        // QEMU's readers print a truncated string, but lose the arguments after it.
                        return if last {
                            self.tolerate(Anomaly::CutString, offset, message)
                        } else {
                            Err(self.mismatch(offset, message()))
                        };
                    }
                    Some(_) => {}
                },
            }
        }
        Ok(())
    }

    /// Checks the payload of a record in the 2011 RFC. The record contains its number of arguments,
    /// so an unexpected number can be distinguished from damage.
    #[cold]
    #[inline(never)]
    fn check_sized_fit<L: Layout>(
        &mut self,
        schema: &Schema,
        payload: &[u8],
        offset: u64,
    ) -> Result<(), Error> {
        let order = <L::Order as Order>::ORDER;
        let mut rest = payload;
        for (index, (kind, argument)) in schema.kinds.iter().zip(&schema.arguments).enumerate() {
            if rest.is_empty() {
                let (name, declared) = (&schema.name, schema.kinds.len());
                let message = || format!("`{name}` has only {index} of its {declared} declared arguments");
                return self.tolerate(Anomaly::Missing, offset, message);
            }
            let before = rest;
            let taken = match kind {
                ArgumentKind::Integer { signed } => L::integer(&mut rest, *signed).is_some(),
                ArgumentKind::Str => L::string(&mut rest).is_some(),
            };
            if !taken {
                let place = format!("argument `{}` of `{}`", argument.name, schema.name);
                let message = format!("{place} {}", sized_mismatch(before, *kind, order));
                return Err(self.mismatch(offset, message));
            }
        }
        let mut more = 0;
        while rfc2011::undeclared(&mut rest, order).is_some() {
            more += 1;
        }
        match (more, rest) {
            (0, []) => Ok(()),
            (_, []) => {
                let words = if more == 1 { "argument" } else { "arguments" };
                let message = || format!("`{}` has {more} more {words} than declared", schema.name);
                self.tolerate(Anomaly::Surplus, offset, message)
            }
            _ => {
                let place = format!("argument {} of `{}`", schema.kinds.len() + more + 1, schema.name);
                let message = format!("{place} {}", sized_mismatch(rest, ArgumentKind::Str, order));
                Err(self.mismatch(offset, message))
            }
        }
    }

    fn mismatch(&self, offset: u64, message: String) -> Error {
        self.error_at(offset, message)
            .help("the file is damaged, or the declarations are from another program")
    }

    #[cold]
    pub(crate) fn fault(&self, fault: Fault, offset: u64) -> Error {
        let error = self.error_at(offset + fault.at as u64, fault.to_string());
        match fault.kind {
            FaultKind::CutHeader { part: "record header", .. } => error.original_message(NO_HEADER),
            _ => error,
        }
    }
}

/// The message of QEMU's newest reader for a missing or truncated header.
pub(crate) const NO_HEADER: &str = "Error reading header. Wrong filetype provided?";

/// Returns why the first argument of an RFC 2011 payload is invalid, as the predicate of a
/// sentence.
fn sized_mismatch(payload: &[u8], kind: ArgumentKind, order: ByteOrder) -> String {
    let what = if kind == ArgumentKind::Str { "a string" } else { "an integer" };
    match rfc2011::first_size(payload, order) {
        None => format!("needs 8 bytes for its size, but only {}", remain(payload.len())),
        Some((size, have)) if size > have as u64 => format!("is {what} of {size} bytes, {}", remain(have)),
        Some((size, _)) => format!("is {what} of {size} bytes, expected 1, 2, 4 or 8"),
    }
}
