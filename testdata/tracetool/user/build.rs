//! Puts the golden files of Rust where `include_trace!` looks for them, and generates a group of its own.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// What the generator makes of the declarations in the folder above.
const GOLDEN: &str = "../ringtrace-rs";

/// A declarations file that a test wants to have compiled, too.
const ANOTHER: &str = "TRACETOOL_USER_EVENTS";

fn main() -> Result<(), Box<dyn Error>> {
    let mut builder = ringtrace_tracetool::Builder::new()
        .group("blk", "src/blk/trace-events")
        .group("net", "src/net/trace-events");
    println!("cargo::rustc-check-cfg=cfg(another)");
    println!("cargo::rerun-if-env-changed={ANOTHER}");
    if let Some(path) = env::var_os(ANOTHER) {
        println!("cargo::rustc-cfg=another");
        builder = builder.group("another", path).allow("all");
    }
    builder.build()?;
    ringtrace_tracetool::Builder::new()
        .group("usdt", "src/usdt/trace-events")
        .group("listened", "src/bin/listened/trace-events")
        .backends(["dtrace"])
        .build()?;
    copy_golden_files(&PathBuf::from(env::var("OUT_DIR")?))
}

/// Copies them, and lists them in a file of modules.
fn copy_golden_files(out_dir: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={GOLDEN}");
    let mut modules = String::new();
    for entry in fs::read_dir(GOLDEN)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.file_stem().and_then(|name| name.to_str()).ok_or("not UTF-8")?;
            // `types.dtrace` is `types`, with a backend.
            let name = name.replace('.', "_");
            fs::copy(&path, out_dir.join(format!("ringtrace/trace-{name}.rs")))?;
            println!("cargo::rustc-env=RINGTRACE_GROUP_{name}=made");
            modules += &format!("mod {name} {{\n    ringtrace::include_trace!(\"{name}\");\n}}\n");
        }
    }
    fs::write(out_dir.join("golden.rs"), modules)?;
    Ok(())
}
