//! Exporters: they write traces in the formats of other tools.
//!
//! Each [`Format`] has a module here and an item in [`EXPORTERS`]. [`run()`] passes each selected
//! record to an [`Exporter`], with the spans, steps and counters to which it belongs.

#![forbid(unsafe_code)]

mod chrome;
mod csv;
mod ctf;
pub mod dataset;
mod exporter;
mod firefox;
mod jsonl;
#[cfg(feature = "parquet")]
mod parquet;
mod perfetto;
mod pickle;
mod run;
mod shared;
mod speedscope;
mod trace_dat;

#[cfg(not(feature = "parquet"))]
pub use dataset::{Dataset, SelectedRows, remove_unfinished};
pub use exporter::{ExportTarget, Exporter, Format, OutputKind, Process, TraceEnd, TraceInfo};
#[cfg(feature = "parquet")]
pub use parquet::dataset::{Dataset, SelectedRows, remove_unfinished};
pub use run::{Error, Exported, run};
pub use shared::text::{utf8, utf8_without_zeros};
pub use shared::value::{TypedValue, ValueKind, named_values};

/// All formats, in the order of `--help`.
pub const EXPORTERS: &[Format] = &[
    perfetto::FORMAT,
    chrome::FORMAT,
    ctf::FORMAT,
    PARQUET,
    firefox::FORMAT,
    speedscope::FORMAT,
    trace_dat::FORMAT,
    csv::FORMAT,
    jsonl::FORMAT,
    pickle::FORMAT,
];

/// Columns for SQL engines. Without the feature `parquet` the format is listed, but an export
/// fails.
const PARQUET: Format = Format {
    name: "parquet",
    about: "a folder of tables for SQL: DuckDB, ClickHouse, Spark, pandas",
    endings: &[".parquet"],
    output: OutputKind::Folder,
    needs_order: false,
    has_stacks: false,
    encodes_on_thread: true,
    #[cfg(feature = "parquet")]
    start: parquet::start,
    #[cfg(not(feature = "parquet"))]
    start: |_, _| {
        let message =
            "this ringtrace was built without Parquet; build it with `--features parquet`, or use --to csv";
        Err(std::io::Error::new(std::io::ErrorKind::Unsupported, message))
    },
};

/// Perfetto's native format, which the Perfetto web UI opens.
pub const PERFETTO: &Format = &perfetto::FORMAT;

/// Returns the format with this name.
pub fn format(name: &str) -> Option<&'static Format> {
    EXPORTERS.iter().find(|format| format.name == name)
}

/// Returns the format for a file called `name`: the one with the longest matching ending.
pub fn format_by_ending(name: &str) -> Option<&'static Format> {
    let endings =
        EXPORTERS.iter().flat_map(|format| format.endings.iter().map(move |ending| (*ending, format)));
    let fitting = endings.filter(|(ending, _)| name.len() > ending.len() && name.ends_with(ending));
    fitting.max_by_key(|(ending, _)| ending.len()).map(|(_, format)| format)
}
