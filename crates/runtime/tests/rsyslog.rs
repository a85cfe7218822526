//! The backend `syslog` and Debian's log daemon, which is started here with a configuration and a socket of its own.

#![cfg(feature = "runtime")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests may; clippy knows only functions marked as tests"
)]

mod speaker;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use speaker::{program, speak};

/// A running daemon. It ends when this is dropped.
struct Daemon {
    folder: PathBuf,
    process: Child,
}

/// What of a message is looked at: `daemon.info 1795179251 speaker 4711 said ...`.
const TEMPLATE: &str = "%syslogfacility-text%.%syslogseverity-text% %timereported:::date-unixtimestamp% %programname% %procid%%msg%\\n";

impl Daemon {
    /// Starts one that has its files in `folder`. `None`: there is none, which is said.
    fn start(folder: &Path) -> Option<Daemon> {
        let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let configuration = format!(
            "global(workDirectory=\"{}\")\n\
             module(load=\"imuxsock\" SysSock.Name=\"{}\" SysSock.IgnoreTimestamp=\"off\")\n\
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

    /// The messages, once there are so many.
    fn messages(&self, count: usize) -> Vec<String> {
        let start = Instant::now();
        loop {
            let text = fs::read_to_string(self.folder.join("messages")).unwrap_or_default();
            // The daemon speaks of itself, too.
            let messages: Vec<String> =
                text.lines().filter(|line| line.contains("said who=")).map(str::to_owned).collect();
            if messages.len() >= count && text.ends_with('\n') {
                return messages;
            }
            let waited = start.elapsed();
            assert!(waited < Duration::from_secs(20), "{} messages of {count}", messages.len());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let pid = rustix::process::Pid::from_child(&self.process);
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        let _ = self.process.wait();
        let _ = fs::remove_file(self.folder.join("socket"));
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.end();
    }
}

/// The option that sends everything to a daemon in `folder`.
fn to(folder: &Path) -> [String; 4] {
    let socket = folder.join("socket").to_str().unwrap().to_owned();
    ["--trace".to_owned(), "*,backend=syslog".to_owned(), "--syslog".to_owned(), socket]
}

fn speak_to(folder: &Path, deeds: &[&str]) -> String {
    let option = to(folder);
    let words: Vec<&str> = option.iter().map(String::as_str).chain(deeds.iter().copied()).collect();
    speak(&words).unwrap()
}

#[test]
fn messages_arrive_as_those_of_syslog_do() {
    let folder = tempfile::tempdir().unwrap();
    let Some(daemon) = Daemon::start(folder.path()) else { return };
    let said =
        speak_to(folder.path(), &["say:hello", "say:two\nlines\tand \x1b[31mred", "say:caf\u{e9} 100%"]);
    assert_eq!(said, "syslog: 3 written, 0 cut, 0 lost\n");
    let messages = daemon.messages(3);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let expected = ["hello", "two\\nlines\\tand \\x1b[31mred", "caf\u{e9} 100%"];
    for (message, what) in messages.iter().zip(expected) {
        let mut words = message.splitn(5, ' ');
        let mut word = || words.next().unwrap();
        assert_eq!(word(), "daemon.info", "{message}");
        assert!(now.abs_diff(word().parse().unwrap()) <= 30, "{message}: it is {now}");
        assert_eq!(word(), "speaker", "{message}");
        assert!(word().parse::<u32>().is_ok(), "{message}");
        assert_eq!(word(), format!("said who=0 number=0 what='{what}'"));
    }
}

#[test]
fn nothing_is_lost_to_a_daemon_that_is_busy() {
    let folder = tempfile::tempdir().unwrap();
    let Some(daemon) = Daemon::start(folder.path()) else { return };
    assert_eq!(speak_to(folder.path(), &["threads:4x2000"]), "syslog: 8000 written, 0 cut, 0 lost\n");
    let messages = daemon.messages(8000);
    for who in 0..4 {
        let of_one = messages.iter().filter_map(|message| message.split_once(&format!("who={who} number=")));
        let whole = format!(" what='{}'", "w".repeat(300));
        let numbers = of_one.map(|(_, rest)| rest.strip_suffix(&whole).unwrap().parse::<u64>().unwrap());
        assert!(numbers.eq(0..2000));
    }
}

#[test]
fn a_daemon_that_is_restarted_gets_what_comes_then() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let Some(daemon) = Daemon::start(folder.path()) else { return };
    let meet = |verb: &str, name: &str| format!("{verb}:{}", at(name).display());
    let deeds = [
        "say:before".to_owned(),
        meet("touch", "said"),
        meet("await", "gone"),
        "say:in vain".to_owned(),
        "say:in vain again".to_owned(),
        meet("touch", "lost"),
        meet("await", "back"),
        "sleep:200".to_owned(),
        "say:behind".to_owned(),
    ];
    let speaker = Command::new(program())
        .args(to(folder.path()))
        .args(deeds)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let wait_for = |name: &str| {
        let start = Instant::now();
        while !at(name).exists() {
            assert!(start.elapsed() < Duration::from_secs(20), "`{name}` never comes");
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    wait_for("said");
    daemon.messages(1);
    daemon.stop();
    fs::write(at("gone"), "").unwrap();
    wait_for("lost");
    let daemon = Daemon::start(folder.path()).unwrap();
    fs::write(at("back"), "").unwrap();
    let output = speaker.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "syslog: 2 written, 0 cut, 2 lost\n");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "ringtrace: syslog: nobody listens: the log daemon is gone; it is looked for ten times a second; \
         lines are lost from here on, and counted\n\
         ringtrace: syslog: 2 lines were lost\n"
    );
    let messages = daemon.messages(2);
    assert!(messages[0].ends_with("what='before'") && messages[1].ends_with("what='behind'"), "{messages:?}");
}
