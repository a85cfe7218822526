//! Generates the probes that are measured, and compiles those in C.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    ringtrace_tracetool::Builder::new().group("cost", "src/cost/trace-events").build()?;
    const SOURCES: [&str; 2] = ["src/recording/in_c/burst.c", "src/recording/in_c/trace-cost_c.c"];
    cc::Build::new()
        .files(SOURCES)
        .include("src/recording/in_c")
        .include(std::env::var("DEP_RINGTRACE_C_INCLUDE")?)
        .std("gnu11")
        // As distributions compile programs; Rust's side is optimized in the same measure.
        .opt_level(2)
        .compile("ringtrace_benches_in_c");
    println!("cargo:rerun-if-changed=src/recording/in_c");
    Ok(())
}
