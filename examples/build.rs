//! Generates the probes of every example.

fn main() -> Result<(), ringtrace_tracetool::BuildError> {
    ringtrace_tracetool::Builder::new()
        .group("copier", "src/copier/trace-events")
        .group("flight", "src/bin/flight/trace-events")
        .group("life", "src/bin/life/trace-events")
        .build()
}
