//! Compares summaries of traces with the entries that a reader returns.
//!
//! See `case` for the format of the input.

use ringtrace_tracefile::summary::Summary;

use crate::Target;
use crate::case::Case;
use crate::transcript::Transcript;

pub(crate) const TARGET: Target = Target {
    name: "summary",
    about: "sums are correct; pipes and files give the same summary; the records match those of a reader",
    max_bytes: 2048,
    run,
};

fn run(data: &[u8]) {
    let case = Case::new(data);
    let transcript = Transcript::read(case.whole(), usize::MAX);
    for check in [false, true] {
        let (Ok(mut file), Ok(mut pipe)) = (case.file(), case.pipe()) else { return };
        let summary = file.summarize(check);
        check_sums(&summary, file.file_bytes().unwrap_or(0));
        let piped = pipe.summarize(check);
        assert_eq!(format!("{summary:?}"), format!("{piped:?}"), "in pieces");
        // After damage, the two may continue with different records.
        if transcript.failed.is_none() && !case.keeps_going() {
            assert_eq!(summary.records, transcript.entries.len() as u64);
            assert_eq!(summary.failed, None);
        }
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
