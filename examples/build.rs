//! Generates the probes of all examples, with USDT probes for bpftrace and SystemTap.

fn main() -> Result<(), ringtrace_tracetool::BuildError> {
    ringtrace_tracetool::Builder::new()
        .group("copier", "src/copier/trace-events")
        .group("flight", "src/bin/flight/trace-events")
        .group("life", "src/bin/life/trace-events")
        .backends(["dtrace"])
        .build()?;
    // The engine needs its own builder, because event names must be unique within a program.
    ringtrace_tracetool::Builder::new()
        .group("blk", "src/bin/engine/blk/trace-events")
        .group("store", "src/bin/engine/store/trace-events")
        .backends(["dtrace"])
        .build()
}
