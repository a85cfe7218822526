//! What speedscope finds in an export.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "tests fail by panics")]

mod exported;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use exported::Recording;
use ringtrace_export::{Typed, named_values, utf8};
use ringtrace_peers::{chromium, node};
use ringtrace_tracefile::Entry;
use ringtrace_tracefile::pair::Description;
use serde_json::{Value, json};

/// Opens or closes a frame: whether it opens, its name, the time in nanoseconds.
type Event = (bool, String, i64);

/// The profiles of a file by their names, in order.
fn profiles(file: &Path) -> Vec<(String, Vec<Event>)> {
    let file: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let frames = file["shared"]["frames"].as_array().unwrap();
    let profile = |profile: &Value| {
        let event = |event: &Value| {
            let frame = &frames[event["frame"].as_u64().unwrap() as usize];
            (event["type"] == "O", frame["name"].as_str().unwrap().to_owned(), event["at"].as_i64().unwrap())
        };
        let events = profile["events"].as_array().unwrap().iter().map(event);
        (profile["name"].as_str().unwrap().to_owned(), events.collect())
    };
    file["profiles"].as_array().unwrap().iter().map(profile).collect()
}

/// Lets speedscope load `file`, and save what it has understood as `again`. Whether there is a speedscope.
fn load_and_save(file: &Path, again: &Path) -> bool {
    let Some(page) = node::package("speedscope", "dist/release/index.html") else { return false };
    let steps = "
        await page.goto('file://' + args[0]);
        await page.setInputFiles('input[type=file]', args[1]);
        await page.getByText('Time Order').waitFor();
        const download = page.waitForEvent('download');
        await page.getByText('Export').click();
        await (await download).saveAs(args[2]);
        return problems;
    ";
    let Some(ran) = chromium::run(steps, &[&page, file, again]) else { return false };
    assert_eq!(ran.succeeded().trim(), "[]");
    true
}

/// A record as a frame is called that is about it.
fn expected(entry: &Entry<'_>) -> String {
    let mut text = entry.schema.name.to_string();
    for (name, value) in named_values(entry) {
        text += &match value {
            Typed::Signed(number) => format!(" {name}={number}"),
            Typed::Unsigned(number) => format!(" {name}={number}"),
            Typed::Bool(truth) => format!(" {name}={truth}"),
            Typed::Pointer(bits) => format!(" {name}={bits:#x}"),
            Typed::Text(bytes) => format!(" {name}={}", json!(utf8(bytes))),
        };
    }
    text
}

#[test]
fn a_boot_is_all_there() {
    let recording = Recording::of_testdata("boot-small");
    let (folder, out) = recording.export("speedscope", &Description::default());
    let again = folder.path().join("again.json");
    if !load_and_save(&out, &again) {
        return;
    }
    let found = profiles(&again);
    assert!(found == profiles(&out), "speedscope has understood it otherwise");
    let mut records: HashMap<String, Vec<(String, i64)>> = HashMap::new();
    for (name, events) in found {
        let records = records.entry(name).or_default();
        // Each is about what it encloses.
        let pairs = events.iter().filter(|event| event.0).map(|event| (event.1.clone(), event.2));
        records.extend(pairs.skip(1).step_by(2));
    }
    let mut first_ns = None;
    let mut all: HashMap<String, Vec<(String, i64)>> = HashMap::new();
    recording.for_each(|entry| {
        let first_ns = *first_ns.get_or_insert(entry.timestamp_ns);
        let process = if entry.pid == 0 { "recording".to_owned() } else { format!("process {}", entry.pid) };
        let records = all.entry(format!("{process}: each event until the next")).or_default();
        records.push((expected(entry), (entry.timestamp_ns - first_ns) as i64));
    });
    assert!(records == all);
}
