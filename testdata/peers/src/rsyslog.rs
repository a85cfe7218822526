//! Runs rsyslogd with a configuration and a socket of its own.

use std::fs;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long to wait for any condition.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A running daemon. It ends when this is dropped.
#[derive(Debug)]
pub struct Daemon {
    folder: PathBuf,
    process: Child,
}

impl Daemon {
    /// Starts a daemon with its files in `folder`. It listens at [`Daemon::socket`], and writes a
    /// line for each message in the format `template`, in rsyslog's syntax. Returns `None` if
    /// rsyslogd is missing.
    ///
    /// With `trusts_times`, messages have the time that the sender reports, otherwise the time of
    /// arrival.
    pub fn start(folder: &Path, template: &str, trusts_times: bool) -> Option<Daemon> {
        let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let times = if trusts_times { " SysSock.IgnoreTimestamp=\"off\"" } else { "" };
        let configuration = format!(
            "global(workDirectory=\"{}\")\n\
             module(load=\"imuxsock\" SysSock.Name=\"{}\"{times})\n\
             template(name=\"all\" type=\"string\" string=\"{template}\\n\")\n\
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
        while UnixDatagram::unbound().unwrap().connect(daemon.socket()).is_err() {
            assert!(start.elapsed() < TIMEOUT, "rsyslogd is not listening");
            std::thread::sleep(Duration::from_millis(5));
        }
        Some(daemon)
    }

    /// Returns the path of the daemon's socket.
    pub fn socket(&self) -> PathBuf {
        self.folder.join("socket")
    }

    /// Waits for `count` lines that `wanted` accepts, and returns the results of `wanted`. Invalid
    /// UTF-8 is replaced.
    pub fn messages(&self, count: usize, wanted: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let start = Instant::now();
        loop {
            let text = fs::read(self.folder.join("messages")).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            // The daemon also logs its own messages.
            let messages: Vec<String> = text.lines().filter_map(&wanted).collect();
            if messages.len() >= count && text.ends_with('\n') {
                return messages;
            }
            assert!(start.elapsed() < TIMEOUT, "{} of {count} messages: {text}", messages.len());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Ends the daemon with SIGTERM, and removes its socket.
    pub fn stop(self) {
        drop(self);
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.process.id().to_string()).status();
        let _ = self.process.wait();
        let _ = fs::remove_file(self.socket());
    }
}
