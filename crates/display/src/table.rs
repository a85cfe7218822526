//! Aligned tables that fit a width.

use std::borrow::Cow;

const GUTTER: usize = 2;

/// Maximum space that is reserved for names when deciding which columns of numbers fit.
const NAME_COLUMNS: usize = 30;

/// A table with columns of numbers, and a name at the end of each row. Names can have any length
/// and are never truncated. They can be empty if there is only one row.
#[derive(Debug)]
pub struct Table {
    columns: Vec<Column>,
    name: Column,
}

#[derive(Debug)]
struct Column {
    heading: Cow<'static, str>,
    /// If the table is too wide, the column with the highest rank is left out first; rank 0 always
    /// stays.
    rank: u32,
    cells: Vec<String>,
}

impl Column {
    fn width(&self) -> usize {
        self.cells.iter().map(|cell| width(cell)).chain([width(&self.heading)]).max().unwrap_or(0)
    }
}

impl Table {
    /// Creates a table. `name` is the heading of the names.
    pub fn new(name: impl Into<Cow<'static, str>>) -> Table {
        Table { columns: Vec::new(), name: Column { heading: name.into(), rank: 0, cells: Vec::new() } }
    }

    /// Adds a column of numbers. If the table is too wide, the column with the highest `rank` is
    /// left out first; rank 0 always stays.
    pub fn column(&mut self, heading: &'static str, rank: u32, cells: impl Iterator<Item = String>) {
        self.columns.push(Column { heading: heading.into(), rank, cells: cells.collect() });
    }

    /// Sets the names, one for each row.
    pub fn names(&mut self, names: impl Iterator<Item = String>) {
        self.name.cells = names.collect();
    }

    /// Appends the table to `out`, at most `width` columns wide if possible. `paint` styles the row
    /// of headings.
    pub fn render(&self, width: usize, paint: impl FnOnce(&str) -> String, out: &mut String) {
        let mut shown: Vec<(&Column, usize)> =
            self.columns.iter().map(|column| (column, column.width())).collect();
        let name_width = self.name.width().min(NAME_COLUMNS);
        while shown.iter().map(|(_, width)| width + GUTTER).sum::<usize>() + name_width > width {
            let Some((last, _)) =
                shown.iter().enumerate().filter(|(_, (c, _))| c.rank > 0).max_by_key(|(_, (c, _))| c.rank)
            else {
                break;
            };
            shown.remove(last);
        }
        let mut headings = String::new();
        for (column, width) in &shown {
            headings.push_str(&format!("{:>width$}{:GUTTER$}", column.heading, ""));
        }
        headings.push_str(&self.name.heading);
        out.push_str(&paint(headings.trim_end()));
        out.push('\n');
        for (row, name) in self.name.cells.iter().enumerate() {
            let mut line = String::new();
            for (column, width) in &shown {
                let cell = column.cells.get(row).map_or("", String::as_str);
                line.push_str(&format!("{cell:>width$}{:GUTTER$}", ""));
            }
            line.push_str(name);
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
}

/// Returns the display width of `text`. Numbers and units contain no wide characters.
fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(width: usize) -> String {
        let mut table = Table::new("NAME");
        table.column("COUNT", 0, ["1", "23"].map(str::to_owned).into_iter());
        table.column("P50", 1, ["1.00 \u{b5}s", "-"].map(str::to_owned).into_iter());
        table.column("MEAN", 2, ["5 ns", "6 ns"].map(str::to_owned).into_iter());
        table.names(["first", "a_longer_name"].map(str::to_owned).into_iter());
        let mut out = String::new();
        table.render(width, str::to_owned, &mut out);
        out
    }

    #[test]
    fn all_columns_are_shown_if_they_fit() {
        let expected = "\
COUNT      P50  MEAN  NAME
    1  1.00 \u{b5}s  5 ns  first
   23        -  6 ns  a_longer_name
";
        assert_eq!(render(80), expected);
    }

    #[test]
    fn columns_of_the_highest_rank_are_left_out_first() {
        assert!(render(34).starts_with("COUNT      P50  NAME\n"));
        assert!(render(10).starts_with("COUNT  NAME\n"));
    }
}
