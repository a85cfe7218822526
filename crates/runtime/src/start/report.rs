//! Output of option processing: QEMU's warnings on standard error, and the list of events on
//! standard output.

use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ringtrace_events::glob;
use ringtrace_events::nearest::nearest;

use crate::event::registry::{self, Switched};
use crate::options::{ContextPart, EventSwitch, Pattern};
use crate::os::{self, stack};
use crate::session;

/// Returns the list that `--trace help` prints: all events, one per line.
pub fn list_events() -> String {
    let mut text = String::new();
    registry::each(|event| {
        text.push_str(event.name());
        text.push('\n');
    });
    text
}

/// Prints a note on standard error if the list lacks events that the program declares while it runs.
pub(super) fn note_unlisted() {
    if registry::dynamic::expects_dynamic() {
        report_error(
            &"note: events that the program declares while it runs, such as call sites of `tracing` and `log`, \
              are not known before the program reaches them; select them with a pattern such as 'my_app::*'",
        );
    }
}

#[expect(clippy::disallowed_methods, reason = "`--trace help` prints a list and exits, as in QEMU")]
pub(super) fn print_and_exit(text: &str) -> ! {
    // An error means that the reader has closed the pipe.
    let _ = std::io::stdout().write_all(text.as_bytes());
    std::process::exit(0)
}

/// Prints an error on standard error after the program's name, for programs that cannot return the
/// error to a caller.
pub fn report_error(error: &dyn fmt::Display) {
    let text = format!("{}: {error}\n", program());
    // Ignore errors: the program may run without standard error.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// The program's file name, from `argv[0]`.
fn program() -> String {
    #[expect(clippy::disallowed_methods, reason = "warnings start with the program's name")]
    let program = std::env::args_os().next().unwrap_or_default();
    Path::new(&program).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A warning about a switch that has no effect.
///
/// As a string, it starts with the events file and the line, if the switch is from a file.
#[derive(Debug)]
pub struct Warning {
    location: Option<(PathBuf, usize)>,
    text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((path, line)) = &self.location {
            write!(f, "{}:{line}: ", path.display())?;
        }
        f.write_str(&self.text)
    }
}

/// Returns warnings about switches that have no effect.
pub(super) fn warnings(switches: &[&EventSwitch], done: &[Switched]) -> Vec<Warning> {
    let warning = |(switch, done): (&&EventSwitch, &Switched)| {
        Some(Warning { location: switch.location.clone(), text: warning(switch, *done)? })
    };
    switches.iter().zip(done).filter_map(warning).collect()
}

/// Returns a warning if stacks are requested that cannot be walked.
pub(super) fn stack_warning<'o>(
    mut contexts: impl Iterator<Item = (ContextPart, &'o Pattern)>,
) -> Option<Warning> {
    let is_impossible = !stack::IS_SUPPORTED && contexts.any(|(part, _)| part == ContextPart::Stack);
    let text = "'stack' has no effect: stacks of this processor cannot be walked";
    is_impossible.then(|| Warning { location: None, text: text.to_owned() })
}

/// Prints warnings on standard error, as QEMU does.
pub fn report_warnings(warnings: &[Warning]) {
    // Ignore errors: the program may run without standard error.
    let _ = std::io::stderr().write_all(lines(warnings).as_bytes());
}

fn lines(warnings: &[Warning]) -> String {
    let program = program();
    let mut text = String::new();
    for Warning { location, text: warning } in warnings {
        let location = location.as_ref().map(|(path, line)| format!("{}:{line}:", path.display()));
        let _ = writeln!(text, "{program}:{} warning: {warning}", location.unwrap_or_default());
    }
    text
}

fn warning(switch: &EventSwitch, done: Switched) -> Option<String> {
    let word = switch.switch.pattern.as_str().escape_debug();
    let is_glob = switch.switch.pattern.is_glob();
    if is_late(switch, done) {
        None
    } else if done.is_unknown() && is_glob {
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

/// Returns whether no event matches, but matching events may be declared later.
fn is_late(switch: &EventSwitch, done: Switched) -> bool {
    let is_dynamic = || switch.switch.pattern.as_str().contains("::") || registry::dynamic::expects_dynamic();
    done.is_unknown() && is_dynamic()
}

/// Returns the switches that enable events which may be declared later.
pub(super) fn late(switches: &[&EventSwitch], done: &[Switched]) -> Vec<EventSwitch> {
    let late =
        switches.iter().zip(done).filter(|(switch, done)| switch.switch.enable && is_late(switch, **done));
    late.map(|(switch, _)| (*switch).clone()).collect()
}

/// The switches of the current session that matched no event at the start.
static LATE: Mutex<Vec<EventSwitch>> = Mutex::new(Vec::new());

/// At the end of the session, warns about the switches of `late` that have matched no event by
/// then.
pub(super) fn report_unmatched_at_end(late: Vec<EventSwitch>) {
    if late.is_empty() {
        return;
    }
    *os::lock(&LATE) = late;
    session::report_at_end(|| {
        let unmatched = unmatched(&std::mem::take(&mut *os::lock(&LATE)));
        if !unmatched.is_empty() {
            os::print_error_if_ready(&lines(&unmatched));
        }
    });
}

fn unmatched(late: &[EventSwitch]) -> Vec<Warning> {
    let mut names = Vec::new();
    registry::each(|event| names.push(event.name().to_owned()));
    registry::each_retired(|event| names.push(event.name.clone()));
    let is_unmatched = |switch: &&EventSwitch| {
        let pattern = &switch.switch.pattern;
        // Do not warn about `*`: a program may have reached no call site at all.
        !pattern.matches("") && !names.iter().any(|name| pattern.matches(name))
    };
    let warning = |switch: &EventSwitch| {
        let pattern = &switch.switch.pattern;
        let near = suggestion(pattern, &names).map(|near| format!("; did you mean '{near}'?"));
        let word = pattern.as_str().escape_debug();
        let text = format!(
            "trace event pattern '{word}' matched no event that the program reached{}",
            near.unwrap_or_default(),
        );
        Warning { location: switch.location.clone(), text }
    };
    late.iter().filter(is_unmatched).map(warning).collect()
}

/// Suggests a pattern for events of call sites. Their names start with their modules.
fn suggestion(pattern: &Pattern, names: &[String]) -> Option<String> {
    let name = glob::event_pattern(pattern.as_str());
    let with_modules = |name: &str| name.replace("__", "::");
    if let Some(module) = name.strip_suffix("__*") {
        let modules = names.iter().flat_map(|name| name.match_indices("__").map(|(at, _)| &name[..at]));
        return nearest(module, modules).map(|near| with_modules(near) + "::*");
    }
    let is_module = |of: &String| of.strip_prefix(&name).is_some_and(|rest| rest.starts_with("__"));
    if names.iter().any(is_module) {
        return Some(with_modules(&name) + "::*");
    }
    nearest(&name, names.iter().map(String::as_str)).map(with_modules)
}
