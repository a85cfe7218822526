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
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut out = String::with_capacity(text.len() + 1);
    let mut blank_line = false;
    for line in syntax::lines(text) {
        let whole = line.text.trim_matches(syntax::is_blank);
        if whole.is_empty() {
            blank_line = true;
            continue;
        }
        if blank_line && !out.is_empty() {
            out.push('\n');
        }
        blank_line = false;
        let start = out.len();
        if whole.starts_with('#') {
            out.push_str(whole);
        } else if declaration(whole, &mut out).is_none() {
            out.truncate(start);
            out.push_str(line.text.trim_end_matches(syntax::is_blank));
        }
        out.push('\n');
    }
    out
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
    out.push_str(if ctype.ends_with('*') { "" } else { " " });
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
