//! Help on the keys: all of them on a page, and the most important ones in the last line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::app::App;
use super::theme::{Theme, put, width};

/// The kinds of target that a key applies to.
#[derive(PartialEq)]
enum Target {
    Both,
    Monitor,
    Trace,
}
use Target::{Both, Monitor, Trace};

const HELP: &[(Target, &str, &str)] = &[
    (Both, "up down", "choose an event"),
    (Both, "pgup pgdn", "one screen up or down"),
    (Both, "home end", "first, last event"),
    (Monitor, "space", "switch it on or off"),
    (Monitor, "E D", "enable/disable all matches"),
    (Monitor, "", "(asks for confirmation)"),
    (Both, "/", "filter by name as you type"),
    (Both, "esc", "clear filter, then choice"),
    (Both, "a", "all events or active ones"),
    (Monitor, "t", "trace file on or off"),
    (Monitor, "f", "flush to the trace file"),
    (Both, "r c n", "order: rate, count, name"),
    (Monitor, "d g s", "order: dropped, group, on"),
    (Both, "v", "reverse the order"),
    (Both, "left right", "order: next column"),
    (Trace, "w", "last minute or whole trace"),
    (Both, "p", "pause, resume"),
    (Both, "+ -", "longer, shorter interval"),
    (Both, "ctrl-l", "redraw the screen"),
    (Both, "ctrl-z", "go to the shell; fg returns"),
    (Both, "q ctrl-c", "quit"),
];

/// The widths of the key column and the description column.
const KEY_COLUMNS: usize = 12;
const DOES_COLUMNS: usize = 27;

/// Draws the page of keys. If not all lines fit, it starts at line `first`.
pub fn draw(app: &App, first: usize, theme: Theme, area: Rect, buffer: &mut Buffer) {
    buffer.set_style(Rect { height: 1, ..area }, theme.inverse());
    let title = Line::styled(" Keys of ringtrace top", theme.inverse().patch(theme.strong()));
    put(buffer, area, area.y, &title, Some(&Line::styled("any other key closes this ", theme.inverse())));
    let other = if app.rows().is_trace() { Monitor } else { Trace };
    let helps: Vec<_> = HELP.iter().filter(|(target, ..)| *target != other).collect();
    let column = 1 + KEY_COLUMNS + DOES_COLUMNS;
    let lines = if usize::from(area.width) < 2 * column { helps.len() } else { helps.len().div_ceil(2) };
    let room = usize::from(area.height) - 1;
    // Add a blank line if it fits.
    let top = area.y + 1 + u16::from(room > lines + 1);
    let first = first.min(lines.saturating_sub(room));
    for (index, (_, keys, action)) in helps.into_iter().enumerate() {
        let (x, line) = (index / lines * column, index % lines);
        let Some(y) = line.checked_sub(first).filter(|&y| y < room) else { continue };
        let text = Line::from(vec![
            Span::styled(format!(" {keys:KEY_COLUMNS$}"), theme.strong()),
            Span::raw(*action),
        ]);
        let place = Rect { x: area.x + x as u16, width: area.width - x as u16, ..area };
        put(buffer, place, top + y as u16, &text, None);
    }
    if lines > room {
        let more = Line::styled("up, down: more ", theme.faint());
        let x = area.right() - more.width() as u16;
        buffer.set_line(x, area.bottom() - 1, &more, area.width);
    }
}

/// Returns the most important keys, as many as fit into `columns`.
pub fn keys(app: &App, columns: usize, theme: Theme) -> Line<'static> {
    // The keys are in display order. If space is short, those with the highest numbers are omitted
    // first.
    let trace = app.rows().is_trace();
    let all = [
        (1, !trace, "space", "on/off"),
        (2, true, "/", "filter"),
        (6, true, if trace { "rcn" } else { "rcdn" }, "order"),
        (3, true, "a", if app.everything { "active" } else { "all" }),
        (4, trace, "w", "window"),
        (5, true, "p", if app.is_stopped() { "go on" } else { "pause" }),
        (7, !trace, "t", "file"),
        (8, !trace, "f", "flush"),
        (9, true, "+-", "interval"),
        (0, true, "?", "help"),
        (0, true, "q", "quit"),
    ];
    let mut shown: Vec<_> = all.into_iter().filter(|&(_, wanted, _, _)| wanted).collect();
    let needed = |shown: &[(u8, bool, &str, &str)]| {
        shown.iter().map(|(_, _, key, does)| width(key) + width(does) + 3).sum::<usize>()
    };
    while needed(&shown) > columns + 1 {
        let Some(least) = (0..shown.len()).max_by_key(|&index| shown[index].0) else { break };
        shown.remove(least);
    }
    let mut spans = Vec::new();
    for (_, _, key, does) in shown {
        spans.push(Span::styled(key, theme.inverse()));
        spans.push(Span::raw(format!(" {does}  ")));
    }
    Line::from(spans)
}
