//! The fuzz targets, as functions of bytes.
//!
//! A target runs a part of ringtrace on any bytes, and panics if a property does not hold. The
//! package in `fuzz` passes them to libFuzzer; `tests/regression.rs` runs them with all seeds and
//! past findings. docs/fuzzing.md describes how to run and extend them.

#![deny(unsafe_code)]

pub mod choices;
pub mod memory;

mod arena;
mod case;
mod chunked_reader;
mod compact;
mod convert;
mod counts;
mod declarations;
mod definitions;
mod dialogue;
mod encode;
mod expression;
mod format;
mod kvmtrace;
#[cfg(test)]
mod large;
mod metadata;
mod pairs;
mod probes;
mod reader;
mod sniff;
mod steps;
mod summary;
mod text;
mod transcript;

use std::fmt;

/// The environment variable that selects the target in the libFuzzer program.
pub const TARGET_VARIABLE: &str = "RINGTRACE_FUZZ_TARGET";

/// A fuzz target.
#[derive(Clone, Copy)]
pub struct Target {
    /// The target's name, which is also the name of its folders in `seeds` and `findings`.
    pub name: &'static str,
    /// The properties that the target checks.
    pub about: &'static str,
    /// The longest useful input.
    pub max_bytes: usize,
    /// The test, which panics if it fails.
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
    compact::TARGET,
    metadata::TARGET,
    kvmtrace::TARGET,
    definitions::TARGET,
    arena::TARGET,
    probes::TARGET,
    dialogue::TARGET,
];

/// Returns the target called `name`.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

impl Target {
    /// Runs the target on `data`. Checks its memory if [`memory::Measuring`] is the allocator.
    pub fn check(&self, data: &[u8]) {
        let peak_bytes = memory::peak_bytes(|| (self.run)(data));
        let allowed_bytes = memory::allowed_bytes(data.len());
        assert!(
            peak_bytes <= allowed_bytes,
            "{} bytes of input took {peak_bytes} bytes of memory; the limit is {allowed_bytes}",
            data.len()
        );
    }
}
