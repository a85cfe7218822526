//! The macros of `<inttypes.h>` that every backend and every reader knows.

use crate::nearest::nearest;

#[rustfmt::skip]
static PRI_MACROS: [&str; 36] = [
    "PRId8", "PRId16", "PRId32", "PRId64", "PRIdPTR", "PRIdMAX",
    "PRIi8", "PRIi16", "PRIi32", "PRIi64", "PRIiPTR", "PRIiMAX",
    "PRIu8", "PRIu16", "PRIu32", "PRIu64", "PRIuPTR", "PRIuMAX",
    "PRIx8", "PRIx16", "PRIx32", "PRIx64", "PRIxPTR", "PRIxMAX",
    "PRIX8", "PRIX16", "PRIX32", "PRIX64", "PRIXPTR", "PRIXMAX",
    "PRIo8", "PRIo16", "PRIo32", "PRIo64", "PRIoPTR", "PRIoMAX",
];

/// A description of the macros, for messages.
pub(crate) const EXPECTED: &str =
    "expected PRI, then one of d, i, u, x, X or o, then 8, 16, 32, 64, PTR or MAX";

pub(crate) fn is_pri_macro(word: &str) -> bool {
    PRI_MACROS.contains(&word)
}

/// Returns the macro at the start of `text`.
pub(crate) fn leading_macro(text: &str) -> Option<&'static str> {
    PRI_MACROS.into_iter().find(|name| text.starts_with(name))
}

/// Suggests macros instead of the unknown macro `word`.
pub(crate) fn suggestion(word: &str) -> Option<String> {
    let same_letter: Vec<&str> = match word.get(..4) {
        Some(start) => PRI_MACROS.into_iter().filter(|name| name.starts_with(start)).collect(),
        None => Vec::new(),
    };
    if let Some((last, others)) = same_letter.split_last() {
        return Some(format!("use {} or {last}", others.join(", ")));
    }
    nearest(word, PRI_MACROS).map(|name| format!("did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::{is_pri_macro, leading_macro, suggestion};

    #[test]
    fn similar_macros_are_suggested() {
        for (word, expected) in [
            ("PRIx128", Some("use PRIx8, PRIx16, PRIx32, PRIx64, PRIxPTR or PRIxMAX")),
            ("PRIu", Some("use PRIu8, PRIu16, PRIu32, PRIu64, PRIuPTR or PRIuMAX")),
            ("PRix64", Some("did you mean `PRIx64`?")),
            ("HWADDR_PRIx", None),
            ("é", None),
        ] {
            assert_eq!(suggestion(word).as_deref(), expected, "{word}");
            assert!(!is_pri_macro(word));
        }
        assert_eq!(leading_macro("PRIx64 y"), Some("PRIx64"));
        assert_eq!(leading_macro("PRIx128"), None);
    }
}
