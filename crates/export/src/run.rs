//! From traces to an exporter.

use std::io;

use ringtrace_tracefile::pair::{Meanings, PairError};
use ringtrace_tracefile::{
    Complaint, Dropped, Entry, Flow, OrdinaryRecords, Reader, Traces, Visitor, pauses,
};

use crate::exporter::{End, Exporter};

/// Why an export ended early.
#[derive(Debug)]
pub enum Failed {
    /// Writing failed.
    Write(io::Error),
    /// An event does not fit its description.
    Pair(PairError),
}

/// Gives all of `traces` to `exporter`, with what `meanings` sees in it.
///
/// # Errors
/// When no more can be written. What could not be read does not end an export: it is among the complaints that are returned.
pub fn run(
    traces: &mut Traces,
    meanings: &mut Meanings,
    mut exporter: Box<dyn Exporter>,
) -> Result<Vec<Complaint>, Failed> {
    let quick = meanings.is_empty();
    let mut telling = Telling {
        exporter: &mut *exporter,
        meanings,
        quick,
        dropped: Dropped::default(),
        span_ns: None,
        failed: None,
    };
    let complaints = traces.for_each(&mut telling).err().unwrap_or_default();
    let Telling { dropped, span_ns, failed, .. } = telling;
    if let Some(failed) = failed {
        return Err(failed);
    }
    let pauses: Vec<_> =
        traces.readers().iter().flat_map(|reader: &&Reader| pauses(reader.metadata())).collect();
    let open = meanings.open_counts();
    exporter.finish(&End { span_ns, dropped, pauses: &pauses, open: &open }).map_err(Failed::Write)?;
    Ok(complaints)
}

struct Telling<'t> {
    exporter: &'t mut dyn Exporter,
    meanings: &'t mut Meanings,
    quick: bool,
    dropped: Dropped,
    span_ns: Option<(u64, u64)>,
    failed: Option<Failed>,
}

impl Telling<'_> {
    fn tell(&mut self, entry: &Entry<'_>) -> Result<(), Failed> {
        let ns = entry.timestamp_ns;
        self.span_ns = Some(self.span_ns.map_or((ns, ns), |(first, last)| (first.min(ns), last.max(ns))));
        if self.dropped.count(entry) {
            return self.exporter.dropped(entry).map_err(Failed::Write);
        }
        let (meanings, tracks) = self.meanings.of(entry).map_err(Failed::Pair)?;
        self.exporter.event(entry, meanings, tracks).map_err(Failed::Write)
    }
}

impl Visitor for Telling<'_> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        match self.tell(entry) {
            Ok(()) => Flow::Continue,
            Err(failed) => {
                self.failed = Some(failed);
                Flow::Stop
            }
        }
    }

    fn quick(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        if self.quick
            && let Err(error) = self.exporter.quick(records)
        {
            self.failed = Some(Failed::Write(error));
            return Flow::Stop;
        }
        Flow::Continue
    }
}
