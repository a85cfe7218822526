//! Parts of self-contained pages.

use std::borrow::Cow;

use ringtrace_events::message::visible;

/// The style sheet of all pages: light and dark, for screens, phones and paper.
pub const STYLE: &str = include_str!("style.css");

/// The content security policy. A page cannot load or send anything.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
     form-action 'none'";

/// Escapes untrusted text for use between tags and in quoted attributes, and makes invisible
/// characters visible.
pub fn text(text: &str) -> String {
    let shown = visible::text(text);
    let mut out = String::with_capacity(shown.len());
    for c in shown.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

/// Escapes at most `max` characters of `long`, with an ellipsis if some are left out.
pub fn short_text(long: &str, max: usize) -> String {
    match long.char_indices().nth(max) {
        Some((end, _)) => format!("{}\u{2026}", text(&long[..end])),
        None => text(long),
    }
}

/// Returns `long` with at most `max` characters, of which the middle one is an ellipsis if some are
/// left out. Names often differ only at their ends.
pub fn shorten(long: &str, max: usize) -> Cow<'_, str> {
    let count = long.chars().count();
    if count <= max {
        return Cow::Borrowed(long);
    }
    let (before, after) = (max.saturating_sub(1).div_ceil(2), max.saturating_sub(1) / 2);
    let head = long.chars().take(before);
    let tail = long.chars().skip(count - after);
    Cow::Owned(head.chain(['\u{2026}']).chain(tail).collect())
}

/// Escapes JSON for use within `<script>`, so that no string in it can end the element.
pub fn json(json: &str) -> String {
    // These characters occur only inside strings.
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

pub fn page(title: &str, body: &str, data: &str, script: &str) -> String {
    let title = text(title);
    let data = json(data);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{script}</script>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            text("</script><b onclick='x' a=\"&\">"),
            "&lt;/script&gt;&lt;b onclick=&#39;x&#39; a=&quot;&amp;&quot;&gt;"
        );
        assert_eq!(short_text("a<bcd", 2), "a&lt;\u{2026}");
        assert_eq!(short_text("a<", 2), "a&lt;");
        assert_eq!(
            ["abcdef", "abcdefg", "\u{e4}bcdef\u{fc}"].map(|name| shorten(name, 6)),
            ["abcdef", "abc\u{2026}fg", "\u{e4}bc\u{2026}f\u{fc}"]
        );
        assert_eq!(json(r#"["</script><!--"]"#), r#"["\u003c/script>\u003c!--"]"#);
    }
}
