//! What somebody likely meant who wrote a word that is not known.

/// The candidate that differs least from `word`, when it differs little: at most one letter in three inserted,
/// removed or replaced, or two swapped.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    // Nothing is near to a word longer than any that is known; and the distance takes time by the product of lengths.
    if word.len() > 64 {
        return None;
    }
    let limit = (word.chars().count() / 3).max(1);
    let distances = candidates.into_iter().map(|candidate| (distance(word, candidate), candidate));
    distances
        .filter(|&(distance, _)| (1..=limit).contains(&distance))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, c)| c)
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbour to turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // Row i holds the distances of a[..i] to every b[..j].
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut next = vec![i + 1];
        for j in 0..b.len() {
            let replaced = row[j] + usize::from(a[i] != b[j]);
            let mut best = replaced.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_words_and_far_ones() {
        let words = ["uint32_t", "int32_t", "disable"];
        for (word, expected) in [
            ("unit32_t", Some("uint32_t")),
            ("uint32", Some("uint32_t")),
            ("int32_t", Some("uint32_t")),
            ("disabled", Some("disable")),
            ("float", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, words), expected, "{word}");
        }
    }
}
