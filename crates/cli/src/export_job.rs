//! The steps that all exports share: they pass traces to an exporter, and report errors and losses
//! at the end.

use std::sync::Arc;

use ringtrace_export::{Error, ExportTarget, Format, Process, TraceInfo};
use ringtrace_tracefile::Needs;

use crate::exit::{CliError, Exit};
use crate::pair_arguments::{PairArguments, are_all, check_known, note_unjoined};
use crate::progress::Progress;
use crate::quantity::counted;
use crate::reading::{OpenTraces, ReadArguments, ReadOutcome, finish};
use crate::symbols::SymbolFiles;
use crate::terminal::Terminal;

/// The input of an export, and its format.
pub struct ExportJob<'a> {
    pub read: &'a ReadArguments,
    pub pairs: &'a PairArguments,
    pub format: &'a Format,
    /// Whether stacks contain the names of functions.
    pub symbols: bool,
    /// The number of threads that read and format records.
    pub threads: usize,
}

/// The destination of an export.
pub struct ExportOutput<'d> {
    pub target: ExportTarget,
    pub name: &'d str,
    /// Whether the output is standard output, which may share a terminal with the progress bar.
    pub is_stdout: bool,
}

impl ExportJob<'_> {
    /// Writes the export. Then reports anomalies, losses and pauses.
    pub fn export(&self, to: ExportOutput<'_>, terminal: &Terminal) -> Result<Exit, CliError> {
        let sort = self.read.sort || self.format.needs_order;
        let read = ReadArguments { sort, ..self.read.clone() };
        let open = read.open(&read.options()?, terminal)?;
        // Standard output may be a file that other programs have written to.
        let is_final = to.is_stdout;
        self.export_from(open, &read, to, is_final, terminal)
    }

    /// Exports the traces of `open`. If `is_final` is set, or the export cannot start anew, finds all their
    /// declarations first. Otherwise, assumes that a trace declares its pairs before the first event, and exports it
    /// again if it does not.
    fn export_from(
        &self,
        open: OpenTraces,
        read: &ReadArguments,
        to: ExportOutput<'_>,
        is_final: bool,
        terminal: &Terminal,
    ) -> Result<Exit, CliError> {
        let ExportOutput { target, name, is_stdout } = to;
        let system = |error| CliError::system(name, &error);
        let again = if is_final { None } else { open.again().zip(target.for_clearing().map_err(system)?) };
        let files = self.symbols.then(SymbolFiles::new);
        let progress = Progress::watch(&open.readers, is_stdout, terminal);
        let mut traces = read.gather(open, Needs { anchor: true, ..Needs::default() })?;
        traces.decode_ahead(self.threads > 1 + usize::from(self.format.encodes_on_thread));
        let (tracker, assumed) = self.pairs.first_span_tracker(&traces, Some(terminal), again.is_none())?;
        let mut tracker = tracker.keep_begins(true);
        let setting = TraceInfo {
            traces: traces.readers().iter().map(|reader| reader.name().to_owned()).collect(),
            origins: Arc::clone(&traces.aligned().origins),
            anchor: traces.times().anchor,
            description: tracker.description().clone(),
            processes: traces.readers().into_iter().filter_map(Process::of_trace).collect(),
            finder: files.as_ref().and_then(SymbolFiles::finder),
            schemas: traces.readers().iter().map(|reader| Arc::clone(reader.schemas())).collect(),
        };
        let exporter = (self.format.start)(target, &setting).map_err(system)?;
        let outcome = ringtrace_export::run(&mut traces, &mut tracker, exporter, self.threads);
        drop(progress);
        if let (Some((open, mut target)), Some(description)) = (again, assumed) {
            let is_right = match &outcome {
                Ok(exported) => {
                    exported.read_errors.is_empty() && are_all(&description, &traces, Some(terminal))?
                }
                Err(Error::Pair(_)) => false,
                Err(Error::Write(_)) => true,
            };
            if !is_right {
                target.clear().map_err(system)?;
                let to = ExportOutput { target, name, is_stdout };
                return self.export_from(open, read, to, true, terminal);
            }
        }
        let outcome = outcome.map_err(|failed| match failed {
            Error::Write(error) => system(error),
            Error::Pair(error) => error.into(),
        })?;
        if let Some(files) = files {
            files.report(terminal);
        }
        if outcome.read_errors.is_empty() && traces.missing().is_none() {
            // By now, self-describing traces have declared all their events.
            check_known(&tracker, &traces)?;
        }
        if tracker.untracked() > 0 {
            let others = counted(tracker.untracked(), "span or value is on", "spans and values are on");
            terminal.warn(
                &format!("there are too many tracks: {others} a shared track"),
                Some("choose a track key with fewer values"),
            );
        }
        note_unjoined(tracker.pairs(), &traces, terminal);
        let outcome =
            ReadOutcome { failed: outcome.read_errors, dropped: outcome.dropped, is_partial: false };
        Ok(finish(&traces, outcome, read.format.strict, terminal))
    }
}
