//! Generates the probes that are measured.

fn main() -> Result<(), ringtrace_tracetool::BuildError> {
    ringtrace_tracetool::Builder::new().group("cost", "src/cost/trace-events").build()
}
