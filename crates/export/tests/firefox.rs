//! What Firefox Profiler finds in an export.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "tests fail by panics")]

mod exported;

use std::collections::HashMap;

use exported::Recording;
use ringtrace_export::{Typed, named_values, utf8};
use ringtrace_peers::firefox::Profile;
use ringtrace_tracefile::Entry;
use ringtrace_tracefile::pair::Description;
use serde_json::{Map, Value, json};

/// What a record's values must be in a marker.
fn expected(entry: &Entry<'_>) -> Value {
    let exact = 1_i128 << 53;
    let number =
        |number: i128| if number.abs() <= exact { json!(number as i64) } else { json!(number.to_string()) };
    let values = named_values(entry).map(|(name, value)| {
        let value = match value {
            Typed::Signed(signed) => number(i128::from(signed)),
            Typed::Unsigned(unsigned) => number(i128::from(unsigned)),
            Typed::Bool(truth) => json!(truth),
            Typed::Pointer(bits) => json!(format!("{bits:#x}")),
            Typed::Text(bytes) => json!(utf8(bytes)),
        };
        (name.into_owned(), value)
    });
    Value::Object(values.collect::<Map<_, _>>())
}

/// A marker's values by the names that people see.
fn labelled(marker: &Value) -> Value {
    let fields = marker["fields"].as_array().into_iter().flatten();
    let values = fields.map(|field| (field["label"].as_str().unwrap().to_owned(), field["value"].clone()));
    Value::Object(values.collect::<Map<_, _>>())
}

/// Nanoseconds from milliseconds.
fn ns(milliseconds: &Value) -> i64 {
    (milliseconds.as_f64().unwrap() * 1e6).round() as i64
}

/// Compares all markers of an export without descriptions with what our reader gives.
fn all_is_there(recording: &Recording) {
    let (_folder, out) = recording.export("firefox", &Description::default());
    let Some(profile) = Profile::load(&out) else { return };
    let mut found: HashMap<String, std::vec::IntoIter<Value>> = HashMap::new();
    for (thread, markers) in profile.markers() {
        let key = format!("{} {}", thread["pid"].as_str().unwrap(), thread["tid"]);
        found.insert(key, markers.into_iter());
    }
    let mut first_ns = None;
    recording.for_each(|entry| {
        let first_ns = *first_ns.get_or_insert(entry.timestamp_ns);
        let key = format!("{} {}", entry.pid, entry.tid().unwrap_or(entry.pid));
        let marker =
            found.get_mut(&key).and_then(Iterator::next).unwrap_or_else(|| panic!("record {}", entry.number));
        assert_eq!(ns(&marker["start"]), (entry.timestamp_ns - first_ns) as i64, "record {}", entry.number);
        if !entry.is_dropped() {
            assert_eq!(marker["name"], &*entry.schema.name);
            assert_eq!(labelled(&marker), expected(entry), "record {}", entry.number);
        }
    });
    assert!(found.values_mut().all(|markers| markers.next().is_none()), "markers of no record");
}

#[test]
fn a_boot_is_all_there() {
    all_is_there(&Recording::of_testdata("boot-small"));
}
