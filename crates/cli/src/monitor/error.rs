//! What can go wrong between a monitor and us.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ringtrace_events::message::visible;

use crate::exit::{Exit, Failure};

/// What went wrong, with which monitor.
#[derive(Debug)]
pub struct MonitorError {
    /// The socket.
    pub path: PathBuf,
    /// What went wrong.
    pub trouble: Trouble,
}

/// What went wrong.
#[derive(Debug)]
pub enum Trouble {
    /// The socket is no socket: a trace, perhaps.
    NotASocket,
    /// Nobody listens at the socket: its program has ended without removing it.
    Dead,
    /// The system refused.
    System(io::Error),
    /// Who answers there is no monitor. What it said instead, `None`: nothing, within the time limit.
    NotAMonitor(Option<String>),
    /// The monitor took the connection, and closed it with these words.
    TurnedAway(String),
    /// The monitor closed the connection: the program has ended, most likely.
    Ended,
    /// No answer within the time limit.
    Timeout(Duration),
    /// Somebody wants to wait no longer. The command may be executed none the less.
    Interrupted,
    /// The answer makes no sense.
    Garbled(String),
    /// The monitor speaks HMP, which has no word for this command of QMP's.
    HmpOnly(String),
    /// A line of HMP with a line end in it.
    SeveralLines,
    /// The monitor answered an error.
    Answered {
        /// `GenericError`, `CommandNotFound`.
        class: String,
        /// In words.
        description: String,
    },
}

/// Where sockets come from.
const MADE_BY: &str = "a program makes a monitor's socket when it is started with --monitor unix:PATH";

impl Trouble {
    /// Whether the connection is of no more use.
    pub fn ends(&self) -> bool {
        let goes_on = matches!(
            self,
            Trouble::HmpOnly(_)
                | Trouble::SeveralLines
                | Trouble::Answered { .. }
                | Trouble::Timeout(_)
                | Trouble::Interrupted
        );
        !goes_on
    }

    pub(super) fn at(self, path: &Path) -> MonitorError {
        MonitorError { path: path.to_owned(), trouble: self }
    }

    fn help(&self, path: &Path) -> Option<String> {
        Some(match self {
            Trouble::NotASocket if path.is_file() => {
                format!("{MADE_BY}; `ringtrace info {}` tells what a trace holds", path.display())
            }
            Trouble::NotASocket => MADE_BY.to_owned(),
            Trouble::Dead => {
                "its program has ended, or was killed; the next one replaces the socket".to_owned()
            }
            Trouble::System(error) if error.kind() == io::ErrorKind::NotFound => MADE_BY.to_owned(),
            Trouble::System(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                "a monitor answers only the user who runs the program, and root".to_owned()
            }
            Trouble::NotAMonitor(None) => {
                "the program may be stopped or busy (--timeout waits longer), or this is no monitor's socket"
                    .to_owned()
            }
            Trouble::NotAMonitor(Some(_)) => {
                "give the socket of --monitor unix:PATH, or of QEMU's -qmp".to_owned()
            }
            Trouble::Timeout(_) => {
                "the program may be stopped, or its disk busy; --timeout SECONDS waits longer".to_owned()
            }
            Trouble::HmpOnly(_) => {
                "start the program with `mode=auto` or `mode=qmp` in the monitor's address".to_owned()
            }
            _ => return None,
        })
    }
}

impl fmt::Display for MonitorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.trouble {
            Trouble::NotASocket => write!(f, "{path}: not a socket"),
            Trouble::Dead => write!(f, "{path}: nobody listens there any more"),
            Trouble::System(error) => write!(f, "{path}: {}", ringtrace_tracefile::error::reason(error)),
            Trouble::NotAMonitor(None) => write!(f, "{path}: no greeting of a monitor"),
            Trouble::NotAMonitor(Some(said)) => {
                write!(f, "{path}: not a monitor: it says `{}`", visible::text(said))
            }
            Trouble::TurnedAway(words) => write!(f, "{path}: the monitor says: {}", visible::text(words)),
            Trouble::Ended => write!(f, "{path}: the program has ended"),
            Trouble::Timeout(limit) => write!(f, "{path}: no answer within {} s", limit.as_secs_f64()),
            Trouble::Interrupted => write!(f, "{path}: not waited for; the command may be done all the same"),
            Trouble::Garbled(what) => write!(f, "{path}: {}", visible::text(what)),
            Trouble::HmpOnly(command) => {
                write!(f, "{path}: the monitor speaks HMP only, and `{}` is QMP", visible::text(command))
            }
            Trouble::SeveralLines => f.write_str("a command is one line"),
            Trouble::Answered { description, .. } => f.write_str(&visible::text(description)),
        }
    }
}

impl std::error::Error for MonitorError {}

impl From<MonitorError> for Failure {
    fn from(error: MonitorError) -> Failure {
        let exit = match error.trouble {
            Trouble::Answered { .. } => Exit::Input,
            Trouble::HmpOnly(_) | Trouble::SeveralLines => Exit::Usage,
            _ => Exit::System,
        };
        let help = error.trouble.help(&error.path);
        Failure { exit, message: error.to_string(), help, original_message: None }
    }
}
