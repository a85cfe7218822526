//! `ringtrace completions`: prints completion scripts for shells.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use clap::Args;
use clap_complete::Shell;
use ringtrace_tracefile::{Needs, Options, Reader, Schemas, Traces};
use ringtrace_wire::simpletrace::ArgumentKind;

use super::{Command, parse_arguments, tool};
use crate::exit::{CliError, Exit};
use crate::output::print;
use crate::pair_arguments::{NONE, declared, ready_names};
use crate::reading::{open_traces, read_declarations};

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
    #[arg(required_unless_present = "values_of")]
    shell: Option<Shell>,

    /// Print the possible values of OPTION, given the traces and declarations that a command line contains. The scripts
    /// call this
    #[arg(long, value_names = ["OPTION", "WORD"], num_args = 1.., allow_hyphen_values = true, hide = true, conflicts_with = "shell")]
    values_of: Option<Vec<OsString>>,
}

fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    if let Some([option, words @ ..]) = arguments.values_of.as_deref() {
        let completed = COMPLETED.iter().find(|completed| option == completed.option);
        let values = completed.map(|completed| (completed.values)(words)).unwrap_or_default();
        print(values.iter().map(|value| format!("{value}\n")).collect::<String>())?;
    }
    if let Some(shell) = arguments.shell {
        print(script(shell))?;
    }
    Ok(Exit::Done)
}

/// An option whose values depend on the command line.
struct CompletedOption {
    option: &'static str,
    /// The name of its value in the help.
    value_name: &'static str,
    /// Whether the value can be a list separated by commas.
    is_list: bool,
    /// Whether the value can also be the name of a file.
    or_file: bool,
    /// Returns the possible values, given the words of the command line.
    values: fn(&[OsString]) -> BTreeSet<String>,
}

const NUMBERS: CompletedOption =
    CompletedOption { option: "", value_name: "ARG", is_list: false, or_file: false, values: numbers };

const COMPLETED: &[CompletedOption] = &[
    CompletedOption {
        option: "--event",
        value_name: "GLOB",
        is_list: true,
        or_file: false,
        values: event_names,
    },
    CompletedOption {
        option: "--by",
        value_name: "WHAT",
        is_list: false,
        or_file: false,
        values: properties,
    },
    CompletedOption { option: "--hist", ..NUMBERS },
    CompletedOption { option: "--sum", ..NUMBERS },
    CompletedOption { option: "--percentiles", ..NUMBERS },
    CompletedOption {
        option: "--pairs",
        value_name: "FILE",
        is_list: false,
        or_file: true,
        values: |_| ready_names().into_iter().chain([NONE.to_owned()]).collect(),
    },
];

/// Generates the script in memory, because the generator panics if writing fails.
fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut tool(), "ringtrace", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        Shell::Bash => {
            let options = |select: fn(&CompletedOption) -> bool| -> String {
                let selected = COMPLETED.iter().filter(|completed| select(completed));
                selected.map(|completed| completed.option).collect::<Vec<_>>().join("|")
            };
            script
                + &BASH_VALUES
                    .replace("OPTIONS", &options(|_| true))
                    .replace("LISTS", &options(|completed| completed.is_list))
                    .replace("FILES", &options(|completed| completed.or_file))
        }
        Shell::Fish => COMPLETED.iter().fold(script, |script, CompletedOption { option, or_file, .. }| {
            let files = if *or_file { "-r -F" } else { "-x" };
            let name = option.trim_start_matches('-');
            format!(
                "{script}complete -c ringtrace -l {name} {files} \
                 -a '(ringtrace completions --values-of {option} (commandline -opc) 2>/dev/null)'\n"
            )
        }),
        Shell::Zsh => {
            let lines = script.split_inclusive('\n').map(|line| {
                let of_line =
                    COMPLETED.iter().find(|completed| line.contains(&format!("{}=[", completed.option)));
                match of_line {
                    Some(CompletedOption { option, value_name, .. }) => line.replace(
                        &format!(":{value_name}:_default"),
                        &format!(":{value_name}:_ringtrace_values {option}"),
                    ),
                    None => line.to_owned(),
                }
            });
            lines.collect::<String>().replacen('\n', ZSH_VALUES, 1)
        }
        _ => script,
    }
}

/// Completes the values of options that depend on the command line. All other words are completed
/// by the generated function. Options are offered only after a `-`.
const BASH_VALUES: &str = r#"
_ringtrace_values() {
    local word="${COMP_WORDS[COMP_CWORD]}" option="${COMP_WORDS[COMP_CWORD-1]}" first=""
    # Bash treats `=` as a word.
    if [[ $option == "=" && $COMP_CWORD -ge 2 ]]; then
        option="${COMP_WORDS[COMP_CWORD-2]}"
    elif [[ $word == "=" ]]; then
        word=""
    fi
    if [[ ! $option =~ ^(OPTIONS)$ ]]; then
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
    if [[ $option =~ ^(LISTS)$ && $word == *,* ]]; then
        first="${word%,*},"
        word="${word##*,}"
    fi
    local values
    values="$(ringtrace completions --values-of "$option" "${COMP_WORDS[@]:1}" 2>/dev/null)"
    COMPREPLY=($(compgen -P "$first" -W "$values" -- "$word"))
    if [[ $option =~ ^(FILES)$ ]]; then
        compopt -o filenames 2>/dev/null
        COMPREPLY+=($(compgen -f -- "$word"))
    fi
}
complete -F _ringtrace_values -o nosort -o bashdefault -o default ringtrace
"#;

/// The last argument of the function is the option.
const ZSH_VALUES: &str = r#"

_ringtrace_values() {
    local -a values
    values=(${(f)"$(ringtrace completions --values-of "${@[-1]}" "${words[@]}" 2>/dev/null)"})
    [[ ${@[-1]} == --event ]] && compset -P '*,'
    compadd -a values
    [[ ${@[-1]} == --pairs ]] && _files
}
"#;

/// Returns the events that the traces and declarations among `words` declare. Ignores other words
/// and unreadable files.
fn schemas(words: &[OsString]) -> Vec<Schemas> {
    let files = || words.iter().map(Path::new).filter(|word| word.is_file());
    let is_declarations = |word: &Path| {
        words
            .iter()
            .zip(words.iter().skip(1))
            .any(|(option, value)| Path::new(value) == word && (option == "-e" || option == "--events"))
    };
    let sources =
        files().filter(|word| is_declarations(word)).filter_map(|path| read_declarations(path).ok());
    let options = Options { sources: sources.collect(), names_suffice: true, ..Options::default() };
    let traces = files().filter(|word| !is_declarations(word));
    let readers: Vec<Reader> = traces.filter_map(|path| open_traces(path, &options).ok()).flatten().collect();
    Traces::new(readers, Needs::default()).map_or_else(|_| Vec::new(), |traces| declared(&traces))
}

fn event_names(words: &[OsString]) -> BTreeSet<String> {
    let schemas = schemas(words);
    let all = schemas.iter().flat_map(Schemas::all);
    all.map(|(_, schema)| schema.name.to_string()).collect()
}

/// Returns the names of the arguments whose kind `accepts` accepts.
fn argument_names(words: &[OsString], accepts: fn(ArgumentKind) -> bool) -> BTreeSet<String> {
    let schemas = schemas(words);
    let all = schemas.iter().flat_map(Schemas::all);
    let arguments = all.flat_map(|(_, schema)| schema.arguments.iter().zip(&schema.kinds));
    let accepted = arguments.filter(|(_, kind)| accepts(**kind));
    accepted.map(|(argument, _)| argument.name.to_string()).collect()
}

fn numbers(words: &[OsString]) -> BTreeSet<String> {
    argument_names(words, |kind| kind != ArgumentKind::Str)
}

fn properties(words: &[OsString]) -> BTreeSet<String> {
    let mut names = argument_names(words, |_| true);
    names.extend(["event", "pid", "tid", "thread", "host", "trace"].map(str::to_owned));
    names
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
    fn shells_complete_values() {
        let script_of = |shell| script(shell);
        assert!(script_of(Shell::Bash).contains("complete -F _ringtrace_values "));
        for CompletedOption { option, value_name, .. } in COMPLETED {
            let name = option.trim_start_matches('-');
            assert!(script_of(Shell::Bash).contains(&format!("{option}|")) || *option == "--pairs");
            assert!(
                script_of(Shell::Fish).contains(&format!("complete -c ringtrace -l {name} ")),
                "{option}"
            );
            let zsh = script_of(Shell::Zsh);
            assert!(zsh.contains(&format!(":{value_name}:_ringtrace_values {option}'")), "{option}");
            let with_default =
                |line: &&str| line.contains(&format!("{option}=[")) && line.contains("_default");
            assert_eq!(zsh.lines().find(with_default), None);
        }
    }
}
