//! Debian's log daemon, for programs that call syslog(): where they look for its socket, there is one of the test's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running daemon. It ends when this is dropped.
pub struct Daemon {
    folder: PathBuf,
    process: Child,
}

/// What of a message is looked at.
const TEMPLATE: &str = "%programname% %syslogfacility-text%.%syslogseverity-text%%msg%\\n";

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
        let configuration = format!(
            "global(workDirectory=\"{}\")\n\
             module(load=\"imuxsock\" SysSock.Name=\"{}\")\n\
             template(name=\"all\" type=\"string\" string=\"{TEMPLATE}\")\n\
             action(type=\"omfile\" file=\"{}\" template=\"all\")\n",
            folder.display(),
            at("socket"),
            at("messages"),
        );
        fs::write(at("conf"), configuration).unwrap();
        let mut command = Command::new("rsyslogd");
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{path}:/usr/sbin")).args(["-n", "-f", &at("conf"), "-i", &at("pid")]);
        let process = match command.stdin(Stdio::null()).spawn() {
            Ok(process) => process,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                eprintln!("SKIPPED: no rsyslogd (on Debian in the package rsyslog)");
                return None;
            }
            Err(error) => panic!("rsyslogd: {error}"),
        };
        let daemon = Daemon { folder: folder.to_owned(), process };
        let start = Instant::now();
        while std::os::unix::net::UnixDatagram::unbound().unwrap().connect(at("socket")).is_err() {
            assert!(start.elapsed() < Duration::from_secs(20), "rsyslogd does not listen");
            std::thread::sleep(Duration::from_millis(5));
        }
        Some(daemon)
    }

    /// A command that runs a program to which this is the system's log daemon.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", WITH_SOCKET, "sh"]).arg(&self.folder).arg(program);
        command
    }

    /// What a program of that name has said, without its name, once there is so much.
    pub fn messages(&self, program: &str, count: usize) -> Vec<String> {
        let start = Instant::now();
        let name = format!("{program} ");
        loop {
            let text = fs::read(self.folder.join("messages")).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let messages: Vec<String> =
                text.lines().filter_map(|line| line.strip_prefix(&name)).map(str::to_owned).collect();
            if messages.len() >= count && text.ends_with('\n') {
                return messages;
            }
            let waited = start.elapsed();
            assert!(waited < Duration::from_secs(20), "{} messages of {count}: {text}", messages.len());
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.process.id().to_string()).status();
        let _ = self.process.wait();
    }
}
