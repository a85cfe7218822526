//! Generates the probes of every example; bpftrace and SystemTap can listen to them.

fn main() -> Result<(), ringtrace_tracetool::BuildError> {
    ringtrace_tracetool::Builder::new()
        .group("copier", "src/copier/trace-events")
        .group("flight", "src/bin/flight/trace-events")
        .group("life", "src/bin/life/trace-events")
        .backends(["dtrace"])
        .build()?;
    // A builder for each program that has names that another one has, too.
    ringtrace_tracetool::Builder::new()
        .group("blk", "src/bin/engine/blk/trace-events")
        .group("store", "src/bin/engine/store/trace-events")
        .backends(["dtrace"])
        .build()
}
