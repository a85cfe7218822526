//! Summaries of traces as Python objects, with the names of `ringtrace info --json`.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use ringtrace_tracefile::metadata::Metadata;
use ringtrace_tracefile::summary::{EventName, Summary};
use ringtrace_tracefile::{Compression, Reader};

use crate::error::Message;

/// A trace that was read, and its summary.
#[derive(Debug)]
pub struct Summarized {
    reader: Reader,
    summary: Summary,
}

/// Reads a trace.
pub fn summarize(mut reader: Reader) -> Summarized {
    let summary = reader.summarize(false);
    Summarized { reader, summary }
}

/// Returns a dict for each trace.
///
/// # Errors
/// Python has no memory.
pub fn to_python<'py>(py: Python<'py>, traces: &[Summarized]) -> PyResult<Bound<'py, PyList>> {
    let dicts: Vec<Bound<'py, PyDict>> =
        traces.iter().map(|trace| trace.to_python(py)).collect::<PyResult<_>>()?;
    PyList::new(py, dicts)
}

impl Summarized {
    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Summarized { reader, summary } = self;
        let dict = PyDict::new(py);
        dict.set_item("file", reader.name())?;
        dict.set_item("version", reader.version().info().name)?;
        dict.set_item("byte_order", reader.order().to_string())?;
        dict.set_item("compression", reader.compression().map(Compression::name))?;
        dict.set_item("is_compact", reader.is_compact())?;
        dict.set_item("file_bytes", reader.compact_bytes().or(reader.file_bytes()))?;
        dict.set_item("records", summary.records)?;
        dict.set_item("smallest_ns", summary.span.map(|span| span.smallest_ns))?;
        dict.set_item("largest_ns", summary.span.map(|span| span.largest_ns))?;
        dict.set_item("duration_ns", summary.span.map(|span| span.duration_ns()))?;
        let zero_ns = reader.anchor().map(|anchor| anchor.realtime_ns(0));
        dict.set_item("zero_wall_ns", zero_ns)?;
        dict.set_item("dropped", summary.dropped.events)?;
        let events = PyDict::new(py);
        for event in summary.occurred() {
            let name = match &event.name {
                EventName::Name(name) => name.to_string(),
                EventName::Id(id) => format!("id {id}"),
            };
            events.set_item(name, event.count.records)?;
        }
        dict.set_item("events", events)?;
        let processes = PyDict::new(py);
        for process in &summary.processes {
            processes.set_item(process.pid, process.records)?;
        }
        dict.set_item("processes", processes)?;
        let threads = PyDict::new(py);
        for thread in &summary.threads {
            let values = PyDict::new(py);
            values.set_item("name", &thread.name)?;
            values.set_item("records", thread.records)?;
            values
                .set_item("dropped", thread.lost.dropped + thread.lost.overwritten + thread.lost.refused)?;
            threads.set_item(thread.tid, values)?;
        }
        dict.set_item("threads", threads)?;
        dict.set_item("metadata", metadata(reader.metadata()))?;
        dict.set_item("ended", summary.ended)?;
        dict.set_item("damaged", summary.is_damaged())?;
        let kept = summary.anomalies.iter().flat_map(|(_, _, kept)| kept);
        let problems: Vec<String> = kept.chain(&summary.failed).map(|error| Message::from(error).0).collect();
        dict.set_item("problems", problems)?;
        Ok(dict)
    }
}

fn metadata(pieces: &[Metadata]) -> BTreeMap<&str, Vec<String>> {
    let mut all: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for piece in pieces {
        if let Metadata::Other(key, value) = piece {
            all.entry(key).or_default().push(String::from_utf8_lossy(value).into_owned());
        }
    }
    all
}
