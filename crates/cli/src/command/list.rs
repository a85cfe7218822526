//! `ringtrace list`: lists running programs that use ringtrace, and killed programs whose events
//! are still in memory.

use std::path::PathBuf;

use clap::Args;

use super::recover::report;
use super::{Command, parse_arguments};
use crate::arenas::{self, ArenaLocation};
use crate::exit::{CliError, Exit};
use crate::output::print;
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "list",
    about: "List tracing programs, and killed programs that left events",
    configure: |command| Arguments::augment_args(command).after_help(AFTER_HELP),
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const AFTER_HELP: &str = "\
Examples:
  ringtrace list
  ringtrace list --long
  ringtrace list 4711
  ringtrace list /var/lib/vmm/rings

The list is read from the programs' arenas, which are the files that contain their buffers. The programs are not affected. Without \
arguments, it includes the programs of other users if this user may read their arenas. Root may read all arenas.
`ringtrace top SOCKET` watches a program that has a monitor. `ringtrace recover PID` takes a snapshot of any running \
program.";

#[derive(Args, Debug)]
struct Arguments {
    /// Arenas, folders of arenas, or process ids [default: the folders where programs keep arenas]
    #[arg(value_name = "ARENA|DIR|PID")]
    arenas: Vec<PathBuf>,

    /// Show all that is known about each program, as for a process id or an arena
    #[arg(short, long)]
    long: bool,
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let mut locations = arenas::locations(&arguments.arenas)?;
    if arguments.arenas.is_empty() {
        locations.extend(arenas::folders_of_others());
    }
    let found = arenas::find(&locations, terminal)?;
    report::check_pids(&found, &locations)?;
    let is_folder = |location: &ArenaLocation| matches!(location, ArenaLocation::Folder(_));
    print(if arguments.long || !locations.iter().any(is_folder) {
        report::list(&found.processes, &found.abandoned, &locations)
    } else {
        report::short_list(&found.processes, &found.abandoned, &locations, terminal)
    })?;
    Ok(found.exit)
}
