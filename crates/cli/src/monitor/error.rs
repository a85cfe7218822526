//! Errors on a connection to a monitor.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ringtrace_events::message::visible;

use crate::exit::{CliError, Exit};

/// An error on a connection to the monitor at `path`.
#[derive(Debug)]
pub struct MonitorError {
    pub path: PathBuf,
    pub kind: MonitorErrorKind,
}

#[derive(Debug)]
pub enum MonitorErrorKind {
    NotASocket,
    /// No process listens at the socket: its program ended without removing the socket.
    Dead,
    System(io::Error),
    /// The peer is not a monitor. Contains the peer's greeting, or `None` if it sent nothing before
    /// the timeout.
    NotAMonitor(Option<String>),
    /// The monitor refused the connection, with this message.
    TurnedAway(String),
    /// The monitor closed the connection, most likely because the program has ended.
    Ended,
    Timeout(Duration),
    /// The user interrupted the wait. The command may still be executed.
    Interrupted,
    Garbled(String),
    /// This QMP command cannot be sent, because the monitor supports only HMP.
    HmpOnly {
        command: String,
        /// Whether this is QEMU's own monitor.
        is_qemu: bool,
    },
    /// An HMP line contains a line end.
    SeveralLines,
    Answered {
        /// `GenericError`, `CommandNotFound`.
        class: String,
        description: String,
    },
}

/// Advice on how to get a monitor's socket.
const MADE_BY: &str = "a program creates a monitor's socket if it is started with --monitor unix:PATH";

impl MonitorErrorKind {
    /// Returns whether the error makes the connection unusable.
    pub fn ends(&self) -> bool {
        let goes_on = matches!(
            self,
            MonitorErrorKind::HmpOnly { .. }
                | MonitorErrorKind::SeveralLines
                | MonitorErrorKind::Answered { .. }
                | MonitorErrorKind::Timeout(_)
                | MonitorErrorKind::Interrupted
        );
        !goes_on
    }

    /// Returns whether the monitor does not know the command.
    pub fn is_command_not_found(&self) -> bool {
        matches!(self, MonitorErrorKind::Answered { class, .. } if class == "CommandNotFound")
    }

    pub fn at(self, path: &Path) -> MonitorError {
        MonitorError { path: path.to_owned(), kind: self }
    }

    fn help(&self, path: &Path) -> Option<String> {
        Some(match self {
            MonitorErrorKind::NotASocket if path.is_file() => {
                format!("{MADE_BY}; `ringtrace info {}` summarizes a trace", path.display())
            }
            MonitorErrorKind::NotASocket => MADE_BY.to_owned(),
            MonitorErrorKind::Dead => {
                "its program has ended or was killed; the next program with this address replaces the socket".to_owned()
            }
            MonitorErrorKind::System(error) if error.kind() == io::ErrorKind::NotFound => MADE_BY.to_owned(),
            MonitorErrorKind::System(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                "only the user who runs the program, and root, can use its monitor".to_owned()
            }
            MonitorErrorKind::NotAMonitor(None) => {
                "the program may be stopped or busy (use --timeout to wait longer), or this is not a monitor's socket"
                    .to_owned()
            }
            MonitorErrorKind::NotAMonitor(Some(_)) => {
                "specify the socket of --monitor unix:PATH, or of QEMU's -qmp".to_owned()
            }
            MonitorErrorKind::Timeout(_) => {
                "the program may be stopped, or its disk may be busy; use --timeout SECONDS to wait longer".to_owned()
            }
            MonitorErrorKind::HmpOnly { is_qemu: true, .. } => {
                "this is QEMU's -monitor; specify the socket of its -qmp".to_owned()
            }
            MonitorErrorKind::HmpOnly { is_qemu: false, .. } => {
                "start the program with `mode=auto` or `mode=qmp` in the monitor's address".to_owned()
            }
            _ => return None,
        })
    }
}

impl fmt::Display for MonitorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.kind {
            MonitorErrorKind::NotASocket => write!(f, "{path}: not a socket"),
            MonitorErrorKind::Dead => write!(f, "{path}: no program is listening on this socket"),
            MonitorErrorKind::System(error) => {
                write!(f, "{path}: {}", ringtrace_tracefile::error::reason(error))
            }
            MonitorErrorKind::NotAMonitor(None) => write!(f, "{path}: did not send a monitor's greeting"),
            MonitorErrorKind::NotAMonitor(Some(said)) => {
                write!(f, "{path}: not a monitor: it sent `{}`", visible::text(said))
            }
            MonitorErrorKind::TurnedAway(words) => {
                write!(f, "{path}: the monitor reports: {}", visible::text(words))
            }
            MonitorErrorKind::Ended => write!(f, "{path}: the program has ended"),
            MonitorErrorKind::Timeout(limit) => {
                write!(f, "{path}: no answer within {} s", limit.as_secs_f64())
            }
            MonitorErrorKind::Interrupted => {
                write!(f, "{path}: interrupted; the command may still be executed")
            }
            MonitorErrorKind::Garbled(what) => write!(f, "{path}: {}", visible::text(what)),
            MonitorErrorKind::HmpOnly { command, .. } => {
                write!(
                    f,
                    "{path}: the monitor supports only HMP, but `{}` is a QMP command",
                    visible::text(command)
                )
            }
            MonitorErrorKind::SeveralLines => f.write_str("a command must be a single line"),
            MonitorErrorKind::Answered { description, .. } => f.write_str(&visible::text(description)),
        }
    }
}

impl std::error::Error for MonitorError {}

impl From<MonitorError> for CliError {
    fn from(error: MonitorError) -> CliError {
        let exit = match error.kind {
            MonitorErrorKind::Answered { .. } => Exit::Input,
            MonitorErrorKind::HmpOnly { .. } | MonitorErrorKind::SeveralLines => Exit::Usage,
            _ => Exit::System,
        };
        let help = error.kind.help(&error.path);
        CliError { exit, message: error.to_string(), help, original_message: None }
    }
}
