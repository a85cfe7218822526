//! What commands that export have in common: from traces to an exporter, and what is told at the end.

use ringtrace_export::{Failed, Format, Place, Setting};
use ringtrace_tracefile::{Needs, Reader};

use crate::exit::{Exit, Failure};
use crate::pairs::{PairArguments, misfit};
use crate::progress::Progress;
use crate::reading::{ReadArguments, conclude, note_pauses, told_of_dropped};
use crate::terminal::Terminal;

/// Traces that are open, and to be exported in a format.
pub struct Exporting<'a> {
    read: ReadArguments,
    pairs: PairArguments,
    readers: Vec<Reader>,
    format: &'a Format,
}

/// Where an export goes.
pub struct Destination<'d> {
    /// What the exporter writes to.
    pub place: Place,
    /// What messages call it.
    pub name: &'d str,
    /// Whether it is standard output, which may be shown beside the progress.
    pub is_stdout: bool,
}

/// Opens the traces that `read` names, to export them as `format`.
///
/// # Errors
/// When one cannot be opened.
pub fn open<'a>(
    read: &ReadArguments,
    pairs: &PairArguments,
    format: &'a Format,
) -> Result<Exporting<'a>, Failure> {
    let read = ReadArguments { sort: read.sort || format.needs_order, ..read.clone() };
    let readers = read.open(&read.options()?)?;
    Ok(Exporting { read, pairs: pairs.clone(), readers, format })
}

impl Exporting<'_> {
    /// Writes all, and tells what is odd, what was lost and when nothing was recorded.
    ///
    /// # Errors
    /// When it cannot be written, or the command line makes no sense for these traces. What cannot be read is told, and is
    /// in the status.
    pub fn export(self, to: Destination<'_>, terminal: &Terminal) -> Result<Exit, Failure> {
        let Exporting { read, pairs, readers, format } = self;
        let system = |error| Failure::system(to.name, &error);
        let progress = Progress::watch(&readers, to.is_stdout, terminal);
        let mut traces = read.gather(readers, Needs { anchor: true, ..Needs::default() })?;
        let mut meanings = pairs.meanings(&traces)?.keep_begins(true);
        let setting = Setting {
            traces: traces.readers().iter().map(|reader| reader.file().to_owned()).collect(),
            anchor: traces.times().anchor,
            description: meanings.description().clone(),
            processes: Vec::new(),
        };
        let exporter = (format.begin)(to.place, &setting).map_err(system)?;
        let told =
            ringtrace_export::run(&mut traces, &mut meanings, exporter).map_err(|failed| match failed {
                Failed::Write(error) => system(error),
                Failed::Pair(error) => misfit(error),
            })?;
        drop(progress);
        let exit = conclude(&traces, told.complaints, terminal);
        note_pauses(&traces, terminal);
        if told.dropped.records == 0 {
            return Ok(exit);
        }
        terminal.warn(&told_of_dropped(told.dropped), None);
        Ok(if exit == Exit::Done && read.format.strict { Exit::Lost } else { exit })
    }
}
