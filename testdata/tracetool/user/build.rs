//! Copies the golden Rust files to the folder from which `include_trace!` reads, and generates the
//! package's own groups.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Code generated from the declarations in the parent folder.
const GOLDEN: &str = "../ringtrace-rs";

/// The environment variable with the path of a further declarations file, which a test compiles.
const ANOTHER: &str = "TRACETOOL_USER_EVENTS";

/// The environment variable with which a test compiles `src/mistakes.rs`.
const MISTAKES: &str = "TRACETOOL_USER_MISTAKES";

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
    println!("cargo::rustc-check-cfg=cfg(mistakes)");
    println!("cargo::rerun-if-env-changed={MISTAKES}");
    if env::var_os(MISTAKES).is_some() {
        println!("cargo::rustc-cfg=mistakes");
    }
    builder.build()?;
    ringtrace_tracetool::Builder::new()
        .group("usdt", "src/usdt/trace-events")
        .backends(["dtrace"])
        .build()?;
    let has_lttng = has_lttng();
    if has_lttng {
        ringtrace_tracetool::Builder::new().group("ust", "src/ust/trace-events").backends(["ust"]).build()?;
    }
    let outside: &[&str] = if has_lttng { &["dtrace", "ust"] } else { &["dtrace"] };
    ringtrace_tracetool::Builder::new()
        .group("listened", "src/bin/listened/trace-events")
        .backends(outside.iter().copied())
        .build()?;
    copy_golden_files(&PathBuf::from(env::var("OUT_DIR")?))
}

/// Whether LTTng's headers are installed. Without them everything else still builds, but the test
/// that records with LTTng fails with a message.
fn has_lttng() -> bool {
    let folders = ["include".to_owned(), format!("include/{}-linux-gnu", env::consts::ARCH)];
    let headers = folders.map(|folder| PathBuf::from(format!("/usr/{folder}/lttng/tracepoint.h")));
    let found = headers.iter().find(|header| header.exists());
    // If a listed file is missing, cargo runs this script in every build. So list one that exists.
    for header in found.map_or(&headers[..], std::slice::from_ref) {
        println!("cargo::rerun-if-changed={}", header.display());
    }
    println!("cargo::rustc-check-cfg=cfg(has_lttng)");
    if found.is_some() {
        println!("cargo::rustc-cfg=has_lttng");
    }
    found.is_some()
}

/// Copies the golden files and lists them in a file of modules.
fn copy_golden_files(out_dir: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={GOLDEN}");
    let mut modules = String::new();
    for entry in fs::read_dir(GOLDEN)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.file_stem().and_then(|name| name.to_str()).ok_or("not UTF-8")?;
            // These files need C code as well.
            if name.ends_with("ust") {
                continue;
            }
            // `types.dtrace` is the output for `types` with a backend.
            let name = name.replace('.', "_");
            fs::copy(&path, out_dir.join(format!("ringtrace/trace-{name}.rs")))?;
            println!("cargo::rustc-env=RINGTRACE_GROUP_{name}=made");
            modules += &format!("mod {name} {{\n    ringtrace::include_trace!(\"{name}\");\n}}\n");
        }
    }
    fs::write(out_dir.join("golden.rs"), modules)?;
    Ok(())
}
