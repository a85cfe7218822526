//! Scales of charts: durations from nanoseconds to hours, and round numbers along an axis.

use ringtrace_tracefile::statistics::Sketch;

const FIRST_OCTAVE: u64 = 64;

/// Returns the position of a latency on the scale of all latency charts. Each octave (a factor of
/// two) has length 1 and is divided evenly, like the buckets of a [`Sketch`]. A bar thus covers a
/// whole number of buckets.
pub fn position(latency_ns: u64) -> f64 {
    if latency_ns < FIRST_OCTAVE {
        return latency_ns as f64 / FIRST_OCTAVE as f64;
    }
    let octave = latency_ns.ilog2();
    f64::from(octave) - 5.0 + (latency_ns as f64 / (1_u64 << octave) as f64 - 1.0)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bar {
    pub from_ns: u64,
    pub to_ns: u64,
    pub count: u64,
}

/// Distributes the values of `sketch` over at most `most` bars. The bars have equal widths on the
/// scale, at least 1/64 octave each. Empty bars between non-empty ones are included.
pub fn bars(sketch: &Sketch, most: usize) -> Vec<Bar> {
    let buckets: Vec<_> = sketch.buckets().collect();
    let place = |ns: u64, each: u64| ((position(ns) * FIRST_OCTAVE as f64) as u64) / each;
    let (Some((first, _)), Some((last, _))) = (buckets.first(), buckets.last()) else { return Vec::new() };
    let mut each = 1;
    while place(*last.start(), each) - place(*first.start(), each) >= most as u64 {
        each *= 2;
    }
    let origin = place(*first.start(), each);
    let count = (place(*last.start(), each) - origin + 1) as usize;
    let mut bars: Vec<Bar> = (0..count as u64)
        .map(|bar| Bar {
            from_ns: value_at((origin + bar) * each),
            to_ns: value_at((origin + bar + 1) * each).saturating_sub(1),
            count: 0,
        })
        .collect();
    for (values, count) in buckets {
        if let Some(bar) = bars.get_mut((place(*values.start(), each) - origin) as usize) {
            bar.count += count;
        }
    }
    bars
}

/// Returns the smallest value of a bucket. Bucket 0 contains the value 0.
fn value_at(bucket: u64) -> u64 {
    let (octave, within) = (bucket / FIRST_OCTAVE, bucket % FIRST_OCTAVE);
    match octave {
        0 => within,
        59.. => u64::MAX,
        _ => (FIRST_OCTAVE + within) << (octave - 1),
    }
}

/// Returns at most `most` round durations from `from_ns` to `to_ns`, for an axis with the scale of
/// [`position`].
pub fn round_latencies(from_ns: u64, to_ns: u64, most: usize) -> Vec<u64> {
    const STEPS: [&[u64]; 4] = [&[10, 15, 20, 30, 50, 70], &[10, 20, 50], &[10, 30], &[10]];
    let mut found = Vec::new();
    for steps in STEPS {
        found = (0..19_u32)
            .flat_map(|power| steps.iter().map(move |step| (power, *step)))
            .filter_map(|(power, step)| step.checked_mul(10_u64.pow(power)).map(|tenths| tenths / 10))
            .filter(|ns| (from_ns..=to_ns).contains(ns))
            .collect();
        found.dedup();
        if found.len() <= most {
            return found;
        }
    }
    let each = found.len().div_ceil(most.max(1));
    found.into_iter().step_by(each).collect()
}

/// Returns at most `most` + 1 round moments from `from_ns` to `to_ns`, for a linear axis.
pub fn round_moments(from_ns: u64, to_ns: u64, most: u64) -> Vec<u64> {
    let duration_ns = to_ns.saturating_sub(from_ns);
    let mut step: u64 = 1;
    for factor in [2, 5, 10].into_iter().cycle() {
        if duration_ns / step <= most {
            break;
        }
        // 1, 2, 5, 10, 20 ...
        step = 10_u64.pow(step.ilog10()).saturating_mul(factor);
    }
    (from_ns.div_ceil(step)..=to_ns / step).map(|number| number * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn axes_have_few_round_numbers() {
        assert_eq!(round_latencies(900, 21_000, 6), [1_000, 2_000, 5_000, 10_000, 20_000]);
        assert_eq!(round_latencies(900, 21_000, 4), [1_000, 3_000, 10_000]);
        assert_eq!(round_latencies(100, 200, 8), [100, 150, 200]);
        assert_eq!(round_latencies(1, 1_000_000_000_000, 7).len(), 7);
        assert_eq!(round_moments(0, 24_000, 6), [0, 5_000, 10_000, 15_000, 20_000]);
        assert_eq!(round_moments(6_530, 6_690, 6), [6_550, 6_600, 6_650]);
        assert_eq!(round_moments(0, 3, 6), [0, 1, 2, 3]);
        assert_eq!(round_moments(0, 0, 6), [0]);
        assert!(round_moments(0, u64::MAX, 6).len() <= 7);
    }

    proptest! {
        #[test]
        fn each_bar_counts_the_values_in_its_range(values in vec((any::<u64>(), 0_u32..64), 1..100), most in 1_usize..60) {
            let mut sketch = Sketch::default();
            let values: Vec<u64> = values.into_iter().map(|(value, shift)| value >> shift).collect();
            values.iter().for_each(|&value| sketch.add(value));
            let bars = bars(&sketch, most);
            prop_assert!(bars.len() <= most);
            for bar in &bars {
                let there = values.iter().filter(|value| (bar.from_ns..=bar.to_ns).contains(value)).count();
                prop_assert_eq!(bar.count, there as u64, "{:?}", bar);
            }
            prop_assert_eq!(bars.iter().map(|bar| bar.count).sum::<u64>(), values.len() as u64);
        }
    }
}
