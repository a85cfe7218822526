//! Compares the command reference in docs/control.md with the command table. `RINGTRACE_ACCEPT=1`
//! updates the document.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::path::Path;

/// The reference is between these comments.
const BEGIN: &str = "<!-- Begin of the generated part: a test writes the table of commands. -->\n\n";
const END: &str = "\n<!-- End of the generated part. -->\n";

#[test]
fn the_document_has_every_command() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/control.md");
    let document = std::fs::read_to_string(&file).unwrap();
    let (before, rest) = document.split_once(BEGIN).unwrap();
    let (written, behind) = rest.split_once(END).unwrap();
    let now = ringtrace::monitor::reference();
    if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
        std::fs::write(file, [before, BEGIN, &now, END, behind].concat()).unwrap();
        return;
    }
    assert!(written == now, "docs/control.md differs; RINGTRACE_ACCEPT=1 writes the current text:\n{now}");
}
