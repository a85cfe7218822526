//! `ringtrace stat`: how often, how fast, with what gaps; and how long from one event to another.

mod groups;
mod pairs;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, FromArgMatches, ValueEnum};
use ringtrace_events::Source;
use ringtrace_tracefile::pair::PairSpec;
use ringtrace_tracefile::statistics::{By, DEFAULT_MAX_GROUPS, Lost, Sketch};
use ringtrace_tracefile::{Complaint, Entry, Flow, Input, Options, Reader, Schemas};
use serde::Serialize;

use super::Command;
use crate::exit::{Exit, Failure};
use crate::quantity::counted;
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "stat",
    configure: |command| {
        let command = command.about("Count events, and measure the time between them").after_help(EXAMPLES);
        Arguments::augment_args(command)
    },
    run: |matches, terminal| {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Failure::usage(e.to_string()))?;
        run(&arguments, terminal)
    },
};

const EXAMPLES: &str = "\
Examples:
  ringtrace stat --events trace-events-all trace-4711
  ringtrace stat --by size --sort name trace-4711
  ringtrace stat --pair blk_submit:blk_complete:req trace-4711
  ringtrace stat --pair alloc:release:result=ptr --pair lock:unlock:mutex,tid trace-4711";

#[derive(Args)]
struct Arguments {
    /// Declarations of the program that wrote the trace (QEMU: trace-events-all)
    #[arg(long, value_name = "FILE")]
    events: Vec<PathBuf>,
    /// What a row is: `event`, `pid`, `tid`, or the name of an argument for a row for each of its values
    #[arg(long, value_name = "WHAT", default_value = "event", value_parser = parse_by)]
    by: By,
    /// The order of rows: most events, highest rate or longest gap first, or by name
    #[arg(long, value_enum, value_name = "ORDER", default_value = "count", conflicts_with = "pair")]
    sort: Sort,
    /// Show only this many rows; 0 shows all [default: 100, all with --json]
    #[arg(long, value_name = "N", conflicts_with = "pair")]
    top: Option<usize>,
    /// Keep at most this many rows; events of further ones are counted together as `(other)`
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_GROUPS, conflicts_with = "pair")]
    max_groups: usize,
    /// Measure from event BEGIN to the event END that has the same KEY: an argument of both, `pid` or `tid`, or
    /// several with commas; ARG=ARG where it has two names. Can be given several times
    #[arg(long, value_name = "BEGIN:END[:KEY]", value_parser = parse_pair, conflicts_with = "by")]
    pair: Vec<PairSpec>,
    /// Follow at most this many begins of a pair at a time [default: 917,504 over all pairs]
    #[arg(long, value_name = "N", requires = "pair")]
    max_open: Option<usize>,
    /// Print JSON for programs, with all that was counted
    #[arg(long)]
    json: bool,
    /// Exit with status 3 when the trace says that events were dropped
    #[arg(long)]
    strict: bool,
    /// The traces; `-` is standard input
    #[arg(required = true)]
    trace: Vec<PathBuf>,
}

/// The order of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sort {
    Count,
    Rate,
    Name,
    Gap,
}

fn parse_by(text: &str) -> Result<By, String> {
    let argument = text.strip_prefix("arg.").unwrap_or(text);
    match text {
        "event" => Ok(By::Event),
        "pid" => Ok(By::Pid),
        "tid" => Ok(By::Tid),
        _ if !argument.is_empty()
            && argument.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') =>
        {
            Ok(By::Argument(argument.to_owned()))
        }
        _ => Err("expected `event`, `pid`, `tid` or the name of an argument".to_owned()),
    }
}

fn parse_pair(text: &str) -> Result<PairSpec, String> {
    PairSpec::parse(text).map_err(|error| format!("{error}; {}", error.help))
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let traces = Traces::open(arguments)?;
    if arguments.pair.is_empty() {
        groups::run(arguments, traces, terminal)
    } else {
        pairs::run(arguments, traces, terminal)
    }
}

/// The traces that are looked at.
struct Traces {
    readers: Vec<Reader>,
}

impl Traces {
    fn open(arguments: &Arguments) -> Result<Traces, Failure> {
        let mut options = Options::default();
        for path in &arguments.events {
            let text =
                std::fs::read_to_string(path).map_err(|error| Failure::system(path.display(), &error))?;
            options.sources.push(Source::new(path.display().to_string(), text));
        }
        let mut readers = Vec::new();
        for path in &arguments.trace {
            let name = path.display().to_string();
            let input = Input::open(path).map_err(|error| Failure::system(&name, &error))?;
            readers.push(Reader::new(&name, input, &options).map_err(|complaint| failure(&complaint))?);
        }
        Ok(Traces { readers })
    }

    /// What is declared by now, trace by trace.
    fn schemas(&self) -> Vec<&Schemas> {
        self.readers.iter().map(|reader| &**reader.schemas()).collect()
    }

    /// Whether any event is declared by now. Traces that describe themselves declare theirs only later.
    fn declares_any(&self) -> bool {
        self.schemas().iter().any(|schemas| schemas.all().next().is_some())
    }

    /// Gives all entries to `visit`. What was read before an error has been given.
    fn read(&mut self, mut visit: impl FnMut(&Entry<'_>) -> Flow) -> Result<(), Failure> {
        for reader in &mut self.readers {
            let flow = reader.for_each(|entry: &Entry<'_>| visit(entry));
            if flow.map_err(|complaint| failure(&complaint))? == Flow::Stop {
                break;
            }
        }
        Ok(())
    }
}

fn failure(complaint: &Complaint) -> Failure {
    let failure = Failure::input(complaint.to_string());
    match &complaint.help {
        Some(help) => failure.help(help.clone()),
        None => failure,
    }
}

/// Puts out what was found, and decides how the command ends: also after an `error` the numbers up to it are shown.
fn finish(
    text: &str,
    error: Result<(), Failure>,
    lost: Lost,
    arguments: &Arguments,
) -> Result<Exit, Failure> {
    io::stdout()
        .lock()
        .write_all(text.as_bytes())
        .map_err(|error| Failure::system("standard output", &error))?;
    error?;
    Ok(if arguments.strict && lost.records > 0 { Exit::Lost } else { Exit::Done })
}

/// Says what was dropped, whatever else is shown.
fn tell_lost(lost: Lost, terminal: &Terminal, out: &mut String) {
    if lost.records == 0 {
        out.push_str("No event was dropped.\n");
        return;
    }
    let told = format!(
        "{} dropped, as {} in the trace say{}: counts are lower bounds, times can span what is missing.",
        counted(lost.events, "event was", "events were"),
        counted(lost.records, "record", "records"),
        if lost.records == 1 { "s" } else { "" }
    );
    out.push_str(&terminal.paint("1;33", &told));
    out.push('\n');
}

/// How far percentiles can be off, in percent, for people.
fn error_percent() -> String {
    format!("{:.1}%", Sketch::RELATIVE_ERROR * 100.0)
}

/// A distribution of durations in JSON. Without values only `count` is there.
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

/// `document` as text.
fn json(document: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(document);
    text.map(|text| text + "\n").map_err(|error| Failure::system("standard output", &error.into()))
}
