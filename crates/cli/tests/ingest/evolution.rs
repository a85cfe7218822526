//! Programs that declare an event differently, and traces without the usual metadata.

use std::fs;
use std::path::Path;

use ringtrace_peers::python;

use super::fleet::FLEET;
use super::{contents, fleet_dataset, ingest, succeed};

/// Runs a query with DuckDB in `folder`. Returns a line for each row, or `None` without DuckDB.
fn query(folder: &Path, question: &str) -> Option<String> {
    let script = "
import duckdb, os, sys
os.chdir(sys.argv[1])
for row in duckdb.sql(sys.argv[2]).fetchall():
    print(*row, sep='|')
";
    let arguments = [folder.to_str().unwrap(), question];
    python::run("duckdb", script, &arguments).map(|ran| ran.succeeded())
}

#[test]
fn an_argument_with_another_type_is_another_column() {
    let folder = fleet_dataset();
    let sizes = "SELECT host, min(typeof(size)), min(typeof(size__uint64)), count(size), count(size__uint64), count(priority) \
                 FROM read_parquet('fleet/events/event=disk_read/**/*.parquet', union_by_name = true) GROUP BY host ORDER BY host";
    let Some(rows) = query(folder.path(), sizes) else { return };
    assert_eq!(rows, "alpha|BIGINT|UBIGINT|300|0|0\nbeta|BIGINT|UBIGINT|150|120|120\n");
    let spans = "SELECT count(begin_size), count(begin_size__uint64), count(begin_priority) \
                 FROM read_parquet('fleet/spans/**/*.parquet', union_by_name = true)";
    assert_eq!(query(folder.path(), spans).unwrap(), "450|120|120\n");
    let renamed = "SELECT trace, renamed FROM 'fleet/traces/*.parquet' WHERE renamed IS NOT NULL";
    let expected =
        r#"{"events/disk_read":{"size":"size__uint64"},"spans":{"begin_size":"begin_size__uint64"}}"#;
    assert_eq!(
        query(folder.path(), renamed).unwrap(),
        format!("b2000000000000000000000000000004|{expected}\n")
    );
}

/// The type of the first trace keeps the name, and the tool reports the other one.
#[test]
fn the_order_decides_which_type_keeps_the_name() {
    let folder = tempfile::tempdir().unwrap();
    let said = succeed(&mut ingest(&folder.path().join("fleet"), &[FLEET[3].path(), FLEET[0].path()]));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    let expected = "  events/disk_read: `size` is in the column `size__int64`, because earlier traces declare another type";
    assert_eq!(lines[2], expected);
}

#[test]
fn signed_datasets_contain_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("fleet");
    let trace = FLEET[0].path();
    succeed(&mut ingest(&dataset, &["--signed".as_ref(), trace.as_path()]));
    // The dataset remembers the option.
    succeed(&mut ingest(&dataset, &[FLEET[1].path()]));
    let tokens = "SELECT DISTINCT typeof(token) FROM 'fleet/events/event=ticket/**/*.parquet'";
    let Some(types) = query(folder.path(), tokens) else { return };
    assert_eq!(types, "BIGINT\n");
    let other = folder.path().join("other");
    succeed(&mut ingest(&other, &[trace, FLEET[1].path()]));
    let differences = "SELECT count(*), max(s.token), min(s.token), max(u.token) \
        FROM 'fleet/events/event=ticket/**/*.parquet' s JOIN 'other/events/event=ticket/**/*.parquet' u \
        ON s.trace = u.trace AND s.time_ns = u.time_ns \
        AND s.token = CASE WHEN u.token > 9223372036854775807 THEN u.token::HUGEINT - 18446744073709551616 ELSE u.token END";
    let count = "SELECT count(*) FROM 'other/events/event=ticket/**/*.parquet'";
    let count = query(folder.path(), count).unwrap();
    let rows = query(folder.path(), differences).unwrap();
    assert!(rows.starts_with(&format!("{}|", count.trim_end())), "{rows}, not {count}");
    assert!(rows.ends_with("|-9223372036854775808|18446744073709551615\n"), "{rows}");
    let output = ingest(&other, &["--signed".as_ref(), FLEET[0].path().as_path()]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("--signed: the dataset "), "{said}");
}

/// A record of the 2011 RFC can have more values than its event declares.
#[test]
fn values_that_are_not_declared_have_a_column() {
    let folder = tempfile::tempdir().unwrap();
    let [trace, events] = ["trace", "trace-events"].map(|name| folder.path().join(name));
    fs::write(&events, "ints(int a) \"\"\n").unwrap();
    let words = [0xaa00_11ff, 4242, 2, 0, 0xa1b2_c3d4_u64, 0, 1000, 2, 8, 5, 8, 6];
    fs::write(&trace, words.map(u64::to_le_bytes).concat()).unwrap();
    let dataset = folder.path().join("fleet");
    succeed(&mut ingest(&dataset, &["-e".as_ref(), events.as_path(), trace.as_path()]));
    let columns = fs::read_to_string(dataset.join("_columns/events/ints.json")).unwrap();
    assert_eq!(columns, r#"{"a":"int64","surplus":"utf8"}"#);
    let values = "SELECT a, surplus FROM read_parquet('fleet/events/event=ints/**/*.parquet')";
    let Some(rows) = query(folder.path(), values) else { return };
    assert_eq!(rows, "5|{\"arg2\":6}\n");
}

/// A trace without an id, a host and a date. Its id does not depend on its name, its format or its
/// compression.
#[test]
fn traces_without_metadata_have_a_stable_id() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("fleet");
    let testdata = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
    let (events, trace) = (testdata("boot-small.events"), testdata("boot-small.bin"));
    let said = succeed(&mut ingest(&dataset, &["-e".as_ref(), events.as_path(), &trace]));
    let id = said.lines().next().unwrap().rsplit(' ').next().unwrap().to_owned();
    assert!(id.len() == 33 && id.starts_with('h'), "{said}");
    let copy = folder.path().join("copy");
    fs::copy(&trace, &copy).unwrap();
    let gzip = std::process::Command::new("gzip").arg("--keep").arg(&copy).status().unwrap();
    assert!(gzip.success());
    for (name, words) in [("copy", &[][..]), ("copy.gz", &["--epoch", "2026-11-23T09:00:00Z"])] {
        let path = folder.path().join(name);
        let mut command = ingest(&dataset, &["-e".as_ref(), events.as_path(), &path]);
        let said = succeed(command.args(words));
        assert!(said.lines().next().unwrap().contains(&id), "{said}");
    }
    // The date is known since the last ingest.
    let names: Vec<String> = contents(&dataset).into_keys().map(|name| name.display().to_string()).collect();
    let of_events = names.iter().filter(|name| name.starts_with("events/"));
    assert!(of_events.clone().count() > 50);
    assert!(of_events.clone().all(|name| name.contains("/date=2026-11-23/host=unknown/")), "{names:?}");
}

#[test]
fn a_folder_with_other_files_is_not_a_dataset() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes"), "").unwrap();
    let output = ingest(folder.path(), &[FLEET[0].path()]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("is not a dataset: it contains `notes`, and no _dataset.json"), "{said}");
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(contents(folder.path()).len(), 1);
    fs::write(folder.path().join("_dataset.json"), "{\"version\": 3, \"signed\": false}").unwrap();
    let output = ingest(folder.path(), &[FLEET[0].path()]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("has schema version 3; this ringtrace writes version 2"), "{said}");
}

#[test]
fn an_unreadable_trace_is_not_added() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = folder.path().join("fleet");
    let trace = folder.path().join("undeclared.trace");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/boot-small.bin"), &trace).unwrap();
    let output = ingest(&dataset, &[&trace]).output().unwrap();
    assert_eq!((output.status.code(), &*output.stdout), (Some(1), &b""[..]));
    assert!(contents(&dataset).keys().all(|name| !name.starts_with("traces")));
}

/// A damaged trace has records at any time. Rows far from the others have no date, so that they do not
/// make a folder each.
#[test]
fn times_far_from_the_anchor_have_no_date() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("damaged.trace");
    // Every 116 days, for 95 years.
    fs::write(&trace, FLEET[0].bytes_with((1..300).map(|number| number * 10_000_000_000_000_000))).unwrap();
    let dataset = folder.path().join("fleet");
    let said = succeed(&mut ingest(&dataset, &[&trace]));
    assert!(said.contains(": 730 records "), "{said}");
    let dates = fs::read_dir(dataset.join("events/event=ticket")).unwrap();
    let mut dates: Vec<String> =
        dates.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    dates.sort();
    // Two dates of the trace, 8 later ones within 1,000 days, and one folder for all others.
    assert_eq!(dates.len(), 11, "{dates:?}");
    assert_eq!((&*dates[0], &*dates[10]), ("date=2026-11-23", "date=unknown"));
    let rows = "SELECT count(*), count(time) FROM 'fleet/events/event=ticket/date=unknown/**/*.parquet'";
    let Some(rows) = query(folder.path(), rows) else { return };
    assert_eq!(rows, "291|291\n");
}

/// The files of a rotated trace have the same id, in a folder or not, so they are one trace.
#[test]
fn files_of_a_folder_are_one_trace() {
    let folder = tempfile::tempdir().unwrap();
    let rotated = folder.path().join("engine.d");
    fs::create_dir(&rotated).unwrap();
    let names = ["00000001-20261123T235959Z.trace", "00000002-20261124T000000Z.trace"];
    let files = names.map(|name| rotated.join(name));
    fs::copy(FLEET[0].path(), &files[0]).unwrap();
    let first = succeed(&mut ingest(&folder.path().join("fleet"), &[&rotated]));
    assert!(first.contains(": 431 records and 0 spans in 8 files, as trace a1"), "{first}");
    // The program has continued in another file.
    fs::copy(FLEET[0].path(), &files[1]).unwrap();
    let said = succeed(&mut ingest(&folder.path().join("fleet"), &[&rotated]));
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains(": 862 records and 0 spans in 8 files, as trace a1"), "{said}");
    let apart = succeed(&mut ingest(&folder.path().join("apart"), &files));
    assert_eq!(apart.lines().count(), 1, "{apart}");
    assert!(apart.contains(": 862 records and 0 spans in 8 files, as trace a1"), "{apart}");
    let rows = "SELECT count(*), count(DISTINCT trace) FROM 'fleet/events/**/*.parquet'";
    let Some(rows) = query(folder.path(), rows) else { return };
    assert_eq!(rows, "862|1\n");
}
