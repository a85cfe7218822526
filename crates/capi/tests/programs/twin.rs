//! Records the same events in Rust as `tests/c/words.c` does in C.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let _tracing = ringtrace::Options::from_env_and_args()?.start()?;
    ringtrace_twin::emit_all(std::env::args().next_back().is_some_and(|last| last == "more"));
    Ok(())
}
