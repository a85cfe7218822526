//! Bare records are given to exporters wherever they mean nothing, also beside others that do.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests may; clippy knows only functions marked as tests"
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

/// Remembers the times of all records, and how it came to them. Of bare ones it takes a few, then wants one as an entry.
#[derive(Default)]
struct Exported {
    times_ns: Vec<u64>,
    bare: usize,
    entries_without_meaning: usize,
    meanings: usize,
    takes: usize,
}

struct ExportVisitor(Arc<Mutex<Exported>>);

impl Exporter for ExportVisitor {
    fn event(&mut self, entry: &Entry<'_>, meanings: &[SpanEvent<'_>], _: &[Track]) -> io::Result<()> {
        let mut told = self.0.lock().unwrap();
        told.times_ns.push(entry.timestamp_ns);
        told.meanings += meanings.len();
        told.entries_without_meaning += usize::from(meanings.is_empty());
        Ok(())
    }

    fn dropped(&mut self, _: &Entry<'_>) -> io::Result<()> {
        Ok(())
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> io::Result<()> {
        let mut told = self.0.lock().unwrap();
        let most = told.bare + told.takes;
        records.skip_while(|record, _| {
            if told.bare == most {
                return false;
            }
            told.bare += 1;
            told.times_ns.push(record.timestamp_ns);
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
    fn every_record_is_told_once_and_in_order(
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
        let mut meanings = SpanTracker::new(parse(&SourceFile::new("made", text)).0);
        meanings.bind(&[reader.schemas()]).unwrap();
        let told = Arc::new(Mutex::new(Exported { takes, ..Exported::default() }));
        let mut traces = Traces::new(vec![reader], Needs::default()).unwrap();
        let ended = run(&mut traces, &mut meanings, Box::new(ExportVisitor(Arc::clone(&told))));
        prop_assert!(ended.unwrap().read_errors.is_empty());

        let told = told.lock().unwrap();
        prop_assert_eq!(&told.times_ns, &(0..events.len() as u64).collect::<Vec<_>>());
        let of = |id| events.iter().filter(|&&event| event == id).count();
        prop_assert!(told.meanings >= of(1));
        if takes > 3 {
            // Nothing was known of the first one.
            prop_assert_eq!(told.bare, of(0).saturating_sub(1));
        }
    }
}
