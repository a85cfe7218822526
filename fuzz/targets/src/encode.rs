//! Writes complete simpletrace files, and reads them.
//!
//! An input is a byte for version and byte order, 16 for the header, then a sequence of items to
//! write.

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::encode::{EncodeError, Encoder, Value};
use ringtrace_wire::simpletrace::header::{Detected, detect};
use ringtrace_wire::simpletrace::{ByLength, DROPPED_ID, Layout, LayoutVisitor, Step, Version, with_layout};

use crate::Target;
use crate::choices::Choices;
use crate::steps::{VERSIONS, panic_with};

pub(crate) const TARGET: Target = Target {
    name: "encode",
    about: "written items can be read; items that a version cannot represent are not written",
    max_bytes: 1024,
    run,
};

/// An item to write.
#[derive(Debug)]
enum Item<'a> {
    Mapping { id: u64, name: &'a [u8] },
    Record { id: u64, timestamp_ns: u64, pid: u32, values: Vec<Value<'a>> },
}

fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    let shape = choices.byte();
    let encoder = Encoder {
        version: VERSIONS[usize::from(shape & 15) % VERSIONS.len()],
        order: if shape & 16 == 0 { ByteOrder::Little } else { ByteOrder::Big },
    };
    let (pid, timestamp_ns) = (choices.u64(), choices.u64());
    let mut file = Vec::new();
    encoder.header(pid, timestamp_ns, &mut file);
    let mut written = Vec::new();
    while !choices.is_empty() {
        write(&encoder, take_item(&mut choices), &mut file, &mut written);
    }

    let Detected::Header(header) = detect(&file) else { panic_with("no header", &file) };
    assert_eq!((header.version, header.order), (encoder.version, encoder.order));
    if encoder.version == Version::Rfc2011 {
        assert_eq!((header.pid, header.timestamp_ns), (Some(pid), Some(timestamp_ns)));
    }
    with_layout(header.version, header.order, ReadBack { rest: &file[header.size..], written: &written });
}

fn take_item<'a>(choices: &mut Choices<'a>) -> Item<'a> {
    match choices.byte() {
        tag if tag & 7 == 0 => {
            let (id, length) = (choices.u64(), choices.byte());
            Item::Mapping { id, name: choices.bytes(length.into()) }
        }
        tag if tag & 7 == 1 => Item::Record {
            id: DROPPED_ID,
            timestamp_ns: choices.u64(),
            pid: choices.u32(),
            values: vec![Value::Integer(choices.u64())],
        },
        tag => {
            let (id, timestamp_ns, pid) = (choices.u64(), choices.u64(), choices.u32());
            let value = |_| match choices.byte() {
                length if length < 128 => Value::Str(choices.bytes(length.into())),
                _ => Value::Integer(choices.u64()),
            };
            Item::Record { id, timestamp_ns, pid, values: (0..tag >> 4).map(value).collect() }
        }
    }
}

/// Appends `item` to `file`. Also appends it to `written`, as far as the version can represent it.
fn write<'a>(encoder: &Encoder, item: Item<'a>, file: &mut Vec<u8>, written: &mut Vec<Item<'a>>) {
    let before = file.len();
    match item {
        Item::Mapping { id, name } => {
            encoder.mapping(id, name, file);
            if encoder.version == Version::V4 {
                written.push(item);
            } else {
                assert_eq!(file.len(), before, "other versions have no mappings");
            }
        }
        Item::Record { id: DROPPED_ID, timestamp_ns, pid, ref values } => {
            if let [Value::Integer(count)] = values[..] {
                encoder.dropped(count, timestamp_ns, pid, file);
                written.push(item);
            }
        }
        Item::Record { id, timestamp_ns, pid, ref values } => {
            match encoder.record(id, timestamp_ns, pid, values, file) {
                Ok(()) => written.push(item),
                Err(problem) => {
                    assert_eq!(
                        file.len(),
                        before,
                        "this version cannot represent the value, but it was written"
                    );
                    assert_eq!(encoder.version, Version::V0);
                    match problem {
                        EncodeError::Arguments(count) => assert_eq!(count, values.len()),
                        EncodeError::Str => {
                            assert!(values.iter().any(|value| matches!(value, Value::Str(_))));
                        }
                    }
                }
            }
        }
    }
}

struct ReadBack<'a> {
    rest: &'a [u8],
    written: &'a [Item<'a>],
}

impl LayoutVisitor for ReadBack<'_> {
    type Output = ();

    fn visit<L: Layout>(self) {
        let mut rest = self.rest;
        for item in self.written {
            rest = match (L::step(rest, &ByLength), item) {
                (Step::Mapping(found), Item::Mapping { id, name }) => {
                    assert_eq!((found.id, found.name), (*id, *name));
                    &rest[found.size..]
                }
                (Step::Record(found), Item::Record { id, timestamp_ns, pid, values }) => {
                    let has_pid = matches!(L::VERSION, Version::V3 | Version::V4);
                    let pid = if has_pid { *pid } else { 0 };
                    assert_eq!((found.id, found.timestamp_ns, found.pid), (*id, *timestamp_ns, pid));
                    check_values::<L>(found.payload, values);
                    &rest[found.size..]
                }
                _ => panic_with("the step does not match", rest),
            };
        }
        assert_eq!(rest, [], "more data than written");
    }
}

fn check_values<L: Layout>(payload: &[u8], values: &[Value<'_>]) {
    let mut rest = payload;
    for value in values {
        match *value {
            Value::Integer(bits) => assert_eq!(L::integer(&mut rest, false), Some(bits)),
            Value::Str(bytes) => {
                let found = L::string(&mut rest).map(|string| (string.bytes, string.length));
                assert_eq!(found, Some((bytes, bytes.len() as u64)));
            }
        }
    }
    let padding = if L::VERSION == Version::V0 { 8 * (6 - values.len()) } else { 0 };
    assert_eq!(rest, vec![0; padding]);
}
