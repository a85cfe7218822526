//! Canonical spacing of declarations.
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
use crate::parse::{BYTE_ORDER_MARK, is_enumeration};
use crate::syntax::{self, Token, TokenKind};

/// Returns `text` with canonical spacing:
///
/// * no leading or trailing blanks in lines, one between words,
/// * stars next to the argument's name,
/// * one blank around macros and before the format,
/// * at most one blank line in a row, and a newline at the end of the last line,
/// * no byte order mark.
///
/// The meaning of declarations does not change for any backend or reader, nor does the wording of
/// comments. Invalid lines are left unchanged, and so are lines whose spacing affects their
/// meaning.
pub fn normalise(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    for_each_edit(text, |edit| out.push_str(&edit.new));
    out
}

/// Returns the changes that [`normalise`] makes to `text`, as a unified diff without context, or an
/// empty string if there are none. `name` is the name of the file.
pub fn difference(name: &str, text: &str) -> String {
    let mut out = String::new();
    let mut hunk = Hunk::default();
    for_each_edit(text, |edit| {
        if edit.old == edit.new {
            hunk.finish(name, &mut out);
        } else {
            hunk.take(&edit);
        }
        hunk.old_number += 1;
        hunk.new_number += usize::from(!edit.new.is_empty());
    });
    hunk.finish(name, &mut out);
    out
}

/// Adjacent changed lines.
#[derive(Default)]
struct Hunk {
    /// Number of lines seen so far, before and after the change.
    old_number: usize,
    new_number: usize,
    removed: String,
    removed_count: usize,
    added: String,
    added_count: usize,
}

impl Hunk {
    fn take(&mut self, edit: &Edit<'_>) {
        self.removed.push('-');
        self.removed.push_str(edit.old);
        self.removed_count += 1;
        if !edit.old.ends_with(['\n', '\r']) {
            self.removed.push_str("\n\\ No newline at end of file\n");
        } else if edit.old.ends_with('\r') {
            // A line that ends in a lone `\r` needs a newline, or the next line would be appended
            // to it.
            self.removed.push('\n');
        }
        if !edit.new.is_empty() {
            self.added.push('+');
            self.added.push_str(&edit.new);
            self.added_count += 1;
        }
    }

    /// Writes the hunk and starts a new one.
    fn finish(&mut self, name: &str, out: &mut String) {
        if self.removed_count == 0 {
            return;
        }
        if out.is_empty() {
            *out = format!("--- {name}\n+++ {name}\n");
        }
        let old = range(self.old_number, self.removed_count);
        let new = range(self.new_number, self.added_count);
        out.push_str(&format!("@@ -{old} +{new} @@\n{}{}", self.removed, self.added));
        *self = Hunk { old_number: self.old_number, new_number: self.new_number, ..Hunk::default() };
    }
}

/// Returns the range of the last `count` of `seen` lines, in unified diff notation.
fn range(seen: usize, count: usize) -> String {
    match count {
        0 => format!("{seen},0"),
        1 => seen.to_string(),
        _ => format!("{},{count}", seen + 1 - count),
    }
}

/// A line before and after normalisation, with its line ending. `new` is empty if the line is
/// removed.
struct Edit<'a> {
    old: &'a str,
    new: Cow<'a, str>,
}

/// Visits every line of `text` with its replacement, in order.
fn for_each_edit<'a>(text: &'a str, mut visit: impl FnMut(Edit<'a>)) {
    // Between other lines, the first of several blank lines is preserved; at the start and the end,
    // none is. `blank_from` is the start of the current run of blank lines.
    let mut blank_from = None;
    let mut begun = false;
    for line in syntax::lines(text) {
        let end = line.start + line.text.len() + line.end_bytes;
        let marks: &[char] = if line.start == 0 { &[BYTE_ORDER_MARK] } else { &[] };
        let content = line.text.trim_start_matches(marks);
        if content.trim_matches(syntax::is_blank).is_empty() {
            blank_from.get_or_insert(line.start);
            continue;
        }
        if let Some(from) = blank_from.take() {
            // Keep a blank line before a byte order mark. At the start of the file, the mark would
            // no longer be part of the text.
            let keep_one = begun || content.starts_with(BYTE_ORDER_MARK);
            blank_lines(&text[from..line.start], keep_one, &mut visit);
        }
        begun = true;
        let old = &text[line.start..end];
        let new = normalised_line(content);
        let unchanged = old.strip_suffix('\n') == Some(&*new);
        visit(Edit { old, new: if unchanged { Cow::Borrowed(old) } else { Cow::Owned(new + "\n") } });
    }
    if let Some(from) = blank_from {
        blank_lines(&text[from..], false, &mut visit);
    }
}

/// Removes the blank lines `text`, except for the first one if `keep_one`.
fn blank_lines<'a>(text: &'a str, keep_one: bool, visit: &mut impl FnMut(Edit<'a>)) {
    for (index, line) in syntax::lines(text).enumerate() {
        let old = &text[line.start..line.start + line.text.len() + line.end_bytes];
        visit(Edit { old, new: Cow::Borrowed(if keep_one && index == 0 { "\n" } else { "" }) });
    }
}

/// Normalises a line that is not blank and has no line ending.
fn normalised_line(line: &str) -> String {
    let whole = line.trim_matches(syntax::is_blank);
    if whole.starts_with('#') {
        return whole.to_owned();
    }
    let mut out = String::with_capacity(whole.len() + 8);
    let changed = match is_enumeration(whole) {
        true => enumeration(whole, &mut out),
        false => declaration(whole, &mut out),
    };
    match changed {
        Some(()) => out,
        None => line.trim_end_matches(syntax::is_blank).to_owned(),
    }
}

/// Appends the normalised enumeration `line`. Returns `None` if it is invalid; `out` may then contain
/// part of it.
fn enumeration(line: &str, out: &mut String) -> Option<()> {
    let is_word = |text: &str| !text.is_empty() && text.bytes().all(syntax::is_word_byte);
    let (head, constants) = line.strip_suffix('}')?.split_once('{')?;
    let name = head.strip_prefix("enum")?.trim_matches(syntax::is_blank);
    is_word(name).then_some(())?;
    out.push_str("enum ");
    out.push_str(name);
    out.push_str(" {");
    let constants = constants.trim_matches(syntax::is_blank);
    for (index, constant) in constants.strip_suffix(',').unwrap_or(constants).split(',').enumerate() {
        let (name, value) = match constant.split_once('=') {
            Some((name, value)) => (name, Some(value.trim_matches(syntax::is_blank))),
            None => (constant, None),
        };
        let name = name.trim_matches(syntax::is_blank);
        is_word(name).then_some(())?;
        out.push_str(if index == 0 { " " } else { ", " });
        out.push_str(name);
        if let Some(value) = value {
            is_word(value.strip_prefix('-').unwrap_or(value)).then_some(())?;
            out.push_str(" = ");
            out.push_str(value);
        }
    }
    out.push_str(" }");
    Some(())
}

/// Appends the normalised declaration `line`. Returns `None` if it is invalid; `out` may then
/// contain part of it.
fn declaration(line: &str, out: &mut String) -> Option<()> {
    let parts = syntax::split_declaration(line).ok()?;
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
    // If the star must stay with its type, a blank follows it.
    out.push_str(if ctype.ends_with(" *") || ctype.ends_with("**") { "" } else { " " });
    out.push_str(name);
    Some(())
}

/// Returns `text` with one blank between words and before stars, and none between stars.
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

/// Whether a change of spacing keeps the meaning of a type. `const  char *` with two blanks is not
/// a string, generated Rust distinguishes `const char *` and `const char*`, and a tab may occur
/// only between type and name.
fn is_same_type(old: &str, new: &str) -> bool {
    let is_c_str = |text: &str| text == "const char *";
    CType::parse(old) == CType::parse(new)
        && is_c_str(old) == is_c_str(new)
        && ctype::unknown_word(old).is_some() == ctype::unknown_word(new).is_some()
}

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
