//! Traces of programs that use `tracing`, read like any other trace.

#![cfg(feature = "layer")]
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ringtrace_tracefile::{Entry, Flow, Input, Options as ReadOptions, Reader, Value};
use ringtrace_tracing::{Guard, Options};
use ringtrace_wire::simpletrace::ArgumentKind;
use tracing::{Dispatch, Level, Span, debug, enabled, event, field, info, info_span, instrument, warn};
use tracing_subscriber::prelude::*;

/// Run one test at a time, because there is only one session.
static TURN: Mutex<()> = Mutex::new(());

/// A record: the event's name, and its arguments as `NAME=VALUE`.
type Record = (String, Vec<String>);

struct Session {
    _turn: MutexGuard<'static, ()>,
    folder: tempfile::TempDir,
    guard: Option<Guard>,
}

impl Session {
    fn start(pattern: &str) -> Session {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        ringtrace::set_enabled("*", false);
        let options = Options::new().enable(pattern).file(folder.path().join("trace"));
        let guard = Some(options.start().unwrap());
        Session { _turn: turn, folder, guard }
    }

    fn finish(mut self) -> Vec<Record> {
        drop(self.guard.take());
        records(&self.folder.path().join("trace"))
    }
}

fn records(file: &Path) -> Vec<Record> {
    let mut reader = Reader::new("trace", Input::open(file).unwrap(), &ReadOptions::default()).unwrap();
    let mut records = Vec::new();
    reader
        .for_each(|entry: &Entry<'_>| {
            let arguments = entry.schema.arguments.iter().zip(&entry.schema.kinds).zip(entry.values());
            let arguments = arguments.map(|((argument, kind), value)| match (kind, value) {
                (_, Value::Str(bytes)) => format!("{}={}", argument.name, String::from_utf8_lossy(bytes)),
                (_, Value::Integer(bits))
                    if entry.schema.declaration.contains(&format!("double {}", argument.name)) =>
                {
                    format!("{}={:?} (double)", argument.name, f64::from_bits(bits))
                }
                (ArgumentKind::Integer { signed: true }, Value::Integer(bits)) => {
                    format!("{}={}", argument.name, bits.cast_signed())
                }
                (_, Value::Integer(bits)) => format!("{}={bits}", argument.name),
            });
            records.push((entry.schema.name.to_string(), arguments.collect()));
            Flow::Continue
        })
        .unwrap();
    assert!(reader.anomalies().is_empty(), "{:?}", reader.anomalies());
    records
}

/// Returns the two forms, the subscriber and the layer, so that each test runs with both.
fn forms() -> [(&'static str, Dispatch); 2] {
    [
        ("subscriber", Dispatch::new(ringtrace_tracing::subscriber())),
        ("layer", Dispatch::new(tracing_subscriber::registry().with(ringtrace_tracing::layer()))),
    ]
}

/// Runs `work` with each form, and passes the records of each to `examine`.
fn with_each(pattern: &str, work: impl Fn(), examine: impl Fn(&[Record])) {
    for (form, dispatch) in forms() {
        let session = Session::start(pattern);
        tracing::dispatcher::with_default(&dispatch, &work);
        let records = session.finish();
        println!("{form}: {records:#?}");
        examine(&records);
    }
}

fn arguments<'r>(records: &'r [Record], name: &str) -> Vec<&'r [String]> {
    let of = records.iter().filter(|(found, _)| found == name || found.ends_with(&format!("__{name}")));
    of.map(|(_, arguments)| arguments.as_slice()).collect()
}

#[derive(Debug)]
#[expect(dead_code, reason = "shown by Debug")]
struct Point {
    x: i32,
}

#[test]
fn fields_have_their_names_types_and_values() {
    let work = || {
        let error: &(dyn std::error::Error + 'static) = &std::fmt::Error;
        event!(
            name: "every_type",
            target: "types::of::fields",
            Level::INFO,
            unsigned = u64::MAX,
            small = 7_u8,
            signed = -5,
            yes = true,
            text = "plain",
            float = 1.5,
            single = 0.1_f32,
            debug = ?Point { x: 3 },
            display = %"shown",
            error,
            http.status = 200_u16,
            big = u128::MAX,
            "the message {}", 1
        );
    };
    with_each("types::*", work, |records| {
        let expected = [
            "span=0",
            "message=the message 1",
            &format!("unsigned={}", u64::MAX),
            "small=7",
            "signed=-5",
            "yes=1",
            "text=plain",
            "float=1.5 (double)",
            "single=0.10000000149011612 (double)",
            "debug=Point { x: 3 }",
            "display=shown",
            "error=an error occurred when formatting an argument",
            "http_status=200",
            &format!("big={}", u128::MAX),
        ];
        let [(name, found)] = records else { panic!("expected one record") };
        assert_eq!(name, "types__of__fields__every_type");
        assert_eq!(found.len(), expected.len());
        assert!(expected.iter().all(|expected| found.iter().any(|found| found == expected)), "{found:?}");
    });
}

#[test]
fn an_event_is_named_after_its_module_level_and_line() {
    let line = line!() + 1;
    let work = || warn!(rows = 1_u64, "slow");
    with_each("records::*", work, |records| {
        let [(name, arguments)] = records else { panic!("expected one record") };
        assert_eq!(*name, format!("records__warn_{line}"));
        assert_eq!(*arguments, ["message=slow", "rows=1", "span=0"]);
    });
}

#[test]
fn another_type_or_a_missing_field_is_another_event() {
    let work = || {
        let report = |rows: Option<u64>, value: &dyn tracing::Value| {
            event!(name: "varies", target: "varies", Level::INFO, rows, value);
        };
        report(Some(1), &"text");
        report(None, &"text");
        report(Some(2), &3_u64);
        report(Some(4), &"again");
    };
    with_each("varies::*", work, |records| {
        let names: Vec<&str> = records.iter().map(|(name, _)| name.as_str()).collect();
        let base = "varies__varies";
        let [v2, v3] = [2, 3].map(|number| format!("{base}__v{number}"));
        assert_eq!(names, [base, &v2, &v3, base]);
        assert_eq!(records[1].1, ["value=text", "span=0"]);
        assert_eq!(records[2].1, ["rows=2", "value=3", "span=0"]);
    });
}

#[instrument(target = "spans", skip_all, fields(id, later = field::Empty))]
fn outer(id: u64) {
    Span::current().record("later", "now").record("id", id);
    event!(name: "within", target: "spans", Level::INFO, "inside");
    let inner = info_span!(target: "spans", "inner", n = 1_u64);
    // The span moves to another thread, and outlives its handle here.
    let guard = inner.clone().entered();
    drop(guard.exit());
    std::thread::spawn({
        let dispatch = tracing::dispatcher::get_default(Clone::clone);
        move || {
            tracing::dispatcher::with_default(&dispatch, || {
                inner.in_scope(|| event!(name: "elsewhere", target: "spans", Level::INFO, "inside"));
                inner.follows_from(Span::current());
                drop(inner);
            });
        }
    })
    .join()
    .unwrap();
}

#[test]
fn spans_begin_end_and_know_their_parents() {
    let work = || {
        outer(7);
        outer(8);
    };
    with_each("spans::*", work, |records| {
        let names: Vec<&str> =
            records.iter().map(|(name, _)| name.strip_prefix("spans__").unwrap()).collect();
        let mut once = vec!["outer__begin", "outer__enter", "outer__record", "outer__record__v2"];
        once.extend(["within", "inner__begin", "inner__enter", "inner__exit", "inner__enter"]);
        once.extend(["elsewhere", "inner__exit", "inner__end", "outer__exit", "outer__end"]);
        assert_eq!(names, [once.clone(), once].concat());
        let number = |text: &str| -> u64 { text.split_once('=').unwrap().1.parse().unwrap() };
        for at in [0, 14] {
            let of = |index: usize| &records[at + index].1;
            let outer = number(&of(0)[0]);
            assert_eq!(number(&of(0)[1]), 0);
            assert_eq!(*of(2), [format!("span={outer}"), "later=now".to_owned()]);
            assert_eq!(of(3)[1], if at == 0 { "id=7" } else { "id=8" });
            assert_eq!(*of(4), ["message=inside".to_owned(), format!("span={outer}")]);
            let inner = number(&of(5)[0]);
            assert_eq!(*of(5), [format!("span={inner}"), format!("parent={outer}"), "n=1".to_owned()]);
            assert_eq!(of(9)[1], format!("span={inner}"));
            assert_eq!([number(&of(11)[0]), number(&of(13)[0])], [inner, outer]);
        }
    });
}

/// Returns the argument `span` of each event, in the order of the records.
fn spans_of(records: &[Record], event: &str) -> Vec<String> {
    arguments(records, event).iter().map(|arguments| arguments.last().unwrap().clone()).collect()
}

fn span_of_begin(records: &[Record], span: &str) -> String {
    arguments(records, &format!("{span}__begin"))[0][0].clone()
}

#[test]
fn an_event_is_in_the_span_that_was_entered_last() {
    let work = || {
        let mark = || event!(name: "mark", target: "nesting", Level::INFO, "m");
        let [a, b] = [info_span!(target: "nesting", "a"), info_span!(target: "nesting", "b")];
        let entered = a.clone().entered();
        let b_entered = b.clone().entered();
        mark();
        let again = a.clone().entered();
        mark();
        drop(again);
        mark();
        // The first span that was entered need not be the last to be exited.
        drop(entered);
        mark();
        drop(b_entered);
        mark();
        event!(name: "mark", target: "nesting", parent: &a, Level::INFO, "m");
        let _entered = a.entered();
        event!(name: "mark", target: "nesting", parent: None, Level::INFO, "m");
    };
    with_each("nesting::*", work, |records| {
        let marks = [spans_of(records, "mark"), spans_of(records, "mark_2"), spans_of(records, "mark_3")];
        let [a, b] = ["a", "b"].map(|span| span_of_begin(records, span));
        let none = "span=0".to_owned();
        assert_eq!(marks, [vec![b.clone(), a.clone(), b.clone(), b, none.clone()], vec![a], vec![none]]);
    });
}

#[test]
fn each_subscriber_of_a_thread_has_its_own_current_span() {
    let [subscriber, layer] = forms().map(|(_, dispatch)| dispatch);
    let [_, (_, other_layer)] = forms();
    for [first, second] in [[&subscriber, &layer], [&layer, &subscriber], [&layer, &other_layer]] {
        let session = Session::start("owners::*");
        let mark = || event!(name: "mark", target: "owners", Level::INFO, "m");
        tracing::dispatcher::with_default(first, || {
            let _span = info_span!(target: "owners", "first").entered();
            tracing::dispatcher::with_default(second, || {
                mark();
                let _span = info_span!(target: "owners", "second").entered();
                mark();
                tracing::dispatcher::with_default(first, mark);
                mark();
            });
            mark();
        });
        let records = session.finish();
        let [first, second] = ["first", "second"].map(|span| span_of_begin(&records, span));
        let expected = ["span=0", &second, &first, &second, &first];
        assert_eq!(spans_of(&records, "mark"), expected);
        assert_eq!(arguments(&records, "second__begin")[0][1], "parent=0");
    }
}

#[test]
fn a_parent_ends_after_its_children() {
    let work = || {
        let parent = info_span!(target: "tree", "parent");
        let child = info_span!(target: "tree", parent: &parent, "child");
        drop(parent);
        event!(name: "between", target: "tree", parent: &child, Level::INFO, "m");
        let other = info_span!(target: "tree", parent: None, "other");
        other.follows_from(&child);
        drop(child);
    };
    with_each("tree::*", work, |records| {
        let names: Vec<&str> = records.iter().map(|(name, _)| name.as_str()).collect();
        let expected = ["parent__begin", "child__begin", "between", "other__begin", "other__follows"];
        let expected = [&expected[..], &["child__end", "parent__end", "other__end"]].concat();
        assert_eq!(names, expected.iter().map(|name| format!("tree__{name}")).collect::<Vec<_>>());
        assert_eq!(records[2].1[1], records[1].1[0], "the event is in the child");
        assert_eq!(records[4].1[1].replace("from", "span"), records[1].1[0]);
        assert_eq!(records[3].1[1], "parent=0");
    });
}

#[test]
fn switches_reach_call_sites_at_once() {
    let evaluated = AtomicUsize::new(0);
    let value = || evaluated.fetch_add(1, Ordering::Relaxed) as u64;
    for (_, dispatch) in forms() {
        let session = Session::start("nothing at all");
        let before = evaluated.load(Ordering::Relaxed);
        tracing::dispatcher::with_default(&dispatch, || {
            let emit = || event!(name: "counted", target: "switch::of", Level::TRACE, value = value());
            emit();
            assert_eq!(evaluated.load(Ordering::Relaxed), before, "the site is off");
            ringtrace::set_enabled("switch::of::*", true);
            emit();
            ringtrace::set_enabled("switch::of::counted*", false);
            emit();
            ringtrace::set_enabled("*", true);
            emit();
        });
        assert_eq!(evaluated.load(Ordering::Relaxed), before + 2);
        assert_eq!(arguments(&session.finish(), "counted").len(), 2);
    }
}

#[test]
fn a_site_that_was_reached_before_the_start_is_recorded() {
    // Keep a second subscriber. With only one, `tracing` evaluates call sites only for the current
    // thread's subscriber.
    let [(_, dispatch), _other] = forms();
    let emit = || info!(target: "early", n = 1_u64);
    tracing::dispatcher::with_default(&dispatch, emit);
    let session = Session::start("early::*");
    tracing::dispatcher::with_default(&dispatch, emit);
    assert_eq!(session.finish().len(), 1);
}

/// A layer that counts its events.
struct Counter(Arc<AtomicUsize>);

impl<S: tracing::Subscriber> tracing_subscriber::Layer<S> for Counter {
    fn on_event(&self, _: &tracing::Event<'_>, _: tracing_subscriber::layer::Context<'_, S>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn other_layers_get_what_is_off_here() {
    let session = Session::start("layers::on_*");
    let counter = Arc::new(AtomicUsize::new(0));
    let layers =
        tracing_subscriber::registry().with(Counter(Arc::clone(&counter))).with(ringtrace_tracing::layer());
    tracing::subscriber::with_default(layers, || {
        event!(name: "on_1", target: "layers", Level::INFO, n = 1_u64);
        event!(name: "off_1", target: "layers", Level::INFO, n = 1_u64);
        debug!(target: "layers", "off, too");
        // The span exists only in the other layer, so it is not the parent in our layer.
        let _other = info_span!(target: "layers", "off_span").entered();
        let _here = info_span!(target: "layers", "on_span").entered();
        let _other = info_span!(target: "layers", "off_inside").entered();
        event!(name: "on_2", target: "layers", Level::INFO, n = 1_u64);
    });
    assert_eq!(counter.load(Ordering::Relaxed), 4);
    let records = session.finish();
    let names: Vec<&str> = records.iter().map(|(name, _)| name.as_str()).collect();
    let [begin, enter, exit, end] =
        ["begin", "enter", "exit", "end"].map(|event| format!("layers__on_span__{event}"));
    assert_eq!(names, ["layers__on_1", &begin, &enter, "layers__on_2", &exit, &end]);
    assert_eq!(records[1].1[1], "parent=0");
    assert_eq!(records[3].1[1], records[1].1[0], "the event is in the span that is on");
}

#[test]
fn questions_are_answered_and_not_recorded() {
    for (_, dispatch) in forms() {
        let session = Session::start("question::*");
        let count = ringtrace::events().len();
        tracing::dispatcher::with_default(&dispatch, || {
            info!(target: "question", "one event is on");
            assert!(enabled!(target: "question", Level::INFO));
        });
        assert!(ringtrace::events().len() <= count + 1);
        assert_eq!(session.finish().len(), 1);
    }
}

#[test]
fn values_in_another_order_are_not_mixed_up() {
    let work = || {
        let span = info_span!(target: "order", "order", a = field::Empty, b = field::Empty);
        let metadata = span.metadata().unwrap();
        let (a, b) = (metadata.fields().field("a").unwrap(), metadata.fields().field("b").unwrap());
        let values: &[(&field::Field, Option<&dyn tracing::Value>); 2] =
            &[(&b, Some(&"b")), (&a, Some(&1_u64))];
        span.record_all(&metadata.fields().value_set(values));
    };
    with_each("order::*", work, |records| {
        let [found] = arguments(records, "order__record")[..] else { panic!("expected one record") };
        assert_eq!(found[1..], ["a=1", "b=b"]);
    });
}

#[test]
fn a_panic_writes_a_snapshot_of_a_flight_recorder() {
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    ringtrace::set_enabled("*", false);
    let options = Options::new().enable("flight::*").file(folder.path().join("trace"));
    let guard = options.policy(ringtrace::Policy::Overwrite).start().unwrap();
    let snapshot = folder.path().join("panic.trace");
    ringtrace::snapshot_on_panic(&snapshot);
    let [(_, dispatch), _other] = forms();
    let thread = std::thread::spawn(move || {
        tracing::dispatcher::with_default(&dispatch, || {
            let _span = info_span!(target: "flight", "doomed").entered();
            event!(name: "last", target: "flight", Level::ERROR, number = 7_u64);
            panic!("expected by the test");
        });
    });
    assert!(thread.join().is_err());
    let _ = std::panic::take_hook();
    let found = records(&snapshot);
    assert_eq!(found[2].1[0], "number=7");
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    let expected = ["doomed__begin", "doomed__enter", "last"].map(|name| format!("flight__{name}"));
    assert_eq!(names, expected);
    drop(guard);
    drop(turn);
}

#[test]
fn text_backends_get_the_values() {
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    ringtrace::set_enabled("*", false);
    let options = Options::new().enable("text::*").backends(ringtrace::Backends::LOG).log_file(&log);
    let guard = options.start().unwrap();
    let [(_, dispatch), _other] = forms();
    tracing::dispatcher::with_default(&dispatch, || {
        event!(name: "line", target: "text", Level::INFO, id = 7_u64, low = -2, yes = true, name = "n", "done");
    });
    drop(guard);
    drop(turn);
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.contains("text__line done id=7 low=-2 yes=1 name=n"), "{text}");
}

#[test]
fn many_threads_reach_the_same_new_sites() {
    let session = Session::start("together::*");
    let dispatch = Dispatch::new(ringtrace_tracing::subscriber());
    let barrier = std::sync::Barrier::new(8);
    std::thread::scope(|scope| {
        for thread in 0..8_u64 {
            let (dispatch, barrier) = (&dispatch, &barrier);
            scope.spawn(move || {
                tracing::dispatcher::with_default(dispatch, || {
                    barrier.wait();
                    for number in 0..100_u64 {
                        event!(name: "a", target: "together", Level::INFO, thread, number);
                        event!(name: "b", target: "together", Level::INFO, text = "t", number);
                        let _span = info_span!(target: "together", "s", number).entered();
                    }
                });
            });
        }
    });
    let records = session.finish();
    assert_eq!(records.len(), 8 * 100 * 6);
    let mut names: Vec<&str> = records.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 6, "{names:?}");
    let begins = arguments(&records, "s__begin");
    let mut numbers: Vec<&String> = begins.iter().map(|arguments| &arguments[0]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 800, "each span has its own number");
}
