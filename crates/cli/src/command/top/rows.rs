//! The events and their rates, accumulated from successive samples.

use std::collections::HashMap;

use ringtrace_events::message::visible;

use super::history::{LastMinute, MINUTE_SECONDS, WholeTrace};
use super::sample::{EventSample, EventState, Sample, TraceState};

/// One event, as in the last sample.
#[derive(Debug, Clone, Default)]
pub struct Row {
    pub name: String,
    pub shown_name: String,
    pub group: String,
    pub state: Option<EventState>,
    pub recorded: Option<u64>,
    pub dropped: Option<u64>,
    pub rate: Option<f64>,
    pub dropped_now: u64,
    /// The smoothed rate, by which rows are sorted.
    pub smooth_rate: f64,
    /// Events per second of the last minute.
    pub minute: Option<Box<LastMinute>>,
    pub whole: Option<Box<WholeTrace>>,
}

impl Row {
    /// Returns whether the event is enabled or has occurred.
    pub fn is_active(&self) -> bool {
        self.state == Some(EventState::Enabled)
            || self.recorded.is_some_and(|recorded| recorded > 0)
            || self.dropped.is_some_and(|dropped| dropped > 0)
    }

    fn set_rate(&mut self, total: Option<u64>, interval_ns: u64, went_on: bool, smoothing: f64) {
        if !went_on {
            (self.rate, self.smooth_rate) = (None, 0.0);
        }
        // Two samples with the same timestamp do not give a new rate.
        if interval_ns == 0 {
            return;
        }
        let first = self.rate.is_none();
        self.rate = total.map(|total| total as f64 * 1e9 / interval_ns as f64);
        let rate = self.rate.unwrap_or(0.0);
        self.smooth_rate =
            if first { rate } else { self.smooth_rate + smoothing * (rate - self.smooth_rate) };
        if rate == 0.0 && self.smooth_rate < SMOOTH_REST {
            self.smooth_rate = 0.0;
        }
    }
}

/// The index of a row. It becomes invalid when another program or trace replaces the target.
pub type RowId = usize;

/// Sums over several rows.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Totals {
    pub events: usize,
    pub enabled: usize,
    pub rate: f64,
    pub recorded: u64,
    pub dropped: u64,
}

/// How a sample relates to the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Continuity {
    /// The counters continue from the previous sample.
    Went,
    /// The first sample.
    First,
    /// The sample is from another process or trace.
    Replaced,
    /// The process is the same, but its counters were reset.
    Restarted,
}

#[derive(Debug, Clone, Default)]
pub struct Rows {
    rows: Vec<Row>,
    by_name: HashMap<String, RowId>,
    last: Option<Sample>,
    first_ns: u64,
    pub totals: Totals,
    interval_ns: u64,
    /// How fast the trace file grows, in bytes per second.
    pub growth: Option<f64>,
    /// Records per second of the whole program; `None` before the second sample.
    pub rate: Option<f64>,
    /// Events lost between the last two samples.
    pub dropped_now: u64,
    last_piece: usize,
    /// The length of the longest event name, in characters.
    pub longest_name: usize,
    /// Whether rows are sorted by their unsmoothed rates.
    exact: bool,
}

/// The weight of the newest rate in the smoothed rate.
const SMOOTHING: f64 = 0.4;

/// Once an event no longer occurs, a smoothed rate below this counts as zero.
const SMOOTH_REST: f64 = 1e-3;

impl Rows {
    /// Creates rows for one-time output, which are sorted by exact rates.
    pub fn exact() -> Rows {
        Rows { exact: true, ..Rows::default() }
    }

    /// Updates the rows from `sample`.
    pub fn take(&mut self, mut sample: Sample) -> Continuity {
        let continuity = self.continuity(&sample);
        if matches!(continuity, Continuity::First | Continuity::Replaced) {
            *self = Rows { exact: self.exact, first_ns: sample.time_ns, ..Rows::default() };
        }
        let last = self.last.take().unwrap_or_default();
        let went_on = continuity == Continuity::Went;
        self.interval_ns = if went_on { sample.time_ns.saturating_sub(last.time_ns) } else { 0 };
        let seconds = self.interval_ns as f64 / 1e9;
        let since = |now: u64, before: u64| now.saturating_sub(before) as f64 / seconds;
        if self.interval_ns > 0 {
            self.rate = Some(since(sample.total(), last.total()));
            self.growth = Some(since(sample.file_bytes, last.file_bytes));
            self.dropped_now = sample.dropped.saturating_sub(last.dropped);
        } else if !went_on {
            (self.rate, self.growth, self.dropped_now) = (None, None, 0);
        }
        let complete = sample.complete;
        let mut met = vec![false; self.rows.len()];
        for event in std::mem::take(&mut sample.events) {
            let id = self.place(&event);
            if let Some(met) = met.get_mut(id) {
                *met = true;
            }
            self.update(id, event, sample.time_ns, went_on);
        }
        for id in (0..met.len()).filter(|&id| !met[id]) {
            self.miss(id, complete, sample.time_ns, went_on);
        }
        let wholes = self.rows.iter().filter_map(|row| row.whole.as_ref());
        self.last_piece = wholes.map(|whole| whole.last()).max().unwrap_or(0);
        self.last = Some(sample);
        self.totals = self.totals_of(0..self.rows.len());
        continuity
    }

    fn continuity(&self, sample: &Sample) -> Continuity {
        match &self.last {
            None => Continuity::First,
            Some(last) if last.generation != sample.generation => Continuity::Replaced,
            Some(last) if last.pid.zip(sample.pid).is_some_and(|(before, now)| before != now) => {
                Continuity::Replaced
            }
            Some(last) if sample.time_ns < last.time_ns => Continuity::Restarted,
            Some(last) if sample.total() < last.total() => Continuity::Restarted,
            Some(_) => Continuity::Went,
        }
    }

    /// Returns the row of `event`. Adds a row if the event is new.
    fn place(&mut self, event: &EventSample) -> RowId {
        if let Some(&id) = self.by_name.get(&event.name) {
            return id;
        }
        let id = self.rows.len();
        let shown_name = visible::text(&event.name);
        self.longest_name = self.longest_name.max(shown_name.chars().count());
        self.rows.push(Row {
            name: event.name.clone(),
            shown_name,
            group: visible::text(&event.group),
            // The event is new, so its previous count was 0.
            recorded: event.recorded.map(|_| 0),
            dropped: event.dropped.map(|_| 0),
            ..Row::default()
        });
        self.by_name.insert(event.name.clone(), id);
        id
    }

    fn update(&mut self, id: RowId, event: EventSample, time_ns: u64, went_on: bool) {
        let (interval_ns, smoothing) = (self.interval_ns, if self.exact { 1.0 } else { SMOOTHING });
        let row = &mut self.rows[id];
        row.state = event.state;
        let before = if went_on { row.recorded } else { None };
        // A counter that decreased was reset, so its previous value was 0.
        let delta = |now: u64, before: u64| now.checked_sub(before).unwrap_or(now);
        let total = event.recorded.zip(before).map(|(now, before)| delta(now, before));
        row.dropped_now = match (event.dropped, row.dropped) {
            (Some(now), Some(before)) if went_on => delta(now, before),
            _ => 0,
        };
        (row.recorded, row.dropped) = (event.recorded, event.dropped);
        if let Some(histories) = event.histories {
            let (minute, whole) = *histories;
            (row.minute, row.whole) = (Some(Box::new(minute)), Some(Box::new(whole)));
        } else if let Some(total) = total.filter(|&total| total > 0) {
            let minute = row.minute.get_or_insert_default();
            minute.spread(time_ns.saturating_sub(interval_ns), time_ns, total);
        }
        row.set_rate(total, interval_ns, went_on, smoothing);
    }

    /// Updates the row of an event that is missing in a sample.
    fn miss(&mut self, id: RowId, complete: bool, time_ns: u64, went_on: bool) {
        let row = &self.rows[id];
        let state = match row.state {
            Some(EventState::Enabled) => Some(EventState::Disabled),
            state => state,
        };
        // Either the event's library was unloaded, or the counters were reset and the event has not
        // occurred since. A trace is different: its samples contain only events that changed.
        let is_trace = row.whole.is_some();
        let (recorded, dropped) = if went_on && (is_trace || complete) {
            (row.recorded, row.dropped)
        } else {
            (row.recorded.map(|_| 0), row.dropped.map(|_| 0))
        };
        let event = EventSample { state, recorded, dropped, ..EventSample::default() };
        self.update(id, event, time_ns, went_on);
    }

    /// Returns the last sample, without its events.
    pub fn sample(&self) -> Option<&Sample> {
        self.last.as_ref()
    }

    /// Returns all rows, in order of their first occurrence.
    pub fn all(&self) -> &[Row] {
        &self.rows
    }

    pub fn row(&self, id: RowId) -> Option<&Row> {
        self.rows.get(id)
    }

    pub fn find(&self, name: &str) -> Option<RowId> {
        self.by_name.get(name).copied()
    }

    /// Returns the sums over the rows `ids`.
    pub fn totals_of(&self, ids: impl Iterator<Item = RowId>) -> Totals {
        let mut totals = Totals::default();
        for row in ids.filter_map(|id| self.rows.get(id)) {
            totals.events += 1;
            totals.enabled += usize::from(row.state == Some(EventState::Enabled));
            totals.rate += row.rate.unwrap_or(0.0);
            totals.recorded = totals.recorded.saturating_add(row.recorded.unwrap_or(0));
            totals.dropped = totals.dropped.saturating_add(row.dropped.unwrap_or(0));
        }
        totals
    }

    /// Shows a changed state immediately, before the next sample confirms it.
    pub fn set_state(&mut self, id: RowId, state: EventState) {
        if let Some(row) = self.rows.get_mut(id)
            && row.state.is_some_and(|state| state != EventState::Unavailable)
        {
            row.state = Some(state);
        }
    }

    /// Returns the rate of `row` over the whole trace, or between the last two samples.
    pub fn rate_of(&self, row: &Row, window: Window) -> Option<f64> {
        match window {
            Window::Minute => row.rate,
            Window::Whole => self.rate_of_whole(row.recorded?),
        }
    }

    /// The rate of all events.
    pub fn rate_of_all(&self, window: Window) -> Option<f64> {
        match window {
            Window::Minute => self.rate,
            Window::Whole => self.rate_of_whole(self.last.as_ref()?.recorded),
        }
    }

    fn rate_of_whole(&self, recorded: u64) -> Option<f64> {
        let span_ns = self.last.as_ref()?.span_ns.filter(|&span_ns| span_ns > 0)?;
        Some(recorded as f64 * 1e9 / span_ns as f64)
    }

    /// Returns how the rate of `row` changes over time, in up to `columns` values, oldest first.
    pub fn shape_of(&self, row: &Row, window: Window, columns: usize) -> Vec<f64> {
        let now_ns = self.last.as_ref().map_or(0, |sample| sample.time_ns);
        match (window, &row.minute, &row.whole) {
            (Window::Minute, Some(minute), _) => {
                minute.rates(self.since_ns(), now_ns, columns.min(MINUTE_SECONDS))
            }
            (Window::Whole, _, Some(whole)) => whole.shape(self.last_piece, columns),
            _ => Vec::new(),
        }
    }

    /// Returns the start of the time span that the samples cover.
    fn since_ns(&self) -> u64 {
        match &self.last {
            Some(Sample { span_ns: Some(span_ns), time_ns, .. }) => time_ns.saturating_sub(*span_ns),
            _ => self.first_ns,
        }
    }

    pub fn is_trace(&self) -> bool {
        self.last.as_ref().is_some_and(|sample| sample.span_ns.is_some())
    }

    pub fn has_ended(&self) -> bool {
        self.last.as_ref().is_some_and(|sample| matches!(sample.state, TraceState::Ended | TraceState::Left))
    }
}

/// The time span over which rates are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Window {
    #[default]
    Minute,
    Whole,
}
