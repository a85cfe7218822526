//! What commands that export have in common: from traces to an exporter, and what is told at the end.

use ringtrace_export::{Error, ExportTarget, Format, TraceInfo};
use ringtrace_tracefile::metadata::{COMMAND, Metadata};
use ringtrace_tracefile::{Entry, Flow, Needs, Reader};

use crate::exit::{Exit, Failure};
use crate::pairs::{PairArguments, check_known, misfit};
use crate::progress::Progress;
use crate::quantity::counted;
use crate::reading::{ReadArguments, conclude, describe_dropped, note_pauses, program_name};
use crate::terminal::Terminal;

/// What is to be exported, and as what.
pub struct Exporting<'a> {
    /// Which traces.
    pub read: &'a ReadArguments,
    /// Which of their events belong together.
    pub pairs: &'a PairArguments,
    /// In which format.
    pub format: &'a Format,
}

/// Where an export goes.
pub struct Destination<'d> {
    /// What the exporter writes to.
    pub target: ExportTarget,
    /// What messages call it.
    pub name: &'d str,
    /// Whether it is standard output, which may be shown beside the progress.
    pub is_stdout: bool,
}

impl Exporting<'_> {
    /// Writes all, and tells what is odd, what was lost and when nothing was recorded.
    ///
    /// # Errors
    /// When it cannot be written, or the command line makes no sense for these traces. What cannot be read is told, and is
    /// in the status.
    pub fn export(&self, to: Destination<'_>, terminal: &Terminal) -> Result<Exit, Failure> {
        let system = |error| Failure::system(to.name, &error);
        let sort = self.read.sort || self.format.needs_order;
        let read = ReadArguments { sort, ..self.read.clone() };
        let readers = read.open(&read.options()?)?;
        let progress = Progress::watch(&readers, to.is_stdout, terminal);
        let mut traces = read.gather(readers, Needs { anchor: true, ..Needs::default() })?;
        let mut meanings = self.pairs.meanings(&traces)?.keep_begins(true);
        let setting = TraceInfo {
            traces: traces.readers().iter().map(|reader| reader.file().to_owned()).collect(),
            anchor: traces.times().anchor,
            description: meanings.description().clone(),
            processes: traces.readers().into_iter().filter_map(process).collect(),
        };
        let exporter = (self.format.start)(to.target, &setting).map_err(system)?;
        let told =
            ringtrace_export::run(&mut traces, &mut meanings, exporter).map_err(|failed| match failed {
                Error::Write(error) => system(error),
                Error::Pair(error) => misfit(error),
            })?;
        drop(progress);
        if told.read_errors.is_empty() {
            // Traces that describe themselves have done so by now.
            check_known(&meanings, &traces)?;
        }
        let exit = conclude(&traces, told.read_errors, terminal);
        note_pauses(&traces, terminal);
        if meanings.untracked() > 0 {
            let others = counted(meanings.untracked(), "span or value stands", "spans and values stand");
            terminal.warn(
                &format!("there are too many tracks: {others} on one of all others"),
                Some("describe tracks by what has fewer values"),
            );
        }
        if told.dropped.records == 0 {
            return Ok(exit);
        }
        terminal.warn(&describe_dropped(told.dropped), None);
        Ok(if exit == Exit::Done && read.format.strict { Exit::Lost } else { exit })
    }
}

/// The process whose trace this is, and its program, where the trace tells of one command line. Its first record is its own.
fn process(reader: &Reader) -> Option<(u32, String)> {
    let mut again = reader.again()?;
    let mut pid = None;
    // What cannot be read is found again, and told, by who reads it all.
    let _ = again.for_each(|entry: &Entry<'_>| {
        pid = Some(entry.pid);
        Flow::Stop
    });
    let mut commands = again.metadata().iter().filter_map(|piece| match piece {
        Metadata::Other(key, command) if key == COMMAND => Some(command),
        _ => None,
    });
    let command = commands.next()?;
    let name = program_name(command).filter(|_| commands.next().is_none())?;
    Some((pid.filter(|&pid| pid != 0)?, name))
}
