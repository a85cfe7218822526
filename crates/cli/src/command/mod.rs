//! The commands. A new one is a file here and a line in [`COMMANDS`].

mod check;
mod explain;
mod fmt;
pub mod kvmtrace;
mod print;
mod stat;

use clap::ArgMatches;

use crate::exit::{Exit, Failure};
use crate::terminal::Terminal;

/// One subcommand.
pub struct Command {
    /// The word that calls it.
    pub name: &'static str,
    /// Adds its help text and options to the bare clap command.
    pub configure: fn(clap::Command) -> clap::Command,
    /// Does it.
    pub run: fn(&ArgMatches, &Terminal) -> Result<Exit, Failure>,
}

/// All commands, in the order of `--help`.
pub const COMMANDS: &[Command] =
    &[print::COMMAND, stat::COMMAND, kvmtrace::COMMAND, check::COMMAND, fmt::COMMAND, explain::COMMAND];

/// The whole command line: help, man pages and completions are derived from it.
pub fn tool() -> clap::Command {
    let tool = clap::Command::new("ringtrace")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Reads trace-events declarations and binary traces, and tells what happened")
        .subcommand_required(true)
        .arg_required_else_help(true);
    COMMANDS
        .iter()
        .fold(tool, |tool, command| tool.subcommand((command.configure)(clap::Command::new(command.name))))
}
