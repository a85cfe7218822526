//! The lines above the table: the program, how much happens, its file, its rings, and what is wrong.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::app::{Link, Look};
use super::super::rows::{Rows, Window};
use super::super::sample::{Recording, Ring, Sample};
use super::table::name_columns;
use super::theme::{Paint, cut_end, cut_start, put, width};
use super::visible;
use crate::quantity::{self, Units, counted};

/// The widest word at the start of a line, with the blanks behind it.
const LABEL: usize = 8;

/// Between two facts.
const GAP: &str = "   ";

/// From here on numbers are written in full.
const FULL_NUMBERS: usize = 72;

/// Rings whose gauge is shown, where there is room.
const MAX_RINGS: usize = 4;

/// A ring that is fuller than this is about to lose events.
const FULL: f64 = 0.9;

/// Draws the title and the lines below it.
pub fn draw(look: &Look, paint: Paint, area: Rect, buffer: &mut Buffer) {
    draw_title(look, paint, Rect { height: 1, ..area }, buffer);
    let columns = usize::from(area.width);
    let mut lines = Vec::new();
    if let Some(sample) = look.rows().sample() {
        lines.push(events(look, sample, columns, paint));
        if area.height > 3 {
            lines.push(file(look.rows(), sample, columns, paint));
        }
        if area.height > 4 && !look.rows().is_trace() {
            lines.push(rings(sample, columns, paint));
        }
    }
    for (line, y) in lines.iter().zip(area.y + 1..area.bottom() - 1) {
        put(buffer, area, y, line, None);
    }
    if let Some(line) = notice(look, columns, paint) {
        put(buffer, area, area.bottom() - 1, &line, None);
    }
}

fn draw_title(look: &Look, paint: Paint, area: Rect, buffer: &mut Buffer) {
    buffer.set_style(area, paint.inverse());
    let right = format!(
        "{}{}every {} ",
        if look.is_stopped() { "PAUSED, p goes on   " } else { "" },
        if look.holds() && !look.is_stopped() { "order held   " } else { "" },
        Units::new(paint.unicode).round_duration(u64::try_from(look.interval.as_nanos()).unwrap_or(u64::MAX)),
    );
    let left = match look.rows().sample() {
        Some(sample) => format!(" {}: {}", program(sample), state(look, sample, paint)),
        None => format!(" {}: no numbers yet", visible(&look.target)),
    };
    let room = usize::from(area.width).saturating_sub(right.len() + 1);
    let left = Line::styled(cut_end(&left, room, paint), paint.inverse().patch(paint.strong()));
    put(buffer, area, area.y, &left, Some(&Line::styled(right, paint.inverse())));
}

/// `engine 4711`.
fn program(sample: &Sample) -> String {
    let name = visible(&sample.program);
    match sample.pid {
        Some(pid) => format!("{name} {pid}"),
        None => name,
    }
}

fn state(look: &Look, sample: &Sample, paint: Paint) -> String {
    let units = Units::new(paint.unicode);
    if let Link::Lost { .. } = look.link() {
        return "GONE".to_owned();
    }
    match sample.state {
        Recording::On if look.rows().is_trace() => "growing".to_owned(),
        Recording::On => "recording".to_owned(),
        Recording::Off(Some(ns)) => format!("NOT RECORDING for {}", units.duration(ns)),
        Recording::Off(None) => "NOT RECORDING".to_owned(),
        Recording::NotStarted => "tracing was not started".to_owned(),
        Recording::Behind(bytes) => format!("reading, {} left", quantity::bytes(bytes)),
        Recording::Ended => "the program has ended".to_owned(),
        Recording::Left => "nobody writes it any more".to_owned(),
    }
}

fn label(word: &str) -> Span<'static> {
    Span::raw(format!("{word:LABEL$}"))
}

/// `label` and as many of `facts` as there is room for.
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

fn events(look: &Look, sample: &Sample, columns: usize, paint: Paint) -> Line<'static> {
    let rows = look.rows();
    // All digits where there is room for them.
    let count = if columns < FULL_NUMBERS { quantity::short_count } else { quantity::count };
    let rate = rows.rate_of_all(look.window).map_or("-".to_owned(), quantity::rate);
    let mut dropped = vec![Span::styled(
        format!("{} dropped", count(sample.dropped)),
        if sample.dropped > 0 { paint.bad() } else { Style::new() },
    )];
    let reads_on = matches!(sample.state, Recording::Behind(_));
    if rows.dropped_now() > 0 && !reads_on {
        dropped.push(Span::styled(format!(" (+{})", count(rows.dropped_now())), paint.bad()));
    }
    let totals = rows.totals();
    let extent = match sample.span_ns {
        Some(span_ns) => {
            let span = Units::new(paint.unicode).duration(span_ns);
            format!("{} in {span}", counted(totals.events as u64, "event", "events"))
        }
        None => {
            let (on, all) = (quantity::count(totals.enabled as u64), quantity::count(totals.events as u64));
            format!("{on} of {all} on")
        }
    };
    let told = vec![
        vec![Span::styled(format!("{rate} per s"), paint.strong())],
        dropped,
        vec![Span::raw(format!("{} {}", count(sample.recorded), sample.recorded_word()))],
        sample.overwritten.map_or(Vec::new(), |n| vec![Span::raw(format!("{} overwritten", count(n)))]),
        vec![Span::raw(extent)],
    ];
    let told = told.into_iter().filter(|fact| !fact.is_empty()).collect();
    facts("Events", told, columns)
}

fn file(rows: &Rows, sample: &Sample, columns: usize, paint: Paint) -> Line<'static> {
    let Some(file) = &sample.file else {
        return Line::from(vec![label("File"), Span::styled("none", paint.faint())]);
    };
    let mut facts = format!("{GAP}{}", quantity::bytes(sample.file_bytes));
    if !rows.has_ended() && !matches!(sample.state, Recording::Behind(_)) {
        let growth = rows.growth().filter(|&growth| growth >= 1.0);
        let told = growth.map(|growth| format!("+{} per s", quantity::bytes(growth as u64)));
        facts.push_str(&format!("{GAP}{}", told.as_deref().unwrap_or("not growing")));
    }
    let room = columns.saturating_sub(LABEL + facts.len());
    let file = cut_start(&visible(file), room, paint);
    Line::from(vec![label("File"), Span::raw(file), Span::raw(facts)])
}

fn rings(sample: &Sample, columns: usize, paint: Paint) -> Line<'static> {
    let mut fullest: Vec<&Ring> = sample.rings.iter().collect();
    fullest.sort_by(|a, b| b.share().total_cmp(&a.share()).then_with(|| a.tid.cmp(&b.tid)));
    let Some(largest) = fullest.first() else {
        return Line::from(vec![label("Rings"), Span::styled("no thread has one", paint.faint())]);
    };
    let how: Vec<&str> = sample.policy.iter().chain(&sample.backends).map(String::as_str).collect();
    let size = quantity::bytes(largest.size_bytes);
    let tail = format!("{GAP}{} of {size}{GAP}", quantity::count(sample.rings.len() as u64));
    let how = visible(&how.join(", "));
    let mut spans = vec![label("Rings")];
    let mut room = columns.saturating_sub(LABEL + tail.len() + how.len());
    for (index, ring) in fullest.iter().take(MAX_RINGS).enumerate() {
        let name = cut_end(&visible(&ring_name(ring)), 16, paint);
        let (full, empty) = paint.gauge(ring.share(), 16);
        let percent = format!(" {:>3.0}%", ring.share() * 100.0);
        let needed = width(&name) + 1 + 16 + percent.len() + if index > 0 { GAP.len() } else { 0 };
        // One is told of in any case.
        if needed > room && index > 0 {
            break;
        }
        room = room.saturating_sub(needed);
        if index > 0 {
            spans.push(Span::raw(GAP));
        }
        // A flight recorder's rings are full all the time.
        let is_bad = ring.share() >= FULL && sample.overwritten.is_none();
        let style = if is_bad { paint.bad() } else { paint.bar() };
        spans.push(Span::raw(format!("{name} ")));
        spans.push(Span::styled(full, style));
        spans.push(Span::styled(empty, paint.faint()));
        let style = if is_bad { paint.bad() } else { Style::new() };
        spans.push(Span::styled(percent, style));
    }
    spans.push(Span::raw(tail));
    spans.push(Span::styled(how, paint.faint()));
    Line::from(spans)
}

fn ring_name(ring: &Ring) -> String {
    if ring.name.is_empty() { ring.tid.to_string() } else { ring.name.clone() }
}

/// What is wrong, or else what the filter leaves.
fn notice(look: &Look, columns: usize, paint: Paint) -> Option<Line<'static>> {
    let bad = |text: String| Some(Line::styled(cut_end(&visible(&text), columns, paint), paint.bad()));
    if let Link::Lost { reason, since } = look.link() {
        let ago = look.since(*since);
        let ago = if ago.as_secs() == 0 { "just now".to_owned() } else { format!("{} ago", seconds(ago)) };
        return bad(format!("{}, {ago}. These are its last numbers.", capital(reason)));
    }
    if let Some(silence) = look.silence() {
        return bad(format!("No answer for {}: the program is stopped, or busy.", seconds(silence)));
    }
    let sample = look.rows().sample()?;
    if let Some(trouble) = &sample.trouble {
        return bad(trouble.clone());
    }
    if look.filter.is_everything() {
        return chosen(look, columns, paint);
    }
    let totals = look.rows().totals_of(look.shown().iter().copied());
    let rate = match look.window {
        Window::Minute => format!("{GAP}{} per s", quantity::rate(totals.rate)),
        Window::Whole => String::new(),
    };
    let text = format!(
        "Filter  {}{GAP}{}{rate}{GAP}{} recorded{GAP}esc: all events",
        visible(look.filter.text()),
        counted(totals.events as u64, "event", "events"),
        quantity::count(totals.recorded),
    );
    Some(Line::styled(cut_end(&text, columns, paint), paint.strong()))
}

/// The whole name of the event under the cursor, where the table cuts it.
fn chosen(look: &Look, columns: usize, paint: Paint) -> Option<Line<'static>> {
    let row = look.cursor().and_then(|id| look.rows().row(id))?;
    if width(&row.shown_name) <= name_columns(look, columns) {
        return None;
    }
    let group = if row.group.is_empty() { String::new() } else { format!("{GAP}{}", row.group) };
    Some(Line::raw(cut_end(&format!("{:LABEL$}{}{group}", "Event", row.shown_name), columns, paint)))
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
