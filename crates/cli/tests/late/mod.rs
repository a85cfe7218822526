//! Traces that declare events after their first event, like programs that use `tracing`.

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::metadata::{FIRST_ID, Metadata};

/// What a trace says about an event, and its records.
#[derive(Clone, Copy)]
enum Step {
    Declare(&'static str),
    Map(u64, &'static str),
    Record(u64, Value<'static>),
}

/// Creates the traces, with their names.
pub fn traces() -> [(&'static str, Vec<u8>); 4] {
    use Step::{Declare, Map, Record};
    const ONE: Value<'static> = Value::Integer(1);
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let trace = |steps: &[Step]| {
        let mut out = Vec::new();
        encoder.header(0, 0, &mut out);
        for (step, number) in [Declare("")].iter().chain(steps).zip(0..) {
            match *step {
                Declare(text) => {
                    let metadata = match text {
                        "" => Metadata::Version(1),
                        text => Metadata::Declaration(format!("{text} \"\"")),
                    };
                    encoder.mapping(FIRST_ID, metadata.to_name().as_bytes(), &mut out);
                }
                Map(id, name) => encoder.mapping(id, name.as_bytes(), &mut out),
                Record(id, value) => {
                    encoder.record(id, number * 1_000_000, 7, &[value], &mut out).unwrap();
                }
            }
        }
        out
    };
    let [begin, end] = ["query__begin(uint64_t span)", "query__end(uint64_t span)"];
    let [begin, end] = [[Declare(begin), Map(2, "query__begin")], [Declare(end), Map(3, "query__end")]];
    let started = [Declare("started(uint64_t span)"), Map(1, "started"), Record(1, ONE)];
    let join = |parts: [&[Step]; 4]| trace(&parts.concat());
    let records = [Record(2, ONE), Record(3, ONE)];
    let late = join([&started, &begin, &end, &records]);
    let begin_first = join([&begin, &records[..1], &end, &records]);
    let end_first = join([&end, &records[1..], &[], &[]]);
    // The arguments are unknown at first, and the second record lacks bytes of them.
    let unknown =
        [Map(1, "a"), Record(1, ONE), Declare("a(uint64_t x)"), Record(1, Value::Str(b"")), Record(1, ONE)];
    [
        ("late.bin", late),
        ("begin-first.bin", begin_first),
        ("end-first.bin", end_first),
        ("unknown.bin", trace(&unknown)),
    ]
}
