//! `ringtrace print`: the text of traces.

use std::fs::File;
use std::io::{self, Write};
use std::num::NonZero;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::{Args, FromArgMatches, ValueEnum};
use ringtrace_tracefile::parallel::{self, Dropped};
use ringtrace_tracefile::text::{
    LineText, Look, Render, SimpletraceText, Style, TextBuffer, TimeMode, Values,
};
use ringtrace_tracefile::{Complaint, Entry, Flow, Input, Needs, Options, Reader, Traces, Visitor};
use ringtrace_wire::simpletrace::Record;
use signal_hook::consts::{SIGINT, SIGTERM};

use super::Command;
use crate::exit::{Exit, Failure};
use crate::reading::{ReadArguments, conclude, failure, open_trace};
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "print",
    configure: |command| {
        Arguments::augment_args(command).about("Print the text of traces").after_help(EXAMPLES)
    },
    run: |matches, terminal| {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Failure::usage(e.to_string()))?;
        run(&arguments, terminal)
    },
};

const EXAMPLES: &str = "\
Examples:
  ringtrace print -e trace-events-all trace-4711
  ringtrace print -e trace-events-all trace-4711 --style log --event 'qcow2_*' --since 1.5 --until 1.6
  ringtrace print -e trace-events-all trace-4711 --values typed --where 'bytes >= 64K && bs == 0x55c5e7'
  zcat trace.gz | ringtrace print -e trace-events-all - --tail 20";

#[derive(Args, Debug)]
struct Arguments {
    #[command(flatten)]
    read: ReadArguments,

    /// What a line looks like
    #[arg(long, value_enum, default_value_t, value_name = "STYLE", help_heading = "Text")]
    style: StyleWord,

    /// How values are shown: in hex, by their type, or by the event's format string
    #[arg(long, value_enum, default_value_t, value_name = "HOW", help_heading = "Text")]
    values: ValuesWord,

    /// How times are shown: microseconds since the line before, seconds since the smallest time, or wall clock
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Text")]
    time: Option<TimeWord>,

    /// Only the first N lines
    #[arg(long, value_name = "N", help_heading = "Text")]
    head: Option<u64>,

    /// Only the last N lines
    #[arg(long, value_name = "N", help_heading = "Text")]
    tail: Option<usize>,

    /// Go on as the trace grows, until interrupted; then print the totals
    #[arg(short, long, help_heading = "Text", conflicts_with = "tail")]
    follow: bool,

    /// Threads that render [default: one for each core]
    #[arg(long, value_name = "N", help_heading = "Text", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Write the text to FILE
    #[arg(short, long, value_name = "FILE", help_heading = "Text")]
    output: Option<PathBuf>,
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
    #[default]
    Hex,
    Typed,
    Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TimeWord {
    Delta,
    Relative,
    Absolute,
}

impl Arguments {
    fn look(&self, terminal: &Terminal) -> Look {
        Look {
            style: match self.style {
                StyleWord::Simpletrace => Style::Simpletrace,
                StyleWord::Log => Style::Log,
                StyleWord::LogTime => Style::LogTime,
                StyleWord::LogPid => Style::LogPid,
                StyleWord::Jsonl => Style::Jsonl,
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
            colour: terminal.colour_out && self.output.is_none(),
        }
    }
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let look = arguments.look(terminal);
    let exact = look.style == Style::Simpletrace
        && look.values == Values::Hex
        && matches!(look.time, None | Some(TimeMode::Delta))
        && !look.colour;
    let mut options = arguments.read.options()?;
    options.era_dialect = exact;
    let dated = look.style == Style::LogTime || look.time == Some(TimeMode::Absolute);
    let needs = Needs {
        origin: look.time == Some(TimeMode::Relative),
        anchor: dated || matches!(look.style, Style::LogPid | Style::Jsonl),
    };
    options.live = arguments.follow;
    let readers = if arguments.follow {
        vec![follow(&arguments.read.traces, &options)?]
    } else {
        open_all(&arguments.read.traces, &options)?
    };
    let era = readers.iter().map(Reader::era).max();
    let mut traces = arguments.read.gather(readers, needs)?;
    if dated && traces.times().anchor.is_none() {
        return Err(Failure::usage("the trace does not say how its clock goes with the wall clock")
            .help("give --epoch DATE, the time at which it was zero; or --time relative"));
    }
    let sink = Sink::open(arguments.output.as_deref())?;
    let failed = match era {
        Some(era) if exact => {
            let text = SimpletraceText::new(era);
            let text = if arguments.read.format.compat.is_none() { text.with_threads() } else { text };
            print(&mut traces, text, arguments, sink)?
        }
        _ => {
            let text = LineText::new(look, traces.times());
            print(&mut traces, text, arguments, sink)?
        }
    };
    Ok(failed.conclude(&traces, arguments, terminal))
}

fn open_all(paths: &[PathBuf], options: &Options) -> Result<Vec<Reader>, Failure> {
    paths.iter().map(|path| open_trace(path, options)).collect()
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
    let name = path.display().to_string();
    let input = match path.to_str() {
        Some("-") => Input::open(path),
        _ => Input::follow(path, stop),
    };
    let input = input.map_err(|error| Failure::system(&name, &error))?;
    Reader::new(&name, input, options).map_err(failure)
}

/// What printing came to.
struct Printed {
    failed: Vec<Complaint>,
    dropped: Dropped,
}

impl Printed {
    fn conclude(self, traces: &Traces, arguments: &Arguments, terminal: &Terminal) -> Exit {
        let exit = conclude(traces, self.failed, terminal);
        if arguments.follow {
            let records: u64 = traces.readers().iter().map(|reader| reader.records()).sum();
            terminal.note(&format!("{records} records read, {} events dropped", self.dropped.events));
            return exit;
        }
        if self.dropped.records == 0 {
            return exit;
        }
        let Dropped { records, events } = self.dropped;
        terminal.warn(&format!("{events} events were dropped while recording, in {records} places"), None);
        if exit == Exit::Done && arguments.read.format.strict { Exit::Lost } else { exit }
    }
}

fn print<R: Render + Clone + Send>(
    traces: &mut Traces,
    mut text: R,
    arguments: &Arguments,
    mut sink: Sink,
) -> Result<Printed, Failure> {
    let limited = arguments.head.is_some() || arguments.tail.is_some();
    let threads = match arguments.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, NonZero::get),
    };
    let mut dropped = Dropped::default();
    let filter = traces.filter().clone();
    if threads > 1
        && !limited
        && let Some(reader) = traces.single()
        && parallel::is_worthwhile(reader)
    {
        let write = |bytes: &[u8]| sink.file.write_all(bytes);
        let (counted, result) = parallel::render(reader, &filter, &mut text, threads, write)
            .map_err(|error| Failure::system(&sink.name, &error))?;
        dropped = counted;
        if let Err(complaint) = result {
            return Ok(Printed { failed: vec![complaint], dropped });
        }
    }
    let mut printer = Printer {
        text,
        out: TextBuffer::with_capacity(2 * FLUSH_BYTES),
        sink,
        refused: None,
        left: arguments.head.unwrap_or(u64::MAX),
        limited,
        tail: arguments.tail.map(Tail::new),
        dropped,
    };
    let failed =
        if printer.left == 0 { Vec::new() } else { traces.for_each(&mut printer).err().unwrap_or_default() };
    if let Some(tail) = printer.tail.take() {
        printer.out.clear();
        printer.out.push(&tail.text());
    }
    printer.flush();
    match printer.refused {
        Some(error) => Err(Failure::system(printer.sink.name, &error)),
        None => Ok(Printed { failed, dropped: printer.dropped }),
    }
}

/// How much text is written at once.
const FLUSH_BYTES: usize = 1 << 18;

/// Where the text goes.
struct Sink {
    file: File,
    name: String,
}

impl Sink {
    fn open(path: Option<&Path>) -> Result<Sink, Failure> {
        let (file, name) = match path {
            Some(path) => (File::create(path), path.display().to_string()),
            // The file itself, not the line-buffered face that the standard library gives it.
            None => (io::stdout().as_fd().try_clone_to_owned().map(File::from), "standard output".to_owned()),
        };
        match file {
            Ok(file) => Ok(Sink { file, name }),
            Err(error) => Err(Failure::system(name, &error)),
        }
    }
}

/// Renders entries, and writes the text when there is enough of it.
struct Printer<R> {
    text: R,
    out: TextBuffer,
    sink: Sink,
    refused: Option<io::Error>,
    /// Lines to go.
    left: u64,
    /// Whether lines are counted at all.
    limited: bool,
    tail: Option<Tail>,
    dropped: Dropped,
}

impl<R: Render> Visitor for Printer<R> {
    #[inline(always)]
    fn quick(&mut self, record: &Record<'_>, schema_index: u32) -> Option<Flow> {
        if self.limited || !self.text.render_quick(record, schema_index, &mut self.out) {
            return None;
        }
        Some(if self.out.len() < FLUSH_BYTES { Flow::Continue } else { self.flush() })
    }

    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.dropped.note(entry);
        self.text.render(entry, &mut self.out);
        self.left -= 1;
        if let Some(tail) = &mut self.tail {
            tail.push(self.out.as_bytes());
            self.out.clear();
        }
        if self.left == 0 {
            return Flow::Stop;
        }
        if self.out.len() < FLUSH_BYTES { Flow::Continue } else { self.flush() }
    }

    fn idle(&mut self) {
        self.flush();
    }
}

impl<R> Printer<R> {
    #[cold]
    fn flush(&mut self) -> Flow {
        if self.refused.is_none() {
            self.refused = self.sink.file.write_all(self.out.as_bytes()).err();
        }
        self.out.clear();
        if self.refused.is_none() { Flow::Continue } else { Flow::Stop }
    }
}

/// The last lines of a text.
struct Tail {
    wanted: usize,
    text: Vec<u8>,
    /// Where each line ends in `text`.
    ends: Vec<usize>,
}

impl Tail {
    fn new(wanted: usize) -> Tail {
        Tail { wanted, text: Vec::new(), ends: Vec::new() }
    }

    fn push(&mut self, line: &[u8]) {
        // Twice as many are kept before the first half is given up, so that each is moved once.
        if self.ends.len() >= 2 * self.wanted.max(512) {
            self.forget();
        }
        self.text.extend_from_slice(line);
        self.ends.push(self.text.len());
    }

    fn forget(&mut self) {
        let surplus = self.ends.len().saturating_sub(self.wanted);
        let cut = if surplus == 0 { 0 } else { self.ends[surplus - 1] };
        self.text.drain(..cut);
        self.ends.drain(..surplus);
        self.ends.iter_mut().for_each(|end| *end -= cut);
    }

    fn text(mut self) -> Vec<u8> {
        self.forget();
        self.text
    }
}
