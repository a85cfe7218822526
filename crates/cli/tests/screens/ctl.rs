//! Tests the shell of `ringtrace ctl`.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use super::screen::Screen;
use super::{engine, play};

/// Masks the process id and the folder.
fn mask(process: u32, folder: &Path) -> impl Fn(&str) -> String {
    let (process, folder) = (process.to_string(), folder.display().to_string());
    move |seen: &str| seen.replace(&process, "PID").replace(&folder, "FOLDER")
}

fn show(columns: u32, rows: u32, name: &str) {
    // The output contains the path, so the length of the path must not depend on TMPDIR.
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let Some(screen) = Screen::open(columns, rows, folder.path()) else { return };
    let engine = engine::start(folder.path(), "auto", &["--trace", "blk_*,file=x.trace", "--allow-quit"]);
    play::act(&screen, name, mask(engine.id(), folder.path()));
}

#[test]
fn on_80_columns() {
    show(80, 24, "ctl.80x24.txt");
}

#[test]
fn on_120_columns() {
    show(120, 40, "ctl.120x40.txt");
}

/// Starts the shell, connected to an engine that records `blk_*` to a file.
fn shell(folder: &Path) -> Option<(Screen, ringtrace_peers::monitored::Monitored)> {
    let screen = Screen::open(80, 24, folder)?;
    let engine = engine::start(folder, "auto", &["--trace", "blk_*,file=x.trace"]);
    screen.press(&["ringtrace ctl socket", "Enter"]);
    wait_for_line(&screen, "(engine)");
    Some((screen, engine))
}

/// Waits until the last line of the screen is `line`.
fn wait_for_line(screen: &Screen, line: &str) -> String {
    screen.wait_until(&format!("the last line `{line}`"), |seen| seen.lines().last() == Some(line))
}

fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([name, &process.to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn a_program_that_ends_ends_the_shell_and_the_terminal_is_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let Some((screen, engine)) = shell(folder.path()) else { return };
    screen.press(&["trace-ev"]);
    wait_for_line(&screen, "(engine) trace-ev");
    assert!(engine.end().status.success());
    screen.wait_until("the shell to exit", |seen| {
        seen.ends_with("(engine) trace-ev\nerror: socket: the program has ended\n$\n")
    });
    // The shell has restored the terminal: input is echoed.
    screen.press(&["echo status $?", "Enter"]);
    screen.wait_until("the exit status", |seen| seen.ends_with("$ echo status $?\nstatus 4\n$\n"));
}

#[test]
fn notices_appear_above_the_edited_line() {
    let folder = tempfile::tempdir().unwrap();
    let Some((screen, _engine)) = shell(folder.path()) else { return };
    // `/dev/full` simulates a full disk.
    screen.press(&["trace-file set /dev/full", "Enter"]);
    wait_for_line(&screen, "(engine)");
    screen.press(&["trace-f"]);
    let told = "[/dev/full: No space left on device: the trace file cannot be written]\n";
    screen.wait_until("the notice", |seen| seen.ends_with(&format!("{told}(engine) trace-f\n")));
    screen.press(&["lie", "Enter"]);
    let answer = format!("{told}(engine) trace-flie\nerror: unknown command: 'trace-flie'\n");
    screen.wait_until("the answer", |seen| seen.contains(&answer));
}

#[test]
fn ctrl_c_ends_waiting_for_a_program_that_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let Some((screen, engine)) = shell(folder.path()) else { return };
    signal("-STOP", engine.id());
    screen.press(&["trace-file", "Enter"]);
    // Press Ctrl-C repeatedly. Before the shell has read the line, the terminal is in raw mode, in
    // which Ctrl-C is an ordinary key.
    screen.wait_until("the shell to stop waiting", |seen| {
        screen.press(&["C-c"]);
        seen.contains("interrupted; ")
    });
    signal("-CONT", engine.id());
    // Press Ctrl-L repeatedly, because Ctrl-C discards keys that arrive with it.
    screen.wait_until("an empty screen", |seen| {
        screen.press(&["C-l"]);
        seen == "(engine)\n"
    });
    // The late reply must not be mistaken for the reply to the next command.
    screen.press(&["trace-file", "Enter"]);
    screen.wait_until("the answer", |seen| seen.contains("Trace file \"x.trace\" on.\n(engine)\n"));
    screen.press(&["info name", "Enter"]);
    screen.wait_until("both answers", |seen| {
        seen.contains("Trace file \"x.trace\" on.\n")
            && seen.ends_with("(engine) info name\nengine\n(engine)\n")
    });
}

#[test]
fn the_history_is_private() {
    let folder = tempfile::tempdir().unwrap();
    let Some((screen, _engine)) = shell(folder.path()) else { return };
    for line in ["trace-file", " with a blank before it", "info name"] {
        screen.press(&[line, "Enter"]);
        // Wait for the next prompt: between two lines, the terminal itself handles keys, and Ctrl-D
        // would be lost.
        screen.wait_until("an answer", |seen| {
            let behind = seen.split_once(&format!("(engine) {line}\n")).map(|(_, behind)| behind);
            behind.is_some_and(|behind| behind.ends_with("(engine)\n"))
        });
    }
    let state = screen.home().join(".local/state/ringtrace");
    let file = state.join("ctl-history");
    let kept = || std::fs::read_to_string(&file).unwrap_or_default();
    assert!(kept().ends_with("\ntrace-file\ninfo name\n"), "{}", kept());
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&state), mode(&file)), (0o700, 0o600));
    screen.press(&["C-d"]);
    wait_for_line(&screen, "$");
    // If no folder is writable, there is no history.
    screen.press(&["clear; XDG_STATE_HOME=/proc/nowhere ringtrace ctl socket", "Enter"]);
    wait_for_line(&screen, "(engine)");
    screen.press(&["info name", "Enter"]);
    screen.wait_until("an answer", |seen| seen.ends_with("(engine) info name\nengine\n(engine)\n"));
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let folder = tempfile::tempdir().unwrap();
    let Some((screen, _engine)) = shell(folder.path()) else { return };
    screen.press(&["info trace-events blk_open", "Enter"]);
    screen.wait_until("the list", |seen| seen.ends_with("\n1 of 1 events enabled\n(engine)\n"));
    let is_green = |seen: &str| seen.contains("\x1b[32m\u{25cf} blk_open");
    assert!(is_green(&screen.look(true)));
    screen.press(&["C-d"]);
    wait_for_line(&screen, "$");
    screen.press(&["clear; NO_COLOR=1 ringtrace ctl socket", "Enter"]);
    wait_for_line(&screen, "(engine)");
    screen.press(&["info trace-events blk_open", "Enter"]);
    screen.wait_until("the list", |seen| seen.ends_with("\n1 of 1 events enabled\n(engine)\n"));
    assert!(!screen.look(true).contains('\x1b'), "{}", screen.look(true));
}
