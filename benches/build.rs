//! Generates the probes to be measured, and compiles the C ones.

use std::path::{Path, PathBuf};

use ringtrace_events::SourceFile;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_tracetool::{Backend, Builder, FORMATS, Group, Request, SourceWriter};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    Builder::new().group("cost", "src/cost/trace-events").group("soak", "src/soak/trace-events").build()?;
    let folder = PathBuf::from(std::env::var("OUT_DIR")?).join("in_c");
    std::fs::create_dir_all(&folder)?;
    generate_c(Path::new("src/recording/in_c/trace-events"), &folder)?;
    cc::Build::new()
        .file("src/recording/in_c/burst.c")
        .file(folder.join("trace-cost_c.c"))
        .include(folder)
        .include(std::env::var("DEP_RINGTRACE_C_INCLUDE")?)
        .std("gnu11")
        // Distributions use this optimisation level.
        .opt_level(2)
        .compile("ringtrace_benches_in_c");
    println!("cargo:rerun-if-changed=src/recording/in_c");
    Ok(())
}

/// Generates the header and the code for the group `cost_c` with the backend `simple`.
fn generate_c(events: &Path, folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(events)?;
    let parsed = parse(vec![SourceFile::new(events.display().to_string(), text)], Dialect::NEW);
    let declarations = parsed.declarations;
    let backends = [Backend::named("simple").ok_or("no such backend")?];
    for (format, name) in [("h", "trace-cost_c.h"), ("c", "trace-cost_c.c")] {
        let group = Group {
            name: "cost_c",
            sources: declarations.sources.iter().collect(),
            events: declarations.events.iter().collect(),
        };
        let format = FORMATS.iter().find(|one| one.name == format).ok_or("no such format")?;
        let mut out = SourceWriter::new();
        (format.generate)(&Request { output: name, ..Request::new(group, &backends) }, &mut out)
            .map_err(|refused| format!("{refused:?}"))?;
        std::fs::write(folder.join(name), out.finish())?;
    }
    Ok(())
}
