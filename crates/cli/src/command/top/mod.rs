//! `ringtrace top`: the events of a running program or a growing trace, with live rates.

mod action;
mod app;
mod batch;
mod event_loop;
#[cfg(test)]
mod fixture;
mod history;
mod order;
mod program;
mod rows;
mod sample;
mod sampler;
mod screen;
mod trace;
mod view;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use self::app::App;
use self::batch::Batch;
use self::order::{Filter, Key, SortOrder};
use self::program::Program;
use self::sampler::{SampleSource, Sampler};
use self::trace::Trace;
use self::view::Theme;
use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::reading::FormatArguments;
use crate::running::{self, Target};
use crate::terminal::Terminal;
use crate::values::{parse_duration, parse_number};
use ringtrace_tracefile::Options;

pub const COMMAND: Command = Command {
    name: "top",
    about: "Watch a running program or a growing trace, and enable its events",
    configure: |command| {
        // Set the examples last: the flattened arguments would replace the description.
        Arguments::augment_args(command).after_help(EXAMPLES)
    },
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const EXAMPLES: &str = "\
Examples:
  ringtrace top
  ringtrace top 4711
  ringtrace top /run/vmm/trace.sock
  ringtrace top trace-4711
  ringtrace top --filter 'blk_*' --sort dropped /run/vmm/trace.sock
  ringtrace top --once --interval 0.2 /run/vmm/trace.sock
  ringtrace top --batch=10 trace-4711 > rates.txt";

#[derive(Args, Debug)]
struct Arguments {
    /// A program's monitor or its process id, to watch and control it; or a trace, to watch while it grows
    /// [default: the only program that is tracing]
    #[arg(value_name = "SOCKET|PID|TRACE")]
    target: Option<PathBuf>,

    /// The target of `--batch 5 TARGET`, where 5 was meant as N
    #[arg(hide = true)]
    surplus: Option<String>,

    /// Time between two samples
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_interval)]
    interval: Duration,

    /// Column to sort by
    #[arg(long, value_enum, value_name = "WHAT", default_value = "rate")]
    sort: Key,

    /// Sort in reverse
    #[arg(long)]
    reverse: bool,

    /// Only events whose names contain TEXT, or match TEXT if it contains a `*`
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    filter: String,

    /// Also show events that are disabled and never occurred
    #[arg(short, long)]
    all: bool,

    /// Print N tables as plain text, or without N, print tables until the program or the trace ends
    #[arg(short, long, value_name = "N", num_args = 0..=1, require_equals = true, value_parser = parse_number::<u64>)]
    batch: Option<Option<u64>>,

    /// Print one table as plain text, like --batch=1
    #[arg(short = '1', long, conflicts_with = "batch")]
    once: bool,

    /// Declarations of the program that wrote the trace (QEMU: trace-events-all); for several files, repeat the option in the order used by the build
    #[arg(short, long, value_name = "FILE")]
    events: Vec<PathBuf>,

    #[command(flatten)]
    format: FormatArguments,
}

/// Parses the interval. Intervals below 50 ms would keep the program busy.
fn parse_interval(text: &str) -> Result<Duration, String> {
    parse_duration(text, &(Duration::from_millis(50)..=Duration::from_hours(1)))
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    if let Some(surplus) = &arguments.surplus {
        let failure = CliError::usage(format!(
            "unexpected argument `{surplus}`: only one program or trace can be watched at a time"
        ));
        let first = arguments.target.as_deref().unwrap_or(Path::new("")).display().to_string();
        let is_number = arguments.batch == Some(None) && first.parse::<u64>().is_ok();
        return Err(if is_number { failure.help(format!("write --batch={first}")) } else { failure });
    }
    let sort = SortOrder { key: arguments.sort, reversed: arguments.reverse };
    let filter = Filter::new(&arguments.filter);
    let tables = if arguments.once { Some(Some(1)) } else { arguments.batch };
    if tables.is_none() {
        check_terminal()?;
    }
    let target = running::find(arguments.target.as_deref().map(Path::as_os_str), "top")?;
    let (source, name): (Box<dyn SampleSource>, PathBuf) = match target {
        Target::Monitor(socket) => (Box::new(Program::connect(&socket)?), socket),
        Target::Trace(path) => {
            let options = Options { names_suffice: true, ..arguments.format.options(&arguments.events)? };
            (Box::new(Trace::open(&path, &options)?), path)
        }
    };
    let (interval, everything) = (arguments.interval, arguments.all);
    if let Some(tables) = tables {
        let strict = arguments.format.strict;
        let batch = Batch { tables, interval, sort, filter, everything, strict };
        return batch.run(source, terminal);
    }
    let sampler = Sampler::start(source, interval, everything);
    let sampler = sampler.map_err(|error| CliError::system("threads", &error))?;
    let app = App::new(name.display().to_string(), interval, sort, filter, everything);
    let theme = Theme { colour: terminal.colour_out, unicode: terminal.unicode };
    event_loop::run(app, &sampler, theme).map_err(|error| CliError::system("the terminal", &error))?;
    Ok(Exit::Done)
}

/// Checks that standard output is a terminal with a movable cursor.
fn check_terminal() -> Result<(), CliError> {
    let why = if !io::stdout().is_terminal() {
        "standard output is not a terminal"
    } else if crate::terminal::is_dumb() {
        "this terminal (TERM) cannot move the cursor"
    } else {
        return Ok(());
    };
    Err(CliError::usage(why).help("--batch prints tables as plain text, and --once prints one table"))
}
