//! Lines and columns of byte offsets.

use std::ops::Range;

use crate::syntax;

/// A line and a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The line, starting at 1.
    pub line: usize,
    /// The column in characters, starting at 1.
    pub column: usize,
    /// The bytes of the line, without its line ending.
    pub line_range: Range<usize>,
}

/// The start offsets of the lines of a string, for finding positions quickly.
#[derive(Debug, Clone)]
pub struct LineIndex<'a> {
    text: &'a str,
    lines: Vec<Range<usize>>,
}

impl<'a> LineIndex<'a> {
    /// Finds the lines of `text`.
    pub fn new(text: &'a str) -> LineIndex<'a> {
        let lines = syntax::lines(text).map(|line| line.start..line.start + line.text.len());
        LineIndex { text, lines: lines.collect() }
    }

    /// Returns the position of the byte at `offset`. Larger offsets count as the end of the text.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let index = self.lines.partition_point(|line| line.start <= offset).saturating_sub(1);
        let line_range = self.lines.get(index).cloned().unwrap_or(0..0);
        let before = self.text.get(line_range.start..offset).unwrap_or_default();
        Position { line: index + 1, column: before.chars().count() + 1, line_range }
    }
}

#[cfg(test)]
mod tests {
    use super::LineIndex;

    #[test]
    fn lines_and_columns() {
        let text = "a\r\nb\u{e9}c\n\nlast";
        let index = LineIndex::new(text);
        for (offset, line, column, range) in [
            (0, 1, 1, 0..1),
            (1, 1, 2, 0..1),
            (3, 2, 1, 3..7),
            (6, 2, 3, 3..7),
            (8, 3, 1, 8..8),
            (9, 4, 1, 9..13),
            (13, 4, 5, 9..13),
            (99, 4, 5, 9..13),
        ] {
            let position = index.position(offset);
            assert_eq!(
                (position.line, position.column, position.line_range),
                (line, column, range),
                "{offset}"
            );
        }
        assert_eq!(LineIndex::new("").position(0).line, 1);
    }
}
