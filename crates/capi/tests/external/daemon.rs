//! Runs Debian's log daemon, with its socket at the path that syslog() uses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ringtrace_peers::rsyslog;

/// A running daemon, which ends when this value is dropped.
pub struct Daemon {
    folder: PathBuf,
    daemon: rsyslog::Daemon,
}

/// The parts of messages that tests compare.
const TEMPLATE: &str = "%programname% %syslogfacility-text%.%syslogseverity-text%%msg%";

/// Runs a command with a minimal `/dev` and the test's socket as `/dev/log`.
const WITH_SOCKET: &str = r#"
    set -e
    mount -t tmpfs none "$1/dev"
    for name in null zero urandom; do touch "$1/dev/$name"; mount --bind "/dev/$name" "$1/dev/$name"; done
    mkdir "$1/dev/shm"
    ln -s "$1/socket" "$1/dev/log"
    mount --rbind "$1/dev" /dev
    shift
    exec "$@"
"#;

impl Daemon {
    /// Starts a daemon with its files in `folder`. Prints the reason and returns `None` if that is
    /// impossible.
    pub fn start(folder: &Path) -> Option<Daemon> {
        let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        fs::create_dir(at("dev")).unwrap();
        let may =
            Command::new("unshare").args(["--mount", "mount", "-t", "tmpfs", "none"]).arg(at("dev")).output();
        if !may.is_ok_and(|output| output.status.success()) {
            eprintln!("SKIPPED: only root may give a program another /dev/log");
            return None;
        }
        rsyslog::Daemon::start(folder, TEMPLATE, false)
            .map(|daemon| Daemon { folder: folder.to_owned(), daemon })
    }

    /// Returns a command that runs a program with this log daemon.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", WITH_SOCKET, "sh"]).arg(&self.folder).arg(program);
        command
    }

    /// Waits for `count` messages of a program and returns them, without the program's name.
    pub fn messages(&self, program: &str, count: usize) -> Vec<String> {
        let name = format!("{program} ");
        self.daemon.messages(count, |line| line.strip_prefix(&name).map(str::to_owned))
    }
}
