//! Profiles with too many processes. Processes beyond the limit share one thread, and no record is
//! lost.

use std::fs;

use crate::exported::Recording;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use serde_json::Value as Json;

/// The number of processes. It exceeds the limit of 10,000 threads or profiles in a file.
const PROCESSES: u32 = 10_010;

#[test]
fn threads_beyond_the_limit_share_one() {
    let folder = tempfile::tempdir().unwrap();
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut bytes = Vec::new();
    encoder.header(0, 0, &mut bytes);
    encoder.mapping(0, b"tick", &mut bytes);
    for pid in 1..=PROCESSES {
        encoder.record(0, u64::from(pid), pid, &[Value::Integer(u64::from(pid))], &mut bytes).unwrap();
    }
    let (trace, events) = (folder.path().join("trace"), folder.path().join("events"));
    fs::write(&trace, bytes).unwrap();
    fs::write(&events, "tick(int count) \"\"\n").unwrap();
    let recording = Recording::new(trace, events);
    let export = |to: &str| -> Json {
        let (_folder, out) = recording.export(to);
        serde_json::from_slice(&fs::read(out).unwrap()).unwrap()
    };

    let firefox = export("firefox");
    let threads = firefox["threads"].as_array().unwrap();
    let shared: Vec<&Json> = threads.iter().filter(|thread| thread["name"] == "(other threads)").collect();
    assert_eq!((threads.len(), shared.len()), (10_001, 1));
    let counts: Vec<Json> =
        shared[0]["markers"]["data"].as_array().unwrap().iter().map(|data| data["count"].clone()).collect();
    assert_eq!(counts, (10_001..=PROCESSES).map(Json::from).collect::<Vec<_>>());

    let speedscope = export("speedscope");
    let profiles = speedscope["profiles"].as_array().unwrap();
    let shared: Vec<&Json> = profiles.iter().filter(|profile| profile["name"] == "(others)").collect();
    assert_eq!((profiles.len(), shared.len()), (10_001, 1));
    assert_eq!(shared[0]["events"].as_array().unwrap().len(), 4 * 10);
}
