//! Source code templates that look like their output.

/// Lines of source code with `{placeholders}`, parsed once and written many times.
///
/// The template is a raw string. The line break after the opening quote, the blanks before the
/// closing quote, and the indentation common to all lines are ignored. A placeholder is a word of
/// lower-case letters and `_` between braces. All other braces are part of the generated code.
#[derive(Debug)]
pub struct Template<'a> {
    pub(crate) lines: Vec<TemplateLine<'a>>,
}

/// A line of a template: `text {placeholder}text {placeholder}rest`.
#[derive(Debug)]
pub(crate) struct TemplateLine<'a> {
    /// The line's indentation, in columns.
    pub column: usize,
    /// Each placeholder, with the text that precedes it.
    pub placeholders: Vec<(&'a str, &'a str)>,
    /// The text after the last placeholder.
    pub rest: &'a str,
}

impl<'a> Template<'a> {
    /// Parses `text`.
    pub fn new(text: &'a str) -> Template<'a> {
        let text = text.strip_prefix('\n').unwrap_or(text).trim_end_matches(' ');
        let lines = || text.lines().filter(|line| !line.trim().is_empty());
        let shared = lines().map(columns).min().unwrap_or(0);
        Template { lines: text.lines().map(|line| TemplateLine::new(line, shared)).collect() }
    }

    /// Whether the template contains the placeholder `{name}`.
    pub fn has_placeholder(&self, name: &str) -> bool {
        self.lines.iter().flat_map(|line| &line.placeholders).any(|(_, known)| *known == name)
    }
}

impl<'a> TemplateLine<'a> {
    /// Parses a line without its first `shared` columns.
    fn new(line: &'a str, shared: usize) -> TemplateLine<'a> {
        let mut placeholders = Vec::new();
        let mut rest = line.trim_start();
        while let Some((before, name, after)) = next_placeholder(rest) {
            placeholders.push((before, name));
            rest = after;
        }
        TemplateLine { column: columns(line).saturating_sub(shared), placeholders, rest }
    }
}

fn columns(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns the first placeholder of `line`: the text before it, its name, and the text after it.
fn next_placeholder(line: &str) -> Option<(&str, &str, &str)> {
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
