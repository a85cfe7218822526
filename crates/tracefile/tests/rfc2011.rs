//! Details that the 2011 proposal does not define: sizes, ends of strings, and counts of arguments.

#![allow(clippy::unwrap_used, reason = "allowed in tests, but clippy also checks their helpers")]

use std::io::Cursor;

use ringtrace_events::SourceFile;
use ringtrace_tracefile::text::{JsonText, Render, SimpletraceText, TextBuffer};
use ringtrace_tracefile::{Entry, Era, Flow, Input, Options, Reader, Times};
use ringtrace_wire::ByteOrder;

const DECLARATIONS: &str = "\
none(void) \"\"
ints(int a, uint64_t b, uint8_t c, int16_t d) \"\"
text(const char *s) \"\"
";

fn words(order: ByteOrder, words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| order.put_u64(*word)).collect()
}

fn header(order: ByteOrder, version: u64) -> Vec<u8> {
    words(order, &[0xaa00_11ff, 4242, version, 0])
}

/// Encodes a record. An argument consists of its bytes, in the file's byte order.
fn record(order: ByteOrder, id: u64, arguments: &[&[u8]]) -> Vec<u8> {
    let mut bytes = words(order, &[0xa1b2_c3d4, id, 1000, arguments.len() as u64]);
    for argument in arguments {
        bytes.extend(words(order, &[argument.len() as u64]));
        bytes.extend_from_slice(argument);
    }
    bytes
}

/// Returns the text of `bytes`, followed by the anomalies and the error, one per line.
fn read(bytes: &[u8], text: &mut dyn Render, strict: bool) -> String {
    let options =
        Options { sources: vec![SourceFile::new("events", DECLARATIONS)], strict, ..Options::default() };
    let input = Input::from_reader(Box::new(Cursor::new(bytes.to_vec())));
    let mut out = TextBuffer::with_capacity(0);
    let mut reader = match Reader::new("trace", input, &options) {
        Ok(reader) => reader,
        Err(error) => return format!("error: {error}\n"),
    };
    let failed = reader.for_each(|entry: &Entry<'_>| {
        text.render(entry, &mut out);
        Flow::Continue
    });
    let mut output = String::from_utf8(out.as_bytes().to_vec()).unwrap();
    for error in reader.anomalies().iter().flat_map(|(_, _, kept)| kept) {
        output += &format!("warning: {error}\n");
    }
    if let Err(error) = failed {
        output += &format!("error: {error}\n");
    }
    output
}

fn print(bytes: &[u8]) -> String {
    read(bytes, &mut SimpletraceText::new(Era::Y2016), false)
}

#[test]
fn integers_have_the_recorded_size() {
    let order = ByteOrder::Big;
    let natural = record(order, 1, &[&[0xff; 4], &[0xff; 8], &[0xff], &[0x80, 0]]);
    let wide = record(order, 1, &[&[0xff; 8], &[0xff; 8], &words(order, &[0xff]), &words(order, &[1 << 15])]);
    assert_eq!(
        print(&[header(order, 2), natural, wide].concat()),
        "ints 0.000 pid=4242 a=0xffffffffffffffff b=0xffffffffffffffff c=0xff d=0xffffffffffff8000\n\
         ints 0.000 pid=4242 a=0xffffffffffffffff b=0xffffffffffffffff c=0xff d=0x8000\n"
    );
}

#[test]
fn strings_may_end_in_a_nul() {
    let order = ByteOrder::Little;
    let texts = [&b"abc"[..], b"abc\0", b"", b"\0", b"\0\0"].map(|text| record(order, 2, &[text]));
    assert_eq!(
        print(&[header(order, 2), texts.concat()].concat()),
        "text 0.000 pid=4242 s=abc\n".repeat(2)
            + &"text 0.000 pid=4242 s=\n".repeat(2)
            + "text 0.000 pid=4242 s=\0\n"
    );
}

#[test]
fn more_or_fewer_arguments_than_declared() {
    let order = ByteOrder::Little;
    let records = [
        record(order, 1, &[&[7; 4]]),
        record(order, 1, &[]),
        record(order, 0, &[&[1; 2], b"abc"]),
        record(order, 2, &[b"s", b"t"]),
    ];
    let file = [header(order, 2), records.concat()].concat();
    assert_eq!(
        print(&file),
        "ints 0.000 pid=4242 a=0x7070707\n\
         ints 0.000 pid=4242\n\
         none 0.000 pid=4242 arg1=0x101 arg2=abc\n\
         text 0.000 pid=4242 s=s arg2=0x74\n\
         warning: trace: record 1 at offset 0x20: `ints` has only 1 of its 4 declared arguments\n\
         warning: trace: record 2 at offset 0x4c: `ints` has only 0 of its 4 declared arguments\n\
         warning: trace: record 3 at offset 0x6c: `none` has 2 more arguments than declared\n\
         warning: trace: record 4 at offset 0xa1: `text` has 1 more argument than declared\n"
    );
    let json = read(&file, &mut JsonText::new(Times::default()), false);
    assert!(json.contains("\"args\":{\"arg1\":257,\"arg2\":\"abc\"}}"), "{json}");
    let strict = read(&file, &mut SimpletraceText::new(Era::Y2016), true);
    assert_eq!(
        strict,
        "error: trace: record 1 at offset 0x20: `ints` has only 1 of its 4 declared arguments\n"
    );
}

#[test]
fn a_truncated_record_is_an_error() {
    let order = ByteOrder::Little;
    let whole = [header(order, 2), record(order, 0, &[]), record(order, 1, &[&[7; 4], &[8; 8]])].concat();
    // The file is also complete if it ends with the first record.
    for end in 65..whole.len() {
        let output = print(&whole[..end]);
        let last = output.lines().last().unwrap();
        assert!(output.starts_with("none 0.000 pid=4242\n"), "{end}: {output}");
        assert!(last.starts_with("error: trace: record 2 at offset 0x40: "), "{end}: {output}");
    }
}

#[test]
fn unexpected_versions() {
    let order = ByteOrder::Big;
    let file = |version| [header(order, version), record(order, 0, &[])].concat();
    let line = "none 0.000 pid=4242\n";
    assert_eq!(print(&file(2)), line);
    for version in [0, 1] {
        let warning = format!(
            "warning: trace: offset 0x10: the version field is {version}; the proposal of 2011 suggests 2\n"
        );
        assert_eq!(print(&file(version)), line.to_owned() + &warning);
    }
    assert_eq!(
        print(&file(7)),
        "error: trace: offset 0x10: unknown simpletrace version 7; expected 2 (big-endian)\n"
    );
}
