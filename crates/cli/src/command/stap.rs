//! `ringtrace stap`: writes or runs a SystemTap script for the probes of a program.

use std::borrow::Cow;
use std::fs;
use std::io::{self};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process;

use crate::output::print;
use clap::Args;
use ringtrace_binary::{Event, Inventory};
use ringtrace_events::message::visible;
use ringtrace_events::{self as events};
use ringtrace_tracetool::{StapProbe, stap_listener};

use super::{Command, parse_arguments};
use crate::binaries::{DeclarationArguments, full_name, inspect, matches_any};
use crate::exit::{CliError, Exit, did_you_mean};
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "stap",
    about: "Write or run a SystemTap script for the USDT probes of a program",
    configure: |command| Arguments::augment_args(command).after_help(AFTER_HELP),
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const AFTER_HELP: &str = "\
Examples:
  ringtrace stap target/release/copier 'blk_*' > copier.stp
  ringtrace stap --run target/release/copier copier:blk_failed
  ringtrace stap --events trace-events-all qemu-system-x86_64 'qcow2_*'

The script prints one line per event: process, time in nanoseconds, name, and
the values in the format of the declaration. Without a declaration, values are
printed according to their width and sign. `ringtrace probes` lists the probes.";

#[derive(Args, Debug)]
struct Arguments {
    /// The executable or library that contains the probes
    #[arg(value_name = "BINARY")]
    binary: PathBuf,

    /// Select probes by name or PROVIDER:NAME (with `*` and `?`)
    #[arg(value_name = "PATTERN", required = true)]
    patterns: Vec<String>,

    #[command(flatten)]
    declarations: DeclarationArguments,

    /// Run the script with SystemTap until Ctrl-C (needs root and kernel headers)
    #[arg(long)]
    run: bool,
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let given = arguments.declarations.read(terminal)?;
    let inventory = inspect(&arguments.binary, &given, terminal)?;
    let events = chosen(&inventory, arguments, terminal)?;
    // SystemTap resolves names in its working directory and in PATH, so pass an absolute path.
    let binary = fs::canonicalize(&arguments.binary);
    let binary = binary.map_err(|error| CliError::system(arguments.binary.display(), &error))?;
    let binary = binary.to_string_lossy();
    let declarations: Vec<(&Event, Cow<'_, events::Event>)> =
        events.iter().filter_map(|event| Some((*event, event.declaration_to_print()?))).collect();
    let probes: Vec<StapProbe<'_>> = declarations
        .iter()
        .filter_map(|(event, declaration)| {
            let usdt = event.usdt.as_ref()?;
            Some(StapProbe {
                binary: &binary,
                provider: &usdt.provider,
                mark: &usdt.name,
                event: declaration,
            })
        })
        .collect();
    let script = stap_listener(&probes);
    if arguments.run {
        return Err(become_stap(&script));
    }
    print(script)?;
    Ok(Exit::Done)
}

/// Returns the events that match the patterns and have probes.
fn chosen<'a>(
    inventory: &'a Inventory,
    arguments: &Arguments,
    terminal: &Terminal,
) -> Result<Vec<&'a Event>, CliError> {
    let name = arguments.binary.display();
    for pattern in &arguments.patterns {
        if inventory.events.iter().any(|event| matches_any(event, std::slice::from_ref(pattern))) {
            continue;
        }
        let names: Vec<String> = inventory.events.iter().map(full_name).collect();
        let known = names.iter().map(String::as_str).chain(inventory.events.iter().map(|event| &*event.name));
        let all = format!("`ringtrace probes {name}` lists all events");
        let help = did_you_mean(pattern, known).map_or(all.clone(), |question| format!("{question} {all}"));
        return Err(CliError::input(format!("{name}: no event matches `{pattern}`")).help(help));
    }
    let meant = inventory.events.iter().filter(|event| matches_any(event, &arguments.patterns));
    let (probes, others): (Vec<&Event>, Vec<&Event>) = meant.partition(|event| event.usdt.is_some());
    if probes.is_empty() {
        let help = "the backend `dtrace` adds USDT probes, except to `disable`d events";
        return Err(CliError::input(format!("{name}: these events have no USDT probes")).help(help));
    }
    if let Some(one) = others.first() {
        let names = match others.len() {
            1 => full_name(one),
            more => format!("{} and {} more", full_name(one), more - 1),
        };
        let names = visible::text(&names);
        terminal.warn(&format!("skipped events without a USDT probe: {names}"), None);
    }
    Ok(probes)
}

/// Linux limits each program argument to 128 KiB.
const MAX_ARGUMENT_BYTES: usize = (128 << 10) - 1;

/// Replaces this process with SystemTap, so that SystemTap receives the signals and sets the exit
/// status. Returns only on failure.
fn become_stap(script: &str) -> CliError {
    if script.len() > MAX_ARGUMENT_BYTES {
        return CliError::usage("--run: too many probes for one command line")
            .help("omit --run, write the script to a file, and run stap on that file");
    }
    let error = process::Command::new("stap").args(["-e", script]).exec();
    let failure = CliError::system("stap", &error);
    match error.kind() {
        io::ErrorKind::NotFound => failure.help(
            "SystemTap is not installed (Debian: package systemtap); without --run, the script is printed",
        ),
        _ => failure,
    }
}
