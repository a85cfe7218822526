//! Exports to files for other tools.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ringtrace_export::{ExportTarget, OutputKind, Process, TraceInfo, format, run};
use ringtrace_tracefile::error::reason;
use ringtrace_tracefile::pair::Description;
use ringtrace_tracefile::{Filter, FilterOptions, Needs, Options, Schemas};

use crate::decoding::reading_errors;
use crate::error::Message;
use crate::opening::Opening;
use crate::pairs;

/// Writes the records that `filter` selects to a file, given by its format and path. Returns the
/// errors of damaged traces. If the caller was interrupted, no file is left.
///
/// # Errors
/// The format is unknown, or a file cannot be read or written.
pub fn export(
    opening: &Opening,
    filter: FilterOptions,
    description: Description,
    declared: &[Arc<Schemas>],
    (name, path): (&str, &Path),
    is_interrupted: &AtomicBool,
) -> Result<Option<String>, Message> {
    let format = format(name).filter(|format| format.output != OutputKind::Folder);
    let format = format.ok_or_else(|| Message::new(format!("cannot export to `{name}`"), None))?;
    let failed =
        |error: &std::io::Error| Message::new(format!("{}: {}", path.display(), reason(error)), None);
    let spool = opening.options.spool || format.needs_order;
    let opening = Opening { options: Options { spool, ..opening.options.clone() }, ..opening.clone() };
    let mut traces = opening.gather(opening.readers()?, Needs { anchor: true, ..Needs::default() })?;
    traces.set_filter(Filter::new(filter));
    let schemas: Vec<&Schemas> = declared.iter().map(AsRef::as_ref).collect();
    let mut tracker = pairs::tracker(description, &schemas)?;
    let setting = TraceInfo {
        traces: traces.readers().iter().map(|reader| reader.name().to_owned()).collect(),
        origins: Arc::clone(&traces.aligned().origins),
        anchor: traces.times().anchor,
        schemas: traces.readers().iter().map(|reader| Arc::clone(reader.schemas())).collect(),
        description: tracker.description().clone(),
        processes: traces.readers().into_iter().filter_map(Process::of_trace).collect(),
        ..TraceInfo::default()
    };
    // The file replaces an older one only when it is complete.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let permissions = std::fs::Permissions::from_mode(0o666);
    let file = tempfile::Builder::new().permissions(permissions).tempfile_in(folder);
    let file = file.map_err(|error| failed(&error))?;
    let target = ExportTarget::File(file.reopen().map_err(|error| failed(&error))?);
    let exporter = (format.start)(target, &setting).map_err(|error| failed(&error))?;
    let outcome = run(&mut traces, &mut tracker, exporter, 1).map_err(|error| match error {
        ringtrace_export::Error::Write(error) => failed(&error),
        ringtrace_export::Error::Pair(error) => error.into(),
    })?;
    if is_interrupted.load(Ordering::Relaxed) {
        return Ok(None);
    }
    file.persist(path).map_err(|error| failed(&error.error))?;
    let errors = reading_errors(&traces, outcome.read_errors, opening.options.keep_going);
    Ok(Message::of_all(&errors).map(|message| message.0))
}
