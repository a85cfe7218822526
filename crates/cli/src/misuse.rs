//! Command-line errors that clap detects: their text, and advice that clap cannot give.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use ringtrace_events::message::visible;
use ringtrace_report::wording::command_line;

use crate::binaries::{executable, is_executable};
use crate::command::{self, COMMANDS};
use crate::exit::{CliError, Exit};
use crate::terminal::Terminal;

/// Prints clap's `error` about `arguments`, or the help that the user requested. Returns the exit
/// status.
pub fn report(mut error: clap::Error, arguments: &[OsString], terminal: &Terminal) -> Exit {
    if !error.use_stderr() {
        // Ignore errors: standard output may be closed.
        let _ = error.print();
        return Exit::Done;
    }
    let help = match error.kind() {
        ErrorKind::InvalidSubcommand => match arguments.get(1).and_then(|word| not_a_command(word)) {
            Some(failure) => {
                terminal.report(&failure);
                return Exit::Usage;
            }
            None => None,
        },
        ErrorKind::UnknownArgument => of_other_commands(&mut error, arguments),
        ErrorKind::MissingRequiredArgument => missing_output(&error),
        _ => None,
    };
    escape(&mut error);
    let text = error.to_string();
    match text.trim_end().strip_prefix("error: ") {
        Some(message) => terminal.report(&CliError::lines(Exit::Usage, message).maybe_help(help)),
        // Without that prefix, the text is the help of a command that was called without its
        // required arguments.
        None => {
            let _ = error.print();
        }
    }
    Exit::Usage
}

/// Makes control characters in the quoted arguments visible.
fn escape(error: &mut clap::Error) {
    let text = |text: &String| visible::text(text);
    // The advice about an argument, which clap has formatted as one line.
    let advice = |text: &StyledStr| StyledStr::from(visible::text(&text.to_string()));
    let quoted: Vec<(ContextKind, ContextValue)> = error
        .context()
        .filter_map(|(kind, value)| match value {
            ContextValue::String(one) => Some((kind, ContextValue::String(text(one)))),
            ContextValue::Strings(all) => Some((kind, ContextValue::Strings(all.iter().map(text).collect()))),
            ContextValue::StyledStrs(all) if kind == ContextKind::Suggested => {
                Some((kind, ContextValue::StyledStrs(all.iter().map(advice).collect())))
            }
            _ => None,
        })
        .collect();
    for (kind, value) in quoted {
        error.insert(kind, value);
    }
}

/// Returns an error with advice if `word`, in place of a command, is a program or another file.
fn not_a_command(word: &OsStr) -> Option<CliError> {
    let name = visible::text(&word.to_string_lossy());
    let quoted = command_line(&[word.as_encoded_bytes(), b"\0"].concat());
    let is_path = Path::new(word).is_file();
    if executable(word).is_some_and(|path| is_executable(&path)) {
        return Some(
            CliError::usage(format!("`{name}` is a program, not a command"))
                .help(format!("`ringtrace record -- {quoted}` runs it with tracing enabled")),
        );
    }
    is_path.then(|| {
        CliError::usage(format!("`{name}` is a file, not a command"))
            .help(format!("`ringtrace print {quoted}` prints a trace"))
    })
}

/// Returns advice if only the output is missing, because other programs take it as the last argument.
fn missing_output(error: &clap::Error) -> Option<String> {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) if missing.len() == 1 && missing[0].starts_with("--output ") => {
            Some("positional arguments are input traces: specify the output with -o".to_owned())
        }
        _ => None,
    }
}

/// Returns advice that lists the commands that have the unknown option, and removes clap's
/// suggestion of another option from `error`. Returns `None` if no command has the option.
fn of_other_commands(error: &mut clap::Error, arguments: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return None };
    let long = option.strip_prefix("--")?;
    let option = visible::text(option);
    let mut tool = command::tool();
    tool.build();
    let has_it = |command: &&clap::Command| {
        command.get_arguments().any(|argument| argument.get_long() == Some(long) && !argument.is_hide_set())
    };
    let names: Vec<String> = COMMANDS
        .iter()
        .filter_map(|command| tool.find_subcommand(command.name))
        .filter(has_it)
        .map(|command| format!("`{}`", command.get_name()))
        .collect();
    let (last, others) = names.split_last()?;
    let names = if others.is_empty() { last.clone() } else { format!("{} and {last}", others.join(", ")) };
    let usage = arguments
        .iter()
        .filter_map(|word| tool.find_subcommand(word))
        .next()
        .map(|command| command.clone().render_usage());
    for kind in [ContextKind::SuggestedArg, ContextKind::Suggested] {
        error.remove(kind);
    }
    if let Some(usage) = usage {
        error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    }
    let have = if others.is_empty() { "has" } else { "have" };
    Some(format!("{names} {have} {option}"))
}
