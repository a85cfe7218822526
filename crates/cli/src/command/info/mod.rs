//! `ringtrace info`: summarizes traces, reading each once.

mod json;
mod lines;
mod recording;
mod report;
mod total;

use std::path::PathBuf;

use crate::output::print;
use clap::Args;
use jiff::Timestamp;
use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::summary::Summary;
use ringtrace_tracefile::{Options, Reader};

pub use self::report::event_table;
pub use self::total::Totals;
use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::progress::Progress;
use crate::reading::{Ending, FormatArguments, check_epochs, ending, note_removed, open_traces, set_epoch};
use crate::terminal::Terminal;
use crate::values::{Epoch, parse_number};

pub const COMMAND: Command = Command {
    name: "info",
    about: "Summarize traces: contents, dropped events, damage",
    configure: |command| Arguments::augment_args(command).after_help(AFTER_HELP),
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const AFTER_HELP: &str = "\
Examples:
  ringtrace info trace-4711
  ringtrace info --check --events trace-events-all trace-*
  ringtrace info --json trace-4711 | jq .dropped.events

v4 traces contain the names of their events; for v0 to v3, --events provides them.
Exit status 1: a trace is damaged; 3, with --strict: events were dropped.";

#[derive(Args, Debug)]
struct Arguments {
    /// Traces, or folders of rotated traces; `-` is standard input
    #[arg(value_name = "TRACE", required = true)]
    traces: Vec<PathBuf>,

    /// Declarations of the program that wrote the trace (QEMU: trace-events-all); for several files, repeat the option in the order used by the build
    #[arg(short, long, value_name = "FILE")]
    events: Vec<PathBuf>,

    /// Check the arguments of every record against its declaration, from --events or from the trace
    #[arg(long)]
    check: bool,

    /// Read large compact traces completely: count their events, and verify all blocks
    #[arg(long)]
    full: bool,

    /// Show only the N events and threads with the most records; 0 shows all [default: all events, 50 threads]
    #[arg(long, value_name = "N", value_parser = parse_number::<usize>)]
    top: Option<usize>,

    /// Print one line of JSON for each trace
    #[arg(long, conflicts_with = "top")]
    json: bool,

    /// Wall-clock time of zero on the traces' clock: a date, or seconds since 1970; FILE=DATE is for one of the traces, and
    /// can be repeated
    #[arg(long, value_name = "[FILE=]DATE", allow_hyphen_values = true, value_parser = Epoch::parse)]
    epoch: Vec<Epoch>,

    #[command(flatten)]
    format: FormatArguments,
}

impl Arguments {
    /// Returns whether the summary of a large compact trace may lack the counts of events. JSON for
    /// scripts is always complete.
    fn accepts_outline(&self) -> bool {
        let needs_counts = self.full || self.check || self.json || self.top.is_some();
        !needs_counts && self.events.is_empty() && !self.format.keep_going
    }
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    check_epochs(&arguments.epoch, &arguments.traces)?;
    // The summary lists all errors, so reading must not stop at the first one.
    let options =
        Options { strict: false, skips_damage: true, ..arguments.format.options(&arguments.events)? };
    let mut total = Totals::default();
    let mut exit = Exit::Done;
    let opened = arguments.traces.iter().flat_map(|path| match open_traces(path, &options) {
        Ok(readers) => readers.into_iter().map(|reader| (path, Ok(reader))).collect::<Vec<_>>(),
        Err(failure) => vec![(path, Err(failure))],
    });
    for (path, reader) in opened {
        let separator = if total.traces > 0 && !arguments.json { "\n" } else { "" };
        let reader = reader.map(|mut reader| {
            set_epoch(&arguments.epoch, path, &mut reader);
            reader
        });
        let (text, ended) = match reader.map(|reader| look_at(reader, arguments, terminal)) {
            Ok(trace) => {
                total.add(&trace.summary);
                let ended = trace.exit(arguments.format.strict);
                let text = if arguments.json {
                    json::render(&trace)?
                } else {
                    report::render(&trace, arguments, terminal)
                };
                (format!("{separator}{text}"), ended)
            }
            Err(failure) => {
                terminal.report(&failure);
                let text = if arguments.json { json::render_failure(path, &failure)? } else { String::new() };
                (text, failure.exit)
            }
        };
        print(&text)?;
        exit = exit.worse(ended);
    }
    if total.traces > 1 && !arguments.json {
        print(report::render_total(&total, arguments, terminal))?;
    }
    Ok(exit)
}

/// A trace that was read completely, and its summary.
struct TraceInfo {
    reader: Reader,
    summary: Summary,
    /// The relation of the trace's clock to the wall clock. `--epoch` takes precedence over the
    /// trace.
    anchor: Option<Anchor>,
    ending: Option<Ending>,
}

fn look_at(mut reader: Reader, arguments: &Arguments, terminal: &Terminal) -> TraceInfo {
    let progress = Progress::watch([&reader], false, terminal);
    let outline = if arguments.accepts_outline() { reader.outline() } else { None };
    let mut summary = outline.unwrap_or_else(|| reader.summarize(arguments.check));
    drop(progress);
    let anchor = reader.anchor();
    let ending = ending(&reader);
    if ending.is_some() {
        // A trace without records would otherwise count as finished.
        summary.ended = summary.ended.map(|_| false);
    }
    note_removed(&reader, terminal);
    TraceInfo { reader, summary, anchor, ending }
}

impl TraceInfo {
    fn exit(&self, strict: bool) -> Exit {
        match &self.summary.failed {
            Some(failed) if failed.kind() == ringtrace_tracefile::ErrorKind::System => Exit::System,
            _ if self.summary.is_damaged() => Exit::Input,
            _ if strict && (self.summary.dropped.has_any() || self.ending.is_some_and(Ending::has_lost)) => {
                Exit::Lost
            }
            _ => Exit::Done,
        }
    }

    fn written_by(&self) -> &'static str {
        // Only ringtrace writes threaded traces.
        if self.reader.is_threaded() { "ringtrace" } else { self.reader.version().info().written_by }
    }
}

/// Formats the wall-clock time of `timestamp_ns`: `2026-11-20T12:54:11.722755Z`.
fn wall_clock(anchor: Anchor, timestamp_ns: u64) -> String {
    let realtime_ns = anchor.realtime_ns(timestamp_ns);
    match Timestamp::from_nanosecond(realtime_ns) {
        Ok(timestamp) => timestamp.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string(),
        // The year is outside the range from -9999 to 9999.
        Err(_) => format!("@{}", realtime_ns / 1_000_000_000),
    }
}
