//! The metadata of a trace in mapping records.
//!
//! An input is the id, 8 bytes, then the name.

use ringtrace_tracefile::metadata::{FIRST_ID, Metadata};

use crate::Target;
use crate::choices::Choices;

pub(crate) const TARGET: Target = Target {
    name: "metadata",
    about: "parsed metadata is the same after writing and reading",
    max_bytes: 512,
    run,
};

fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    let id = choices.u64();
    let name = String::from_utf8_lossy(choices.rest());
    let understood = Metadata::parse(id, &name);
    assert!(understood.is_none() || id >= FIRST_ID);
    // Most ids are not metadata ids, so parse the name with a metadata id, too.
    for metadata in [understood, Metadata::parse(FIRST_ID, &name)].into_iter().flatten().flatten() {
        let written = metadata.to_name();
        assert!(!written.contains(|c: char| c.is_ascii_control()), "{written:?}");
        assert_eq!(Metadata::parse(FIRST_ID, &written), Some(Ok(metadata)), "{written:?}");
    }
}
