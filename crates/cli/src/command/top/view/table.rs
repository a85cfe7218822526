//! The table of events.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::app::{App, Connection};
use super::super::order::Key;
use super::super::rows::{Row, Window};
use super::super::sample::EventState;
use super::theme::{Theme, cut_end, put, width};
use crate::quantity;

/// The space between two columns.
const GUTTER: usize = 2;

/// Possible widths of the bars: divisors of 60, so that each character covers whole seconds.
const BAR_WIDTHS: [usize; 5] = [60, 30, 20, 15, 12];

/// The range of the name column's width. Bars grow only after the column has its maximum width.
const NAME_WIDTHS: std::ops::RangeInclusive<usize> = 16..=44;

/// Tables narrower than this omit the share, which can be derived from the rates.
const NARROW: usize = 70;

/// Tables at least this wide show numbers in full.
const WIDE: usize = 110;

/// Tables at least this wide show groups and peaks.
const VERY_WIDE: usize = 150;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    State,
    Rate,
    Peak,
    Share,
    Recorded,
    Dropped,
    Bars,
    Name,
    Group,
}

impl Column {
    fn head(self, app: &App) -> &'static str {
        match (self, app.window) {
            (Column::State, _) => "ON",
            (Column::Rate, _) => "PER S",
            (Column::Peak, _) => "PEAK",
            (Column::Share, _) => "%",
            (Column::Recorded, _) => "RECORDED",
            (Column::Dropped, _) => "DROPPED",
            (Column::Bars, Window::Minute) => "LAST MINUTE",
            (Column::Bars, Window::Whole) => "WHOLE TRACE",
            (Column::Name, _) => "EVENT",
            (Column::Group, _) => "GROUP",
        }
    }

    /// Returns the sort key of this column.
    fn key(self) -> Option<Key> {
        match self {
            Column::State => Some(Key::State),
            Column::Rate => Some(Key::Rate),
            Column::Recorded => Some(Key::Count),
            Column::Dropped => Some(Key::Dropped),
            Column::Name => Some(Key::Name),
            Column::Group => Some(Key::Group),
            Column::Share | Column::Bars | Column::Peak => None,
        }
    }

    fn is_text(self) -> bool {
        matches!(self, Column::Name | Column::Group | Column::Bars | Column::State)
    }
}

/// Draws the column headings and as many rows as fit.
pub fn draw(app: &App, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let columns = columns(app, usize::from(area.width));
    draw_head(app, &columns, theme, area, buffer);
    let body = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    if app.shown().is_empty() {
        for (line, y) in empty(app).iter().zip(body.y + 1..body.bottom()) {
            put(buffer, body, y, &Line::raw(cut_end(line, usize::from(body.width), theme)), None);
        }
        return;
    }
    let all = app.rows().rate_of_all(app.window);
    for ((id, row), y) in app.visible().zip(body.y..body.bottom()) {
        let chosen = app.cursor == Some(id);
        let mut spans = vec![Span::raw(if chosen { ">" } else { " " })];
        for &(column, width) in &columns {
            let (text, style) = cell(column, row, app, all, width, theme);
            let text = cut_end(&text, width, theme);
            spans.push(padded(text, width, column.is_text(), if chosen { Style::new() } else { style }));
            spans.push(Span::raw(" ".repeat(GUTTER)));
        }
        put(buffer, body, y, &Line::from(spans), None);
        if chosen {
            buffer.set_style(Rect { y, height: 1, ..body }, theme.inverse());
        }
    }
}

/// Returns the columns that fit into `all` characters, with their widths.
fn columns(app: &App, all: usize) -> Vec<(Column, usize)> {
    let is_trace = app.rows().is_trace();
    let has_groups = app.rows().all().iter().any(|row| !row.group.is_empty());
    let wide = all >= WIDE;
    let mut columns = Vec::new();
    if !is_trace {
        columns.push((Column::State, 3));
    }
    columns.push((Column::Rate, 7));
    if all >= NARROW {
        columns.push((Column::Share, 5));
    }
    columns.push((Column::Recorded, if wide { 15 } else { 9 }));
    if !is_trace {
        columns.push((Column::Dropped, if wide { 11 } else { 8 }));
    }
    if all >= VERY_WIDE && app.window == Window::Minute {
        columns.push((Column::Peak, 7));
    }
    let mut left = all.saturating_sub(1 + columns.iter().map(|(_, width)| width + GUTTER).sum::<usize>());
    let wanted = app.rows().longest_name.clamp(*NAME_WIDTHS.start(), *NAME_WIDTHS.end());
    let group = if all >= VERY_WIDE && has_groups { 24 } else { 0 };
    let others = wanted + GUTTER + if group > 0 { group + GUTTER } else { 0 };
    // Show at least the shortest bars, even if they truncate long names.
    let shortest = left >= BAR_WIDTHS[4] + GUTTER + NAME_WIDTHS.start() + 4;
    let bars = BAR_WIDTHS.into_iter().find(|bars| bars + others <= left);
    if let Some(bars) = bars.or(shortest.then_some(BAR_WIDTHS[4])) {
        columns.push((Column::Bars, bars));
        left -= bars + GUTTER;
    }
    if group > 0 {
        columns.push((Column::Name, left - group - GUTTER));
        columns.push((Column::Group, group));
    } else {
        columns.push((Column::Name, left));
    }
    columns
}

/// Returns the width of the name column in a table of width `all`.
pub fn name_columns(app: &App, all: usize) -> usize {
    let columns = columns(app, all);
    columns.iter().find(|(column, _)| *column == Column::Name).map_or(0, |(_, width)| *width)
}

fn draw_head(app: &App, columns: &[(Column, usize)], theme: Theme, area: Rect, buffer: &mut Buffer) {
    let mut spans = vec![Span::raw(" ")];
    for &(column, width) in columns {
        let mut head = column.head(app).to_owned();
        let mut style = theme.strong();
        if column.key() == Some(app.sort.key) {
            let mark = match (app.sort.reversed, theme.unicode) {
                (false, true) => '\u{25bc}',
                (true, true) => '\u{25b2}',
                (false, false) => '*',
                (true, false) => '^',
            };
            head = if column.is_text() { format!("{head}{mark}") } else { format!("{mark}{head}") };
            style = theme.ordering();
        }
        spans.push(padded(head, width, column.is_text(), style));
        spans.push(Span::raw(" ".repeat(GUTTER)));
    }
    put(buffer, area, area.y, &Line::from(spans), None);
    // Show the range of visible rows only if some rows are hidden.
    let (above, seen, all) = (app.first, app.visible().count(), app.shown().len());
    if seen < all {
        let from = quantity::count(above as u64 + 1);
        let to = quantity::count((above + seen) as u64);
        let place = Line::styled(format!(" {from}-{to} of {}", quantity::count(all as u64)), theme.strong());
        let x = area.right().saturating_sub(place.width() as u16);
        buffer.set_line(x, area.y, &place, area.width);
    }
}

fn padded(text: String, columns: usize, is_text: bool, style: Style) -> Span<'static> {
    let blanks = " ".repeat(columns.saturating_sub(width(&text)));
    Span::styled(if is_text { text + &blanks } else { blanks + &text }, style)
}

fn cell(
    column: Column,
    row: &Row,
    app: &App,
    all: Option<f64>,
    width: usize,
    theme: Theme,
) -> (String, Style) {
    let rate = || app.rows().rate_of(row, app.window);
    let number = |number: Option<u64>| match number {
        None => "-".to_owned(),
        // Show all digits if they fit.
        Some(number) if width > 9 => fit(quantity::count(number), number as f64, width),
        Some(number) => fit(quantity::short_count(number), number as f64, width),
    };
    let faint_if = |faint: bool| if faint { theme.faint() } else { Style::new() };
    match column {
        Column::State => match row.state {
            Some(EventState::Enabled) => ("on".to_owned(), theme.good()),
            Some(EventState::Disabled) => ("off".to_owned(), theme.faint()),
            Some(EventState::Unavailable) => ("n/a".to_owned(), theme.faint()),
            None => (String::new(), Style::new()),
        },
        Column::Rate => match rate() {
            None => ("-".to_owned(), theme.faint()),
            Some(0.0) => ("0".to_owned(), theme.faint()),
            Some(rate) => (fit(quantity::rate(rate), rate, width), theme.strong()),
        },
        Column::Peak => {
            let peak = app.rows().shape_of(row, Window::Minute, 60).into_iter().fold(0.0, f64::max);
            // `shape_of` does not include the current second.
            let peak = peak.max(row.rate.unwrap_or(0.0));
            let peak = if peak > 0.0 { fit(quantity::rate(peak), peak, width) } else { String::new() };
            (peak, Style::new())
        }
        Column::Share => match (rate(), all) {
            (Some(rate), Some(all)) if rate > 0.0 && all > 0.0 => {
                (format!("{:.1}", (rate / all * 100.0).min(100.0)), Style::new())
            }
            _ => (String::new(), Style::new()),
        },
        Column::Recorded => {
            (number(row.recorded), faint_if(row.recorded.is_none_or(|recorded| recorded == 0)))
        }
        Column::Dropped => {
            let lost = row.dropped.is_some_and(|dropped| dropped > 0);
            (number(row.dropped), if lost { theme.bad() } else { theme.faint() })
        }
        Column::Bars => (theme.bars(&app.rows().shape_of(row, app.window, width)), theme.bar()),
        Column::Name => (cut_end(&row.shown_name, width, theme), faint_if(!row.is_active())),
        Column::Group => (cut_end(&row.group, width, theme), theme.faint()),
    }
}

/// Returns `text`, or `number` in a format like `1.2e15` if `text` is too long.
fn fit(text: String, number: f64, columns: usize) -> String {
    if width(&text) <= columns { text } else { format!("{number:.1e}") }
}

/// Explains why the table is empty.
fn empty(app: &App) -> Vec<String> {
    let rows = app.rows();
    let matching = rows.all().iter().filter(|row| app.filter.accepts(&row.name)).count();
    let (matching, all) = (quantity::count(matching as u64), quantity::count(rows.all().len() as u64));
    let filter = app.filter.text();
    if rows.sample().is_none() {
        let waiting = match &app.link {
            Connection::Lost { reason, .. } => reason.clone(),
            _ => "Waiting for the first sample.".to_owned(),
        };
        return vec![format!("  {waiting}")];
    }
    if rows.all().is_empty() {
        let what =
            if rows.is_trace() { "The trace contains no events yet." } else { "The program has no events." };
        return vec![format!("  {what}")];
    }
    if matching == "0" {
        return vec![format!("  No event matches `{}`. Esc shows all {all} again.", super::visible(filter))];
    }
    let (which, these) = if app.filter.is_everything() {
        (String::new(), String::new())
    } else {
        let pattern = super::visible(&app.filter.pattern());
        (format!(" matching {pattern}"), format!(" that match {pattern}"))
    };
    if rows.is_trace() {
        return vec![
            format!("  No events{which} have occurred."),
            format!("  Press a to show all {matching}{these}."),
        ];
    }
    vec![
        format!("  No events{which} are on, and none have occurred."),
        format!("  Press a to show all {matching}{these}."),
        "  The arrow keys and space enable one of them, and E enables all of them.".to_owned(),
    ]
}
