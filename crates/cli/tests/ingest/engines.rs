//! SQL engines give the expected results for the queries in `testdata/queries`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ringtrace_peers::python;
use serde_json::Value;
use tempfile::TempDir;

use super::{compacted_fleet, fleet, fleet_dataset};

/// Compares results with the accepted ones in `NAME.json`. `results` are JSON.
fn compare(results: &str) {
    let results: BTreeMap<String, Value> = serde_json::from_str(results).unwrap();
    assert_eq!(results.len(), 12);
    for (name, rows) in results {
        let path = fleet::folder().join(format!("{name}.json"));
        let rows: Vec<String> = rows.as_array().unwrap().iter().map(Value::to_string).collect();
        let now = format!("[\n  {}\n]\n", rows.join(",\n  "));
        if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
            fs::write(&path, &now).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(now, expected, "{}: RINGTRACE_ACCEPT=1 accepts", path.display());
    }
}

#[test]
fn duckdb_answers_the_queries() {
    for folder in [fleet_dataset(), compacted_fleet()] {
        let arguments = [folder.path().join("fleet"), fleet::folder()];
        let Some(ran) = python::run("duckdb", include_str!("duckdb_queries.py"), &arguments) else { return };
        compare(&ran.succeeded());
    }
}

/// DuckDB runs the queries in the documents. Each has rows.
#[test]
fn duckdb_runs_the_queries_of_documents() {
    let documents =
        [include_str!("../../../../docs/fleet.md"), include_str!("../../../../docs/formats/dataset.md")];
    let blocks = documents.iter().flat_map(|document| document.split("```sql\n").skip(1));
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap_or_default().lines());
    let questions: Vec<&str> = lines.collect();
    let folder = fleet_dataset();
    let script = "
import duckdb, os, sys
os.chdir(sys.argv[1])
for question in sys.argv[2:]:
    print(len(duckdb.sql(question).fetchall()))
";
    let arguments: Vec<&str> =
        [folder.path().to_str().unwrap()].into_iter().chain(questions.iter().copied()).collect();
    let Some(ran) = python::run("duckdb", script, &arguments) else { return };
    let rows: Vec<usize> = ran.succeeded().lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(rows.len(), questions.len());
    assert!(questions.len() >= 7 && rows.iter().all(|rows| *rows > 0), "{rows:?}");
}

/// The tables of a dataset have the values of the exported ones, of all types.
#[test]
fn a_dataset_has_the_values_of_an_export() {
    let folder = tempfile::tempdir().unwrap();
    let testdata = fleet::folder().parent().unwrap().join("export");
    let (trace, pairs) = (testdata.join("everything.trace"), testdata.join("everything.pairs"));
    let words = ["--pairs".as_ref(), pairs.as_path(), &trace];
    super::succeed(&mut super::ingest(&folder.path().join("dataset"), &words));
    let mut export = std::process::Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    export.arg("export").args(words).arg("-o").arg(folder.path().join("out.parquet"));
    super::succeed(&mut export);
    let Some(ran) = python::run("duckdb", include_str!("same_as_export.py"), &[folder.path()]) else {
        return;
    };
    assert_eq!(ran.succeeded(), "events 62\nspans 7\ndropped 5\nsteps 2\ncounters 3\npauses 2\n");
}

/// Arrow and Polars read single tables, and the whole folder of spans, without options.
#[test]
fn other_libraries_read_the_tables() {
    libraries_read(&fleet_dataset());
    libraries_read(&compacted_fleet());
}

#[expect(clippy::print_stderr, reason = "a skipped test reports why")]
fn libraries_read(folder: &TempDir) {
    let dataset = folder.path().join("fleet");
    let script = include_str!("libraries.py");
    let Some(ran) = python::run("pyarrow", script, &[dataset, library_folder()]) else { return };
    let out = ran.succeeded();
    assert!(out.lines().any(|line| line == "arrow: 570 requests, 120 with a priority"), "{out}");
    if out.contains("no polars") {
        return eprintln!("SKIPPED: no polars (from PyPI; `cargo xtask check` installs it)");
    }
    for library in ["polars", "datafusion"] {
        let line = format!("{library}: 570 requests, 120 with a priority");
        assert!(out.lines().any(|found| found == line), "{out}");
    }
}

/// Returns the folder of libraries that `xtask/src/prerequisite/python.rs` installs.
fn library_folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python-libraries")
}
