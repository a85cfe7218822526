//! Finds the program's file, lists the events that it declares, and explains why the program may
//! not have written a trace.

use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::child::ProgramExit;
use super::options::RecordOptions;
use crate::binaries::{executable, inspect};
use crate::exit::{CliError, Exit};
use crate::output::print;
use crate::terminal::Terminal;

/// Returns the program's name for messages.
pub fn short_name(program: &OsStr) -> String {
    let name = Path::new(program).file_name().unwrap_or(program);
    ringtrace_events::message::visible::text(&name.to_string_lossy())
}

/// Lists the events that the file declares. Does not run the program, because a program without
/// ringtrace would ignore the variable and start its normal work.
pub fn list_events(program: &OsStr, terminal: &Terminal) -> Result<Exit, CliError> {
    let Some(path) = executable(program) else {
        return Err(CliError::input(format!("{}: no such program in PATH", program.display()))
            .exit(Exit::Program(127)));
    };
    let offer = inspect(&path, &[], terminal)?;
    let events = offer.events.iter().filter(|event| event.declaration.is_some());
    let text: String = events.map(|event| format!("{}\n", event.name)).collect();
    if text.is_empty() {
        let name = path.display();
        return Err(CliError::input(format!("{name}: the file declares no events"))
            .help("its libraries may declare events: `ringtrace probes LIBRARY` lists them; if the program uses ringtrace, `RINGTRACE=help PROGRAM` lists all events"));
    }
    print(text)?;
    Ok(Exit::Done)
}

/// Returns the error for a missing trace, with the likely reason. Returns `None` if no trace is
/// expected, because the user chose other backends.
pub fn not_traced(
    program: &OsStr,
    options: &RecordOptions,
    ended: ProgramExit,
    terminal: &Terminal,
) -> Option<CliError> {
    if !options.has_trace() {
        return None;
    }
    let name = short_name(program);
    let path = executable(program);
    let declared = path.as_deref().and_then(|path| declared_events(path, terminal));
    let others_rights = path
        .as_deref()
        .is_some_and(|path| std::fs::metadata(path).is_ok_and(|found| found.mode() & 0o6000 != 0));
    // `ringtrace probes` accepts only paths: it does not search PATH.
    let shown = path.as_deref().map_or_else(|| name.clone(), |path| path.display().to_string());
    let help = match declared {
        _ if others_rights => {
            format!(
                "{name} runs with the rights of another user; such programs ignore the variable RINGTRACE"
            )
        }
        Some(events) if events > 0 && ended != ProgramExit::Exited(0) => {
            format!(
                "it has events (`ringtrace probes {shown}`), but it may have ended before it started tracing"
            )
        }
        Some(events) if events > 0 => format!(
            "it has events (`ringtrace probes {shown}`). Either it does not read the variable RINGTRACE, or its \
             probes lack the backend simple: generate them with `tracetool --backends=simple`; configure QEMU \
             with --enable-trace-backends=simple"
        ),
        Some(_) => format!(
            "{name} declares no events; `ringtrace probes FILE` lists the events of other programs and libraries"
        ),
        None => {
            format!("{name} is not an executable; `ringtrace probes FILE` lists the events of an executable")
        }
    };
    Some(CliError::input(format!("there is no trace: {name} did not start one")).help(help))
}

/// Returns the number of events that an executable declares.
fn declared_events(path: &Path, terminal: &Terminal) -> Option<usize> {
    let offer = inspect(path, &[], terminal).ok()?;
    Some(offer.events.iter().filter(|event| event.declaration.is_some()).count())
}
