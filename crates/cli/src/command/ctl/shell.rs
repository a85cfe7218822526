//! The shell: lines are edited, completed and remembered, and what the monitor tells unasked stands between them.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ringtrace_events::message::visible;
use rustyline::config::BellStyle;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{ColorMode, CompletionType, Config, Editor};

use super::editor::Assistant;
use super::errors::{failure, is_complaint, is_quit, vain_pattern};
use super::event_states;
use super::history::{History, MAX_LINES};
use super::hmp_commands::Vocabulary;
use super::program::Program;
use super::session::{Session, listen};
use crate::exit::{Exit, Failure};
use crate::monitor::{Client, MonitorError, Trouble};
use crate::terminal::Terminal;

/// What the shell does itself. `quit`, which ends the program, it asks about.
const OWN: &[&str] = &["exit"];

/// What `help` says in addition.
const HELP: &str = "
`exit` or Ctrl-D leaves this shell, and the program goes on; `quit` asks first.
Tab completes, Ctrl-R searches what was typed, Ctrl-C clears the line.
";

/// A shell on a terminal.
struct Shell {
    session: Arc<Session>,
    editor: Editor<Assistant, FileHistory>,
    history: History,
    program: Program,
    terminal: Terminal,
    /// What a call may take.
    timeout: Duration,
}

/// What follows a line.
enum Then {
    GoOn,
    Leave(Exit),
}

/// Talks with who sits at the terminal until he leaves, or the program ends.
///
/// # Errors
/// When the monitor does not answer, the program ends, or the terminal cannot be read.
pub fn run(mut client: Client, timeout: Duration, terminal: &Terminal) -> Result<Exit, Failure> {
    let vocabulary = Vocabulary::ask(&mut client)?;
    let program = Program::ask(&mut client)?;
    say(&program.greeting(terminal))?;
    // While a command is waited for, Ctrl-C is a signal: it ends the waiting.
    let interrupt = client.interrupt();
    let registered = signal_hook::flag::register(signal_hook::consts::SIGINT, interrupt);
    registered.map_err(|error| Failure::system("Ctrl-C", &error))?;
    let session = Arc::new(Session::new(client, terminal.clone()));
    let mut editor = Editor::with_config(config(terminal)).map_err(unusable)?;
    let folder = program.folder();
    let assistant =
        Assistant::new(Arc::clone(&session), vocabulary, OWN, folder, timeout, terminal.colour_out);
    editor.set_helper(Some(assistant));
    let history = History::load(&mut editor);
    // A terminal that cannot move its cursor is told after each command.
    if let Ok(printer) = editor.create_external_printer() {
        listen(&session, printer);
    }
    let mut shell = Shell { session, editor, history, program, terminal: terminal.clone(), timeout };
    let left = shell.talk();
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
    fn talk(&mut self) -> Result<Exit, Failure> {
        let prompt = self.program.prompt();
        loop {
            say(&self.session.news())?;
            if self.session.has_ended() {
                return Err(self.ended());
            }
            let line = match self.editor.readline(&prompt) {
                Ok(line) => line,
                Err(ReadlineError::Interrupted) => continue,
                // The end, or a signal from somewhere else.
                Err(ReadlineError::Signal(_)) => {
                    say("\n")?;
                    continue;
                }
                Err(ReadlineError::Eof) => return Ok(Exit::Done),
                Err(error) => return Err(unusable(error)),
            };
            // What was pasted may be several.
            for line in line.lines().filter(|line| !line.trim().is_empty()) {
                self.history.keep(line.trim_end(), &mut self.editor);
                if let Then::Leave(exit) = self.follow(line.trim())? {
                    return Ok(exit);
                }
            }
        }
    }

    fn follow(&mut self, line: &str) -> Result<Then, Failure> {
        if line == "exit" {
            return Ok(Then::Leave(Exit::Done));
        }
        if is_quit(line) && !self.is_quit_meant() {
            return Ok(Then::GoOn);
        }
        let session = Arc::clone(&self.session);
        let mut client = session.client();
        client.interrupt().store(false, Ordering::Relaxed);
        match client.human(line) {
            Ok(said) if is_complaint(line, &said) => {
                let failure = failure(&mut client, line, &said, "");
                let leave = "`exit` or Ctrl-D leaves this shell";
                let failure = if is_quit(line) { failure.help(leave) } else { failure };
                self.terminal.report(&failure);
            }
            Ok(_) if is_quit(line) && has_ended_within(&mut client, self.timeout) => {
                say("the program was told to end\n")?;
                return Ok(Then::Leave(Exit::Done));
            }
            Ok(said) => {
                if let Some(pattern) = vain_pattern(&mut client, line).filter(|_| said.is_empty()) {
                    self.terminal.warn(&format!("no event matches `{}`", visible::text(pattern)), None);
                }
                say(&self.rendered(line, &said))?;
            }
            Err(error) if error.trouble.ends() => return Err(error.into()),
            Err(error) => self.terminal.report(&Failure::from(error)),
        }
        Ok(Then::GoOn)
    }

    /// Who types `quit` may want to leave the shell, as in others. Ending a program by accident is worse than a question.
    fn is_quit_meant(&mut self) -> bool {
        let question =
            format!("`quit` ends {}, `exit` leaves this shell. End it? [y/N] ", self.program.name());
        let answer = self.editor.readline(&question);
        answer.is_ok_and(|answer| matches!(answer.trim(), "y" | "Y" | "yes"))
    }

    /// What the monitor says, as this terminal shows it best.
    fn rendered(&self, line: &str, said: &str) -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        // The window may have another size by now.
        let width = crate::terminal::columns(io::stdout()).unwrap_or(self.terminal.width);
        let terminal = Terminal { width, ..self.terminal.clone() };
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

    fn ended(&self) -> Failure {
        let path = self.session.client().path().to_owned();
        Failure::from(MonitorError { path, trouble: Trouble::Ended })
    }
}

/// Whether the program, which was told to end, closes the connection.
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

/// Lines of help, `USAGE -- WHAT IT DOES`, each folded at blanks.
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

fn unusable(error: ReadlineError) -> Failure {
    match error {
        ReadlineError::Io(error) => Failure::system("terminal", &error),
        other => Failure::system("terminal", &io::Error::other(other)),
    }
}

fn say(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let said = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    said.map_err(|error| Failure::system("standard output", &error))
}
