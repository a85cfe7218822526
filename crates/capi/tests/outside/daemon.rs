//! Debian's log daemon, for programs that call syslog(): where they look for its socket, there is one of the test's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ringtrace_peers::rsyslog;

/// A running daemon. It ends when this is dropped.
pub struct Daemon {
    folder: PathBuf,
    daemon: rsyslog::Daemon,
}

/// What of a message is looked at.
const TEMPLATE: &str = "%programname% %syslogfacility-text%.%syslogseverity-text%%msg%";

/// A command whose `/dev` has no more than it wants, and the socket of a test as `/dev/log`.
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
    /// Starts one that has its files in `folder`. `None`: it cannot be, which is said.
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

    /// A command that runs a program to which this is the system's log daemon.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", WITH_SOCKET, "sh"]).arg(&self.folder).arg(program);
        command
    }

    /// What a program of that name has said, without its name, once there is so much.
    pub fn messages(&self, program: &str, count: usize) -> Vec<String> {
        let name = format!("{program} ");
        self.daemon.messages(count, |line| line.strip_prefix(&name).map(str::to_owned))
    }
}
