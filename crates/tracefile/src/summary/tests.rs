use std::io;

use proptest::prelude::*;
use ringtrace_events::SourceFile;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::{DROPPED_ID, VERSIONS, Version};

use super::*;
use crate::error::Anomaly;
use crate::input::Input;
use crate::metadata::{self, Cause, Metadata};
use crate::read::{Options, Reader};

const V4: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };

const DECLARATIONS: &str = "\
open(const char *path, int mode) \"\"
close(void *file) \"\"
";

struct Made {
    encoder: Encoder,
    bytes: Vec<u8>,
}

impl Made {
    fn new(encoder: Encoder) -> Made {
        let mut bytes = Vec::new();
        encoder.header(77, 5, &mut bytes);
        Made { encoder, bytes }
    }

    fn v4() -> Made {
        Made::new(V4).map(0, "open").map(1, "close")
    }

    fn map(mut self, id: u64, name: &str) -> Made {
        self.encoder.mapping(id, name.as_bytes(), &mut self.bytes);
        self
    }

    fn metadata(self, index: u64, metadata: &Metadata) -> Made {
        self.map(metadata::FIRST_ID + index, &metadata.to_name())
    }

    fn close(self, timestamp_ns: u64) -> Made {
        self.record(1, timestamp_ns, 7)
    }

    fn record(mut self, id: u64, timestamp_ns: u64, pid: u32) -> Made {
        self.encoder.record(id, timestamp_ns, pid, &[Value::Integer(0xf00)], &mut self.bytes).unwrap();
        self
    }

    fn dropped(mut self, count: u64, timestamp_ns: u64) -> Made {
        self.encoder.dropped(count, timestamp_ns, 7, &mut self.bytes);
        self
    }

    fn open(&self, declarations: &str) -> Reader {
        let sources =
            if declarations.is_empty() { Vec::new() } else { vec![SourceFile::new("d", declarations)] };
        self.open_with(&Options { sources, ..Options::default() })
    }

    fn open_with(&self, options: &Options) -> Reader {
        let input = Input::from_reader(Box::new(io::Cursor::new(self.bytes.clone())));
        Reader::new("t", input, options).unwrap()
    }

    fn summary(&self) -> Summary {
        self.open("").summarize(false)
    }
}

fn events(summary: &Summary) -> Vec<(String, u64)> {
    let name = |event: &EventCount| match &event.name {
        EventName::Name(name) => name.to_string(),
        EventName::Id(id) => format!("#{id}"),
    };
    summary.events.iter().map(|event| (name(event), event.count.records)).collect()
}

/// Returns the anomalies as `record@offset kind`, and the error that ended the walk.
fn damage(summary: &Summary) -> Vec<String> {
    let place = |error: &Error| format!("{}@{}", error.record.unwrap(), error.offset.unwrap());
    let mut damage = Vec::new();
    for (anomaly, count, kept) in summary.anomalies.iter() {
        damage.extend(kept.iter().map(|error| format!("{} {}", place(error), anomaly.name())));
        assert!(count >= kept.len() as u64);
    }
    damage.extend(summary.failed.iter().map(|failed| format!("{} {}", place(failed), failed.message)));
    damage
}

#[test]
fn records_of_every_version_are_counted_without_declarations() {
    for info in VERSIONS {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let made = Made::new(Encoder { version: info.version, order });
            let made = made.map(1, "close").map(2, "never");
            let made = made.record(1, 100, 7).record(1, 300, 7).record(1, 200, 8).dropped(9, 400);
            let summary = made.summary();
            let name = format!("{} {order}", info.name);
            assert_eq!(damage(&summary), [""; 0], "{name}");
            assert_eq!(summary.records, 4, "{name}");
            assert_eq!(summary.read_bytes, made.bytes.len() as u64, "{name}");
            assert_eq!(summary.span, Some(Span { smallest_ns: 100, largest_ns: 400 }), "{name}");
            assert_eq!((summary.backwards.records, summary.backwards.largest_ns), (1, 100), "{name}");
            assert_eq!(summary.backwards.first.map(|place| place.record), Some(3), "{name}");
            assert_eq!((summary.dropped.records, summary.dropped.events), (1, 9), "{name}");
            let pids: Vec<(u32, u64)> =
                summary.processes.iter().map(|process| (process.pid, process.records)).collect();
            let (pids_expected, events_expected) = match info.version {
                Version::V0 | Version::V2 => (vec![], vec![("#1", 3)]),
                Version::Rfc2011 => (vec![(77, 4)], vec![("#1", 3)]),
                Version::V3 => (vec![(7, 3), (8, 1)], vec![("#1", 3)]),
                Version::V4 => (vec![(7, 3), (8, 1)], vec![("close", 3), ("never", 0)]),
            };
            assert_eq!(pids, pids_expected, "{name}");
            let events_expected: Vec<(String, u64)> =
                events_expected.into_iter().map(|(name, records)| (name.to_owned(), records)).collect();
            assert_eq!(events(&summary), events_expected, "{name}");
        }
    }
}

#[test]
fn records_belong_to_the_name_that_their_id_had_before() {
    let made = Made::v4().close(1).close(2).map(1, "shut").close(3).map(1, "close").close(4);
    let expected = [("close", 3), ("shut", 1), ("open", 0)].map(|(name, count)| (name.to_owned(), count));
    assert_eq!(events(&made.summary()), expected);
}

#[test]
fn threads_are_counted_separately_and_their_events_together() {
    let version = Metadata::Version(1);
    let thread = Metadata::Thread(12, "vcpu 0".to_owned());
    let made = Made::new(V4).metadata(0, &version).metadata(1, &thread);
    let made = made.map(11 << 32 | 1, "close").map(12 << 32 | 1, "close");
    let made = (0..5).fold(made, |made, n| made.record((11 + n % 2) << 32 | 1, n, 7));
    let summary = made.summary();
    assert_eq!(events(&summary), [("close".to_owned(), 5)]);
    let expected = [(11, None, 3), (12, Some("vcpu 0"), 2)].map(|(tid, name, records)| Thread {
        tid,
        name: name.map(str::to_owned),
        records,
        lost: Causes::default(),
        total: None,
    });
    assert_eq!(summary.threads, expected);
}

/// Creates a recording of two threads, one of which lost events, with `totals` at its end.
fn recording(totals: &[Total]) -> Made {
    let (version, policy) =
        (Metadata::Version(1), Metadata::Other(metadata::POLICY.to_owned(), b"discard".to_vec()));
    let made = Made::new(V4).metadata(0, &version).metadata(1, &policy);
    let made = made.map(11 << 32 | 1, "close").record(11 << 32 | 1, 1, 7);
    let made = made.map(12 << 32 | 1, "close").record(12 << 32 | 1, 2, 7);
    let lost = |cause, count| Metadata::Lost(Lost { tid: 12, cause, count });
    let made = made.metadata(2, &lost(Cause::Overwritten, 5)).dropped(5, 3);
    let made = made.metadata(3, &lost(Cause::Refused, 1)).dropped(1, 3).dropped(9, 4);
    (4..).zip(totals).fold(made, |made, (index, total)| made.metadata(index, &Metadata::Total(*total)))
}

const TOTALS: [Total; 2] = [
    Total { tid: 11, issued: 1, recorded: 1, dropped: 0, overwritten: 0, refused: 0 },
    Total { tid: 12, issued: 7, recorded: 1, dropped: 0, overwritten: 5, refused: 1 },
];

#[test]
fn losses_of_a_thread_are_counted_by_cause() {
    let summary = recording(&TOTALS).summary();
    assert_eq!(damage(&summary), [""; 0]);
    let reported: Vec<(u32, u64, Causes)> =
        summary.threads.iter().map(|thread| (thread.tid, thread.records, thread.lost)).collect();
    let lost = Causes { dropped: 0, overwritten: 5, refused: 1 };
    assert_eq!(reported, [(11, 1, Causes::default()), (12, 1, lost)]);
    // The last dropped record has no metadata before it, so its thread is unknown.
    assert_eq!(summary.dropped.causes, Causes { dropped: 9, ..lost });
    let kept: Vec<Option<u32>> =
        summary.dropped.kept.iter().map(|one| one.lost.map(|lost| lost.tid)).collect();
    assert_eq!(kept, [Some(12), Some(12), None]);
    assert_eq!(summary.ended, Some(true));
}

#[test]
fn totals_after_the_last_record_mean_that_the_program_ended_the_trace() {
    assert_eq!(recording(&[]).summary().ended, Some(false));
    assert_eq!(recording(&TOTALS[..1]).summary().ended, Some(false), "one of two threads");
    let resumed = recording(&TOTALS).record(11 << 32 | 1, 9, 7);
    assert_eq!(resumed.summary().ended, Some(false));
    // When tracing is switched on again and ends again, totals are added up.
    let again = Total { tid: 11, issued: 1, recorded: 1, dropped: 0, overwritten: 0, refused: 0 };
    let ended = resumed.metadata(9, &Metadata::Total(again)).summary();
    assert_eq!((ended.ended, ended.is_damaged()), (Some(true), false));
    assert_eq!(ended.threads[0].total.map(|total| total.recorded), Some(2));
    // A trace without records has no totals.
    let empty = |pieces: &[Metadata]| {
        let policy = Metadata::Other(metadata::POLICY.to_owned(), b"discard".to_vec());
        let made = Made::v4().metadata(1, &Metadata::Version(1)).metadata(2, &policy);
        (3..).zip(pieces).fold(made, |made, (index, piece)| made.metadata(index, piece)).summary().ended
    };
    assert_eq!(empty(&[]), Some(false));
    assert_eq!(empty(&[Metadata::Other(metadata::ENDED.to_owned(), Vec::new())]), Some(true));
    // Other traces have no totals.
    assert_eq!(Made::v4().close(1).summary().ended, None);
}

#[test]
fn totals_that_contradict_the_trace_are_reported() {
    for total in [
        Total { recorded: 2, issued: 8, ..TOTALS[1] },
        Total { issued: 8, ..TOTALS[1] },
        Total { overwritten: 0, issued: 2, ..TOTALS[1] },
    ] {
        let summary = recording(&[TOTALS[0], total]).summary();
        let reported: Vec<(Anomaly, u64)> =
            summary.anomalies.iter().map(|(anomaly, count, _)| (anomaly, count)).collect();
        assert_eq!(reported, [(Anomaly::Total, 1)], "{total:?}");
        assert!(summary.is_damaged());
    }
    // A trace that contains selected records still has the totals of the whole trace.
    let part = Metadata::Other(metadata::SELECTED.to_owned(), b"by a test".to_vec());
    let total = Total { recorded: 2, issued: 8, ..TOTALS[1] };
    assert!(!recording(&[TOTALS[0], total]).metadata(9, &part).summary().is_damaged());
}

#[test]
fn events_are_counted_by_thread_and_by_name() {
    let mut made = Made::new(V4).metadata(0, &Metadata::Version(1)).map(1, "open");
    for number in 0..5000 {
        let tid = 7 + number % 1500;
        let id = tid << 32 | (1 + number % 2);
        if number < 3000 {
            made = made.map(id, if number % 2 == 0 { "open" } else { "close" });
        }
        made = made.record(id, number, 7);
    }
    // A record without a thread.
    let summary = made.record(1, 6000, 7).summary();
    assert_eq!(events(&summary), [("open".to_owned(), 2501), ("close".to_owned(), 2500)]);
    assert_eq!(summary.threads.len(), 1500);
    assert_eq!(summary.threads.iter().map(|thread| thread.records).sum::<u64>(), 5000);
    assert_eq!(summary.threads[0].records, 4);
    assert!(!summary.is_damaged(), "{:?}", summary.anomalies);
}

#[test]
fn a_dropped_record_has_its_time_and_place() {
    let made = Made::v4().dropped(3, 500).close(100).close(600).dropped(4, 700);
    let dropped = made.summary().dropped;
    let reported: Vec<(u64, Option<u64>, u64)> =
        dropped.kept.iter().map(|one| (one.place.record, one.timestamp_ns, one.events)).collect();
    assert_eq!(reported, [(1, Some(500), 3), (4, Some(700), 4)]);
    let backwards = made.summary().backwards;
    assert_eq!((backwards.records, backwards.after_dropped, backwards.largest_ns), (1, 1, 400));
}

#[test]
fn a_dropped_record_of_v0_has_no_time() {
    let v0 = Encoder { version: Version::V0, order: ByteOrder::Little };
    let summary = Made::new(v0).close(1000).dropped(3, 0).close(2000).dropped(0xffff_fecd, 0).summary();
    assert_eq!(summary.span.map(|span| span.duration_ns()), Some(1000));
    assert_eq!((summary.backwards.records, summary.dropped.events), (0, 3));
    assert_eq!(summary.dropped.kept[0].timestamp_ns, None);
    // A counter that wraps below zero is an error of the writer, not damage.
    assert_eq!(damage(&summary), ["4@256 impossible-dropped-count"]);
    assert!(!summary.is_damaged());
}

#[test]
fn the_walk_continues_after_an_id_without_a_name() {
    let made = Made::v4().close(1).record(733, 2, 7).close(3).record(733, 4, 7);
    let summary = made.summary();
    let expected = [("close", 2), ("#733", 2), ("open", 0)].map(|(name, count)| (name.to_owned(), count));
    assert_eq!(events(&summary), expected);
    assert_eq!(damage(&summary), ["2@113 unknown-id"]);
    assert!(summary.is_damaged());
}

#[test]
fn the_readable_part_of_a_truncated_file_is_summarized() {
    let whole = Made::v4().close(1).bytes.len();
    let made = Made::v4().close(1).close(2);
    for (cut, records, reported) in [
        (1, 2, "2@113 cut-record"),
        (8, 2, "2@113 cut-record"),
        (9, 1, "2@113 the file is truncated: a record header needs 24 bytes, but only 23 remain"),
        (36, 1, "2@113 the file is truncated: a record type needs 8 bytes, but only 4 remain"),
        (40, 1, ""),
    ] {
        let bytes = made.bytes[..made.bytes.len() - cut].to_vec();
        let summary = Made { bytes, ..Made::new(V4) }.summary();
        let damage = damage(&summary).join("");
        assert_eq!((summary.records, damage.as_str(), summary.read_bytes), (records, reported, whole as u64));
    }
}

#[test]
fn an_impossible_length_ends_the_walk() {
    let mut made = Made::v4().close(1).close(2).close(3);
    let at = Made::v4().close(1).bytes.len() + 24;
    made.bytes[at] = 7;
    let summary = made.summary();
    assert_eq!(summary.records, 1);
    assert_eq!(damage(&summary), ["2@137 record length 7 (0x7) is less than the record header (24 bytes)"]);
    assert_eq!(summary.read_bytes, at as u64 - 24);
}

#[test]
fn with_keep_going_the_walk_continues_after_damage() {
    let mut made = (0..40).fold(Made::v4(), Made::close);
    let at = Made::v4().close(0).bytes.len();
    made.bytes[at + 24] = 7;
    let second = at + 40 * 10;
    made.bytes[second + 8] = 99;
    let options = Options { keep_going: true, ..Options::default() };
    let summary = made.open_with(&options).summarize(false);
    assert_eq!(summary.records, 38);
    assert_eq!(damage(&summary), [format!("2@{} damage", at + 24), format!("11@{second} damage")]);
    assert_eq!(summary.read_bytes, made.bytes.len() as u64 - 80);
}

#[test]
fn an_oversized_record_is_skipped() {
    let mut made = Made::v4().close(1).close(2);
    let at = Made::v4().close(1).bytes.len() + 24;
    let length = 3_000_000_u32;
    made.bytes[at..at + 4].copy_from_slice(&length.to_le_bytes());
    made.bytes.resize(at - 16 + length as usize, 0);
    let made = made.close(9);
    let summary = made.summary();
    assert_eq!(damage(&summary), ["2@113 oversized-record"]);
    assert_eq!((summary.records, summary.span.map(|span| span.largest_ns)), (3, Some(9)));
    assert_eq!(summary.read_bytes, made.bytes.len() as u64 - u64::from(length) - 8);
}

#[test]
fn an_invalid_name_is_escaped() {
    let mut made = Made::new(V4);
    made.encoder.mapping(1, b"ab\xff", &mut made.bytes);
    let summary = made.close(1).summary();
    assert_eq!(events(&summary), [("ab\\xff".to_owned(), 1)]);
    assert_eq!(damage(&summary), ["1@24 mapping-name"]);
}

#[test]
fn arguments_are_compared_on_request() {
    let made = Made::v4().close(1).record(0, 2, 7).close(3);
    let mut reader = made.open(DECLARATIONS);
    assert_eq!(damage(&reader.summarize(false)), [""; 0]);
    let summary = made.open(DECLARATIONS).summarize(true);
    assert_eq!((summary.checked, summary.records), (Some(3), 3));
    assert_eq!(damage(&summary), ["2@113 arguments-do-not-fit"]);
    // Without declarations there is nothing to compare.
    assert_eq!(made.open("").summarize(true).checked, Some(0));
}

#[test]
fn declared_arguments_decide_where_records_of_v3_end() {
    let v3 = Encoder { version: Version::V3, order: ByteOrder::Little };
    let mut made = Made::new(v3).record(1, 1, 7).record(1, 2, 7);
    made.bytes[24 + 16] = 200;
    assert_eq!(damage(&made.summary()), ["1@24 cut-record"]);
    let summary = made.open(DECLARATIONS).summarize(false);
    assert_eq!(damage(&summary), ["1@24 wrong-length"]);
    assert_eq!(events(&summary), [("close".to_owned(), 2)]);
}

proptest! {
    #[test]
    fn sums_are_consistent_for_any_bytes(
        records in proptest::collection::vec((0_u64..6, 0_u64..50, 0_u32..3), 0..60),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        version in 0..VERSIONS.len(),
        check: bool,
    ) {
        let encoder = Encoder { version: VERSIONS[version].version, order: ByteOrder::Big };
        let mut made = Made::new(encoder).map(1, "close").map(3 << 32, "open");
        let header_bytes = made.bytes.len();
        for (kind, timestamp_ns, pid) in records {
            made = match kind {
                0 => made.dropped(u64::from(pid), timestamp_ns),
                1 => made.record(3 << 32, timestamp_ns, pid),
                2 => made.map(1, "shut"),
                3 => made.record(DROPPED_ID - 1, timestamp_ns, pid),
                _ => made.record(1, timestamp_ns, pid),
            };
        }
        for (index, byte) in damage {
            if made.bytes.len() > header_bytes {
                let at = header_bytes + index.index(made.bytes.len() - header_bytes);
                made.bytes[at] = byte;
            }
        }
        for declarations in ["", DECLARATIONS] {
            let summary = made.open(declarations).summarize(check);
            let counted: u64 = summary.events.iter().map(|event| event.count.records).sum();
            prop_assert_eq!(counted + summary.dropped.records + summary.other_ids.records, summary.records);
            let bytes: u64 = summary.events.iter().map(|event| event.count.bytes).sum();
            prop_assert!(summary.read_bytes <= made.bytes.len() as u64);
            prop_assert!(bytes <= made.bytes.len() as u64);
            if !summary.is_damaged() {
                prop_assert_eq!(summary.read_bytes, made.bytes.len() as u64);
            }
        }
    }
}

#[test]
fn the_number_of_kept_items_is_limited() {
    let made = (0..MAX_DROPPED_KEPT as u64 + 5).fold(Made::v4(), |made, n| made.dropped(2, n));
    let dropped = made.summary().dropped;
    assert_eq!((dropped.kept.len(), dropped.records), (MAX_DROPPED_KEPT, MAX_DROPPED_KEPT as u64 + 5));
    assert_eq!(dropped.events, 2 * dropped.records);
    let made = (0..MAX_PIDS as u32 + 3).fold(Made::v4(), |made, pid| made.record(1, 1, pid));
    let summary = made.summary();
    assert_eq!((summary.processes.len(), summary.other_processes), (MAX_PIDS, 3));
}
