//! Prints one trace in every version with the readers of every era.
//!
//! `testdata/eras/ERA-VERSION.txt` is the output of `--compat ERA` for [`trace`], which is the same
//! in both byte orders. `RINGTRACE_ACCEPT=1` writes these files. (`corpus.rs` tests the output of
//! the original readers, which is in the corpus.)

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;

use std::collections::BTreeSet;
use std::fs;

use console::{Shell, expect, root};
use ringtrace_tracefile::era::ERAS;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::{Numbering, VERSIONS, VersionInfo};

const DECLARATIONS: &str = "\
plain(int a, uint64_t b) \"a=%d b=%\" PRIu64
disable off(void *p) \"p=%p\"
none(void) \"\"
named(const char *s, void *t) \"s=%s t=%p\"
last(uint8_t x) \"x=%u\"
";

/// Creates records that the eras print differently: without arguments, with strings, with
/// decreasing times, and for dropped events.
fn trace(version: &VersionInfo, order: ByteOrder) -> Vec<u8> {
    let encoder = Encoder { version: version.version, order };
    let mut out = Vec::new();
    encoder.header(4711, 0, &mut out);
    let counts_disabled = version.numbering != Numbering::Position { count_disabled: false };
    let id = |position: u64| if counts_disabled || position == 0 { position } else { position - 1 };
    for (position, name) in [(0, "plain"), (2, "none"), (3, "named"), (4, "last")] {
        encoder.mapping(id(position), name.as_bytes(), &mut out);
    }
    let text = if version.has_strings {
        Value::Str(b"it's \"caf\xc3\xa9\"\n\xff")
    } else {
        Value::Integer(0x7fff_0000)
    };
    let mut add = |position, timestamp_ns, values: &[Value<'_>]| {
        encoder.record(id(position), timestamp_ns, 4711, values, &mut out).unwrap();
    };
    add(0, 1_000_000, &[Value::Integer(-1_i64 as u64), Value::Integer(u64::MAX)]);
    add(2, 1_000_001, &[]);
    add(3, 1_500_000, &[text, Value::Integer(0x7fff_0010)]);
    add(4, 1_400_000, &[Value::Integer(0xff)]);
    encoder.dropped(17, 0, 4712, &mut out);
    encoder.record(id(4), u64::MAX, 4712, &[Value::Integer(1)], &mut out).unwrap();
    out
}

#[test]
fn every_version_by_every_era_that_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let shell = Shell::new(folder.path());
    fs::write(folder.path().join("events"), DECLARATIONS).unwrap();
    let golden = root().join("testdata/eras");
    fs::create_dir_all(&golden).unwrap();
    let mut differing = Vec::new();
    let mut expected = BTreeSet::new();
    for version in VERSIONS {
        for (order, file) in [(ByteOrder::Little, "little"), (ByteOrder::Big, "big")] {
            fs::write(folder.path().join(file), trace(version, order)).unwrap();
        }
        let readers: Vec<&str> =
            ERAS.iter().filter(|era| era.reads.contains(&version.version)).map(|era| era.name).collect();
        assert!(!readers.is_empty(), "no era reads {}", version.name);
        for era in &readers {
            let print =
                |file| shell.answer(&format!("ringtrace print --compat {era} --events events {file}"));
            let now = print("little");
            assert_eq!(print("big").replace("big:", "little:"), now, "{era}, {}", version.name);
            let name = format!("{era}-{}.txt", version.name);
            let file = golden.join(&name);
            differing.extend(expect(&file, &fs::read_to_string(&file).unwrap_or_default(), &now));
            expected.insert(name);
        }
        // Without --compat, the newest era is used.
        let newest = readers.last().unwrap();
        let default = shell.answer("ringtrace print --events events little");
        let named = shell.answer(&format!("ringtrace print --compat {newest} --events events little"));
        assert_eq!(default, named, "{}", version.name);
    }
    assert!(differing.is_empty(), "RINGTRACE_ACCEPT=1 accepts\n{}", differing.join("\n"));
    let files = fs::read_dir(golden).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(files.collect::<BTreeSet<String>>(), expected, "files in testdata/eras");
}

#[test]
fn every_era_reads_something() {
    for era in ERAS {
        assert!(!era.reads.is_empty(), "{}", era.name);
    }
}
