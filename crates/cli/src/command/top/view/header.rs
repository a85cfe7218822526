//! The lines above the table: program, totals, file, rings, and errors.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::app::{App, Connection};
use super::super::rows::{Rows, Window};
use super::super::sample::{Ring, Sample, TraceState};
use super::table::name_columns;
use super::theme::{Theme, cut_end, cut_start, put, width};
use super::visible;
use crate::quantity::{self, Units, counted};

/// The width of the label column: the widest label and a space.
const LABEL: usize = 8;

/// The space between two facts.
const GAP: &str = "   ";

/// On screens at least this wide, numbers are written in full.
const FULL_NUMBERS: usize = 72;

/// The maximum number of ring gauges.
const MAX_RINGS: usize = 4;

/// A ring filled beyond this fraction is about to lose events.
const FULL: f64 = 0.9;

pub fn draw(app: &App, theme: Theme, area: Rect, buffer: &mut Buffer) {
    draw_title(app, theme, Rect { height: 1, ..area }, buffer);
    let columns = usize::from(area.width);
    let mut lines = Vec::new();
    if let Some(sample) = app.rows().sample() {
        lines.push(events(app, sample, columns, theme));
        if area.height > 3 {
            lines.push(file(app.rows(), sample, columns, theme));
        }
        if area.height > 4 && !app.rows().is_trace() {
            lines.push(rings(sample, columns, theme));
        }
    }
    for (line, y) in lines.iter().zip(area.y + 1..area.bottom() - 1) {
        put(buffer, area, y, line, None);
    }
    if let Some(line) = notice(app, columns, theme) {
        put(buffer, area, area.bottom() - 1, &line, None);
    }
}

fn draw_title(app: &App, theme: Theme, area: Rect, buffer: &mut Buffer) {
    buffer.set_style(area, theme.inverse());
    let right = format!(
        "{}{}every {} ",
        if app.is_stopped() { "PAUSED, p resumes   " } else { "" },
        if app.holds() && !app.is_stopped() { "order held   " } else { "" },
        Units::new(theme.unicode).round_duration(u64::try_from(app.interval.as_nanos()).unwrap_or(u64::MAX)),
    );
    let left = match app.rows().sample() {
        Some(sample) => format!(" {}: {}", program(sample), state(app, sample, theme)),
        None => format!(" {}: no data yet", visible(&app.target)),
    };
    let room = usize::from(area.width).saturating_sub(right.len() + 1);
    let left = Line::styled(cut_end(&left, room, theme), theme.inverse().patch(theme.strong()));
    put(buffer, area, area.y, &left, Some(&Line::styled(right, theme.inverse())));
}

/// Returns the program's name and process id, like `engine 4711`.
fn program(sample: &Sample) -> String {
    let name = visible(&sample.program);
    match sample.pid {
        Some(pid) => format!("{name} {pid}"),
        None => name,
    }
}

fn state(app: &App, sample: &Sample, theme: Theme) -> String {
    let units = Units::new(theme.unicode);
    if let Connection::Lost { .. } = &app.link {
        return "GONE".to_owned();
    }
    match sample.state {
        TraceState::On if app.rows().is_trace() => "growing".to_owned(),
        TraceState::On => "recording".to_owned(),
        TraceState::Off(Some(ns)) => format!("NOT RECORDING for {}", units.duration(ns)),
        TraceState::Off(None) => "NOT RECORDING".to_owned(),
        TraceState::NotStarted => "tracing was not started".to_owned(),
        TraceState::Behind(bytes) => format!("reading, {} left", quantity::bytes(bytes)),
        TraceState::Ended => "the program has ended".to_owned(),
        TraceState::Left => "no longer written".to_owned(),
    }
}

fn label(word: &str) -> Span<'static> {
    Span::raw(format!("{word:LABEL$}"))
}

/// Returns a line with the label `word` and as many of `facts` as fit.
fn facts(word: &str, facts: Vec<Vec<Span<'static>>>, columns: usize) -> Line<'static> {
    let mut line = Line::from(label(word));
    for (index, fact) in facts.into_iter().enumerate() {
        let gap = if index > 0 { GAP } else { "" };
        let needed: usize = gap.len() + fact.iter().map(Span::width).sum::<usize>();
        if line.width() + needed > columns {
            break;
        }
        line.push_span(Span::raw(gap));
        fact.into_iter().for_each(|span| line.push_span(span));
    }
    line
}

fn events(app: &App, sample: &Sample, columns: usize, theme: Theme) -> Line<'static> {
    let rows = app.rows();
    // Show all digits if they fit.
    let count = if columns < FULL_NUMBERS { quantity::short_count } else { quantity::count };
    let rate = rows.rate_of_all(app.window).map_or("-".to_owned(), quantity::rate);
    let mut dropped = vec![Span::styled(
        format!("{} dropped", count(sample.dropped)),
        if sample.dropped > 0 { theme.bad() } else { Style::new() },
    )];
    let reads_on = matches!(sample.state, TraceState::Behind(_));
    if rows.dropped_now > 0 && !reads_on {
        dropped.push(Span::styled(format!(" (+{})", count(rows.dropped_now)), theme.bad()));
    }
    let totals = rows.totals;
    let extent = match sample.span_ns {
        Some(span_ns) => {
            let span = Units::new(theme.unicode).duration(span_ns);
            format!("{} in {span}", counted(totals.events as u64, "event", "events"))
        }
        None => {
            let (on, all) = (quantity::count(totals.enabled as u64), quantity::count(totals.events as u64));
            format!("{on} of {all} on")
        }
    };
    let parts = vec![
        vec![Span::styled(format!("{rate} per s"), theme.strong())],
        dropped,
        vec![Span::raw(format!("{} {}", count(sample.recorded), sample.recorded_word()))],
        sample.overwritten.map_or(Vec::new(), |n| vec![Span::raw(format!("{} overwritten", count(n)))]),
        vec![Span::raw(extent)],
    ];
    let parts = parts.into_iter().filter(|fact| !fact.is_empty()).collect();
    facts("Events", parts, columns)
}

fn file(rows: &Rows, sample: &Sample, columns: usize, theme: Theme) -> Line<'static> {
    let Some(file) = &sample.file else {
        return Line::from(vec![label("File"), Span::styled("none", theme.faint())]);
    };
    let mut facts = format!("{GAP}{}", quantity::bytes(sample.file_bytes));
    if !rows.has_ended() && !matches!(sample.state, TraceState::Behind(_)) {
        let growth = rows.growth.filter(|&growth| growth >= 1.0);
        let growth = growth.map(|growth| format!("+{} per s", quantity::bytes(growth as u64)));
        facts.push_str(&format!("{GAP}{}", growth.as_deref().unwrap_or("not growing")));
    }
    let room = columns.saturating_sub(LABEL + facts.len());
    let file = cut_start(&visible(file), room, theme);
    Line::from(vec![label("File"), Span::raw(file), Span::raw(facts)])
}

fn rings(sample: &Sample, columns: usize, theme: Theme) -> Line<'static> {
    let mut fullest: Vec<&Ring> = sample.rings.iter().collect();
    fullest.sort_by(|a, b| b.share().total_cmp(&a.share()).then_with(|| a.tid.cmp(&b.tid)));
    let Some(largest) = fullest.first() else {
        return Line::from(vec![label("Rings"), Span::styled("no thread has a ring", theme.faint())]);
    };
    let how: Vec<&str> = sample.policy.iter().chain(&sample.backends).map(String::as_str).collect();
    let size = quantity::bytes(largest.size_bytes);
    let tail = format!("{GAP}{} of {size}{GAP}", quantity::count(sample.rings.len() as u64));
    let how = visible(&how.join(", "));
    let mut spans = vec![label("Rings")];
    let mut room = columns.saturating_sub(LABEL + tail.len() + how.len());
    for (index, ring) in fullest.iter().take(MAX_RINGS).enumerate() {
        let name = cut_end(&visible(&ring.label()), 16, theme);
        let (full, empty) = theme.gauge(ring.share(), 16);
        let percent = format!(" {:>3.0}%", ring.share() * 100.0);
        let needed = width(&name) + 1 + 16 + percent.len() + if index > 0 { GAP.len() } else { 0 };
        // The first ring is always shown.
        if needed > room && index > 0 {
            break;
        }
        room = room.saturating_sub(needed);
        if index > 0 {
            spans.push(Span::raw(GAP));
        }
        // A flight recorder's rings are always full, so this is not a warning sign.
        let is_bad = ring.share() >= FULL && sample.overwritten.is_none();
        let style = if is_bad { theme.bad() } else { theme.bar() };
        spans.push(Span::raw(format!("{name} ")));
        spans.push(Span::styled(full, style));
        spans.push(Span::styled(empty, theme.faint()));
        let style = if is_bad { theme.bad() } else { Style::new() };
        spans.push(Span::styled(percent, style));
    }
    spans.push(Span::raw(tail));
    spans.push(Span::styled(how, theme.faint()));
    Line::from(spans)
}

/// Returns the current error, or else the totals of the filtered events.
fn notice(app: &App, columns: usize, theme: Theme) -> Option<Line<'static>> {
    let bad = |text: String| Some(Line::styled(cut_end(&visible(&text), columns, theme), theme.bad()));
    if let Connection::Lost { reason, since } = &app.link {
        let ago = app.since(*since);
        let ago = if ago.as_secs() == 0 { "just now".to_owned() } else { format!("{} ago", seconds(ago)) };
        return bad(format!("{}, {ago}. The last values are shown.", capital(reason)));
    }
    if let Some(silence) = app.silence() {
        return bad(format!("No answer for {}: the program is stopped or busy.", seconds(silence)));
    }
    let sample = app.rows().sample()?;
    if let Some(error) = &sample.error {
        return bad(error.clone());
    }
    if app.is_not_recording() && app.rows().totals.enabled > 0 {
        let text = "Recording is off, so rates are 0: press t to start it.";
        return Some(Line::styled(cut_end(text, columns, theme), theme.strong()));
    }
    if app.filter.is_everything() {
        return chosen(app, columns, theme);
    }
    let totals = app.rows().totals_of(app.shown().iter().copied());
    let rate = match app.window {
        Window::Minute => format!("{GAP}{} per s", quantity::rate(totals.rate)),
        Window::Whole => String::new(),
    };
    let text = format!(
        "Filter  {}{GAP}{}{rate}{GAP}{} recorded{GAP}esc: all events",
        visible(app.filter.text()),
        counted(totals.events as u64, "event", "events"),
        quantity::count(totals.recorded),
    );
    Some(Line::styled(cut_end(&text, columns, theme), theme.strong()))
}

/// Returns the full name of the chosen event, if the table truncates it.
fn chosen(app: &App, columns: usize, theme: Theme) -> Option<Line<'static>> {
    let row = app.cursor.and_then(|id| app.rows().row(id))?;
    if width(&row.shown_name) <= name_columns(app, columns) {
        return None;
    }
    let group = if row.group.is_empty() { String::new() } else { format!("{GAP}{}", row.group) };
    Some(Line::raw(cut_end(&format!("{:LABEL$}{}{group}", "Event", row.shown_name), columns, theme)))
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

fn seconds(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    }
}
