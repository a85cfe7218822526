use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::entry::sample::{Made, Sample};

const DECLARATIONS: &str = "\
open(int fd, const char *path) \"\"
read(int fd, size_t size) \"\"
idle(void) \"\"
";

fn count(by: GroupBy, max_groups: usize, made: &[Made]) -> Statistics {
    let sample = Sample::new(DECLARATIONS);
    let mut statistics = Statistics::new(by, max_groups);
    made.iter().for_each(|made| statistics.count(&sample.entry(made)));
    statistics
}

fn read(timestamp_ns: u64, fd: u64) -> Made {
    Made::new("read", timestamp_ns, &[Value::Integer(fd), Value::Integer(0)])
}

fn open(timestamp_ns: u64, fd: u64, path: &str) -> Made {
    Made::new("open", timestamp_ns, &[Value::Integer(fd), Value::Str(path.as_bytes())])
}

fn counts(statistics: &Statistics) -> Vec<(String, u64)> {
    statistics.groups().iter().map(|group| (group.label().to_string(), group.count())).collect()
}

fn pairs(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
    expected.iter().map(|&(label, count)| (label.to_owned(), count)).collect()
}

#[test]
fn groups_by_event() {
    let statistics = count(GroupBy::Event, 10, &[read(5, 1), open(7, 1, "a"), read(15, 2), read(12, 2)]);
    assert_eq!(counts(&statistics), pairs(&[("read", 3), ("open", 1)]));
    let read = &statistics.groups()[0];
    assert_eq!(read.times_ns(), Some((5, 15)));
    assert_eq!((read.gaps().count(), read.gaps().max()), (1, Some(10)));
    assert_eq!((read.steps_back(), read.largest_step_back_ns()), (1, 3));
    assert_eq!(statistics.all().gaps().sum(), 2 + 8);
}

#[test]
fn events_of_one_name_are_one_group() {
    // Traces of different builds have separate schemas, but for users the event is the same.
    let sample = Sample::new("read(int fd) \"\"\n");
    let mut statistics = Statistics::new(GroupBy::Event, 10);
    let made = Made::new("read", 1, &[Value::Integer(1)]);
    for schema_index in [1, 7, 1] {
        statistics.count(&Entry { schema_index, ..sample.entry(&made) });
    }
    assert_eq!(counts(&statistics), pairs(&[("read", 3)]));
}

#[test]
fn groups_by_argument_of_any_event() {
    let made = [read(1, 3), open(2, 3, "a"), read(3, u64::MAX), Made::new("idle", 4, &[])];
    let statistics = count(GroupBy::Argument("fd".into()), 10, &made);
    assert_eq!(counts(&statistics), pairs(&[("3", 2), ("-1", 1)]));
    assert_eq!(statistics.without(), 1);

    let statistics =
        count(GroupBy::Argument("path".into()), 10, &[open(1, 1, "a\n"), open(2, 2, "a\n"), open(3, 1, "b")]);
    assert_eq!(counts(&statistics), pairs(&[("a\\n", 2), ("b", 1)]));
}

#[test]
fn groups_by_process_and_thread() {
    let made = [Made { pid: 7, tid: 70, ..read(1, 1) }, Made { pid: 7, ..read(2, 1) }];
    assert_eq!(counts(&count(GroupBy::Pid, 10, &made)), pairs(&[("7", 2)]));
    let statistics = count(GroupBy::Tid, 10, &made);
    assert_eq!((counts(&statistics), statistics.without()), (pairs(&[("70", 1)]), 1));
}

#[test]
fn dropped_events_are_separate() {
    let statistics = count(GroupBy::Event, 10, &[Made::dropped(5), read(9, 1), Made::dropped(u64::MAX)]);
    let dropped = statistics.dropped();
    assert_eq!((dropped.records, dropped.events, dropped.miscounted), (2, u64::MAX, 0));
    assert_eq!((statistics.all().count(), statistics.all().times_ns()), (1, Some((9, 9))));
}

proptest! {
    #[test]
    fn every_entry_is_counted(entries in vec((0_u64..100, 0_u64..6, any::<bool>()), 0..60), max_groups in 0_usize..5) {
        let made: Vec<Made> = entries
            .iter()
            .map(|&(time, fd, named)| if named { open(time, fd, &fd.to_string()) } else { read(time, fd) })
            .collect();
        for by in [GroupBy::Event, GroupBy::Argument("fd".into()), GroupBy::Argument("path".into()), GroupBy::Tid] {
            let statistics = count(by, max_groups, &made);
            prop_assert!(statistics.groups().len() <= max_groups);
            let grouped: u64 = statistics.groups().iter().map(Group::count).sum();
            let counted = grouped + statistics.other().count() + statistics.without();
            prop_assert_eq!(counted, entries.len() as u64);
            prop_assert_eq!(statistics.all().count(), entries.len() as u64);
            for group in statistics.groups() {
                prop_assert_eq!(group.gaps().count() + group.steps_back() + 1, group.count());
            }
        }
    }
}

#[test]
fn measures_arguments_of_every_event_that_has_them() {
    let sample = Sample::new(DECLARATIONS);
    let mut statistics =
        Statistics::new(GroupBy::Event, 1).measuring(vec!["fd".into(), "path".into(), "size".into()]);
    let made = [read(5, 1), read(6, -3_i32 as u64), open(7, 10, "a"), Made::new("idle", 8, &[])];
    made.iter().for_each(|made| statistics.count(&sample.entry(made)));
    let summed = |group: &Group| -> Vec<(u64, i128)> {
        let integer = |number| match number {
            Number::Integer(number) => number,
            Number::Double(number) => panic!("{number} is not an integer"),
        };
        group.numbers().iter().map(|numbers| (numbers.count(), integer(numbers.sum()))).collect()
    };
    assert_eq!(summed(&statistics.groups()[0]), [(2, -2), (0, 0), (2, 0)]);
    assert_eq!(summed(statistics.other()), [(1, 10), (0, 0), (0, 0)]);
    assert_eq!(summed(statistics.all()), [(3, 8), (0, 0), (2, 0)], "strings have no numbers");
}

#[test]
fn measures_integers_and_floating_point_values_of_one_name() {
    let sample = Sample::new("slept(int time) \"\"\nworked(double time, float share) \"\"\n");
    let worked = |at, time: f64| {
        let values = [time, f64::NAN].map(|value| Value::Integer(value.to_bits()));
        Made::new("worked", at, &values)
    };
    let made =
        [Made::new("slept", 1, &[Value::Integer(3)]), worked(2, 0.5), worked(3, 0.25), worked(4, -0.0)];
    let mut statistics = Statistics::new(GroupBy::Event, 10).measuring(vec!["time".into(), "share".into()]);
    made.iter().for_each(|made| statistics.count(&sample.entry(made)));
    let sums = |group: &Group| group.numbers()[0].sum();
    assert_eq!(sums(&statistics.groups()[0]), Number::Integer(3));
    assert_eq!(sums(&statistics.groups()[1]), Number::Double(0.75));
    assert_eq!(sums(statistics.all()), Number::Double(3.75));
    let share = &statistics.all().numbers()[1];
    assert_eq!((share.count(), share.nan(), share.infinite()), (0, 3, 0));

    let mut grouped = Statistics::new(GroupBy::Argument("share".into()), 10);
    let other_nan = Made::new("worked", 5, &[Value::Integer(0), Value::Integer((-f64::NAN).to_bits())]);
    made.iter().chain([&other_nan]).for_each(|made| grouped.count(&sample.entry(made)));
    assert_eq!((counts(&grouped), grouped.without()), (pairs(&[("NaN", 4)]), 1));
}
