//! Detects the type of a file from its first bytes.

use ringtrace_kvmtrace::recognise;
use ringtrace_tracefile::sniff::{FileKind, headerless, sniff};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::header::{Detected, detect};

use crate::Target;

pub(crate) const TARGET: Target = Target {
    name: "sniff",
    about: "more bytes change the result only if they were requested",
    max_bytes: 512,
    run,
};

fn run(data: &[u8]) {
    let detected = detect(data);
    for length in 0..data.len().min(64) {
        match detect(&data[..length]) {
            Detected::NeedMore(need) => {
                assert!(need > length, "{need} bytes were requested, but {length} were available");
            }
            // An empty file has no type.
            Detected::Other if length == 0 => {}
            earlier => assert_eq!(earlier, detected, "the first {length} bytes"),
        }
    }
    let is_header = matches!(detected, Detected::Header(_));
    assert_eq!(matches!(sniff(data), FileKind::Trace(_)), is_header);
    let _ = headerless(data, &[Version::V2, Version::V0], &[ByteOrder::Big]);
    let _ = recognise(data);
}
