//! Numbers packed as text for the page's script. `script/numbers.js` decodes them with `decode`.

/// The 64 digits. None of them needs to be escaped in JSON or HTML.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Bits of the number in each digit. A digit's sixth bit is set if another digit follows.
const BITS: u32 = 5;

/// Appends `number`, the lowest bits first. Small numbers, which are the most frequent, take one
/// digit.
pub fn push(mut number: u64, out: &mut String) {
    loop {
        let low = (number & ((1 << BITS) - 1)) as usize;
        number >>= BITS;
        let more = if number > 0 { 1 << BITS } else { 0 };
        out.push(char::from(DIGITS[low | more]));
        if number == 0 {
            return;
        }
    }
}

/// Packs counts that are often 0: for each non-zero count, the number of zeros before it, then the
/// count itself.
pub fn series(counts: &[u64]) -> String {
    let mut out = String::new();
    let mut zeros = 0;
    for &count in counts {
        if count == 0 {
            zeros += 1;
            continue;
        }
        push(zeros, &mut out);
        push(count, &mut out);
        zeros = 0;
    }
    out
}

/// Packs `counts` like [`series`], but sums neighbours until the text is at most `max_bytes` long
/// or only 8 sums remain. Returns the number of counts in each sum, and the text.
pub fn folded_series(counts: &[u32], max_bytes: usize) -> (usize, String) {
    let mut each = 1;
    loop {
        let folded: Vec<u64> =
            counts.chunks(each).map(|chunk| chunk.iter().map(|&count| u64::from(count)).sum()).collect();
        let text = series(&folded);
        if text.len() <= max_bytes || folded.len() <= 8 {
            return (each, text);
        }
        each *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_packed_as_letters() {
        let packed = |number| {
            let mut out = String::new();
            push(number, &mut out);
            out
        };
        assert_eq!([0, 1, 31, 32, 1000].map(packed), ["A", "B", "f", "gB", "of"]);
        assert_eq!(packed(u64::MAX).len(), 13);
        assert_eq!(series(&[0, 0, 3, 1, 0, 0]), "CDAB");
        assert_eq!(folded_series(&[1; 64], 1000), (1, "AB".repeat(64)));
        assert_eq!(folded_series(&[1; 64], 32), (4, "AE".repeat(16)));
    }
}
