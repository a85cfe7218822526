//! Generates the probes of the program that `ringtrace demo` records.

fn main() -> Result<(), ringtrace_tracetool::BuildError> {
    ringtrace_tracetool::Builder::new()
        .group("demo", "src/command/demo/trace-events")
        .backends(["dtrace"])
        .build()
}
