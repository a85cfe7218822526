//! Summaries of traces, held against what a reader gives.

use ringtrace_tracefile::summary::Summary;
use ringtrace_tracefile::{Complaint, Reader};

use crate::told::Told;

/// What is in a summary adds up, and is the same however the trace comes. A trace that could be read to its end has as
/// many records as were read.
pub(crate) fn check_summaries(
    file: Result<Reader, Complaint>,
    pipe: Result<Reader, Complaint>,
    check: bool,
    keeps_going: bool,
    told: &Told,
) {
    let (Ok(mut file), Ok(mut pipe)) = (file, pipe) else { return };
    let summary = file.summarize(check);
    check_sums(&summary, file.file_bytes().unwrap_or(0));
    let piped = pipe.summarize(check);
    assert_eq!(format!("{summary:?}"), format!("{piped:?}"), "in pieces");
    // What is damage and what is a record, the two may see in different ways.
    if told.failed.is_none() && !keeps_going {
        assert_eq!(summary.records, told.entries.len() as u64);
        assert_eq!(summary.failed, None);
    }
}

fn check_sums(summary: &Summary, file_bytes: u64) {
    let events: u64 = summary.events.iter().map(|event| event.count.records).sum();
    assert_eq!(events + summary.dropped.records + summary.other_ids.records, summary.records);
    let bytes: u64 = summary.events.iter().map(|event| event.count.bytes).sum();
    assert!(bytes + summary.dropped.bytes + summary.mappings.bytes <= file_bytes);
    assert!(summary.read_bytes <= file_bytes);
    if !summary.is_damaged() {
        assert_eq!(summary.read_bytes, file_bytes);
    }
    if let Some(span) = summary.span {
        assert!(span.smallest_ns <= span.largest_ns);
    }
    assert!(summary.backwards.after_dropped <= summary.backwards.records);
    assert_eq!(summary.backwards.first.is_some(), summary.backwards.records > 0);
}
