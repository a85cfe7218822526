//! What options say to people: QEMU's warnings on standard error, the list of events on standard output.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use ringtrace_events::nearest::nearest;

use crate::event::registry::{self, Switched};
use crate::options::{EventSwitch, quoted};

/// All events, one a line, as `--trace help` shows them.
pub fn list_events() -> String {
    let mut text = String::new();
    registry::each(|event| {
        text.push_str(event.name());
        text.push('\n');
    });
    text
}

/// Answers what only asks for a text.
#[expect(clippy::disallowed_methods, reason = "`--trace help` prints a list and exits, as in QEMU")]
pub(super) fn print_and_exit(text: &str) -> ! {
    // Who closes the pipe has seen enough.
    let _ = std::io::stdout().write_all(text.as_bytes());
    std::process::exit(0)
}

/// Says on standard error that processes were killed whose events are still there.
pub(super) fn note_killed(pids: &[u32], directory: &Path) {
    let program = program();
    let killed = match pids {
        [] => return,
        [pid] => format!("process {pid} was killed before its events were written"),
        some => format!("{} processes were killed before their events were written", some.len()),
    };
    let directory = quoted(directory.as_os_str());
    let text = format!(
        "{program}: note: {killed}; run `ringtrace recover {directory}` to write them to a trace file\n"
    );
    // A program without standard error is not stopped by that.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Says on standard error what is wrong, after the program's name: for programs that cannot return an error to anybody.
pub fn report_error(error: &dyn std::fmt::Display) {
    let text = format!("{}: {error}\n", program());
    // A program without standard error is not stopped by that.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// What the program was called as.
fn program() -> String {
    #[expect(clippy::disallowed_methods, reason = "warnings start with the program's name")]
    let program = std::env::args_os().next().unwrap_or_default();
    Path::new(&program).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Says on standard error which of the switches did not do what they say.
pub(super) fn warn(switches: &[&EventSwitch], done: &[Switched]) {
    let program = program();
    let mut text = String::new();
    for (switch, done) in switches.iter().zip(done) {
        let Some(warning) = warning(switch, *done) else { continue };
        let location = switch.location.as_ref().map(|(path, line)| format!("{}:{line}:", path.display()));
        let _ = writeln!(text, "{program}:{} warning: {warning}", location.unwrap_or_default());
    }
    // A program without standard error is not stopped by that.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// What is to be said of a switch.
fn warning(switch: &EventSwitch, done: Switched) -> Option<String> {
    let word = switch.switch.pattern.as_str().escape_debug();
    let is_glob = switch.switch.pattern.is_glob();
    if done.is_unknown() && is_glob {
        Some(format!("trace event pattern '{word}' matches no event"))
    } else if done.is_unknown() {
        let names: Vec<&str> = registry::events().iter().map(|event| event.name()).collect();
        let near = nearest(switch.switch.pattern.as_str(), names);
        let near = near.map(|near| format!("; is '{near}' meant?")).unwrap_or_default();
        Some(format!("trace event '{word}' does not exist{near}"))
    } else if done.matched == 0 && is_glob {
        Some(format!("trace event pattern '{word}' matches only events that are not traceable"))
    } else if done.matched == 0 {
        Some(format!("trace event '{word}' is not traceable"))
    } else if done.passed_over > 0 {
        let all = done.passed_over + 1;
        Some(format!(
            "trace event '{word}' means the first of {all} that match; with a `*` in it, it would mean all"
        ))
    } else {
        None
    }
}
