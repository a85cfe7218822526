//! Datasets: folders of Parquet files with the records of many traces. `docs/formats/dataset.md`
//! describes their layout.

pub(crate) mod identity;

pub use self::identity::Identity;

use ringtrace_tracefile::{Dropped, Error as TraceError};

/// A trace that was read for a dataset.
#[derive(Debug)]
pub struct Ingested {
    /// Whether the dataset contains the trace now. False if nothing of it could be read.
    pub is_added: bool,
    /// The number of records of events.
    pub records: u64,
    /// The number of spans.
    pub spans: u64,
    /// The number of files.
    pub parts: usize,
    /// Whether the dataset already contained the same files.
    pub is_unchanged: bool,
    /// Columns of arguments that have another name than the argument: the table, the name, and the name
    /// of the column.
    pub renamed: Vec<(String, String, String)>,
    /// Read errors. All readable records are in the dataset.
    pub read_errors: Vec<TraceError>,
    /// Totals of lost events.
    pub dropped: Dropped,
}

/// A dataset, which cannot be opened without the feature `parquet`.
#[cfg(not(feature = "parquet"))]
#[derive(Debug)]
pub struct Dataset(std::convert::Infallible);

#[cfg(not(feature = "parquet"))]
#[expect(missing_docs, reason = "see the implementation with the feature `parquet`")]
#[expect(clippy::missing_errors_doc, reason = "see the implementation with the feature `parquet`")]
impl Dataset {
    pub fn open(_folder: &std::path::Path, _signed: bool) -> std::io::Result<Dataset> {
        let message = "this ringtrace was built without Parquet; build it with `--features parquet`";
        Err(std::io::Error::new(std::io::ErrorKind::Unsupported, message))
    }

    pub fn ingest(
        &self,
        _traces: &mut ringtrace_tracefile::Traces,
        _tracker: &mut ringtrace_tracefile::pair::SpanTracker,
        _identity: &Identity,
    ) -> Result<Ingested, crate::Error> {
        match self.0 {}
    }
}
