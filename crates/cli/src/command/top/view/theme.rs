//! Styles, bars, and functions that fit text into columns.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

/// The capabilities of the terminal. Of the sixteen terminal colours, only those that are readable
/// on both light and dark backgrounds are used. Information is never conveyed by colour alone.
#[derive(Debug, Clone, Copy)]
pub struct Theme {
    pub colour: bool,
    pub unicode: bool,
}

impl Theme {
    fn in_colour(self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    pub fn good(self) -> Style {
        self.in_colour(Color::Green)
    }

    pub fn bad(self) -> Style {
        self.in_colour(Color::Red).add_modifier(Modifier::BOLD)
    }

    pub fn bar(self) -> Style {
        self.in_colour(Color::Cyan)
    }

    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// The style of the chosen row and of titles.
    pub fn inverse(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// The style of the sort column's heading.
    pub fn ordering(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// Returns the character that marks truncated text.
    pub fn ellipsis(self) -> &'static str {
        if self.unicode { "\u{2026}" } else { "~" }
    }

    /// Returns a bar for each value. The highest value fills the line.
    pub fn bars(self, values: &[f64]) -> String {
        const BLOCKS: [char; 9] = [
            ' ', '\u{2581}', '\u{2582}', '\u{2583}', '\u{2584}', '\u{2585}', '\u{2586}', '\u{2587}',
            '\u{2588}',
        ];
        const ASCII: [char; 9] = [' ', '.', ',', ':', '-', '=', '+', '*', '#'];
        let levels = if self.unicode { BLOCKS } else { ASCII };
        let highest = values.iter().copied().fold(0.0, f64::max);
        let level = |value: f64| {
            // A non-zero value always gets a visible bar.
            if value > 0.0 { ((value / highest * 8.0).ceil() as usize).clamp(1, 8) } else { 0 }
        };
        values.iter().map(|&value| levels[level(value)]).collect()
    }

    /// Returns the full and the empty part of a bar of `columns` columns. `share` is the full part,
    /// from 0 to 1.
    pub fn gauge(self, share: f64, columns: usize) -> (String, String) {
        let (full, empty) = if self.unicode { ("\u{2588}", "\u{2591}") } else { ("#", ".") };
        let filled = ((share * columns as f64).round() as usize).min(columns);
        (full.repeat(filled), empty.repeat(columns - filled))
    }
}

pub fn width(text: &str) -> usize {
    Span::raw(text).width()
}

/// Returns `text`, truncated at its end if it is wider than `columns`.
pub fn cut_end(text: &str, columns: usize, theme: Theme) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if width(&kept) >= columns {
            kept.pop();
            break;
        }
    }
    if columns > 0 {
        kept.push_str(theme.ellipsis());
    }
    kept
}

/// Returns `text`, truncated at its start if it is wider than `columns`.
pub fn cut_start(text: &str, columns: usize, theme: Theme) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let starts = text.char_indices().map(|(at, _)| at);
    let kept = starts.map(|at| &text[at..]).find(|rest| width(rest) < columns).unwrap_or("");
    if columns == 0 { String::new() } else { format!("{}{kept}", theme.ellipsis()) }
}

/// Draws `line` at the start of line `y` of `area`, and `right` at its end if it fits.
pub fn put(buffer: &mut Buffer, area: Rect, y: u16, line: &Line<'_>, right: Option<&Line<'_>>) {
    if y >= area.bottom() {
        return;
    }
    buffer.set_line(area.x, y, line, area.width);
    if let Some(right) = right {
        let needed = right.width() as u16;
        if line.width() + 1 + usize::from(needed) <= usize::from(area.width) {
            buffer.set_line(area.right() - needed, y, right, needed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNICODE: Theme = Theme { colour: false, unicode: true };

    #[test]
    fn text_is_cut_by_columns() {
        assert_eq!(cut_end("blk_read", 8, UNICODE), "blk_read");
        assert_eq!(cut_end("blk_reads", 8, UNICODE), "blk_rea\u{2026}");
        assert_eq!(cut_start("/tmp/trace", 6, UNICODE), "\u{2026}trace");
        assert_eq!(cut_end("\u{7e41}\u{7e41}\u{7e41}", 4, UNICODE), "\u{7e41}\u{2026}");
        assert_eq!(cut_start("\u{7e41}\u{7e41}\u{7e41}", 4, UNICODE), "\u{2026}\u{7e41}");
        for columns in 0..3 {
            assert!(width(&cut_end("abcdef", columns, UNICODE)) <= columns);
            assert!(width(&cut_start("abcdef", columns, UNICODE)) <= columns);
        }
    }

    #[test]
    fn bars_show_what_happened_at_all() {
        assert_eq!(UNICODE.bars(&[0.0, 0.001, 4.0, 8.0]), " \u{2581}\u{2584}\u{2588}");
        assert_eq!(UNICODE.bars(&[0.0, 0.0]), "  ");
        assert_eq!(Theme { colour: false, unicode: false }.bars(&[0.0, 1.0, 2.0]), " -#");
    }
}
