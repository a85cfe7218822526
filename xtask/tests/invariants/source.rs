//! Rust sources, as far as a test must understand them: code without comments, strings and tests.

use std::path::Path;

use super::root;

/// One file of a crate's `src`.
pub struct Source {
    /// From the workspace's root.
    pub path: String,
    /// All lines, tests included.
    pub lines: usize,
    /// Each line's code, and what its `use` declarations make of names: `io::Write` of `use std::io` is
    /// `std::io::Write`.
    code: Vec<String>,
}

/// The sources of the crate in `crates/NAME`, without those that are tests only.
pub fn sources(name: &str) -> Vec<Source> {
    let folder = root().join("crates").join(name).join("src");
    let mut found = Vec::new();
    collect(&folder, &mut found);
    assert!(!found.is_empty(), "{}", folder.display());
    found
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test(&path) {
            let text = std::fs::read_to_string(&path).unwrap();
            let path = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
            found.push(Source { path, lines: text.lines().count(), code: code(&text) });
        }
    }
}

/// Whether the module of this file, or one that it is in, stands under `#[cfg(test)]` in its parent.
fn is_test(path: &Path) -> bool {
    let stem = path.file_stem().unwrap().to_str().unwrap();
    let folder = path.parent().unwrap();
    let of_folder = !folder.ends_with("src") && is_test(folder);
    of_folder || stem != "mod" && is_declared_a_test(stem, folder)
}

/// Whether the files that can have modules in `folder` declare this one under `#[cfg(test)]`.
fn is_declared_a_test(stem: &str, folder: &Path) -> bool {
    let beside = folder.with_extension("rs");
    let parents = [folder.join("mod.rs"), folder.join("lib.rs"), folder.join("main.rs"), beside];
    let declared = format!("mod {stem};");
    parents.iter().filter_map(|parent| std::fs::read_to_string(parent).ok()).any(|parent| {
        parent.find(&declared).is_some_and(|at| parent[..at].trim_end().ends_with("#[cfg(test)]"))
    })
}

impl Source {
    /// The places, `FILE:LINE: WORD`, where code has one of `words` as a path or a word of its own.
    pub fn places(&self, words: &[&str]) -> Vec<String> {
        let lines = self.code.iter().zip(1..);
        let found = lines.flat_map(|(line, number)| {
            let here = words.iter().filter(move |word| has_word(line, word));
            here.map(move |word| format!("{}:{number}: {word}", self.path))
        });
        found.collect()
    }
}

/// Whether `line` has `word`, not as a part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back().is_none_or(|c| !part_of_word(c));
        let after = line[at + word.len()..].chars().next().is_none_or(|c| !part_of_word(c));
        before && after
    })
}

/// The code of each line, with names in full where the file's `use` declarations tell them.
fn code(text: &str) -> Vec<String> {
    let bare = without_tests(&without_comments_and_strings(text));
    let names = imported(&bare);
    bare.lines().map(|line| in_full(line, &names)).collect()
}

/// `text` with comments and the contents of literals as blanks; lines stay where they are.
fn without_comments_and_strings(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(raw) = raw_string(rest) {
            raw
        } else if next == '"' {
            literal_end(rest, '"')
        } else if next == '\'' && is_character(rest) {
            literal_end(rest, '\'')
        } else {
            0
        };
        if skipped == 0 {
            out.push(next);
            rest = &rest[next.len_utf8()..];
        } else {
            out.extend(rest[..skipped].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = &rest[skipped..];
        }
    }
    out
}

/// Length of the raw string that `text` begins with.
fn raw_string(text: &str) -> Option<usize> {
    let hashes = text.strip_prefix('r').or_else(|| text.strip_prefix("br"))?;
    let count = hashes.chars().take_while(|c| *c == '#').count();
    let body = hashes[count..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(count));
    let start = text.len() - body.len();
    Some(start + body.find(&end).unwrap_or(body.len() - end.len()) + end.len())
}

/// Length of the literal that `text` begins with.
fn literal_end(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Whether the `'` that `text` begins with is a character's, not a lifetime's.
fn is_character(text: &str) -> bool {
    let mut following = text.chars().skip(1);
    match following.next() {
        Some('\\') => true,
        Some(_) => following.next() == Some('\''),
        None => false,
    }
}

/// `code` without items under `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find("#[cfg(test)]") {
        out.push_str(&rest[..at]);
        let item = &rest[at..];
        let end = item_end(item);
        out.extend(item[..end].chars().filter(|c| *c == '\n'));
        rest = &item[end..];
    }
    out + rest
}

/// Length of the item that `code` begins with: to its `;`, or to the `}` of its first `{`.
fn item_end(code: &str) -> usize {
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        match c {
            ';' if depth == 0 => return at + 1,
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}

/// Short names and what they stand for, of all `use std::..;` in `code`.
fn imported(code: &str) -> Vec<(String, String)> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices("use std::") {
        let tree: String = code[at + 4..].split(';').next().unwrap_or_default().split_whitespace().collect();
        expand("", &tree, &mut names);
    }
    names
}

fn expand(prefix: &str, tree: &str, names: &mut Vec<(String, String)>) {
    if let Some((path, group)) = tree.split_once('{') {
        let group = group.strip_suffix('}').unwrap_or(group);
        let mut depth = 0;
        let parts = group.split(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == ',' && depth == 0
        });
        for part in parts.filter(|part| !part.is_empty()) {
            expand(&format!("{prefix}{path}"), part, names);
        }
        return;
    }
    let full = format!("{prefix}{tree}");
    let full = full.strip_suffix("::self").unwrap_or(&full);
    let short = full.rsplit("::").next().unwrap_or(full);
    names.push((short.to_owned(), full.to_owned()));
}

/// `line` with each imported name in full.
fn in_full(line: &str, names: &[(String, String)]) -> String {
    let mut line = line.to_owned();
    for (short, full) in names {
        let path = format!("{short}::");
        let called = line.match_indices(&path).any(|(at, _)| {
            line[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':')
        });
        if called {
            line.push_str(&format!(" {full}::{}", line.split(&path).nth(1).unwrap_or_default()));
        }
    }
    line
}

#[test]
fn code_is_what_is_left_without_comments_strings_and_tests() {
    let text = "\
use std::io::{self, Read};
// unsafe in a comment
/* unsafe */ let a = \"unsafe \\\" unsafe\"; let b = '\"'; let c: &'static str = r#\"unsafe\"#;
io::stdout().lock();
not_unsafe();
#[cfg(test)]
mod tests {
    fn f() { unsafe {} }
}
fn last() { unsafe {} }
";
    let source = Source { path: "a.rs".to_owned(), lines: 10, code: code(text) };
    assert_eq!(source.places(&["unsafe"]), ["a.rs:10: unsafe"]);
    assert_eq!(source.places(&["std::io::stdout"]), ["a.rs:4: std::io::stdout"]);
    assert_eq!(source.places(&["std::env"]), [""; 0]);
}
