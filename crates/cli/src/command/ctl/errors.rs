//! Recognizes errors and warnings in the text answers of HMP, and suggests corrections.

use ringtrace_events::message::visible;
use ringtrace_events::nearest::nearest;
use serde_json::json;

use super::event_states;
use super::hmp_commands::HmpCommands;
use crate::exit::{CliError, Exit};
use crate::monitor::{Client, MonitorError, MonitorErrorKind, Protocol};
use crate::terminal::Terminal;

/// Commands that print nothing on success: any answer is an error.
const SILENT_COMMANDS: &[&str] = &["log", "logfile", "quit", "q", "trace-event"];

/// Prefixes of error messages that any command may print, in QEMU or in ringtrace.
const ERROR_PREFIXES: &[&str] = &["unknown command: '", "unknown event \"", "Error: "];

/// The start of a warning, which does not make a command fail.
const WARNING_PREFIX: &str = "warning: ";

/// Executes `line`. Prints the warnings in the answer, and returns the rest.
pub fn run(client: &mut Client, line: &str, terminal: &Terminal) -> Result<String, MonitorError> {
    let answer = client.human(line)?;
    let (warnings, rest) = split_warnings(&answer);
    for warning in warnings {
        terminal.warn(&visible::text(warning), None);
    }
    Ok(rest)
}

/// Splits `answer` into the messages of its warnings, and its other lines.
fn split_warnings(answer: &str) -> (Vec<&str>, String) {
    let (mut warnings, mut rest) = (Vec::new(), String::new());
    for line in answer.split_inclusive('\n') {
        match line.strip_prefix(WARNING_PREFIX) {
            Some(warning) => warnings.push(warning.trim_end()),
            None => rest.push_str(line),
        }
    }
    (warnings, rest)
}

/// Returns whether `line` ends the program.
pub fn is_quit(line: &str) -> bool {
    matches!(line.trim(), "quit" | "q")
}

/// Returns whether `answer` is an error message about `line`.
pub fn is_error(line: &str, answer: &str) -> bool {
    let mut words = line.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    let is_silent = match (first, second) {
        ("trace-file", Some(_)) => true,
        // On success the command prints only record counts.
        ("trace-snapshot", _) => {
            !answer.lines().all(|line| line.ends_with(" records") || line.ends_with(" record"))
        }
        // With these items, the command lists the log items or the events.
        ("log", Some(items)) => {
            !items.split(',').any(|item| matches!(item, "help" | "trace:help" | "trace:?"))
        }
        _ => SILENT_COMMANDS.contains(&first),
    };
    (is_silent && !answer.is_empty())
        || ERROR_PREFIXES.iter().any(|beginning| answer.starts_with(beginning))
        || answer.lines().any(|line| advises(line).is_some())
}

/// Returns the COMMAND in QEMU's line `Try "help COMMAND" for more information`.
fn advises(line: &str) -> Option<&str> {
    line.strip_prefix("Try \"help ")?.strip_suffix("\" for more information")
}

/// Warns if the pattern of `line` matches no event. Monitors do not report this.
///
/// It is not an error, because scripts may enable or disable events that a program does not have.
/// Still, the user should learn about a misspelt pattern.
pub fn warn_of_unmatched(client: &mut Client, line: &str, terminal: &Terminal) {
    let mut words = line.split_whitespace();
    let pattern = match (words.next(), words.next()) {
        (Some("trace-event"), pattern) => pattern,
        (Some("info"), Some("trace-events")) => words.next(),
        _ => None,
    };
    if let Some(pattern) = pattern.filter(|pattern| pattern.contains('*'))
        && client.human(&format!("info trace-events {pattern}")).is_ok_and(|said| said.is_empty())
    {
        terminal.warn(&format!("no event matches `{}`", visible::text(pattern)), None);
    }
}

/// Converts `answer`, an error about `line`, to a [`CliError`]. `prefix` is the text that the user
/// types before a command.
pub fn failure(client: &mut Client, line: &str, answer: &str, prefix: &str) -> CliError {
    let (advice, said): (Vec<&str>, Vec<&str>) = answer.lines().partition(|line| advises(line).is_some());
    let mut said: Vec<String> = said.into_iter().map(visible::text).collect();
    // QEMU lists the known log items, but does not mention the unknown one.
    if said.first().is_some_and(|first| first.starts_with("Log items")) {
        said.insert(0, format!("`{}`: there is no such log item", visible::text(line)));
    }
    let failure = CliError::lines(Exit::Input, said.join("\n"));
    let advice = advice.first().and_then(|line| advises(line));
    match (suggestion(client, line, answer, prefix), advice) {
        (Some(suggestion), _) => failure.help(suggestion),
        (None, Some(command)) => failure.help(format!("`{prefix}help {command}` explains it")),
        (None, None) => failure,
    }
}

/// Suggests a similar name for an unknown command or event.
fn suggestion(client: &mut Client, line: &str, answer: &str, prefix: &str) -> Option<String> {
    if let Some(event) = answer.strip_prefix("unknown event \"") {
        let event = event.lines().next()?.strip_suffix('"')?;
        return suggest_event(client, event);
    }
    let name = answer.strip_prefix("unknown command: '")?.lines().next()?.strip_suffix('\'')?;
    let commands = HmpCommands::query(client).ok()?;
    // The user may have forgotten the `info` before a subcommand.
    let first = line.split_whitespace().next()?;
    let behind_info = commands.names().find(|known| known.strip_prefix("info ") == Some(first));
    match behind_info.or_else(|| nearest_name(name, commands.names())) {
        Some(suggestion) => Some(format!("did you mean `{suggestion}`?")),
        None if first == "info" => Some(format!("`{prefix}help info` lists the subcommands")),
        None => Some(format!("`{prefix}help` lists the commands")),
    }
}

/// Returns the name most similar to `word`, or else the only name that starts with it.
fn nearest_name<'n>(word: &str, names: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
    let mut longer = names.clone().filter(|name| name.starts_with(word));
    nearest(word, names).or_else(|| longer.next().filter(|_| longer.next().is_none()))
}

/// Suggests an event with a name similar to the unknown `name`.
fn suggest_event(client: &mut Client, name: &str) -> Option<String> {
    if name.contains(['?', '[']) {
        return Some("patterns in a monitor support only `*`".to_owned());
    }
    let states = event_states::query(client).ok()?;
    let suggestion = nearest_name(name, states.iter().map(|state| state.name.as_str()))?;
    Some(format!("did you mean `{suggestion}`?"))
}

/// Returns advice on an error of the QMP command `command`.
pub fn help_for_qmp(client: &mut Client, command: &str, error: &MonitorErrorKind) -> Option<String> {
    let MonitorErrorKind::Answered { class, description } = error else { return None };
    if client.protocol() != Protocol::Qmp {
        return None;
    }
    if let Some(event) = description.strip_prefix("unknown event \"") {
        return suggest_event(client, event.strip_suffix('"')?);
    }
    if description.ends_with("expected: string") {
        return Some(
            "a value that looks like JSON is parsed as JSON; for text, write KEY='\"TEXT\"'".to_owned(),
        );
    }
    if description.ends_with("expected: boolean") {
        return Some("write KEY=true or KEY=false".to_owned());
    }
    if class != "CommandNotFound" {
        return None;
    }
    let commands = client.execute("query-commands", json!(null)).ok()?;
    let names: Vec<&str> =
        commands.as_array()?.iter().filter_map(|command| command["name"].as_str()).collect();
    match nearest_name(command, names.iter().copied()) {
        Some(suggestion) => Some(format!("did you mean `{suggestion}`?")),
        None => Some(
            "without --json, commands are HMP commands; `--json query-commands` lists the QMP commands"
                .to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::path::Path;

    use super::*;

    /// Classifies QEMU's answers that differ from ringtrace's. They are from transcripts of QEMU.
    #[test]
    fn qemu_errors_are_recognised() {
        for (line, answer, expected) in [
            ("trace-event x on", "unknown event \"x\"\n", true),
            ("trace-file", "Trace file \"x\" on.\n", false),
            (
                "trace-file bogus",
                "unexpected argument \"bogus\"\ntrace-file on|off|flush|set [arg] -- open\n",
                true,
            ),
            ("trace-file on", "unknown command: 'trace-file'\n", true),
            (
                "info trace-events x y",
                "invalid char 'y' in expression\nTry \"help info trace-events\" for more information\n",
                true,
            ),
            ("info help", "unknown command: 'info help'\n", true),
            ("log bogus", "Log items (comma separated):\nnone            remove all logs\n", true),
            ("device_del x", "Error: Device 'x' not found\n", true),
            ("info status", "VM status: paused\n", false),
            ("cont", "", false),
        ] {
            assert_eq!(is_error(line, answer), expected, "{line}: {answer}");
        }
    }

    #[test]
    fn warnings_are_not_part_of_the_answer() {
        let answer = "warning: trace event 'x' does not exist\nTrace file \"t\" on.\nwarning: more\n";
        let (warnings, rest) = split_warnings(answer);
        assert_eq!(warnings, ["trace event 'x' does not exist", "more"]);
        assert_eq!(rest, "Trace file \"t\" on.\n");
        assert_eq!(split_warnings("no warning: here"), (vec![], "no warning: here".to_owned()));
    }

    /// Classifies all answers in the transcripts of ringtrace's monitor. The expected result is in
    /// `testdata/ctl/complaints.txt`.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "tests may read the environment")]
    fn ringtrace_errors_are_recognised() {
        let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
        let files = std::fs::read_dir(testdata.join("monitor")).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> =
            files.filter(|path| path.extension().is_some_and(|it| it == "conversation")).collect();
        files.sort();
        let mut verdicts = String::new();
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            let mut lines = text.lines().peekable();
            writeln!(verdicts, "# {}", file.file_name().unwrap().to_string_lossy()).unwrap();
            while let Some(line) = lines.next() {
                let Some(command) = line.strip_prefix("HMP -> ") else { continue };
                let mut answer = String::new();
                while let Some(said) = lines.next_if(|line| line.starts_with("  | ")) {
                    // `(no prompt)` is a remark in the transcript, not part of the answer.
                    if !said.contains("(no prompt)") {
                        writeln!(answer, "{}", &said[4..]).unwrap();
                    }
                }
                // An empty answer means success.
                if let Some(first) = answer.lines().next() {
                    let (warnings, rest) = split_warnings(&answer);
                    let verdict = match () {
                        () if is_error(command, &rest) => "complaint",
                        () if !warnings.is_empty() => "warning",
                        () => "answer",
                    };
                    writeln!(verdicts, "{verdict:<10} {command:<40} {first}").unwrap();
                }
            }
        }
        let accepted = testdata.join("ctl/complaints.txt");
        if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
            std::fs::write(&accepted, &verdicts).unwrap();
        }
        assert_eq!(std::fs::read_to_string(accepted).unwrap(), verdicts, "RINGTRACE_ACCEPT=1 accepts");
    }
}
