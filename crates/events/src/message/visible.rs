//! Makes untrusted text safe for a terminal and measures its columns.

/// Replaces a tab.
const TAB: &str = "    ";

pub(super) fn push(text: &str, out: &mut String) {
    for c in text.chars() {
        push_char(c, out);
    }
}

/// Returns `text` in a form that is safe to print: control characters as Unicode control pictures,
/// invisible characters as escapes, tabs as spaces.
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push(text, &mut out);
    out
}

/// Appends `c` or its replacement. Returns the number of columns.
pub(super) fn push_char(c: char, out: &mut String) -> usize {
    match c {
        ' '..='~' => {
            out.push(c);
            1
        }
        '\t' => {
            out.push_str(TAB);
            TAB.len()
        }
        // Unicode has a control picture for each of these characters.
        '\0'..='\x1f' => push_picture(u32::from(c), out),
        '\x7f' => push_picture(0x21, out),
        _ if is_invisible(c) => {
            let escaped = format!("\\u{{{:x}}}", u32::from(c));
            out.push_str(&escaped);
            escaped.len()
        }
        _ => {
            out.push(c);
            width(c)
        }
    }
}

fn push_picture(number: u32, out: &mut String) -> usize {
    out.push(char::from_u32(0x2400 + number).unwrap_or(char::REPLACEMENT_CHARACTER));
    1
}

/// Whether a character changes how others are shown, or is invisible: C1 controls, direction marks,
/// joiners, the byte order mark, tags, line and paragraph separators.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Columns of a visible character: 2 in East Asian scripts and for pictographs, 0 for combining
/// characters.
///
/// This covers only part of Unicode's table. In other scripts carets may be misplaced.
fn width(c: char) -> usize {
    match c {
        '\u{300}'..='\u{36f}'
        | '\u{483}'..='\u{489}'
        | '\u{591}'..='\u{5bd}'
        | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{3099}'..='\u{309a}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{a960}'..='\u{a97c}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f680}'..='\u{1f6ff}'
        | '\u{1f900}'..='\u{1f9ff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}
