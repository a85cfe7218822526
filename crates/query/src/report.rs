//! The findings of reading traces: damage, lost events, and other anomalies.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ringtrace_report::wording::describe_dropped;
use ringtrace_tracefile::{Anomaly, Dropped, Error as TraceError, Reader};

use crate::error::Error;

/// Collects findings while queries read traces. A query that reads a trace several times reports
/// each of them once.
#[derive(Debug, Default)]
pub struct Report(Mutex<Findings>);

/// The findings of a query.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// Errors that ended the reading of a trace. The result contains all readable rows.
    pub errors: Vec<Error>,
    /// Tolerated anomalies, with advice.
    pub warnings: Vec<(String, Option<String>)>,
    /// Whether parts of a trace were skipped because they are damaged.
    pub is_damaged: bool,
    /// Totals of the events that were lost while recording.
    pub dropped: Dropped,
}

impl Findings {
    /// Describes the events that were lost while recording.
    pub fn lost(&self) -> Option<String> {
        (self.dropped.records > 0).then(|| describe_dropped(self.dropped))
    }
}

impl Report {
    /// Adds the result of reading traces.
    pub fn add(&self, readers: &[&Reader], errors: &[TraceError], dropped: Dropped) {
        let mut found = self.lock();
        for error in errors.iter().map(Error::from) {
            if !found.errors.contains(&error) {
                found.errors.push(error);
            }
        }
        for reader in readers {
            found.is_damaged |= reader.is_incomplete();
            for (anomaly, count, kept) in reader.anomalies().iter() {
                found.is_damaged |= anomaly == Anomaly::Damage;
                for error in kept {
                    found.warn(error.to_string(), error.help.as_deref());
                }
                let more = count - kept.len() as u64;
                if let (Some(last), true) = (kept.last(), more > 0) {
                    found.warn(format!("{}: {more} more of this kind", last.file), None);
                }
            }
        }
        // Another reading of the same trace can be limited to fewer records.
        if dropped.records > found.dropped.records {
            found.dropped = dropped;
        }
    }

    /// Adds a warning.
    pub fn warn(&self, message: String, help: Option<String>) {
        self.lock().warn(message, help.as_deref());
    }

    /// Returns the findings since the last call.
    pub fn take(&self) -> Findings {
        std::mem::take(&mut self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Findings> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Findings {
    fn warn(&mut self, message: String, help: Option<&str>) {
        let warning = (message, help.map(ToOwned::to_owned));
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}
