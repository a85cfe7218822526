//! Checks that exporters receive ordinary records on the fast path, even between records with span
//! events.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::io::{self, Cursor};
use std::sync::{Arc, Mutex};

use proptest::collection::vec;
use proptest::prelude::*;
use ringtrace_events::SourceFile;
use ringtrace_export::{Exporter, TraceEnd, run};
use ringtrace_tracefile::pair::{SpanEvent, SpanTracker, Track, parse};
use ringtrace_tracefile::{Entry, Input, Needs, Options, OrdinaryRecords, Reader, Traces};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};

const DECLARATIONS: &str = "plain(int x) \"\"\nopened(int x) \"\"\nclosed(int x) \"\"\n";

/// The times of all records, and how many records arrived on each path. Each call of the fast path
/// accepts only some records.
#[derive(Default)]
struct Exported {
    times_ns: Vec<u64>,
    bare: usize,
    entries_without_span_events: usize,
    span_events: usize,
    takes: usize,
}

struct ExportVisitor(Arc<Mutex<Exported>>);

impl Exporter for ExportVisitor {
    fn event(&mut self, entry: &Entry<'_>, span_events: &[SpanEvent<'_>], _: &[Track]) -> io::Result<()> {
        let mut exported = self.0.lock().unwrap();
        exported.times_ns.push(entry.timestamp_ns);
        exported.span_events += span_events.len();
        exported.entries_without_span_events += usize::from(span_events.is_empty());
        Ok(())
    }

    fn dropped(&mut self, _: &Entry<'_>) -> io::Result<()> {
        Ok(())
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> io::Result<()> {
        let mut exported = self.0.lock().unwrap();
        let most = exported.bare + exported.takes;
        records.skip_while(|record, _| {
            if exported.bare == most {
                return false;
            }
            exported.bare += 1;
            exported.times_ns.push(record.timestamp_ns);
            true
        });
        Ok(())
    }

    fn finish(self: Box<Self>, _: &TraceEnd<'_>) -> io::Result<()> {
        Ok(())
    }
}

proptest! {
    #[test]
    fn every_record_is_exported_once_and_in_order(
        events in vec(prop_oneof![6 => Just(0_u64), 1 => Just(1_u64), 1 => Just(2_u64)], 0..1500),
        takes in prop_oneof![0_usize..3, Just(usize::MAX / 2)],
    ) {
        let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
        let mut trace = Vec::new();
        encoder.header(0, 0, &mut trace);
        for (id, name) in [(0, "plain"), (1, "opened"), (2, "closed")] {
            encoder.mapping(id, name.as_bytes(), &mut trace);
        }
        for (time_ns, &id) in (0..).zip(&events) {
            encoder.record(id, time_ns, 1, &[Value::Integer(time_ns % 3)], &mut trace).unwrap();
        }
        let options = Options { sources: vec![SourceFile::new("events", DECLARATIONS)], ..Options::default() };
        let input = Input::from_reader(Box::new(Cursor::new(trace)));
        let reader = Reader::new("made", input, &options).unwrap();
        let text = "pair use\n  begin opened x\n  end closed x\n";
        let mut tracker = SpanTracker::new(parse(&SourceFile::new("made", text)).0);
        tracker.bind(&[reader.schemas()]).unwrap();
        let exported = Arc::new(Mutex::new(Exported { takes, ..Exported::default() }));
        let mut traces = Traces::new(vec![reader], Needs::default()).unwrap();
        let ended = run(&mut traces, &mut tracker, Box::new(ExportVisitor(Arc::clone(&exported))), 1);
        prop_assert!(ended.unwrap().read_errors.is_empty());

        let exported = exported.lock().unwrap();
        prop_assert_eq!(&exported.times_ns, &(0..events.len() as u64).collect::<Vec<_>>());
        let of = |id| events.iter().filter(|&&event| event == id).count();
        prop_assert!(exported.span_events >= of(1));
        if takes > 3 {
            // The first record did not take the fast path, because its schema was not known yet.
            prop_assert_eq!(exported.bare, of(0).saturating_sub(1));
        }
    }
}
