//! Patterns for names: `*` matches any characters, `?` any one character. Nothing else is special.

/// Whether `name` matches `pattern`. In the worst case the running time is proportional to the
/// product of the lengths.
pub fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    // Where to continue if the match fails: the pattern after the last `*`, and the next start in
    // the name.
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                p += 1;
                retry = Some((p, n));
            }
            Some(&c) if c == b'?' || c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match retry {
                Some((after_star, from)) => {
                    p = after_star;
                    n = from + 1;
                    retry = Some((after_star, n));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == b'*')
}

/// Whether an event's name matches `pattern`. `::` in the pattern means `__`, which separates
/// modules in the names of `tracing` events.
pub fn matches_event(pattern: &str, name: &str) -> bool {
    if pattern.contains("::") {
        return matches(event_pattern(pattern).as_bytes(), name.as_bytes());
    }
    matches(pattern.as_bytes(), name.as_bytes())
}

/// Returns `pattern` with each `::` replaced by `__`.
pub fn event_pattern(pattern: &str) -> String {
    pattern.replace("::", "__")
}

/// Whether a word is a pattern and not a plain name. By QEMU's rule, it contains a `*`.
pub fn is_pattern(word: &str) -> bool {
    word.contains('*')
}

#[cfg(test)]
mod tests {
    use super::{matches, matches_event};

    #[test]
    fn modules_in_patterns_of_events() {
        for (pattern, name, expected) in [
            ("app::db::*", "app__db__query__begin", true),
            ("app::db::query__*", "app__db__query__begin", true),
            ("app__db*", "app__db__query__begin", true),
            ("app:db*", "app__db", false),
        ] {
            assert_eq!(matches_event(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn stars_and_question_marks() {
        for (pattern, name, expected) in [
            ("", "", true),
            ("*", "", true),
            ("*", "abc", true),
            ("a*c", "abbc", true),
            ("a*c", "abcb", false),
            ("?", "", false),
            ("a?c", "abc", true),
            ("*_write_*", "blk_write_done", true),
            ("[ab]", "a", false),
            ("[ab]", "[ab]", true),
            ("**a**", "xax", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
    }
}
