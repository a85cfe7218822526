//! `ringtrace print`: the text of traces.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::{Args, FromArgMatches, ValueEnum};
use ringtrace_tracefile::text::{JsonText, LineText, Look, SimpletraceText, Style, TimeMode, Values};
use ringtrace_tracefile::{Input, Needs, Options, Reader};
use signal_hook::consts::{SIGINT, SIGTERM};

use super::Command;
use crate::exit::{Exit, Failure};
use crate::printing::{self, Extent, Sink};
use crate::progress::Progress;
use crate::quantity::counted;
use crate::reading::{ReadArguments, conclude, note_pauses, open_input, told_of_dropped};
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "print",
    about: "Print the text of traces",
    configure: |command| Arguments::augment_args(command).after_help(EXAMPLES),
    run: |matches, terminal| {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Failure::usage(e.to_string()))?;
        run(&arguments, terminal)
    },
};

const EXAMPLES: &str = "\
Examples:
  ringtrace print -e trace-events-all trace-4711
  ringtrace print -e trace-events-all trace-4711 --style log --event 'qcow2_*'
  ringtrace print -e trace-events-all trace-4711 --since 1.5 --until 1.6
  ringtrace print -e trace-events-all trace-4711 --where 'bytes >= 64K'
  zcat trace.gz | ringtrace print -e trace-events-all - --tail 20";

#[derive(Args, Debug)]
struct Arguments {
    /// What a line looks like
    #[arg(long, value_enum, default_value_t, value_name = "STYLE", help_heading = "Text")]
    style: StyleWord,

    /// How values are shown
    #[arg(long, value_enum, default_value_t, value_name = "HOW", help_heading = "Text")]
    values: ValuesWord,

    /// How times are shown [default: as the style has them]
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Text")]
    time: Option<TimeWord>,

    /// Only the first N lines
    #[arg(long, value_name = "N", help_heading = "Text")]
    head: Option<u64>,

    /// Only the last N lines
    #[arg(long, value_name = "N", help_heading = "Text")]
    tail: Option<usize>,

    /// Go on as the trace grows, until interrupted; then print the totals
    #[arg(short, long, help_heading = "Text", conflicts_with_all = ["tail", "sort"])]
    follow: bool,

    /// Threads that render [default: one for each core]
    #[arg(long, value_name = "N", help_heading = "Text", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Write the text to FILE; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Text")]
    output: Option<PathBuf>,

    #[command(flatten)]
    read: ReadArguments,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum StyleWord {
    /// `NAME DELTA pid=PID ARG=VALUE..`, as QEMU's simpletrace prints it
    #[default]
    Simpletrace,
    /// `NAME FORMATTED`, as QEMU's log backend prints it
    Log,
    /// The same after the wall-clock time
    LogTime,
    /// The same after `PID@SECONDS.MICROSECONDS:`
    LogPid,
    /// A JSON object a line
    Jsonl,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ValuesWord {
    /// All integers in hex, as QEMU's simpletrace does
    #[default]
    Hex,
    /// By the argument's type: `-5`, `true`, `"text"`, pointers in hex
    Typed,
    /// As the event's format string says
    Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TimeWord {
    /// Microseconds since the line before
    Delta,
    /// Seconds since the smallest time of all traces
    Relative,
    /// Wall clock, where the trace tells it or `--epoch` does
    Absolute,
}

impl Arguments {
    /// The file to write, if it is not standard output.
    fn output(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| path.as_os_str() != "-")
    }

    /// What lines look like; JSON has no look.
    fn look(&self, terminal: &Terminal) -> Option<Look> {
        Some(Look {
            style: match self.style {
                StyleWord::Jsonl => return None,
                StyleWord::Simpletrace => Style::Simpletrace,
                StyleWord::Log => Style::Log,
                StyleWord::LogTime => Style::LogTime,
                StyleWord::LogPid => Style::LogPid,
            },
            values: match self.values {
                ValuesWord::Hex => Values::Hex,
                ValuesWord::Typed => Values::Typed,
                ValuesWord::Format => Values::Format,
            },
            time: self.time.map(|time| match time {
                TimeWord::Delta => TimeMode::Delta,
                TimeWord::Relative => TimeMode::Relative,
                TimeWord::Absolute => TimeMode::Absolute,
            }),
            colour: terminal.colour_out && self.output().is_none(),
            raw_strings: false,
            harmless: self.output().is_none() && io::stdout().is_terminal(),
        })
    }
}

/// Whether lines look like those of QEMU's reader. Where they do not go to a terminal, they are the same to the byte.
fn is_readers(look: &Look) -> bool {
    look.style == Style::Simpletrace
        && look.values == Values::Hex
        && matches!(look.time, None | Some(TimeMode::Delta))
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let look = arguments.look(terminal);
    if let Some(out) = arguments.output() {
        arguments.read.check_output(out)?;
    }
    let mut options = arguments.read.options()?;
    options.era_dialect = look.as_ref().is_some_and(is_readers);
    let dated =
        look.is_some_and(|look| look.style == Style::LogTime || look.time == Some(TimeMode::Absolute));
    let needs = Needs {
        origin: look.is_some_and(|look| look.time == Some(TimeMode::Relative)),
        anchor: dated || look.is_none_or(|look| look.style == Style::LogPid),
    };
    options.live = arguments.follow;
    let readers = if arguments.follow {
        vec![follow(&arguments.read.traces, &options)?]
    } else {
        arguments.read.open(&options)?
    };
    let era = readers.iter().map(Reader::era).max();
    // What is followed has no end to wait for.
    let watched = if arguments.follow { &[] } else { readers.as_slice() };
    let progress = Progress::watch(watched, arguments.output().is_none(), terminal);
    let mut traces = arguments.read.gather(readers, needs)?;
    if dated && traces.times().anchor.is_none() {
        return Err(Failure::usage("the trace does not say how its clock goes with the wall clock")
            .help("give --epoch DATE, the time at which it was zero; or --time relative"));
    }
    let sink = Sink::open(arguments.output())?;
    let extent = Extent { head: arguments.head, tail: arguments.tail, threads: arguments.threads };
    let times = traces.times();
    let printed = match (look, era) {
        (None, _) => printing::print(&mut traces, JsonText::new(times), extent, sink)?,
        (Some(look), Some(era)) if is_readers(&look) && !look.harmless => {
            let text = SimpletraceText::new(era);
            let text = if arguments.read.format.compat.is_none() { text.with_threads() } else { text };
            printing::print(&mut traces, text, extent, sink)?
        }
        (Some(look), era) => {
            let raw_strings = era.is_some_and(|era| !era.info().bytes_literals);
            printing::print(&mut traces, LineText::new(Look { raw_strings, ..look }, times), extent, sink)?
        }
    };
    drop(progress);
    let exit = conclude(&traces, printed.failed, terminal);
    note_pauses(&traces, terminal);
    if arguments.follow {
        let records = traces.readers().iter().map(|reader| reader.records()).sum();
        let lost = if printed.dropped.records == 0 { ", no event was dropped" } else { "" };
        terminal.note(&format!("{} read{lost}", counted(records, "record", "records")));
    }
    if printed.dropped.records == 0 {
        return Ok(exit);
    }
    terminal.warn(&told_of_dropped(printed.dropped), None);
    Ok(if exit == Exit::Done && arguments.read.format.strict { Exit::Lost } else { exit })
}

/// Opens a trace that grows; an interrupt ends it, not the tool.
fn follow(paths: &[PathBuf], options: &Options) -> Result<Reader, Failure> {
    let [path] = paths else {
        return Err(Failure::usage("--follow takes one trace").help("follow each in a terminal of its own"));
    };
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // A second one ends the tool at once.
        signal_hook::flag::register_conditional_default(signal, Arc::clone(&stop))
            .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&stop)))
            .map_err(|error| Failure::system("signals", &error))?;
    }
    let is_stdin = path.as_os_str() == "-";
    open_input(path, if is_stdin { Input::open(path) } else { Input::follow(path, stop) }, options)
}
