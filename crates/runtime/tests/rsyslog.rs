//! The backend `syslog` with Debian's log daemon, which uses the test's own configuration and
//! socket.

#![cfg(feature = "runtime")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod speaker;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ringtrace_peers::rsyslog::Daemon;
use speaker::{program, speak};

/// The parts of a message to compare: `daemon.info 1795179251 speaker 4711 said ...`.
const TEMPLATE: &str = "%syslogfacility-text%.%syslogseverity-text% %timereported:::date-unixtimestamp% %programname% %procid%%msg%";

fn start_daemon(folder: &Path) -> Option<Daemon> {
    Daemon::start(folder, TEMPLATE, true)
}

fn messages(daemon: &Daemon, count: usize) -> Vec<String> {
    daemon.messages(count, |line| line.contains("said who=").then(|| line.to_owned()))
}

/// Returns the options that send all events to a daemon in `folder`.
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
fn messages_arrive_like_those_of_syslog() {
    let folder = tempfile::tempdir().unwrap();
    let Some(daemon) = start_daemon(folder.path()) else { return };
    let said =
        speak_to(folder.path(), &["say:hello", "say:two\nlines\tand \x1b[31mred", "say:caf\u{e9} 100%"]);
    assert_eq!(said, "syslog: 3 written, 0 cut, 0 lost\n");
    let messages = messages(&daemon, 3);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let expected = ["hello", "two\\nlines\\tand \\x1b[31mred", "caf\u{e9} 100%"];
    for (message, what) in messages.iter().zip(expected) {
        let mut words = message.splitn(5, ' ');
        let mut word = || words.next().unwrap();
        assert_eq!(word(), "daemon.info", "{message}");
        assert!(now.abs_diff(word().parse().unwrap()) <= 30, "{message}: the time is {now}");
        assert_eq!(word(), "speaker", "{message}");
        assert!(word().parse::<u32>().is_ok(), "{message}");
        assert_eq!(word(), format!("said who=0 number=0 what='{what}'"));
    }
}

#[test]
fn a_busy_daemon_receives_all_messages() {
    let folder = tempfile::tempdir().unwrap();
    let Some(daemon) = start_daemon(folder.path()) else { return };
    assert_eq!(speak_to(folder.path(), &["threads:4x2000"]), "syslog: 8000 written, 0 cut, 0 lost\n");
    let messages = messages(&daemon, 8000);
    for who in 0..4 {
        let of_one = messages.iter().filter_map(|message| message.split_once(&format!("who={who} number=")));
        let whole = format!(" what='{}'", "w".repeat(300));
        let numbers = of_one.map(|(_, rest)| rest.strip_suffix(&whole).unwrap().parse::<u64>().unwrap());
        assert!(numbers.eq(0..2000));
    }
}

#[test]
fn a_restarted_daemon_receives_later_messages() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let Some(daemon) = start_daemon(folder.path()) else { return };
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
            assert!(start.elapsed() < Duration::from_secs(20), "`{name}` was not created");
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    wait_for("said");
    messages(&daemon, 1);
    daemon.stop();
    fs::write(at("gone"), "").unwrap();
    wait_for("lost");
    let daemon = start_daemon(folder.path()).unwrap();
    fs::write(at("back"), "").unwrap();
    let output = speaker.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "syslog: 2 written, 0 cut, 2 lost\n");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "ringtrace: syslog: no process is listening: the log daemon has ended; the program tries to reconnect up to ten times \
         a second; lost lines are counted\n\
         ringtrace: syslog: 2 lines were lost\n"
    );
    let messages = messages(&daemon, 2);
    assert!(messages[0].ends_with("what='before'") && messages[1].ends_with("what='behind'"), "{messages:?}");
}
