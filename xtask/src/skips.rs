//! Which skips are no failure where everything should be there: `docs/allowed-skips.md`.

use std::path::Path;

use crate::libtest::Skip;

/// The list, relative to the workspace's root.
pub const ALLOWED: &str = "docs/allowed-skips.md";

/// A row of the list.
#[derive(Debug, PartialEq, Eq)]
pub struct Allowed {
    /// What a skip gives as its reason.
    why: String,
    /// Why that is no failure.
    reason: String,
}

/// The rows of the list: a Markdown table whose first column, in backticks, is what the test says after `SKIPPED:`,
/// and whose second is the reason.
///
/// # Errors
/// When the file cannot be read, or a row has no reason.
pub fn allowed(root: &Path) -> Result<Vec<Allowed>, String> {
    let text = std::fs::read_to_string(root.join(ALLOWED)).map_err(|error| format!("{ALLOWED}: {error}"))?;
    parse(&text)
}

fn parse(text: &str) -> Result<Vec<Allowed>, String> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| {
        let (why, rest) = row.split_once("` |").ok_or_else(|| format!("{ALLOWED}: not a row: {row}"))?;
        let reason = rest.trim().trim_end_matches('|').trim();
        if reason.is_empty() {
            return Err(format!("{ALLOWED}: no reason is given for `{why}`"));
        }
        Ok(Allowed { why: why.to_owned(), reason: reason.to_owned() })
    })
    .collect()
}

/// Why `skip` is no failure; `None` when it is one.
pub fn reason<'a>(allowed: &'a [Allowed], skip: &Skip) -> Option<&'a str> {
    allowed.iter().find(|row| row.why == skip.why).map(|row| row.reason.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_allows_what_it_names_and_must_say_why() {
        let allowed =
            parse("# Title\n\n| skip | reason |\n| --- | --- |\n| `no corpus` | it is not ours |\n").unwrap();
        let skip = |why: &str| Skip { what: "tests/a.rs: b".into(), why: why.into() };
        assert_eq!(reason(&allowed, &skip("no corpus")), Some("it is not ours"));
        assert_eq!(reason(&allowed, &skip("no corpus here")), None);
        assert!(parse("| `no corpus` | |").is_err());
    }

    #[test]
    fn the_list_can_be_read() {
        allowed(&crate::root()).unwrap();
    }
}
