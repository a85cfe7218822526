use std::io;
use std::thread;
use std::time::Duration;

use super::order::{Filter, Motion, Shown, SortOrder};
use super::rows::{Row, Rows, Window};
use super::sample::{EventState, TraceState};
use super::sampler::{SampleError, SampleSource};
use crate::exit::{CliError, Exit};
use crate::output::print;
use crate::quantity::{self, Units, counted};
use crate::terminal::Terminal;
use ringtrace_display::Table;

/// Options of the batch mode, which prints tables as plain text for scripts and files.
#[derive(Debug, Clone)]
pub struct Batch {
    /// The number of tables to print. `None` prints tables until the source ends.
    pub tables: Option<u64>,
    pub interval: Duration,
    pub sort: SortOrder,
    pub filter: Filter,
    /// Whether to show events that are disabled and never occurred.
    pub everything: bool,
    pub strict: bool,
}

/// How often to check whether a trace has been read to its end.
const STEP: Duration = Duration::from_millis(20);

impl Batch {
    /// Prints tables of the samples of `source`, each with the rates since the previous sample. The
    /// first table appears after one interval.
    ///
    /// Returns the exit status of the tool. Lost events are an error only if `strict` is set.
    pub fn run(&self, mut source: Box<dyn SampleSource>, terminal: &Terminal) -> Result<Exit, CliError> {
        let mut rows = Rows::exact();
        let mut printed = 0;
        let mut waited = false;
        while self.tables.is_none_or(|tables| printed < tables) {
            let sample = match source.sample(true) {
                Ok(sample) => sample,
                Err(SampleError::NoAnswer) => {
                    terminal.warn("the program does not answer: it is stopped or busy", None);
                    continue;
                }
                Err(SampleError::Disconnected(reason)) if printed == 0 => {
                    return Err(CliError::system("the program", &io::Error::other(reason)));
                }
                Err(SampleError::Disconnected(reason)) => {
                    terminal.note(&reason);
                    break;
                }
            };
            if let TraceState::Behind(_) = sample.state {
                thread::sleep(STEP);
                continue;
            }
            rows.take(sample);
            let over = rows.has_ended();
            if waited
                && rows.is_trace()
                && let Some(sample) = rows.sample().filter(|sample| sample.file_bytes == 0)
            {
                let name = sample.file.as_deref().unwrap_or_default();
                return Err(CliError::input(format!("{name}: the file is empty")));
            }
            // If the source has ended, print a table even without a current rate. It then shows the
            // rates of the whole trace. A trace without events has no rate.
            if over || rows.rate.is_some() || waited {
                let blank = if printed > 0 { "\n" } else { "" };
                print(format!("{blank}{}", self.render(&rows, terminal)))?;
                printed += 1;
            }
            if over {
                break;
            }
            if self.tables.is_none_or(|tables| printed < tables) {
                thread::sleep(self.interval);
                // With `--batch`, wait for the first event, or for a program to start the trace.
                waited = self.tables == Some(1);
            }
        }
        Ok(match rows.sample() {
            // An unreadable part of a trace is an input error. For a program, the error is that it
            // cannot write its trace file, which is not an error of this tool.
            Some(sample) if sample.error.is_some() && rows.is_trace() => Exit::Input,
            Some(sample) if sample.dropped > 0 && self.strict => Exit::Lost,
            _ => Exit::Done,
        })
    }

    fn render(&self, rows: &Rows, terminal: &Terminal) -> String {
        let window = if rows.has_ended() { Window::Whole } else { Window::Minute };
        let mut shown = Shown::default();
        let everything = self.everything;
        shown.update(rows, (self.sort, window), Motion::Strict, |row| {
            self.filter.accepts(&row.name) && (everything || row.is_active())
        });
        let mut out = head(rows, window, terminal);
        let chosen: Vec<&Row> = shown.ids.iter().filter_map(|&id| rows.row(id)).collect();
        if chosen.is_empty() {
            let all = counted(rows.all().len() as u64, "event", "events");
            out.push_str(&match (self.filter.is_everything(), rows.is_trace()) {
                (true, false) => format!("No events are on, and none have occurred; --all shows all ({all}).\n"),
                (false, false) if everything => {
                    format!("No event matches {} (the program has {all}).\n", self.filter.pattern())
                }
                (false, false) => format!(
                    "No events matching {} are on, and none have occurred; --all also shows other events ({all}).\n",
                    self.filter.pattern()
                ),
                (true, true) => "The trace contains no events.\n".to_owned(),
                (false, true) => format!("No event in the trace matches {}.\n", self.filter.pattern()),
            });
            return out;
        }
        let all = rows.rate_of_all(window).unwrap_or(0.0);
        let rate = |row: &Row| rows.rate_of(row, window);
        let number = |number: Option<u64>| number.map_or("-".to_owned(), quantity::count);
        let mut table = Table::new("EVENT");
        if !rows.is_trace() {
            table.column("ON", 0, chosen.iter().map(|row| state_word(row.state).to_owned()));
        }
        table.column("PER S", 0, chosen.iter().map(|row| rate(row).map_or("-".to_owned(), quantity::rate)));
        table.column(
            "%",
            1,
            chosen.iter().map(|row| match rate(row) {
                Some(rate) if all > 0.0 => format!("{:.1}", (rate / all * 100.0).min(100.0)),
                _ => "-".to_owned(),
            }),
        );
        table.column("RECORDED", 0, chosen.iter().map(|row| number(row.recorded)));
        if !rows.is_trace() {
            table.column("DROPPED", 0, chosen.iter().map(|row| number(row.dropped)));
        }
        table.names(chosen.iter().map(|row| row.shown_name.clone()));
        terminal.table(&table, &mut out);
        out
    }
}

fn head(rows: &Rows, window: Window, terminal: &Terminal) -> String {
    let Some(sample) = rows.sample() else { return String::new() };
    let units = Units::new(terminal.unicode);
    let visible = ringtrace_events::message::visible::text;
    let pid = sample.pid.map_or(String::new(), |pid| format!(" {pid}"));
    let state = match sample.state {
        TraceState::On if rows.is_trace() => "growing".to_owned(),
        TraceState::On => "recording".to_owned(),
        TraceState::Off(Some(ns)) => format!("not recording for {}", units.duration(ns)),
        TraceState::Off(None) => "not recording".to_owned(),
        TraceState::NotStarted => "tracing was not started".to_owned(),
        TraceState::Behind(_) => "being read".to_owned(),
        // Do not claim that the program ended: another process may have its id now.
        TraceState::Ended | TraceState::Left => "no longer written".to_owned(),
    };
    let rate = rows.rate_of_all(window).map_or("-".to_owned(), quantity::rate);
    let overwritten =
        sample.overwritten.map_or(String::new(), |n| format!(", {} overwritten", quantity::count(n)));
    let mut out = format!(
        "{}{pid}: {state}; {rate} per s, {} {}{overwritten}, {} dropped\n",
        visible(&sample.program),
        quantity::count(sample.recorded),
        sample.recorded_word(),
        quantity::count(sample.dropped),
    );
    if let Some(file) = &sample.file {
        out.push_str(&format!("{}: {}\n", visible(file), quantity::bytes(sample.file_bytes)));
    }
    if let Some(ring) = sample.rings.iter().max_by(|a, b| a.share().total_cmp(&b.share())) {
        out.push_str(&format!(
            "{} (fullest: {}, {:.0}% of {} used)\n",
            counted(sample.rings.len() as u64, "ring", "rings"),
            visible(&ring.label()),
            ring.share() * 100.0,
            quantity::bytes(ring.size_bytes),
        ));
    }
    if let Some(error) = &sample.error {
        out.push_str(&terminal.paint("1;31", &visible(error)));
        out.push('\n');
    }
    out
}

fn state_word(state: Option<EventState>) -> &'static str {
    match state {
        Some(EventState::Enabled) => "on",
        Some(EventState::Disabled) => "off",
        Some(EventState::Unavailable) => "n/a",
        None => "-",
    }
}
