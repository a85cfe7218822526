//! Writes source code.

use crate::template::{Template, TemplateLine};

const STEP: usize = 4;

/// A source file being written. It tracks the indentation and the line number.
#[derive(Debug, Default)]
pub struct SourceWriter {
    text: String,
    lines: usize,
    indentation: usize,
}

impl SourceWriter {
    /// Creates an empty file.
    pub fn new() -> SourceWriter {
        SourceWriter::default()
    }

    /// Creates an empty file with a capacity of `bytes`. Unused capacity is never touched, so it
    /// costs no memory.
    pub fn with_capacity(bytes: usize) -> SourceWriter {
        SourceWriter { text: String::with_capacity(bytes), ..SourceWriter::default() }
    }

    /// The number of the line to be written next, starting at 1.
    pub fn line(&self) -> usize {
        self.lines + 1
    }

    /// Writes the lines of `template`, replacing each placeholder with its value in `values`.
    ///
    /// If a value has several lines, they are indented like the placeholder's line. A line that
    /// consists only of placeholders is omitted if their values are empty. `{next_line}` is
    /// predefined as the number of the line that follows.
    pub fn block(&mut self, template: &Template<'_>, values: &[(&str, &str)]) {
        for line in &template.lines {
            self.line_of_block(line, values);
        }
    }

    /// Writes the lines of `text`, which contains no placeholders.
    pub fn text(&mut self, text: &str) {
        self.block(&Template::new(text), &[]);
    }

    /// Writes the output of `inner`, indented by one step.
    pub fn indented(&mut self, inner: impl FnOnce(&mut SourceWriter)) {
        self.indentation += STEP;
        inner(self);
        self.indentation -= STEP;
    }

    /// Returns the whole text.
    pub fn finish(self) -> String {
        self.text
    }

    fn line_of_block(&mut self, line: &TemplateLine<'_>, values: &[(&str, &str)]) {
        let start = self.text.len();
        let column = self.indentation + line.column;
        self.indent(column);
        let before_values = self.text.len();
        for (before, name) in &line.placeholders {
            self.text.push_str(before);
            // Most names differ in the first byte, so compare that first, without a call.
            let is_name = |known: &str| known.as_bytes().first() == name.as_bytes().first() && known == *name;
            match values.iter().find(|(known, _)| is_name(known)) {
                Some((_, value)) => self.value(column, value),
                None if *name == "next_line" => self.text.push_str(&(self.line() + 1).to_string()),
                None => debug_assert!(false, "no value for {{{name}}}"),
            }
        }
        self.text.push_str(line.rest);
        let is_empty = self.text.len() == before_values;
        if is_empty && !line.placeholders.is_empty() {
            self.text.truncate(start);
        } else {
            self.end_line();
        }
    }

    /// Writes a value. All its lines after the first are indented to `column`.
    fn value(&mut self, column: usize, value: &str) {
        // Most values are short and have one line, so a loop is faster than a search function.
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
    fn templates_know_the_next_line() {
        let mut out = SourceWriter::new();
        out.text("one\ntwo\n");
        out.block(&Template::new("{x}\n#line {next_line}\nfive\n"), &[("x", "three")]);
        assert_eq!(out.finish(), "one\ntwo\nthree\n#line 5\nfive\n");
    }

    #[test]
    fn blocks_look_like_their_output() {
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
