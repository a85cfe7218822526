//! Tables as those read them who are meant to: DuckDB, Arrow, Python's own modules, `jq`.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::fs::{self, File};
use std::path::Path;

use ringtrace_events::Source;
use ringtrace_export::{Place, Setting, Shape, format, run};
use ringtrace_peers::python;
use ringtrace_tracefile::pair::Meanings;
use ringtrace_tracefile::{Input, Needs, Options, Reader, Traces};

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata");

/// Exports the trace `NAME.bin` of `testdata` to `out`.
fn export(name: &str, to: &str, out: &Path) {
    let at = |ending: &str| Path::new(TESTDATA).join(format!("{name}.{ending}"));
    let sources = vec![Source::new("events", fs::read_to_string(at("events")).unwrap())];
    let options = Options { sources, ..Options::default() };
    let reader = Reader::new(name, Input::open(&at("bin")).unwrap(), &options).unwrap();
    let mut traces = Traces::new(vec![reader], Needs { anchor: true, origin: false }).unwrap();
    let format = format(to).unwrap();
    let place = match format.shape {
        Shape::Folder => {
            fs::create_dir_all(out).unwrap();
            Place::Folder(out.to_owned())
        }
        Shape::Text | Shape::Stream | Shape::File => Place::File(File::create(out).unwrap()),
    };
    let setting = Setting { anchor: traces.times().anchor, ..Setting::default() };
    let exporter = (format.begin)(place, &setting).unwrap();
    let told = run(&mut traces, &mut Meanings::default(), exporter).unwrap();
    assert!(told.complaints.is_empty(), "{told:?}");
}

#[test]
fn duckdb_counts_the_events_of_all_partitions() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.parquet");
    export("boot-small", "parquet", &out);
    let script = "
import duckdb, sys
events = sys.argv[1] + '/events/*/*.parquet'
for row in duckdb.sql(f\"SELECT event, count(*) FROM '{events}' GROUP BY event ORDER BY 2 DESC LIMIT 3\").fetchall():
    print(*row)
";
    let Some(ran) = python::run("duckdb", script, &[&out]) else { return };
    assert_eq!(ran.succeeded(), "apic_register_write 5913\nioapic_set_irq 3625\napic_local_deliver 1512\n");
}
