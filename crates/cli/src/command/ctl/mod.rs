//! `ringtrace ctl`: controls a running program, from a shell or scripts.

mod completion;
#[cfg(test)]
mod completion_tests;
mod editor;
mod errors;
mod event_states;
mod history;
mod hmp_commands;
mod notices;
mod program;
mod session;
mod shell;
mod words;

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, IsTerminal};
use std::time::Duration;

use crate::output::print;
use crate::quantity::counted;
use crate::values::parse_duration;
use clap::Args;

use self::errors::{failure, help_for_qmp, is_error, is_quit, warn_of_unmatched};
use self::words::{QmpCommand, execute, line};
use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::monitor::{Client, MonitorError, MonitorErrorKind, is_socket};
use crate::running::{self, Target};
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "ctl",
    about: "Control tracing in a running program: a shell, or one command",
    configure: |command| Arguments::augment_args(command).after_help(AFTER_HELP),
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const AFTER_HELP: &str = "\
Examples:
  ringtrace ctl vmm.sock
  ringtrace ctl 4711
  ringtrace ctl vmm.sock trace-event 'blk_*' on
  ringtrace ctl trace-event 'blk_*' on
  ringtrace ctl vmm.sock trace-file set /var/tmp/incident.trace
  ringtrace ctl vmm.sock --json query-trace-status seen=true | jq .dropped
  ringtrace ctl vmm.sock < commands

The program creates the socket: --monitor unix:vmm.sock, or QEMU's -qmp.
A process id selects the socket of that process; `ringtrace list` lists the
programs that are tracing.
The monitor accepts the commands of QEMU's human monitor; `ringtrace ctl vmm.sock help` lists them.
Without a command, ctl runs a shell. If standard input is not a terminal, its
lines are run as commands, up to the first one that fails (see --keep-going).

Exit status 1: the monitor returned an error; 4: it did not answer.";

#[derive(Args, Debug)]
struct Arguments {
    /// The socket of the program's monitor, or the program's process id [default: the only program that is tracing and has a monitor]
    #[arg(value_name = "SOCKET|PID")]
    socket: Option<OsString>,

    /// Accept QMP commands (NAME KEY=VALUE... or one JSON object), and print each result as a line of JSON
    #[arg(long)]
    json: bool,

    /// How long to wait for each answer
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_timeout)]
    timeout: Duration,

    /// Continue after a failed command from standard input
    #[arg(short, long, conflicts_with = "command")]
    keep_going: bool,

    /// The command and its arguments [default: run a shell, or commands from standard input]
    #[arg(value_name = "COMMAND", trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

impl Arguments {
    /// Returns the socket or the process id, and the words of the command. If the first word is not
    /// a socket but the name of a command, the command is for the only program that is tracing.
    fn socket_and_command(&self) -> (Option<&OsStr>, Cow<'_, [String]>) {
        let socket = self.socket.as_deref();
        match socket.and_then(OsStr::to_str).filter(|word| self.is_command(word)) {
            Some(first) => {
                let words = std::iter::once(first.to_owned()).chain(self.command.iter().cloned());
                (None, words.collect())
            }
            None => (socket, Cow::Borrowed(&self.command)),
        }
    }

    fn is_command(&self, word: &str) -> bool {
        // A single word can contain the whole command line.
        let name = word.split_whitespace().next().unwrap_or_default();
        let is_json = self.json && name.starts_with('{');
        !is_socket(OsStr::new(word)) && (is_json || ringtrace::monitor::is_command(name, self.json))
    }
}

fn parse_timeout(text: &str) -> Result<Duration, String> {
    parse_duration(text, &(Duration::from_millis(1)..=Duration::from_hours(24)))
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let (socket, command) = arguments.socket_and_command();
    // Report a malformed command before connecting.
    let request = match &command[..] {
        [] => None,
        words => Some(Request::of_words(words, arguments.json)?),
    };
    let timeout = arguments.timeout;
    let is_shell = request.is_none() && io::stdin().is_terminal() && io::stdout().is_terminal();
    if is_shell && arguments.json {
        return Err(CliError::usage("--json needs a command").help("the shell accepts only HMP commands"));
    }
    let socket = match running::find(socket, "ctl")? {
        // For a trace, connecting fails with an explanation.
        Target::Monitor(socket) | Target::Trace(socket) => socket,
    };
    let mut client = Client::connect_within(&socket, timeout)?;
    match request {
        Some(request) => {
            let mut said = request.run(&mut client, terminal)?;
            if said.is_empty() && io::stdout().is_terminal() {
                said = request.confirmation(&mut client);
            }
            print(&said)?;
            Ok(Exit::Done)
        }
        None if is_shell => shell::run(client, timeout, terminal),
        None => run_lines(&mut client, arguments.json, arguments.keep_going, terminal),
    }
}

/// Executes the commands from standard input. Skips blank lines and lines that start with `#`.
/// Unless `keep_going`, stops at the first command that fails, because later commands may depend on
/// it.
fn run_lines(
    client: &mut Client,
    json: bool,
    keep_going: bool,
    terminal: &Terminal,
) -> Result<Exit, CliError> {
    let mut exit = Exit::Done;
    for (index, line) in io::stdin().lock().lines().enumerate() {
        let line = line.map_err(|error| CliError::system("standard input", &error))?;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let answered = Request::of_line(line, json).and_then(|request| request.run(client, terminal));
        match answered {
            Ok(said) => print(&said)?,
            Err(failure) => {
                let failure =
                    CliError { message: format!("line {}: {}", index + 1, failure.message), ..failure };
                if failure.exit == Exit::System || !keep_going {
                    return Err(failure);
                }
                terminal.report(&failure);
                exit = Exit::Input;
            }
        }
    }
    Ok(exit)
}

/// A parsed command.
#[derive(Debug)]
enum Request {
    Hmp(String),
    Qmp(QmpCommand),
}

impl Request {
    fn of_words(words: &[String], json: bool) -> Result<Request, CliError> {
        if json { execute(words).map(Request::Qmp) } else { Ok(Request::Hmp(line(words))) }
    }

    fn of_line(line: &str, json: bool) -> Result<Request, CliError> {
        let words: Vec<String> = match line.starts_with('{') {
            true => vec![line.to_owned()],
            false => line.split_whitespace().map(str::to_owned).collect(),
        };
        if json { execute(&words).map(Request::Qmp) } else { Ok(Request::Hmp(line.to_owned())) }
    }

    /// Describes the state after a command that succeeded without an answer.
    fn confirmation(&self, client: &mut Client) -> String {
        let Request::Hmp(line) = self else { return String::new() };
        // The command has been executed, so an error here does not matter.
        let mut human = |line: &str| client.human(line).unwrap_or_default();
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["trace-event", pattern, ..] => {
                let states = event_states::parse(&human(&format!("info trace-events {pattern}")));
                let states = states.unwrap_or_default();
                let on = states.iter().filter(|state| state.is_enabled).count();
                format!(
                    "{on} of {} are now on\n",
                    counted(states.len() as u64, "matching event", "matching events")
                )
            }
            ["trace-file", ..] => human("trace-file"),
            _ => String::new(),
        }
    }

    /// Executes the command. Returns the answer to print.
    fn run(&self, client: &mut Client, terminal: &Terminal) -> Result<String, CliError> {
        match self {
            Request::Hmp(line) => match errors::run(client, line, terminal) {
                Ok(said) if is_error(line, &said) => {
                    let prefix = format!("ringtrace ctl {} ", client.path().display());
                    Err(failure(client, line, &said, &prefix))
                }
                // The connection ended because the user requested it.
                Err(MonitorError { kind: MonitorErrorKind::Ended, .. }) if is_quit(line) => Ok(String::new()),
                said => {
                    let said = said?;
                    if said.is_empty() {
                        warn_of_unmatched(client, line, terminal);
                    }
                    Ok(said)
                }
            },
            Request::Qmp(QmpCommand { command, arguments }) => {
                match client.execute(command, arguments.clone()) {
                    Ok(returned) => Ok(format!("{returned}\n")),
                    Err(error) => {
                        let help = help_for_qmp(client, command, &error.kind);
                        let failure = CliError::from(error);
                        Err(CliError { help: help.or(failure.help), ..failure })
                    }
                }
            }
        }
    }
}
