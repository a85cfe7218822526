//! Generates the probes of the example.

fn main() -> Result<(), ringtrace_tracetool::BuildError> {
    ringtrace_tracetool::Builder::new().group("stacks", "src/trace-events").build()
}
