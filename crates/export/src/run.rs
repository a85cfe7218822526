//! From traces to an exporter.

use std::io;

use ringtrace_tracefile::pair::{SpanTracker, PairError};
use ringtrace_tracefile::{
    Error as TraceError, Dropped, Entry, Flow, OrdinaryRecords, Reader, Traces, Visitor, pauses,
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

/// What an export came to.
#[derive(Debug)]
pub struct Told {
    /// What could not be read, one complaint a trace: it does not end an export.
    pub complaints: Vec<TraceError>,
    /// All that was dropped while recording, as what was exported says.
    pub dropped: Dropped,
}

/// Gives all of `traces` to `exporter`, with what `meanings` sees in it.
///
/// # Errors
/// When no more can be written, or an event does not fit its description.
pub fn run(
    traces: &mut Traces,
    meanings: &mut SpanTracker,
    mut exporter: Box<dyn Exporter>,
) -> Result<Told, Failed> {
    let quick = meanings.is_empty();
    let mut telling =
        Telling { exporter: &mut *exporter, meanings, quick, dropped: Dropped::default(), failed: None };
    let complaints = traces.for_each(&mut telling).err().unwrap_or_default();
    let Telling { dropped, failed, .. } = telling;
    if let Some(failed) = failed {
        return Err(failed);
    }
    let pauses: Vec<_> =
        traces.readers().iter().flat_map(|reader: &&Reader| pauses(reader.metadata())).collect();
    let open = meanings.open_counts();
    let end = End { dropped, pauses: &pauses, open: &open, meanings };
    exporter.finish(&end).map_err(Failed::Write)?;
    Ok(Told { complaints, dropped })
}

/// So many bare records are looked at for what they mean before an exporter has them: few enough that they are at hand still.
const LENT: u64 = 500;

struct Telling<'t> {
    exporter: &'t mut dyn Exporter,
    meanings: &'t mut SpanTracker,
    quick: bool,
    dropped: Dropped,
    failed: Option<Failed>,
}

impl Telling<'_> {
    fn tell(&mut self, entry: &Entry<'_>) -> Result<(), Failed> {
        if self.dropped.count(entry) {
            return self.exporter.dropped(entry).map_err(Failed::Write);
        }
        let (meanings, tracks) = self.meanings.of(entry).map_err(Failed::Pair)?;
        self.exporter.event(entry, &meanings, tracks).map_err(Failed::Write)
    }

    fn tell_quick(&mut self, records: &mut OrdinaryRecords<'_>) -> Result<(), Failed> {
        if self.quick {
            return self.exporter.quick(records).map_err(Failed::Write);
        }
        let (meanings, exporter) = (&*self.meanings, &mut *self.exporter);
        let means = |schema_index| meanings.concerns(schema_index);
        while records.hand_over(LENT, means, |records| exporter.quick(records)).map_err(Failed::Write)? {}
        Ok(())
    }

    fn flow(&mut self, told: Result<(), Failed>) -> Flow {
        match told {
            Ok(()) => Flow::Continue,
            Err(failed) => {
                self.failed = Some(failed);
                Flow::Stop
            }
        }
    }
}

impl Visitor for Telling<'_> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        let told = self.tell(entry);
        self.flow(told)
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        let told = self.tell_quick(records);
        self.flow(told)
    }

    fn idle(&mut self) {
        // An error is met again, and told, by what is written next.
        let _ = self.exporter.idle();
    }
}
