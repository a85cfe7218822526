//! Generates the probes.

fn main() -> Result<(), ringtrace_tracetool::BuildError> {
    ringtrace_tracetool::Builder::new().group("library", "src/trace-events").build()
}
