//! A trace contains the values passed to probes, for every type and its limits.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::collections::HashMap;
use std::path::Path;
use std::ptr::{NonNull, null, null_mut};

use ringtrace::{Options, flush};
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{ByLength, Layout, Step, detect, header::Detected};
use ringtrace_wire::{Big, Little};

mod types {
    ringtrace::include_trace!("types");
}
mod names {
    ringtrace::include_trace!("names");
}
mod counts {
    ringtrace::include_trace!("counts");
}
mod disabled {
    ringtrace::include_trace!("disabled");
}
mod formats {
    ringtrace::include_trace!("formats");
}
mod extended {
    ringtrace::include_trace!("extended");
}

use types::trace;

/// The bytes of a record's values.
#[derive(Default)]
struct Payload(Vec<u8>);

impl Payload {
    /// Integers, sign-extended to 64 bits.
    fn of<const N: usize>(values: [i128; N]) -> Payload {
        values.into_iter().fold(Payload::default(), Payload::and)
    }

    fn and(mut self, value: i128) -> Payload {
        self.0.extend((value as u64).to_ne_bytes());
        self
    }

    fn and_text(mut self, text: &[u8]) -> Payload {
        self.0.extend((text.len() as u32).to_ne_bytes());
        self.0.extend(text);
        self
    }
}

/// Returns names and payloads of the trace at `path`.
fn records(path: &Path) -> Vec<(String, Vec<u8>)> {
    let bytes = std::fs::read(path).unwrap();
    let Detected::Header(header) = detect(&bytes) else { panic!("no trace") };
    let mut rest = &bytes[header.size..];
    let mut names = HashMap::new();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let step = if cfg!(target_endian = "little") { V4::<Little>::step } else { V4::<Big>::step };
        match step(rest, &ByLength) {
            Step::Record(record) => {
                let name: &String = &names[&record.id];
                found.push((name.clone(), record.payload.to_vec()));
                rest = &rest[record.size..];
            }
            Step::Mapping(mapping) => {
                names.insert(mapping.id, String::from_utf8(mapping.name.to_vec()).unwrap());
                rest = &rest[mapping.size..];
            }
            other => panic!("{other:?}"),
        }
    }
    found
}

/// Calls probes, with the expected records.
fn report(expect: &mut impl FnMut(&str, Payload)) {
    trace::signed_8(-1, i8::MIN, i8::MAX);
    expect("signed_8", Payload::of([-1, -128, 127]));
    trace::signed_16(-1, i16::MIN, i16::MAX);
    expect("signed_16", Payload::of([-1, -32768, 32767]));
    trace::signed_32(-1, i32::MIN, i32::MAX, 0);
    expect("signed_32", Payload::of([-1, i32::MIN.into(), i32::MAX.into(), 0]));
    trace::signed_64(-1, i64::MIN, i64::MAX, 0);
    expect("signed_64", Payload::of([-1, i64::MIN.into(), i64::MAX.into(), 0]));
    trace::unsigned_8(u8::MAX, 0x80);
    expect("unsigned_8", Payload::of([255, 0x80]));
    trace::unsigned_16(u16::MAX, 0x8000, 0);
    expect("unsigned_16", Payload::of([65535, 0x8000, 0]));
    trace::unsigned_32(u32::MAX, 0x8000_0000, 0);
    expect("unsigned_32", Payload::of([u32::MAX.into(), 0x8000_0000, 0]));
    trace::unsigned_64(u64::MAX, 1 << 63, 0, 1);
    expect("unsigned_64", Payload::of([u64::MAX.into(), 1 << 63, 0, 1]));
    trace::sizes(usize::MAX, isize::MIN, 1, -1, 2);
    expect("sizes", Payload::of([usize::MAX as i128, isize::MIN as i128, 1, -1, 2]));
    trace::truth(true);
    expect("truth", Payload::of([1]));
    trace::truth!(false);
    expect("truth", Payload::of([0]));

    let mut value = 7;
    let address = i128::from((&raw const value).addr() as u64);
    let slice: &[i32] = &[value];
    let first = slice.as_ptr().addr() as i128;
    trace::pointers(&value, &raw const value, None::<&str>, null::<i32>(), null_mut::<u8>(), slice, slice);
    expect("pointers", Payload::of([address, address, 0, 0, 0, first, first]));
    let pointer = NonNull::from(&mut value);
    let text = "text";
    let of_text = [text.as_ptr().addr() as i128, (&raw const text).addr() as i128];
    trace::pointers!(pointer, pointer.as_ptr(), Some(pointer), &mut value, None::<NonNull<u8>>, text, &text);
    expect("pointers", Payload::of([address, address, address, address, 0, of_text[0], of_text[1]]));

    trace::strings("text", "größe".to_owned(), c"c", b"bytes");
    expect(
        "strings",
        Payload::default().and_text(b"text").and_text("größe".as_bytes()).and_text(b"c").and_text(b"bytes"),
    );
    trace::strings!(Some("some"), None::<&str>, "", &[0xff_u8, 0][..]);
    expect("strings", Payload::default().and_text(b"some").and_text(b"").and_text(b"").and_text(&[0xff, 0]));

    names::trace::r#type(1);
    expect("type", Payload::of([1]));
    lazily::report_type(2);
    expect("type", Payload::of([2]));
    names::trace::self_(3);
    expect("self", Payload::of([3]));
    names::trace::_9p(4);
    expect("9p", Payload::of([4]));
    names::trace::include(5);
    expect("include", Payload::of([5]));

    let bits = |number: f64| i128::from(number.to_bits());
    extended::trace::measured(-0.1, "disk", 0.25, -1);
    let text = Payload::of([bits(-0.1)]).and_text(b"disk");
    expect("measured", text.and(bits(0.25)).and(-1));
    extended::trace::many_doubles(f64::NAN, f64::NEG_INFINITY, f32::MIN_POSITIVE, f64::MAX, 5);
    let smallest = bits(f32::MIN_POSITIVE.into());
    expect(
        "many_doubles",
        Payload::of([bits(f64::NAN), bits(f64::NEG_INFINITY), smallest, bits(f64::MAX), 5]),
    );

    use extended::trace::{DiskState, Kind};
    extended::trace::state_changed(7, DiskState::Idle, DiskState::Failed);
    expect("state_changed", Payload::of([7, 0, -1]));
    extended::trace::queued(Kind::Write, "disk", DiskState::QueueFull);
    expect("queued", Payload::of([1]).and_text(b"disk").and(16));

    counts::trace::of_0();
    expect("of_0", Payload::default());
    counts::trace::of_16(0, 1, "2", 3, 4, 5, 6, "7", 8, 9, 10, 11, "12", 13, 14, 15);
    let many = Payload::of([0, 1]).and_text(b"2").and(3).and(4).and(5).and(6).and_text(b"7");
    expect("of_16", many.and(8).and(9).and(10).and(11).and_text(b"12").and(13).and(14).and(15));

    {
        // In this block, `trace` is a different group.
        use disabled::trace;
        trace::never(1, "", null::<u8>());
        trace::never!(1, panics(), null::<u8>());
        assert!(!trace::never_enabled());
        trace::between!(1);
        expect("between", Payload::of([1]));
    }
}

fn panics() -> &'static str {
    panic!("a macro evaluated the arguments of an event that is off")
}

/// Checks that macros use the group that is called `trace` in their module.
mod lazily {
    use super::names::trace;

    pub fn report_type(value: i32) {
        trace::r#type!(value);
    }

    pub fn report_nothing() {
        trace::x!(super::panics().len() as i32);
    }
}

/// Strings with characters that are special in Rust are recorded exactly as in the declarations
/// file.
#[test]
fn declarations_are_in_the_program_as_they_were_written() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats.events");
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let all = ringtrace::events();
    let declared = all.iter().map(|event| event.declaration()).filter(|declared| declared.group == "formats");
    let declared: Vec<&str> = declared.map(|declared| declared.text).collect();
    assert_eq!(declared, lines.collect::<Vec<&str>>());
    for text in &declared {
        let format = ringtrace::event(text.split('(').next().unwrap()).unwrap().declaration().format;
        assert!(format.is_none_or(|format| text.ends_with(format)), "{text}: {format:?}");
    }
}

#[test]
fn recorded_values_equal_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    report(&mut |_, _| ());
    lazily::report_nothing();

    let guard = Options::new().enable("*").file(&file).directory(folder.path()).start().unwrap();
    let mut expected = Vec::new();
    report(&mut |name, payload| expected.push((name.to_owned(), payload.0)));
    assert!(flush());
    drop(guard);
    assert_eq!(records(&file), expected);
}
