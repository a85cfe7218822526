//! Converts a trace to any version, and reads the result.
//!
//! An input consists of three characters, declarations up to a zero byte, and the trace. The first
//! character selects the version and byte order to write, and whether the result is
//! self-describing; the second, the layout of records without a header; the third, options for
//! reading.

use std::io::Cursor;

use ringtrace_events::SourceFile;
use ringtrace_events::parse::Dialect;
use ringtrace_tracefile::entry::Value;
use ringtrace_tracefile::error::Anomaly;
use ringtrace_tracefile::write::{Loss, Target as Written, TraceWriter};
use ringtrace_tracefile::{
    Entry, Era, Error as TraceError, Flow, Input, Options, OrdinaryRecords, Reader, Visitor,
};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;

use crate::Target;
use crate::choices::Choices;
use crate::steps::VERSIONS;

pub(crate) const TARGET: Target = Target {
    name: "convert",
    about: "converted traces are valid, and equal the original if no loss was reported",
    max_bytes: 2048,
    run,
};

fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    let (to, layout, shape) = (choices.byte(), choices.byte(), choices.byte());
    let declarations = SourceFile::from_bytes("events", choices.until(0));
    let trace = choices.rest();
    let order_of = |bits: u8| if bits & 16 == 0 { ByteOrder::Little } else { ByteOrder::Big };
    let options = Options {
        sources: vec![declarations],
        no_header: shape & 1 != 0,
        version: VERSIONS.get(usize::from(layout & 7)).copied(),
        order: Some(order_of(layout)),
        keep_going: shape & 2 != 0,
        ..Options::default()
    };
    let Ok(mut reader) = open(trace, &options) else { return };

    let version = VERSIONS[usize::from(to & 7) % VERSIONS.len()];
    let rule = Era::newest(version).string_rule(version);
    let declared = options.declared.get(&options.sources, Dialect::Read, rule);
    let target = Written { version, order: order_of(to), plain: to & 8 != 0, declared, anchor: None };
    // Invalid declarations cause an error in versions whose ids are positions.
    let Ok(writer) = TraceWriter::new(target.clone()) else { return };
    let (expected, writer, file) = write(&mut reader, writer);
    check_fast_path(trace, &options, target.clone(), &file);
    let oddities = reader.anomalies().iter().map(|(oddity, ..)| oddity);
    let uneven: Vec<_> =
        oddities.filter(|oddity| [Anomaly::Surplus, Anomaly::Missing].contains(oddity)).collect();
    check_read_back(&file, &writer, &expected, &target, &options, &uneven);
}

fn open(trace: &[u8], options: &Options) -> Result<Reader, TraceError> {
    Reader::new("fuzz", Input::from_reader(Box::new(Cursor::new(trace.to_vec()))), options)
}

/// The parts of an entry that all versions can represent.
#[derive(Debug, PartialEq)]
struct EntryContent {
    name: String,
    timestamp_ns: u64,
    pid: u32,
    tid: Option<u32>,
    values: Vec<Result<u64, Vec<u8>>>,
}

impl EntryContent {
    fn new(entry: &Entry<'_>) -> EntryContent {
        let values = entry.values().map(|value| match value {
            Value::Integer(bits) => Ok(bits),
            Value::Str(bytes) => Err(bytes.to_vec()),
        });
        EntryContent {
            name: entry.schema.name.to_string(),
            timestamp_ns: entry.timestamp_ns,
            pid: entry.pid,
            tid: entry.tid(),
            values: values.collect(),
        }
    }
}

/// Writes the entries of `reader`, and returns them.
fn write(reader: &mut Reader, mut writer: TraceWriter) -> (Vec<EntryContent>, TraceWriter, Vec<u8>) {
    let (mut expected, mut file) = (Vec::new(), Vec::new());
    let _ = reader.for_each(|entry: &Entry<'_>| {
        expected.push(EntryContent::new(entry));
        writer.write(entry, &mut file);
        Flow::Continue
    });
    writer.finish(reader.metadata(), &mut file);
    (expected, writer, file)
}

/// Checks that the fast path writes the same bytes.
fn check_fast_path(trace: &[u8], options: &Options, target: Written, file: &[u8]) {
    struct FastPath(TraceWriter, Vec<u8>);
    impl Visitor for FastPath {
        fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
            let changes = records.thread_changes();
            records.skip_while(|record, schema_index| {
                self.0.write_fast(record, schema_index, changes, &mut self.1)
            });
            Flow::Continue
        }
        fn entry(&mut self, entry: &Entry<'_>) -> Flow {
            self.0.write(entry, &mut self.1);
            Flow::Continue
        }
    }
    let mut reader = open(trace, options).expect("it was opened before");
    let mut fast = FastPath(TraceWriter::new(target).expect("it was created before"), Vec::new());
    let _ = reader.for_each_mut(&mut fast);
    fast.0.finish(reader.metadata(), &mut fast.1);
    assert_eq!(fast.1.escape_ascii().to_string(), file.escape_ascii().to_string());
}

/// Reads the file and compares its entries with the expected ones. `uneven` are the anomalies of
/// records with more or fewer arguments than declared. In rfc2011 these arguments are unchanged.
fn check_read_back(
    file: &[u8],
    writer: &TraceWriter,
    expected: &[EntryContent],
    target: &Written,
    options: &Options,
    uneven: &[Anomaly],
) {
    let losses = writer.losses();
    let described = target.version == Version::V4 && !target.plain;
    // A self-describing trace needs no declarations.
    for with_declarations in [true, false] {
        if !with_declarations && !described {
            continue;
        }
        let sources = if with_declarations { options.sources.clone() } else { Vec::new() };
        let again = Options { sources, ..Options::default() };
        let mut reader = open(file, &again).expect("it was written by this function");
        let mut found = Vec::new();
        let result = reader.for_each(|entry: &Entry<'_>| {
            found.push(EntryContent::new(entry));
            Flow::Continue
        });
        assert_eq!(result, Ok(Flow::Continue));
        for (oddity, _, kept) in reader.anomalies().iter() {
            let is_kept = target.version == Version::Rfc2011 && uneven.contains(&oddity);
            assert!(is_kept || oddity == Anomaly::Declarations, "{kept:?}");
        }
        let lost = losses.count(Loss::Events) + losses.count(Loss::Arguments);
        assert_eq!(found.len() as u64 + lost, expected.len() as u64);
        if losses.is_empty() {
            let has_pid = target.version.info().has_pid;
            for (found, expected) in found.iter().zip(expected) {
                let pid = if has_pid { expected.pid } else { 0 };
                let tid = if described { expected.tid } else { None };
                assert_eq!(
                    (&found.name, found.timestamp_ns, found.pid, found.tid),
                    (&expected.name, expected.timestamp_ns, pid, tid)
                );
                assert_eq!(found.values, expected.values);
            }
        }
    }
}
