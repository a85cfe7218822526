//! `docs/allowed-skips.md`: the skips that do not fail a run with `CI=true`.

use std::path::Path;

use crate::libtest::Skip;

/// The list, relative to the workspace's root.
pub const ALLOWED: &str = "docs/allowed-skips.md";

/// A row of the list: a skip, and why it is allowed.
#[derive(Debug, PartialEq, Eq)]
pub struct Allowed {
    /// The reason that the test prints after `SKIPPED:`.
    skip: String,
    why: String,
}

/// Reads the list, which is a Markdown table. The first column contains the reason that the test
/// prints, in backticks; the second column explains why the skip is acceptable.
///
/// # Errors
/// Fails if the file cannot be read, or a row has no explanation.
pub fn allowed(root: &Path) -> Result<Vec<Allowed>, String> {
    let text = std::fs::read_to_string(root.join(ALLOWED)).map_err(|error| format!("{ALLOWED}: {error}"))?;
    parse(&text)
}

fn parse(text: &str) -> Result<Vec<Allowed>, String> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| {
        let (skip, rest) =
            row.split_once("` |").ok_or_else(|| format!("{ALLOWED}: cannot parse the row: {row}"))?;
        let why = rest.trim().trim_end_matches('|').trim();
        if why.is_empty() {
            return Err(format!("{ALLOWED}: the row for `{skip}` has no explanation"));
        }
        Ok(Allowed { skip: skip.to_owned(), why: why.to_owned() })
    })
    .collect()
}

/// Returns why `skip` is allowed, or `None` if it is not.
pub fn explanation<'a>(allowed: &'a [Allowed], skip: &Skip) -> Option<&'a str> {
    allowed.iter().find(|row| row.skip == skip.reason).map(|row| row.why.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_allows_one_reason_and_must_explain_it() {
        let allowed =
            parse("# Title\n\n| skip | reason |\n| --- | --- |\n| `no corpus` | it is not ours |\n").unwrap();
        let skip = |reason: &str| Skip { test: "tests/a.rs: b".into(), reason: reason.into() };
        assert_eq!(explanation(&allowed, &skip("no corpus")), Some("it is not ours"));
        assert_eq!(explanation(&allowed, &skip("no corpus here")), None);
        assert!(parse("| `no corpus` | |").is_err());
    }

    #[test]
    fn the_list_is_valid() {
        allowed(&crate::root()).unwrap();
    }
}
