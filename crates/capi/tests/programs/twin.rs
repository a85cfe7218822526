//! Records in Rust what `tests/c/words.c` records in C.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let _tracing = ringtrace::Options::from_env_and_args()?.start()?;
    ringtrace_twin::emit_all(std::env::args().next_back().is_some_and(|last| last == "more"));
    Ok(())
}
