//! Generates ringtrace's own probe.

fn main() -> Result<(), ringtrace_tracetool::BuildError> {
    ringtrace_tracetool::Builder::new().group("peers", "src/trace-events").build()
}
