//! The state of the screen: rows and their order, cursor, input mode and messages.

use std::time::Duration;

use super::action::{Action, Keys};
use super::order::{Filter, Key, Motion, Shown, SortOrder};
use super::rows::{Continuity, Row, RowId, Rows, Window};
use super::sample::{EventState, TraceState};
use super::sampler::{Change, Request, Update};
use crate::quantity::counted;

/// The intervals between samples that the user can select.
const INTERVALS_MS: &[u64] = &[100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000];

/// How long rows stay in place after the user has moved the cursor.
const HOLD: Duration = Duration::from_secs(5);

const MESSAGE: Duration = Duration::from_secs(6);

/// If the program has not answered for this time, or for three intervals if they are longer, the
/// screen reports it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);

const MAX_FILTER_CHARACTERS: usize = 200;

/// How far the list of keys can be scrolled.
const MAX_HELP_LINES: usize = 30;

/// The state of `ringtrace top`, independent of a terminal.
#[derive(Debug)]
pub struct App {
    pub target: String,
    live: Rows,
    /// A copy of the rows at the time of pausing, which is shown while the screen is paused.
    stopped: Option<Rows>,
    shown: Shown,
    pub sort: SortOrder,
    pub window: Window,
    /// Whether the user chose the window. Otherwise the window depends on the state of the trace.
    window_chosen: bool,
    pub filter: Filter,
    /// Whether to show events that are disabled and never occurred.
    pub everything: bool,
    pub cursor: Option<RowId>,
    moved_at: Option<Duration>,
    /// The number of rows above the visible part.
    pub first: usize,
    page: usize,
    pub mode: Mode,
    pub interval: Duration,
    message: Option<(Message, Duration)>,
    pub link: Connection,
    now: Duration,
}

/// The input mode: how keys are interpreted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    Browse,
    /// The user is typing a filter. Contains the previous filter, which Esc restores.
    Filter(Filter),
    Ask(Change, usize),
    /// The list of keys, scrolled to this line.
    Help(usize),
}

/// A message shown for a few seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub text: String,
    pub is_error: bool,
}

/// The state of the connection to the source. Times are measured from the start of the tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Connection {
    Waiting,
    Up(Duration),
    Lost { reason: String, since: Duration },
}

/// The event loop's next step after an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Stay,
    Quit,
    Suspend,
    Redraw,
    Ask(Request),
}

impl App {
    pub fn new(target: String, interval: Duration, sort: SortOrder, filter: Filter, everything: bool) -> App {
        App {
            target,
            live: Rows::default(),
            stopped: None,
            shown: Shown::default(),
            sort,
            window: Window::Minute,
            window_chosen: false,
            filter,
            everything,
            cursor: None,
            moved_at: None,
            first: 0,
            page: 1,
            mode: Mode::Browse,
            interval,
            message: None,
            link: Connection::Waiting,
            now: Duration::ZERO,
        }
    }

    /// Returns the displayed rows. While the screen is paused, these are the rows at the time of
    /// pausing.
    pub fn rows(&self) -> &Rows {
        self.stopped.as_ref().unwrap_or(&self.live)
    }

    pub fn visible(&self) -> impl Iterator<Item = (RowId, &Row)> {
        let ids = self.shown.ids.iter().skip(self.first).take(self.page);
        ids.filter_map(|&id| Some((id, self.rows().row(id)?)))
    }

    /// Returns all rows that pass the filter, in order, including those that do not fit on the
    /// screen.
    pub fn shown(&self) -> &[RowId] {
        &self.shown.ids
    }

    /// Returns whether the screen is paused.
    pub fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Returns whether rows keep their order. They do while the user is probably choosing one.
    pub fn holds(&self) -> bool {
        let touched = self.moved_at.is_some_and(|moved| self.now < moved + HOLD);
        self.cursor.is_some() && touched || matches!(self.mode, Mode::Ask(..))
    }

    /// Returns whether the program records nothing, no matter which events are enabled.
    pub fn is_not_recording(&self) -> bool {
        let state = self.rows().sample().map(|sample| sample.state);
        matches!(state, Some(TraceState::Off(_) | TraceState::NotStarted)) && !self.rows().is_trace()
    }

    /// Returns how long the source has failed to answer, if that is unusually long.
    pub fn silence(&self) -> Option<Duration> {
        let Connection::Up(last) = self.link else { return None };
        let silence = self.now.saturating_sub(last);
        (silence > ANSWER_TIMEOUT.max(self.interval * 3)).then_some(silence)
    }

    /// Returns the time since `moment`, which is measured from the start.
    pub fn since(&self, moment: Duration) -> Duration {
        self.now.saturating_sub(moment)
    }

    pub fn message(&self) -> Option<&Message> {
        self.message.as_ref().map(|(message, _)| message)
    }

    pub fn keys(&self) -> Keys {
        match self.mode {
            Mode::Browse => Keys::Commands,
            Mode::Filter(_) => Keys::Text,
            Mode::Ask(..) => Keys::Answer,
            Mode::Help(_) => Keys::Page,
        }
    }

    /// Returns the columns that rows can be sorted by, from left to right.
    pub fn columns(&self) -> &'static [Key] {
        if self.rows().is_trace() {
            &[Key::Rate, Key::Count, Key::Name]
        } else {
            &[Key::State, Key::Rate, Key::Count, Key::Dropped, Key::Name, Key::Group]
        }
    }

    /// Sets the number of rows that fit on the screen.
    pub fn fit(&mut self, page: usize) {
        self.page = page.max(1);
        self.scroll();
    }

    /// Advances the time to `now`, measured from the start. Returns whether the screen changes.
    pub fn tick(&mut self, now: Duration) -> bool {
        let (held, silence) = (self.holds(), self.silence());
        self.now = now;
        let mut changed = self.silence().map(|silence| silence.as_secs()) != silence.map(|s| s.as_secs());
        if self.message.as_ref().is_some_and(|(_, until)| *until <= now) {
            self.message = None;
            changed = true;
        }
        if held && !self.holds() {
            self.update_rows_calmly();
            changed = true;
        }
        changed
    }

    /// Handles an update from the sampler.
    pub fn take(&mut self, news: Update) {
        match news {
            Update::Sample(sample) => {
                let was_lost = matches!(self.link, Connection::Lost { .. });
                self.link = Connection::Up(self.now);
                let chosen = self.cursor.and_then(|id| self.rows().row(id)).map(|row| row.name.clone());
                let continuity = self.live.take(*sample);
                self.handle_continuity(continuity, was_lost, chosen);
                if !self.window_chosen
                    && let Some(sample) = self.live.sample().filter(|sample| sample.span_ns.is_some())
                {
                    self.window = match sample.state {
                        TraceState::Ended | TraceState::Left | TraceState::Behind(_) => Window::Whole,
                        _ => Window::Minute,
                    };
                }
                self.update_rows_calmly();
            }
            Update::Changed(change, result) => self.changed(&change, result),
            Update::Lost(reason) => {
                let since = match self.link {
                    Connection::Up(last) => last,
                    Connection::Lost { since, .. } => since,
                    Connection::Waiting => self.now,
                };
                self.link = Connection::Lost { reason, since };
            }
        }
    }

    /// Handles a sample that comes from another program or after a reset of the counters.
    fn handle_continuity(&mut self, continuity: Continuity, was_lost: bool, chosen: Option<String>) {
        let is_trace = self.live.is_trace();
        match continuity {
            Continuity::Went if was_lost => self.notify("The program is responding again"),
            Continuity::Went => {}
            Continuity::First | Continuity::Replaced => {
                // Row ids of another program are invalid.
                (self.stopped, self.shown) = (None, Shown::default());
                self.cursor = chosen.and_then(|name| self.live.find(&name));
                if continuity == Continuity::Replaced {
                    let pid = self.live.sample().and_then(|sample| sample.pid).unwrap_or(0);
                    self.notify(if is_trace {
                        "New trace file: counters reset".to_owned()
                    } else {
                        format!("Connected to another program, process {pid}: counters reset")
                    });
                }
            }
            Continuity::Restarted => self.notify("The program reset its counters"),
        }
    }

    fn changed(&mut self, change: &Change, result: Result<(), String>) {
        match (change, result) {
            (_, Err(reason)) => self.notify_error(reason),
            (Change::Events { pattern, enable }, Ok(())) => {
                let state = if *enable { EventState::Enabled } else { EventState::Disabled };
                let filter = Filter::new(pattern);
                let is_pattern = pattern.contains('*');
                let matches =
                    |row: &Row| if is_pattern { filter.accepts(&row.name) } else { row.name == *pattern };
                for rows in [Some(&mut self.live), self.stopped.as_mut()].into_iter().flatten() {
                    let ids =
                        (0..rows.all().len()).filter(|&id| matches(&rows.all()[id])).collect::<Vec<_>>();
                    ids.into_iter().for_each(|id| rows.set_state(id, state));
                }
                let word = if *enable { "on" } else { "off" };
                let hint = if *enable && self.is_not_recording() {
                    "; recording is off (press t to start it)"
                } else {
                    ""
                };
                self.notify(match pattern.as_str() {
                    "*" => format!("All events are {word}{hint}"),
                    _ if is_pattern => format!("Events that match {pattern} are {word}{hint}"),
                    _ => format!("{pattern} is {word}{hint}"),
                });
                self.update_rows_calmly();
            }
            (Change::TraceFile(true), Ok(())) => self.notify("The program now writes the trace file"),
            (Change::TraceFile(false), Ok(())) => self.notify("The program no longer writes the trace file"),
            (Change::Flush, Ok(())) => self.notify("All events so far are in the trace file"),
        }
    }

    /// Executes `action`.
    pub fn act(&mut self, action: Action) -> Step {
        // Any key dismisses the message.
        self.message = None;
        match action {
            Action::Quit => return Step::Quit,
            Action::Suspend => return Step::Suspend,
            Action::Redraw => return Step::Redraw,
            Action::Move(rows) => self.move_cursor(rows),
            Action::Page(pages) => self.move_cursor(pages.saturating_mul(self.page as isize)),
            Action::First => self.move_cursor(isize::MIN),
            Action::Last => self.move_cursor(isize::MAX),
            Action::Back => self.back(),
            Action::Switch => return self.switch(),
            Action::SwitchAll(enable) => self.ask_to_switch(enable),
            Action::Sort(key) => self.order_by(key),
            Action::Reverse => self.order_by(self.sort.key),
            Action::SortNext(columns) => self.next_column(columns),
            Action::Filter => self.mode = Mode::Filter(self.filter.clone()),
            Action::Everything => {
                self.everything = !self.everything;
                self.arrange();
                return Step::Ask(Request::Complete(self.everything));
            }
            Action::Pause => {
                self.stopped = if self.stopped.is_some() { None } else { Some(self.live.clone()) };
                self.arrange();
            }
            Action::Window => self.change_window(),
            Action::Interval(steps) => return self.change_interval(steps),
            Action::TraceFile => return self.switch_file(),
            Action::Flush => return self.change(Change::Flush),
            Action::Help => self.mode = Mode::Help(0),
            Action::Yes => {
                if let Mode::Ask(change, _) = std::mem::replace(&mut self.mode, Mode::Browse) {
                    return Step::Ask(Request::Change(change));
                }
            }
            Action::Type(c) => self.type_filter(|text| {
                if !c.is_control() && text.len() < MAX_FILTER_CHARACTERS {
                    text.push(c);
                }
            }),
            Action::Erase => self.type_filter(|text| {
                text.pop();
            }),
            Action::EraseAll => self.type_filter(String::clear),
            Action::Enter => self.mode = Mode::Browse,
        }
        Step::Stay
    }

    fn notify(&mut self, text: impl Into<String>) {
        self.message = Some((Message { text: text.into(), is_error: false }, self.now + MESSAGE));
    }

    fn notify_error(&mut self, text: impl Into<String>) {
        self.message = Some((Message { text: text.into(), is_error: true }, self.now + MESSAGE));
    }

    /// Updates the rows after a user's action, and sorts them strictly.
    fn arrange(&mut self) {
        self.arrange_by(Motion::Strict);
    }

    /// Updates the rows after a new sample, moving as few as possible.
    fn update_rows_calmly(&mut self) {
        self.arrange_by(if self.holds() { Motion::Held } else { Motion::Calm });
    }

    fn arrange_by(&mut self, motion: Motion) {
        let at = self.position();
        let rows = self.stopped.as_ref().unwrap_or(&self.live);
        let (filter, everything) = (&self.filter, self.everything);
        // The chosen row stays visible, even if its event was just disabled.
        let cursor = self.cursor;
        let chosen = cursor.and_then(|id| rows.row(id)).map(|row| row.name.as_str());
        let wanted = |row: &Row| {
            filter.accepts(&row.name) && (everything || row.is_active() || chosen == Some(&*row.name))
        };
        self.shown.update(rows, (self.sort, self.window), motion, wanted);
        if self.position().is_none() {
            let nearest = at.map(|at| at.min(self.shown.ids.len().saturating_sub(1)));
            self.cursor = nearest.and_then(|at| self.shown.ids.get(at).copied());
        }
        self.scroll();
    }

    /// Returns the index of the cursor's row among the shown rows.
    fn position(&self) -> Option<usize> {
        self.cursor.and_then(|cursor| self.shown.ids.iter().position(|&id| id == cursor))
    }

    /// Scrolls so that the cursor is on the screen. Without a cursor, the table starts at its first
    /// row.
    fn scroll(&mut self) {
        let last_first = self.shown.ids.len().saturating_sub(self.page);
        self.first = match self.position() {
            None => 0,
            Some(at) => self.first.clamp((at + 1).saturating_sub(self.page), at).min(last_first),
        };
    }

    fn move_cursor(&mut self, rows: isize) {
        if let Mode::Help(first) = &mut self.mode {
            *first = first.saturating_add_signed(rows).min(MAX_HELP_LINES);
            return;
        }
        let Some(last) = self.shown.ids.len().checked_sub(1) else { return };
        let at = match self.position() {
            Some(at) => at.saturating_add_signed(rows).min(last),
            // The first key makes the cursor visible without moving it.
            None if rows.unsigned_abs() == 1 => self.first.min(last),
            None => self.first.saturating_add_signed(rows).min(last),
        };
        self.cursor = Some(self.shown.ids[at]);
        self.moved_at = Some(self.now);
        self.scroll();
    }

    fn back(&mut self) {
        match std::mem::replace(&mut self.mode, Mode::Browse) {
            Mode::Filter(before) => {
                self.filter = before;
                self.arrange();
            }
            Mode::Ask(..) => self.notify("Nothing was changed"),
            Mode::Help(_) => {}
            Mode::Browse if !self.filter.is_everything() => {
                self.filter = Filter::default();
                self.arrange();
            }
            Mode::Browse => {
                self.cursor = None;
                self.arrange();
            }
        }
    }

    fn switch(&mut self) -> Step {
        if self.refuse_change() {
            return Step::Stay;
        }
        let Some(row) = self.cursor.and_then(|id| self.rows().row(id)) else {
            self.notify("Choose an event with the arrow keys; space enables or disables it");
            return Step::Stay;
        };
        let (name, state) = (row.name.clone(), row.state);
        match state {
            Some(EventState::Unavailable) => {
                self.notify_error(format!("{name} cannot be enabled: it was compiled with `disable`"));
                Step::Stay
            }
            state => {
                self.moved_at = Some(self.now);
                let enable = state != Some(EventState::Enabled);
                self.change(Change::Events { pattern: name, enable })
            }
        }
    }

    fn ask_to_switch(&mut self, enable: bool) {
        if self.refuse_change() {
            return;
        }
        let rows = self.rows().all().iter();
        let other = if enable { EventState::Disabled } else { EventState::Enabled };
        let accepted = rows.filter(|row| row.state == Some(other) && self.filter.accepts(&row.name)).count();
        if accepted == 0 {
            let word = if enable { "off" } else { "on" };
            let which = if self.filter.is_everything() { "" } else { " that matches" };
            return self.notify(format!("No event{which} is {word}"));
        }
        self.mode = Mode::Ask(Change::Events { pattern: self.filter.pattern(), enable }, accepted);
    }

    fn switch_file(&mut self) -> Step {
        let state = self.live.sample().map(|sample| sample.state);
        self.change(Change::TraceFile(state != Some(TraceState::On)))
    }

    /// If the target cannot be changed now, reports why and returns `true`.
    fn refuse_change(&mut self) -> bool {
        if self.rows().is_trace() {
            self.notify_error("A trace is read-only: to enable events, connect to the program's monitor");
        } else if let Connection::Lost { .. } = self.link {
            self.notify_error("The program has ended: nothing can be changed");
        } else {
            return false;
        }
        true
    }

    fn change(&mut self, change: Change) -> Step {
        if self.refuse_change() { Step::Stay } else { Step::Ask(Request::Change(change)) }
    }

    fn order_by(&mut self, key: Key) {
        if !self.columns().contains(&key) {
            return self.notify("This column is not available for a trace");
        }
        self.sort = self.sort.by(key);
        // After a change of order, show the start of the table, unless there is a cursor.
        self.arrange();
    }

    fn next_column(&mut self, columns: isize) {
        let keys = self.columns();
        let at = keys.iter().position(|&key| key == self.sort.key).unwrap_or(0);
        let at = at.saturating_add_signed(columns).min(keys.len() - 1);
        if keys[at] != self.sort.key {
            self.order_by(keys[at]);
        }
    }

    fn change_window(&mut self) {
        if !self.rows().is_trace() {
            return self.notify(
                "Only traces have rates for the whole time; for a program, rates are for the last minute",
            );
        }
        self.window_chosen = true;
        self.window = match self.window {
            Window::Minute => Window::Whole,
            Window::Whole => Window::Minute,
        };
        self.arrange();
    }

    fn change_interval(&mut self, steps: isize) -> Step {
        let now_ms = self.interval.as_millis() as u64;
        let next = if steps > 0 {
            INTERVALS_MS.iter().find(|&&ms| ms > now_ms)
        } else {
            INTERVALS_MS.iter().rev().find(|&&ms| ms < now_ms)
        };
        let Some(&ms) = next else {
            self.notify(if steps > 0 {
                "This is the longest interval"
            } else {
                "This is the shortest interval"
            });
            return Step::Stay;
        };
        self.interval = Duration::from_millis(ms);
        Step::Ask(Request::Interval(self.interval))
    }

    fn type_filter(&mut self, edit: impl FnOnce(&mut String)) {
        let mut text = self.filter.text().to_owned();
        edit(&mut text);
        self.filter = Filter::new(&text);
        self.arrange();
    }

    /// Returns the question to show before many events are enabled or disabled.
    pub fn question(change: &Change, events: usize) -> String {
        let Change::Events { pattern, enable } = change else { return String::new() };
        let word = if *enable { "on" } else { "off" };
        let events = counted(events as u64, "event", "events");
        match pattern.as_str() {
            "*" => format!("Switch {word} all {events}?"),
            _ => format!("Switch {word} {events} that match {pattern}?"),
        }
    }
}

#[cfg(test)]
mod tests;
