//! Lists between parentheses and brackets.

/// Columns that a line should not exceed.
const MAX_COLUMNS: usize = 100;

/// `items` on one line when they fit there with `others` columns of other text, else on a line each.
pub(super) fn one_line(others: usize, items: &[String]) -> String {
    let columns: usize = others + items.iter().map(|item| item.len() + ", ".len()).sum::<usize>();
    if columns <= MAX_COLUMNS { items.join(", ") } else { one_each(items) }
}

/// `items` on a line each, all of them indented by a step.
pub(super) fn one_each(items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let lines: String = items.iter().flat_map(|item| ["    ", item, ",\n"]).collect();
    format!("\n{lines}")
}
