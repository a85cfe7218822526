//! `ringtrace report`: writes an HTML page about traces.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::{ArgMatches, Args};
use ringtrace_report::{Collector, PageInfo, render_page};
use ringtrace_tracefile::{Error as TraceError, Needs};

use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::output::{Output, Overwrite};
use crate::pair_arguments::{PairArguments, check_known};
use crate::progress::Progress;
use crate::reading::{ReadArguments, ReadOutcome, finish};
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "report",
    about: "Write an HTML report about traces: counts, timeline, latencies",
    configure: |command| Arguments::augment_args(command).after_help(EXAMPLES),
    run: |matches, terminal| run(&parse_arguments(matches)?, filters(matches), terminal),
};

const EXAMPLES: &str = "\
Examples:
  ringtrace report trace-4711 -o report.html
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

    /// The HTML file to write; `-` is standard output
    #[arg(short, long, value_name = "OUT", required = true, help_heading = "Output")]
    output: PathBuf,

    #[command(flatten)]
    overwrite: Overwrite,
}

fn run(arguments: &Arguments, filters: Vec<String>, terminal: &Terminal) -> Result<Exit, CliError> {
    arguments.pairs.check_output(&arguments.output)?;
    check_output(arguments)?;
    let readers = arguments.read.open(&arguments.read.options_for_names()?)?;
    let progress = Progress::watch(&readers, false, terminal);
    let mut traces = arguments.read.gather(readers, Needs { origin: false, anchor: true })?;
    let mut output = Output::create(&arguments.output, arguments.overwrite)?;
    let mut collector = Collector::new(arguments.pairs.span_tracker(&traces)?);
    let failed: Vec<TraceError> = traces.for_each(&mut collector).err().unwrap_or_default();
    drop(progress);
    if let Some(error) = collector.take_error() {
        return Err(error.into());
    }
    if failed.is_empty() {
        check_known(collector.tracker(), &traces)?;
    }
    let about = PageInfo {
        traces: &traces,
        anchor: traces.times().anchor,
        filters,
        problems: failed.iter().map(ToString::to_string).collect(),
    };
    let page = render_page(&collector, &about);
    output.write(page.as_bytes())?;
    output.keep()?;
    let outcome = ReadOutcome { failed, dropped: collector.dropped() };
    // Do not free the collector: the process ends next, and freeing takes a tenth of the run time.
    std::mem::forget(collector);
    Ok(finish(&traces, outcome, arguments.read.format.strict, terminal))
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

fn check_output(arguments: &Arguments) -> Result<(), CliError> {
    if arguments.output.as_os_str() != "-" {
        return arguments.read.check_output(&arguments.output, arguments.overwrite);
    }
    if io::stdout().is_terminal() {
        return Err(CliError::usage("cannot write a report to a terminal: it is an HTML page")
            .help("specify a file, such as --output report.html"));
    }
    Ok(())
}
