//! `ringtrace man`: the manual pages.

use std::path::PathBuf;

use clap::{Args, FromArgMatches};

use super::{Command, tool};
use crate::exit::{Exit, Failure};

pub const COMMAND: Command = Command {
    name: "man",
    configure: |command| {
        Arguments::augment_args(command)
            .about("Write the manual pages into a folder")
            .after_help("Example:\n  ringtrace man ~/.local/share/man/man1 && man ringtrace-print")
    },
    run: |matches, _| {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Failure::usage(e.to_string()))?;
        run(&arguments)
    },
};

#[derive(Args)]
struct Arguments {
    /// The folder; it is made if it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(tool().disable_help_subcommand(true), folder))
        .map_err(|error| Failure::system(folder.display(), &error))?;
    Ok(Exit::Done)
}
