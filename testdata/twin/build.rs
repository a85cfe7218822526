//! Generates the probes of the declarations that the program in C has, too.

fn main() -> Result<(), ringtrace_tracetool::BuildError> {
    ringtrace_tracetool::Builder::new().group("words", "../../crates/capi/tests/c/words.events").build()
}
