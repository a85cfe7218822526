//! Output of option processing: QEMU's warnings on standard error, and the list of events on
//! standard output.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use ringtrace_events::nearest::nearest;

use crate::event::registry::{self, Switched};
use crate::options::EventSwitch;

/// Returns the list that `--trace help` prints: all events, one per line.
pub fn list_events() -> String {
    let mut text = String::new();
    registry::each(|event| {
        text.push_str(event.name());
        text.push('\n');
    });
    text
}

#[expect(clippy::disallowed_methods, reason = "`--trace help` prints a list and exits, as in QEMU")]
pub(super) fn print_and_exit(text: &str) -> ! {
    // An error means that the reader has closed the pipe.
    let _ = std::io::stdout().write_all(text.as_bytes());
    std::process::exit(0)
}

/// Prints an error on standard error after the program's name, for programs that cannot return the
/// error to a caller.
pub fn report_error(error: &dyn std::fmt::Display) {
    let text = format!("{}: {error}\n", program());
    // Ignore errors: the program may run without standard error.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// The file name of the program, from its first argument.
fn program() -> String {
    #[expect(clippy::disallowed_methods, reason = "warnings start with the program's name")]
    let program = std::env::args_os().next().unwrap_or_default();
    Path::new(&program).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Prints warnings on standard error about switches without effect.
pub(super) fn warn(switches: &[&EventSwitch], done: &[Switched]) {
    let program = program();
    let mut text = String::new();
    for (switch, done) in switches.iter().zip(done) {
        let Some(warning) = warning(switch, *done) else { continue };
        let location = switch.location.as_ref().map(|(path, line)| format!("{}:{line}:", path.display()));
        let _ = writeln!(text, "{program}:{} warning: {warning}", location.unwrap_or_default());
    }
    // Ignore errors: the program may run without standard error.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn warning(switch: &EventSwitch, done: Switched) -> Option<String> {
    let word = switch.switch.pattern.as_str().escape_debug();
    let is_glob = switch.switch.pattern.is_glob();
    if done.is_unknown() && is_glob {
        Some(format!("trace event pattern '{word}' matches no event"))
    } else if done.is_unknown() {
        let names: Vec<&str> = registry::events().iter().map(|event| event.name()).collect();
        let near = nearest(switch.switch.pattern.as_str(), names);
        let near = near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
        Some(format!("trace event '{word}' does not exist{near}"))
    } else if done.matched == 0 && is_glob {
        Some(format!("trace event pattern '{word}' matches only events that are not traceable"))
    } else if done.matched == 0 {
        Some(format!("trace event '{word}' is not traceable"))
    } else if done.passed_over > 0 {
        let all = done.passed_over + 1;
        Some(format!(
            "trace event '{word}' selects only the first of {all} matching events; add a `*` to select all"
        ))
    } else {
        None
    }
}
