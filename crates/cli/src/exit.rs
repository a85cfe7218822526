//! Exit statuses and errors of commands.

use std::fmt::Display;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::process::ExitCode;

use ringtrace_events::message::visible;
use ringtrace_events::nearest::nearest;
use ringtrace_tracefile::Error as TraceError;
use ringtrace_tracefile::error::{ErrorDetails, reason};
use ringtrace_tracefile::pair::PairError;
use rustix::io::Errno;

/// Exit statuses. They are the same for every command. The [program names](crate::program_name) use
/// the statuses of the original programs instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: success, even if the reader of the output closes it early.
    Done,
    /// 1: the input has errors.
    Input,
    /// 2: the command line is wrong.
    Usage,
    /// 3: success, but events were lost and `--strict` was given.
    Lost,
    /// 4: a system call failed (I/O).
    System,
    /// The exit status of the started program. If the program could not be started, the status that
    /// a shell would return.
    Program(u8),
}

impl Exit {
    /// All statuses of the tool itself, in order.
    pub const ALL: [Exit; 5] = [Exit::Done, Exit::Input, Exit::Usage, Exit::Lost, Exit::System];

    /// The number that the process exits with.
    pub fn status(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Input => 1,
            Exit::Usage => 2,
            Exit::Lost => 3,
            Exit::System => 4,
            Exit::Program(status) => status,
        }
    }

    /// Returns the more severe status. From the most severe to the least: system error, wrong
    /// command line, input error, lost events, success.
    pub fn worse(self, other: Exit) -> Exit {
        let severe = [Exit::System, Exit::Usage, Exit::Input, Exit::Lost];
        severe.into_iter().find(|&exit| self == exit || other == exit).unwrap_or(self)
    }

    /// Returns a description for help and manual pages.
    pub fn meaning(self) -> &'static str {
        match self {
            Exit::Done => "success, even if the reader closed the output early",
            Exit::Input => "the input has errors",
            Exit::Usage => "the command line is wrong",
            Exit::Lost => "success, but events were lost while recording, with --strict",
            Exit::System => "a file cannot be read or written",
            Exit::Program(_) => "the exit status of the program that was run",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.status())
    }
}

/// An error that stops a command: the message that
/// [`Terminal::report`](crate::terminal::Terminal::report) prints, and the exit status.
#[derive(Debug, Clone)]
pub struct CliError {
    pub exit: Exit,
    /// Describes the failed operation, its object and the cause. Empty if the error has already
    /// been reported.
    pub message: String,
    /// Advice.
    pub help: Option<String>,
    /// The message that the original program would print. Used when the tool runs under that
    /// [program's name](crate::program_name).
    pub original_message: Option<String>,
}

impl CliError {
    fn new(exit: Exit, message: impl Into<String>) -> CliError {
        CliError::lines(exit, visible::text(&message.into()))
    }

    /// Returns an error whose message has several lines. In other messages, a line end is part of a
    /// quoted argument, and is made visible like other control characters.
    pub fn lines(exit: Exit, message: impl Into<String>) -> CliError {
        CliError { exit, message: message.into(), help: None, original_message: None }
    }

    pub fn input(message: impl Into<String>) -> CliError {
        CliError::new(Exit::Input, message)
    }

    pub fn usage(message: impl Into<String>) -> CliError {
        CliError::new(Exit::Usage, message)
    }

    /// Returns the error of a system call that failed on `what`, usually a path. A broken pipe
    /// counts as success, because the reader of the output closed it early.
    pub fn system(what: impl Display, error: &io::Error) -> CliError {
        let what = what.to_string();
        let name = visible::text(&what);
        match error.kind() {
            io::ErrorKind::BrokenPipe => CliError::new(Exit::Done, ""),
            // If a socket is opened as a file, the system reports "No such device or address".
            _ if error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) && is_socket(&what) => {
                CliError::usage(format!("{name} is a socket, not a file")).help(
                    "`ringtrace top`, `ringtrace ctl` and `ringtrace print --follow` accept a monitor's socket",
                )
            }
            _ => CliError::new(Exit::System, format!("{name}: {}", reason(error))),
        }
    }

    pub fn help(self, help: impl Into<String>) -> CliError {
        CliError { help: Some(help.into()), ..self }
    }

    pub fn maybe_help(self, help: Option<impl Into<String>>) -> CliError {
        CliError { help: help.map(Into::into).or(self.help), ..self }
    }

    pub fn exit(self, exit: Exit) -> CliError {
        CliError { exit, ..self }
    }
}

fn is_socket(path: &str) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.file_type().is_socket())
}

impl From<TraceError> for CliError {
    fn from(error: TraceError) -> CliError {
        let exit =
            if error.kind() == ringtrace_tracefile::ErrorKind::System { Exit::System } else { Exit::Input };
        let message = error.to_string();
        let ErrorDetails { help, original_message, .. } = error.into_details();
        CliError { exit, message, help, original_message }
    }
}

/// Converts the error for a pair description that does not match the events of the traces.
impl From<PairError> for CliError {
    fn from(error: PairError) -> CliError {
        CliError::usage(error.message).help(error.help)
    }
}

/// Returns a question that suggests the candidate most similar to `word`, if one is similar enough.
pub fn did_you_mean<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    nearest(word, candidates).map(|name| format!("did you mean `{name}`?"))
}
