//! Reports printed after reading: warnings, losses, how the traces ended, and the exit status.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use ringtrace_events::message::{self, MessageFormat};
use ringtrace_events::{Severity, glob};
use ringtrace_tracefile::expression::Expression;
use ringtrace_tracefile::metadata::{self, Metadata, POLICY};
use ringtrace_tracefile::recover::ProcessState;
use ringtrace_tracefile::{Anomaly, Dropped, Error as TraceError, ErrorKind, Pause, Reader, Schema, Traces};

use super::check_condition;
use crate::arenas;
use crate::exit::{CliError, Exit, did_you_mean};
use crate::quantity::{Units, counted, seconds_from};
use crate::terminal::Terminal;
use ringtrace_report::wording::{describe_dropped, describe_pauses, visible_text};

/// The result of reading, apart from the events themselves.
#[derive(Debug)]
pub struct ReadOutcome {
    /// Errors that stopped the reader of a trace early.
    pub failed: Vec<TraceError>,
    /// Events that were lost during recording, according to the traces.
    pub dropped: Dropped,
    /// Whether reading may have stopped before the ends of the traces, because enough was printed.
    pub is_partial: bool,
}

/// Reports everything about `traces` after reading: warnings, errors, how their programs ended,
/// pauses and losses. Returns the exit status.
pub fn finish(traces: &Traces, outcome: ReadOutcome, strict: bool, terminal: &Terminal) -> Exit {
    let dropped = outcome.dropped;
    let is_whole = outcome.failed.is_empty();
    let exit = conclude(traces, outcome, strict, terminal);
    if is_whole {
        note_empty(traces, terminal);
    }
    note_pauses(traces, terminal);
    report_dropped(dropped, terminal);
    exit
}

/// Does the same as [`finish`], but does not report pauses and losses, for commands that show those
/// themselves.
pub fn conclude(traces: &Traces, outcome: ReadOutcome, strict: bool, terminal: &Terminal) -> Exit {
    let readers = traces.readers().into_iter();
    let endings: Vec<_> = readers.map(|reader| ending_after(reader, &outcome.failed)).collect();
    let unread = unread(traces, &outcome.failed);
    let exit = report_errors(traces, outcome.failed, terminal);
    let help = "--keep-going continues after damage";
    unread.iter().for_each(|message| terminal.warn(message, Some(help)));
    let mut has_lost = outcome.dropped.records > 0;
    for (reader, ending) in traces.readers().into_iter().zip(endings) {
        match ending {
            Some(Ending::Unfinished) if outcome.is_partial => {}
            Some(ending) => {
                ending.report(reader, terminal);
                has_lost |= ending.has_lost();
            }
            // A followed trace, which cannot be read again, was read to its end.
            None if reader.is_live() && reader.is_rereadable() && is_unfinished(reader) => {
                terminal.note(&format!(
                    "{}: the trace was still being written when it was opened; later events are not included",
                    reader.name()
                ));
            }
            None => {}
        }
    }
    if exit == Exit::Done && strict && has_lost { Exit::Lost } else { exit }
}

/// Reports that the filters have selected no event. Without this note, the output would look like
/// that of a trace without events.
pub fn note_empty(traces: &Traces, terminal: &Terminal) {
    if traces.filter().is_everything() || traces.has_matched() {
        return;
    }
    let wanted = traces.filter().options();
    let is_by_time = wanted.since_ns.is_some() || wanted.until_ns.is_some() || wanted.dated_ns.is_some();
    let Some((smallest_ns, largest_ns)) = traces.time_range_ns().filter(|_| is_by_time) else {
        return terminal.note("no event matches");
    };
    let last = seconds_from(smallest_ns, largest_ns);
    let trace = if traces.readers().len() == 1 { "the trace ends" } else { "the traces end" };
    terminal.note(&format!("no event matches; {trace} {last} after the earliest event"));
}

/// The reason why a trace is incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The program was killed. Its last events are still in memory.
    Killed(u32),
    /// The program has ended tracing, but could not write its last events, which are still in memory.
    Unwritten(u32),
    /// The program has not finished the trace, and left no events in memory. It was killed, or ended
    /// without the end of tracing, as a process does that calls `daemon(3)`.
    Empty(u32),
    /// The program has not finished the trace, and nothing else is known about it. Its last events may be
    /// missing.
    Unfinished,
    Running(u32),
}

/// Returns how the program that wrote the trace ended. Returns `None` if the program finished the trace
/// itself, if the trace was still being written when it was opened, or if another program wrote it.
pub fn ending(reader: &Reader) -> Option<Ending> {
    // The last file of a folder may have no records yet.
    let last = reader.files().and_then(|files| files.paths().next_back());
    let file = last.map_or(Path::new(reader.file()), PathBuf::as_path);
    if is_complete(reader) {
        return None;
    }
    let Some(process) = arenas::writer_of(file) else {
        return (is_unfinished(reader) && !reader.is_live()).then_some(Ending::Unfinished);
    };
    let pid = process.pid();
    Some(match process.state() {
        ProcessState::Running => Ending::Running(pid),
        ProcessState::Unwritten => Ending::Unwritten(pid),
        ProcessState::Killed if process.unwritten_bytes().is_ok_and(|bytes| bytes == 0) => Ending::Empty(pid),
        ProcessState::Killed => Ending::Killed(pid),
    })
}

/// Does the same as [`ending`] for a trace that was read with these errors. How it ended is not known if it was
/// not read to its end.
pub fn ending_after(reader: &Reader, failed: &[TraceError]) -> Option<Ending> {
    ending(reader).filter(|ending| *ending != Ending::Unfinished || !is_stopped(reader, failed))
}

/// Returns whether one of these errors has stopped the reader before the end of the trace.
fn is_stopped(reader: &Reader, failed: &[TraceError]) -> bool {
    let has_unread = !failed.is_empty() && reader.files().is_some_and(|files| files.unread() > 0);
    has_unread || failed.iter().any(|error| error.file == reader.file() && !error.is_truncation())
}

/// Returns a message for each folder of which files were not read, because of one of these errors.
pub fn unread(traces: &Traces, failed: &[TraceError]) -> Vec<String> {
    let readers = traces.readers().into_iter().filter(|_| !failed.is_empty());
    let unread = readers.filter_map(|reader| {
        let unread = reader.files()?.unread() as u64;
        let files = counted(unread, "file was", "files were");
        (unread > 0).then(|| format!("{}: {files} not read, because of the error before", reader.name()))
    });
    unread.collect()
}

/// Returns whether the trace is complete according to its metadata.
fn is_complete(reader: &Reader) -> bool {
    let pieces = reader.metadata();
    let totals = pieces.iter().filter_map(|piece| match piece {
        Metadata::Total(total) => Some(total.tid),
        _ => None,
    });
    let totals: HashSet<u32> = totals.collect();
    // A thread's total is written when the thread exits. Other threads may have continued.
    let has_total = |piece: &Metadata| match piece {
        Metadata::Thread(tid, _) => totals.contains(tid),
        _ => true,
    };
    pieces.iter().any(Metadata::marks_end) || (!totals.is_empty() && pieces.iter().all(has_total))
}

/// Returns whether ringtrace's runtime began the trace and did not finish it. Other writers do not
/// mark the end.
pub fn is_unfinished(reader: &Reader) -> bool {
    let is_ours =
        reader.metadata().iter().any(|metadata| matches!(metadata, Metadata::Other(key, _) if key == POLICY));
    is_ours && !is_complete(reader)
}

/// Returns whether the trace is that of a flight recorder.
fn is_flight_recorder(reader: &Reader) -> bool {
    reader.metadata().iter().any(
        |metadata| matches!(metadata, Metadata::Other(key, value) if key == POLICY && value == b"overwrite"),
    )
}

impl Ending {
    /// Returns whether the trace lacks events, or may lack some. Those of a running program are not lost.
    pub fn has_lost(self) -> bool {
        matches!(self, Ending::Killed(_) | Ending::Unwritten(_) | Ending::Unfinished)
    }

    /// Describes how the trace ended.
    pub fn describe(self, reader: &Reader) -> String {
        let file = reader.file();
        match self {
            Ending::Running(pid) if is_flight_recorder(reader) => {
                format!(
                    "{file}: process {pid} keeps its newest events in memory and writes them when it ends"
                )
            }
            Ending::Running(pid) => {
                format!("{file}: process {pid} is still running and has not written all of its events yet")
            }
            Ending::Killed(pid) => {
                format!("{file}: process {pid} was killed, and its last events are still in memory")
            }
            Ending::Unwritten(pid) => {
                format!("{file}: process {pid} could not write its last events, which are still in memory")
            }
            Ending::Empty(pid) => {
                format!("{file}: process {pid} did not finish the trace, but left no events in memory")
            }
            Ending::Unfinished => {
                format!("{file}: the program did not finish the trace, so its last events may be missing")
            }
        }
    }

    fn report(self, reader: &Reader, terminal: &Terminal) {
        let text = self.describe(reader);
        match self {
            Ending::Running(pid) if is_flight_recorder(reader) => {
                terminal.note(&format!("{text}; `ringtrace recover {pid}` writes them to another trace now"));
            }
            Ending::Running(_) | Ending::Empty(_) => terminal.note(&text),
            Ending::Killed(pid) | Ending::Unwritten(pid) => {
                terminal.warn(&text, Some(&format!("to recover them, run `ringtrace recover {pid}`")));
            }
            Ending::Unfinished => terminal.warn(&text, None),
        }
    }
}

pub fn warn_of_all(traces: &Traces, terminal: &Terminal) {
    warn_of_patterns(traces, terminal);
    // By now, self-describing traces have declared all their events.
    if let Some(condition) = &traces.filter().options().condition
        && let Err(message) = check_condition(condition, traces.readers())
    {
        terminal.warn(&message, arguments_unknown(traces));
    }
    let repeated = &traces.aligned().repeated;
    for [earlier, name] in repeated.iter().take(SHOWN_ERRORS) {
        terminal.warn(
            &format!(
                "{name} begins with the same record as {earlier}, so records of this trace are read twice"
            ),
            Some("pass only one of them; a recovered trace contains the last file of its program, too"),
        );
    }
    if repeated.len() > SHOWN_ERRORS {
        let more = repeated.len() - SHOWN_ERRORS;
        let message = counted(
            more as u64,
            "more file begins with the same records as another",
            "more files begin with the same records as others",
        );
        terminal.warn(&message, None);
    }
    warn_of_ids(traces, terminal);
    warn_of_declarations(traces, terminal);
    for reader in traces.readers() {
        warn_of(reader, terminal);
    }
}

pub fn report_errors(traces: &Traces, failed: Vec<TraceError>, terminal: &Terminal) -> Exit {
    warn_of_all(traces, terminal);
    traces.readers().into_iter().for_each(|reader| note_removed(reader, terminal));
    let mut exit = match traces.missing() {
        Some(ErrorKind::System) => Exit::System,
        Some(ErrorKind::Data) => Exit::Input,
        None if traces.readers().into_iter().any(is_damaged) => Exit::Input,
        None => Exit::Done,
    };
    for error in failed.into_iter().map(CliError::from) {
        terminal.report(&error);
        // A system error takes precedence over an input error.
        exit = if exit == Exit::System { exit } else { error.exit };
    }
    exit
}

/// Returns whether a part of the trace could not be read.
pub fn is_damaged(reader: &Reader) -> bool {
    reader.is_incomplete() || reader.anomalies().iter().any(|(anomaly, ..)| anomaly == Anomaly::Damage)
}

/// Reports that files of a folder were removed before they could be read. This is not an error: a
/// program removes its oldest files.
pub fn note_removed(reader: &Reader, terminal: &Terminal) {
    let [first, more @ ..] = reader.removed() else { return };
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().display().to_string();
    let removed = match more.last() {
        None => format!("the file {} was removed before it was read; its", name(first)),
        Some(last) => format!(
            "{} files, {} to {}, were removed before they were read; their",
            more.len() + 1,
            name(first),
            name(last)
        ),
    };
    terminal.note(&format!("{}: {removed} events are not included", reader.name()));
}

/// Warns about events that were lost during recording.
pub fn report_dropped(dropped: Dropped, terminal: &Terminal) {
    if dropped.records > 0 {
        terminal.warn(&describe_dropped(dropped), None);
    }
}

const SHOWN_ERRORS: usize = 3;

/// Returns advice if an argument is unknown because the traces contain only the names of events.
pub fn arguments_unknown(traces: &Traces) -> Option<&'static str> {
    let mut schemas = traces.readers().into_iter().flat_map(|reader| reader.schemas().all());
    schemas.any(|(_, schema)| schema.is_opaque).then_some(
        "the trace contains only the names of its events: specify their declarations with --events",
    )
}

/// Warns about declarations that were left out. If event ids depend on the order of declarations,
/// the ids of later declarations are wrong.
fn warn_of_declarations(traces: &Traces, terminal: &Terminal) {
    let Some(reader) = traces.readers().into_iter().next() else { return };
    let (sources, diagnostics) = reader.diagnostics();
    let errors: Vec<_> =
        diagnostics.iter().filter(|found| found.severity == Severity::Error).cloned().collect();
    let shown = message::render(&errors[..errors.len().min(SHOWN_ERRORS)], sources, MessageFormat::Short);
    for line in shown.lines() {
        terminal.warn(&format!("skipped declaration: {line}"), None);
    }
    if errors.len() > SHOWN_ERRORS {
        let more = errors.len() - SHOWN_ERRORS;
        terminal.warn(
            &format!("{more} more declarations were skipped"),
            Some("`ringtrace check` shows all of them"),
        );
    }
}

/// Warns about patterns that match no declared event.
fn warn_of_patterns(traces: &Traces, terminal: &Terminal) {
    let readers = traces.readers();
    let names = || readers.iter().flat_map(|reader| reader.schemas().all()).map(|(_, schema)| &*schema.name);
    let wanted = traces.filter().options();
    let patterns =
        wanted.include.iter().chain(&wanted.exclude).map(|pattern| ("--event", pattern.clone(), true));
    let compared = wanted.condition.iter().flat_map(Expression::event_names);
    let compared = compared.map(|(name, is_pattern)| ("--where", name, is_pattern));
    for (option, text, is_pattern) in patterns.chain(compared) {
        let matched = |name: &str| match is_pattern {
            true => glob::matches_event(&text, name),
            false => text == name,
        };
        if matched(Schema::DROPPED_NAME) || names().any(matched) {
            continue;
        }
        let help = did_you_mean(&text, names());
        let message = match is_pattern {
            true => format!("{option}: no declared event matches `{text}`"),
            false => format!("{option}: no event is called `{text}`"),
        };
        terminal.warn(&message, help.as_deref());
    }
}

/// Warns about filters by process or thread on traces that contain no process or thread ids.
fn warn_of_ids(traces: &Traces, terminal: &Terminal) {
    let (readers, wanted) = (traces.readers(), traces.filter().options());
    if !wanted.pids.is_empty() && !readers.iter().any(|reader| reader.version().info().has_pid) {
        terminal.warn("--pid: traces of this version do not contain process ids", None);
    }
    if wanted.tids.is_empty() && wanted.thread_names.is_empty() {
        return;
    }
    if !readers.iter().any(|reader| reader.is_threaded()) {
        return terminal.warn("--thread: only traces from ringtrace's runtime contain threads", None);
    }
    for pattern in &wanted.thread_names {
        let matched = |name: &str| glob::matches(pattern.as_bytes(), name.as_bytes());
        let names = || readers.iter().flat_map(|reader| reader.threads().names());
        if !names().any(matched) {
            let help = did_you_mean(pattern, names());
            let message = format!("--thread: no thread is called `{pattern}`");
            terminal.warn(&message, help.as_deref());
        }
    }
}

pub fn all_pauses(traces: &Traces) -> Vec<Pause> {
    traces.readers().into_iter().flat_map(Reader::pauses).collect()
}

/// Reports when recording was off. Events in those periods are not counted anywhere.
pub fn note_pauses(traces: &Traces, terminal: &Terminal) {
    let readers = traces.readers();
    for reader in &readers {
        let Some(pauses) = describe_pauses(&reader.pauses(), Units::new(terminal.unicode)) else {
            continue;
        };
        let of = if readers.len() > 1 { format!("{}: ", reader.name()) } else { String::new() };
        terminal.note(&format!("{of}recording was off {pauses}; events from that time are not in the trace"));
    }
}

/// Warns about tolerated anomalies.
fn warn_of(reader: &Reader, terminal: &Terminal) {
    for piece in reader.metadata() {
        if let Metadata::Other(key, value) = piece
            && key == metadata::RECOVERED
            && let Some((_, missing)) = String::from_utf8_lossy(value).split_once(metadata::MISSING)
        {
            let missing = visible_text(missing.as_bytes());
            terminal.warn(&format!("{}: the trace was recovered without {missing}", reader.name()), None);
        }
    }
    for (_, count, kept) in reader.anomalies().iter() {
        for anomaly in kept {
            terminal.warn(&anomaly.to_string(), anomaly.help.as_deref());
        }
        let more = count - kept.len() as u64;
        if more > 0
            && let Some(last) = kept.last()
        {
            terminal.warn(&format!("{}: {more} more of this kind", last.file), None);
        }
    }
}
