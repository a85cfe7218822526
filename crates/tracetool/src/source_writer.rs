//! Writes source code.

use crate::template::{Line, Template};

/// Columns of one step of indentation.
const STEP: usize = 4;

/// A source file on its way: it owns the indentation, and knows on which line it is.
#[derive(Debug, Default)]
pub struct SourceWriter {
    text: String,
    /// Line ends written.
    lines: usize,
    /// Columns before each line.
    indentation: usize,
}

impl SourceWriter {
    /// An empty file.
    pub fn new() -> SourceWriter {
        SourceWriter::default()
    }

    /// An empty file that has room for so many bytes: no more than what is used of it is ever touched, and less is copied.
    pub fn with_capacity(bytes: usize) -> SourceWriter {
        SourceWriter { text: String::with_capacity(bytes), ..SourceWriter::default() }
    }

    /// The number, from 1, of the line that is written next: what a `#line` before it must say.
    pub fn line(&self) -> usize {
        self.lines + 1
    }

    /// Writes the lines of `template`, its places replaced by the `values` of that name.
    ///
    /// The further lines of a value of several are indented like the line in which its place is. A line that is only a
    /// place disappears when the value is empty. The place `{next_line}` is known here: it is the number of the line below.
    pub fn block(&mut self, template: &Template<'_>, values: &[(&str, &str)]) {
        for line in &template.lines {
            self.line_of_block(line, values);
        }
    }

    /// Writes the lines of `text`, that has no places.
    pub fn text(&mut self, text: &str) {
        self.block(&Template::new(text), &[]);
    }

    /// Writes what `inner` does, indented by one step.
    pub fn indented(&mut self, inner: impl FnOnce(&mut SourceWriter)) {
        self.indentation += STEP;
        inner(self);
        self.indentation -= STEP;
    }

    /// The whole text.
    pub fn finish(self) -> String {
        self.text
    }

    fn line_of_block(&mut self, line: &Line<'_>, values: &[(&str, &str)]) {
        let start = self.text.len();
        let column = self.indentation + line.column;
        self.indent(column);
        let before_values = self.text.len();
        for (before, name) in &line.places {
            self.text.push_str(before);
            // Most names that are another begin otherwise: that is known without a call.
            let is_name = |known: &str| known.as_bytes().first() == name.as_bytes().first() && known == *name;
            match values.iter().find(|(known, _)| is_name(known)) {
                Some((_, value)) => self.value(column, value),
                None if *name == "next_line" => self.text.push_str(&(self.line() + 1).to_string()),
                None => debug_assert!(false, "no value for {{{name}}}"),
            }
        }
        self.text.push_str(line.rest);
        let is_empty = self.text.len() == before_values;
        if is_empty && !line.places.is_empty() {
            self.text.truncate(start);
        } else {
            self.end_line();
        }
    }

    /// Writes a value; its further lines begin on `column`.
    fn value(&mut self, column: usize, value: &str) {
        // Values are short, and nearly all of them a line: setting out to search costs more than looking.
        let Some(end) = value.bytes().position(|byte| byte == b'\n') else {
            self.text.push_str(value);
            return;
        };
        self.text.push_str(&value[..end]);
        for line in value[end + 1..].split('\n') {
            self.end_line();
            self.indent(column);
            self.text.push_str(line);
        }
    }

    fn indent(&mut self, column: usize) {
        const BLANKS: &str = "                                ";
        let mut rest = column;
        while rest > 0 {
            let now = rest.min(BLANKS.len());
            self.text.push_str(&BLANKS[..now]);
            rest -= now;
        }
    }

    /// Blanks at a line's end are never wanted.
    fn end_line(&mut self) {
        let blanks = self.text.bytes().rev().take_while(|byte| *byte == b' ').count();
        self.text.truncate(self.text.len() - blanks);
        self.text.push('\n');
        self.lines += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::SourceWriter;
    use crate::template::Template;

    #[test]
    fn a_template_can_say_on_which_line_it_goes_on() {
        let mut out = SourceWriter::new();
        out.text("one\ntwo\n");
        out.block(&Template::new("{x}\n#line {next_line}\nfive\n"), &[("x", "three")]);
        assert_eq!(out.finish(), "one\ntwo\nthree\n#line 5\nfive\n");
    }

    #[test]
    fn a_block_reads_like_what_it_prints() {
        let template = Template::new(
            "
            {comment}
            fn {name}({parameters}) {
                {body}
                if x { {name}(); }
            }

        ",
        );
        let mut out = SourceWriter::new();
        let values = [
            ("comment", ""),
            ("name", "f"),
            ("parameters", "\n    a: u8,\n    b: u8,\n"),
            ("body", "one();\n\ntwo();"),
        ];
        out.block(&template, &values);
        assert_eq!(out.line(), 11);
        out.indented(|out| out.block(&Template::new("{a} {B} {}\n"), &[("a", "x")]));
        let expected = "fn f(
    a: u8,
    b: u8,
) {
    one();

    two();
    if x { f(); }
}

    x {B} {}
";
        assert_eq!(out.finish(), expected);
    }
}
