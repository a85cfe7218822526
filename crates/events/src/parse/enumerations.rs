//! Parses enumerations: `enum NAME { CONSTANT = VALUE, ... }`.

use std::ops::Range;
use std::sync::Arc;

use super::{LineParser, Parser, is_identifier};
use crate::codes;
use crate::declaration::Constant;
use crate::diagnostic::Finding;
use crate::keywords::{Language, keyword_of};
use crate::syntax::{self, is_blank};
use crate::{CType, Enumeration};

/// Maximum number of constants of an enumeration.
const MAX_CONSTANTS: usize = 1024;

/// Whether a line is an enumeration, possibly with errors. No event begins like this.
pub(crate) fn is_enumeration(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("enum") else { return false };
    let brace = rest.find('{');
    rest.starts_with(|c| is_blank(c) || c == '{')
        && brace.is_some_and(|brace| rest.find('(').is_none_or(|open| brace < open))
}

impl Parser<'_> {
    /// Returns the enumeration `name` of this source, if it is declared above.
    pub(super) fn enumeration_named(&self, name: &str) -> Option<Arc<Enumeration>> {
        // In a trace, a later declaration replaces an earlier one.
        self.enumerations.iter().rfind(|enumeration| *enumeration.name == *name).cloned()
    }
}

impl LineParser<'_, '_> {
    /// Parses the enumeration at `whole`.
    pub(super) fn enumeration(&mut self, whole: Range<usize>) {
        let line = self.line.text;
        let open = whole.start + line[whole.clone()].find('{').unwrap_or(0);
        let name = syntax::trim(line, whole.start + "enum".len()..open);
        if !self.parser.rules.extended {
            let finding = Finding::new(
                &codes::ENUMERATION,
                whole.start..whole.start + 4,
                "an enumeration is not allowed",
            )
            .label("QEMU does not know enumerations")
            .help("declare arguments as `int`; programs other than QEMU can use --extended-types");
            self.error(finding);
            // The events that use it are not reported too.
            self.add_enumeration(name, Vec::new(), whole);
            return;
        }
        self.enumeration_name(name.clone(), open);
        if !line[whole.clone()].ends_with('}') {
            let finding =
                Finding::new(&codes::ENUMERATION, open..open + 1, "the list of constants is not closed")
                    .label("expected a `}` at the end of the line")
                    .help("write the enumeration on one line: `enum name { A = 0, B = 1 }`");
            return self.error(finding);
        }
        let mut constants: Vec<Constant> = Vec::new();
        let list = syntax::trim(line, open + 1..whole.end - 1);
        let list_end = list.end - usize::from(line[list.clone()].ends_with(','));
        for piece in syntax::pieces(line, list.start..list_end) {
            let piece = syntax::trim(line, piece);
            if let Some(constant) = self.constant(piece, open, &constants) {
                constants.push(constant);
            }
        }
        if !self.failed {
            self.add_enumeration(name, constants, whole);
        }
    }

    fn add_enumeration(&mut self, name: Range<usize>, constants: Vec<Constant>, whole: Range<usize>) {
        let enumeration = Enumeration { name: self.text(name), constants, declaration: self.text(whole) };
        self.parser.enumerations.push(Arc::new(enumeration));
    }

    fn enumeration_name(&mut self, name: Range<usize>, open: usize) {
        let text = &self.line.text[name.clone()];
        let bad = |message, label: &str| {
            Some(Finding::new(&codes::ENUMERATION, name.clone(), message).label(label))
        };
        let finding = if name.is_empty() {
            let finding = Finding::new(&codes::ENUMERATION, open..open + 1, "the enumeration has no name");
            Some(finding.label("expected a name before the `{`"))
        } else if !is_identifier(text) {
            bad(format!("`{text}` is not a valid name"), "expected a C identifier")
        } else if is_reserved(text) || CType::parse(text) != CType::Unknown || text == "void" {
            bad(format!("`{text}` cannot be the name of an enumeration"), "this word has another meaning")
        } else if !self.parser.rules.forgiving && self.parser.enumeration_named(text).is_some() {
            bad(format!("enumeration `{text}` is declared twice"), "this is the second declaration")
        } else {
            None
        };
        if let Some(finding) = finding {
            self.error(finding);
        }
    }

    /// Parses the constant at `piece`, which follows `before`. Returns `None` after an error.
    fn constant(&mut self, piece: Range<usize>, open: usize, before: &[Constant]) -> Option<Constant> {
        let line = self.line.text;
        let (name, value) = match line[piece.clone()].find('=') {
            Some(at) => {
                let at = piece.start + at;
                (syntax::trim(line, piece.start..at), Some(syntax::trim(line, at + 1..piece.end)))
            }
            None => (piece.clone(), None),
        };
        let text = &line[name.clone()];
        let error = |span: Range<usize>, message: String| {
            let span = if span.is_empty() { open..open + 1 } else { span };
            Finding::new(&codes::ENUMERATION, span, message)
        };
        let value = match &value {
            None => before.last().map_or(Some(0), |last| last.value.checked_add(1)),
            Some(value) => parse_value(&line[value.clone()]),
        };
        let finding = match value {
            _ if before.len() >= MAX_CONSTANTS => {
                error(piece, format!("more than {MAX_CONSTANTS} constants")).label("this is beyond the limit")
            }
            _ if text.is_empty() => {
                error(piece, "a constant is empty".to_owned()).label("expected `NAME` or `NAME = VALUE`")
            }
            _ if !is_identifier(text) => {
                error(name, format!("`{text}` is not a valid name")).label("expected a C identifier")
            }
            _ if is_reserved(text) => error(name, format!("`{text}` cannot be the name of a constant"))
                .label("it is a keyword of C"),
            _ if before.iter().any(|known| *known.name == *text) => {
                error(name, format!("constant `{text}` is declared twice")).label("the name must be unique")
            }
            None => error(piece, format!("the value of `{text}` is not valid"))
                .label("expected an integer from -2147483648 to 2147483647"),
            Some(value) => match before.iter().find(|known| known.value == value) {
                None => return Some(Constant { name: self.text(name), value }),
                Some(known) => error(piece, format!("`{}` and `{text}` have the same value", known.name))
                    .label("the value must be unique"),
            },
        };
        self.error(finding);
        None
    }
}

fn is_reserved(word: &str) -> bool {
    keyword_of(word).any(|language| language == Language::C)
}

/// Parses a decimal or hexadecimal number.
fn parse_value(text: &str) -> Option<i32> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits.trim_start()),
        None => (false, text),
    };
    let (digits, radix) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (digits, 10),
    };
    // Numbers that start with a zero would be octal in C.
    if !digits.starts_with(|c: char| c.is_ascii_hexdigit())
        || radix == 10 && digits.len() > 1 && digits.starts_with('0')
    {
        return None;
    }
    let number = i64::from_str_radix(digits, radix).ok()?;
    i32::try_from(if negative { -number } else { number }).ok()
}
