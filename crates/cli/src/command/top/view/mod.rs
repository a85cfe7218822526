//! Draws the state of the app into a buffer of characters.

mod header;
mod help;
mod table;
#[cfg(test)]
mod tests;
mod theme;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::app::{App, Mode};
pub use theme::Theme;
use theme::{cut_end, put};

/// The minimum size. A smaller screen shows only a message that it is too small.
const MIN_COLUMNS: u16 = 56;
const MIN_LINES: u16 = 12;

/// The heights of the screen's parts, in lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ScreenLayout {
    /// Lines about the program, below the title.
    head: u16,
    rows: u16,
}

impl ScreenLayout {
    fn of(area: Rect, app: &App) -> ScreenLayout {
        // The last of these lines is for errors.
        let wanted = if app.rows().is_trace() { 3 } else { 4 };
        let head = match area.height {
            18.. => wanted,
            14..18 => 3,
            _ => 2,
        };
        // The title, the column headings and the line of keys each take one line.
        ScreenLayout { head, rows: area.height.saturating_sub(head + 3) }
    }
}

/// Returns the number of table rows that fit on a screen of `area`.
pub fn rows_that_fit(area: Rect, app: &App) -> usize {
    usize::from(ScreenLayout::of(area, app).rows)
}

/// Draws the whole screen. Returns the position of the text cursor while the user types.
pub fn draw(app: &App, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    if area.width < MIN_COLUMNS || area.height < MIN_LINES {
        too_small(area, theme, buffer);
        return None;
    }
    if let Mode::Help(first) = app.mode {
        help::draw(app, first, theme, area, buffer);
        return None;
    }
    let layout = ScreenLayout::of(area, app);
    header::draw(app, theme, Rect { height: 1 + layout.head, ..area }, buffer);
    let table = Rect { y: area.y + 1 + layout.head, height: layout.rows + 1, ..area };
    table::draw(app, theme, table, buffer);
    let last = Rect { y: area.bottom() - 1, height: 1, ..area };
    draw_last_line(app, theme, last, buffer)
}

/// Draws the filter, the question or the message or, if there is none of these, the list of keys.
fn draw_last_line(app: &App, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    let columns = usize::from(area.width);
    match (&app.mode, app.message()) {
        (Mode::Filter(_), _) => {
            let label = "Filter: ";
            let room = columns.saturating_sub(label.len() + 1);
            let typed = theme::cut_start(&visible(app.filter.text()), room, theme);
            let at = label.len() + theme::width(&typed);
            let line = Line::from(vec![Span::styled(label, theme.strong()), Span::raw(typed)]);
            let hint = Line::styled("* matches any text; Enter keeps it, Esc discards it", theme.faint());
            put(buffer, area, area.y, &line, Some(&hint));
            return Some(Position { x: area.x + at as u16, y: area.y });
        }
        (Mode::Ask(change, events), _) => {
            let question = App::question(change, *events);
            let line = Line::styled(cut_end(&format!("{question} (y/n)"), columns, theme), theme.strong());
            put(buffer, area, area.y, &line, None);
        }
        (_, Some(message)) => {
            let style = if message.is_error { theme.bad() } else { theme.strong() };
            put(
                buffer,
                area,
                area.y,
                &Line::styled(cut_end(&visible(&message.text), columns, theme), style),
                None,
            );
        }
        _ => put(buffer, area, area.y, &help::keys(app, columns, theme), None),
    }
    None
}

fn too_small(area: Rect, theme: Theme, buffer: &mut Buffer) {
    let lines = [
        format!("The terminal is too small: {} x {}", area.width, area.height),
        format!("{MIN_COLUMNS} x {MIN_LINES} is enough"),
        "q quits".to_owned(),
    ];
    let top = area.y + area.height.saturating_sub(lines.len() as u16) / 2;
    for (line, y) in lines.iter().zip(top..area.bottom()) {
        put(buffer, area, y, &Line::raw(cut_end(line, usize::from(area.width), theme)), None);
    }
}

/// Returns `text` with control characters escaped.
fn visible(text: &str) -> String {
    ringtrace_events::message::visible::text(text)
}
