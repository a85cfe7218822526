//! Tests `ringtrace top` on a terminal, with a program and with a trace.

use std::path::Path;

use super::screen::Screen;
use super::{engine, play};

/// Masks numbers, bars, and the positions that depend on them. The tests in `testdata/top` check
/// the exact layout.
fn mask(folder: &Path) -> impl Fn(&str) -> String {
    let folder = folder.display().to_string();
    move |seen: &str| {
        let lines = seen.replace(&folder, "FOLDER");
        lines.lines().map(|line| mask_line(line) + "\n").collect()
    }
}

fn mask_line(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    // The number of words in a row depends on whether the event occurred.
    if let [state @ ("on" | "off" | "n/a" | ">on" | ">off" | ">n/a"), .., name] = words[..] {
        return format!("{state} .. {name}");
    }
    let is_row =
        |words: &[&str]| words.first().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    if let [">", rest @ .., name] = &words[..]
        && is_row(rest)
    {
        return format!("> .. {name}");
    }
    if let [_, _, .., name] = &words[..]
        && is_row(&words)
    {
        return format!(".. {name}");
    }
    let is_bar = |c: char| ('\u{2581}'..='\u{2593}').contains(&c);
    let is_number =
        |word: &str| word.trim_matches(['+', '(', ')', '%']).starts_with(|c: char| c.is_ascii_digit());
    let mut masked: Vec<&str> = Vec::new();
    for word in words {
        let before = masked.last().copied();
        match word {
            _ if word.chars().all(is_bar) => {}
            // Drop units, because they vary with the numbers.
            "k" | "M" | "B" | "KiB" | "MiB" if before == Some("N") => {}
            _ if is_number(word) => masked.push("N"),
            _ => masked.push(word),
        }
    }
    let masked = masked.join(" ").replace("N per s", "RATE").replace("not growing", "RATE");
    // This line is shown for five seconds.
    masked
        .replace(" order held", "")
        .replace(" for N ms", "")
        .replace(" in N ms", " in N s")
        .replace(" for N s", "")
}

fn show(columns: u32, rows: u32, name: &str) {
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let Some(screen) = Screen::open(columns, rows, folder.path()) else { return };
    let _engine = engine::start(folder.path(), "auto", &["--trace", "blk_*,file=x.trace"]);
    play::act(&screen, name, mask(folder.path()));
}

#[test]
fn on_80_columns() {
    show(80, 24, "top.80x24.txt");
}

#[test]
fn on_120_columns() {
    show(120, 40, "top.120x40.txt");
}
