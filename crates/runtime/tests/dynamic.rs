//! Events that are declared while the program runs.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "tests")]

mod scenario;

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ringtrace::dynamic::{self, Argument, DynamicEvent, Kind, Site, Values};
use ringtrace::session::start;
use ringtrace::{EventState, Pattern, Settings, Switch};
use ringtrace_tracefile::recover::{ArenaFile, find_arenas, gather};
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader, Value};
use scenario::{Ran, fork, run, wait};

/// Run one test at a time, because there is only one session.
static TURN: Mutex<()> = Mutex::new(());

/// Returns the lines of a trace without times, as `NAME VALUE..`.
fn lines(bytes: &Path) -> Vec<String> {
    let mut reader = Reader::new("trace", Input::open(bytes).unwrap(), &Options::default()).unwrap();
    let mut lines = Vec::new();
    reader
        .for_each(|entry: &Entry<'_>| {
            assert!(!entry.schema.is_opaque, "{} is not declared", entry.schema.name);
            let text = |value: Value<'_>| match value {
                Value::Str(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                value => format!("{value:?}"),
            };
            let values: Vec<String> = entry.values().map(text).collect();
            lines.push(format!("{} {}", entry.schema.name, values.join(" ")));
            Flow::Continue
        })
        .unwrap();
    assert!(reader.anomalies().is_empty(), "{:?}", reader.anomalies());
    lines
}

fn settings(folder: &Path) -> Settings {
    Settings {
        file: Some(folder.join("trace")),
        directory: Some(folder.to_path_buf()),
        ..Settings::default()
    }
}

fn state(word: &str) -> Vec<(String, EventState)> {
    ringtrace::registry::states_of(&Pattern::of_option(word))
}

#[test]
fn events_are_declared_before_their_first_record() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir_in("/dev/shm").unwrap();
    let guard = start(settings(folder.path())).unwrap();
    ringtrace::set_enabled("mod::a::*", true);
    let event = DynamicEvent::declare(
        "mod::a::opened",
        Some("INFO mod::a src/a.rs:7"),
        &[Argument::new("path", Kind::Text).bare(), Argument::new("yes", Kind::Bool)],
    );
    assert_eq!(event.event().name(), "mod__a__opened");
    assert!(event.is_enabled(), "an earlier pattern enables it");
    let mut values = Values::new();
    values.display(format_args!("/tmp/{}", 7)).bool(true);
    assert!(event.emit(&values));
    assert!(!event.emit(Values::new().u64(1)), "the types differ");
    let off = DynamicEvent::declare("mod::b::opened", None, &[]);
    assert!(!off.is_enabled());
    assert!(off.emit(&Values::new()));
    ringtrace::set_enabled("mod::b::opened", true);
    off.emit(&Values::new());
    drop(guard);
    let lines = lines(&folder.path().join("trace"));
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("mod__a__opened ") && lines[0].contains("/tmp/7"), "{lines:?}");
    assert!(lines[1].starts_with("mod__b__opened"), "{lines:?}");
    let bytes = std::fs::read(folder.path().join("trace")).unwrap();
    let site = b"ringtrace.site=mod__a__opened INFO mod::a src/a.rs:7";
    assert!(bytes.windows(site.len()).any(|window| window == site));
}

#[test]
fn parsed_declarations_have_all_types() {
    let _turn = TURN.lock();
    let text = "enum parsed_state { IDLE, BUSY = 7 }\n\
                parsed(int8_t least, void *at, char **list, const char *path, double share, bool yes, parsed_state state) \
                \"%d %p %p %s %g %d %s\"\n\
                parsed(void)\n\
                disable parsed_off(int n) \"%d\"\n";
    let dialect = ringtrace_events::parse::Dialect::Extended { strict: false };
    let parsed =
        ringtrace_events::parse::parse(vec![ringtrace_events::SourceFile::new("made", text)], dialect);
    assert_eq!(parsed.diagnostics, []);
    let folder = tempfile::tempdir_in("/dev/shm").unwrap();
    let guard = start(settings(folder.path())).unwrap();
    let events: Vec<DynamicEvent> =
        parsed.declarations.events.iter().map(DynamicEvent::declare_parsed).collect();
    ringtrace::set_enabled("parsed*", true);
    let [all, none, off] = events.as_slice() else { panic!("{events:?}") };
    let declared = all.event().declaration().text;
    assert!(
        declared.starts_with("enum parsed_state { IDLE, BUSY = 7 }\nparsed(int8_t least, "),
        "{declared}"
    );
    assert_eq!(none.event().declaration().text, "parsed_2(void)");
    assert_eq!(off.event().declaration().text, "disable parsed_off(int n) \"%d\"");
    assert_eq!(off.event().state(), EventState::Unavailable);
    let mut values = Values::new();
    values.i64(-128).u64(u64::MAX).u64(1).text("disk").f64(0.5).bool(true).i64(7);
    assert!(all.emit(&values) && none.emit(&Values::new()) && off.emit(Values::new().i64(1)));
    drop(guard);
    let folder_lines = lines(&folder.path().join("trace"));
    let all = format!(
        "parsed Integer({}) Integer({}) Integer(1) disk",
        i64::from(-128_i8).cast_unsigned(),
        u64::MAX
    );
    assert_eq!(folder_lines.len(), 2, "{folder_lines:?}");
    assert!(
        folder_lines[0].starts_with(&all) && folder_lines[0].ends_with(" Integer(1) Integer(7)"),
        "{folder_lines:?}"
    );
    assert!(folder_lines[1].starts_with("parsed_2"), "{folder_lines:?}");
}

#[test]
fn the_last_switch_applies_to_late_events() {
    let _turn = TURN.lock();
    for (word, enable) in [("late_a*", true), ("late_ab*", false), ("late_abc", true), ("late_d", true)] {
        let switch = Switch { pattern: Pattern::of_option(word), enable };
        if enable {
            ringtrace::registry::switch(&switch);
        } else {
            ringtrace::registry::switch_all_or_nothing(&switch).unwrap();
        }
    }
    let is_on = |name: &str| {
        let event = DynamicEvent::declare(name, None, &[]).event();
        event.state() == EventState::Enabled
    };
    assert!(is_on("late_a1"));
    assert!(!is_on("late_ab1"));
    // Without a `*`, a switch applies only to existing events.
    assert!(!is_on("late_abc"));
    assert!(!is_on("late_d"));
    ringtrace::set_enabled("late_*", false);
    assert!(!is_on("late_a2"));
}

#[test]
fn names_are_unique() {
    let _turn = TURN.lock();
    let name = || DynamicEvent::declare("twice", None, &[]).event().name();
    assert_eq!([name(), name(), name()], ["twice", "twice_2", "twice_3"]);
    assert_eq!(Site::new("twice", None).name(), "twice_4");
}

#[test]
fn sites_are_listed_and_switched_before_their_first_record() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir_in("/dev/shm").unwrap();
    let guard = start(settings(folder.path())).unwrap();
    let before = ringtrace::registry::enabled_events();
    let (silent, site) = (Site::new("site::silent", None), Site::new("site::one", None));
    ringtrace::set_enabled("site::*", true);
    assert!(silent.is_enabled() && site.is_enabled());
    let argument = |_, kind| Argument::new("value", kind);
    site.emit(Values::new().u64(1), argument);
    let expected = ["site__silent", "site__one"].map(|name| (name.to_owned(), EventState::Enabled));
    assert_eq!(state("site__*"), expected);
    assert_eq!(ringtrace::registry::enabled_events(), before + 2);
    // A variant starts in the state of the other variants. After that, its state is independent.
    site.emit(Values::new().text("two"), argument);
    ringtrace::set_enabled("site::one", false);
    assert!(site.is_enabled());
    site.emit(Values::new().u64(3), argument);
    site.emit(Values::new().text("four"), argument);
    ringtrace::set_enabled("site::*", false);
    assert!(!site.is_enabled());
    site.emit(Values::new().i64(-5), argument);
    let states = state("site__one*");
    assert_eq!(states.len(), 3);
    assert!(states.iter().all(|(_, state)| *state == EventState::Disabled));
    assert_eq!(ringtrace::registry::enabled_events(), before);
    drop(guard);
    let names: Vec<String> = lines(&folder.path().join("trace"))
        .into_iter()
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["site__one", "site__one__v2", "site__one__v2"]);
}

#[test]
fn hooks_are_called_after_switches_and_new_backends() {
    let _turn = TURN.lock();
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    fn hook() {
        // Hooks run without a lock on the registry, so this call does not deadlock.
        assert!(ringtrace::event("no such event").is_none());
        CALLS.fetch_add(1, Ordering::Relaxed);
    }
    dynamic::on_switch(hook);
    dynamic::on_switch(hook);
    let calls = || CALLS.swap(0, Ordering::Relaxed);
    ringtrace::set_enabled("hooked", true);
    assert_eq!(calls(), 1);
    let folder = tempfile::tempdir_in("/dev/shm").unwrap();
    let guard = start(settings(folder.path())).unwrap();
    assert_eq!(calls(), 1);
    drop(guard);
    assert_eq!(calls(), 0, "no event was enabled");
}

fn run_late(policy: &str, folder: &Path, events: u64, end: &str) -> std::process::ExitStatus {
    let test = std::env::current_exe().unwrap();
    let program: PathBuf = test.parent().unwrap().with_file_name("examples").join("late");
    assert!(program.exists(), "run `cargo build -p ringtrace --examples`");
    let mut command = Command::new(program);
    command.arg(policy).arg(folder).arg(folder.join("trace")).args([&events.to_string(), end]);
    command.status().unwrap()
}

/// Asserts that the trace contains each record of the program `late` once.
fn assert_has_all(trace: &Path, events: u64) {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for line in lines(trace) {
        *found.entry(line).or_default() += 1;
    }
    assert!(found.values().all(|&count| count == 1));
    assert_eq!(found.len() as u64, 4 * (events + events.div_ceil(10)));
    for thread in 0..4 {
        for number in 0..events {
            let name = format!("late__of{thread}__n{number} ");
            let (line, _) = found.range(name.clone()..).next().unwrap();
            assert!(line.starts_with(&name), "{name}: {line}");
            assert!(
                line.contains(&number.to_string()) && line.contains(&format!("thread {thread}")),
                "{line}"
            );
        }
    }
}

#[test]
fn late_events_survive_a_kill() {
    // The declarations are larger than the initially allocated part of the arena.
    for (policy, events) in [("block", 3), ("block", 1000), ("overwrite", 3), ("overwrite", 1000)] {
        let folder = tempfile::tempdir_in("/dev/shm").unwrap();
        assert_eq!(run_late(policy, folder.path(), events, "kill").signal(), Some(9));
        let arenas = find_arenas(folder.path()).unwrap();
        let arenas = arenas.iter().map(|path| ArenaFile::open(path).unwrap());
        let process = gather(arenas.collect()).unwrap().pop().unwrap();
        let mut trace = Vec::new();
        let recovered = process.recover(|bytes| {
            trace.extend_from_slice(bytes);
            Ok(())
        });
        recovered.unwrap();
        let sites = trace.windows(15).filter(|window| *window == b"ringtrace.site=").count() as u64;
        assert_eq!(sites, 4 * (events + events.div_ceil(10)), "each event has a site");
        let path = folder.path().join("recovered");
        std::fs::write(&path, trace).unwrap();
        assert_has_all(&path, events);
    }
}

#[test]
fn late_events_are_in_the_file_of_a_forked_child() {
    for policy in ["block", "overwrite"] {
        let folder = tempfile::tempdir_in("/dev/shm").unwrap();
        assert!(run_late(policy, folder.path(), 200, "fork").success());
        let is_childs = |path: &PathBuf| *path != folder.path().join("trace");
        let files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
        let childs: Vec<PathBuf> = files.filter(is_childs).collect();
        let [child] = childs.as_slice() else { panic!("{childs:?}") };
        assert_has_all(child, 200);
    }
}

#[test]
fn a_flight_recorder_writes_late_events_at_its_end() {
    let folder = tempfile::tempdir_in("/dev/shm").unwrap();
    assert!(run_late("overwrite", folder.path(), 300, "exit").success());
    assert_has_all(&folder.path().join("trace"), 300);
}

/// Declares events while the program traces with `pattern`.
fn trace_modules(pattern: &str) {
    let folder = std::env::current_dir().unwrap();
    let options = ringtrace::Options::new();
    let options = pattern.split(',').fold(options, |options, word| match word.strip_prefix('-') {
        Some(word) => options.disable(word),
        None => options.enable(word),
    });
    let guard = options.file(folder.join("trace")).start().unwrap();
    let names = ["my_app::db::query::begin", "my_app::db::query::end", "my_app::net::opened"];
    for name in names {
        DynamicEvent::declare(name, None, &[]).emit(&Values::new());
    }
    // A child does not repeat the messages of its parent.
    wait(fork(|| _ = DynamicEvent::declare("my_app::child", None, &[])));
    drop(guard);
}

/// Returns the warnings that the program has printed.
fn warnings(ran: &Ran) -> Vec<String> {
    let warnings = ran.stderr();
    let warnings = warnings.lines().map(|line| line.split_once(": warning: ").unwrap_or(("", line)).1);
    warnings.map(str::to_owned).collect()
}

const UNMATCHED: &str = "patterns_that_match_no_call_site_are_reported_at_the_end";

#[test]
fn patterns_that_match_no_call_site_are_reported_at_the_end() {
    const PATTERN: &str = "RINGTRACE_TEST_PATTERN";
    let is_program = std::env::var_os(PATTERN).is_some();
    for (pattern, expected) in [
        ("my_app::*", &[][..]),
        ("*", &[]),
        ("-my_app::dbb::*,my_app::db::*", &[]),
        (
            "my_app::dbb::*",
            &["'my_app::dbb::*' matched no event that the program reached; did you mean 'my_app::db::*'?"],
        ),
        (
            "my_app::db::query",
            &[
                "'my_app::db::query' matched no event that the program reached; did you mean 'my_app::db::query::*'?",
            ],
        ),
        (
            "my_app::net::opend,my_app::net::*,other::*",
            &[
                "'my_app::net::opend' matched no event that the program reached; did you mean 'my_app::net::opened'?",
                "'other::*' matched no event that the program reached",
            ],
        ),
        // The program is not known to declare events, so this is reported at the start.
        ("blk_read", &["trace event 'blk_read' does not exist"]),
    ] {
        if !is_program {
            // SAFETY: other threads read and change the environment only through Rust's standard
            // library, which has a lock for it.
            unsafe { std::env::set_var(PATTERN, pattern) };
        }
        let ran = run(UNMATCHED, || trace_modules(&std::env::var(PATTERN).unwrap()));
        let expected: Vec<String> = expected
            .iter()
            .map(|text| {
                if text.starts_with('\'') {
                    format!("trace event pattern {text}")
                } else {
                    (*text).to_owned()
                }
            })
            .collect();
        assert_eq!(warnings(&ran), expected, "{pattern}");
    }
}
