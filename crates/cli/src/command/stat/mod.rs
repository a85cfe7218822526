//! `ringtrace stat`: counts events, and measures rates, gaps and latencies.

mod arguments;
mod groups;
mod pairs;
mod spans;

use std::fmt;

use crate::output::print;
use crate::values::{parse_in, parse_number};
use clap::{Args, ValueEnum};
use ringtrace_tracefile::statistics::{DEFAULT_MAX_GROUPS, GroupBy, Sketch};
use ringtrace_tracefile::{Dropped, Pause, Traces};
use serde::Serialize;

use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::pair_arguments::{PairArguments, known};
use crate::quantity::Units;
use crate::reading::{
    Ending, ReadArguments, ReadOutcome, all_pauses, conclude, ending, is_damaged, note_empty,
};
use crate::terminal::Terminal;
use ringtrace_display::Table;
use ringtrace_report::wording::{describe_dropped, describe_pauses};

pub const COMMAND: Command = Command {
    name: "stat",
    about: "Count events and measure the time between them",
    configure: |command| Arguments::augment_args(command).after_help(EXAMPLES),
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const EXAMPLES: &str = "\
Examples:
  ringtrace stat --events trace-events-all trace-4711
  ringtrace stat --by size --order name trace-4711
  ringtrace stat --hist len --sum len trace-4711
  ringtrace stat --percentiles len --by thread trace-4711
  ringtrace stat --pair blk_submit:blk_complete:req trace-4711
  ringtrace stat --pair alloc:release:result=ptr trace-4711
  ringtrace stat --pair lock:unlock:mutex,tid --pair read:done:req trace-4711
  ringtrace stat --pair read:done:req --by status --slowest 5 trace-4711";

#[derive(Args, Debug)]
struct Arguments {
    /// Print JSON, with everything that was counted
    #[arg(long)]
    json: bool,

    /// Group by `event`, `pid`, `tid`, `thread` (its name), `host`, `trace`, or the name of an argument (one row for each
    /// value) [default: event]. With pairs, ARG is an argument of the end event, or of the begin event if the end event does
    /// not have it; begin.ARG and end.ARG select one of them
    #[arg(long, value_name = "WHAT", value_parser = parse_by, help_heading = "Counting")]
    by: Option<By>,

    /// Order of rows: most events first, highest rate first (from the first to the last event), by name, or longest gap first
    /// [default: count; with --sum, the largest sum first]
    #[arg(long, value_enum, value_name = "ORDER", help_heading = "Counting")]
    order: Option<Order>,

    /// Show only the first N rows; 0 shows all [default: 100, all with --json]
    #[arg(long, value_name = "N", value_parser = parse_number::<usize>, help_heading = "Counting")]
    top: Option<usize>,

    /// Keep at most N rows, and count other events together as `(other)`
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_GROUPS, value_parser = parse_number::<usize>, help_heading = "Counting")]
    max_groups: usize,

    /// Draw a histogram of the values of a numeric argument, for each event or each value of --by; repeat for more
    #[arg(long, value_name = "ARG", value_parser = parse_argument, conflicts_with_all = ["pair", "pairs"], help_heading = "Values of arguments")]
    hist: Vec<String>,

    /// Add up the values of a numeric argument, by event or by --by
    #[arg(long, value_name = "ARG", value_parser = parse_argument, conflicts_with_all = ["pair", "pairs"], help_heading = "Values of arguments")]
    sum: Vec<String>,

    /// Print the smallest and largest value, the mean and percentiles of a numeric argument, by event or by --by
    #[arg(long, value_name = "ARG", value_parser = parse_argument, conflicts_with_all = ["pair", "pairs"], help_heading = "Values of arguments")]
    percentiles: Vec<String>,

    /// Number of threads that count; values of arguments, pairs with --by or --slowest, and pairs whose key is not
    /// one integer are always counted by one [default: one for each core]
    #[arg(long, value_name = "N", value_parser = |text: &str| parse_in(text, &(1..=256_u16)), help_heading = "Counting")]
    threads: Option<u16>,

    #[command(flatten)]
    pairs: PairArguments,

    /// Track at most N open spans of each pair [default: 917504, divided among the pairs]
    #[arg(long, value_name = "N", value_parser = parse_number::<usize>, requires = "PairArguments", help_heading = "Pairs")]
    max_open: Option<usize>,

    /// Show the N slowest spans of each pair with their records; at most 1000
    #[arg(long, value_name = "N", value_parser = parse_slowest, requires = "PairArguments", help_heading = "Pairs")]
    slowest: Option<usize>,

    #[command(flatten)]
    read: ReadArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    Count,
    Rate,
    Name,
    Gap,
}

/// The value of `--by`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct By {
    /// For pairs, whether the argument must be in the begin event or in the end event.
    side: Option<Side>,
    by: GroupBy,
}

/// One of the two records of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Begin,
    End,
}

impl fmt::Display for By {
    /// Formats the value as users write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.side, &self.by) {
            (Some(Side::Begin), GroupBy::Argument(name)) => write!(f, "begin.{name}"),
            (Some(Side::End), GroupBy::Argument(name)) => write!(f, "end.{name}"),
            (_, by) => write!(f, "{by}"),
        }
    }
}

fn parse_by(text: &str) -> Result<By, String> {
    let sides = [("begin.", Side::Begin), ("end.", Side::End)];
    for (prefix, side) in sides {
        if let Some(name) = text.strip_prefix(prefix).filter(|name| is_argument(name)) {
            return Ok(By { side: Some(side), by: GroupBy::Argument(name.to_owned()) });
        }
    }
    let by = match text {
        "event" => GroupBy::Event,
        "pid" => GroupBy::Pid,
        "tid" => GroupBy::Tid,
        "thread" => GroupBy::Thread,
        "host" => GroupBy::Host,
        "trace" => GroupBy::Trace,
        _ => match parse_argument(text) {
            Ok(name) => GroupBy::Argument(name),
            Err(_) => {
                let known = "`event`, `pid`, `tid`, `thread`, `host`, `trace`";
                return Err(format!("expected {known} or the name of an argument"));
            }
        },
    };
    Ok(By { side: None, by })
}

/// Parses the name of an argument, or `arg.` and the name.
fn parse_argument(text: &str) -> Result<String, String> {
    let name = text.strip_prefix("arg.").unwrap_or(text);
    match is_argument(name) {
        true => Ok(name.to_owned()),
        false => Err("expected the name of an argument".to_owned()),
    }
}

fn is_argument(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The maximum of `--slowest`, which limits the memory for records.
const MAX_SLOWEST: usize = 1000;

fn parse_slowest(text: &str) -> Result<usize, String> {
    match parse_number::<usize>(text)? {
        number @ 1..=MAX_SLOWEST => Ok(number),
        _ => Err(format!("expected a number from 1 to {MAX_SLOWEST}")),
    }
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    if arguments.pairs.is_given() {
        pairs::run(arguments, terminal)
    } else {
        groups::run(arguments, terminal)
    }
}

/// Returns whether `--by` selects the origins of traces.
fn needs_origins(arguments: &Arguments) -> bool {
    arguments.by.as_ref().is_some_and(|by| matches!(by.by, GroupBy::Host | GroupBy::Trace))
}

/// Returns whether any event has been declared so far, and no trace is missing that may declare others. The
/// declarations of a self-describing trace are found only while it is read.
fn declares_any(traces: &Traces) -> bool {
    traces.missing().is_none() && known(traces).iter().any(|schemas| schemas.all().next().is_some())
}

/// Prints `text`, then reports errors and warnings.
fn print_and_conclude(
    text: &str,
    traces: &Traces,
    outcome: ReadOutcome,
    arguments: &Arguments,
    terminal: &Terminal,
) -> Result<Exit, CliError> {
    print(text)?;
    let is_whole = outcome.failed.is_empty();
    let exit = conclude(traces, outcome, arguments.read.format.strict, terminal);
    if is_whole {
        note_empty(traces, terminal);
    }
    Ok(exit)
}

/// Appends the losses: dropped events, and pauses of the recording. `is_whole` is set if the traces
/// could be read to their ends.
fn push_losses(dropped: Dropped, is_whole: bool, traces: &Traces, terminal: &Terminal, out: &mut String) {
    let warning = |text: &str| terminal.paint("1;33", terminal.fold(text).trim_end()) + "\n";
    out.push_str(&match traces.readers().into_iter().find_map(ending) {
        _ if dropped.records > 0 => warning(&format!(
            "{}: counts are lower bounds, and measured times can include gaps.",
            describe_dropped(dropped)
        )),
        Some(Ending::Killed(_)) => warning("The program was killed: its last events are missing."),
        Some(Ending::Unwritten(_)) => {
            warning("The program could not write its last events, which are missing.")
        }
        Some(Ending::Running(_)) => {
            "No events have been dropped so far; the program is still running.\n".to_owned()
        }
        _ if !is_whole || traces.missing().is_some() || traces.readers().into_iter().any(is_damaged) => {
            warning("No event was dropped in the readable part.")
        }
        Some(Ending::Unfinished) => warning(
            "No event was dropped up to the end of the trace, but the program did not finish the trace.",
        ),
        None | Some(Ending::Empty(_)) => "No event was dropped.\n".to_owned(),
    });
    if let Some(pauses) = describe_pauses(&all_pauses(traces), Units::new(terminal.unicode)) {
        out.push_str(&warning(&format!(
            "Recording was off {pauses}: events from that time are not in the trace."
        )));
    }
}

/// Adds the columns of a distribution to a table: minimum, percentiles, maximum and mean.
/// `headings` contains the heading and the rank of each column, as in [`Table::column`].
fn push_durations<'s>(
    table: &mut Table,
    headings: [(&'static str, u32); 7],
    rows: &(impl Iterator<Item = &'s Sketch> + Clone),
    terminal: &Terminal,
) {
    let units = Units::new(terminal.unicode);
    let measures: [fn(&Sketch) -> Option<u64>; 7] = [
        Sketch::min,
        |sketch| sketch.percentile(5000),
        |sketch| sketch.percentile(9000),
        |sketch| sketch.percentile(9900),
        |sketch| sketch.percentile(9990),
        Sketch::max,
        Sketch::mean,
    ];
    for ((heading, rank), measure) in headings.into_iter().zip(measures) {
        let cell = |sketch| measure(sketch).map_or("-".to_owned(), |ns| units.duration(ns));
        table.column(heading, rank, rows.clone().map(cell));
    }
}

/// The pauses of the recording, in JSON.
#[derive(Serialize)]
struct Paused {
    pauses: usize,
    paused_ns: u64,
}

impl Paused {
    fn of(traces: &Traces) -> Paused {
        let pauses = all_pauses(traces);
        Paused {
            pauses: pauses.len(),
            paused_ns: pauses.iter().map(Pause::duration_ns).fold(0, u64::saturating_add),
        }
    }
}

/// Returns the maximum error of the percentiles, formatted as a percentage.
fn error_percent() -> String {
    format!("{:.1}%", Sketch::RELATIVE_ERROR * 100.0)
}

/// A distribution of durations in JSON. If there are no values, all members except `count` are
/// null.
#[derive(Serialize)]
struct Distribution {
    count: u64,
    min_ns: Option<u64>,
    mean_ns: Option<u64>,
    p50_ns: Option<u64>,
    p90_ns: Option<u64>,
    p99_ns: Option<u64>,
    p99_9_ns: Option<u64>,
    max_ns: Option<u64>,
}

impl Distribution {
    fn of(sketch: &Sketch) -> Distribution {
        Distribution {
            count: sketch.count(),
            min_ns: sketch.min(),
            mean_ns: sketch.mean(),
            p50_ns: sketch.percentile(5000),
            p90_ns: sketch.percentile(9000),
            p99_ns: sketch.percentile(9900),
            p99_9_ns: sketch.percentile(9990),
            max_ns: sketch.max(),
        }
    }
}
