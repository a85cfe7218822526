//! What is fuzzed, as plain functions of bytes.
//!
//! A target takes any bytes, runs a part of ringtrace on them, and panics when something that must hold for every input
//! does not. `fuzz/` gives them to libFuzzer; `tests/regression.rs` runs them over all seeds and past findings in every
//! `cargo test`. docs/fuzzing.md tells how to run and extend them.

#![deny(unsafe_code)]

pub mod choices;
pub mod memory;

mod arena;
mod case;
mod convert;
mod counted;
mod declarations;
mod definitions;
mod dialogue;
mod dribble;
mod encode;
mod expression;
mod format;
mod kvmtrace;
#[cfg(test)]
mod large;
mod metadata;
mod pairs;
mod printed;
mod probes;
mod reader;
mod sniff;
mod steps;
mod summary;
mod told;

use std::fmt;

/// The environment variable that tells libFuzzer's program which target to run.
pub const TARGET_VARIABLE: &str = "RINGTRACE_FUZZ_TARGET";

/// Something that is fuzzed.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, and that of its folders below `seeds` and `findings`.
    pub name: &'static str,
    /// What must hold.
    pub about: &'static str,
    /// Longer inputs find nothing more, and cost time.
    pub max_bytes: usize,
    /// The test. Panics when something does not hold.
    run: fn(&[u8]),
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Target").field(&self.name).finish()
    }
}

/// All targets.
pub static TARGETS: &[Target] = &[
    declarations::TARGET,
    format::TARGET,
    expression::TARGET,
    pairs::TARGET,
    sniff::TARGET,
    steps::TARGET,
    encode::TARGET,
    reader::TARGET,
    summary::TARGET,
    convert::TARGET,
    metadata::TARGET,
    kvmtrace::TARGET,
    definitions::TARGET,
    arena::TARGET,
    probes::TARGET,
    dialogue::TARGET,
];

/// The target called `name`.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

impl Target {
    /// Runs it on `data`, and looks at the memory it takes where [`memory::Measuring`] is the allocator.
    pub fn check(&self, data: &[u8]) {
        let peak_bytes = memory::peak_bytes(|| (self.run)(data));
        let allowed_bytes = memory::allowed_bytes(data.len());
        assert!(
            peak_bytes <= allowed_bytes,
            "{} bytes of input took {peak_bytes} bytes of memory, more than {allowed_bytes}",
            data.len()
        );
    }
}
