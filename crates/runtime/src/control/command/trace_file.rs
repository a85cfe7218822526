//! Commands for the trace file and snapshots.

use std::path::Path;
use std::time::Duration;

use super::file::{ClientFile, resolve};
use super::{Answer, Arguments, Command, CommandError};
use crate::control::command::Program;
use crate::os::error_text;
use crate::session;
use crate::session::snapshot::snapshot_within;
use crate::session::status;

/// Runs `trace-file` with its subcommands.
pub(super) fn words(values: &Arguments, program: &Program) -> Result<Answer, CommandError> {
    match values.text("op") {
        None => {
            let file = session::trace_file();
            let file = file.unwrap_or_else(|| format!("trace-{}", std::process::id()).into());
            Ok(Answer::TraceFile(file, session::is_recording()))
        }
        Some("on") => switch(true, program),
        Some("off") => switch(false, program),
        Some("flush") => flush(values, program),
        Some("set") => match values.text("arg") {
            Some(name) => set(name, program),
            None => Err(CommandError::new("trace-file set: filename expected").advise(usage())),
        },
        Some(other) => {
            Err(CommandError::new(format_args!("unexpected argument \"{other}\"")).advise(usage()))
        }
    }
}

/// Whether the command is slow. It is fast only without a subcommand.
pub(super) fn is_slow(values: &Arguments) -> bool {
    values.text("op").is_some()
}

fn usage() -> String {
    Command::of_hmp("trace-file").map(|(command, hmp)| hmp.usage_line(command.help)).unwrap_or_default()
}

pub(super) fn set_state(values: &Arguments, program: &Program) -> Result<Answer, CommandError> {
    switch(values.flag("enable").unwrap_or(false), program)
}

pub(super) fn set_file(values: &Arguments, program: &Program) -> Result<Answer, CommandError> {
    set(values.text("file").unwrap_or_default(), program)
}

fn switch(on: bool, program: &Program) -> Result<Answer, CommandError> {
    // Without a name, the file would be created in the current folder instead of the folder that
    // the program has set.
    if on
        && let Some(folder) = &program.directory
        && session::is_undecided()
    {
        let name = format!("trace-{}", std::process::id());
        let others = (1..).map(|number| format!("{name}.{number}"));
        let free = std::iter::once(name.clone()).chain(others).find(|name| !folder.join(name).exists());
        set(&free.unwrap_or(name), program)?;
    }
    let done = if on { session::set_recording(true) } else { session::stop_recording_within(FLUSH_TIMEOUT) };
    match done.map_err(|error| CommandError::of(&error))? {
        false if !on => Err(unwritten()),
        _ => Ok(Answer::Nothing),
    }
}

fn set(name: &str, program: &Program) -> Result<Answer, CommandError> {
    let ClientFile { path, within } = resolve(name, program)?;
    refuse_to_replace(&path, name)?;
    session::set_trace_file_within(Some(&path), within.as_deref())
        .map_err(|error| CommandError::of(&error))?;
    Ok(Answer::Nothing)
}

/// How long to wait until the file is complete. Meanwhile, slow commands of other clients wait,
/// too.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(8);

/// Waits until everything recorded so far is in the file. Returns at once if recording is off.
pub(super) fn flush(_: &Arguments, _: &Program) -> Result<Answer, CommandError> {
    if !session::is_recording() || session::flush_within(FLUSH_TIMEOUT) {
        return Ok(Answer::Nothing);
    }
    Err(unwritten())
}

fn unwritten() -> CommandError {
    let status = status::status();
    let file = status.file.as_deref().unwrap_or(Path::new("trace file")).display().to_string();
    let why = status.file_error.unwrap_or_else(|| {
        format!(
            "some records were still not written after {} s; writing continues in the background",
            FLUSH_TIMEOUT.as_secs()
        )
    });
    CommandError::new(format_args!("{file}: {why}"))
}

/// Refuses to empty an existing file, unlike QEMU: the client may have mistyped the name or
/// returned to an earlier one.
fn refuse_to_replace(path: &Path, name: &str) -> Result<(), CommandError> {
    match path.metadata() {
        Ok(found) if found.is_file() && found.len() > 0 && !session::is_of_trace(path) => {
            Err(CommandError::new(format_args!(
                "file \"{name}\" exists and is not empty; move it away or choose another name"
            )))
        }
        _ => Ok(()),
    }
}

pub(super) fn snapshot(values: &Arguments, program: &Program) -> Result<Answer, CommandError> {
    let name = values.text("file").unwrap_or_default();
    let ClientFile { path, within } = resolve(name, program)?;
    refuse_to_replace(&path, name)?;
    let failed = |error| CommandError::new(format_args!("snapshot {name}: {}", error_text(&error)));
    snapshot_within(&path, within.as_deref()).map(Answer::Records).map_err(failed)
}
