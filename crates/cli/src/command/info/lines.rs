//! Lines that consist of a heading and a value, folded to the terminal's width.

use crate::quantity::Units;
use crate::terminal::{Terminal, wrap};

/// The column at which values start.
const INDENT: usize = 14;

/// A title, followed by indented lines.
pub struct Lines<'t> {
    terminal: &'t Terminal,
    out: String,
}

impl<'t> Lines<'t> {
    pub fn new(title: &str, terminal: &'t Terminal) -> Lines<'t> {
        Lines { out: format!("{}\n", terminal.paint("1", title)), terminal }
    }

    /// Adds a line. If the heading is empty, the line continues the previous one.
    pub fn line(&mut self, head: &str, value: &str) {
        self.line_in("", head, value);
    }

    /// Adds a line whose value is in `style`.
    pub fn line_in(&mut self, style: &str, head: &str, value: &str) {
        let head_columns = INDENT.saturating_sub(2);
        self.out.push_str("  ");
        self.out.push_str(&self.terminal.paint("36", head));
        self.out.push_str(&" ".repeat(head_columns.saturating_sub(head.chars().count())));
        if head.chars().count() >= head_columns {
            self.out.push(' ');
        }
        let room = self.terminal.width.saturating_sub(INDENT).max(20);
        for (index, row) in wrap(value.split(' '), room, "").split('\n').enumerate() {
            if index > 0 {
                self.out.push_str(&" ".repeat(INDENT));
            }
            self.out.push_str(&if style.is_empty() {
                row.to_owned()
            } else {
                self.terminal.paint(style, row)
            });
            self.out.push('\n');
        }
    }

    pub fn units(&self) -> Units {
        Units::new(self.terminal.unicode)
    }

    pub fn finish(self) -> String {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_folded_and_indented() {
        let terminal = Terminal::plain(40);
        let mut lines = Lines::new("a.bin", &terminal);
        lines.line("Time", "6.87 s, from 1.000000 s to 7.870000 s");
        lines.line("a_very_long_key", "value");
        lines.line("", "help");
        let expected = "\
a.bin
  Time        6.87 s, from 1.000000 s to
              7.870000 s
  a_very_long_key value
              help
";
        assert_eq!(lines.finish(), expected);
    }
}
