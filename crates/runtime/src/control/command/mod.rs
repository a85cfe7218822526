//! The monitor's commands, in one table for both languages.
//!
//! [`COMMANDS`] lists each command with its names, arguments and implementation. Help, usage, the
//! list of `query-commands`, argument checks and the reference in docs/control.md are derived from
//! it. The frontends, HMP and QMP, turn a client's input into a [`Call`] and render its [`Answer`].
//! They contain no command themselves.

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

/// Permissions that the program grants to clients, and the name and prompt that they see.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// The folder that must contain all files named by clients. `None`: no restriction.
    pub directory: Option<std::path::PathBuf>,
    /// Whether clients may end the program.
    pub may_quit: bool,
    /// The answer to `query-name`.
    pub name: Option<String>,
    /// The HMP prompt, or `None` for `(ringtrace) `.
    pub prompt: Option<String>,
}

/// A command, with its form in each language that supports it.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) hmp: Option<Hmp>,
    pub(super) qmp: Option<Qmp>,
    /// A short phrase that describes the command in the output of `help`.
    pub(super) help: &'static str,
    pub(super) effect: Effect,
    /// Whether the command may be slow with these arguments, because it waits for the writer thread
    /// or a disk.
    pub(super) is_slow: fn(&Arguments) -> bool,
}

#[derive(Debug)]
pub(super) struct Hmp {
    /// The name: one word, or `info` and a second word.
    pub(super) name: &'static str,
    pub(super) aliases: &'static [&'static str],
    /// Arguments, as shown by help.
    pub(super) usage: &'static str,
    pub(super) arguments: &'static [Parameter],
}

#[derive(Debug)]
pub(super) struct Qmp {
    /// The value of the member `execute`.
    pub(super) name: &'static str,
    /// The arguments, in the order in which they are checked.
    pub(super) arguments: &'static [Parameter],
    /// The returned value, for the reference.
    pub(super) returns: &'static str,
}

#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) kind: ParameterKind,
    pub(super) is_optional: bool,
    /// A short phrase that describes the argument in the reference.
    pub(super) help: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterKind {
    /// HMP: a word, which may be quoted. QMP: a string.
    Text,
    /// A file name. It is parsed like `Text`, but HMP uses another message if it is missing.
    File,
    /// The rest of the line.
    Rest,
    /// HMP: `on` or `off`. QMP: a boolean.
    Flag,
    /// A number whose value is ignored.
    Integer,
    Texts,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Effect {
    /// A function. It is called on a thread that may block.
    Run(fn(&Arguments, &Program) -> Result<Answer, CommandError>),
    /// A command that runs an HMP line.
    Line,
    Negotiate,
}

/// A command with checked arguments, ready to run.
#[derive(Debug)]
pub struct Call {
    run: fn(&Arguments, &Program) -> Result<Answer, CommandError>,
    values: Arguments,
    is_slow: bool,
}

/// The result of a command.
#[derive(Debug)]
pub struct Outcome(pub(super) Result<Answer, CommandError>);

impl Outcome {
    /// Creates the outcome of a command that is rejected without being run.
    pub fn refused(why: &str) -> Outcome {
        Outcome(Err(CommandError::new(why)))
    }
}

impl Call {
    pub(super) fn new(
        command: &Command,
        run: fn(&Arguments, &Program) -> Result<Answer, CommandError>,
        values: Arguments,
    ) -> Call {
        let is_slow = (command.is_slow)(&values);
        Call { run, values, is_slow }
    }

    /// Whether the command may be slow, because it waits for the writer thread or a disk.
    pub fn is_slow(&self) -> bool {
        self.is_slow
    }

    /// Runs the command. If it panics, only this command fails: the thread continues to serve all
    /// clients. The locks of the state that commands change recover from poisoning.
    pub fn run(self, program: &Program) -> Outcome {
        let done = panic::catch_unwind(AssertUnwindSafe(|| (self.run)(&self.values, program)));
        Outcome(done.unwrap_or_else(|_| Err(CommandError::new("internal error"))))
    }
}

impl Command {
    pub(super) fn of_qmp(name: &str) -> Option<(&'static Command, &'static Qmp)> {
        let named = COMMANDS.iter().filter_map(|command| Some((command, command.qmp.as_ref()?)));
        named.into_iter().find(|(_, qmp)| qmp.name == name)
    }

    pub(super) fn all_of_hmp() -> Vec<(&'static Command, &'static Hmp)> {
        let mut all: Vec<_> =
            COMMANDS.iter().filter_map(|command| Some((command, command.hmp.as_ref()?))).collect();
        all.sort_by_key(|(_, hmp)| hmp.name);
        all
    }

    pub(super) fn of_hmp(name: &str) -> Option<(&'static Command, &'static Hmp)> {
        let named = COMMANDS.iter().filter_map(|command| Some((command, command.hmp.as_ref()?)));
        named.into_iter().find(|(_, hmp)| hmp.name == name || hmp.aliases.contains(&name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_fails_only_its_command() {
        let call = Call { run: |_, _| panic!("a mistake"), values: Arguments::default(), is_slow: false };
        let Outcome(done) = call.run(&Program::default());
        assert_eq!(done.unwrap_err(), CommandError::new("internal error"));
    }
}
