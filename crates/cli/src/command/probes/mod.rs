//! `ringtrace probes`: lists the events and probes of executables and libraries.

mod json;
mod process;
mod text;

use std::path::{Path, PathBuf};

use crate::output::print;
use crate::values::parse_number;
use clap::Args;
use ringtrace_binary::Inventory;

use super::{Command, parse_arguments};
use crate::binaries::{DeclarationArguments, inspect, matches_any};
use crate::exit::{CliError, Exit};
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "probes",
    about: "List the events and USDT probes of a program",
    configure: |command| Arguments::augment_args(command).after_help(AFTER_HELP),
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const AFTER_HELP: &str = "\
Examples:
  ringtrace probes target/release/copier
  ringtrace probes --long --event 'blk_*' target/release/copier
  ringtrace probes --events trace-events-all --pid $(pidof qemu-system-x86_64)
  bpftrace -e 'usdt:target/release/copier:copier:blk_end { @[tid] = count() }'

The first column shows what an external tracer can use: `usdt` is a probe whose
arguments are computed only while a tracer listens, and `usdt, always` is a
probe without a semaphore; `lttng` is an LTTng tracepoint. `-` is an event that
only the program itself can record, with --trace, and a `disabled` event is
never recorded.";

#[derive(Args, Debug)]
struct Arguments {
    /// Executables and libraries
    #[arg(value_name = "BINARY", required_unless_present = "pid")]
    binaries: Vec<PathBuf>,

    /// The executable and the loaded libraries of this process
    #[arg(short, long, value_name = "PID", value_parser = parse_number::<u32>)]
    pid: Vec<u32>,

    /// Only events that match GLOB (`*`, `?`), by name or PROVIDER:NAME; for several, use A,B or repeat the option
    #[arg(long = "event", value_name = "GLOB", value_delimiter = ',')]
    patterns: Vec<String>,

    #[command(flatten)]
    declarations: DeclarationArguments,

    /// Show format strings, and the location of each probe and its values
    #[arg(short, long, conflicts_with = "json")]
    long: bool,

    /// Print one line of JSON for each file
    #[arg(long)]
    json: bool,
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let given = arguments.declarations.read(terminal)?;
    let mut exit = Exit::Done;
    let mut paths: Vec<(PathBuf, Show)> =
        arguments.binaries.iter().map(|path| (path.clone(), Show::Always)).collect();
    for pid in &arguments.pid {
        paths.extend(
            process::files(*pid)?
                .into_iter()
                .enumerate()
                .map(|(index, path)| (path, if index == 0 { Show::Always } else { Show::IfAny })),
        );
    }
    let mut shown = 0;
    for (path, wanted) in paths {
        match inspect(&path, &given, terminal) {
            Ok(mut inventory) => {
                let all = inventory.events.len();
                if !arguments.patterns.is_empty() {
                    inventory.events.retain(|event| matches_any(event, &arguments.patterns));
                }
                if wanted == Show::IfAny && inventory.events.is_empty() {
                    continue;
                }
                print(&show(&path, &inventory, all, arguments, shown, terminal)?)?;
                shown += 1;
            }
            // A process may map files of any kind.
            Err(_) if wanted == Show::IfAny => {}
            Err(failure) => {
                terminal.report(&failure);
                // A system error takes precedence over an input error.
                if exit != Exit::System {
                    exit = failure.exit;
                }
            }
        }
    }
    Ok(exit)
}

/// When to show a file: always, or only if it has matching events.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Show {
    Always,
    IfAny,
}

fn show(
    path: &Path,
    inventory: &Inventory,
    all: usize,
    arguments: &Arguments,
    shown: usize,
    terminal: &Terminal,
) -> Result<String, CliError> {
    if arguments.json {
        return json::render(path, inventory);
    }
    let separator = if shown > 0 { "\n" } else { "" };
    Ok(format!("{separator}{}", text::render(path, inventory, all, arguments.long, terminal)))
}
