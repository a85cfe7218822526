//! Blocks of source code that read like what they print.

/// Lines of source code with `{places}` in them, taken apart once to be written many times.
///
/// Its text is a raw string: the first line is the one behind the opening quote's, the last one, before the closing quote,
/// is no line. The indentation that all lines share is taken off. A place is a word of small letters and `_`
/// between braces; other braces are the language's own.
#[derive(Debug)]
pub struct Template<'a> {
    pub(crate) lines: Vec<Line<'a>>,
}

/// A line of a template: `text {place}text {place}rest`.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    /// Columns before it.
    pub column: usize,
    /// The places, each with the text before it.
    pub places: Vec<(&'a str, &'a str)>,
    /// What stands behind the last place.
    pub rest: &'a str,
}

impl<'a> Template<'a> {
    /// Takes `text` apart.
    pub fn new(text: &'a str) -> Template<'a> {
        let text = text.strip_prefix('\n').unwrap_or(text).trim_end_matches(' ');
        let lines = || text.lines().filter(|line| !line.trim().is_empty());
        let shared = lines().map(columns).min().unwrap_or(0);
        Template { lines: text.lines().map(|line| Line::new(line, shared)).collect() }
    }

    /// Whether there is a place `{name}` in it.
    pub fn has_place(&self, name: &str) -> bool {
        self.lines.iter().flat_map(|line| &line.places).any(|(_, known)| *known == name)
    }
}

impl<'a> Line<'a> {
    /// A line of which the first `shared` columns do not count.
    fn new(line: &'a str, shared: usize) -> Line<'a> {
        let mut places = Vec::new();
        let mut rest = line.trim_start();
        while let Some((before, name, after)) = next_place(rest) {
            places.push((before, name));
            rest = after;
        }
        Line { column: columns(line).saturating_sub(shared), places, rest }
    }
}

/// Blanks before the first word.
fn columns(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The first place of `line`: what is before, its name, what is behind.
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
