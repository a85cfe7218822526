//! Tests datasets in an object store, with a server of S3 on loopback.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests fail with a panic")]

mod server;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::Int64Type;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReader;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use ringtrace_export::Dataset as Ingesting;
use ringtrace_export::dataset::Identity;
use ringtrace_query::{Opening, Pairs};
use ringtrace_tracefile::pair::{PairSpec, SpanTracker};
use ringtrace_tracefile::{Filter, FilterOptions, Needs};
use server::Server;
use tempfile::TempDir;

const URL: &str = "s3://bucket/fleet";
const TRACES: [&str; 4] = ["alpha-1", "alpha-2", "beta-1", "beta-2"];
const ALPHA_1: &str = "a1000000000000000000000000000001";

fn queries() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/queries")
}

fn program(server: &Server) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace-sql"));
    server.environment(command.env_clear());
    command
}

fn succeeded(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {error}", output.status);
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns the result of a query as CSV.
fn ask(server: &Server, sql: &str) -> String {
    succeeded(&program(server).args([URL, sql, "--format", "csv"]).output().unwrap())
}

/// A trace that `ringtrace ingest` has read into a local folder.
struct Staged {
    folder: TempDir,
    id: String,
}

impl Staged {
    /// Reads the trace `name`, or only the events `event` of it.
    fn new(server: &Server, name: &str, event: Option<&str>) -> Staged {
        let folder = tempfile::tempdir().unwrap();
        let fetched = program(server).args(["--fetch", URL]).arg(folder.path()).output().unwrap();
        assert_eq!(succeeded(&fetched), "");
        let staged = Staged { folder, id: String::new() };
        staged.read(name, event)
    }

    /// Reads the trace with the types of columns that are in the folder.
    fn read(self, name: &str, event: Option<&str>) -> Staged {
        let opening =
            Opening { paths: vec![queries().join(format!("traces/{name}.trace"))], ..Opening::default() };
        let readers = opening.readers().unwrap();
        let identity = Identity::of(&readers[0]).unwrap();
        let mut traces = opening.gather(readers, Needs { anchor: true, ..Needs::default() }).unwrap();
        if let Some(event) = event {
            let options = FilterOptions { include: vec![event.to_owned()], ..FilterOptions::default() };
            traces.set_filter(Filter::new(options));
        }
        let pairs =
            Pairs { pairs: vec![PairSpec::parse("disk_read:disk_done:req").unwrap()], ..Pairs::default() };
        let mut tracker = SpanTracker::new(pairs.description(&[]).unwrap()).keep_begins(true);
        let dataset = Ingesting::open(self.folder.path(), false).unwrap();
        dataset.ingest(&mut traces, &mut tracker, &identity).unwrap();
        Staged { id: identity.id, ..self }
    }

    fn publishing(&self, server: &Server) -> Command {
        let mut command = program(server);
        command.args(["--publish", URL]).arg(self.folder.path()).arg(&self.id);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn publish(&self, server: &Server) -> String {
        succeeded(&self.publishing(server).output().unwrap())
    }
}

fn ingest_all(server: &Server) {
    for name in TRACES {
        assert_eq!(Staged::new(server, name, None).publish(server), "changed");
    }
}

/// Parses lines of CSV. Fields without quotes are null if they are empty.
fn parse_csv(text: &str) -> Vec<Vec<Option<String>>> {
    let mut rows = Vec::new();
    for line in text.lines().skip(1) {
        let (mut row, mut rest) = (Vec::new(), line);
        loop {
            let mut field = None;
            if let Some(quoted) = rest.strip_prefix('"') {
                let mut value = String::new();
                rest = quoted;
                loop {
                    let (part, after) = rest.split_once('"').unwrap();
                    value += part;
                    match after.strip_prefix('"') {
                        Some(more) => (value, rest) = (value + "\"", more),
                        None => break rest = after,
                    }
                }
                field = Some(value);
            } else {
                let (value, after) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
                field = Some(value.to_owned()).filter(|value| !value.is_empty()).or(field);
                rest = after;
            }
            row.push(field);
            match rest.strip_prefix(',') {
                Some(more) => rest = more,
                None => break,
            }
        }
        rows.push(row);
    }
    rows
}

#[test]
fn the_twelve_queries_have_their_results() {
    let server = Server::start();
    ingest_all(&server);
    let mut checked = 0;
    for entry in fs::read_dir(queries()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "sql") {
            continue;
        }
        let expected: Vec<Vec<Option<String>>> =
            serde_json::from_slice(&fs::read(path.with_extension("json")).unwrap()).unwrap();
        let sql = fs::read_to_string(&path).unwrap();
        // An argument that begins with a comment would be an option.
        let sql: String =
            sql.lines().filter(|line| !line.starts_with("--")).map(|line| format!("{line}\n")).collect();
        let mut found = parse_csv(&ask(&server, &sql));
        if path.ends_with("11-window.sql") {
            for time in found.iter_mut().flat_map(|row| row.iter_mut().skip(2)) {
                *time = time.as_ref().map(|time| time.replace('T', " "));
            }
        }
        assert_eq!(found, expected, "{}", path.display());
        checked += 1;
    }
    assert_eq!(checked, 12);
}

/// A query requests the list of traces, their rows, and the files that it needs.
#[test]
fn a_query_requests_only_what_it_needs() {
    let server = Server::start();
    ingest_all(&server);
    server.requests();
    let requests = |sql: &str| {
        ask(&server, sql);
        let all = server.requests();
        let lists = all.iter().filter(|(_, uri)| uri.contains("list-type")).count();
        let below = |folder: &str| {
            let is_below = |uri: &&str| uri.starts_with(&format!("/bucket/fleet/{folder}"));
            all.iter().map(|(_, uri)| uri.as_str()).filter(is_below).collect::<BTreeSet<&str>>().len()
        };
        assert!(all.iter().all(|(method, _)| method == "GET"), "{all:?}");
        assert_eq!((lists, below("traces/")), (1, 4), "{all:?}");
        assert_eq!(below("events/") + below("spans/") + below("_") + 4 + lists, {
            all.iter().map(|(_, uri)| uri).collect::<BTreeSet<_>>().len()
        });
        (below("_columns"), below("events/"), below("spans/"))
    };
    assert_eq!(requests("select count(*) from traces"), (0, 0, 0));
    let all = Server::objects(&server).keys().filter(|name| name.starts_with("events/")).count();
    assert_eq!(requests("select count(*) from events"), (0, all, 0));
    let one = format!("select count(*) from disk_read where trace = '{ALPHA_1}' and date = '2026-11-24'");
    assert_eq!(requests(&one), (1, 1, 0));
    assert_eq!(requests("select count(*) from events where event = 'nothing'"), (0, 0, 0));
    assert_eq!(requests("select count(*) from spans where host = 'beta' and date = '2026-11-24'").2, 2);
}

/// The counts of an engine that reads all files, and selects rows whose trace is in `traces`.
fn other_engine(folder: &Path) -> BTreeMap<String, (usize, i64)> {
    let mut found = BTreeMap::new();
    let read = |path: &Path| -> ParquetRecordBatchReader {
        ParquetRecordBatchReaderBuilder::try_new(fs::File::open(path).unwrap()).unwrap().build().unwrap()
    };
    let mut files = Vec::new();
    list(folder, &mut files);
    for path in files.iter().filter(|path| path.starts_with(folder.join("traces"))) {
        for batch in read(path).map(|batch| batch.unwrap()) {
            for trace in batch.column_by_name("trace").unwrap().as_string::<i32>().iter().flatten() {
                found.insert(trace.to_owned(), (0, 0_i64));
            }
        }
    }
    for path in files.iter().filter(|path| path.starts_with(folder.join("events"))) {
        for batch in read(path).map(|batch| batch.unwrap()) {
            let traces = batch.column_by_name("trace").unwrap();
            let traces =
                datafusion::arrow::compute::cast(traces, &datafusion::arrow::datatypes::DataType::Utf8);
            let times = batch.column_by_name("time_ns").unwrap().as_primitive::<Int64Type>().clone();
            for (trace, time) in traces.unwrap().as_string::<i32>().iter().zip(times.iter()) {
                if let Some((count, sum)) = found.get_mut(trace.unwrap()) {
                    *count += 1;
                    *sum = sum.wrapping_add(time.unwrap());
                }
            }
        }
    }
    found
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap()) {
        match entry.path().is_dir() {
            true => list(&entry.path(), files),
            false if entry.path().extension().is_some_and(|extension| extension == "parquet") => {
                files.push(entry.path());
            }
            false => {}
        }
    }
}

const SUMS: &str = "select trace, count(*), sum(time_ns) from events group by 1 order by 1";

/// Returns the counts that `ringtrace sql` sees. They are the same for other engines.
fn counts(server: &Server) -> BTreeMap<String, (usize, i64)> {
    let rows = parse_csv(&ask(server, SUMS)).into_iter().map(|row| row.into_iter().map(Option::unwrap));
    let ours: BTreeMap<_, _> = rows
        .map(Iterator::collect::<Vec<_>>)
        .map(|row| (row[0].clone(), (row[1].parse().unwrap(), row[2].parse().unwrap())))
        .collect();
    assert_eq!(other_engine(&server.fleet()), ours);
    ours
}

/// All files in the store belong to committed traces, except settings.
fn assert_no_leftovers(server: &Server) {
    let mut named = BTreeSet::new();
    let objects = server.objects();
    for (name, bytes) in objects.iter().filter(|(name, _)| name.starts_with("traces/")) {
        let builder = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes.clone())).unwrap();
        let metadata = builder.metadata().file_metadata().key_value_metadata().unwrap().clone();
        let parts = metadata.into_iter().find(|pair| pair.key == "ringtrace.parts").unwrap().value.unwrap();
        named.extend(parts.lines().map(str::to_owned));
        named.insert(name.clone());
    }
    let found: BTreeSet<String> = objects.into_keys().filter(|name| !name.starts_with('_')).collect();
    assert_eq!(found, named);
}

#[test]
fn a_repeated_ingest_uploads_nothing() {
    let server = Server::start();
    ingest_all(&server);
    let (before, sums) = (server.objects(), counts(&server));
    assert_eq!(sums.values().map(|(count, _)| count).sum::<usize>(), 1260);
    assert_no_leftovers(&server);
    for name in TRACES {
        let staged = Staged::new(&server, name, None);
        server.requests();
        assert_eq!(staged.publish(&server), "unchanged");
        let requests = server.requests();
        assert!(requests.len() == 1 && requests[0].0 == "GET", "{requests:?}");
    }
    assert_eq!(server.objects(), before);
}

#[test]
fn ingests_at_the_same_time_add_each_row_once() {
    let expected = {
        let server = Server::start();
        ingest_all(&server);
        counts(&server)
    };
    let server = Server::start();
    // All processes have the same view of the columns, which do not exist yet.
    let read = || TRACES.map(|name| (name, Staged::new(&server, name, None)));
    let mut todo: Vec<(&str, Staged)> = [read(), read()].into_iter().flatten().collect();
    let mut rounds = 0;
    while !todo.is_empty() {
        let running: Vec<_> = todo
            .into_iter()
            .map(|(name, staged)| {
                let child = staged.publishing(&server).spawn().unwrap();
                (name, staged, child)
            })
            .collect();
        let mut again = Vec::new();
        for (name, staged, child) in running {
            match succeeded(&child.wait_with_output().unwrap()).as_str() {
                "changed" | "unchanged" => {}
                // Another version of the program was faster to register its types.
                "columns" => again.push((name, staged.read(name, None))),
                other => panic!("{other}"),
            }
        }
        todo = again;
        rounds += 1;
        assert!(rounds < 5);
    }
    let found = counts(&server);
    assert_eq!(found, expected);
    assert_no_leftovers(&server);
}

/// The server stops after each number of changes, or each `step`th. The process is killed, and the
/// ingest repeated.
fn kill_everywhere(step: usize, prepare: impl Fn(&Server), expected_before: Option<(usize, i64)>) -> usize {
    let expected = {
        let server = Server::start();
        ingest_all(&server);
        counts(&server)[ALPHA_1]
    };
    for allowed in (0..).step_by(step) {
        let server = Server::start();
        prepare(&server);
        let staged = Staged::new(&server, TRACES[0], None);
        server.stop_after(allowed);
        let mut child = staged.publishing(&server).spawn().unwrap();
        let is_stopped = server.wait_for_stop(|| child.try_wait().unwrap().is_some());
        let during = counts(&server).get(ALPHA_1).copied();
        assert!(
            during.is_none() || during == Some(expected) || during == expected_before,
            "{allowed}: {during:?}"
        );
        child.kill().unwrap();
        child.wait().unwrap();
        server.go_on();
        if !is_stopped {
            assert_eq!(during, Some(expected));
            return allowed;
        }
        assert_eq!(counts(&server).get(ALPHA_1).copied(), during, "{allowed}");
        assert_eq!(Staged::new(&server, TRACES[0], None).publish(&server), "changed", "{allowed}");
        assert_eq!(counts(&server)[ALPHA_1], expected, "{allowed}");
        assert_no_leftovers(&server);
    }
    unreachable!()
}

#[test]
fn a_killed_ingest_can_be_repeated() {
    assert!(kill_everywhere(1, |_| {}, None) > 10);
}

/// The earlier version of the trace has other rows, in other files.
#[test]
fn a_killed_replacement_can_be_repeated() {
    let few = {
        let server = Server::start();
        Staged::new(&server, TRACES[0], Some("ticket")).publish(&server);
        counts(&server)[ALPHA_1]
    };
    let earlier = |server: &Server| {
        assert_eq!(Staged::new(server, TRACES[0], Some("ticket")).publish(server), "changed");
    };
    assert!(kill_everywhere(2, earlier, Some(few)) > 10);
}

/// An ingest with other contents replaces one that is still running, which then reports that.
#[test]
fn the_last_ingest_of_a_trace_wins() {
    let server = Server::start();
    Staged::new(&server, TRACES[0], None).publish(&server);
    let expected = counts(&server);
    let server = Server::start();
    let (slow, fast) =
        (Staged::new(&server, TRACES[0], Some("ticket")), Staged::new(&server, TRACES[0], None));
    // The slow process has written the types of a column, its claim of the trace, and one file.
    server.stop_after(3);
    let slow = slow.publishing(&server).spawn().unwrap();
    assert!(server.wait_for_stop(|| false));
    server.go_on();
    assert_eq!(fast.publish(&server), "changed");
    assert_eq!(counts(&server), expected);
    // Now it writes its other files. Only then does it notice.
    server.execute_late_requests();
    let output = slow.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{message}");
    let expected_message =
        format!("error: {URL}: another process has added trace {ALPHA_1} with other contents\n");
    assert!(message.starts_with(&expected_message), "{message}");
    assert_eq!(counts(&server), expected);
    assert_no_leftovers(&server);
}

/// Runs a query that must fail, and returns the message.
fn failure(command: &mut Command) -> String {
    let start = Instant::now();
    let output = command.args([URL, "select 1 from events"]).output().unwrap();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(matches!(output.status.code(), Some(1 | 4)), "{message}");
    assert!(message.lines().count() <= 2, "{message}");
    message
}

#[test]
fn errors_name_the_reason() {
    let server = Server::start();
    let message = failure(&mut program(&server));
    assert!(
        message.starts_with("error: s3://bucket/fleet: there is no dataset: _dataset.json is missing\n"),
        "{message}"
    );
    ingest_all(&server);

    let message = failure(program(&server).env("AWS_SECRET_ACCESS_KEY", "wrong"));
    assert!(
        message.starts_with("error: s3://bucket/fleet/_dataset.json: access denied (SignatureDoesNotMatch"),
        "{message}"
    );
    let message = failure(program(&server).env("AWS_ACCESS_KEY_ID", "unknown"));
    assert!(message.starts_with("error: s3://bucket/fleet/_dataset.json: access denied"), "{message}");
    let message =
        failure(program(&server).env_remove("AWS_ACCESS_KEY_ID").env_remove("AWS_SECRET_ACCESS_KEY"));
    assert!(
        message
            .starts_with("error: s3://bucket/fleet/_dataset.json: there are no credentials for this store"),
        "{message}"
    );
    // No server listens on this port.
    let message = failure(program(&server).env("AWS_ENDPOINT_URL", "http://127.0.0.1:9"));
    assert!(message.contains("cannot connect to the server") && message.contains("refused"), "{message}");
    let message = failure(program(&server).env_remove("AWS_ALLOW_HTTP"));
    assert!(message.contains("AWS_ALLOW_HTTP"), "{message}");

    let run = |words: &[&str]| {
        let output = program(&server).args(words).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (status, message) = run(&["s3://other/fleet", "select 1 from events"]);
    assert_eq!(status, Some(4));
    assert!(message.contains(": there is no bucket s3://other\n"), "{message}");
    let (status, message) = run(&["ftp://bucket/fleet", "select 1 from events"]);
    assert_eq!(status, Some(2));
    assert!(message.contains("expected s3://BUCKET/FOLDER"), "{message}");
    let (status, message) = run(&[URL, "s3://bucket/other", "select 1 from events"]);
    assert_eq!(status, Some(2), "{message}");
    let (status, message) = run(&[URL, "--sort", "select 1 from events"]);
    assert_eq!(status, Some(2), "{message}");
    let (status, message) = run(&[URL, "select 1 from evnts"]);
    assert!(status == Some(2) && message.contains("did you mean `events`?"), "{message}");

    // A folder with other objects does not become a dataset.
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let (status, message) = run(&["--fetch", "s3://bucket", folder]);
    assert_eq!(status, Some(1));
    assert!(message.contains("is not a dataset: it contains `fleet/"), "{message}");
    let (status, message) = run(&["--fetch-signed", URL, folder]);
    assert!(status == Some(2) && message.contains("was created without it"), "{message}");
}

/// The files of a trace are deleted between opening the dataset and reading them.
#[test]
fn a_file_that_is_deleted_is_an_error() {
    let server = Server::start();
    ingest_all(&server);
    let name = server.objects().into_keys().find(|name| name.starts_with("events/event=disk_read")).unwrap();
    fs::remove_file(server.fleet().join(&name)).unwrap();
    let message = failure(&mut program(&server));
    assert!(message.contains(&format!("fleet/{name} was deleted while the query ran")), "{message}");
}

/// A dataset that was copied from a local folder has no sizes in its commits.
#[test]
fn a_copied_dataset_can_be_read() {
    let server = Server::start();
    ingest_all(&server);
    let expected = ask(&server, SUMS);
    let server = Server::start();
    let staged = Staged::new(&server, TRACES[0], None);
    for folder in ["events", "spans", "dropped", "traces", "_columns"] {
        copy(&staged.folder.path().join(folder), &server.fleet().join(folder));
    }
    assert_eq!(
        ask(&server, SUMS),
        expected.lines().take(2).map(|line| format!("{line}\n")).collect::<String>()
    );
    // The next ingest replaces it.
    assert_eq!(staged.publish(&server), "changed");
    assert_eq!(ask(&server, SUMS).lines().count(), 2);
    assert_no_leftovers(&server);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}
