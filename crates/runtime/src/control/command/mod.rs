//! What can be asked and told: one table for both languages.
//!
//! A command stands in [`COMMANDS`] with its names, its arguments and what it does. Help, usage, the list of `query-commands`,
//! the checks of arguments and the reference in docs/control.md come from there. A face, HMP's or QMP's, makes a [`Call`] of what a client
//! wrote and renders its [`Answer`]: it knows no command.

mod about;
mod answer;
mod error_class;
mod events;
mod file;
mod log;
mod reference;
mod status;
mod table;
mod trace_file;
mod values;

pub(super) use about::{PROTOCOL, package};
pub(super) use answer::{Answer, Report};
pub(super) use error_class::CommandError;
pub(super) use log::items as log_items;
pub(super) use reference::reference;
pub(super) use table::COMMANDS;
pub(super) use values::{ArgumentValue, Arguments};

use std::panic::{self, AssertUnwindSafe};

/// What the program lets its clients do, and what it says of itself.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// Files that clients name must be in this folder or below. `None`: anywhere.
    pub directory: Option<std::path::PathBuf>,
    /// Clients may end the program.
    pub may_quit: bool,
    /// What `query-name` answers.
    pub name: Option<String>,
    /// What the HMP prompts with; `None`: `(ringtrace) `.
    pub prompt: Option<String>,
}

/// A command, in the languages that have it.
#[derive(Debug)]
pub(super) struct Command {
    /// As people call it.
    pub(super) hmp: Option<Hmp>,
    /// As machines call it.
    pub(super) qmp: Option<Qmp>,
    /// What it does: part of a sentence, as help shows it.
    pub(super) help: &'static str,
    /// What it does.
    pub(super) effect: Effect,
    /// Whether it may take long, with these arguments: it waits for the writer thread, or for a disk.
    pub(super) is_slow: fn(&Arguments) -> bool,
}

/// As people call a command.
#[derive(Debug)]
pub(super) struct Hmp {
    /// One word, or two of which the first is `info`.
    pub(super) name: &'static str,
    /// Other words that mean the same.
    pub(super) aliases: &'static [&'static str],
    /// Its arguments, as help shows them.
    pub(super) usage: &'static str,
    /// In their order.
    pub(super) arguments: &'static [Parameter],
}

/// As machines call a command.
#[derive(Debug)]
pub(super) struct Qmp {
    /// The member `execute`.
    pub(super) name: &'static str,
    /// In the order in which they are checked.
    pub(super) arguments: &'static [Parameter],
    /// What is returned, for the reference.
    pub(super) returns: &'static str,
}

/// An argument of a command.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) kind: ParameterKind,
    pub(super) is_optional: bool,
    /// What it means: part of a sentence, for the reference.
    pub(super) help: &'static str,
}

/// What an argument is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterKind {
    /// A word, which may be quoted; a string.
    Text,
    /// The name of a file: the same, but HMP complains of it in another way.
    File,
    /// All that is left of the line.
    Rest,
    /// `on` or `off`; a boolean.
    Flag,
    /// A number that is looked at no further.
    Integer,
    /// An array of strings.
    Texts,
}

/// What a command does.
#[derive(Debug, Clone, Copy)]
pub(super) enum Effect {
    /// This, which is called where a command may wait.
    Run(fn(&Arguments, &Program) -> Result<Answer, CommandError>),
    /// It runs another one, written in HMP.
    Line,
    /// It ends the negotiation.
    Negotiate,
}

/// A command with its arguments, ready to run.
#[derive(Debug)]
pub struct Call {
    run: fn(&Arguments, &Program) -> Result<Answer, CommandError>,
    values: Arguments,
    is_slow: bool,
}

/// What a command has done.
#[derive(Debug)]
pub struct Outcome(pub(super) Result<Answer, CommandError>);

impl Outcome {
    /// What is answered where a command is not run.
    pub fn refused(why: &str) -> Outcome {
        Outcome(Err(CommandError::new(why)))
    }
}

impl Call {
    /// The call of a command with arguments that were checked.
    pub(super) fn new(
        command: &Command,
        run: fn(&Arguments, &Program) -> Result<Answer, CommandError>,
        values: Arguments,
    ) -> Call {
        let is_slow = (command.is_slow)(&values);
        Call { run, values, is_slow }
    }

    /// Whether it may take long: it waits for the writer thread, or for a disk.
    pub fn is_slow(&self) -> bool {
        self.is_slow
    }

    /// Does it. Should it panic, that is its failure alone: the thread goes on to serve, and so do all clients. What a command changes is behind
    /// locks that are taken from whoever panicked.
    pub fn run(self, program: &Program) -> Outcome {
        let done = panic::catch_unwind(AssertUnwindSafe(|| (self.run)(&self.values, program)));
        Outcome(done.unwrap_or_else(|_| Err(CommandError::new("internal error"))))
    }
}

impl Command {
    /// The command that a machine calls so.
    pub(super) fn of_qmp(name: &str) -> Option<(&'static Command, &'static Qmp)> {
        let named = COMMANDS.iter().filter_map(|command| Some((command, command.qmp.as_ref()?)));
        named.into_iter().find(|(_, qmp)| qmp.name == name)
    }

    /// All that people can call, in order of their names.
    pub(super) fn all_of_hmp() -> Vec<(&'static Command, &'static Hmp)> {
        let mut all: Vec<_> =
            COMMANDS.iter().filter_map(|command| Some((command, command.hmp.as_ref()?))).collect();
        all.sort_by_key(|(_, hmp)| hmp.name);
        all
    }

    /// The command that people call so.
    pub(super) fn of_hmp(name: &str) -> Option<(&'static Command, &'static Hmp)> {
        let named = COMMANDS.iter().filter_map(|command| Some((command, command.hmp.as_ref()?)));
        named.into_iter().find(|(_, hmp)| hmp.name == name || hmp.aliases.contains(&name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_panics_fails_and_no_more() {
        let call = Call { run: |_, _| panic!("a mistake"), values: Arguments::default(), is_slow: false };
        let Outcome(done) = call.run(&Program::default());
        assert_eq!(done.unwrap_err(), CommandError::new("internal error"));
    }
}
