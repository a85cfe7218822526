//! `ringtrace print`: writes traces as text.

mod growing;
mod program;

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::values::{parse_in, parse_number};
use clap::{Args, ValueEnum};
use ringtrace_tracefile::folder::{self, FolderFile};
use ringtrace_tracefile::text::{
    JsonText, LineOptions, LineStyle, LineText, OriginPart, OriginTexts, Render, SimpletraceText,
    SurroundedText, TimeMode, ValueStyle,
};
use ringtrace_tracefile::{
    Dropped, Entry, Filter, FilterOptions, Flow, Input, Needs, Options, Times, Traces,
};
use signal_hook::consts::{SIGINT, SIGTERM};

use self::program::FollowedProgram;
use super::{Command, parse_arguments};
use crate::context::{self, ContextLimits};
use crate::exit::{CliError, Exit};
use crate::monitor::is_socket;
use crate::output::{Overwrite, print};
use crate::pager::Pager;
use crate::printing::{self, LineLimits, TextOutput};
use crate::progress::Progress;
use crate::quantity::counted;
use crate::reading::{
    ReadArguments, ReadOutcome, check_declarations, conclude, ending, finish, is_unfinished, no_wall_clock,
    note_pauses, open_input, report_dropped, report_errors,
};
use crate::symbols::SymbolFiles;
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "print",
    about: "Print traces as text",
    configure: |command| Arguments::augment_args(command).after_help(EXAMPLES),
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const EXAMPLES: &str = "\
Examples:
  ringtrace print -e trace-events-all trace-4711
  ringtrace print -e trace-events-all trace-4711 --style log --event 'qcow2_*'
  ringtrace print -e trace-events-all trace-4711 --since 1.5 --until 1.6
  ringtrace print -e trace-events-all trace-4711 --where 'bytes >= 64K'
  ringtrace print -e trace-events-all trace-4711 --event blk_error -C 5
  ringtrace print -e trace-events-all trace-4711 --where 'ret < 0' --count
  ringtrace print -e trace-events-all trace-4711.gz --tail 20
  ringtrace print trace-4711 --event blk_error --symbols
  ringtrace print --follow vmm.sock --style log --event 'blk_*'";

#[derive(Args, Debug)]
struct Arguments {
    /// Output format of each line
    #[arg(long, value_enum, default_value_t, value_name = "STYLE", help_heading = "Text")]
    style: StyleWord,

    /// Output format of values
    #[arg(long, value_enum, default_value_t, value_name = "HOW", help_heading = "Text")]
    values: ValuesWord,

    /// Output format of times [default: as in the style]
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Text")]
    time: Option<TimeWord>,

    /// Print the name of the machine or of the trace in front of each line; for both, use A,B or repeat the option
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        value_delimiter = ',',
        help_heading = "Text",
        conflicts_with_all = ["count", "follow"]
    )]
    by: Vec<OriginWord>,

    /// Print the names of functions in stacks, from the program's files
    #[arg(long, help_heading = "Text", conflicts_with = "count")]
    symbols: bool,

    /// Print only the first N lines
    #[arg(short = 'n', long, value_name = "N", value_parser = parse_number::<u64>, help_heading = "Text")]
    head: Option<u64>,

    /// Print only the last N lines
    #[arg(long, value_name = "N", value_parser = parse_number::<usize>, help_heading = "Text")]
    tail: Option<usize>,

    /// Also print N events before and after each event that the filters select, with `--` between groups; at most 10000
    #[arg(short = 'C', long, value_name = "N", value_parser = |text: &str| parse_in(text, &(0..=10_000_usize)), help_heading = "Text", conflicts_with_all = ["tail", "follow"])]
    context: Option<usize>,

    /// Print only the number of events
    #[arg(long, help_heading = "Text", conflicts_with_all = ["head", "tail", "context", "follow", "output"])]
    count: bool,

    /// Do not show the output in a pager: $PAGER, or less, if standard output is a terminal
    #[arg(long, help_heading = "Text")]
    no_pager: bool,

    /// Print new events as the trace grows, until its program ends or you press Ctrl-C. With a monitor SOCKET, print events
    /// from now on as they occur (with --since 0, all events), in any trace file
    #[arg(short, long, help_heading = "Text", conflicts_with_all = ["tail", "sort"])]
    follow: bool,

    /// Number of threads that format lines [default: one for each core]
    #[arg(long, value_name = "N", help_heading = "Text", value_parser = |text: &str| parse_in(text, &(1..=256_u16)))]
    threads: Option<u16>,

    /// Write the text to FILE; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Text")]
    output: Option<PathBuf>,

    #[command(flatten)]
    overwrite: Overwrite,

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
    /// Like `log`, with the wall-clock time in front
    LogTime,
    /// Like `log`, with `PID@SECONDS.MICROSECONDS:` in front
    LogPid,
    /// One JSON object per line
    Jsonl,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ValuesWord {
    /// All integers in hex, as QEMU's simpletrace does
    #[default]
    Hex,
    /// By the argument's type: `-5`, `true`, `"text"`, pointers in hex
    Typed,
    /// As specified by the event's format string
    Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TimeWord {
    /// Microseconds since the previous line
    Delta,
    /// Seconds since the smallest time of all traces
    Relative,
    /// Wall clock, if the trace or `--epoch` provides it
    Absolute,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OriginWord {
    /// The name of the machine, if the trace contains it
    Host,
    /// The name of the trace: its file or folder
    Trace,
}

impl Arguments {
    /// Returns the parts of the origin that `--by` selects.
    fn origin(&self) -> Vec<OriginPart> {
        let part = |word: &OriginWord| match word {
            OriginWord::Host => OriginPart::Host,
            OriginWord::Trace => OriginPart::Trace,
        };
        self.by.iter().map(part).collect()
    }

    fn output(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| path.as_os_str() != "-")
    }

    /// Returns the options of text lines, or `None` for JSON.
    fn look(&self, terminal: &Terminal) -> Option<LineOptions> {
        Some(LineOptions {
            style: match self.style {
                StyleWord::Jsonl => return None,
                StyleWord::Simpletrace => LineStyle::Simpletrace,
                StyleWord::Log => LineStyle::Log,
                StyleWord::LogTime => LineStyle::LogTime,
                StyleWord::LogPid => LineStyle::LogPid,
            },
            values: match self.values {
                ValuesWord::Hex => ValueStyle::Hex,
                ValuesWord::Typed => ValueStyle::Typed,
                ValuesWord::Format => ValueStyle::Format,
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

/// Returns whether lines have the format of QEMU's own reader. Unless they are written to a
/// terminal, such lines match that reader's output byte for byte.
fn is_readers(look: &LineOptions) -> bool {
    look.style == LineStyle::Simpletrace
        && look.values == ValueStyle::Hex
        && matches!(look.time, None | Some(TimeMode::Delta))
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    if arguments.count {
        return count(arguments, terminal);
    }
    if arguments.context.is_some() && arguments.read.wanted.is_everything() {
        return Err(CliError::usage(
            "--context prints events around those that a filter selects, but there is no filter",
        )
        .help("add a filter: --event, --where, --pid, --thread, --since or --until"));
    }
    let look = arguments.look(terminal);
    if let Some(out) = arguments.output() {
        arguments.read.check_output(out, arguments.overwrite)?;
    }
    let mut options = arguments.read.options()?;
    options.era_dialect = look.as_ref().is_some_and(is_readers);
    let dated =
        look.is_some_and(|look| look.style == LineStyle::LogTime || look.time == Some(TimeMode::Absolute));
    let needs = Needs {
        origin: look.is_some_and(|look| look.time == Some(TimeMode::Relative)),
        anchor: dated || look.is_none_or(|look| look.style == LineStyle::LogPid),
    };
    let source = if arguments.follow {
        PrintInput::follow(arguments, options, needs, terminal)?
    } else {
        if let Some(socket) = arguments.read.traces.iter().find(|path| is_socket(path.as_os_str())) {
            let message = format!("{} is a socket, not a trace", socket.display());
            return Err(
                CliError::usage(message).help("to print the events of a program as they occur, add --follow")
            );
        }
        let open = arguments.read.open(&options, terminal)?;
        let progress = Progress::watch(&open.readers, arguments.output().is_none(), terminal);
        let traces = arguments.read.gather_with(open, needs, !arguments.by.is_empty())?;
        PrintInput::Files { traces, progress }
    };
    let times = source.traces().map_or_else(Times::default, Traces::times);
    let era = source.traces().and_then(|traces| traces.readers().iter().map(|reader| reader.era()).max());
    if dated && times.anchor.is_none() {
        let advice = ", the date at which its clock was zero, or --time relative";
        return Err(no_wall_clock("", source.traces(), advice));
    }
    let has_pager = !arguments.no_pager && !arguments.follow && arguments.output.is_none();
    // The pager must end after everything has been printed.
    let _pager = if has_pager { Pager::start() } else { None };
    let output = TextOutput::open(arguments.output(), arguments.overwrite)?;
    let files = arguments.symbols.then(SymbolFiles::new);
    let finder = files.as_ref().and_then(SymbolFiles::finder);
    let origins = source.traces().map(|traces| Arc::clone(&traces.aligned().origins)).unwrap_or_default();
    let prefixes = OriginTexts::prefixes(&origins, &arguments.origin());
    let exit = match (look, era) {
        (None, _) => {
            let members = OriginTexts::members(&origins, &arguments.origin());
            let text = JsonText::new(times).with_functions(finder).with_origins(members);
            source.print(text, output, arguments, terminal)
        }
        (Some(look), Some(era)) if is_readers(&look) && !look.harmless => {
            let text = SimpletraceText::new(era);
            // With --compat, the lines are those of a reader that does not know stacks.
            if arguments.read.format.compat.is_none() {
                let text = SurroundedText::new(text.with_threads(), prefixes).with_stacks(finder);
                source.print(text, output, arguments, terminal)
            } else {
                source.print(SurroundedText::new(text, prefixes), output, arguments, terminal)
            }
        }
        (Some(look), era) => {
            let raw_strings = era.is_some_and(|era| !era.info().bytes_literals);
            let text = LineText::new(LineOptions { raw_strings, ..look }, times);
            let text = SurroundedText::new(text, prefixes).with_stacks(finder);
            source.print(text, output, arguments, terminal)
        }
    };
    if let Some(files) = files {
        files.report(terminal);
    }
    exit
}

/// Prints the number of events that the filters select.
fn count(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let open = arguments.read.open(&arguments.read.options_for_names()?, terminal)?;
    let progress = Progress::watch(&open.readers, false, terminal);
    let mut traces = arguments.read.gather(open, Needs::default())?;
    let (mut events, mut dropped) = (0_u64, Dropped::default());
    let failed = traces.for_each(&mut |entry: &Entry<'_>| {
        if !dropped.count(entry) {
            events += 1;
        }
        Flow::Continue
    });
    drop(progress);
    print(format!("{events}\n"))?;
    let outcome = ReadOutcome { failed: failed.err().unwrap_or_default(), dropped, is_partial: false };
    let exit = conclude(&traces, outcome, arguments.read.format.strict, terminal);
    note_pauses(&traces, terminal);
    report_dropped(dropped, terminal);
    Ok(exit)
}

#[allow(clippy::large_enum_variant, reason = "there is only one value")]
enum PrintInput {
    /// Complete traces.
    Files { traces: Traces, progress: Option<Progress> },
    /// A trace that is still being written.
    Growing { traces: Traces },
    /// The trace files of a running program, one after another.
    Program { program: ProgramTraces, first: Option<Traces> },
}

impl PrintInput {
    /// Opens the trace or the monitor socket that `--follow` names. After the first interrupt, the
    /// input ends, but the command still prints its summary.
    fn follow(
        arguments: &Arguments,
        options: Options,
        needs: Needs,
        terminal: &Terminal,
    ) -> Result<PrintInput, CliError> {
        let [path] = arguments.read.traces.as_slice() else {
            return Err(CliError::usage("--follow accepts only one trace")
                .help("follow each trace in its own terminal"));
        };
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // A second signal ends the process at once.
            signal_hook::flag::register_conditional_default(signal, Arc::clone(&stop))
                .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&stop)))
                .map_err(|error| CliError::system("signals", &error))?;
        }
        if is_socket(path.as_os_str()) {
            let program = FollowedProgram::follow(path, &stop, terminal)?;
            let read = arguments.read.clone();
            let program = ProgramTraces {
                program,
                read,
                options: Options { live: true, ..options },
                needs,
                folders: RefCell::default(),
                folder: RefCell::default(),
            };
            let first = program.next()?;
            return Ok(PrintInput::Program { program, first });
        }
        let is_stdin = path.as_os_str() == "-";
        if path.is_dir() && !is_stdin {
            let until = growing::until_folder_ends(path, stop, &options);
            let reader = folder::follow(path, None, &Options { live: true, ..options }, until)?;
            check_declarations(&reader)?;
            let reader = arguments.read.with_epoch(path, reader);
            return Ok(PrintInput::Growing { traces: arguments.read.gather(vec![reader], needs)? });
        }
        let has_ended = !is_stdin && growing::has_ended(path, &options);
        let input = if is_stdin || has_ended {
            Input::open(path)
        } else {
            Input::follow_until(path, growing::until(path, stop))
        };
        let reader = open_input(path, input, &Options { live: !has_ended, ..options })?;
        let reader = arguments.read.with_epoch(path, reader);
        Ok(PrintInput::Growing { traces: arguments.read.gather(vec![reader], needs)? })
    }

    fn traces(&self) -> Option<&Traces> {
        match self {
            PrintInput::Files { traces, .. } | PrintInput::Growing { traces } => Some(traces),
            PrintInput::Program { first, .. } => first.as_ref(),
        }
    }

    /// Writes the lines that `text` renders, then reports warnings and losses. Returns the exit
    /// status.
    fn print<R: Render + Clone + Send>(
        self,
        text: R,
        output: TextOutput,
        arguments: &Arguments,
        terminal: &Terminal,
    ) -> Result<Exit, CliError> {
        let (mut traces, progress, is_growing) = match self {
            PrintInput::Files { traces, progress } => (traces, progress, false),
            PrintInput::Growing { traces } => (traces, None, true),
            PrintInput::Program { program, first } => {
                return program.print(first, text, output, arguments, terminal);
            }
        };
        let limits = LineLimits { head: arguments.head, tail: arguments.tail, threads: arguments.threads };
        let outcome = match arguments.context {
            Some(around) => {
                let separates = arguments.style != StyleWord::Jsonl;
                let limits = ContextLimits { around, head: arguments.head, separates };
                context::print(&mut traces, text, limits, output)?
            }
            None => printing::print(&mut traces, text, limits, output)?,
        };
        drop(progress);
        let may_have_dropped = outcome.dropped.records > 0
            || !outcome.failed.is_empty()
            || traces.readers().into_iter().any(|it| ending(it).is_some() || !it.removed().is_empty());
        let exit = finish(&traces, outcome, arguments.read.format.strict, terminal);
        if is_growing {
            let records = traces.readers().iter().map(|reader| reader.records()).sum();
            terminal.note(&format!(
                "{} read{}",
                counted(records, "record", "records"),
                no_drop(may_have_dropped)
            ));
        }
        Ok(exit)
    }
}

/// Returns the end of the sentence that reports how many records were read.
fn no_drop(may_have_dropped: bool) -> &'static str {
    if may_have_dropped { "" } else { ", no event was dropped" }
}

/// A program that is followed, and the options for reading its traces.
struct ProgramTraces {
    program: FollowedProgram,
    read: ReadArguments,
    options: Options,
    needs: Needs,
    /// The folders of rotated traces, and the number of the first file in each that was not read.
    folders: RefCell<HashMap<PathBuf, u64>>,
    /// The folder that is being read.
    folder: RefCell<Option<PathBuf>>,
}

impl ProgramTraces {
    /// Waits for the next trace file and opens it. Returns `None` when the program has ended.
    /// Without `--since`, events recorded before the command started are skipped.
    fn next(&self) -> Result<Option<Traces>, CliError> {
        self.leave_folder();
        let Some(file) = self.program.next_file() else { return Ok(None) };
        let path = file.reachable()?;
        let reader = match (path.parent(), file.number()) {
            (Some(folder), Some(number)) => {
                let first = self.first_in(folder, number);
                self.folder.replace(Some(folder.to_owned()));
                let opened = folder::follow(folder, Some(first), &self.options, file.until);
                let is_new = |file: &FolderFile| file.number >= first;
                if opened.is_err() && !folder::list(folder).unwrap_or_default().iter().any(is_new) {
                    // The program has continued elsewhere, or has ended, before it wrote anything.
                    return self.next();
                }
                let reader = opened?;
                check_declarations(&reader)?;
                reader
            }
            _ => open_input(&file.path, Input::follow_until(&path, file.until), &self.options)?,
        };
        // The argument is the monitor's socket.
        let reader = self.read.with_epoch(&self.read.traces[0], reader);
        let mut traces = self.read.gather(vec![reader], self.needs)?;
        if self.read.wanted.since.is_none() {
            let wanted = traces.filter().options().clone();
            traces.set_filter(Filter::new(FilterOptions { since_ns: Some(self.program.since_ns), ..wanted }));
        }
        Ok(Some(traces))
    }

    /// Returns the number of the first file to read in the folder of a rotated trace, whose present file
    /// has the number `number`.
    fn first_in(&self, folder: &Path, number: u64) -> u64 {
        let mut folders = self.folders.borrow_mut();
        // The command started at the present file, unless earlier events are wanted. The files of a folder
        // that was selected later are all new.
        let is_from_here = folders.is_empty() && self.read.wanted.since.is_none();
        let first = if is_from_here { number } else { folder::first_of_run(folder, number) };
        let unread = *folders.entry(folder.to_owned()).or_insert(first);
        first.max(unread)
    }

    /// Notes that all present files of the folder that was read have been read.
    fn leave_folder(&self) {
        let Some(folder) = self.folder.take() else { return };
        let last = folder::list(&folder).ok().and_then(|mut files| files.pop());
        if let Some(last) = last {
            self.folders.borrow_mut().insert(folder, last.number.saturating_add(1));
        }
    }

    fn print<R: Render>(
        &self,
        first: Option<Traces>,
        text: R,
        output: TextOutput,
        arguments: &Arguments,
        terminal: &Terminal,
    ) -> Result<Exit, CliError> {
        let (mut exit, mut is_ended, mut has_removed, mut first) = (Exit::Done, true, false, first);
        let done = |traces: &Traces, failed| {
            let ended = report_errors(traces, failed, terminal);
            note_pauses(traces, terminal);
            exit = if exit == Exit::Done { ended } else { exit };
            has_removed |= traces.readers().iter().any(|reader| !reader.removed().is_empty());
            is_ended = !traces.readers().into_iter().any(is_unfinished);
        };
        let next = || if first.is_some() { Ok(first.take()) } else { self.next() };
        let (dropped, lines) = printing::print_each(next, done, text, arguments.head, output)?;
        report_dropped(dropped, terminal);
        let lost = no_drop(dropped.records > 0 || has_removed);
        let how = match self.program.has_ended() {
            Some(pid) => format!("process {pid} has ended; "),
            None => String::new(),
        };
        terminal.note(&format!("{how}{} printed{lost}", counted(lines, "record", "records")));
        if let (Some(pid), false) = (self.program.has_ended(), is_ended) {
            let help = format!(
                "it was probably killed; `ringtrace recover {pid}` writes a trace that includes the events in its memory"
            );
            terminal.warn("the program did not finish the trace", Some(&help));
        }
        Ok(if exit == Exit::Done && arguments.read.format.strict && dropped.records > 0 {
            Exit::Lost
        } else {
            exit
        })
    }
}
