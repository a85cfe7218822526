//! Options and functions that all reading commands share: which files to read, how to decode them,
//! and which events to select.

mod outcome;

pub use self::outcome::{
    Ending, ReadOutcome, all_pauses, arguments_unknown, conclude, ending, ending_after, finish, is_damaged,
    is_unfinished, note_empty, note_pauses, note_removed, report_dropped, report_errors, unread, warn_of_all,
};

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use ringtrace_events::message::{self, MessageFormat};
use ringtrace_events::text::MAX_SOURCE_BYTES;
use ringtrace_events::{Severity, SourceFile};
use ringtrace_tracefile::align::{Alignment, align};
use ringtrace_tracefile::expression::Expression;
use ringtrace_tracefile::recover::Process;
use ringtrace_tracefile::sniff::{FileKind, SNIFF_BYTES, sniff};
use ringtrace_tracefile::{
    Era, ErrorKind, Filter, FilterOptions, Input, Needs, Options, Reader, Traces, era, folder,
};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::{VERSIONS, Version};

use crate::arenas;
use crate::exit::{CliError, Exit, did_you_mean};
use crate::output::{Overwrite, is_same_file};
use crate::terminal::Terminal;
use crate::values::{Epoch, Moment, parse_number, thread_count};

/// The options that every reading command accepts.
#[derive(Args, Debug, Clone)]
pub struct ReadArguments {
    /// Traces, which may be compressed (gzip, zstd, xz), or folders of rotated traces; `-` is standard input. Several traces are merged by time
    #[arg(value_name = "TRACE", required = true)]
    pub traces: Vec<PathBuf>,

    /// Declarations of the program that wrote the trace (QEMU: trace-events-all); for several files, repeat the option in the order used by the build
    #[arg(short, long, value_name = "FILE")]
    pub events: Vec<PathBuf>,

    /// Sort each trace by time (stable)
    #[arg(long)]
    pub sort: bool,

    /// Merge traces of different machines or boots by their own clocks instead of the wall clock
    #[arg(long)]
    pub unaligned: bool,

    /// Match pairs that begin in one trace and end in another
    #[arg(long)]
    pub join_traces: bool,

    #[command(flatten)]
    pub wanted: WantedArguments,

    #[command(flatten)]
    pub format: FormatArguments,
}

/// Options about the format of the traces.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Format of the traces")]
pub struct FormatArguments {
    /// Behave like QEMU's reader of ERA: 2010, 2011, 2012, 2014, 2016, 2021 or 10.2 [default: the newest reader of the version]
    #[arg(long, value_name = "ERA", value_parser = era_from_name, hide_possible_values = true)]
    pub compat: Option<Era>,

    /// The traces have no header; an event's id is its position in the declarations
    #[arg(long)]
    pub no_header: bool,

    /// Version of traces without a header: v2, v3 or v4 [default: detect from the content]
    #[arg(long, value_name = "VERSION", value_parser = version_from_name, requires = "no_header")]
    pub from: Option<Version>,

    /// Byte order of traces without a header: little or big [default: detect from the content]
    #[arg(long, value_name = "ORDER", value_parser = order_from_name, requires = "no_header")]
    pub byte_order: Option<ByteOrder>,

    /// Whether `disable`d events have ids (v0 to v3) [default: as for the version]
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no)]
    pub count_disabled: Option<bool>,

    /// Skip unreadable parts and continue; still exit with status 1
    #[arg(long)]
    pub keep_going: bool,

    /// Treat anomalies in the trace as errors, not warnings; exit with status 3 if events were dropped
    #[arg(long)]
    pub strict: bool,
}

/// Options that filter entries.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Filters")]
pub struct WantedArguments {
    /// Only events that match GLOB (`*`, `?`); `-GLOB` excludes them; for several, use A,B or repeat the option
    #[arg(long = "event", value_name = "GLOB", allow_hyphen_values = true, value_delimiter = ',')]
    pub event: Vec<String>,

    /// Only this process; for several, repeat the option
    #[arg(long, value_name = "PID", value_parser = parse_number::<u32>)]
    pub pid: Vec<u32>,

    /// Only this thread, by id or by a GLOB over names, in traces that record threads; for several, repeat the option
    #[arg(long, visible_alias = "tid", value_name = "TID|GLOB")]
    pub thread: Vec<String>,

    /// Only events from TIME on: seconds after the earliest event (1.5, 20ms, 2min), or a date (2026-11-20T12:00:00Z)
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = Moment::parse)]
    pub since: Option<Moment>,

    /// Only events up to TIME
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = Moment::parse)]
    pub until: Option<Moment>,

    /// Only events for which EXPR is true: 'size >= 4096 && filename ~ "*.qcow2"'; EXPR can use arguments, name, pid, tid, thread and time
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true)]
    pub condition: Option<String>,

    /// Wall-clock time of zero on the traces' clock: a date, or seconds since 1970; FILE=DATE is for one of the traces, and
    /// can be repeated
    #[arg(long, value_name = "[FILE=]DATE", allow_hyphen_values = true, value_parser = Epoch::parse)]
    pub epoch: Vec<Epoch>,
}

fn era_from_name(name: &str) -> Result<Era, String> {
    let known: Vec<&str> = era::ERAS.iter().map(|info| info.name).collect();
    Era::from_name(name).ok_or_else(|| format!("no such era: expected one of {}", known.join(", ")))
}

pub fn version_from_name(name: &str) -> Result<Version, String> {
    Version::from_name(name).ok_or_else(|| format!("no such version: expected one of {}", version_names()))
}

/// Returns the names of all versions of simpletrace.
pub fn version_names() -> String {
    let known: Vec<&str> = VERSIONS.iter().map(|info| info.name).collect();
    known.join(", ")
}

pub fn order_from_name(name: &str) -> Result<ByteOrder, String> {
    match name {
        "little" => Ok(ByteOrder::Little),
        "big" => Ok(ByteOrder::Big),
        _ => Err("expected little or big".to_owned()),
    }
}

fn yes_or_no(word: &str) -> Result<bool, String> {
    match word {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("expected yes or no".to_owned()),
    }
}

/// Checks that `out` is not one of `inputs`, nor a file in one that is the folder of a rotated trace.
pub fn check_not_read<'a>(out: &Path, mut inputs: impl Iterator<Item = &'a Path>) -> Result<(), CliError> {
    let Ok(metadata) = fs::metadata(out) else { return Ok(()) };
    let is_read = |input: &&Path| {
        let files = if input.is_dir() { folder::list(input).unwrap_or_default() } else { Vec::new() };
        is_same_file(input, &metadata) || files.iter().any(|file| is_same_file(&file.path, &metadata))
    };
    match inputs.find(is_read) {
        Some(input) => {
            let what = match input.is_dir() {
                true => format!("{} is a file of the input {}", out.display(), input.display()),
                false => format!("{} is also an input", input.display()),
            };
            let message = format!("{what}; choose another output");
            Err(CliError::usage(message).help("to replace it, write to another file, then rename that file"))
        }
        None => Ok(()),
    }
}

/// The traces of a command line.
#[derive(Debug)]
pub struct OpenTraces {
    pub readers: Vec<Reader>,
    /// The errors of the traces that cannot be opened.
    pub failed: Vec<CliError>,
}

impl OpenTraces {
    /// Returns the readers, if all traces could be opened, or else the first error.
    pub fn all(mut self) -> Result<Vec<Reader>, CliError> {
        if self.failed.is_empty() { Ok(self.readers) } else { Err(self.failed.swap_remove(0)) }
    }

    /// Returns the same traces, to read them once more from their starts. `None` if one of them is a stream.
    pub fn again(&self) -> Option<OpenTraces> {
        let readers = self.readers.iter().map(Reader::again).collect::<Option<_>>()?;
        Some(OpenTraces { readers, failed: self.failed.clone() })
    }

    /// Returns the exit status for the traces that cannot be opened.
    pub fn exit(&self) -> Exit {
        self.failed.iter().fold(Exit::Done, |exit, failed| exit.worse(failed.exit))
    }

    fn missing(&self) -> Option<ErrorKind> {
        match self.exit() {
            Exit::Done => None,
            Exit::System => Some(ErrorKind::System),
            _ => Some(ErrorKind::Data),
        }
    }
}

impl From<Vec<Reader>> for OpenTraces {
    fn from(readers: Vec<Reader>) -> OpenTraces {
        OpenTraces { readers, failed: Vec::new() }
    }
}

impl ReadArguments {
    /// Returns the options for opening the traces. Reads the declarations.
    pub fn options(&self) -> Result<Options, CliError> {
        check_epochs(&self.wanted.epoch, &self.traces)?;
        if self.traces.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
            return Err(CliError::usage("`-` is given twice, but standard input can be read only once"));
        }
        Ok(Options { spool: self.sort, ..self.format.options(&self.events)? })
    }

    /// Returns the options for commands that need only the names and times of events.
    pub fn options_for_names(&self) -> Result<Options, CliError> {
        Ok(Options { names_suffice: true, ..self.options()? })
    }

    /// Checks that `out` is not one of the files that the command reads, because creating `out`
    /// would destroy that file, and that `overwrite` permits replacing an existing file. Call this
    /// before reading the traces, so that a long read is not wasted.
    pub fn check_output(&self, out: &Path, overwrite: Overwrite) -> Result<(), CliError> {
        check_not_read(out, self.traces.iter().chain(&self.events).map(PathBuf::as_path))?;
        overwrite.check(out)
    }

    /// Opens all traces, and reports those that cannot be opened, unless there is no other. A
    /// [`Progress`](crate::progress::Progress) can watch them until they are read.
    pub fn open(&self, options: &Options, terminal: &Terminal) -> Result<OpenTraces, CliError> {
        let mut open = self.open_each(options)?;
        let exit = open.exit();
        let last = if open.readers.is_empty() { open.failed.pop() } else { None };
        open.failed.iter().for_each(|failed| terminal.report(failed));
        last.map_or(Ok(open), |last| Err(last.exit(exit)))
    }

    /// Opens all traces. The caller must report those that cannot be opened.
    pub fn open_each(&self, options: &Options) -> Result<OpenTraces, CliError> {
        let (mut readers, mut failed) = (Vec::new(), Vec::<CliError>::new());
        for path in &self.traces {
            match open_traces(path, options) {
                Ok(opened) => {
                    readers.extend(opened.into_iter().map(|reader| self.with_epoch(path, reader)));
                }
                Err(error) if error.exit == Exit::Usage => return Err(error),
                // An error in the declarations is the same for all traces.
                Err(error) if failed.last().is_some_and(|last| last.message == error.message) => {}
                Err(error) => failed.push(error),
            }
        }
        Ok(OpenTraces { readers, failed })
    }

    /// Sets the anchor that `--epoch` specifies for the trace at `path`.
    pub fn with_epoch(&self, path: &Path, mut reader: Reader) -> Reader {
        set_epoch(&self.wanted.epoch, path, &mut reader);
        reader
    }

    /// Combines open traces and sets the filters. `needs` selects the times that the command must
    /// know in advance. Finding them, or sorting, may read all traces once.
    pub fn gather(&self, open: impl Into<OpenTraces>, needs: Needs) -> Result<Traces, CliError> {
        self.gather_with(open, needs, false)
    }

    /// Does the same as [`ReadArguments::gather`]. If `knows_origins` is set, the origin of the trace is
    /// known even if there is only one.
    pub fn gather_with(
        &self,
        open: impl Into<OpenTraces>,
        needs: Needs,
        knows_origins: bool,
    ) -> Result<Traces, CliError> {
        let open = open.into();
        let missing = open.missing();
        let mut readers = open.readers;
        // The columns of an export must not depend on whether a trace is missing.
        let has_several = readers.len() > 1 || missing.is_some();
        let alignment = Alignment { unaligned: self.unaligned, joined: self.join_traces };
        let is_aligned = has_several || knows_origins;
        let aligned = if is_aligned { Some(align(&mut readers, alignment)?) } else { None };
        let moments = [self.wanted.since, self.wanted.until];
        let condition = self.wanted.condition(&readers)?;
        let needs = Needs {
            origin: needs.origin
                || condition.as_ref().is_some_and(Expression::uses_time)
                || moments.iter().flatten().any(|moment| !moment.is_absolute()),
            anchor: needs.anchor || moments.iter().flatten().any(Moment::is_absolute),
        };
        let traces = if self.sort { Traces::sorted(readers, needs) } else { Traces::new(readers, needs) };
        let mut traces = traces.map_err(CliError::from)?;
        if let Some(aligned) = aligned {
            traces.set_aligned(aligned);
        }
        let filter = self.wanted.filter(&traces, has_several, condition)?;
        traces.set_filter(filter);
        traces.set_missing(missing);
        traces.decode_ahead(thread_count(None) > 1);
        Ok(traces)
    }
}

impl FormatArguments {
    /// Returns the options for opening traces whose events are declared in the files `events`.
    /// Reads those files.
    pub fn options(&self, events: &[PathBuf]) -> Result<Options, CliError> {
        let sources = events.iter().map(|path| read_events(path)).collect::<Result<_, _>>()?;
        Ok(Options {
            sources,
            era: self.compat,
            imitates: self.compat.is_some(),
            no_header: self.no_header,
            version: self.from,
            order: self.byte_order,
            count_disabled: self.count_disabled,
            strict: self.strict,
            keep_going: self.keep_going,
            ..Options::default()
        })
    }
}

impl WantedArguments {
    /// Returns whether no filter is set.
    pub fn is_everything(&self) -> bool {
        self.event.is_empty()
            && self.pid.is_empty()
            && self.thread.is_empty()
            && self.since.is_none()
            && self.until.is_none()
            && self.condition.is_none()
    }

    /// Parses the condition, and checks that the names in it are known to the traces.
    fn condition(&self, readers: &[Reader]) -> Result<Option<Expression>, CliError> {
        let Some(text) = &self.condition else { return Ok(None) };
        let condition = Expression::parse(text)
            .map_err(|error| CliError::lines(Exit::Usage, format!("--where: {error}")))?;
        check_condition(&condition, readers).map_err(|message| CliError::lines(Exit::Usage, message))?;
        Ok(Some(condition))
    }

    fn filter(
        &self,
        traces: &Traces,
        has_several: bool,
        condition: Option<Expression>,
    ) -> Result<Filter, CliError> {
        let times = traces.times();
        let (exclude, include): (Vec<&String>, Vec<&String>) =
            self.event.iter().partition(|pattern| pattern.starts_with('-'));
        let timestamp = |moment: Option<Moment>| match moment {
            None => Ok(None),
            Some(moment) => moment.timestamp_ns(times).map(Some).ok_or_else(|| {
                no_wall_clock(
                    "--since and --until cannot be dates: ",
                    Some(traces),
                    "; the clock of QEMU's traces is CLOCK_MONOTONIC, which is zero when the machine starts",
                )
            }),
        };
        let (since_ns, until_ns) = (timestamp(self.since)?, timestamp(self.until)?);
        let is_date = |moment: Option<Moment>| moment.is_some_and(|moment| moment.is_absolute());
        let are_comparable = !has_several || is_date(self.since) == is_date(self.until);
        if are_comparable && since_ns.zip(until_ns).is_some_and(|(since, until)| since > until) {
            return Err(CliError::usage("--since is later than --until: no event can match"));
        }
        // Several traces can have different relations to the wall clock.
        let of_each = |moment: Option<Moment>| has_several && is_date(moment);
        let dated_ns = (of_each(self.since) || of_each(self.until)).then(|| {
            let since_ns = since_ns.filter(|_| of_each(self.since)).unwrap_or(i128::MIN);
            since_ns..=until_ns.filter(|_| of_each(self.until)).unwrap_or(i128::MAX)
        });
        let clamp = |ns: i128| u64::try_from(ns.max(0)).unwrap_or(u64::MAX);
        Ok(Filter::new(FilterOptions {
            include: include.into_iter().cloned().collect(),
            exclude: exclude.into_iter().map(|pattern| pattern[1..].to_owned()).collect(),
            pids: self.pid.clone(),
            tids: self.thread.iter().filter_map(|thread| thread.parse().ok()).collect(),
            thread_names: self
                .thread
                .iter()
                .filter(|thread| thread.parse::<u32>().is_err())
                .cloned()
                .collect(),
            since_ns: since_ns.filter(|_| !of_each(self.since)).map(clamp),
            until_ns: until_ns.filter(|_| !of_each(self.until)).map(clamp),
            dated_ns,
            condition,
            origin_ns: times.origin_ns.unwrap_or(0),
        }))
    }
}

/// Checks that each value of `--epoch` is for one of `traces`, and that each of these has only one.
pub fn check_epochs(epochs: &[Epoch], traces: &[PathBuf]) -> Result<(), CliError> {
    for (index, epoch) in epochs.iter().enumerate() {
        if epochs[..index].iter().any(|other| other.trace == epoch.trace) {
            let what = match &epoch.trace {
                Some(trace) => format!("{} has", trace.display()),
                None => "all traces have".to_owned(),
            };
            return Err(CliError::usage(format!("--epoch: {what} two dates"))
                .help("specify one date for each trace: --epoch FILE=DATE"));
        }
        let Some(trace) = epoch.trace.as_ref().filter(|trace| !traces.contains(trace)) else { continue };
        let names: Vec<String> = traces.iter().map(|trace| trace.display().to_string()).collect();
        let (trace, known) = (trace.display().to_string(), names.join(", "));
        return Err(CliError::usage(format!("--epoch: {trace} is not one of the traces"))
            .help(format!("the traces are: {known}"))
            .maybe_help(did_you_mean(&trace, names.iter().map(String::as_str))));
    }
    Ok(())
}

/// Sets the anchor that `epochs` specify for the trace at `path`.
pub fn set_epoch(epochs: &[Epoch], path: &Path, reader: &mut Reader) {
    let own = epochs.iter().find(|epoch| epoch.trace.as_deref() == Some(path));
    if let Some(epoch) = own.or_else(|| epochs.iter().find(|epoch| epoch.trace.is_none())) {
        reader.set_anchor(epoch.anchor);
    }
}

/// Returns the error for dates without a relation to the wall clock. `before` begins the message, and
/// `after` ends the advice.
pub fn no_wall_clock(before: &str, traces: Option<&Traces>, after: &str) -> CliError {
    let (message, value) = match traces.and_then(|traces| traces.aligned().undated.as_ref()) {
        Some(name) => (format!("{before}the wall-clock time of {name} is unknown"), "FILE=DATE"),
        None => (format!("{before}the trace has no wall-clock time"), "DATE"),
    };
    CliError::usage(message).help(format!("specify --epoch {value}{after}"))
}

/// Checks the names in `condition` against the events that `readers` declare. If nothing is
/// declared, every name is accepted, because a trace may describe its events while it is read.
fn check_condition<'r>(
    condition: &Expression,
    readers: impl IntoIterator<Item = &'r Reader>,
) -> Result<(), String> {
    let schemas = readers.into_iter().flat_map(|reader| reader.schemas().all());
    condition.check_schemas(schemas.map(|(_, schema)| schema)).map_err(|error| format!("--where: {error}"))
}

/// Opens the trace at `path`, or all traces in the folder at `path`.
pub fn open_traces(path: &Path, options: &Options) -> Result<Vec<Reader>, CliError> {
    if path.as_os_str() == "-" || !path.is_dir() {
        return Ok(vec![open_trace(path, options)?]);
    }
    // Another program may write a trace of its own to the folder.
    let last = folder::list(path).ok().and_then(|mut files| files.pop());
    let writer = last.and_then(|last| arenas::writer_of(&last.path));
    let readers = folder::open(path, &with_live(options, writer))?;
    readers.iter().try_for_each(check_declarations)?;
    Ok(readers)
}

pub fn open_trace(path: &Path, options: &Options) -> Result<Reader, CliError> {
    // The writer is looked up first: if it ends afterwards, the trace is complete.
    let options = with_live(options, arenas::writer_of(path));
    open_input(path, Input::open(path), &options)
}

/// Returns the options for a trace that is still being written if `writer` is running.
fn with_live(options: &Options, writer: Option<Process>) -> Options {
    let live = options.live || writer.is_some_and(|writer| writer.is_alive());
    Options { live, ..options.clone() }
}

/// Creates a reader of `input`, which was opened from `path`.
pub fn open_input(path: &Path, input: io::Result<Input>, options: &Options) -> Result<Reader, CliError> {
    let name = if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() };
    let input = input.map_err(|error| CliError::system(&name, &error))?;
    let reader = Reader::new(&name, input, options).map_err(CliError::from)?;
    check_declarations(&reader)?;
    Ok(reader)
}

/// Reads the declarations file at `path`, unless it is a trace.
fn read_events(path: &Path) -> Result<SourceFile, CliError> {
    let (name, bytes) = read_text(path)?;
    if matches!(sniff(&bytes[..bytes.len().min(SNIFF_BYTES)]), FileKind::Trace(_) | FileKind::Compact) {
        return Err(CliError::usage(format!("{name} is a trace, not a declarations file"))
            .help("--events expects the declarations (text), and TRACE the binary trace"));
    }
    Ok(SourceFile::from_bytes(name, &bytes))
}

/// Reads the declarations file at `path`; `-` is standard input. Reads at most one byte more than
/// the parser accepts, so that the parser reports a file that is too large.
pub fn read_declarations(path: &Path) -> Result<SourceFile, CliError> {
    let (name, bytes) = read_text(path)?;
    Ok(SourceFile::from_bytes(name, &bytes))
}

/// Returns the name and the contents of the file at `path`.
fn read_text(path: &Path) -> Result<(String, Vec<u8>), CliError> {
    let (name, bytes) = if path.as_os_str() == "-" {
        ("<stdin>".to_owned(), read_limited(io::stdin().lock()))
    } else {
        (path.display().to_string(), File::open(path).and_then(read_limited))
    };
    let bytes = bytes.map_err(|error| CliError::system(&name, &error))?;
    Ok((name, bytes))
}

fn read_limited(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MAX_SOURCE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Fails if no declaration could be parsed: the user probably passed the wrong file.
pub fn check_declarations(reader: &Reader) -> Result<(), CliError> {
    let (sources, diagnostics) = reader.diagnostics();
    let understood = reader.schemas().declared().next().is_some();
    match diagnostics.iter().find(|found| found.severity == Severity::Error) {
        Some(error) if !understood => {
            let text = message::render(std::slice::from_ref(error), sources, MessageFormat::Short);
            Err(CliError::input(format!("no events are declared: {}", text.trim_end()))
                .help("--events expects the declarations (text), and TRACE the binary trace"))
        }
        _ => Ok(()),
    }
}
