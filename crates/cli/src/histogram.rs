//! Histograms of durations, drawn with bars.

use ringtrace_tracefile::statistics::Sketch;

use crate::quantity::{self, Units};
use crate::terminal::Terminal;

/// The maximum number of rows. If the distribution is wide, rows get wider; if there are few
/// values, there are fewer rows.
const MAX_ROWS: usize = 20;
const MAX_ROWS_A_VALUE: u64 = 2;

/// Possible row edges within a power of ten, in tenths. The finest list that results in few enough
/// rows is used. Rows are about equally wide on a logarithmic scale, so that bars can be compared.
/// (The steps are from the E series of resistor values.)
const EDGES: [&[u64]; 4] =
    [&[10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82], &[10, 15, 22, 33, 47, 68], &[10, 20, 50], &[10]];

/// A row, with the number of values from `from_ns` (inclusive) to `to_ns` (exclusive).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Row {
    from_ns: u64,
    to_ns: u64,
    count: u64,
}

pub fn render(sketch: &Sketch, head: &str, terminal: &Terminal, out: &mut String) {
    let rows = rows(sketch);
    let units = Units::new(terminal.unicode);
    let edge = |ns| units.round_duration(ns);
    let wide =
        |text: &dyn Fn(&Row) -> String| rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0);
    let from_width = wide(&|row| edge(row.from_ns));
    let to_width = wide(&|row| edge(row.to_ns));
    let count_width = wide(&|row| quantity::count(row.count)).max("COUNT".len());
    let range_width = (from_width + " to ".len() + to_width).max(head.chars().count());
    let columns = range_width + 2 + count_width + 2 + " CUM %".len() + 2;
    let bar_columns = terminal.width.saturating_sub(columns).clamp(10, 100);

    let line = format!("{head:>range_width$}  {:>count_width$}   CUM %", "COUNT");
    out.push_str(&terminal.paint("1", &line));
    out.push('\n');
    let most = rows.iter().map(|row| row.count).max().unwrap_or(0).max(1);
    let mut below = 0;
    for row in &rows {
        below += row.count;
        let range = format!("{:>from_width$} to {:>to_width$}", edge(row.from_ns), edge(row.to_ns));
        let percent = below as f64 * 100.0 / sketch.count() as f64;
        // Show 100.0 only when all values are counted.
        let percent = if below < sketch.count() { percent.min(99.9) } else { percent };
        let bar = bar(row.count, most, bar_columns, terminal.unicode);
        let line = format!(
            "{range:>range_width$}  {:>count_width$}  {percent:>5.1}%  {}",
            quantity::count(row.count),
            terminal.paint("36", &bar)
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// Returns a bar for `count`. The bar for the count `most` would have `columns` columns. A count
/// above zero is always visible.
fn bar(count: u64, most: u64, columns: usize, unicode: bool) -> String {
    const EIGHTHS: [&str; 8] =
        ["", "\u{258f}", "\u{258e}", "\u{258d}", "\u{258c}", "\u{258b}", "\u{258a}", "\u{2589}"];
    let steps = if unicode { 8 } else { 1 };
    let length = u128::from(count) * (columns * steps) as u128 / u128::from(most);
    let length = (length as usize).max(usize::from(count > 0));
    if unicode { "\u{2588}".repeat(length / 8) + EIGHTHS[length % 8] } else { "#".repeat(length) }
}

/// Returns the rows from the smallest to the largest value, including empty ones.
fn rows(sketch: &Sketch) -> Vec<Row> {
    let (Some(min), Some(max)) = (sketch.min(), sketch.max()) else { return Vec::new() };
    let most = sketch.count().saturating_mul(MAX_ROWS_A_VALUE).min(MAX_ROWS as u64);
    let mut rows = Vec::new();
    for edges in EDGES {
        rows = empty_rows(edges, min, max);
        if rows.len() as u64 <= most {
            break;
        }
    }
    for (values, count) in sketch.buckets() {
        // The smallest and largest values are exact; any other value is assumed to be in the middle
        // of its bucket.
        let value = if values.contains(&min) {
            min
        } else if values.contains(&max) {
            max
        } else {
            values.start() + (values.end() - values.start()) / 2
        };
        let row = rows.partition_point(|row| row.to_ns <= value).min(rows.len() - 1);
        rows[row].count += count;
    }
    rows
}

/// Returns empty rows that cover `min` to `max`. Each power of ten is divided at `tenths`.
fn empty_rows(tenths: &[u64], min: u64, max: u64) -> Vec<Row> {
    let powers = std::iter::successors(Some(1_u64), |power| power.checked_mul(10));
    let mut edges: Vec<u64> = vec![0];
    edges.extend(powers.flat_map(|power| {
        // Edges are whole nanoseconds, so the power 1 has no fractional edges.
        tenths
            .iter()
            .filter(move |&&tenth| power > 1 || tenth % 10 == 0)
            .map(move |&tenth| u64::try_from(u128::from(tenth) * u128::from(power) / 10).unwrap_or(u64::MAX))
    }));
    edges.push(u64::MAX);
    edges.dedup();
    let first = edges.partition_point(|&edge| edge <= min).saturating_sub(1);
    let last = edges.partition_point(|&edge| edge <= max).min(edges.len() - 1).max(first + 1);
    edges[first..=last].windows(2).map(|pair| Row { from_ns: pair[0], to_ns: pair[1], count: 0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn sketch(values: &[u64]) -> Sketch {
        let mut sketch = Sketch::default();
        values.iter().for_each(|&value| sketch.add(value));
        sketch
    }

    fn drawn(values: &[u64], width: usize) -> String {
        let mut out = String::new();
        render(&sketch(values), "LATENCY", &Terminal::plain(width), &mut out);
        out
    }

    #[test]
    fn rows_and_bars() {
        let expected = "\
\u{20}        LATENCY  COUNT   CUM %
 82 ns to 100 ns      1   10.0%  ##
100 ns to 120 ns      4   50.0%  ########
120 ns to 150 ns      5  100.0%  ##########
";
        assert_eq!(drawn(&[95, 100, 101, 102, 119, 120, 130, 131, 148, 149], 40), expected);
    }

    #[test]
    fn eighths_of_a_column() {
        assert_eq!(bar(3, 4, 10, true), "\u{2588}\u{2588}\u{2588}\u{2588}\u{2588}\u{2588}\u{2588}\u{258c}");
        assert_eq!((bar(1, 1000, 10, true), bar(1, 1000, 10, false)), ("\u{258f}".into(), "#".into()));
        assert_eq!(bar(0, 1000, 10, true), "");
    }

    proptest! {
        #[test]
        fn every_value_is_in_a_row(values in vec((any::<u64>(), 0_u32..64), 1..50)) {
            let values: Vec<u64> = values.into_iter().map(|(value, shift)| value >> shift).collect();
            let rows = rows(&sketch(&values));
            prop_assert!(rows.len() <= MAX_ROWS + 1);
            prop_assert_eq!(rows.iter().map(|row| row.count).sum::<u64>(), values.len() as u64);
            prop_assert!(rows[0].from_ns <= *values.iter().min().unwrap());
            prop_assert!(rows.windows(2).all(|pair| pair[0].to_ns == pair[1].from_ns));
            prop_assert!(rows[0].count > 0 && rows[rows.len() - 1].count > 0);
        }
    }
}
