//! Declarations with canonical spacing.
//!
//! ```
//! use ringtrace_events::spacing::normalise;
//!
//! assert_eq!(
//!     normalise("disable  my_event( int x,void* p )\"x=%d p=\"  \"%p\""),
//!     "disable my_event(int x, void *p) \"x=%d p=\" \"%p\"\n"
//! );
//! ```

use std::borrow::Cow;

use crate::CType;
use crate::ctype;
use crate::syntax::{self, Token, TokenKind};

/// `text` with canonical spacing: no blanks at the ends of lines, one between words, a star at its argument's name, one
/// blank around macros and before the format, at most one blank line in a row, a newline at the end of the last line,
/// and no byte order mark.
///
/// The declarations in it mean the same as before to every backend and reader, and comments keep their text. Lines that
/// are no declarations, or in which the place of a blank makes a difference, stay as they are.
pub fn normalise(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    for edit in edits(text) {
        out.push_str(&edit.new);
    }
    out
}

/// What [`normalise`] does to `text`, as a unified diff without context; empty when that is nothing. `name` is what the
/// file is called.
pub fn difference(name: &str, text: &str) -> String {
    let mut out = String::new();
    let mut new_number = 0;
    for (index, edit) in edits(text).iter().enumerate() {
        new_number += usize::from(!edit.new.is_empty());
        if edit.old == edit.new {
            continue;
        }
        if out.is_empty() {
            out = format!("--- {name}\n+++ {name}\n");
        }
        let removed = if edit.new.is_empty() { ",0" } else { "" };
        out.push_str(&format!("@@ -{} +{new_number}{removed} @@\n-{}", index + 1, edit.old));
        if !edit.old.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
        if !edit.new.is_empty() {
            out.push_str(&format!("+{}", edit.new));
        }
    }
    out
}

/// A line before and after, with its end. Nothing after: it is removed.
struct Edit<'a> {
    old: &'a str,
    new: Cow<'a, str>,
}

/// What becomes of every line of `text`.
fn edits(text: &str) -> Vec<Edit<'_>> {
    let mut edits = Vec::new();
    // Blank lines since the last other one. Of those between others one is kept, of those at the ends none.
    let mut blank_from = None;
    for line in syntax::lines(text) {
        let old = &text[line.start..line.start + line.text.len() + line.end_bytes];
        let mark = line.text.strip_prefix('\u{feff}').filter(|_| line.start == 0);
        let content = mark.unwrap_or(line.text);
        if content.trim_matches(syntax::is_blank).is_empty() {
            blank_from.get_or_insert(edits.len());
            edits.push(Edit { old, new: Cow::Borrowed("") });
            continue;
        }
        if let Some(first) = blank_from.take().filter(|first| *first > 0) {
            edits[first].new = Cow::Borrowed("\n");
        }
        let new = normalised_line(content);
        let unchanged = old.strip_suffix('\n') == Some(&*new);
        edits.push(Edit { old, new: if unchanged { Cow::Borrowed(old) } else { Cow::Owned(new + "\n") } });
    }
    edits
}

/// A line that is not blank, without a line end.
fn normalised_line(line: &str) -> String {
    let whole = line.trim_matches(syntax::is_blank);
    if whole.starts_with('#') {
        return whole.to_owned();
    }
    let mut out = String::with_capacity(whole.len() + 8);
    match declaration(whole, &mut out) {
        Some(()) => out,
        None => line.trim_end_matches(syntax::is_blank).to_owned(),
    }
}

/// Appends the declaration `line`. `None` when it is none; something may have been appended then.
fn declaration(line: &str, out: &mut String) -> Option<()> {
    let parts = syntax::cut(line).ok()?;
    if line[parts.arguments.clone()].contains('"') || parts.head.end + 1 != parts.arguments.start {
        return None;
    }
    for (index, word) in syntax::words(line, parts.head).enumerate() {
        out.push_str(if index == 0 { "" } else { " " });
        out.push_str(&line[word]);
    }
    out.push('(');
    for (index, piece) in syntax::pieces(line, parts.arguments).enumerate() {
        out.push_str(if index == 0 { "" } else { ", " });
        argument(line[piece].trim_matches(syntax::is_blank), out)?;
    }
    out.push(')');
    let rest = &line[parts.rest];
    if rest.starts_with('"') {
        formats(rest, out)
    } else {
        out.push_str(if rest.is_empty() { "" } else { " " });
        out.push_str(rest);
        Some(())
    }
}

/// Appends the argument `text`.
fn argument(text: &str, out: &mut String) -> Option<()> {
    if text == "void" {
        out.push_str(text);
        return Some(());
    }
    let (old_type, name) = match text.rfind('*') {
        Some(star) => text.split_at(star + 1),
        None => text.rsplit_once(syntax::is_blank)?,
    };
    let (old_type, name) = (old_type.trim_matches(syntax::is_blank), name.trim_matches(syntax::is_blank));
    let new_type = ctype_spacing(old_type);
    let ctype = if is_same_type(old_type, &new_type) { &new_type } else { old_type };
    out.push_str(ctype);
    // Where the star must stay at its type, the blank goes behind it.
    out.push_str(if ctype.ends_with(" *") || ctype.ends_with("**") { "" } else { " " });
    out.push_str(name);
    Some(())
}

/// `text` with one blank between words and before stars, none between stars.
fn ctype_spacing(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    for word in text.split_inclusive('*').flat_map(|piece| piece.split(' ')).filter(|word| !word.is_empty()) {
        let (word, star) = word.strip_suffix('*').map_or((word, false), |word| (word, true));
        if !word.is_empty() {
            out.push_str(if out.is_empty() { "" } else { " " });
            out.push_str(word);
        }
        if star {
            out.push_str(if out.is_empty() || out.ends_with('*') { "*" } else { " *" });
        }
    }
    out
}

/// Whether a change of spacing changes nothing else. `const  char *` with two blanks is no string, generated Rust knows
/// `const char *` and `const char*` as different types, and a tab may stand between type and name only.
fn is_same_type(old: &str, new: &str) -> bool {
    let is_c_str = |text: &str| text == "const char *";
    CType::parse(old) == CType::parse(new)
        && is_c_str(old) == is_c_str(new)
        && ctype::unknown_word(old).is_some() == ctype::unknown_word(new).is_some()
}

/// Appends the formats in `rest`.
fn formats(rest: &str, out: &mut String) -> Option<()> {
    for Token { kind, range } in syntax::tokens(rest, 0..rest.len()) {
        match kind {
            TokenKind::Literal | TokenKind::Word | TokenKind::Comment => out.push(' '),
            TokenKind::Comma => {}
            TokenKind::Unterminated | TokenKind::Other => return None,
        }
        out.push_str(&rest[range]);
    }
    Some(())
}
