//! Tests that conditions select the same rows, whether or not they limit the records to decode.

#![allow(clippy::unwrap_used, reason = "tests fail with a panic, and may read the environment")]

use std::path::{Path, PathBuf};

use datafusion::arrow::util::pretty::pretty_format_batches;
use ringtrace_query::{Opening, Pairs, Resources, Session, Source, Wanted, declarations};
use ringtrace_tracefile::Options;

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

fn open(traces: &[&str], events: &[&str]) -> Session {
    let sources = events.iter().map(|name| declarations(&testdata(name)).unwrap()).collect();
    let options = Options { sources, ..Options::default() };
    let paths = traces.iter().map(|name| testdata(name)).collect();
    let opening = Opening { paths, options, ..Opening::default() };
    let source = Source::open(opening, Wanted::default(), Pairs::default()).unwrap();
    Session::new(source, Resources { threads: 2, memory_bytes: 1 << 30 }).unwrap()
}

async fn rows(session: &Session, sql: &str) -> String {
    let batches = session.context().sql(sql).await.unwrap().collect().await.unwrap();
    pretty_format_batches(&batches).unwrap().to_string()
}

/// Returns whether the scan of a query has limits, which follow its columns, or is left out.
async fn is_limited(session: &Session, sql: &str) -> bool {
    let plan = rows(session, &format!("explain {sql}")).await;
    let Some(scan) = plan.lines().find(|line| line.contains("TraceScan")) else { return true };
    scan.split_once("columns=[").unwrap().1.split_once(']').unwrap().1.contains('=')
}

#[tokio::test]
async fn pushed_conditions_select_the_same_rows() {
    let boot = open(&["boot-small.bin"], &["boot-small.events"]);
    let two = open(&["export/everything.trace", "export/far.trace"], &[]);
    let dated = open(&["export/everything.trace"], &[]);
    let first = 1_892_267_779_710_i64;
    for (session, table, condition, is_pushed) in [
        (&boot, "events", "event = 'ioapic_set_irq'".to_owned(), true),
        (&boot, "events", "event in ('ioapic_set_irq', 'visit_type_bool')".to_owned(), true),
        (&boot, "events", "event in ('a', 'b', 'c', 'd', 'visit_type_bool')".to_owned(), true),
        (&boot, "events", "event = 'ioapic_set_irq' and event = 'visit_type_bool'".to_owned(), true),
        (&boot, "events", "event = 'ioapic_*'".to_owned(), true),
        (&boot, "events", "event <> 'apic_register_write'".to_owned(), false),
        (&boot, "events", "event like 'apic%'".to_owned(), false),
        (&boot, "events", "event = 'visit_type_bool' or pid = 0".to_owned(), false),
        (&boot, "events", "pid = 0".to_owned(), true),
        (&boot, "events", "pid in (0, 7751) and pid <> 0".to_owned(), true),
        (&boot, "events", "pid = -1".to_owned(), false),
        (&boot, "events", "tid = 7751".to_owned(), true),
        (&boot, "events", format!("time_ns > {first}"), true),
        (&boot, "events", format!("time_ns <= {first}"), true),
        (&boot, "events", format!("{first} = time_ns"), true),
        (&boot, "events", format!("time_ns between {first} and {first} + 40000000"), true),
        (&boot, "events", format!("time_ns between {first} and {first} - 1"), true),
        (&boot, "events", "time_ns >= -5 and time_ns < 1892300000000".to_owned(), true),
        (&boot, "events", "wall_ns > 5".to_owned(), true),
        (&boot, "ioapic_set_irq", "time_ns > 1899000000000 and vector > 3".to_owned(), true),
        (&boot, "spans", "pair = 'qcow2 write'".to_owned(), true),
        (&boot, "spans", "begin_ns > 1898984075868".to_owned(), false),
        (&boot, "spans", "pair = 'no such pair'".to_owned(), true),
        (&dated, "events", "time >= '2026-11-23T12:00:02.123458826'".to_owned(), true),
        (&dated, "events", "time < '2026-11-23T12:00:02.123458826'".to_owned(), true),
        (&dated, "events", "wall_ns = 1795435202123458826".to_owned(), true),
        (&dated, "events", "tid in (4243, 5151)".to_owned(), true),
        (&dated, "drops", "tid = 4243".to_owned(), true),
        (&dated, "drops", "time_ns > 9007200254744790".to_owned(), true),
        (&dated, "request_begin", "time > '2026-11-23T12:00:02.123458826' and tid = 4242".to_owned(), true),
        (&two, "events", "wall_ns > 1795435202123458826".to_owned(), true),
        (&two, "events", "trace like '%far.trace'".to_owned(), false),
    ] {
        // A condition is not moved below a limit.
        let columns = if table == "spans" { "pair, begin_ns, latency_ns, track" } else { "*" };
        let pushed = format!("select {columns} from {table} where {condition}");
        let kept =
            format!("select {columns} from (select * from {table} limit 1000000000) where {condition}");
        assert_eq!(is_limited(session, &pushed).await, is_pushed, "{pushed}");
        assert_eq!(rows(session, &pushed).await, rows(session, &kept).await, "{pushed}");
    }
}

/// Spans are numbered across all pairs, so their numbers need all pairs.
#[tokio::test]
async fn a_condition_on_the_pair_does_not_change_the_numbers_of_spans() {
    let session = open(&["boot-small.bin"], &["boot-small.events"]);
    let pushed = "select span, begin_ns from spans where pair = 'qcow2 write' order by 1 limit 3";
    let kept = "select span, begin_ns from (select * from spans limit 1000000000) where pair = 'qcow2 write' \
                order by 1 limit 3";
    assert_eq!(rows(&session, pushed).await, rows(&session, kept).await);
    assert!(!is_limited(&session, pushed).await);
}

#[tokio::test]
async fn a_count_decodes_no_columns() {
    let session = open(&["boot-small.bin"], &["boot-small.events"]);
    let plan = rows(&session, "explain select count(*) from events").await;
    assert!(plan.contains("TraceScan: table=events, columns=[]"), "{plan}");
    let plan = rows(&session, "explain select sum(sector) from virtio_blk_handle_read").await;
    assert!(plan.contains("columns=[sector]"), "{plan}");
}
