//! What is looked at, without a screen.

use proptest::prelude::*;

use super::super::fixture::{SECOND_NS, act, engine, look_at, trace};
use super::super::sample::{EventSample, Sample};
use super::*;

fn at(look: &Look) -> Option<&str> {
    look.cursor().and_then(|id| look.rows().row(id)).map(|row| row.name.as_str())
}

fn names(look: &Look) -> Vec<&str> {
    look.shown().iter().filter_map(|&id| look.rows().row(id)).map(|row| row.name.as_str()).collect()
}

fn typed(look: &mut Look, text: &str) {
    act(look, [Action::Filter]);
    act(look, text.chars().map(Action::Type));
}

fn message(look: &Look) -> &str {
    look.message().map_or("", |message| message.text.as_str())
}

#[test]
fn the_cursor_follows_its_event() {
    let mut look = look_at((0..5).map(engine));
    assert_eq!(at(&look), None);
    act(&mut look, [Action::Move(1), Action::Move(1), Action::Move(1)]);
    assert_eq!(at(&look), Some("cache_hit"));
    act(&mut look, [Action::Sort(Key::Name)]);
    assert_eq!(at(&look), Some("cache_hit"));
    assert_eq!(names(&look)[3], "cache_hit");
    act(&mut look, [Action::Reverse, Action::Page(5)]);
    assert_eq!(at(&look), Some("blk_complete"));
}

#[test]
fn space_switches_what_is_chosen_and_nothing_else() {
    let mut look = look_at((0..5).map(engine));
    assert_eq!(act(&mut look, [Action::Switch]), Step::Stay);
    assert!(message(&look).contains("arrow keys"));
    let switch = |pattern: &str, enable| {
        Step::Ask(Request::Change(Change::Events { pattern: pattern.to_owned(), enable }))
    };
    act(&mut look, [Action::First, Action::Move(1)]);
    assert_eq!(act(&mut look, [Action::Switch]), switch("blk_submit", false));
    let change = Change::Events { pattern: "blk_submit".to_owned(), enable: false };
    look.take(News::Changed(change, Ok(())));
    assert_eq!((message(&look), at(&look)), ("blk_submit is off", Some("blk_submit")));
    assert_eq!(act(&mut look, [Action::Switch]), switch("blk_submit", true));
    act(&mut look, [Action::Everything, Action::Sort(Key::Name), Action::Last]);
    assert_eq!((act(&mut look, [Action::Switch]), at(&look)), (Step::Stay, Some("store_open")));
    assert!(message(&look).contains("`disable`"));
}

#[test]
fn many_are_switched_only_after_a_question() {
    let mut look = look_at((0..5).map(engine));
    typed(&mut look, "checkpoint");
    assert_eq!(act(&mut look, [Action::Enter, Action::SwitchAll(true)]), Step::Stay);
    assert!(matches!(look.mode, Mode::Ask(_, 2)));
    let asked = Change::Events { pattern: "*checkpoint*".to_owned(), enable: true };
    assert_eq!(act(&mut look, [Action::Yes]), Step::Ask(Request::Change(asked)));
    act(&mut look, [Action::SwitchAll(true), Action::Back]);
    assert_eq!((look.mode.clone(), message(&look)), (Mode::Look, "Nothing was switched"));
    act(&mut look, [Action::SwitchAll(false)]);
    assert_eq!(message(&look), "No event that matches is on");
}

#[test]
fn a_filter_is_kept_or_taken_back() {
    let mut look = look_at((0..5).map(engine));
    typed(&mut look, "blk_c");
    assert_eq!(names(&look), ["blk_complete"]);
    act(&mut look, [Action::Erase]);
    assert_eq!(names(&look), ["blk_submit", "blk_complete", "blk_retry"]);
    act(&mut look, [Action::Back]);
    assert_eq!((look.filter.text(), names(&look).len()), ("", 6));
    typed(&mut look, "hit");
    act(&mut look, [Action::Enter, Action::Back]);
    assert_eq!((look.filter.text(), names(&look).len()), ("", 6));
}

#[test]
fn what_is_stopped_stays_and_goes_on_without_a_gap() {
    let mut look = look_at((0..5).map(engine));
    act(&mut look, [Action::Pause]);
    (5..40).for_each(|second| look.take(News::Sample(Box::new(engine(second)))));
    assert_eq!(look.rows().totals().recorded, engine(4).recorded);
    act(&mut look, [Action::Pause]);
    assert_eq!(look.rows().totals().recorded, engine(39).recorded);
    let row = look.rows().row(look.rows().find("blk_submit").unwrap()).unwrap();
    assert_eq!(look.rows().shape_of(row, Window::Minute, 60)[21..], [12_400.0; 39]);
}

#[test]
fn another_process_begins_anew_and_the_cursor_finds_its_event() {
    let mut look = look_at((0..5).map(engine));
    act(&mut look, [Action::Move(1), Action::Move(1)]);
    assert_eq!(at(&look), Some("blk_submit"));
    look.take(News::Lost("the program has ended".to_owned()));
    assert_eq!(act(&mut look, [Action::Switch]), Step::Stay);
    assert_eq!(message(&look), "The program has gone: nothing can be switched");
    let mut other = engine(1);
    (other.pid, other.time_ns) = (Some(5000), 3 * SECOND_NS);
    other.events.reverse();
    look.take(News::Sample(Box::new(other)));
    assert_eq!(message(&look), "Another program answers now, process 5000: all begins anew");
    assert_eq!((at(&look), look.rows().rate()), (Some("blk_submit"), None));
}

#[test]
fn counters_that_go_back_are_told_and_give_no_rates() {
    let mut look = look_at((5..10).map(engine));
    look.take(News::Sample(Box::new(Sample { time_ns: 1011 * SECOND_NS, ..engine(1) })));
    assert_eq!(message(&look), "The program counts from zero again");
    assert_eq!((look.rows().rate(), look.rows().totals().rate), (None, 0.0));
    look.take(News::Sample(Box::new(Sample { time_ns: 1012 * SECOND_NS, ..engine(2) })));
    assert_eq!(look.rows().rate(), Some(28_847.0));
}

#[test]
fn silence_is_noticed() {
    let mut look = look_at((0..3).map(engine));
    assert_eq!(look.silence(), None);
    assert!(!look.tick(Duration::from_secs(4)));
    assert!(look.tick(Duration::from_secs(10)));
    assert_eq!(look.silence(), Some(Duration::from_secs(8)));
}

#[test]
fn a_trace_is_looked_at_only() {
    let mut look = look_at([trace(20, Recording::On)]);
    for action in [Action::Switch, Action::SwitchAll(true), Action::TraceFile, Action::Flush] {
        assert_eq!(act(&mut look, [Action::First, action]), Step::Stay);
        assert!(message(&look).contains("not switched"), "{action:?}: {}", message(&look));
    }
    assert_eq!(look.window, Window::Minute);
    look.take(News::Sample(Box::new(trace(20, Recording::Ended))));
    assert_eq!(look.window, Window::Whole);
    act(&mut look, [Action::Window]);
    look.take(News::Sample(Box::new(trace(20, Recording::Ended))));
    assert_eq!(look.window, Window::Minute);
}

#[test]
fn intervals_have_ends() {
    let mut look = look_at([engine(0)]);
    let shorter = || [Action::Interval(-1); 4];
    assert_eq!(act(&mut look, shorter()), Step::Stay);
    assert_eq!(look.interval, Duration::from_millis(100));
    assert_eq!(act(&mut look, [Action::Interval(1); 20]), Step::Stay);
    assert_eq!(look.interval, Duration::from_secs(60));
}

/// Any sample of a few events, of programs that come and go.
fn samples() -> impl Strategy<Value = Sample> {
    let event = (0..6_u8, any::<Option<u64>>(), any::<Option<u64>>(), 0..4_u8).prop_map(
        |(name, recorded, dropped, state)| EventSample {
            name: format!("event_{name}"),
            recorded,
            dropped,
            state: [Some(State::Enabled), Some(State::Disabled), Some(State::Unavailable), None]
                [usize::from(state)],
            ..EventSample::default()
        },
    );
    let facts = (any::<u64>(), 1..3_u32, any::<bool>(), any::<u64>(), any::<u64>(), any::<Option<u64>>());
    (facts, prop::collection::vec(event, 0..8)).prop_map(|(facts, events)| {
        let (time_ns, pid, complete, recorded, dropped, span_ns) = facts;
        Sample { time_ns, pid: Some(pid), complete, recorded, dropped, span_ns, events, ..Sample::default() }
    })
}

/// Anything that somebody can do.
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
    /// Whatever is told and done, what is shown is a selection of the rows without repetition, the cursor is on the screen, and
    /// totals are sums.
    #[test]
    fn nothing_gets_out_of_hand(
        steps in prop::collection::vec((samples(), prop::collection::vec(actions(), 0..4)), 1..20),
        page in 0..9_usize,
    ) {
        let mut look = look_at([]);
        for (second, (sample, actions)) in steps.into_iter().enumerate() {
            look.tick(Duration::from_secs(second as u64));
            look.take(News::Sample(Box::new(sample)));
            look.fit(page);
            act(&mut look, actions);
            look.fit(page);
            let rows = look.rows();
            let mut ids = look.shown().to_vec();
            ids.sort_unstable();
            ids.dedup();
            prop_assert_eq!(ids.len(), look.shown().len());
            prop_assert!(ids.iter().all(|&id| id < rows.all().len()));
            if let Some(cursor) = look.cursor() {
                prop_assert!(look.visible().any(|(id, _)| id == cursor));
            }
            let of = |value: fn(&Row) -> Option<u64>| {
                rows.all().iter().filter_map(value).fold(0_u64, u64::saturating_add)
            };
            prop_assert_eq!(rows.totals().recorded, of(|row| row.recorded));
            prop_assert_eq!(rows.totals().dropped, of(|row| row.dropped));
            let enabled = rows.all().iter().filter(|row| row.state == Some(State::Enabled)).count();
            prop_assert_eq!(rows.totals().enabled, enabled);
            for row in rows.all() {
                prop_assert!(row.rate.is_none_or(|rate| rate.is_finite() && rate >= 0.0));
                prop_assert!(rows.shape_of(row, look.window, 30).iter().all(|value| value.is_finite()));
            }
        }
    }
}
