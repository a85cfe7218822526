//! Parses the arguments between the parentheses.

use std::ops::Range;

use super::{LineParser, is_identifier, near};
use crate::codes;
use crate::ctype::{self, ALLOWED_WORDS, EXTENDED_WORDS};
use crate::diagnostic::Finding;
use crate::syntax::{self, is_blank};
use crate::{Argument, CType, Text};

/// The maximum number of arguments that every backend can record.
const MAX_ARGUMENTS: usize = 10;

/// The maximum number of arguments in declarations that are used only to read traces. Every C
/// compiler accepts functions with at least this many.
pub(super) const MAX_ARGUMENTS_READ: usize = 127;

/// Types that are not allowed, and the allowed type to use instead.
#[rustfmt::skip]
const INSTEAD: [(&str, &str); 24] = [
    ("_Bool", "bool"), ("dma_addr_t", "uint64_t"), ("gboolean", "bool"),
    ("guint", "unsigned int"), ("hwaddr", "uint64_t"), ("i32", "int32_t"), ("i64", "int64_t"),
    ("intptr_t", "ptrdiff_t"), ("off_t", "int64_t"), ("pid_t", "int"),
    ("ram_addr_t", "uint64_t"), ("target_long", "int64_t"), ("target_phys_addr_t", "uint64_t"),
    ("target_ulong", "uint64_t"), ("time_t", "int64_t"), ("u16", "uint16_t"),
    ("u32", "uint32_t"), ("u64", "uint64_t"), ("u8", "uint8_t"), ("uchar", "unsigned char"),
    ("uint", "unsigned int"), ("ulong", "unsigned long"), ("usize", "size_t"),
    ("vaddr", "uint64_t"),
];

impl LineParser<'_, '_> {
    /// Parses the arguments at `range`. `(void)` has none.
    pub(super) fn arguments(&mut self, range: Range<usize>) -> Vec<Argument> {
        let line = self.line.text;
        if line[range.clone()] == *"void" {
            return Vec::new();
        }
        let commas = line[range.clone()].bytes().filter(|b| *b == b',').count();
        let mut arguments = Vec::with_capacity((commas + 1).min(MAX_ARGUMENTS));
        let limit = if self.parser.rules.forgiving { MAX_ARGUMENTS_READ } else { MAX_ARGUMENTS };
        for piece in syntax::pieces(line, range.clone()) {
            let whole = syntax::trim(line, piece.clone());
            if whole.is_empty() {
                self.empty_argument(piece, &range);
                continue;
            }
            if &line[whole.clone()] == "void" {
                continue;
            }
            if arguments.len() == limit {
                self.too_many_arguments(whole.start..syntax::trim(line, range).end, limit);
                break;
            }
            let (ctype, name) = self.split(whole);
            if let Some(enumeration) = self.parser.enumeration_named(&line[ctype.clone()]) {
                arguments.push(Argument {
                    ctype_text: Text::from("int"),
                    ctype: CType::Integer { bytes: 4, signed: true },
                    name: self.text(name),
                    tcg_type: None,
                    enumeration: Some(enumeration),
                });
                continue;
            }
            if !name.is_empty() {
                self.check_type(ctype.clone());
            }
            let ctype_text = self.text(ctype);
            let ctype = CType::parse(&ctype_text);
            arguments.push(Argument {
                ctype: if self.parser.rules.extended { ctype } else { ctype.without_doubles() },
                ctype_text,
                name: self.text(name),
                tcg_type: None,
                enumeration: None,
            });
        }
        arguments
    }

    /// Splits the argument at `whole` into type and name, after the last `*` or else at the last
    /// blank.
    fn split(&mut self, whole: Range<usize>) -> (Range<usize>, Range<usize>) {
        let text = &self.line.text[whole.clone()];
        if let Some(star) = memchr::memrchr(b'*', text.as_bytes()) {
            let end = whole.start + star + 1;
            let name = syntax::trim(self.line.text, end..whole.end);
            if name.is_empty() {
                self.missing_name(whole.clone());
            } else {
                self.check_name(whole.start..end, name.clone());
            }
            return (whole.start..end, name);
        }
        let (ctype, name) = syntax::split_last_word(self.line.text, whole.clone());
        if ctype.is_empty() {
            self.missing_name(whole.clone());
            return (whole.clone(), whole.end..whole.end);
        }
        let ctype = syntax::trim(self.line.text, ctype);
        self.check_name(ctype.clone(), name.clone());
        (ctype, name)
    }

    fn empty_argument(&mut self, piece: Range<usize>, all: &Range<usize>) {
        let help = if piece == *all {
            "an event without arguments is declared as `name(void)`"
        } else {
            "add a type and a name, or remove the `,`"
        };
        // Carets need a non-empty span, so use the blanks, or the comma or parenthesis that
        // follows.
        let span = if piece.is_empty() { piece.start..piece.start + 1 } else { piece };
        self.forgivable(
            Finding::new(&codes::EMPTY_ARGUMENT, span, "an argument is empty")
                .label("expected `type name` before this character")
                .help(help),
        );
    }

    fn too_many_arguments(&mut self, span: Range<usize>, limit: usize) {
        self.error(
            Finding::new(
                &codes::TOO_MANY_ARGUMENTS,
                span,
                format!("the event has more than {limit} arguments"),
            )
            .label(format!("this is beyond the limit of {limit} arguments"))
            .help("split it into two events"),
        );
    }

    fn missing_name(&mut self, whole: Range<usize>) {
        let text = &self.line.text[whole.clone()];
        let (label, help) = if text.contains('*') || ALLOWED_WORDS.contains(&text) {
            ("this is a type without a name", format!("give it a name: `{}`", join(text, "value")))
        } else if text == "..." {
            (
                "an event has a fixed number of arguments",
                "format the text first, and pass it as a string".to_owned(),
            )
        } else {
            (
                "expected a type and a name, found one word",
                format!("if it is the name, put its type before it: `int {text}`"),
            )
        };
        self.forgivable(
            Finding::new(&codes::MISSING_ARGUMENT_NAME, whole, format!("argument `{text}` has no name"))
                .label(label)
                .help(help),
        );
    }

    fn check_name(&mut self, ctype: Range<usize>, name: Range<usize>) {
        let text = &self.line.text[name.clone()];
        if is_identifier(text) {
            return;
        }
        let ctype = &self.line.text[ctype];
        let diagnostic =
            Finding::new(&codes::BAD_ARGUMENT_NAME, name, format!("`{text}` is not a valid argument name"));
        let diagnostic = if let Some(("const", name)) = text.split_once(is_blank) {
            diagnostic.label("everything after the last `*` is the name").help(format!(
                "write `{}`; a const pointer would make no difference",
                join(ctype, name.trim())
            ))
        } else if let Some((name, _)) = text.split_once('[') {
            diagnostic.label("an event cannot record an array").help(format!(
                "declare it as a pointer: `{}`",
                join(&format!("{ctype} *"), name).replace("* *", "**")
            ))
        } else {
            diagnostic
                .label("expected a C identifier: ASCII letters, digits and `_`, not starting with a digit")
        };
        self.forgivable(diagnostic);
    }

    fn check_type(&mut self, ctype: Range<usize>) {
        if self.parser.rules.forgiving {
            return;
        }
        let text = &self.line.text[ctype.clone()];
        // Old files may use any type name, but it must be a word.
        let bad_word = if self.parser.rules.any_type {
            text.split([' ', '*']).find(|word| !word.is_empty() && !is_identifier(word)).map(Into::into)
        } else if self.parser.rules.extended {
            let is_long_double = CType::parse(text) == CType::Float;
            if is_long_double { Some("long double".into()) } else { ctype::unknown_extended_word(text) }
        } else {
            ctype::unknown_word(text)
        };
        if let Some(word) = bad_word {
            self.type_not_allowed(ctype, &word);
        }
    }

    fn type_not_allowed(&mut self, ctype: Range<usize>, word: &str) {
        let line = self.line.text;
        let text = &line[ctype.clone()];
        let rest = &line[ctype.end..];
        let name = rest.split([',', ')']).next().unwrap_or_default().trim_matches(is_blank);
        let help = if text.contains('(') {
            format!("declare a pointer to a function as `void *{name}`")
        } else if text.contains('*') {
            format!("declare it as `void *{name}`")
        } else if text.contains(|c| is_blank(c) && c != ' ') {
            "separate the words of a type with spaces, not tabs".to_owned()
        } else if let Some(before) = missing_comma(text) {
            format!("is a `,` missing after `{before}`?")
        } else if let Some((_, instead)) = INSTEAD.iter().find(|(unknown, _)| *unknown == text) {
            format!("declare it as `{instead} {name}`")
        } else if word == "long double" {
            format!("declare it as `double {name}`")
        } else if EXTENDED_WORDS.contains(&word) {
            "pass a scaled integer; programs other than QEMU can use --extended-types".to_owned()
        } else if let Some(suggestion) = near(word, &ALLOWED_WORDS) {
            format!("did you mean `{suggestion}`?")
        } else if let Some(enumeration) = text.strip_prefix("enum ") {
            match self.parser.enumeration_named(enumeration) {
                Some(_) => format!("the declared enumeration is written `{enumeration} {name}`"),
                None => format!("declare it as `int {name}`"),
            }
        } else {
            format!("pass a pointer to it, as `void *{name}`, or an integer")
        };
        self.error(
            Finding::new(&codes::TYPE_NOT_ALLOWED, ctype, format!("argument type `{text}` is not allowed"))
                .label("only C basic types and <stdint.h> types are known to every backend")
                .help(help),
        );
    }
}

/// Joins type and name as usual in C.
fn join(ctype: &str, name: &str) -> String {
    format!("{ctype}{}{name}", if ctype.ends_with('*') { "" } else { " " })
}

/// Returns `a` for `int a int`: an argument that is followed by the type of the next one.
fn missing_comma(text: &str) -> Option<&str> {
    let is_type_word = |word: &&str| ALLOWED_WORDS.contains(&word.trim_end_matches('*'));
    let words: Vec<&str> = text.split_whitespace().collect();
    let name = words.iter().position(|word| !is_type_word(word))?;
    let around = name > 0 && name + 1 < words.len() && words[name + 1..].iter().all(is_type_word);
    (around && is_identifier(words[name])).then_some(words[name])
}
