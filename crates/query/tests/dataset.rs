//! Tests that a dataset gives the same results as the traces in it.

#![allow(clippy::unwrap_used, reason = "tests fail with a panic")]

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::common::ScalarValue;
use ringtrace_export::Dataset as Ingesting;
use ringtrace_export::dataset::{CompactionLimits, Identity};
use ringtrace_query::{
    Dataset, Error, ErrorKind, Opening, Pairs, Resources, Session, Source, Wanted, declarations, parameters,
    ready,
};
use ringtrace_tracefile::pair::{SpanTracker, parse};
use ringtrace_tracefile::{Needs, Options};

const RESOURCES: Resources = Resources { threads: 2, memory_bytes: 1 << 30 };

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

fn opening(traces: &[PathBuf], events: &[&str]) -> Opening {
    let sources = events.iter().map(|name| declarations(&testdata(name)).unwrap()).collect();
    let options = Options { sources, ..Options::default() };
    Opening { paths: traces.to_vec(), options, ..Opening::default() }
}

/// Adds a trace to the dataset at `path`.
fn ingest(path: &Path, opening: &Opening, pairs: &str) {
    let dataset = Ingesting::open(path, false).unwrap();
    let readers = opening.readers().unwrap();
    let identity = Identity::of(&readers[0]).unwrap();
    let description = parse(&declarations(&testdata(pairs)).unwrap()).0;
    let mut tracker = SpanTracker::new(description).keep_begins(true);
    let mut traces = opening.gather(readers, Needs { anchor: true, ..Needs::default() }).unwrap();
    dataset.ingest(&mut traces, &mut tracker, &identity).unwrap();
}

async fn rows(session: &Session, sql: &str) -> String {
    let batches = session.context().sql(sql).await.unwrap().collect().await.unwrap();
    pretty_format_batches(&batches).unwrap().to_string()
}

#[tokio::test]
async fn a_dataset_gives_the_same_results_as_its_traces() {
    let folder = tempfile::tempdir().unwrap();
    let traces = ["export/everything.trace", "export/far.trace"].map(testdata);
    for trace in &traces {
        ingest(folder.path(), &opening(std::slice::from_ref(trace), &[]), "export/everything.pairs");
    }
    let pairs =
        Pairs { files: vec![testdata("export/everything.pairs").display().to_string()], ..Pairs::default() };
    let source = Source::open(opening(&traces, &[]), Wanted::default(), pairs).unwrap();
    let from_traces = Session::new(source, RESOURCES).unwrap();
    let from_dataset = Session::new(Dataset::open(folder.path()).unwrap(), RESOURCES).unwrap();
    for sql in [
        "select count(*) from events",
        "select event, host, count(*), min(time_ns), max(pid) from events group by 1, 2 order by 1, 2",
        "select count(*) from events where event = 'queue_depth' and time_ns > 9007200254742630",
        "select count(*) from events where host = 'made-up'",
        "select count(*) from events where host is null",
        "select time_ns, req, sector, bytes, what from request_begin order by time_ns",
        "select * from (select u8, u64, p from unsigned_integers) order by 2",
        "select i8, i64, l from signed_integers order by 2",
        "select first, second from text order by 1, 2",
        "select pair, outcome, latency_ns, begin_sector, end_ret from spans order by begin_ns, latency_ns",
        "select count(*) from request where latency_ns > 100",
        "select tid, thread, cause, dropped from drops order by dropped",
        "select begin_ns, duration_ns from pauses order by 1",
        "select pair, step, tid from steps order by time_ns",
        "select counter, value from counters order by time_ns, value",
        "select host, pid, records, dropped, overwritten, refused, command from traces order by records",
        "select date_trunc('microsecond', max(time)) from events where host = 'made-up'",
    ] {
        assert_eq!(rows(&from_dataset, sql).await, rows(&from_traces, sql).await, "{sql}");
    }
    let (one, other) = (from_dataset.findings().await, from_traces.findings().await);
    assert_eq!(one.lost(), other.lost());
    assert!(one.lost().is_some());

    // Conditions on partitions and on the id select files.
    let plan = rows(&from_dataset, "explain select * from events where event = 'text'").await;
    assert!(plan.contains("event=text") && !plan.contains("event=legacy"), "{plan}");

    // Without its commit, a trace is not in the dataset.
    let far = Identity::of(&opening(&traces[1..], &[]).readers().unwrap()[0]).unwrap().id;
    std::fs::remove_file(folder.path().join(format!("traces/{far}.parquet"))).unwrap();
    assert_eq!(
        rows(&from_dataset, "select count(*), count(distinct trace) from events").await,
        rows(&from_traces, "select count(*), count(distinct trace) from events where host = 'made-up'").await,
    );
    assert!(
        rows(&from_dataset, &format!("select count(*) as n from events where trace = '{far}'"))
            .await
            .contains("| 0 |")
    );
}

/// Returns the rows of a result with all values as strings, as in `testdata/queries/*.json`.
async fn values(session: &Session, sql: &str) -> serde_json::Value {
    let batches = session.context().sql(sql).await.unwrap().collect().await.unwrap();
    let options = FormatOptions::new().with_timestamp_format(Some("%F %T%.6f"));
    let mut rows = Vec::new();
    for batch in &batches {
        let columns: Vec<_> =
            batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options).unwrap()).collect();
        rows.extend((0..batch.num_rows()).map(|row| {
            let value = |(index, column): (usize, &ArrayFormatter<'_>)| {
                (!batch.column(index).is_null(row)).then(|| column.value(row).to_string())
            };
            columns.iter().enumerate().map(value).collect::<Vec<_>>()
        }));
    }
    serde_json::json!(rows)
}

#[tokio::test]
async fn the_twelve_queries_have_their_results() {
    let folder = tempfile::tempdir().unwrap();
    let pairs = folder.path().join("pairs");
    std::fs::write(&pairs, "pair disk_read:disk_done:req\n  begin disk_read req\n  end disk_done req\n")
        .unwrap();
    let names = ["alpha-1", "alpha-2", "beta-1", "beta-2"];
    let traces = names.map(|name| testdata(&format!("queries/traces/{name}.trace")));
    let dataset = folder.path().join("fleet");
    for trace in &traces {
        ingest(&dataset, &opening(std::slice::from_ref(trace), &[]), pairs.to_str().unwrap());
    }
    let pairs = Pairs { files: vec![pairs.display().to_string()], ..Pairs::default() };
    let source = Source::open(opening(&traces, &[]), Wanted::default(), pairs).unwrap();
    let from_traces = Session::new(source, RESOURCES).unwrap();
    let from_dataset = Session::new(Dataset::open(&dataset).unwrap(), RESOURCES).unwrap();
    let mut queries: Vec<PathBuf> =
        std::fs::read_dir(testdata("queries")).unwrap().map(|entry| entry.unwrap().path()).collect();
    queries.retain(|path| path.extension().is_some_and(|extension| extension == "sql"));
    assert_eq!(queries.len(), 12);
    for query in queries {
        let expected = std::fs::read(query.with_extension("json")).unwrap();
        let expected: serde_json::Value = serde_json::from_slice(&expected).unwrap();
        let sql = std::fs::read_to_string(&query).unwrap();
        for session in [&from_traces, &from_dataset] {
            assert_eq!(values(session, &sql).await, expected, "{}", query.display());
        }
    }
}

#[tokio::test]
async fn damage_of_a_trace_in_a_dataset_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = std::fs::read(testdata("boot-small.bin")).unwrap();
    bytes[700_000..700_100].fill(0);
    let damaged = folder.path().join("damaged.bin");
    std::fs::write(&damaged, bytes).unwrap();
    let dataset = folder.path().join("dataset");
    ingest(&dataset, &opening(&[damaged], &["boot-small.events"]), "export/everything.pairs");
    let session = Session::new(Dataset::open(&dataset).unwrap(), RESOURCES).unwrap();
    assert!(rows(&session, "select count(*) from events").await.contains("9040"));
    let errors: Vec<Error> = session.findings().await.errors;
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].kind, ErrorKind::Input);
    assert!(errors[0].message.contains("record 9041 at offset 0xaae6c"), "{}", errors[0].message);
}

#[tokio::test]
async fn a_missing_file_of_a_folder_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let rotated = folder.path().join("rotated");
    std::fs::create_dir(&rotated).unwrap();
    for number in [1, 3] {
        let file = rotated.join(format!("0000000{number}-20261122T091500Z.trace"));
        std::fs::copy(testdata("queries/traces/alpha-1.trace"), file).unwrap();
    }
    let opening = opening(&[rotated], &[]);
    let missing = "file 2 of the trace is missing";
    let source = Source::open(opening.clone(), Wanted::default(), Pairs::default()).unwrap();
    let session = Session::new(source, RESOURCES).unwrap();
    for table in ["events", "traces", "threads"] {
        rows(&session, &format!("select count(*) from {table}")).await;
        let found = session.findings().await;
        assert!(
            found.is_damaged && found.warnings.iter().any(|(text, _)| text.contains(missing)),
            "{found:?}"
        );
    }
    let dataset = folder.path().join("dataset");
    ingest(&dataset, &opening, "queries/requests.pairs");
    let session = Session::new(Dataset::open(&dataset).unwrap(), RESOURCES).unwrap();
    let errors: Vec<Error> = session.findings().await.errors;
    assert!(errors.len() == 1 && errors[0].message.contains(missing), "{errors:?}");
}

/// Merged files have the rows of all traces. Rows of a trace that is being replaced are not visible.
#[tokio::test]
async fn a_compacted_dataset_gives_the_same_results() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["alpha-1", "alpha-2", "beta-1", "beta-2"];
    for name in names {
        let trace = testdata(&format!("queries/traces/{name}.trace"));
        ingest(folder.path(), &opening(&[trace], &[]), "queries/requests.pairs");
    }
    let questions = [
        "select event, host, trace, count(*), min(time_ns), max(tid) from events group by 1, 2, 3 order by 1, 2, 3",
        "select trace, count(size), sum(size), count(priority), max(file) from disk_read group by 1 order by 1",
        "select count(*) from events where trace = 'a1000000000000000000000000000001'",
        "select pair, trace, outcome, count(*), sum(latency_ns) from spans group by 1, 2, 3 order by 1, 2, 3",
        "select trace, sum(dropped) from drops group by 1 order by 1",
    ];
    let session = || Session::new(Dataset::open(folder.path()).unwrap(), RESOURCES).unwrap();
    let mut expected = Vec::new();
    for sql in questions {
        expected.push(rows(&session(), sql).await);
    }
    let dataset = Ingesting::open(folder.path(), false).unwrap();
    let plan = dataset.plan_compaction(CompactionLimits::default()).unwrap();
    let done = AtomicU64::new(0);
    let compacted = dataset.compact(&plan, &done).unwrap();
    assert_eq!((compacted.busy, compacted.results), (0, plan.results));
    assert!(compacted.merged > compacted.results && done.into_inner() > 0);
    for (sql, expected) in questions.iter().zip(&expected) {
        assert_eq!(&rows(&session(), sql).await, expected, "{sql}");
    }

    // A process is replacing a trace: it has written the journal, and has deleted the row of the trace.
    let id = "a1000000000000000000000000000001";
    let staging = folder.path().join(format!("_staging/{id}-1"));
    std::fs::create_dir(&staging).unwrap();
    std::fs::write(staging.join("commit"), format!("{{\"trace\": \"{id}\"}}")).unwrap();
    let without = "select distinct trace from events order by 1";
    assert!(rows(&session(), without).await.contains(id), "the trace is still committed");
    std::fs::remove_file(folder.path().join(format!("traces/{id}.parquet"))).unwrap();
    for sql in [
        without,
        "select distinct trace from spans",
        "select distinct trace from disk_read",
        "select trace from drops",
    ] {
        let found = rows(&session(), sql).await;
        assert!(!found.contains(id) && found.contains("a2000000000000000000000000000002"), "{sql}: {found}");
    }
}

/// Hosts and dates are compared like traces, with the latencies of pairs.
#[tokio::test]
async fn hosts_and_dates_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["alpha-1", "alpha-2", "beta-1", "beta-2"] {
        let trace = testdata(&format!("queries/traces/{name}.trace"));
        ingest(folder.path(), &opening(&[trace], &[]), "queries/requests.pairs");
    }
    let session = Session::new(Dataset::open(folder.path()).unwrap(), RESOURCES).unwrap();
    let compare = |by: &str, one: &str, other: &str| {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let query = ready("compare").unwrap();
        let values = [pair("by", by), pair("one", one), pair("other", other)];
        (query.sql, parameters(Some(query), &values).unwrap())
    };
    for (by, one, other) in
        [("host", "alpha", "beta"), ("host", "", ""), ("date", "2026-11-23", "2026-11-24")]
    {
        let (sql, values) = compare(by, one, other);
        let values: Vec<(String, ScalarValue)> = values.into_iter().collect();
        let frame = session.context().sql(sql).await.unwrap().with_param_values(values).unwrap();
        let found = pretty_format_batches(&frame.collect().await.unwrap()).unwrap().to_string();
        let side = if by == "host" { "host" } else { "to_char(time, '%Y-%m-%d')" };
        let (one, other) = if by == "host" { ("alpha", "beta") } else { (one, other) };
        for (kind, table, count) in
            [("event", "disk_read", "count(*)"), ("pair", "request", "count(latency_ns)")]
        {
            let from = if kind == "event" { "events where event" } else { "spans where pair" };
            let count = format!(
                "select '{kind}', '{table}', {count} filter (where {side} = '{one}'), {count} filter (where {side} = '{other}') from {from} = '{table}'"
            );
            let expected = rows(&session, &count).await;
            let cells = |text: &str| -> Vec<String> {
                text.split('|').map(|cell| cell.trim().to_owned()).filter(|cell| !cell.is_empty()).collect()
            };
            let expected = cells(expected.lines().nth(3).unwrap());
            let found: Vec<Vec<String>> =
                found.lines().map(cells).filter(|cells| cells.starts_with(&expected)).collect();
            assert_eq!(found.len(), 1, "{by}: {expected:?}");
            assert_eq!(found[0].len(), if kind == "event" { 5 } else { 9 }, "{found:?}");
        }
    }
}
