//! The time since the previous entry, in microseconds with three decimals, in the format of QEMU's
//! readers.
//!
//! QEMU's readers divide nanoseconds by 1000 in floating point. Below 2^50, integer arithmetic has
//! the same result.

use super::Reserved;
use super::buffer::PushBlocks;
use super::number::{long_thousandths, push_short_thousandths};
use crate::read::era::Division;

/// The largest total size of the blocks that [`push_simple_delta`] appends.
pub(super) const DELTA_BYTES: usize = 24;

/// Below this many nanoseconds, integers and doubles print the same text.
const EXACT_DELTA_NS: u64 = 1 << 50;

/// Appends the time since the previous record. Returns `false`, and appends nothing, if integers
/// cannot represent it exactly.
///
/// The function is inlined into the fast path, and must pass `out` only to inlined functions.
#[inline(always)]
pub(super) fn push_simple_delta(last_ns: u64, now_ns: u64, out: &mut impl PushBlocks) -> bool {
    let Some(delta_ns) = now_ns.checked_sub(last_ns) else { return false };
    if push_short_thousandths(delta_ns, out) {
        return true;
    }
    if delta_ns < EXACT_DELTA_NS {
        out.push_block(&long_thousandths(delta_ns));
    }
    delta_ns < EXACT_DELTA_NS
}

#[cold]
#[inline(never)]
fn push_odd_delta(last_ns: u64, now_ns: u64, division: Division, out: &mut Reserved<'_>) {
    use std::fmt::Write;
    let sign = if now_ns < last_ns { "-" } else { "" };
    let micros = division.thousandth(now_ns.abs_diff(last_ns));
    // Writing to a buffer cannot fail.
    let _ = write!(out, "{sign}{micros:.3}");
}

/// Appends the time since the previous record.
pub(super) fn push_delta(last_ns: u64, now_ns: u64, division: Division, out: &mut Reserved<'_>) {
    if !push_simple_delta(last_ns, now_ns, out) {
        push_odd_delta(last_ns, now_ns, division, out);
    }
}

impl Division {
    fn thousandth(self, ns: u64) -> f64 {
        match self {
            Division::OfDouble => ns as f64 / 1000.0,
            Division::Exact => {
                // Compute more bits of the quotient than a double has. The last bit also marks
                // whether there is a remainder, so the conversion to a double rounds like the exact
                // quotient.
                let scaled = u128::from(ns) << 64;
                let digits = (scaled / 1000) | u128::from(!scaled.is_multiple_of(1000));
                digits as f64 / (1_u128 << 64) as f64
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::TextBuffer;
    use crate::text::number::NUMBER_BYTES;

    fn text(last_ns: u64, now_ns: u64, division: Division) -> String {
        let mut out = TextBuffer::with_capacity(0);
        let mut space = out.reserve(NUMBER_BYTES);
        push_delta(last_ns, now_ns, division, &mut space);
        space.keep();
        String::from_utf8(out.as_bytes().to_vec()).unwrap()
    }

    /// Output of Python 3.11: last, now, `'%.3f' % ((now - last) / 1000.0)`, `'%.3f' % ((now -
    /// last) / 1000)`.
    const PYTHON: &[(u64, u64, &str, &str)] = &[
        (0, 0, "0.000", "0.000"),
        (7, 12_345, "12.338", "12.338"),
        (12_345, 7, "-12.338", "-12.338"),
        (0, (1 << 50) - 1, "1125899906842.623", "1125899906842.623"),
        (0, (1 << 50) + 1, "1125899906842.625", "1125899906842.625"),
        (u64::MAX, 1, "-18446744073709552.000", "-18446744073709552.000"),
        (0, u64::MAX, "18446744073709552.000", "18446744073709552.000"),
        (0, 41_085_870_112_746_556, "41085870112746.562", "41085870112746.555"),
        (103_951_416_120_481_710, 0, "-103951416120481.719", "-103951416120481.703"),
        (890_097_279_698_277_697, 1_000_000_001, "-890097278698277.625", "-890097278698277.750"),
    ];

    #[test]
    fn both_divisions_match_python() {
        for &(last_ns, now_ns, of_double, exact) in PYTHON {
            assert_eq!(text(last_ns, now_ns, Division::OfDouble), of_double, "{last_ns} {now_ns}");
            assert_eq!(text(last_ns, now_ns, Division::Exact), exact, "{last_ns} {now_ns}");
        }
    }
}
