//! The rules of the format v0 readers, which parsed declarations with their own regular expression.

use std::ops::Range;

use super::arguments::MAX_ARGUMENTS_READ;
use super::{LineParser, Parser, is_name};
use crate::codes;
use crate::diagnostic::Finding;
use crate::syntax;
use crate::text::MAX_LINE_BYTES;
use crate::{Argument, CType, Event};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum V0Reader {
    /// `disable? name(args) "..."`, with a blank before the quote.
    Y2010,
    /// `disable? name(args)`.
    Y2011,
}

impl Parser<'_> {
    /// Parses a whole source by the rules of `reader`. Lines that do not match are skipped
    /// silently.
    pub(super) fn v0_source(&mut self, reader: V0Reader) {
        if !self.check_encoding() {
            return;
        }
        for line in syntax::lines(self.source.text()) {
            LineParser { parser: self, line, failed: false }.v0_declaration(reader);
        }
    }
}

impl LineParser<'_, '_> {
    fn v0_declaration(&mut self, reader: V0Reader) {
        let text = self.line.text;
        if text.len() > MAX_LINE_BYTES {
            return;
        }
        let whole = syntax::trim(text, 0..text.len());
        let Some((head, arguments)) = v0_head(text, whole.clone()) else { return };
        let rest = arguments.end + 1..whole.end;
        if reader == V0Reader::Y2010 && !has_plain_format(&text[rest.clone()]) {
            return;
        }
        let Some(arguments) = self.v0_arguments(arguments) else { return };
        let formats = self.formats(syntax::trim(text, rest));
        let event = Event {
            name: self.text(head.name),
            arguments,
            format: formats.first.map(|range| self.text(range)),
            format_prefix: "",
            disabled: head.disabled,
            vcpu: false,
            tcg: None,
            source: self.parser.index,
            line: self.line.number,
            declaration: self.text(whole),
        };
        self.parser.events.push(event);
    }

    /// Parses arguments as these readers did: the name is the last word of each piece, without any
    /// stars before it. This applies even to `void`. Returns `None` where the readers crashed.
    fn v0_arguments(&mut self, range: Range<usize>) -> Option<Vec<Argument>> {
        let line = self.line.text;
        let mut arguments = Vec::new();
        for piece in syntax::pieces(line, range).take(MAX_ARGUMENTS_READ) {
            let (_, word) = syntax::split_last_word(line, syntax::trim(line, piece.clone()));
            if word.is_empty() {
                self.error(
                    Finding::new(
                        &codes::EMPTY_ARGUMENT,
                        piece.start..piece.start + 1,
                        "an argument is empty",
                    )
                    .label("the reader of that version stopped here and printed nothing")
                    .help("write `name(void)`, or select a later reader"),
                );
                return None;
            }
            let stars = line[word.clone()].bytes().take_while(|&b| b == b'*').count();
            let name = word.start + stars..word.end;
            let ctype = syntax::trim(line, piece.start..name.start);
            let ctype_text = self.text(ctype);
            arguments.push(Argument {
                ctype: CType::parse(&ctype_text).without_doubles(),
                ctype_text,
                name: self.text(name),
                tcg_type: None,
                enumeration: None,
            });
        }
        Some(arguments)
    }
}

struct V0Head {
    name: Range<usize>,
    disabled: bool,
}

/// Matches `(disable\s+)?([a-zA-Z0-9_]+)\(([^)]*)\)` at the start of `whole`. Returns the head and
/// the range of the arguments.
fn v0_head(line: &str, whole: Range<usize>) -> Option<(V0Head, Range<usize>)> {
    let open = whole.start + line[whole.clone()].find('(')?;
    let close = open + line[open..whole.end].find(')')?;
    let (properties, name) = syntax::split_last_word(line, whole.start..open);
    if !is_name(&line[name.clone()]) {
        return None;
    }
    let mut words = syntax::words(line, properties);
    let disabled = match (words.next(), words.next()) {
        (None, _) => false,
        (Some(word), None) if &line[word.clone()] == "disable" => true,
        _ => return None,
    };
    Some((V0Head { name, disabled }, open + 1..close))
}

/// Whether `\s+"[^"]*"` matches at the start of `rest`.
fn has_plain_format(rest: &str) -> bool {
    let format = rest.trim_start_matches(syntax::is_blank);
    format.len() < rest.len() && format.strip_prefix('"').is_some_and(|inside| inside.contains('"'))
}
