//! The step `language` of `cargo xtask check`: finds sentences that are hard to read, in comments,
//! documents and messages. A few findings are wrong, so there is a budget instead of a ban.

use std::path::Path;
use std::process::Command;

use crate::root;

/// The number of findings allowed per 1,000 lines of prose.
const BUDGET: usize = 20;

/// The maximum number of words in a sentence. Longer sentences are findings.
const MAX_WORDS: usize = 35;

/// The maximum number of findings to print if the budget is exceeded.
const MAX_PRINTED: usize = 200;

/// The result for the whole repository.
pub struct Report {
    /// The number of lines of prose.
    pub lines: usize,
    /// `FILE:LINE: REASON: SENTENCE`.
    pub findings: Vec<String>,
}

impl Report {
    /// Returns whether the number of findings is within the budget.
    pub fn is_within_budget(&self) -> bool {
        self.findings.len() * 1000 <= BUDGET * self.lines
    }

    /// Returns a summary and, if the budget is exceeded, the findings.
    pub fn text(&self) -> String {
        let (count, lines) = (self.findings.len(), self.lines);
        let rate = count as f64 * 1000.0 / lines.max(1) as f64;
        let summary = format!(
            "{count} findings in {lines} lines of prose: {rate:.1} per 1,000 lines (limit: {BUDGET})"
        );
        if self.is_within_budget() {
            return summary;
        }
        let mut text: String =
            self.findings.iter().take(MAX_PRINTED).map(|line| format!("{line}\n")).collect();
        if count > MAX_PRINTED {
            text += &format!("and {} more\n", count - MAX_PRINTED);
        }
        text + &summary
    }
}

/// Checks all files that git tracks, except those in `testdata`, which also contains the output of
/// other programs.
///
/// # Errors
/// Fails if git cannot list the files, or a file cannot be read.
pub fn check() -> Result<Report, String> {
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    let output = output.map_err(|error| format!("cannot run git: {error}"))?;
    if !output.status.success() {
        return Err(format!("git ls-files: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let mut report = Report { lines: 0, findings: Vec::new() };
    for name in String::from_utf8_lossy(&output.stdout).split('\0') {
        let extension = Path::new(name).extension().unwrap_or_default().to_str().unwrap_or_default();
        if name.starts_with("testdata/") || !["c", "h", "js", "md", "rs", "toml"].contains(&extension) {
            continue;
        }
        // A file may be deleted, but still tracked.
        let Ok(bytes) = std::fs::read(root().join(name)) else { continue };
        for Passage { line, lines, text } in passages(&String::from_utf8_lossy(&bytes), extension) {
            report.lines += lines;
            for (reason, sentence) in findings(&text) {
                let shown: String = sentence.chars().take(160).collect();
                report.findings.push(format!("{name}:{line}: {reason}: {shown}"));
            }
        }
    }
    Ok(report)
}

/// A paragraph, a list item, a comment or a string literal.
#[derive(Debug, PartialEq, Eq)]
struct Passage {
    /// The number of the passage's first line.
    line: usize,
    lines: usize,
    text: String,
}

/// Returns the prose in a file.
fn passages(text: &str, extension: &str) -> Vec<Passage> {
    let mut found: Vec<Passage> = Vec::new();
    let (mut is_code, mut is_open) = (false, false);
    for (line, number) in text.lines().zip(1..) {
        let prose = match extension {
            "md" => Some(line).filter(|line| !line.starts_with("    ")),
            "toml" => line.trim_start().strip_prefix('#'),
            _ => line.trim_start().strip_prefix("//").map(|rest| rest.trim_start_matches(['/', '!'])),
        };
        if extension == "rs" && prose.is_none() {
            let literals = literals(line).into_iter();
            found.extend(literals.map(|text| Passage { line: number, lines: 1, text }));
        }
        let prose = prose.unwrap_or_default().trim();
        let is_fence = prose.starts_with("```");
        is_code ^= is_fence;
        if is_code || is_fence || prose.is_empty() || prose.starts_with(['|', '#', '<']) {
            is_open = false;
            continue;
        }
        let item = ["* ", "- "].iter().find_map(|mark| prose.strip_prefix(mark));
        match found.last_mut().filter(|_| is_open && item.is_none()) {
            Some(passage) => {
                passage.lines += 1;
                passage.text += " ";
                passage.text += prose;
            }
            None => {
                let text = item.unwrap_or(prose).to_owned();
                found.push(Passage { line: number, lines: 1, text });
            }
        }
        is_open = true;
    }
    found
}

/// Returns the string literals in a line of Rust that have at least four words.
fn literals(line: &str) -> Vec<String> {
    let without_escapes = line.replace("\\\\", "").replace("\\\"", "'");
    let inside = without_escapes.split('"').skip(1).step_by(2);
    inside.filter(|text| text.split_whitespace().count() >= 4).map(str::to_owned).collect()
}

/// Returns the sentences that are hard to read, each with a reason.
fn findings(text: &str) -> Vec<(&'static str, String)> {
    let sentences = sentences(&without_code(text));
    sentences.into_iter().filter_map(|sentence| Some((finding(&sentence)?, sentence))).collect()
}

/// Replaces code spans and the targets of links.
fn without_code(text: &str) -> String {
    let mut plain: String =
        text.split('`').enumerate().map(|(index, part)| if index % 2 == 1 { "X" } else { part }).collect();
    while let Some(start) = plain.find("](") {
        let Some(length) = plain[start..].find(')') else { break };
        plain.replace_range(start..=start + length, "");
    }
    plain
}

/// Splits at `.`, `!` and `?` before a space and a capital letter.
fn sentences(text: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    let words: Vec<&str> = text.split_whitespace().collect();
    for (index, word) in words.iter().enumerate() {
        let sentence = sentences.last_mut().expect("one at least");
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        sentence.push_str(word);
        let is_capital = |next: &&str| next.starts_with(|c: char| c.is_uppercase() || "(\"'".contains(c));
        if word.ends_with(['.', '!', '?']) && words.get(index + 1).is_some_and(is_capital) {
            sentences.push(String::new());
        }
    }
    sentences
}

/// Returns the reason why a sentence is hard to read, or `None`.
fn finding(sentence: &str) -> Option<&'static str> {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let bare: Vec<&str> =
        words.iter().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    let is = |list: &[&str], word: Option<&&str>| word.is_some_and(|word| list.contains(word));
    let follows = |first: &[&str], second: &[&str]| {
        bare.windows(2).any(|pair| is(first, pair.first()) && is(second, pair.get(1)))
    };
    if !sentence.ends_with('?') && is(&["what", "that", "those", "whose", "who", "whoever"], bare.first()) {
        return Some("starts with what, that or who");
    }
    if bare.contains(&"whoever")
        || follows(&["for", "to", "by", "of", "and", "than", "from", "with"], &["who"])
    {
        return Some("who without a noun");
    }
    const PLACES: &[&str] = &[
        "alone", "at", "before", "behind", "beside", "in", "on", "once", "there", "together", "twice",
        "under", "where",
    ];
    if follows(&["stand", "stands", "stood", "standing"], PLACES) {
        return Some("something stands somewhere");
    }
    const BE: &[&str] = &["are", "be", "been", "being", "is", "was", "were"];
    if follows(BE, &["told", "said", "asked"])
        || follows(&["tell", "tells"], &["how", "of", "that", "what", "which", "who"])
        || follows(&["say", "says"], &["how", "of", "so", "what"])
    {
        return Some("a program tells, says or is asked");
    }
    (words.len() > MAX_WORDS).then_some("more than 35 words")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(text: &str) -> Vec<&'static str> {
        findings(text).into_iter().map(|(reason, _)| reason).collect()
    }

    #[test]
    fn plain_sentences_are_no_findings() {
        let plain = "The writer thread copies the record. It says hello to `who stands in code`. What is it? \
                     See [the page](what-stands-there.md).";
        assert_eq!(reasons(plain), [""; 0]);
    }

    #[test]
    fn stilted_sentences_are_findings() {
        let stilted = [
            ("What stands before a block.", "starts with what, that or who"),
            ("The size. Who got none tries again.", "starts with what, that or who"),
            ("It waits for who is late.", "who without a noun"),
            ("The length stands before it.", "something stands somewhere"),
            ("The caller is told that.", "a program tells, says or is asked"),
            ("The message says how.", "a program tells, says or is asked"),
        ];
        for (text, reason) in stilted {
            assert_eq!(reasons(text), [reason], "{text}");
        }
        assert_eq!(reasons(&"word ".repeat(MAX_WORDS)), [""; 0]);
        assert_eq!(reasons(&"word ".repeat(MAX_WORDS + 1)), ["more than 35 words"]);
    }

    #[test]
    fn prose_is_found_in_comments_literals_and_documents() {
        let passage = |line, lines, text: &str| Passage { line, lines, text: text.to_owned() };
        let rust = "/// One\n/// two.\n///\n/// ```\n/// code\n/// ```\nfn f() { g(\"a b c d\", \"e f\") } // no\n//! * item";
        let expected = [passage(1, 2, "One two."), passage(7, 1, "a b c d"), passage(8, 1, "item")];
        assert_eq!(passages(rust, "rs"), expected);
        let markdown = "# Heading\n\nOne\ntwo.\n* three\n  four\n* five\n\n| table |\n\n    code\n";
        let expected = [passage(3, 2, "One two."), passage(5, 2, "three four"), passage(7, 1, "five")];
        assert_eq!(passages(markdown, "md"), expected);
    }

    #[test]
    fn the_budget_is_for_a_thousand_lines() {
        let report =
            |lines, count| Report { lines, findings: vec!["a.rs:1: reason: text".to_owned(); count] };
        assert!(report(1000, BUDGET).is_within_budget());
        assert!(!report(1000, BUDGET + 1).is_within_budget());
        assert_eq!(
            report(500, 10).text(),
            "10 findings in 500 lines of prose: 20.0 per 1,000 lines (limit: 20)"
        );
        assert!(report(1, 1).text().starts_with("a.rs:1: reason: text\n1 findings"));
    }
}
