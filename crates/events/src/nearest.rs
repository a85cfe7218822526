//! Suggestions for misspelled words.

/// Returns the candidate closest to `word`, if it is close enough.
///
/// At most one character in three may be inserted, removed, replaced or swapped with its neighbour.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    // The running time is proportional to the product of the lengths, and no known word is this
    // long.
    if word.len() > 64 {
        return None;
    }
    let limit = (word.chars().count() / 3).max(1);
    let distances =
        candidates.into_iter().map(|candidate| (strsim::osa_distance(word, candidate), candidate));
    distances
        .filter(|&(distance, _)| (1..=limit).contains(&distance))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, c)| c)
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
