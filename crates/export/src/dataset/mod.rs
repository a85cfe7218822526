//! Datasets: folders of Parquet files with the records of many traces. `docs/formats/dataset.md`
//! describes their layout.

pub(crate) mod identity;
mod rows;

pub use self::identity::Identity;
pub use self::rows::{DatasetRow, RowFilter, SelectError, Selection};

use ringtrace_tracefile::{Dropped, Error as TraceError};

/// The name of the file with the settings of a dataset, by which datasets are recognized.
pub const SETTINGS: &str = "_dataset.json";

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
    /// Files of which the dataset contains earlier rows, but which are not files of the trace any more.
    /// The trace is then not replaced: see [`Dataset::replacing_vanished`](crate::Dataset::replacing_vanished).
    pub vanished: Vec<String>,
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

/// Limits of the files that [`Dataset::compact`](crate::Dataset::compact) makes.
#[derive(Debug, Clone, Copy)]
pub struct CompactionLimits {
    /// The size of a file. Files of more than half of it are not merged.
    pub file_bytes: u64,
    /// The number of files that are merged into one. Their footers are in memory.
    pub files: usize,
}

impl Default for CompactionLimits {
    fn default() -> CompactionLimits {
        CompactionLimits { file_bytes: 128 << 20, files: 1000 }
    }
}

/// The files of a dataset, and those that can be merged.
#[derive(Debug, Default)]
pub struct CompactionPlan {
    /// The number of files with rows, except those of the table `traces`.
    pub files: u64,
    /// The size of these files.
    pub bytes: u64,
    /// The number of files that can be merged.
    pub merged: u64,
    /// The number of files that these become.
    pub results: u64,
    /// The size of the files that can be merged.
    pub merged_bytes: u64,
    #[cfg(feature = "parquet")]
    pub(crate) leaves: Vec<Leaf>,
}

impl CompactionPlan {
    /// Returns the number of folders with files that can be merged.
    pub fn folders(&self) -> usize {
        #[cfg(feature = "parquet")]
        return self.leaves.len();
        #[cfg(not(feature = "parquet"))]
        0
    }
}

/// A folder with files to merge.
#[cfg(feature = "parquet")]
#[derive(Debug)]
pub(crate) struct Leaf {
    /// The path, relative to the dataset.
    pub(crate) path: String,
    /// The names of the files that become one, each list in order.
    pub(crate) merges: Vec<Vec<String>>,
}

/// The result of a compaction.
#[derive(Debug, Default)]
pub struct Compacted {
    /// The number of folders whose files were merged.
    pub folders: u64,
    /// The number of files that were merged.
    pub merged: u64,
    /// The number of files that these became.
    pub results: u64,
    /// The number of folders that another process changed at the same time. They are as before.
    pub busy: u64,
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

    #[must_use]
    pub fn replacing_vanished(self, _replacing: bool) -> Dataset {
        self
    }

    pub fn ingest(
        &self,
        _traces: &mut ringtrace_tracefile::Traces,
        _tracker: &mut ringtrace_tracefile::pair::SpanTracker,
        _identity: &Identity,
    ) -> Result<Ingested, crate::Error> {
        match self.0 {}
    }

    pub fn plan_compaction(&self, _limits: CompactionLimits) -> std::io::Result<CompactionPlan> {
        match self.0 {}
    }

    pub fn compact(
        &self,
        _plan: &CompactionPlan,
        _done: &std::sync::atomic::AtomicU64,
    ) -> std::io::Result<Compacted> {
        match self.0 {}
    }
}

/// The selected rows of a dataset, which cannot be read without the feature `parquet`.
#[cfg(not(feature = "parquet"))]
#[derive(Debug)]
pub struct SelectedRows(std::convert::Infallible);

#[cfg(not(feature = "parquet"))]
#[expect(missing_docs, reason = "see the implementation with the feature `parquet`")]
#[expect(clippy::missing_errors_doc, reason = "see the implementation with the feature `parquet`")]
impl SelectedRows {
    pub fn open(_folder: &std::path::Path, _selection: &Selection) -> Result<SelectedRows, SelectError> {
        let message = "this ringtrace was built without Parquet; build it with `--features parquet`";
        Err(std::io::Error::new(std::io::ErrorKind::Unsupported, message).into())
    }

    pub fn events(&self) -> &[String] {
        match self.0 {}
    }

    pub fn pairs(&self) -> &[String] {
        match self.0 {}
    }

    pub fn edges(&self, _pair: usize) -> Vec<String> {
        match self.0 {}
    }

    pub fn damaged(&self) -> &[String] {
        match self.0 {}
    }

    pub fn has_wall_clock(&self) -> bool {
        match self.0 {}
    }

    pub fn first_ns(&self) -> u64 {
        match self.0 {}
    }

    pub fn bytes(&self) -> u64 {
        match self.0 {}
    }

    pub fn cuts(&self) -> Vec<ringtrace_tracefile::Pause> {
        match self.0 {}
    }

    pub fn pauses(&self) -> std::io::Result<Vec<ringtrace_tracefile::Pause>> {
        match self.0 {}
    }

    pub fn read(
        &mut self,
        _filter: &RowFilter,
        _done: &std::sync::atomic::AtomicU64,
        _visit: &mut dyn FnMut(DatasetRow),
    ) -> std::io::Result<Dropped> {
        match self.0 {}
    }
}

/// Deletes the unfinished files of this process, because it is ending.
#[cfg(not(feature = "parquet"))]
pub fn remove_unfinished() {}
