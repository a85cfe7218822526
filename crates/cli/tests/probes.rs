//! Tests `ringtrace probes` with the console sessions in `testdata/probes`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;

use std::fs;

use console::{Shell, root};

#[test]
fn console_sessions() {
    let folder = root().join("testdata/probes");
    Shell::new(&folder).hold_all(&folder);
}

#[test]
fn every_field_of_the_json_is_described() {
    let description = fs::read_to_string(root().join("docs/usdt.md")).unwrap();
    let answer = Shell::new(root().join("testdata/probes")).answer("ringtrace probes --json program.elf");
    let document: serde_json::Value = serde_json::from_str(&answer).unwrap();
    let mut left = vec![&document];
    while let Some(value) = left.pop() {
        match value {
            serde_json::Value::Array(values) => left.extend(values),
            serde_json::Value::Object(fields) => {
                for (name, value) in fields {
                    assert!(description.contains(&format!("`{name}`")), "docs/usdt.md: `{name}`");
                    left.push(value);
                }
            }
            _ => {}
        }
    }
}
