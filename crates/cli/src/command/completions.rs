//! `ringtrace completions`: prints completion scripts for shells.

use clap::Args;
use clap_complete::Shell;

use super::{Command, parse_arguments, tool};
use crate::exit::{CliError, Exit};
use crate::output::print;

pub const COMMAND: Command = Command {
    name: "completions",
    about: "Print the completion script for a shell",
    configure: |command| Arguments::augment_args(command).after_help(EXAMPLES),
    run: |matches, _| run(&parse_arguments(matches)?),
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

fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    print(script(arguments.shell))?;
    Ok(Exit::Done)
}

/// Generates the script in memory, because the generator panics if writing fails.
fn script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut tool(), "ringtrace", &mut script);
    script
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::command::COMMANDS;

    #[test]
    fn every_shell_completes_every_command_and_option() {
        for shell in Shell::value_variants() {
            let script = String::from_utf8(script(*shell)).unwrap();
            for command in COMMANDS {
                assert!(script.contains(command.name), "{shell}: {}", command.name);
            }
            for option in ["compat", "where", "legacy-types"] {
                assert!(script.contains(option), "{shell}: {option}");
            }
        }
    }
}
