//! Traces of any bytes, written as a trace of any version, and read again.
//!
//! An input is three characters (the version and order to write, and whether plainly; how records without a header are
//! laid out; options of reading), declarations up to a byte 0, then the trace.

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
    about: "what is written is read without a complaint, and as the same where nothing was said to be lost",
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
    // Lines that are no declarations are refused where ids go by position.
    let Ok(writer) = TraceWriter::new(target.clone()) else { return };
    let (meant, writer, file) = write(&mut reader, writer);
    check_quick(trace, &options, target.clone(), &file);
    check_read_back(&file, &writer, &meant, &target, &options);
}

fn open(trace: &[u8], options: &Options) -> Result<Reader, TraceError> {
    Reader::new("fuzz", Input::from_reader(Box::new(Cursor::new(trace.to_vec()))), options)
}

/// What an entry says, whatever the version.
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

/// Writes what `reader` has; tells what that was.
fn write(reader: &mut Reader, mut writer: TraceWriter) -> (Vec<EntryContent>, TraceWriter, Vec<u8>) {
    let (mut meant, mut file) = (Vec::new(), Vec::new());
    let _ = reader.for_each(|entry: &Entry<'_>| {
        meant.push(EntryContent::new(entry));
        writer.write(entry, &mut file);
        Flow::Continue
    });
    writer.finish(reader.metadata(), &mut file);
    (meant, writer, file)
}

/// The fast lane writes the same.
fn check_quick(trace: &[u8], options: &Options, target: Written, file: &[u8]) {
    struct Quick(TraceWriter, Vec<u8>);
    impl Visitor for Quick {
        fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
            records.skip_while(|record, schema_index| self.0.write_fast(record, schema_index, &mut self.1));
            Flow::Continue
        }
        fn entry(&mut self, entry: &Entry<'_>) -> Flow {
            self.0.write(entry, &mut self.1);
            Flow::Continue
        }
    }
    let mut reader = open(trace, options).expect("it could be opened before");
    let mut quick = Quick(TraceWriter::new(target).expect("it was made before"), Vec::new());
    let _ = reader.for_each_mut(&mut quick);
    quick.0.finish(reader.metadata(), &mut quick.1);
    assert_eq!(quick.1.escape_ascii().to_string(), file.escape_ascii().to_string());
}

fn check_read_back(
    file: &[u8],
    writer: &TraceWriter,
    meant: &[EntryContent],
    target: &Written,
    options: &Options,
) {
    let losses = writer.losses();
    let described = target.version == Version::V4 && !target.plain;
    // Declarations are needed but for a trace that has them.
    for with_declarations in [true, false] {
        if !with_declarations && !described {
            continue;
        }
        let sources = if with_declarations { options.sources.clone() } else { Vec::new() };
        let again = Options { sources, ..Options::default() };
        let mut reader = open(file, &again).expect("it was written by us");
        let mut said = Vec::new();
        let result = reader.for_each(|entry: &Entry<'_>| {
            said.push(EntryContent::new(entry));
            Flow::Continue
        });
        assert_eq!(result, Ok(Flow::Continue));
        for (oddity, _, kept) in reader.anomalies().iter() {
            assert_eq!(oddity, Anomaly::Declarations, "{kept:?}");
        }
        let lost = losses.count(Loss::Events) + losses.count(Loss::Arguments);
        assert_eq!(said.len() as u64 + lost, meant.len() as u64);
        if losses.is_empty() {
            let has_pid = target.version.info().has_pid;
            for (said, meant) in said.iter().zip(meant) {
                let pid = if has_pid { meant.pid } else { 0 };
                let tid = if described { meant.tid } else { None };
                assert_eq!(
                    (&said.name, said.timestamp_ns, said.pid, said.tid),
                    (&meant.name, meant.timestamp_ns, pid, tid)
                );
                assert_eq!(said.values, meant.values);
            }
        }
    }
}
