//! Histograms of durations and numbers, drawn with bars.

mod double_rows;

use ringtrace_tracefile::statistics::{Integers, Numbers, Sketch};

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

/// Draws the durations in `sketch`.
pub fn render(sketch: &Sketch, head: &str, terminal: &Terminal, out: &mut String) {
    let units = Units::new(terminal.unicode);
    let edge = |ns| units.round_duration(ns);
    let rows: Vec<LabelledRow> = rows(sketch)
        .iter()
        .map(|row| LabelledRow { from: edge(row.from_ns), to: edge(row.to_ns), count: row.count })
        .collect();
    draw(&rows, head, terminal, out);
}

/// Draws `numbers`, with a row for each value if there are few, otherwise with rows between powers
/// of two, or between round numbers if all values are close together.
pub fn render_numbers(numbers: &Numbers, head: &str, terminal: &Terminal, out: &mut String) {
    let integer_row = |row: &NumberRow| LabelledRow {
        from: quantity::round_number(row.from),
        to: if row.to - row.from > 1 { quantity::round_number(row.to) } else { String::new() },
        count: row.count,
    };
    let rows = match numbers {
        Numbers::Integers(integers) => number_rows(integers).iter().map(integer_row).collect(),
        Numbers::Doubles(doubles) => double_rows::rows(doubles),
    };
    draw(&rows, head, terminal, out);
}

/// A row with the texts of its edges. `to` is empty if the row is for a single value.
struct LabelledRow {
    from: String,
    to: String,
    count: u64,
}

fn draw(rows: &[LabelledRow], head: &str, terminal: &Terminal, out: &mut String) {
    let wide = |text: &dyn Fn(&LabelledRow) -> &str| {
        rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0)
    };
    let from_width = wide(&|row| &row.from);
    let to_width = wide(&|row| &row.to);
    let range = |row: &LabelledRow| match (row.to.as_str(), to_width) {
        ("", 0) => format!("{:>from_width$}", row.from),
        ("", _) => format!("{:>from_width$}    {:to_width$}", row.from, ""),
        (to, _) => format!("{:>from_width$} to {to:>to_width$}", row.from),
    };
    let count_width =
        rows.iter().map(|row| quantity::count(row.count).len()).max().unwrap_or(0).max("COUNT".len());
    let range_width = rows.first().map_or(0, |row| range(row).chars().count()).max(head.chars().count());
    let columns = range_width + 2 + count_width + 2 + " CUM %".len() + 2;
    let bar_columns = terminal.width.saturating_sub(columns).clamp(10, 100);

    let line = format!("{head:>range_width$}  {:>count_width$}   CUM %", "COUNT");
    out.push_str(&terminal.paint("1", &line));
    out.push('\n');
    let most = rows.iter().map(|row| row.count).max().unwrap_or(0).max(1);
    let all: u64 = rows.iter().map(|row| row.count).sum();
    let mut below = 0;
    for row in rows {
        below += row.count;
        let percent = below as f64 * 100.0 / all as f64;
        // Show 100.0 only when all values are counted.
        let percent = if below < all { percent.min(99.9) } else { percent };
        let bar = bar(row.count, most, bar_columns, terminal.unicode);
        let line = format!(
            "{:>range_width$}  {:>count_width$}  {percent:>5.1}%  {}",
            range(row),
            quantity::count(row.count),
            terminal.paint("36", &bar)
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// A row, with the number of integers from `from` (inclusive) to `to` (exclusive).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberRow {
    pub from: i128,
    pub to: i128,
    pub count: u64,
}

/// The minimum number of rows between powers of two. With fewer, rows have equal widths.
const MIN_POWERS: usize = 4;

/// Returns the rows from the smallest to the largest value. Rows of a single value include only
/// values that occur; other rows can be empty.
fn number_rows(numbers: &Integers) -> Vec<NumberRow> {
    let (Some(min), Some(max)) = (numbers.min(), numbers.max()) else { return Vec::new() };
    let buckets = numbers.buckets();
    if numbers.is_exact() && buckets.len() <= MAX_ROWS {
        let row = |(values, count): &(std::ops::RangeInclusive<i128>, u64)| NumberRow {
            from: *values.start(),
            to: *values.end() + 1,
            count: *count,
        };
        return buckets.iter().map(row).collect();
    }
    let powers = (0..=64).map(|shift| 1_i128 << shift);
    let mut edges: Vec<i128> = powers.clone().map(|power| -power).rev().collect();
    edges.push(0);
    edges.extend(powers);
    let covering = |edges: Vec<i128>| -> Vec<NumberRow> {
        let first = edges.partition_point(|&edge| edge <= min).saturating_sub(1);
        let last = edges.partition_point(|&edge| edge <= max).min(edges.len() - 1);
        let rows = edges[first..=last].windows(2);
        rows.map(|pair| NumberRow { from: pair[0], to: pair[1], count: 0 }).collect()
    };
    let mut rows = covering(edges);
    if rows.len() < MIN_POWERS {
        let steps = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_i128.pow(power)));
        let fits = |step: &i128| max.div_euclid(*step) - min.div_euclid(*step) < MAX_ROWS as i128;
        let step = steps.take(60).find(fits).unwrap_or(1);
        let (first, last) = (min.div_euclid(step), max.div_euclid(step) + 1);
        rows = covering((first..=last).map(|number| number * step).collect());
    }
    for (values, count) in buckets {
        // Spread the bucket evenly over the rows that it overlaps. Only rows of equal widths divide
        // buckets.
        let (from, to) = ((*values.start()).max(min), (*values.end()).min(max) + 1);
        let mut before = 0;
        for row in rows.iter_mut().skip_while(|row| row.to <= from).take_while(|row| row.from < to) {
            let up_to = i128::from(count) * (row.to.min(to) - from) / (to - from);
            row.count += (up_to - before) as u64;
            before = up_to;
        }
    }
    rows
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

    fn integers(values: impl IntoIterator<Item = i128>) -> Integers {
        let mut integers = Integers::default();
        values.into_iter().for_each(|value| integers.add(value));
        integers
    }

    fn drawn_numbers(values: impl IntoIterator<Item = i128>) -> String {
        let mut out = String::new();
        render_numbers(&Numbers::Integers(integers(values)), "SIZE", &Terminal::plain(40), &mut out);
        out
    }

    #[test]
    fn few_values_have_a_row_each() {
        let expected = "\
SIZE  COUNT   CUM %
  -5      1   25.0%  #########
 512      2   75.0%  ###################
4 Ki      1  100.0%  #########
";
        assert_eq!(drawn_numbers([512, -5, 4096, 512]), expected);
    }

    #[test]
    fn many_values_have_rows_between_powers_of_two() {
        let expected = "\
\u{20}    SIZE  COUNT   CUM %
-4 to  -2      1    2.9%  #
-2             1    5.9%  #
-1             1    8.8%  #
 0             1   11.8%  #
 1             1   14.7%  #
 2 to   4      2   20.6%  ##
 4 to   8      4   32.4%  ####
 8 to  16      8   55.9%  ########
16 to  32     14   97.1%  ##############
32 to  64      0   97.1%
64 to 128      1  100.0%  #
";
        assert_eq!(drawn_numbers((-3..30).chain([100])), expected);
        let large = drawn_numbers((0..32).chain([1 << 20]));
        assert!(large.contains("\n  1 Mi to   2 Mi      1  100.0%"), "{large}");
    }

    #[test]
    fn values_that_are_close_together_have_rows_of_equal_width() {
        let drawn = drawn_numbers(1000..1100);
        assert!(drawn.contains("1,000 to 1,005      5    5.0%"), "{drawn}");
        assert!(drawn.contains("1,095 to 1,100      5  100.0%"), "{drawn}");
    }

    #[test]
    fn eighths_of_a_column() {
        assert_eq!(bar(3, 4, 10, true), "\u{2588}\u{2588}\u{2588}\u{2588}\u{2588}\u{2588}\u{2588}\u{258c}");
        assert_eq!((bar(1, 1000, 10, true), bar(1, 1000, 10, false)), ("\u{258f}".into(), "#".into()));
        assert_eq!(bar(0, 1000, 10, true), "");
    }

    proptest! {
        #[test]
        fn every_number_is_in_a_row(
            values in vec((any::<i64>(), 0_u32..64), 1..200),
            unsigned in vec((any::<u64>(), 0_u32..64), 0..100),
        ) {
            let signed = values.into_iter().map(|(value, shift)| i128::from(value >> shift));
            let unsigned = unsigned.into_iter().map(|(value, shift)| i128::from(value >> shift));
            let values: Vec<i128> = signed.chain(unsigned).collect();
            let rows = number_rows(&integers(values.iter().copied()));
            prop_assert_eq!(rows.iter().map(|row| row.count).sum::<u64>(), values.len() as u64);
            prop_assert!(rows[0].from <= *values.iter().min().unwrap());
            prop_assert!(rows[rows.len() - 1].to > *values.iter().max().unwrap());
            prop_assert!(rows.windows(2).all(|pair| pair[0].to <= pair[1].from));
        }

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
