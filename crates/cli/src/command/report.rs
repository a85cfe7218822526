//! `ringtrace report`: writes an HTML page about traces.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};
use ringtrace_report::wording::visible_text;
use ringtrace_report::{Collector, PageInfo, Unfinished, render_page};
use ringtrace_tracefile::{Error as TraceError, Needs, Traces};

use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::output::{Output, Overwrite, print};
use crate::pair_arguments::{PairArguments, are_all, check_known, note_unjoined};
use crate::progress::Progress;
use crate::quantity::bytes;
use crate::reading::{OpenTraces, ReadArguments, ReadOutcome, ending_after, finish, unread};
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "report",
    about: "Write an HTML report about traces: counts, timeline, latencies",
    configure: |command| Arguments::augment_args(command).after_help(EXAMPLES),
    run: |matches, terminal| run(&parse_arguments(matches)?, filters(matches), terminal),
};

const EXAMPLES: &str = "\
Examples:
  ringtrace report trace-4711
  ringtrace report --events trace-events-all trace-4711 -o report.html
  ringtrace report --pair blk_submit:blk_complete:req trace-4711 -o report.html
  ringtrace report --since 2 --until 3.5 trace-4711 -o part.html

The page is a single file that needs no network and no other files.";

#[derive(Args, Debug)]
struct Arguments {
    #[command(flatten)]
    read: ReadArguments,

    #[command(flatten)]
    pairs: PairArguments,

    /// The HTML file to write; `-` is standard output [default: TRACE.html in the current folder]
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    overwrite: Overwrite,
}

fn run(arguments: &Arguments, filters: Vec<String>, terminal: &Terminal) -> Result<Exit, CliError> {
    let last = arguments.read.traces.last().filter(|last| last.extension().is_some_and(|it| it == "html"));
    if let Some(last) = last.filter(|last| arguments.output.is_none() && !last.exists()) {
        return Err(CliError::usage(format!("{} is interpreted as an input trace", last.display()))
            .help("positional arguments are input traces: specify the output with -o"));
    }
    let output = &arguments.output.clone().unwrap_or_else(|| default_output(&arguments.read.traces));
    arguments.pairs.check_output(output)?;
    check_output(arguments, output)?;
    let open = arguments.read.open(&arguments.read.options_for_names()?, terminal)?;
    let mut problems: Vec<String> = open.failed.iter().map(|failed| failed.message.clone()).collect();
    let mut file = Output::create(output, arguments.overwrite)?;
    let Collected { traces, collector, failed } = collect(arguments, open, false, terminal)?;
    if failed.is_empty() && traces.missing().is_none() {
        check_known(collector.tracker(), &traces)?;
    }
    problems.extend(failed.iter().map(ToString::to_string).chain(unread(&traces, &failed)));
    let unfinished = traces.readers().into_iter().filter_map(|reader| {
        let ending = ending_after(reader, &failed)?;
        Some(Unfinished { text: ending.describe(reader), has_lost: ending.has_lost() })
    });
    let unfinished = unfinished.collect();
    let about = PageInfo { traces: &traces, anchor: traces.times().anchor, filters, problems, unfinished };
    let page = render_page(&collector, &about);
    file.write(page.as_bytes())?;
    file.keep()?;
    if arguments.output.is_none() {
        print(format!(
            "{}, {}.\n",
            visible_text(output.as_os_str().as_encoded_bytes()),
            bytes(page.len() as u64)
        ))?;
    }
    note_unjoined(collector.tracker().pairs(), &traces, terminal);
    let outcome = ReadOutcome { failed, dropped: collector.dropped(), is_partial: false };
    // Do not free the collector: the process ends next, and freeing takes a tenth of the run time.
    std::mem::forget(collector);
    Ok(finish(&traces, outcome, arguments.read.format.strict, terminal))
}

/// What a report needs of the traces.
struct Collected {
    traces: Traces,
    collector: Collector,
    failed: Vec<TraceError>,
}

/// Reads the traces of `open`. With `reads_ahead`, finds all their declarations first. Otherwise, assumes that
/// a trace declares its pairs before the first event, and reads it again if it does not.
fn collect(
    arguments: &Arguments,
    open: OpenTraces,
    reads_ahead: bool,
    terminal: &Terminal,
) -> Result<Collected, CliError> {
    let again = if reads_ahead { None } else { open.again() };
    let progress = Progress::watch(&open.readers, false, terminal);
    let mut traces = arguments.read.gather(open, Needs { anchor: true, ..Needs::default() })?;
    let (tracker, assumed) = arguments.pairs.first_span_tracker(&traces, Some(terminal), again.is_none())?;
    let mut collector = Collector::new(tracker);
    let failed: Vec<TraceError> = traces.for_each(&mut collector).err().unwrap_or_default();
    drop(progress);
    let error = collector.take_error();
    if let (Some(open), Some(description)) = (again, assumed)
        && !(error.is_none() && failed.is_empty() && are_all(&description, &traces, Some(terminal))?)
    {
        return collect(arguments, open, true, terminal);
    }
    match error {
        Some(error) => Err(error.into()),
        None => Ok(Collected { traces, collector, failed }),
    }
}

/// Returns the filters as the user typed them.
fn filters(matches: &ArgMatches) -> Vec<String> {
    let mut filters = Vec::new();
    for (id, option) in [
        ("event", "--event"),
        ("pid", "--pid"),
        ("thread", "--thread"),
        ("since", "--since"),
        ("until", "--until"),
        ("condition", "--where"),
    ] {
        let values = matches.get_raw(id).into_iter().flatten();
        filters.extend(values.map(|value| format!("{option} {}", value.to_string_lossy())));
    }
    filters
}

/// Returns the default name of the page, which is in the current folder and is derived from the
/// name of the trace.
fn default_output(traces: &[PathBuf]) -> PathBuf {
    let name = match traces {
        [one] if one.as_os_str() != "-" => one.file_name(),
        _ => None,
    };
    let mut name = name.map_or(Path::new("report"), Path::new);
    if name.extension().is_some_and(|ending| ["gz", "xz", "zst"].iter().any(|known| ending == *known)) {
        name = name.file_stem().map_or(name, Path::new);
    }
    let mut name = name.as_os_str().to_owned();
    name.push(".html");
    name.into()
}

fn check_output(arguments: &Arguments, output: &Path) -> Result<(), CliError> {
    if output.as_os_str() != "-" {
        return arguments.read.check_output(output, arguments.overwrite);
    }
    if io::stdout().is_terminal() {
        return Err(CliError::usage("cannot write a report to a terminal: it is an HTML page")
            .help("specify a file, such as --output report.html"));
    }
    Ok(())
}
