//! Generates the probes from the declarations of the C program.

fn main() -> Result<(), ringtrace_tracetool::BuildError> {
    ringtrace_tracetool::Builder::new().group("words", "../../crates/capi/tests/c/words.events").build()
}
