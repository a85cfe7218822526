//! What Perfetto's trace processor finds in an export.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "tests fail by panics")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use ringtrace_events::Source;
use ringtrace_export::{Place, Setting, format, run};
use ringtrace_peers::perfetto::{COMPLAINTS, query};
use ringtrace_tracefile::pair::{Description, Meanings};
use ringtrace_tracefile::{Input, Needs, Options, Reader, Traces};

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

fn reader(trace: &Path, events: &Path) -> Reader {
    let text = fs::read_to_string(events).unwrap();
    let options = Options { sources: vec![Source::new("events", text)], ..Options::default() };
    Reader::new("trace", Input::open(trace).unwrap(), &options).unwrap()
}

fn export(to: &str, name: &str, out: &Path) {
    let mut traces = Traces::new(
        vec![reader(&testdata(&format!("{name}.bin")), &testdata(&format!("{name}.events")))],
        Needs { anchor: true, ..Needs::default() },
    )
    .unwrap();
    let mut meanings = Meanings::new(Description::default());
    let place = Place::File(File::create(out).unwrap());
    let exporter = (format(to).unwrap().begin)(place, &Setting::default()).unwrap();
    run(&mut traces, &mut meanings, exporter).unwrap();
}

#[test]
fn a_boot_is_all_there() {
    for to in ["perfetto", "chrome"] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("boot");
        export(to, "boot-small", &out);
        let asked = [COMPLAINTS, "select count(*), min(ts), max(ts) from slice"];
        let Some(rows) = query(&out, &asked) else { return };
        assert_eq!(rows[0], Vec::<Vec<serde_json::Value>>::new(), "{to}");
        assert_eq!(rows[1], [["17361", "1892255602468", "1899121907872"]], "{to}");
    }
}
