//! The libFuzzer program. An environment variable selects the target, because libFuzzer uses the
//! command line.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use ringtrace_fuzz_targets::memory::Measuring;
use ringtrace_fuzz_targets::{TARGET_VARIABLE, TARGETS, Target, find};

#[global_allocator]
static ALLOCATOR: Measuring = Measuring;

static TARGET: OnceLock<&Target> = OnceLock::new();

/// Returns the target that the environment variable selects. For `list`, prints all targets
/// instead: name, longest input, description.
fn choose() -> &'static Target {
    let name = std::env::var(TARGET_VARIABLE).unwrap_or_default();
    find(&name).unwrap_or_else(|| {
        for target in TARGETS {
            println!("{} {} {}", target.name, target.max_bytes, target.about);
        }
        if name != "list" {
            eprintln!("set {TARGET_VARIABLE} to one of these");
        }
        std::process::exit(if name == "list" { 0 } else { 2 });
    })
}

fuzz_target!(
    init: { TARGET.get_or_init(choose); },
    |data: &[u8]| TARGET.get_or_init(choose).check(data)
);
