//! `ringtrace completions`: prints completion scripts for shells.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;
use ringtrace_tracefile::{Needs, Options, Reader, Traces};

use super::{Command, parse_arguments, tool};
use crate::exit::{CliError, Exit};
use crate::output::print;
use crate::pair_arguments::declared;
use crate::reading::{open_trace, read_declarations};

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
    #[arg(required_unless_present = "event_names")]
    shell: Option<Shell>,

    /// Print the names of the events in the traces and declarations that a command line contains. The scripts call this
    #[arg(long, value_name = "WORD", num_args = 0.., allow_hyphen_values = true, hide = true, conflicts_with = "shell")]
    event_names: Option<Vec<PathBuf>>,
}

fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    if let Some(words) = &arguments.event_names {
        print(event_names(words))?;
    }
    if let Some(shell) = arguments.shell {
        print(script(shell))?;
    }
    Ok(Exit::Done)
}

/// Generates the script in memory, because the generator panics if writing fails.
fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut tool(), "ringtrace", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        Shell::Bash => script + BASH_EVENTS,
        Shell::Fish => script + FISH_EVENTS,
        Shell::Zsh => {
            let lines =
                script.split_inclusive('\n').map(|line| match line.contains("--event=[Only events") {
                    true => line.replace(":GLOB:_default", ":GLOB:_ringtrace_event_names"),
                    false => line.to_owned(),
                });
            lines.collect::<String>().replacen('\n', ZSH_EVENTS, 1)
        }
        _ => script,
    }
}

/// Completes the value of `--event`. All other words are completed by the generated function, but
/// options only after a `-`.
const BASH_EVENTS: &str = r#"
_ringtrace_event_names() {
    local word="${COMP_WORDS[COMP_CWORD]}" option="${COMP_WORDS[COMP_CWORD-1]}" first=""
    # Bash treats `=` as a word.
    if [[ $option == "=" && $COMP_CWORD -ge 2 ]]; then
        option="${COMP_WORDS[COMP_CWORD-2]}"
    elif [[ $word == "=" ]]; then
        word=""
    fi
    if [[ $option != --event ]]; then
        _ringtrace "$@"
        if [[ -z $word ]]; then
            # Without options, bash completes file names.
            local reply names=("${COMPREPLY[@]}")
            COMPREPLY=()
            for reply in "${names[@]}"; do
                [[ $reply == [-\<[]* ]] || COMPREPLY+=("$reply")
            done
        fi
        return
    fi
    if [[ $word == *,* ]]; then
        first="${word%,*},"
    fi
    local names
    names="$(ringtrace completions --event-names "${COMP_WORDS[@]:1}" 2>/dev/null)"
    COMPREPLY=($(compgen -P "$first" -W "$names" -- "${word##*,}"))
}
complete -F _ringtrace_event_names -o nosort -o bashdefault -o default ringtrace
"#;

const ZSH_EVENTS: &str = r#"

_ringtrace_event_names() {
    local -a names
    names=(${(f)"$(ringtrace completions --event-names "${words[@]}" 2>/dev/null)"})
    compset -P '*,'
    compadd -a names
}
"#;

const FISH_EVENTS: &str = r#"
complete -c ringtrace -l event -x -a '(ringtrace completions --event-names (commandline -opc) 2>/dev/null)'
"#;

/// Returns the names of the events in the traces and declarations among `words`, one per line.
/// Other words and unreadable files are ignored.
fn event_names(words: &[PathBuf]) -> String {
    let files = || words.iter().filter(|word| word.is_file());
    let is_declarations = |word: &PathBuf| {
        words.iter().zip(words.iter().skip(1)).any(|(option, value)| {
            value == word && (option.as_os_str() == "-e" || option.as_os_str() == "--events")
        })
    };
    let sources =
        files().filter(|word| is_declarations(word)).filter_map(|path| read_declarations(path).ok());
    let options = Options { sources: sources.collect(), names_suffice: true, ..Options::default() };
    let traces = files().filter(|word| !is_declarations(word));
    let readers: Vec<Reader> = traces.filter_map(|path| open_trace(path, &options).ok()).collect();
    let mut names = BTreeSet::new();
    if let Ok(traces) = Traces::new(readers, Needs::default()) {
        for schemas in declared(&traces) {
            names.extend(schemas.all().map(|(_, schema)| schema.name.to_string()));
        }
    }
    names.iter().map(|name| format!("{name}\n")).collect()
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::command::COMMANDS;

    #[test]
    fn every_shell_completes_every_command_and_option() {
        for shell in Shell::value_variants() {
            let script = script(*shell);
            for command in COMMANDS {
                assert!(script.contains(command.name), "{shell}: {}", command.name);
            }
            for option in ["compat", "where", "legacy-types"] {
                assert!(script.contains(option), "{shell}: {option}");
            }
        }
    }

    #[test]
    fn shells_complete_names_of_events() {
        for (shell, expected) in [
            (Shell::Bash, "complete -F _ringtrace_event_names "),
            (Shell::Fish, "-l event -x -a "),
            (Shell::Zsh, ":GLOB:_ringtrace_event_names"),
        ] {
            assert!(script(shell).contains(expected), "{shell}");
        }
    }
}
