//! Tests how commands list running programs, and how they find the one that the user means.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod engine;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Starts the tool in `folder`. Returns its output, its messages and its exit status.
fn tool_in(folder: &Path, words: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    command.args(words).current_dir(folder).env("RINGTRACE_DIR", folder.join("arenas"));
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

/// Waits until `list` lists this number of monitors.
fn wait_for_monitors(folder: &Path, count: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while tool_in(folder, &["list", "--long"]).0.matches("  Monitor     ").count() != count {
        assert!(Instant::now() < deadline, "the engines do not trace");
        sleep(Duration::from_millis(20));
    }
}

/// `ctl` and `top` find a program by its process id. Without an id, they find the only program that
/// traces.
#[test]
fn running_programs_are_selected_by_their_id() {
    let folder = tempfile::tempdir().unwrap();
    let tool = |words: &[&str]| tool_in(folder.path(), words);
    let (_, said, status) = tool(&["top", "--once"]);
    assert_eq!((said.lines().next(), status), (Some("error: no program of this user is tracing"), Some(4)));
    let engine = engine::start(folder.path(), "auto", &["--trace", "*,policy=discard,file=t"]);
    let id = engine.id().to_string();
    wait_for_monitors(folder.path(), 1);
    for words in [&["ctl", &id, "trace-file"][..], &["ctl", "--json", &id, "query-trace-status"]] {
        let (out, said, status) = tool(words);
        assert!(
            status == Some(0) && out.contains(r#""t""#) || out.contains("/t\""),
            "{words:?}: {out}{said}"
        );
    }
    for words in [&["top", "--once", "--interval", "0.1", &id][..], &["top", "--once", "--interval", "0.1"]] {
        let (out, said, status) = tool(words);
        assert!(status == Some(0) && out.contains(&id) && out.contains("EVENT"), "{words:?}: {out}{said}");
    }
    let (_, said, status) = tool(&["ctl", "4194305", "trace-file"]);
    assert!(said.starts_with("error: process 4194305 has no arena in "), "{said}");
    assert_eq!(status, Some(4));
    let beside = folder.path().join("beside");
    fs::create_dir(&beside).unwrap();
    let dir = format!("*,policy=discard,file=u,dir={}", folder.path().join("arenas").display());
    let other = engine::start(&beside, "auto", &["--trace", &dir]);
    wait_for_monitors(folder.path(), 2);
    let (_, both, status) = tool(&["top", "--once"]);
    assert_eq!(status, Some(2));
    assert!(both.starts_with("error: 2 programs are tracing: specify one by its process id\n"), "{both}");
    for id in [&id, &other.id().to_string()] {
        assert!(both.contains(&format!("\n  {id} ")), "{both}");
    }
}

/// A command without a socket is for the only program that is tracing and has a monitor.
#[test]
fn commands_without_a_socket_are_for_the_only_program() {
    let folder = tempfile::tempdir().unwrap();
    let tool = |words: &[&str]| tool_in(folder.path(), words);
    let nothing = (Some("error: no program of this user is tracing"), Some(4));
    for words in [&["ctl", "trace-file"][..], &["ctl", "--json", "query-trace-status"], &["ctl", "help"]] {
        let (_, said, status) = tool(words);
        assert_eq!((said.lines().next(), status), nothing, "{words:?}");
    }
    // Other words are names of sockets.
    for words in
        [&["ctl", "trace-flie"][..], &["ctl", "query-trace-status"], &["ctl", "--json", "trace-file"]]
    {
        let (_, said, status) = tool(words);
        assert!(said.contains(": No such file or directory\n") && status == Some(4), "{words:?}: {said}");
    }
    let engine = engine::start(folder.path(), "auto", &["--trace", "blk_read*,file=t"]);
    wait_for_monitors(folder.path(), 1);
    for words in [
        &["ctl", "trace-file"][..],
        &["ctl", "--json", "query-trace-status"],
        &["ctl", "--json", r#"{"execute": "query-trace-status"}"#],
    ] {
        let (out, said, status) = tool(words);
        let is_expected = status == Some(0) && (out.contains("\"t\"") || out.contains("/t\""));
        assert!(is_expected, "{words:?}: {out}{said}");
    }
    for words in [&["ctl", "trace-event", "blk_*", "on"][..], &["ctl", "trace-event blk_* on"]] {
        assert_eq!(tool(words), (String::new(), String::new(), Some(0)), "{words:?}");
    }
    let beside = folder.path().join("beside");
    fs::create_dir(&beside).unwrap();
    let options = format!("*,file=u,dir={}", folder.path().join("arenas").display());
    let other = engine::start(&beside, "auto", &["--trace", &options]);
    wait_for_monitors(folder.path(), 2);
    let (_, said, status) = tool(&["ctl", "trace-file"]);
    assert!(said.starts_with("error: 2 programs are tracing: specify one by its process id\n"), "{said}");
    assert_eq!(status, Some(2));
    for id in [engine.id(), other.id()] {
        assert!(said.contains(&format!("\n  {id} ")), "{said}");
    }
}

/// A program whose monitor waits for commands has no arena.
#[test]
fn programs_that_do_not_record_yet_are_selected_by_their_id() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine::start(folder.path(), "auto", &[]);
    let id = engine.id().to_string();
    let tool = |words: &[&str]| tool_in(folder.path(), words);
    assert!(tool(&["list"]).0.lines().all(|line| !line.contains(&id)));
    let (out, said, status) = tool(&["ctl", &id, "trace-file"]);
    assert!(status == Some(0) && out.ends_with("off.\n"), "{out}{said}");
    let (out, said, status) = tool(&["top", "--once", "--interval", "0.1", &id]);
    assert!(status == Some(0) && out.contains(&id), "{out}{said}");
    let own = std::process::id().to_string();
    let (_, said, status) = tool(&["ctl", &own, "trace-file"]);
    let arenas = folder.path().join("arenas");
    let expected = format!("error: process {own} has no arena in {}, and no monitor\n", arenas.display());
    assert!(said.starts_with(&expected) && status == Some(4), "{said}");
    let beside = folder.path().join("beside");
    fs::create_dir(&beside).unwrap();
    let other = engine::start(&beside, "auto", &["--monitor", "unix:another"]);
    let (_, said, status) = tool(&["ctl", &other.id().to_string(), "trace-file"]);
    let beside = beside.display();
    let expected = format!(
        "error: process {id} is not recording, and has 2 sockets: specify its monitor\n  {beside}/another\n  \
         {beside}/socket\n  help: `ringtrace ctl {beside}/another`\n",
        id = other.id(),
    );
    assert_eq!((said, status), (expected, Some(2)));
}

#[test]
fn running_programs_are_listed_with_their_monitor() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine::start(folder.path(), "auto", &["--trace", "*,policy=discard,file=t"]);
    let list_with = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
        command.arg("list").args(options).env("RINGTRACE_DIR", folder.path().join("arenas"));
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    wait_for_monitors(folder.path(), 1);
    let list = || list_with(&["--long"]);
    // The writer thread stores the number of events soon after the start.
    let listed = loop {
        let listed = list();
        if listed.contains("Events on   ") && !listed.contains("Events on   0\n") {
            break listed;
        }
        sleep(Duration::from_millis(20));
    };
    let expected = [
        format!("process {} is running\n", engine.id()),
        "--trace '*,policy=discard,file=t'".to_owned(),
        "  Policy      discard\n".to_owned(),
        "  Events on   ".to_owned(),
        format!("  Monitor     {}\n", engine.socket().display()),
    ];
    for line in expected {
        assert!(listed.contains(&line), "{line:?} is not in\n{listed}");
    }
    let short = list_with(&[]);
    let lines: Vec<Vec<&str>> = short.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["PID", "STATE", "STARTED", "POLICY", "EVENTS", "ON", "IN", "MEMORY", "COMMAND"]);
    let pid = engine.id().to_string();
    assert_eq!(lines[1][..2], [pid.as_str(), "running"], "{short}");
    assert_eq!(lines[1][3], "discard", "{short}");
    assert_ne!(lines[1][4], "0", "{short}");
    assert_eq!(lines[1][5], "-", "{short}");
    assert_eq!(lines[2..].concat(), ["--long", "shows", "details."], "{short}");
}
