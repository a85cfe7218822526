//! `ringtrace completions`: what a shell needs to complete our command lines.

use std::io::{self, Write};

use clap::{Args, FromArgMatches};
use clap_complete::Shell;

use super::{Command, tool};
use crate::exit::{Exit, Failure};

pub const COMMAND: Command = Command {
    name: "completions",
    about: "Print the completion script for a shell",
    configure: |command| Arguments::augment_args(command).after_help(EXAMPLES),
    run: |matches, _| {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Failure::usage(e.to_string()))?;
        run(&arguments)
    },
};

const EXAMPLES: &str = "\
Examples:
  ringtrace completions bash > /etc/bash_completion.d/ringtrace
  ringtrace completions zsh > ~/.zfunc/_ringtrace
  ringtrace completions fish > ~/.config/fish/completions/ringtrace.fish";

#[derive(Args)]
struct Arguments {
    /// The shell
    shell: Shell,
}

fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    // Generated in memory: the generator would panic where writing fails.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut tool(), "ringtrace", &mut script);
    io::stdout().lock().write_all(&script).map_err(|error| Failure::system("standard output", &error))?;
    Ok(Exit::Done)
}
