//! Completions, hints and colours for the line editor.

use std::borrow::Cow;
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter};
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use super::completion::{self, Candidate, CompletionKind};
use super::event_states;
use super::hmp_commands::HmpCommands;
use super::session::Session;

/// Event names older than this are queried again, because the program may have loaded a library.
const MAX_AGE: Duration = Duration::from_secs(10);

/// How long Tab waits for the names of events.
const COMPLETION_TIMEOUT: Duration = Duration::from_secs(2);

/// The maximum number of candidates: rustyline counts them in 16 bits.
const MAX_CANDIDATES: usize = 20_000;

#[derive(Debug)]
pub struct LineHelper {
    session: Arc<Session>,
    commands: HmpCommands,
    /// Commands that the shell itself implements.
    more: &'static [&'static str],
    /// The program's working folder. The monitor resolves relative paths against it.
    folder: Option<PathBuf>,
    names: RefCell<Names>,
    timeout: Duration,
    is_coloured: bool,
}

/// The cached event names, and when they were queried.
#[derive(Debug)]
struct Names {
    names: Vec<String>,
    asked: Option<Instant>,
}

impl LineHelper {
    /// Creates the helper of `session`. `timeout` applies to all calls except those for completion.
    pub fn new(
        session: Arc<Session>,
        commands: HmpCommands,
        more: &'static [&'static str],
        folder: Option<PathBuf>,
        timeout: Duration,
        is_coloured: bool,
    ) -> LineHelper {
        let names = RefCell::new(Names { names: Vec::new(), asked: None });
        LineHelper { session, commands, more, folder, names, timeout, is_coloured }
    }

    fn candidates(&self, kind: CompletionKind<'_>, typed: &str) -> Vec<Candidate> {
        match kind {
            CompletionKind::Command { is_info } => {
                completion::command_names(typed, is_info, &self.commands, self.more)
            }
            CompletionKind::Choice(choice) => completion::choices(typed, choice),
            CompletionKind::File => match &self.folder {
                Some(folder) => completion::files(typed, folder),
                None => Vec::new(),
            },
            CompletionKind::Event => {
                self.refresh_names();
                completion::events(typed, self.names.borrow().names.iter().map(String::as_str))
            }
            CompletionKind::Nothing => Vec::new(),
        }
    }

    fn refresh_names(&self) {
        let mut names = self.names.borrow_mut();
        if names.asked.is_some_and(|asked| asked.elapsed() < MAX_AGE) {
            return;
        }
        let mut client = self.session.client();
        client.set_timeout(COMPLETION_TIMEOUT.min(self.timeout));
        // On failure, keep the old names.
        if let Ok(states) = event_states::query(&mut client) {
            names.names = states.into_iter().map(|state| state.name).collect();
        }
        client.set_timeout(self.timeout);
        names.asked = Some(Instant::now());
    }
}

impl Helper for LineHelper {}

impl Validator for LineHelper {}

impl Completer for LineHelper {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> Result<(usize, Vec<Pair>), ReadlineError> {
        let context_at = completion::context_at(&line[..position], &self.commands);
        let mut candidates = self.candidates(context_at.kind, context_at.typed);
        candidates.truncate(MAX_CANDIDATES);
        let pair = |one: Candidate| Pair { display: one.display, replacement: one.replacement };
        Ok((context_at.start, candidates.into_iter().map(pair).collect()))
    }
}

/// A hint that shows the missing arguments. It cannot be accepted as input.
#[derive(Debug)]
pub struct Usage(String);

impl Hint for Usage {
    fn display(&self) -> &str {
        &self.0
    }

    fn completion(&self) -> Option<&str> {
        None
    }
}

impl Hinter for LineHelper {
    type Hint = Usage;

    fn hint(&self, line: &str, position: usize, _: &Context<'_>) -> Option<Usage> {
        if position < line.len() {
            return None;
        }
        completion::hint(line, &self.commands).map(Usage)
    }
}

impl Highlighter for LineHelper {
    /// Shows a known command in bold, and an unknown one in red once the user types past its name.
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        let text = line.trim_start();
        let name = text.split_whitespace().next().unwrap_or_default();
        let is_known = self.commands.find(text).is_some() || self.more.contains(&name);
        let style = match is_known {
            _ if !self.is_coloured || name.is_empty() => return Cow::Borrowed(line),
            true => "1",
            false if text.len() > name.len() => "31",
            false => return Cow::Borrowed(line),
        };
        let start = line.len() - text.len();
        let (before, rest) = (&line[..start], &line[start + name.len()..]);
        Cow::Owned(format!("{before}\x1b[{style}m{name}\x1b[0m{rest}"))
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        match self.is_coloured {
            true => Cow::Owned(format!("\x1b[36m{prompt}\x1b[0m")),
            false => Cow::Borrowed(prompt),
        }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        match self.is_coloured {
            true => Cow::Owned(format!("\x1b[2m{hint}\x1b[0m")),
            false => Cow::Borrowed(hint),
        }
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        self.is_coloured
    }
}
