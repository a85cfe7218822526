//! Writes source code from blocks that read like what they print.

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

    /// The number, from 1, of the line that is written next: what a `#line` before it must say.
    pub fn line(&self) -> usize {
        self.lines + 1
    }

    /// Writes the lines of `template`, without the indentation that all of them share, and with its `{places}` replaced
    /// by the `values` of that name.
    ///
    /// The first line is the one behind the opening quote's; the last one, before the closing quote, is no line. The
    /// further lines of a value of several are indented like the line in which its place is. A line that is only a place
    /// disappears when the value is empty.
    pub fn block(&mut self, template: &str, values: &[(&str, &str)]) {
        let template = template.strip_prefix('\n').unwrap_or(template).trim_end_matches(' ');
        let shared = template.lines().filter(|line| !line.trim().is_empty()).map(columns).min().unwrap_or(0);
        for line in template.lines() {
            let own = columns(line);
            self.template_line(self.indentation + own.saturating_sub(shared), line.trim_start(), values);
        }
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

    /// Writes a line of a template, without the indentation that it has there, on column `column`.
    fn template_line(&mut self, column: usize, line: &str, values: &[(&str, &str)]) {
        let start = self.text.len();
        self.indent(column);
        let mut rest = line;
        while let Some((before, name, after)) = next_place(rest) {
            self.text.push_str(before);
            match values.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => self.value(column, value),
                None => debug_assert!(false, "no value for {{{name}}}"),
            }
            rest = after;
        }
        self.text.push_str(rest);
        // Nothing but a place, and nothing to put there.
        if self.text[start..].trim_start().is_empty() && !line.is_empty() {
            self.text.truncate(start);
        } else {
            self.end_line();
        }
    }

    /// Writes a value; its further lines begin on `column`.
    fn value(&mut self, column: usize, value: &str) {
        let mut lines = value.split('\n');
        self.text.push_str(lines.next().unwrap_or_default());
        for line in lines {
            self.end_line();
            self.indent(column);
            self.text.push_str(line);
        }
    }

    fn indent(&mut self, column: usize) {
        self.text.extend(std::iter::repeat_n(' ', column));
    }

    /// Blanks at a line's end are never wanted.
    fn end_line(&mut self) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        self.text.push('\n');
        self.lines += 1;
    }
}

/// Blanks before the first word.
fn columns(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The first `{place}` of `line`: what is before, its name, what is behind. Other braces are the language's own.
fn next_place(line: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(open) = line[from..].find('{') {
        let open = from + open;
        let inner = &line[open + 1..];
        let length = inner.bytes().take_while(|byte| byte.is_ascii_lowercase() || *byte == b'_').count();
        if length > 0 && inner.as_bytes().get(length) == Some(&b'}') {
            return Some((&line[..open], &inner[..length], &inner[length + 1..]));
        }
        from = open + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::SourceWriter;

    #[test]
    fn a_block_reads_like_what_it_prints() {
        let mut out = SourceWriter::new();
        out.block("\n    {comment}\n    fn {name}({parameters}) {\n        {body}\n        if x { {name}(); }\n    }\n\n    ", &[
            ("comment", ""),
            ("name", "f"),
            ("parameters", "\n    a: u8,\n    b: u8,\n"),
            ("body", "one();\n\ntwo();"),
        ]);
        assert_eq!(out.line(), 11);
        out.indented(|out| out.block("{a} {B} {}\n", &[("a", "x")]));
        assert_eq!(
            out.finish(),
            "fn f(\n    a: u8,\n    b: u8,\n) {\n    one();\n\n    two();\n    if x { f(); }\n}\n\n    x {B} {}\n"
        );
    }
}
