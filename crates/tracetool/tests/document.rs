//! Checks that `docs/generate.md` shows the declarations of `testdata/tracetool/user`. The doc
//! tests of that package compile the document's Rust code.

#![allow(clippy::unwrap_used, reason = "allowed in tests, but clippy also checks their helpers")]

use std::fs;
use std::path::Path;

#[test]
fn declarations_are_those_that_the_samples_are_compiled_with() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = fs::read_to_string(root.join("docs/generate.md")).unwrap();
    let declared = fs::read_to_string(root.join("testdata/tracetool/user/src/blk/trace-events")).unwrap();
    let mut blocks = document.split("```trace-events\n").skip(1);
    let shown = blocks.next().unwrap().split("```").next().unwrap();
    assert!(declared.starts_with(shown), "{shown}");
    assert!(blocks.next().is_none());
}
