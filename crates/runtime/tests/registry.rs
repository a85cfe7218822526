//! States of events: enabling and disabling existing and future events.
//!
//! Tests share the registry of the process and run in parallel, so each test registers events with
//! distinct names.

#![cfg(feature = "runtime")]
#![allow(clippy::unwrap_used, reason = "allowed in tests, but clippy also checks their helpers")]

use proptest::prelude::*;
use ringtrace::registry::{self, Switched, describe, events_of, register, set_event_enabled, unregister};
use ringtrace::{Declaration, Event, EventState, Group, Options, Pattern, Switch};

/// Creates a group of events without registering it. Events with a leading `!` are `disable`d.
fn group(name: &'static str, events: &[&'static str]) -> &'static Group {
    let event = |name: &'static str| {
        let (name, traceable) = name.strip_prefix('!').map_or((name, true), |name| (name, false));
        let declaration =
            Declaration { name, group: "test", arguments: &[], format: None, text: name, traceable };
        &*Box::leak(Box::new(Event::new(declaration)))
    };
    let events: Vec<&'static Event> = events.iter().map(|name| event(name)).collect();
    Box::leak(Box::new(Group::new(name, events.leak())))
}

/// Returns the states of a group's events: `+` on, `-` off, `x` unavailable.
fn states(group: &Group) -> String {
    let sign = |event: &&Event| match event.state() {
        EventState::Enabled => '+',
        EventState::Disabled => '-',
        EventState::Unavailable => 'x',
    };
    group.events().iter().map(sign).collect()
}

#[test]
fn patterns_select_events() {
    let group = group("words", &["wr_a", "wr_b", "!wr_c", "wr_d?", "wr_dx"]);
    register(group);
    let all = |matched, changed| Switched { matched, changed, not_traceable: 1, passed_over: 0 };
    let one = |matched, changed| Switched { matched, changed, ..Switched::default() };
    // Each case starts with the states in which the previous one ended.
    let cases: [(&str, Switched, &str); 12] = [
        ("wr_a", one(1, 1), "+-x--"),
        ("wr_a", one(1, 0), "+-x--"),
        ("wr_*", all(4, 3), "++x++"),
        ("-wr_b", one(1, 1), "+-x++"),
        ("-wr_*", all(4, 3), "--x--"),
        ("wr_c", Switched { not_traceable: 1, ..Switched::default() }, "--x--"),
        ("wr_?", Switched { matched: 1, changed: 1, not_traceable: 0, passed_over: 2 }, "+-x--"),
        ("wr_d?", Switched { matched: 1, changed: 1, not_traceable: 0, passed_over: 1 }, "+-x+-"),
        ("wr_d?*", one(2, 1), "+-x++"),
        ("wr_nothing", Switched::default(), "+-x++"),
        ("wr_nothing*", Switched::default(), "+-x++"),
        ("WR_A", Switched::default(), "+-x++"),
    ];
    for (text, expected, expected_states) in cases {
        let done = registry::switch(&Switch::parse(text));
        assert_eq!((done, states(group).as_str()), (expected, expected_states), "{text}");
        assert_eq!(done.is_unknown(), done == Switched::default());
    }
    unregister(group);
    assert_eq!(states(group), "--x--", "unregistered events are off");
}

#[test]
fn a_monitors_pattern_without_star_is_a_name() {
    let group = group("monitor", &["mo_a", "mo_?", "mo_[x]"]);
    register(group);
    let found = |pattern: Pattern| events_of(&pattern).iter().map(|event| event.name()).collect::<Vec<_>>();
    assert_eq!(found(Pattern::of_monitor("mo_?")), ["mo_?"]);
    assert_eq!(found(Pattern::of_option("mo_?")), ["mo_a"]);
    assert_eq!(found(Pattern::of_monitor("mo_[x]")), ["mo_[x]"]);
    assert_eq!(found(Pattern::of_monitor("mo_[*")), ["mo_[x]"]);
    assert_eq!(found(Pattern::of_monitor("mo_?*")), ["mo_a", "mo_?", "mo_[x]"]);
}

#[test]
fn groups_are_sorted_and_events_of_the_same_name_switch_together() {
    let (second, first) =
        (group("order b", &["or_shared", "or_b"]), group("order a", &["or_a", "or_shared"]));
    register(second);
    register(first);
    register(first);
    let names: Vec<&str> = events_of(&Pattern::of_option("or_*")).iter().map(|event| event.name()).collect();
    assert_eq!(names, ["or_a", "or_shared", "or_shared", "or_b"]);
    assert_eq!(ringtrace::set_enabled("or_shared", true).matched, 2);
    assert_eq!((states(first), states(second)), ("-+".to_owned(), "+-".to_owned()));
    assert!(std::ptr::eq(ringtrace::event("or_shared").unwrap(), first.events()[1]));
    assert!(ringtrace::event("or_nothing").is_none());
}

#[test]
fn one_event_is_switched_unless_it_is_not_traceable() {
    let group = group("single", &["si_a", "!si_b"]);
    register(group);
    set_event_enabled(group.events()[0], true).unwrap();
    let error = set_event_enabled(group.events()[1], true).unwrap_err();
    assert_eq!(error.to_string(), "trace event 'si_b' is not traceable");
    assert_eq!(states(group), "+x");
}

#[test]
fn ids_of_an_unloaded_library_are_kept_and_reused() {
    let names = ["id_a", "id_b", "id_c"];
    let before = group("ids", &names);
    register(before);
    ringtrace::set_enabled("id_b", true);
    let id = |group: &Group, at: usize| group.events()[at].id();
    let name = |id| describe(id).map(|described| described.name);
    for (at, expected) in names.iter().enumerate() {
        assert_eq!(name(id(before, at)).as_deref(), Some(*expected));
    }
    unregister(before);
    assert_eq!(name(id(before, 0)), None, "no record can contain this id");
    assert_eq!(name(id(before, 1)).as_deref(), Some("id_b"), "a record in a ring may contain this id");
    let after = group("ids", &names);
    register(after);
    for at in 0..names.len() {
        assert_eq!(id(after, at), id(before, at), "ids are reused even for events that were never on");
    }
    assert_eq!(name(id(after, 2)).as_deref(), Some("id_c"));
    unregister(after);
    assert_eq!(
        name(id(before, 1)).as_deref(),
        Some("id_b"),
        "the name is kept even if the event was not on after the reload"
    );
    assert_eq!(name(id(before, 2)), None);
    assert_eq!(describe(0), None);
    assert_eq!(describe(u32::MAX), None);
}

/// A program's options also apply to libraries that are loaded later; later switches do not.
#[test]
fn options_apply_to_groups_registered_later() {
    let folder = tempfile::tempdir().unwrap();
    let early = group("later 1", &["la_read", "la_write"]);
    register(early);
    let options =
        Options::parse("la_*").unwrap().disable("la_write").enable("la_?ther").file(folder.path().join("t"));
    let guard = options.start().unwrap();
    assert_eq!(states(early), "+-");
    assert!(early.events()[0].is_enabled());
    ringtrace::set_enabled("la_*", false);

    let late = group("later 2", &["la_read", "la_write", "la_done", "!la_other", "la_bther"]);
    register(late);
    // The first event that matches `la_?ther` is in this group. It is not traceable, and a pattern
    // without `*` selects no other event.
    assert_eq!(states(late), "+-+x+");
    assert!(late.events()[0].is_enabled());
    assert_eq!(states(early), "--");

    drop(guard);
    assert!(!late.events()[0].is_enabled(), "no backend is active");
    assert_eq!(states(late), "+-+x+", "the states are kept");
}

proptest! {
    /// For any sequence of switches, the last switch that selects an event determines its state.
    #[test]
    fn the_last_switch_wins(words in proptest::collection::vec("-?st_[abc*?]{1,2}", 0..20)) {
        let names = ["st_a", "st_b", "!st_c", "st_ab", "st_ba"];
        let group = group("last word", &names);
        register(group);
        let mut expected = [false; 5];
        for word in &words {
            let Switch { pattern, enable } = Switch::parse(word);
            let selects_one = pattern.as_str().contains('?') && !pattern.is_glob();
            let matching = group.events().iter().enumerate().filter(|(_, event)| pattern.matches(event.name()));
            for (at, event) in matching.take(if selects_one { 1 } else { names.len() }) {
                expected[at] = enable && event.declaration().traceable;
            }
            let done = registry::switch(&Switch { pattern, enable });
            prop_assert!(done.changed <= done.matched);
        }
        let now: Vec<bool> = group.events().iter().map(|event| event.state() == EventState::Enabled).collect();
        unregister(group);
        prop_assert_eq!(now, expected);
    }
}
