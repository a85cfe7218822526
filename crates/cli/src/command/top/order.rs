//! Selects and sorts the rows to show.

use std::cmp::Ordering;

use clap::ValueEnum;
use ringtrace_events::glob;

use super::rows::{Row, RowId, Rows, Window};

/// Column to sort by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Key {
    /// Records per second, highest first
    Rate,
    /// Records so far, highest first
    Count,
    /// Dropped events, highest first
    Dropped,
    /// By name
    Name,
    /// By group, then by name
    Group,
    /// Enabled events first, then by name
    State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortOrder {
    pub key: Key,
    pub reversed: bool,
}

impl Default for SortOrder {
    fn default() -> SortOrder {
        SortOrder { key: Key::Rate, reversed: false }
    }
}

impl SortOrder {
    /// Returns the order after the user selects `key`. Selecting the same key again reverses it.
    #[must_use]
    pub fn by(self, key: Key) -> SortOrder {
        SortOrder { key, reversed: self.key == key && !self.reversed }
    }

    /// Compares two rows by the sort key, then by name.
    fn compare(self, rows: &Rows, window: Window, a: &Row, b: &Row) -> Ordering {
        let by_key = match self.key {
            Key::Rate => self.rate(rows, window, b).total_cmp(&self.rate(rows, window, a)),
            Key::Count => b.recorded.cmp(&a.recorded),
            Key::Dropped => b.dropped.cmp(&a.dropped),
            Key::Name => Ordering::Equal,
            Key::Group => a.group.cmp(&b.group),
            Key::State => a.state.cmp(&b.state),
        };
        let ordered = by_key.then_with(|| a.name.cmp(&b.name));
        if self.reversed { ordered.reverse() } else { ordered }
    }

    fn rate(self, rows: &Rows, window: Window, row: &Row) -> f64 {
        match window {
            Window::Minute => row.smooth_rate,
            Window::Whole => rows.rate_of(row, window).unwrap_or(0.0),
        }
    }

    /// Returns whether `a` may move above `b`, which precedes it. Rows with nearly equal numbers
    /// stay in place.
    fn overtakes(self, rows: &Rows, window: Window, a: &Row, b: &Row) -> bool {
        let numbers = match self.key {
            Key::Rate => Some((self.rate(rows, window, a), self.rate(rows, window, b))),
            Key::Count => Some((a.recorded.unwrap_or(0) as f64, b.recorded.unwrap_or(0) as f64)),
            Key::Dropped | Key::Name | Key::Group | Key::State => None,
        };
        if let Some((a, b)) = numbers
            && a != b
            && (a - b).abs() <= JITTER * a.max(b)
        {
            return false;
        }
        self.compare(rows, window, a, b) == Ordering::Less
    }
}

/// The relative difference up to which two numbers count as equal.
const JITTER: f64 = 0.05;

/// If rows have to move by more than this many positions on average, they are sorted from scratch.
const MAX_MOVES: usize = 32;

/// A filter of event names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    text: String,
}

impl Filter {
    /// Accepts names that contain `text`, or match it if it contains a `*`.
    pub fn new(text: &str) -> Filter {
        Filter { text: text.to_owned() }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether the filter accepts all names.
    pub fn is_everything(&self) -> bool {
        self.text.is_empty()
    }

    pub fn accepts(&self, name: &str) -> bool {
        self.is_everything() || glob::matches_event(&self.pattern(), name)
    }

    /// Returns the monitor's pattern that matches the same events.
    pub fn pattern(&self) -> String {
        match self.text.as_str() {
            "" => "*".to_owned(),
            text if text.contains('*') => text.to_owned(),
            text => format!("*{text}*"),
        }
    }
}

/// How freely an update may move rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// Sort strictly.
    Strict,
    /// Move rows only if their order has clearly changed.
    Calm,
    /// Keep rows in place, and append new ones.
    Held,
}

/// The rows to show, in order.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    pub ids: Vec<RowId>,
    sort: Option<(SortOrder, Window)>,
}

impl Shown {
    /// Selects and sorts the rows again. After a change of the sort order, rows are always sorted
    /// strictly.
    pub fn update(
        &mut self,
        rows: &Rows,
        (sort, window): (SortOrder, Window),
        motion: Motion,
        wanted: impl Fn(&Row) -> bool,
    ) {
        let wanted = |id: RowId| rows.row(id).is_some_and(&wanted);
        let mut ids = std::mem::take(&mut self.ids);
        ids.retain(|&id| wanted(id));
        let mut there = vec![false; rows.all().len()];
        ids.iter().for_each(|&id| there[id] = true);
        let mut new: Vec<RowId> = (0..rows.all().len()).filter(|&id| !there[id] && wanted(id)).collect();
        let is_other = self.sort != Some((sort, window)) || ids.is_empty();
        self.sort = Some((sort, window));
        let compare = |&a: &RowId, &b: &RowId| sort.compare(rows, window, &rows.all()[a], &rows.all()[b]);
        new.sort_by(compare);
        ids.append(&mut new);
        match motion {
            _ if is_other => ids.sort_by(compare),
            Motion::Strict => ids.sort_by(compare),
            Motion::Calm => {
                settle(&mut ids, compare, |a, b| {
                    sort.overtakes(rows, window, &rows.all()[a], &rows.all()[b])
                });
            }
            Motion::Held => {}
        }
        self.ids = ids;
    }
}

/// Moves each row up past the rows that it overtakes.
fn settle(
    ids: &mut [RowId],
    compare: impl Fn(&RowId, &RowId) -> Ordering,
    overtakes: impl Fn(RowId, RowId) -> bool,
) {
    let mut moves = ids.len().saturating_mul(MAX_MOVES);
    for moving in 1..ids.len() {
        let mut at = moving;
        while at > 0 && overtakes(ids[at], ids[at - 1]) {
            ids.swap(at, at - 1);
            at -= 1;
            moves = moves.saturating_sub(1);
        }
        if moves == 0 {
            ids.sort_by(compare);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{EventSample, Sample};
    use super::*;

    /// Returns the rows after two samples one second apart. `events` gives each event's name and
    /// its record count for that second.
    fn rows(events: &[(&str, u64)]) -> Rows {
        let mut rows = Rows::default();
        sampler(&mut rows, 0, &events.iter().map(|&(name, _)| (name, 0)).collect::<Vec<_>>());
        sampler(&mut rows, 1, events);
        rows
    }

    fn sampler(rows: &mut Rows, second: u64, events: &[(&str, u64)]) {
        rows.take(Sample {
            time_ns: second * 1_000_000_000,
            recorded: events.iter().map(|(_, recorded)| recorded).sum(),
            events: events
                .iter()
                .map(|&(name, recorded)| EventSample {
                    name: name.to_owned(),
                    recorded: Some(recorded),
                    ..EventSample::default()
                })
                .collect(),
            ..Sample::default()
        });
    }

    fn names(shown: &Shown, rows: &Rows) -> String {
        shown.ids.iter().map(|&id| rows.all()[id].name.as_str()).collect::<Vec<_>>().join(" ")
    }

    const BY_RATE: (SortOrder, Window) = (SortOrder { key: Key::Rate, reversed: false }, Window::Minute);

    #[test]
    fn rows_that_are_nearly_the_same_stay_where_they_are() {
        let mut rows = rows(&[("a", 100), ("b", 101), ("c", 500)]);
        let mut shown = Shown::default();
        shown.update(&rows, BY_RATE, Motion::Calm, |_| true);
        assert_eq!(names(&shown, &rows), "c b a");
        sampler(&mut rows, 2, &[("a", 205), ("b", 202), ("c", 1000)]);
        shown.update(&rows, BY_RATE, Motion::Calm, |_| true);
        assert_eq!(names(&shown, &rows), "c b a");
        sampler(&mut rows, 3, &[("a", 1205), ("b", 302), ("c", 1500)]);
        shown.update(&rows, BY_RATE, Motion::Calm, |_| true);
        assert_eq!(names(&shown, &rows), "c a b");
    }

    #[test]
    fn nothing_moves_while_the_order_is_held_and_new_rows_come_last() {
        let mut rows = rows(&[("a", 100), ("b", 50)]);
        let mut shown = Shown::default();
        shown.update(&rows, BY_RATE, Motion::Calm, |_| true);
        sampler(&mut rows, 2, &[("a", 100), ("b", 5000), ("c", 10_000)]);
        shown.update(&rows, BY_RATE, Motion::Held, |_| true);
        assert_eq!(names(&shown, &rows), "a b c");
        shown.update(&rows, BY_RATE, Motion::Calm, |_| true);
        assert_eq!(names(&shown, &rows), "c b a");
        // A new sort order applies at once, even while rows are held in place.
        let by_name = (SortOrder::default().by(Key::Name), Window::Minute);
        shown.update(&rows, by_name, Motion::Held, |_| true);
        assert_eq!(names(&shown, &rows), "a b c");
        shown.update(&rows, (by_name.0.by(Key::Name), Window::Minute), Motion::Held, |_| true);
        assert_eq!(names(&shown, &rows), "c b a");
    }

    #[test]
    fn many_moves_end_in_order() {
        let names: Vec<String> = (0..500).map(|n| format!("event_{n}")).collect();
        let up: Vec<(&str, u64)> =
            names.iter().enumerate().map(|(n, name)| (name.as_str(), n as u64 * n as u64)).collect();
        let mut rows = rows(&up);
        let mut shown = Shown::default();
        shown.update(&rows, BY_RATE, Motion::Calm, |_| true);
        assert!(shown.ids.is_sorted_by(|a, b| a > b));
        let down: Vec<(&str, u64)> =
            up.iter().rev().zip(&up).map(|(&(_, rate), &(name, before))| (name, before + rate * 9)).collect();
        (2..20).for_each(|second| sampler(&mut rows, second, &down));
        shown.update(
            &rows,
            (SortOrder { key: Key::Count, reversed: false }, Window::Minute),
            Motion::Calm,
            |_| true,
        );
        let counts: Vec<_> = shown.ids.iter().map(|&id| rows.all()[id].recorded).collect();
        assert!(counts.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn filters_are_parts_of_names_or_patterns() {
        for (text, name, accepted) in [
            ("", "blk_read", true),
            ("read", "blk_read", true),
            ("blk*", "blk_read", true),
            ("read*", "blk_read", false),
            ("b*r?ad", "blk_read", true),
            ("b?k", "blk_read", true),
            ("BLK", "blk_read", false),
        ] {
            assert_eq!(Filter::new(text).accepts(name), accepted, "{text}");
        }
    }
}
