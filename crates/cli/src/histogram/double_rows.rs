//! Rows of a histogram of floating-point values.

use std::ops::RangeInclusive;

use ringtrace_tracefile::statistics::Doubles;

use super::{LabelledRow, MAX_ROWS, MIN_POWERS};
use crate::quantity;

/// The maximum number of rows between powers of two. For more, each row includes several powers.
const MAX_POWERS: i32 = 40;

/// The usual number of significant digits of limits, and the maximum, for two values that would
/// otherwise look the same.
const DIGITS: RangeInclusive<usize> = 6..=17;

type Bucket = (RangeInclusive<f64>, u64);

/// Returns the rows from the smallest to the largest value: a row for each value if there are few,
/// otherwise rows between powers of two, or between round numbers if all values are close together.
pub fn rows(doubles: &Doubles) -> Vec<LabelledRow> {
    let (Some(min), Some(max)) = (doubles.min(), doubles.max()) else { return Vec::new() };
    let buckets = doubles.buckets();
    if doubles.is_exact() && buckets.len() <= MAX_ROWS {
        let values: Vec<f64> = buckets.iter().map(|(values, _)| *values.start()).collect();
        let texts = limits(&values).into_iter().zip(&buckets);
        return texts
            .map(|(from, (_, count))| LabelledRow { from, to: String::new(), count: *count })
            .collect();
    }
    let powers = between_powers(&buckets);
    if powers.len() >= MIN_POWERS { powers } else { between_round_numbers(&buckets, min, max) }
}

/// Returns rows between powers of two. Rows are numbered from the row of the value 0: 1 is the row
/// of the smallest positive powers, and -1 is the row of the negative powers closest to 0.
fn between_powers(buckets: &[Bucket]) -> Vec<LabelledRow> {
    let exponents: Vec<Option<(bool, i32)>> = buckets.iter().map(|(values, _)| exponent(values)).collect();
    let nonzero = || exponents.iter().flatten().map(|&(_, exponent)| exponent);
    let (lowest, highest) = (nonzero().min().unwrap_or(0), nonzero().max().unwrap_or(0));
    let has = |negative| exponents.iter().flatten().any(|&(is_negative, _)| is_negative == negative);
    let sides = i32::from(has(true)) + i32::from(has(false));
    let mut step = 1;
    while sides * (highest.div_euclid(step) - lowest.div_euclid(step) + 1) > MAX_POWERS {
        step *= 2;
    }
    let first = lowest.div_euclid(step);
    let index = |exponent: Option<(bool, i32)>| match exponent {
        None => 0,
        Some((true, exponent)) => first - 1 - exponent.div_euclid(step),
        Some((false, exponent)) => exponent.div_euclid(step) - first + 1,
    };
    let indices: Vec<i32> = exponents.into_iter().map(index).collect();
    let (Some(&from), Some(&to)) = (indices.iter().min(), indices.iter().max()) else { return Vec::new() };
    let limit = |index: i32| match index {
        0 => 0.0,
        index => 2_f64.powi((first + index.abs() - 1) * step).copysign(f64::from(index)),
    };
    (from..=to)
        .map(|index| {
            let count =
                indices.iter().zip(buckets).filter(|(of, _)| **of == index).map(|(_, bucket)| bucket.1);
            let (from, to) = match index {
                0 => return LabelledRow { from: text(0.0), to: String::new(), count: count.sum() },
                index if index < 0 => (limit(index - 1), limit(index)),
                index => (limit(index), limit(index + 1)),
            };
            LabelledRow { from: text(from), to: text(to), count: count.sum() }
        })
        .collect()
}

/// Returns whether the values are negative, and the exponent of the limit that is closer to 0.
/// Returns `None` for 0. Each row includes its lower limit: 4 is in the row from 4 to 8, and -4 is in
/// the row from -4 to -2.
fn exponent(values: &RangeInclusive<f64>) -> Option<(bool, i32)> {
    const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
    let exponent = |bits: u64| (bits >> FRACTION_BITS) as i32 - (f64::MAX_EXP - 1);
    if *values.start() > 0.0 {
        Some((false, exponent(values.start().to_bits())))
    } else if *values.end() < 0.0 {
        Some((true, exponent(values.start().abs().to_bits() - 1)))
    } else {
        None
    }
}

fn between_round_numbers(buckets: &[Bucket], min: f64, max: f64) -> Vec<LabelledRow> {
    let width = max / MAX_ROWS as f64 - min / MAX_ROWS as f64;
    // Equal values need a row of some width.
    let width = if width > 0.0 { width } else { max.abs().max(f64::MIN_POSITIVE) };
    let smallest = width.log10().floor() as i32;
    let steps = (smallest..).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| (digit, power)));
    // Divide by powers of ten if they are whole numbers, so that limits such as 0.3 are exact.
    let times = |number: f64, power: i32| match power {
        -300..0 => number / 10_f64.powi(-power),
        _ => number * 10_f64.powi(power),
    };
    let number_of = |value: f64, (digit, power)| (value / times(digit, power)).floor();
    let fits = |step: &(f64, i32)| number_of(max, *step) - number_of(min, *step) < MAX_ROWS as f64;
    let step = steps.take(60).find(fits).unwrap_or((1.0, smallest));
    let first = number_of(min, step);
    let rows = ((number_of(max, step) - first) as usize).min(MAX_ROWS) + 1;
    let edges: Vec<f64> = (0..=rows).map(|row| times((first + row as f64) * step.0, step.1)).collect();
    let mut counts = vec![0; rows];
    for (values, count) in buckets {
        // Spread the bucket evenly over the rows that it overlaps.
        let (from, to) = (values.start().max(min), values.end().min(max));
        let row_of = |value: f64| edges[1..rows].partition_point(|&edge| edge <= value);
        let mut before = 0;
        for row in row_of(from)..=row_of(to) {
            let share = if row == row_of(to) { 1.0 } else { (edges[row + 1] - from) / (to - from) };
            let up_to = (*count as f64 * share) as u64;
            counts[row] += up_to - before;
            before = up_to;
        }
    }
    let texts = limits(&edges);
    let rows = counts.into_iter().zip(texts.windows(2));
    rows.map(|(count, edges)| LabelledRow { from: edges[0].clone(), to: edges[1].clone(), count }).collect()
}

/// Formats limits or values with enough digits to distinguish them.
fn limits(values: &[f64]) -> Vec<String> {
    let mut texts = Vec::new();
    for digits in DIGITS {
        texts = values.iter().map(|&value| quantity::double(value, digits)).collect();
        if texts.windows(2).all(|two: &[String]| two[0] != two[1]) {
            break;
        }
    }
    texts
}

/// Formats a power of two, as in the histograms of integers if it is a whole number.
fn text(power: f64) -> String {
    match power.abs() {
        1.0..=1.8e19 => quantity::round_number(power as i128),
        _ => quantity::double(power, *DIGITS.start()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::histogram::render_numbers;
    use crate::terminal::Terminal;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use ringtrace_tracefile::statistics::{Number, Numbers};

    fn doubles(values: &[f64]) -> Doubles {
        let mut doubles = Doubles::default();
        values.iter().for_each(|&value| doubles.add(value));
        doubles
    }

    fn drawn(values: impl IntoIterator<Item = f64>) -> String {
        let mut numbers = Numbers::default();
        values.into_iter().for_each(|value| numbers.add(Number::Double(value)));
        let mut out = String::new();
        render_numbers(&numbers, "SHARE", &Terminal::plain(40), &mut out);
        out
    }

    #[test]
    fn few_values_have_a_row_each() {
        let expected = "\
SHARE  COUNT   CUM %
-0.25      1   20.0%  #########
  0.1      2   60.0%  ##################
    4      1   80.0%  #########
 1e22      1  100.0%  #########
";
        assert_eq!(drawn([0.1, 4.0, 0.1, f64::NAN, -0.25, 1e22]), expected);
        let close = drawn([1.0, 1.0 + f64::EPSILON]);
        assert!(close.contains("1.0000000000000002  "), "{close}");
    }

    #[test]
    fn many_values_have_rows_between_powers_of_two() {
        let values = (-8..=24).map(|number| f64::from(number) / 4.0).chain([5000.0]);
        let expected = "\
\u{20}         SHARE  COUNT   CUM %
   -2 to     -1      4   11.8%  ####
   -1 to   -0.5      2   17.6%  ##
 -0.5 to  -0.25      1   20.6%  #
-0.25 to -0.125      1   23.5%  #
    0                1   26.5%  #
0.125 to   0.25      0   26.5%
 0.25 to    0.5      1   29.4%  #
  0.5 to      1      2   35.3%  ##
    1 to      2      4   47.1%  ####
    2 to      4      8   70.6%  ########
    4 to      8      9   97.1%  ##########
    8 to     16      0   97.1%
   16 to     32      0   97.1%
   32 to     64      0   97.1%
   64 to    128      0   97.1%
  128 to    256      0   97.1%
  256 to    512      0   97.1%
  512 to   1 Ki      0   97.1%
 1 Ki to   2 Ki      0   97.1%
 2 Ki to   4 Ki      0   97.1%
 4 Ki to   8 Ki      1  100.0%  #
";
        assert_eq!(drawn(values), expected);
    }

    #[test]
    fn values_that_are_close_together_have_rows_of_equal_width() {
        let drawn = drawn((950..1050).map(|number| f64::from(number) / 1000.0));
        assert!(drawn.contains("\n 0.95 to 0.955      5    5.0%"), "{drawn}");
        assert!(drawn.contains("\n0.995 to     1      5   50.0%"), "{drawn}");
        assert!(drawn.contains("\n1.045 to  1.05      5  100.0%"), "{drawn}");
    }

    #[test]
    fn wide_ranges_have_few_rows() {
        let drawn = drawn((-300..=300).map(|power| 10_f64.powi(power)));
        assert!(drawn.lines().count() < 40, "{drawn}");
    }

    proptest! {
        #[test]
        fn every_value_is_in_a_row(all in vec((any::<f64>(), 0_u8..4), 1..200)) {
            let values: Vec<f64> = all
                .into_iter()
                .map(|(value, form)| match form {
                    0 => value,
                    1 => value % 1000.0,
                    2 => 7.0 + value.fract(),
                    _ => 1e300 * (1.0 + value.fract() / 1e9),
                })
                .collect();
            let doubles = doubles(&values);
            let rows = rows(&doubles);
            prop_assert_eq!(rows.iter().map(|row| row.count).sum::<u64>(), doubles.count());
            prop_assert!(rows.len() <= MAX_POWERS as usize + 1);
        }
    }
}
