//! Prints the summary of a run.

use std::path::Path;
use std::time::Duration;

use ringtrace::announcement::Announcement;
use ringtrace_tracefile::Options;
use ringtrace_tracefile::metadata::Cause;
use ringtrace_tracefile::summary::{EventCount, Summary};

use super::child::{ProgramExit, signal_name};
use super::killed::ProcessOutcome;
use super::options::RecordOptions;
use super::traces;
use crate::command::info::{Totals, event_table};
use crate::exit::{CliError, did_you_mean};
use crate::progress::Progress;
use crate::quantity::{self, Units, bytes, count, counted};
use crate::reading::open_trace;
use crate::terminal::Terminal;
use ringtrace_display::Table;
use ringtrace_events::glob;
use ringtrace_events::message::visible;
use ringtrace_report::wording::{command_line, visible_text};

const SHOWN_EVENTS: usize = 10;

const SHOWN_TRACES: usize = 20;

/// The result of a run.
#[derive(Debug)]
pub struct RunResult<'r> {
    pub name: &'r str,
    pub ended: ProgramExit,
    pub took: Duration,
    /// For each trace, the outcome of its process if the process did not finish the trace.
    pub outcomes: &'r [Option<ProcessOutcome>],
    /// The new path of the file that the trace replaced.
    pub aside: Option<&'r Path>,
}

struct TraceSummary<'t> {
    trace: &'t Announcement,
    outcome: Option<ProcessOutcome>,
    /// `None` if the trace cannot be read. The error has been reported already.
    summary: Option<Summary>,
    /// The names of the events that the program declares.
    declared: Vec<String>,
    file_bytes: u64,
}

/// Prints a summary of `traces` on standard error. With `is_quiet`, prints only problems.
pub fn print(
    traces: &[Announcement],
    end: &RunResult<'_>,
    options: &RecordOptions,
    is_quiet: bool,
    terminal: &Terminal,
) {
    let summaries: Vec<TraceSummary<'_>> = traces
        .iter()
        .zip(end.outcomes)
        .map(|(trace, outcome)| summarize(trace, *outcome, terminal))
        .collect();
    let mut total = Totals::default();
    summaries.iter().filter_map(|one| one.summary.as_ref()).for_each(|summary| total.add(summary));
    if !is_quiet {
        let on_stderr = terminal.of_stderr();
        let mut text = head(end, &total, &summaries, options, &on_stderr);
        let events = total.events();
        let events: Vec<&EventCount> = events.iter().collect();
        event_table(&events, total.other_ids, total.span, Some(SHOWN_EVENTS), &on_stderr, &mut text);
        files(&summaries, end.aside, &on_stderr, &mut text);
        terminal.quote(&text);
    }
    warn_of_loss(&total, &without_buffer(&summaries), options, terminal);
    if total.damaged > 0 {
        let message = format!("{} damaged", counted(total.damaged, "trace is", "traces are"));
        terminal.warn(&message, Some("`ringtrace info FILE` shows the damage"));
    }
}

fn summarize<'t>(
    trace: &'t Announcement,
    outcome: Option<ProcessOutcome>,
    terminal: &Terminal,
) -> TraceSummary<'t> {
    let file_bytes = std::fs::metadata(&trace.trace).map_or(0, |found| found.len());
    let mut summaries = TraceSummary { trace, outcome, summary: None, declared: Vec::new(), file_bytes };
    // Skip the file of a flight recorder that has written nothing yet, and skip a pipe: its data
    // belongs to the pipe's reader.
    let is_file = std::fs::metadata(&trace.trace).is_ok_and(|found| found.is_file());
    if !is_file || outcome == Some(ProcessOutcome::Running) && file_bytes == 0 {
        return summaries;
    }
    let options = Options { live: outcome == Some(ProcessOutcome::Running), ..Options::default() };
    match open_trace(&trace.trace, &options) {
        Ok(mut reader) => {
            let progress = Progress::watch([&reader], false, terminal);
            summaries.summary = Some(reader.summarize(false));
            drop(progress);
            summaries.declared = reader.schemas().all().map(|(_, schema)| schema.name.to_string()).collect();
        }
        Err(CliError { message, help, .. }) => terminal.warn(&message, help.as_deref()),
    }
    summaries
}

/// Returns sentences such as `copier ended with status 1 after 1.20 s.` and `4,100 events of 5
/// kinds in 1.19 s, 3.45 k per second.`
fn head(
    end: &RunResult<'_>,
    total: &Totals,
    summaries: &[TraceSummary<'_>],
    options: &RecordOptions,
    terminal: &Terminal,
) -> String {
    let units = Units::new(terminal.unicode);
    let how = match end.ended {
        ProgramExit::Exited(0) => "ended".to_owned(),
        ProgramExit::Exited(status) => format!("ended with status {status}"),
        ProgramExit::Killed(signal) => format!("was ended by {}", signal_name(signal)),
    };
    let took = units.duration(u64::try_from(end.took.as_nanos()).unwrap_or(u64::MAX));
    let mut sentences = vec![format!("{} {how} after {took}.", end.name)];
    let events = total.records - total.dropped_records;
    match total.span.map(|span| span.duration_ns()) {
        Some(duration_ns) if events > 0 => {
            let kinds = counted(total.events().len() as u64, "kind", "kinds");
            let events_text = counted(events, "event", "events");
            let rate = match duration_ns {
                0 => String::new(),
                _ => {
                    format!(", {} per second", quantity::per_second(events as f64 * 1e9 / duration_ns as f64))
                }
            };
            sentences.push(format!("{events_text} of {kinds} in {}{rate}.", units.duration(duration_ns)));
        }
        // The file of a running flight recorder is still empty.
        _ if end.outcomes.contains(&Some(ProcessOutcome::Running)) => {}
        _ => sentences.push(none_occurred(summaries, options)),
    }
    let recovered = end.outcomes.iter().filter_map(|outcome| match outcome {
        Some(ProcessOutcome::Recovered(events)) => Some(*events),
        _ => None,
    });
    if let Some(recovered) = recovered.reduce(u64::saturating_add) {
        let were = if recovered == 1 { "event was" } else { "events were" };
        sentences.push(format!("{} {were} recovered from memory.", count(recovered)));
    }
    sentences.iter().map(|told| terminal.paint("1", terminal.fold(told).trim_end()) + "\n").collect()
}

/// Explains why the traces contain no events: none of the enabled events occurred, or no pattern
/// matches any event.
fn none_occurred(summaries: &[TraceSummary<'_>], options: &RecordOptions) -> String {
    let declared = || {
        let metadata = summaries.iter().flat_map(|one| &one.declared);
        metadata.map(String::as_str)
    };
    let patterns = options.enabling_patterns();
    let matches = |pattern: &str| declared().any(|name| glob::matches_event(pattern, name));
    if patterns.is_empty() || declared().next().is_none() || patterns.iter().any(|pattern| matches(pattern)) {
        return "None of the enabled events occurred.".to_owned();
    }
    let quoted: Vec<String> =
        patterns.iter().map(|pattern| format!("`{}`", visible::text(pattern))).collect();
    let near = patterns.iter().find_map(|pattern| did_you_mean(pattern, declared()));
    let near = near.map(|near| format!("; {near}")).unwrap_or_else(|| ".".to_owned());
    match quoted.as_slice() {
        [one] => format!("No event of the program matches {one}{near}"),
        several => format!("No event of the program matches any of {}{near}", several.join(", ")),
    }
}

/// Describes the traces: in a sentence if there is one, in a table if there are several.
fn files(summaries: &[TraceSummary<'_>], aside: Option<&Path>, terminal: &Terminal, text: &mut String) {
    text.push('\n');
    let from_here = |path: &Path| visible_text(traces::from_here(path).as_os_str().as_encoded_bytes());
    let name = |one: &TraceSummary<'_>| from_here(&one.trace.trace);
    let before = aside.map(|old| format!("The existing file was renamed to {}.", from_here(old)));
    let before = before.map(|told| terminal.fold(&told)).unwrap_or_default();
    let note = |one: &TraceSummary<'_>| match one.outcome {
        Some(ProcessOutcome::Running) => {
            format!(" (process {} is still running and writing to it)", one.trace.pid)
        }
        _ => String::new(),
    };
    if let [one] = summaries {
        let (name, note) = (name(one), note(one));
        let has_events = one.summary.as_ref().is_none_or(|summary| summary.records > 0);
        let next = if has_events {
            let path = traces::from_here(&one.trace.trace).as_os_str().as_encoded_bytes();
            format!(
                "`ringtrace print {} --style log --time relative` shows it.\n",
                command_line(&[path, b"\0"].concat())
            )
        } else {
            String::new()
        };
        text.push_str(&terminal.fold(&format!("{name}, {}{note}.", bytes(one.file_bytes))));
        // The command stays on one line, so that it can be copied.
        text.push_str(&next);
        text.push_str(&before);
        return;
    }
    let rows = &summaries[..summaries.len().min(SHOWN_TRACES)];
    let mut table = Table::new("TRACE");
    table.column("PROCESS", 0, rows.iter().map(|one| one.trace.pid.to_string()));
    let numbers = |number: fn(&Summary) -> u64| {
        rows.iter().map(move |one| one.summary.as_ref().map_or("-".to_owned(), |all| count(number(all))))
    };
    table.column("EVENTS", 0, numbers(|summary| summary.records - summary.dropped.records));
    table.column("LOST", 0, numbers(|summary| summary.dropped.events));
    table.column("SIZE", 1, rows.iter().map(|one| bytes(one.file_bytes)));
    table.names(rows.iter().map(|one| format!("{}{}", name(one), note(one))));
    terminal.table(&table, text);
    let more = (summaries.len() - rows.len()) as u64;
    if more > 0 {
        let are = counted(more, "more trace is", "more traces are");
        text.push_str(&format!("{are} in the same folders.\n"));
    }
    text.push_str(&before);
}

/// The threads that ended before they got a buffer.
struct WithoutBuffer {
    threads: u64,
    dropped: u64,
    /// The largest number of threads in a trace.
    of: usize,
}

fn without_buffer(summaries: &[TraceSummary<'_>]) -> WithoutBuffer {
    let summaries = || summaries.iter().filter_map(|one| one.summary.as_ref());
    let mut found = WithoutBuffer { threads: 0, dropped: 0, of: 0 };
    for thread in summaries().flat_map(|summary| &summary.threads) {
        if let Some(total) = thread.total.filter(|total| total.recorded == 0 && total.dropped > 0) {
            found.threads += 1;
            found.dropped = found.dropped.saturating_add(total.dropped);
        }
    }
    found.of = summaries().map(|summary| summary.threads.len()).max().unwrap_or(0);
    found
}

/// Reports lost events, and advises how to avoid the loss.
fn warn_of_loss(total: &Totals, without: &WithoutBuffer, options: &RecordOptions, terminal: &Terminal) {
    let events = (total.records - total.dropped_records).saturating_add(total.dropped_events).max(1);
    for (cause, lost) in total.causes.iter() {
        let percent = lost as f64 * 100.0 / events as f64;
        let told = format!("{} {}", counted(lost, "event was", "events were"), cause.word());
        match cause {
            // Overwriting is what the user requested from a flight recorder.
            Cause::Overwritten if options.is_flight_recorder() => {
                terminal.note(&format!("{told} by newer events, as usual in a flight recorder"));
            }
            Cause::Overwritten => terminal.warn(&told, None),
            Cause::Dropped if without.dropped > lost / 2 => terminal.warn(
                &format!(
                    "{told}, {percent:.1}% of all: {} before they got a buffer",
                    counted(without.threads, "thread ended", "threads ended")
                ),
                Some(&format!("use --trace threads={} to create a buffer for each thread", without.of)),
            ),
            Cause::Dropped => terminal.warn(
                &format!("{told}, {percent:.1}% of all: there was no space in the threads' buffers"),
                Some("use --trace buffer=8M for larger buffers or policy=block to make the program wait, or trace fewer events"),
            ),
            Cause::Refused => terminal.warn(
                &format!("{told}, {percent:.1}% of all: they occurred within other events or in signal handlers"),
                None,
            ),
        }
    }
}
