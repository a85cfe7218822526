//! `ringtrace diff`: compares two recordings.

mod json;
mod rows;
mod selection;
mod text;

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use ringtrace_report::diff::{Difference, Recording, Settings, render_page};
use ringtrace_tracefile::{Dropped, Error as TraceError, Filter, FilterOptions, Needs, Traces};

use self::rows::DatasetRun;
use self::selection::Operand;
use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::output::{Output, Overwrite};
use crate::pair_arguments::{PairArguments, are_all, check_known};
use crate::progress::Progress;
use crate::quantity::{Units, counted};
use crate::reading::{self, Ending, OpenTraces, ReadArguments, ReadOutcome, conclude};
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "diff",
    about: "Compare two recordings",
    configure: |command| {
        Arguments::augment_args(command)
            .mut_arg("traces", |traces| {
                traces
                    .value_names(["A", "B"])
                    .help("The traces before and after the change, which may be compressed; or the runs before the change, then --. `-` is standard input. For rows of a dataset, its folder, followed by any of /host=NAME, /date=DATE and /trace=ID")
                    .num_args(1..)
            })
            // `mut_arg` above moved `traces` to the end. Move `after` behind it, because clap
            // requires the argument after `--` to be the last one.
            .mut_arg("after", |after| after)
            .override_usage("ringtrace diff [OPTIONS] <A> <B>\n       ringtrace diff [OPTIONS] <A1> <A2>.. -- <B1> <B2>..")
            .after_help(EXAMPLES)
    },
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const EXAMPLES: &str = "\
Examples:
  ringtrace diff before.trace after.trace
  ringtrace diff before.trace after.trace --pair blk_submit:blk_complete:req
  ringtrace diff before.trace after.trace -o changes.html
  ringtrace diff before1.trace before2.trace -- after1.trace after2.trace
  ringtrace diff fleet/host=alpha fleet/host=beta
  ringtrace diff fleet/date=2026-11-23 fleet/date=2026-11-24
  ringtrace diff --all -e trace-events-all trace-4711 trace-4712
  ringtrace diff --exit-code --threshold 25% good.trace now.trace > /dev/null";

#[derive(Args, Debug)]
struct Arguments {
    /// Print JSON, with everything that was compared
    #[arg(long)]
    json: bool,

    /// Write an HTML page instead of text; `-` is standard output
    #[arg(short, long, value_name = "PAGE", conflicts_with_all = ["json", "all"])]
    output: Option<PathBuf>,

    #[command(flatten)]
    overwrite: Overwrite,

    /// Show everything that was compared, changed or not
    #[arg(long, conflicts_with = "json")]
    all: bool,

    /// Exit with status 1 if anything changed or if nothing could be compared
    #[arg(long)]
    exit_code: bool,

    /// Significance level: the probability that two equal recordings are reported to differ
    #[arg(long, value_name = "PERCENT", default_value = "1%", value_parser = parse_level, help_heading = "Comparison")]
    level: f64,

    /// Ignore changes smaller than this
    #[arg(long, value_name = "PERCENT", default_value = "5%", value_parser = parse_threshold, help_heading = "Comparison")]
    threshold: f64,

    /// Compare all of both recordings, even if one is much longer [default: only the initial period that both cover]
    #[arg(long, help_heading = "Comparison")]
    whole: bool,

    /// Report rates and latencies as they are: do not factor out the overall pace and the speed of the machine
    #[arg(long, help_heading = "Comparison")]
    absolute: bool,

    #[command(flatten)]
    pairs: PairArguments,

    #[command(flatten)]
    read: ReadArguments,

    /// The runs after the change, as many as before it
    #[arg(value_name = "RUN", last = true, hide = true)]
    after: Vec<PathBuf>,
}

/// The maximum number of runs on each side. The joined recording is divided into blocks of time,
/// and each run must cover several of them.
const MAX_RUNS: usize = 16;

impl Arguments {
    /// Returns the traces of each side.
    fn sides(&self) -> Result<[&[PathBuf]; 2], CliError> {
        let is_option =
            |path: &&PathBuf| path.as_os_str().len() > 1 && path.as_os_str().as_bytes()[0] == b'-';
        if let Some(option) = self.after.iter().find(is_option) {
            return Err(CliError::usage(format!("`{}` follows `--`", option.display()))
                .help("options precede the `--`: ringtrace diff [OPTIONS] A1 A2 -- B1 B2"));
        }
        match (self.read.traces.as_slice(), self.after.as_slice()) {
            ([a, b], []) => Ok([std::slice::from_ref(a), std::slice::from_ref(b)]),
            (traces, []) => Err(CliError::usage(format!("expected two traces, found {}", traces.len()))
                .help("for several runs of each side, write `--` before the second side: A1 A2 -- B1 B2")),
            (a, b) if a.len() != b.len() => Err(CliError::usage(format!(
                "A has {} and B has {}",
                counted(a.len() as u64, "run", "runs"),
                counted(b.len() as u64, "run", "runs")
            ))
            .help("the first run of A is compared with the first run of B, and so on: name the same number of runs for both sides")),
            (a, _) if a.len() > MAX_RUNS => {
                Err(CliError::usage(format!("at most {MAX_RUNS} runs of each side can be compared")))
            }
            (a, _) if a.len() > 1 && self.whole => Err(CliError::usage(
                "--whole accepts only one run for each side: with several runs, the time that all of them cover is compared",
            )),
            (a, b) => Ok([a, b]),
        }
    }
}

fn parse_level(text: &str) -> Result<f64, String> {
    let level = parse_percent(text)?;
    if level > 0.0 && level <= 0.5 {
        Ok(level)
    } else {
        Err("expected more than 0% and at most 50%".to_owned())
    }
}

fn parse_threshold(text: &str) -> Result<f64, String> {
    let threshold = parse_percent(text)?;
    if threshold <= 10.0 { Ok(threshold) } else { Err("expected at most 1000%".to_owned()) }
}

/// Parses a percentage as a fraction of 1.
fn parse_percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').and_then(|number| number.trim_end().parse::<f64>().ok());
    let part = number.filter(|percent| percent.is_finite() && *percent >= 0.0).map(|percent| percent / 100.0);
    part.ok_or_else(|| "expected a number and `%`, as in 5%".to_owned())
}

/// One of the two recordings. Several runs are joined.
struct Side {
    /// The names of the traces, for display.
    name: String,
    runs: Vec<Run>,
    recording: Recording,
}

/// A trace that was read, or rows of a dataset.
enum Run {
    Trace { source: TraceSource, traces: Box<Traces>, failed: Vec<TraceError>, dropped: Dropped },
    Dataset(Box<DatasetRun>),
}

/// A trace or rows of a dataset, opened.
enum Opened {
    Trace(TraceSource, OpenTraces),
    Dataset(Box<DatasetRun>),
}

/// A trace or rows of a dataset, ready to be read.
enum Ready {
    Trace(TraceSource, Box<Traces>),
    Dataset(Box<DatasetRun>),
}

/// How to read a trace.
struct TraceSource {
    read: Box<ReadArguments>,
    /// For reading it once more, unless it is a stream.
    again: Option<OpenTraces>,
}

impl TraceSource {
    fn gather(&self, open: OpenTraces) -> Result<Traces, CliError> {
        self.read.gather(open, Needs::default())
    }

    /// Returns the traces, to read them once more. `None` if one of them is a stream.
    fn again(&self) -> Result<Option<Traces>, CliError> {
        let again = self.again.as_ref().and_then(OpenTraces::again);
        again.map(|open| self.gather(open)).transpose()
    }
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    if let Some(output) = &arguments.output {
        arguments.pairs.check_output(output)?;
        arguments.read.check_output(output, arguments.overwrite)?;
    }
    let paths = arguments.sides()?;
    let opened = open(paths, arguments)?;
    let progress = watch(&opened, terminal);
    let mut before = Vec::new();
    // A pair without spans in one of the datasets is compared nevertheless.
    let mut pairs = BTreeSet::new();
    for run in opened {
        before.push(match run {
            Opened::Trace(source, open) => {
                let traces = source.gather(open)?;
                Ready::Trace(source, Box::new(traces))
            }
            Opened::Dataset(run) => {
                pairs.extend(run.pairs().iter().cloned());
                Ready::Dataset(run)
            }
        });
    }
    let pairs: Vec<String> = pairs.into_iter().collect();
    let after = before.split_off(paths[0].len());
    // Read both sides at the same time.
    let (a, b) = std::thread::scope(|scope| {
        let b = scope.spawn(|| read(after, &pairs, arguments, None));
        let a = read(before, &pairs, arguments, Some(terminal));
        (a, b.join())
    });
    drop(progress);
    let b = b.map_err(|_| CliError::input("the second trace could not be read"))?;
    let (a_runs, b_runs) = (a?, b?);
    let sides = joined(paths, [a_runs, b_runs])?;
    if let Some(failure) = nothing_to_compare(&sides) {
        return match sides.map(|side| side.conclude(terminal)) {
            [Exit::Done, Exit::Done] => Err(failure),
            [Exit::Done, exit] | [exit, _] => Ok(exit),
        };
    }
    let Arguments { level, threshold, whole, absolute, .. } = *arguments;
    let settings = Settings { level, threshold, whole, absolute };
    let shortened = shortened(&sides, arguments)?;
    let [a, b] = [0, 1].map(|side| shortened[side].as_ref().unwrap_or(&sides[side].recording));
    let difference = Difference::between(a, b, settings);
    let text = if arguments.json {
        json::render(&difference, &sides)?
    } else if arguments.output.is_some() {
        let names = sides.each_ref().map(|side| side.name.clone());
        let notes = text::notes(&difference, &sides, Units::new(true));
        render_page(&difference, names.each_ref().map(String::as_str), &notes)
    } else {
        text::render(&difference, &sides, arguments.all, terminal)
    };
    let mut output =
        Output::create(arguments.output.as_deref().unwrap_or(Path::new("-")), arguments.overwrite)?;
    output.write(text.as_bytes())?;
    output.keep()?;
    Ok(ending(&difference, sides, arguments, terminal))
}

/// If one recording is much longer than the other, reads the part of it that is compared again. The
/// blocks of time of the whole recording are too long for that part.
fn shortened(sides: &[Side; 2], arguments: &Arguments) -> Result<[Option<Recording>; 2], CliError> {
    let mut shortened = [None, None];
    let spans_ns = sides.each_ref().map(|side| side.recording.span_ns());
    let common_ns = spans_ns[0].min(spans_ns[1]);
    for (index, Side { runs, recording, .. }) in sides.iter().enumerate() {
        let ([Run::Trace { source, failed, .. }], Some(first_ns)) = (runs.as_slice(), recording.first_ns())
        else {
            continue;
        };
        if arguments.whole || spans_ns[index] / 2 <= common_ns || !failed.is_empty() {
            continue;
        }
        let Some(mut traces) = source.again()? else { continue };
        let until_ns = Some(first_ns.saturating_add(common_ns));
        traces.set_filter(Filter::new(FilterOptions { until_ns, ..traces.filter().options().clone() }));
        let mut tracker = arguments.pairs.span_tracker(&traces, None)?;
        let (recording, _) = Recording::read(&mut traces, &mut tracker).map_err(CliError::from)?;
        shortened[index] = Some(recording);
    }
    Ok(shortened)
}

/// Opens the traces and datasets of both sides, those of A first.
fn open(paths: [&[PathBuf]; 2], arguments: &Arguments) -> Result<Vec<Opened>, CliError> {
    let paths = paths.iter().copied().flatten();
    let operands = paths.map(|path| Operand::parse(path)).collect::<Result<Vec<_>, _>>()?;
    let traces: Vec<PathBuf> = operands.iter().filter_map(Operand::trace).cloned().collect();
    if traces.len() < operands.len() {
        // With a trace on the other side, some options apply to that.
        let has_pairs = traces.is_empty() && arguments.pairs.is_given();
        rows::check_options(&arguments.read, has_pairs, traces.is_empty())?;
    }
    let read = ReadArguments { traces, ..arguments.read.clone() };
    let options = read.options()?;
    let open = |operand| match operand {
        Operand::Trace(path) => {
            let read = Box::new(ReadArguments { traces: vec![path], ..arguments.read.clone() });
            let open = OpenTraces::from(read.open_each(&options)?.all()?);
            Ok(Opened::Trace(TraceSource { read, again: open.again() }, open))
        }
        Operand::Dataset(path) => {
            let run = DatasetRun::open(path, &arguments.read.wanted)?;
            Ok(Opened::Dataset(Box::new(run)))
        }
    };
    operands.into_iter().map(open).collect()
}

/// Shows the progress of everything that was opened.
fn watch(opened: &[Opened], terminal: &Terminal) -> Option<Progress> {
    let readers = opened.iter().filter_map(|run| match run {
        Opened::Trace(_, open) => Some(&open.readers),
        Opened::Dataset(_) => None,
    });
    let others = opened.iter().filter_map(|run| match run {
        Opened::Trace(..) => None,
        Opened::Dataset(run) => Some((Arc::clone(&run.done), run.bytes())),
    });
    Progress::watch_all(readers.flatten(), others, terminal)
}

impl Side {
    /// Returns whether a trace lacks its last events, or may lack them.
    fn has_lost_end(&self) -> bool {
        self.runs.iter().any(|run| match run {
            Run::Trace { traces, .. } => {
                traces.readers().into_iter().filter_map(reading::ending).any(Ending::has_lost)
            }
            Run::Dataset(_) => false,
        })
    }

    fn conclude(self, terminal: &Terminal) -> Exit {
        let exits = self.runs.into_iter().map(|run| match run {
            Run::Trace { traces, failed, dropped, .. } => {
                conclude(&traces, ReadOutcome { failed, dropped, is_partial: false }, false, terminal)
            }
            Run::Dataset(run) => {
                run.warn(terminal);
                Exit::Done
            }
        });
        exits.max_by_key(|exit| exit.status()).unwrap_or(Exit::Done)
    }
}

/// Returns an error if a recording has no events, because no difference can then be measured.
fn nothing_to_compare(sides: &[Side; 2]) -> Option<CliError> {
    let which = match sides.each_ref().map(|side| side.recording.events()) {
        [0, 0] => "neither A nor B contains any".to_owned(),
        [0, _] => format!("A, {}, contains no", sides[0].name),
        [_, 0] => format!("B, {}, contains no", sides[1].name),
        _ => return None,
    };
    let is_filtered = sides.iter().flat_map(|side| &side.runs).any(|run| match run {
        Run::Trace { traces, .. } => !traces.filter().is_everything(),
        Run::Dataset(run) => run.is_filtered(),
    });
    let matching = if is_filtered { " matching" } else { "" };
    let failure = CliError::input(format!("nothing to compare: {which}{matching} events"));
    Some(if is_filtered {
        failure.help("compare without --event to see which events appeared or vanished; --since and --until are relative to the start of each recording")
    } else {
        failure
    })
}

/// Reports warnings and errors. Returns the exit status.
fn ending(difference: &Difference, sides: [Side; 2], arguments: &Arguments, terminal: &Terminal) -> Exit {
    let lost = sides.iter().any(|side| side.recording.dropped().records > 0 || side.has_lost_end());
    let exits = sides.map(|side| side.conclude(terminal));
    let exit = exits.into_iter().max_by_key(|exit| exit.status()).unwrap_or(Exit::Done);
    match exit {
        Exit::Done if arguments.read.format.strict && lost => Exit::Lost,
        Exit::Done if arguments.exit_code && (difference.comparisons == 0 || difference.is_changed()) => {
            Exit::Input
        }
        exit => exit,
    }
}

/// Reads the runs of a side. Warnings about descriptions of pairs, which apply to all runs, are
/// printed for the first one. `pairs` are those of all datasets.
fn read(
    runs: Vec<Ready>,
    pairs: &[String],
    arguments: &Arguments,
    mut terminal: Option<&Terminal>,
) -> Result<Vec<(Run, Recording)>, CliError> {
    let read = |run| match run {
        Ready::Trace(source, traces) => read_trace(source, traces, &arguments.pairs, false, terminal.take()),
        Ready::Dataset(mut run) => {
            let recording = run.read(pairs)?;
            Ok((Run::Dataset(run), recording))
        }
    };
    runs.into_iter().map(read).collect()
}

/// Reads a trace. With `reads_ahead`, finds all its declarations first. Otherwise, assumes that it declares its
/// pairs before the first event, and reads it again if it does not.
fn read_trace(
    source: TraceSource,
    mut traces: Box<Traces>,
    pairs: &PairArguments,
    reads_ahead: bool,
    terminal: Option<&Terminal>,
) -> Result<(Run, Recording), CliError> {
    let (mut tracker, assumed) =
        pairs.first_span_tracker(&traces, terminal, reads_ahead || source.again.is_none())?;
    let read = Recording::read(&mut traces, &mut tracker);
    let is_whole = read.as_ref().is_ok_and(|(_, failed)| failed.is_empty());
    if let Some(description) = assumed
        && !(is_whole && are_all(&description, &traces, terminal)?)
        && let Some(again) = source.again()?
    {
        *traces = again;
        return read_trace(source, traces, pairs, true, terminal);
    }
    let (recording, failed) = read.map_err(CliError::from)?;
    if failed.is_empty() {
        check_known(&tracker, &traces)?;
    }
    let dropped = recording.dropped();
    Ok((Run::Trace { source, traces, failed, dropped }, recording))
}

/// Joins the runs of each side into one recording, if there are several.
fn joined(paths: [&[PathBuf]; 2], runs: [Vec<(Run, Recording)>; 2]) -> Result<[Side; 2], CliError> {
    let [(a_runs, a), (b_runs, b)] =
        runs.map(|runs| runs.into_iter().unzip::<Run, Recording, Vec<_>, Vec<_>>());
    // A run without events has no time in common with the others.
    let is_empty = a.iter().chain(&b).any(|run| run.events() == 0);
    let [a, b] = match a.len() {
        1 => [a, b],
        _ if is_empty => [a, b].map(|runs| {
            let fewest = runs.into_iter().min_by_key(Recording::events);
            fewest.into_iter().collect()
        }),
        _ => Recording::join([a, b]).map(|recording| vec![recording]),
    };
    let side = |paths: &[PathBuf], runs, recordings: Vec<Recording>| {
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let recording = recordings.into_iter().next()?;
        Some(Side { name: names.join(" + "), runs, recording })
    };
    let sides = side(paths[0], a_runs, a).zip(side(paths[1], b_runs, b));
    sides.map(|(a, b)| [a, b]).ok_or_else(|| CliError::usage("expected two traces"))
}
