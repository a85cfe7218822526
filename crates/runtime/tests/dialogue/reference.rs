//! The reference of commands in docs/control.md is what the table says. `RINGTRACE_ACCEPT=1` writes it there.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::path::Path;

/// Between these, which no reader sees, it stands.
const BEGIN: &str = "<!-- The table of commands says it; a test writes it here. -->\n\n";
const END: &str = "\n<!-- So far. -->\n";

#[test]
fn the_document_has_every_command() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/control.md");
    let document = std::fs::read_to_string(&file).unwrap();
    let (before, rest) = document.split_once(BEGIN).unwrap();
    let (said, behind) = rest.split_once(END).unwrap();
    let now = ringtrace::monitor::reference();
    if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
        std::fs::write(file, [before, BEGIN, &now, END, behind].concat()).unwrap();
        return;
    }
    assert!(said == now, "docs/control.md: RINGTRACE_ACCEPT=1 writes what is the case now:\n{now}");
}
