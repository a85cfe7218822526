//! The interactive shell: edits lines, completes words, saves a history, and prints the monitor's
//! notices.

use std::io::{self};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::output::print;
use ringtrace_events::message::visible;
use rustyline::config::BellStyle;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{ColorMode, CompletionType, Config, Editor};

use super::editor::LineHelper;
use super::errors::{self, failure, is_error, is_quit, warn_of_unmatched};
use super::event_states;
use super::history::{History, MAX_LINES};
use super::hmp_commands::HmpCommands;
use super::program::ProgramInfo;
use super::session::{Session, listen};
use crate::exit::{CliError, Exit};
use crate::monitor::{Client, MonitorError, MonitorErrorKind};
use crate::terminal::Terminal;

/// Commands that the shell itself implements. `quit` is not one of them: the shell sends it to the
/// monitor, after a confirmation.
const OWN: &[&str] = &["exit"];

/// Text added to the monitor's `help`.
const HELP: &str = "
`exit` or Ctrl-D leaves this shell; `quit` ends the program, but asks first.
Tab completes, Ctrl-R searches the history, Ctrl-C clears the line.
";

struct Shell {
    session: Arc<Session>,
    editor: Editor<LineHelper, FileHistory>,
    history: History,
    program: ProgramInfo,
    terminal: Terminal,
    timeout: Duration,
}

/// The shell's next step after a line.
enum Next {
    Continue,
    Leave(Exit),
}

/// Runs the shell until the user leaves or the program ends.
pub fn run(mut client: Client, timeout: Duration, terminal: &Terminal) -> Result<Exit, CliError> {
    let commands = HmpCommands::query(&mut client)?;
    let program = ProgramInfo::query(&mut client)?;
    print(program.greeting(terminal))?;
    // While the shell waits for an answer, Ctrl-C sends a signal, which ends the wait.
    let interrupt = client.interrupt();
    let registered = signal_hook::flag::register(signal_hook::consts::SIGINT, interrupt);
    registered.map_err(|error| CliError::system("Ctrl-C", &error))?;
    let session = Arc::new(Session::new(client, terminal.clone()));
    let mut editor = Editor::with_config(config(terminal)).map_err(unusable)?;
    let folder = program.folder();
    let assistant =
        LineHelper::new(Arc::clone(&session), commands, OWN, folder, timeout, terminal.colour_out);
    editor.set_helper(Some(assistant));
    let history = History::load(&mut editor);
    // If the terminal cannot move its cursor, the shell prints notices after each command.
    if let Ok(printer) = editor.create_external_printer() {
        listen(&session, printer);
    }
    let mut shell = Shell { session, editor, history, program, terminal: terminal.clone(), timeout };
    let left = shell.read_lines();
    shell.session.leave();
    left
}

fn config(terminal: &Terminal) -> Config {
    let colours = if terminal.colour_out { ColorMode::Enabled } else { ColorMode::Disabled };
    Config::builder()
        .color_mode(colours)
        .bell_style(BellStyle::None)
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .history_ignore_space(true)
        .max_history_size(MAX_LINES)
        .map(rustyline::config::Builder::build)
        .unwrap_or_default()
}

impl Shell {
    fn read_lines(&mut self) -> Result<Exit, CliError> {
        let prompt = self.program.prompt();
        loop {
            print(self.session.pending_notices())?;
            if self.session.has_ended() {
                return Err(self.ended());
            }
            let line = match self.editor.readline(&prompt) {
                Ok(line) => line,
                Err(ReadlineError::Interrupted) => continue,
                // The listening thread sends a signal when the connection has ended. Other signals
                // are ignored.
                Err(ReadlineError::Signal(_)) => {
                    print("\n")?;
                    continue;
                }
                Err(ReadlineError::Eof) => return Ok(Exit::Done),
                Err(error) => return Err(unusable(error)),
            };
            // Pasted text may contain several lines.
            for line in line.lines().filter(|line| !line.trim().is_empty()) {
                self.history.keep(line.trim_end(), &mut self.editor);
                if let Next::Leave(exit) = self.execute(line.trim())? {
                    return Ok(exit);
                }
            }
        }
    }

    fn execute(&mut self, line: &str) -> Result<Next, CliError> {
        if line == "exit" {
            return Ok(Next::Leave(Exit::Done));
        }
        if is_quit(line) && !self.confirm_quit() {
            return Ok(Next::Continue);
        }
        let session = Arc::clone(&self.session);
        let mut client = session.client();
        client.interrupt().store(false, Ordering::Relaxed);
        match errors::run(&mut client, line, &self.terminal) {
            Ok(said) if is_error(line, &said) => {
                let failure = failure(&mut client, line, &said, "");
                let leave = "`exit` or Ctrl-D leaves this shell";
                let failure = if is_quit(line) { failure.help(leave) } else { failure };
                self.terminal.report(&failure);
            }
            Ok(_) if is_quit(line) && has_ended_within(&mut client, self.timeout) => {
                print("the program is shutting down\n")?;
                return Ok(Next::Leave(Exit::Done));
            }
            Ok(said) => {
                if said.is_empty() {
                    warn_of_unmatched(&mut client, line, &self.terminal);
                }
                print(self.rendered(line, &said))?;
            }
            Err(error) if error.kind.ends() => return Err(error.into()),
            Err(error) => self.terminal.report(&CliError::from(error)),
        }
        Ok(Next::Continue)
    }

    /// Asks before `quit` ends the program, because users may type it only to leave the shell, as
    /// they do in other shells.
    fn confirm_quit(&mut self) -> bool {
        let question =
            format!("`quit` ends {}, `exit` leaves this shell. End it? [y/N] ", self.program.name());
        let answer = self.editor.readline(&question);
        answer.is_ok_and(|answer| matches!(answer.trim(), "y" | "Y" | "yes"))
    }

    /// Formats the monitor's answer for this terminal.
    fn rendered(&self, line: &str, said: &str) -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        // The window may have been resized.
        let terminal = match crate::terminal::columns(io::stdout()) {
            Some(width) => self.terminal.with_width(width),
            None => self.terminal.clone(),
        };
        if words.starts_with(&["info", "trace-events"])
            && let Some(states) = event_states::parse(said)
            && !states.is_empty()
        {
            return event_states::render(&states, words.len() > 2, &terminal);
        }
        match words[..] {
            ["help" | "?"] => help(said, &terminal) + HELP,
            ["help" | "?" | "info", ..] => help(said, &terminal),
            _ => said.lines().map(|line| visible::text(line) + "\n").collect(),
        }
    }

    fn ended(&self) -> CliError {
        let path = self.session.client().path().to_owned();
        CliError::from(MonitorError { path, kind: MonitorErrorKind::Ended })
    }
}

/// Waits up to `time` for the program to close the connection.
fn has_ended_within(client: &mut Client, time: Duration) -> bool {
    let start = Instant::now();
    loop {
        if client.notices().is_err() {
            return true;
        }
        let left = time.saturating_sub(start.elapsed());
        if left.is_zero() || client.wait(left).is_err() {
            return false;
        }
    }
}

/// Formats help lines of the form `USAGE -- DESCRIPTION`, each wrapped at spaces.
fn help(said: &str, terminal: &Terminal) -> String {
    let one = |line: &str| match line.split_once(" -- ") {
        Some((usage, about)) => {
            let folded = terminal.fold(&visible::text(&format!("{} -- {about}", usage.trim_end())));
            let (name, rest) = folded.split_at(folded.find(' ').unwrap_or(folded.len()));
            terminal.paint("1", name) + rest
        }
        None => visible::text(line) + "\n",
    };
    said.lines().map(one).collect()
}

fn unusable(error: ReadlineError) -> CliError {
    match error {
        ReadlineError::Io(error) => CliError::system("terminal", &error),
        other => CliError::system("terminal", &io::Error::other(other)),
    }
}
