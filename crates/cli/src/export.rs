//! What commands that export have in common: from traces to an exporter, and what is told at the end.

use ringtrace_export::{Error, ExportTarget, Format, TraceInfo};
use ringtrace_tracefile::metadata::{COMMAND, Metadata};
use ringtrace_tracefile::{Entry, Flow, Needs, Reader};

use crate::exit::{CliError, Exit};
use crate::pairs::{PairArguments, check_known};
use crate::progress::Progress;
use crate::quantity::counted;
use crate::reading::{ReadArguments, ReadOutcome, finish, program_name};
use crate::terminal::Terminal;

/// What is to be exported, and as what.
pub struct ExportJob<'a> {
    pub read: &'a ReadArguments,
    pub pairs: &'a PairArguments,
    pub format: &'a Format,
}

/// Where an export goes.
pub struct ExportOutput<'d> {
    pub target: ExportTarget,
    pub name: &'d str,
    /// Whether it is standard output, which may be shown beside the progress.
    pub is_stdout: bool,
}

impl ExportJob<'_> {
    /// Writes all, and tells what is odd, what was lost and when nothing was recorded.
    pub fn export(&self, to: ExportOutput<'_>, terminal: &Terminal) -> Result<Exit, CliError> {
        let system = |error| CliError::system(to.name, &error);
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
                Error::Pair(error) => error.into(),
            })?;
        drop(progress);
        if told.read_errors.is_empty() {
            // Traces that describe themselves have done so by now.
            check_known(&meanings, &traces)?;
        }
        if meanings.untracked() > 0 {
            let others = counted(meanings.untracked(), "span or value stands", "spans and values stand");
            terminal.warn(
                &format!("there are too many tracks: {others} on one of all others"),
                Some("describe tracks by what has fewer values"),
            );
        }
        let outcome = ReadOutcome { failed: told.read_errors, dropped: told.dropped };
        Ok(finish(&traces, outcome, read.format.strict, terminal))
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
