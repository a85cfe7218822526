//! Tests of the app without a screen.

use proptest::prelude::*;

use super::super::fixture::{SECOND_NS, act, app_after, engine, trace};
use super::super::sample::{EventSample, Sample};
use super::*;

fn at(app: &App) -> Option<&str> {
    app.cursor.and_then(|id| app.rows().row(id)).map(|row| row.name.as_str())
}

fn names(app: &App) -> Vec<&str> {
    app.shown().iter().filter_map(|&id| app.rows().row(id)).map(|row| row.name.as_str()).collect()
}

fn typed(app: &mut App, text: &str) {
    act(app, [Action::Filter]);
    act(app, text.chars().map(Action::Type));
}

fn message(app: &App) -> &str {
    app.message().map_or("", |message| message.text.as_str())
}

#[test]
fn the_cursor_follows_its_event() {
    let mut app = app_after((0..5).map(engine));
    assert_eq!(at(&app), None);
    act(&mut app, [Action::Move(1), Action::Move(1), Action::Move(1)]);
    assert_eq!(at(&app), Some("cache_hit"));
    act(&mut app, [Action::Sort(Key::Name)]);
    assert_eq!(at(&app), Some("cache_hit"));
    assert_eq!(names(&app)[3], "cache_hit");
    act(&mut app, [Action::Reverse, Action::Page(5)]);
    assert_eq!(at(&app), Some("blk_complete"));
}

#[test]
fn space_switches_only_the_chosen_event() {
    let mut app = app_after((0..5).map(engine));
    assert_eq!(act(&mut app, [Action::Switch]), Step::Stay);
    assert!(message(&app).contains("arrow keys"));
    let switch = |pattern: &str, enable| {
        Step::Ask(Request::Change(Change::Events { pattern: pattern.to_owned(), enable }))
    };
    act(&mut app, [Action::First, Action::Move(1)]);
    assert_eq!(act(&mut app, [Action::Switch]), switch("blk_submit", false));
    let change = Change::Events { pattern: "blk_submit".to_owned(), enable: false };
    app.take(Update::Changed(change, Ok(())));
    assert_eq!((message(&app), at(&app)), ("blk_submit is off", Some("blk_submit")));
    assert_eq!(act(&mut app, [Action::Switch]), switch("blk_submit", true));
    act(&mut app, [Action::Everything, Action::Sort(Key::Name), Action::Last]);
    assert_eq!((act(&mut app, [Action::Switch]), at(&app)), (Step::Stay, Some("store_open")));
    assert!(message(&app).contains("`disable`"));
}

#[test]
fn events_that_are_on_while_recording_is_off_offer_to_start_it() {
    let off = |sample| Sample { state: TraceState::Off(None), ..sample };
    let mut app = app_after((0..5).map(|second| off(engine(second))));
    let change = |enable| Change::Events { pattern: "*".to_owned(), enable };
    app.take(Update::Changed(change(true), Ok(())));
    assert_eq!(message(&app), "All events are on; recording is off (press t to start it)");
    app.take(Update::Changed(change(false), Ok(())));
    assert_eq!(message(&app), "All events are off");
    assert_eq!(act(&mut app, [Action::TraceFile]), Step::Ask(Request::Change(Change::TraceFile(true))));
}

#[test]
fn many_are_switched_only_after_a_question() {
    let mut app = app_after((0..5).map(engine));
    typed(&mut app, "checkpoint");
    assert_eq!(act(&mut app, [Action::Enter, Action::SwitchAll(true)]), Step::Stay);
    assert!(matches!(app.mode, Mode::Ask(_, 2)));
    let asked = Change::Events { pattern: "*checkpoint*".to_owned(), enable: true };
    assert_eq!(act(&mut app, [Action::Yes]), Step::Ask(Request::Change(asked)));
    act(&mut app, [Action::SwitchAll(true), Action::Back]);
    assert_eq!((app.mode.clone(), message(&app)), (Mode::Browse, "Nothing was changed"));
    act(&mut app, [Action::SwitchAll(false)]);
    assert_eq!(message(&app), "No event that matches is on");
}

#[test]
fn a_filter_is_kept_or_taken_back() {
    let mut app = app_after((0..5).map(engine));
    typed(&mut app, "blk_c");
    assert_eq!(names(&app), ["blk_complete"]);
    act(&mut app, [Action::Erase]);
    assert_eq!(names(&app), ["blk_submit", "blk_complete", "blk_retry"]);
    act(&mut app, [Action::Back]);
    assert_eq!((app.filter.text(), names(&app).len()), ("", 6));
    typed(&mut app, "hit");
    act(&mut app, [Action::Enter, Action::Back]);
    assert_eq!((app.filter.text(), names(&app).len()), ("", 6));
}

#[test]
fn paused_rows_stay_and_resume_without_a_gap() {
    let mut app = app_after((0..5).map(engine));
    act(&mut app, [Action::Pause]);
    (5..40).for_each(|second| app.take(Update::Sample(Box::new(engine(second)))));
    assert_eq!(app.rows().totals.recorded, engine(4).recorded);
    act(&mut app, [Action::Pause]);
    assert_eq!(app.rows().totals.recorded, engine(39).recorded);
    let row = app.rows().row(app.rows().find("blk_submit").unwrap()).unwrap();
    assert_eq!(app.rows().shape_of(row, Window::Minute, 60)[21..], [12_400.0; 39]);
}

#[test]
fn another_process_resets_counters_and_the_cursor_keeps_its_event() {
    let mut app = app_after((0..5).map(engine));
    act(&mut app, [Action::Move(1), Action::Move(1)]);
    assert_eq!(at(&app), Some("blk_submit"));
    app.take(Update::Lost("the program has ended".to_owned()));
    assert_eq!(act(&mut app, [Action::Switch]), Step::Stay);
    assert_eq!(message(&app), "The program has ended: nothing can be changed");
    let mut other = engine(1);
    (other.pid, other.time_ns) = (Some(5000), 3 * SECOND_NS);
    other.events.reverse();
    app.take(Update::Sample(Box::new(other)));
    assert_eq!(message(&app), "Connected to another program, process 5000: counters reset");
    assert_eq!((at(&app), app.rows().rate), (Some("blk_submit"), None));
}

#[test]
fn decreasing_counters_are_reported_and_have_no_rates() {
    let mut app = app_after((5..10).map(engine));
    app.take(Update::Sample(Box::new(Sample { time_ns: 1011 * SECOND_NS, ..engine(1) })));
    assert_eq!(message(&app), "The program reset its counters");
    assert_eq!((app.rows().rate, app.rows().totals.rate), (None, 0.0));
    app.take(Update::Sample(Box::new(Sample { time_ns: 1012 * SECOND_NS, ..engine(2) })));
    assert_eq!(app.rows().rate, Some(28_847.0));
}

#[test]
fn silence_is_noticed() {
    let mut app = app_after((0..3).map(engine));
    assert_eq!(app.silence(), None);
    assert!(!app.tick(Duration::from_secs(4)));
    assert!(app.tick(Duration::from_secs(10)));
    assert_eq!(app.silence(), Some(Duration::from_secs(8)));
}

#[test]
fn a_trace_cannot_be_switched() {
    let mut app = app_after([trace(20, TraceState::On)]);
    for action in [Action::Switch, Action::SwitchAll(true), Action::TraceFile, Action::Flush] {
        assert_eq!(act(&mut app, [Action::First, action]), Step::Stay);
        assert!(message(&app).contains("A trace is read-only"), "{action:?}: {}", message(&app));
    }
    assert_eq!(app.window, Window::Minute);
    app.take(Update::Sample(Box::new(trace(20, TraceState::Ended))));
    assert_eq!(app.window, Window::Whole);
    act(&mut app, [Action::Window]);
    app.take(Update::Sample(Box::new(trace(20, TraceState::Ended))));
    assert_eq!(app.window, Window::Minute);
}

#[test]
fn intervals_have_ends() {
    let mut app = app_after([engine(0)]);
    let shorter = || [Action::Interval(-1); 4];
    assert_eq!(act(&mut app, shorter()), Step::Stay);
    assert_eq!(app.interval, Duration::from_millis(100));
    assert_eq!(act(&mut app, [Action::Interval(1); 20]), Step::Stay);
    assert_eq!(app.interval, Duration::from_secs(60));
}

/// Random samples of a few events, from changing programs.
fn samples() -> impl Strategy<Value = Sample> {
    let event = (0..6_u8, any::<Option<u64>>(), any::<Option<u64>>(), 0..4_u8).prop_map(
        |(name, recorded, dropped, state)| EventSample {
            name: format!("event_{name}"),
            recorded,
            dropped,
            state: [
                Some(EventState::Enabled),
                Some(EventState::Disabled),
                Some(EventState::Unavailable),
                None,
            ][usize::from(state)],
            ..EventSample::default()
        },
    );
    let facts = (any::<u64>(), 1..3_u32, any::<bool>(), any::<u64>(), any::<u64>(), any::<Option<u64>>());
    (facts, prop::collection::vec(event, 0..8)).prop_map(|(facts, events)| {
        let (time_ns, pid, complete, recorded, dropped, span_ns) = facts;
        Sample { time_ns, pid: Some(pid), complete, recorded, dropped, span_ns, events, ..Sample::default() }
    })
}

/// Any action of a user.
fn actions() -> impl Strategy<Value = Action> {
    prop_oneof![
        any::<isize>().prop_map(Action::Move),
        (-2..3_isize).prop_map(Action::Page),
        (-2..3_isize).prop_map(Action::SortNext),
        (-2..3_isize).prop_map(Action::Interval),
        any::<bool>().prop_map(Action::SwitchAll),
        prop::sample::select(vec!['e', '*', '_', '3', '?', '\u{7e41}', '\n']).prop_map(Action::Type),
        prop::sample::select(vec![
            Action::First,
            Action::Last,
            Action::Back,
            Action::Switch,
            Action::Reverse,
            Action::Filter,
            Action::Everything,
            Action::Pause,
            Action::Window,
            Action::TraceFile,
            Action::Flush,
            Action::Help,
            Action::Yes,
            Action::Erase,
            Action::EraseAll,
            Action::Enter,
            Action::Sort(Key::Dropped),
            Action::Sort(Key::State),
        ]),
    ]
}

proptest! {
    /// After any samples and actions, the shown rows are distinct, the cursor is on the screen, and
    /// totals are sums.
    #[test]
    fn invariants_hold_after_any_samples_and_actions(
        steps in prop::collection::vec((samples(), prop::collection::vec(actions(), 0..4)), 1..20),
        page in 0..9_usize,
    ) {
        let mut app = app_after([]);
        for (second, (sample, actions)) in steps.into_iter().enumerate() {
            app.tick(Duration::from_secs(second as u64));
            app.take(Update::Sample(Box::new(sample)));
            app.fit(page);
            act(&mut app, actions);
            app.fit(page);
            let rows = app.rows();
            let mut ids = app.shown().to_vec();
            ids.sort_unstable();
            ids.dedup();
            prop_assert_eq!(ids.len(), app.shown().len());
            prop_assert!(ids.iter().all(|&id| id < rows.all().len()));
            if let Some(cursor) = app.cursor {
                prop_assert!(app.visible().any(|(id, _)| id == cursor));
            }
            let of = |value: fn(&Row) -> Option<u64>| {
                rows.all().iter().filter_map(value).fold(0_u64, u64::saturating_add)
            };
            prop_assert_eq!(rows.totals.recorded, of(|row| row.recorded));
            prop_assert_eq!(rows.totals.dropped, of(|row| row.dropped));
            let enabled = rows.all().iter().filter(|row| row.state == Some(EventState::Enabled)).count();
            prop_assert_eq!(rows.totals.enabled, enabled);
            for row in rows.all() {
                prop_assert!(row.rate.is_none_or(|rate| rate.is_finite() && rate >= 0.0));
                prop_assert!(rows.shape_of(row, app.window, 30).iter().all(|value| value.is_finite()));
            }
        }
    }
}
