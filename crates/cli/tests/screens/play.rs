//! Golden files of screens. A file contains keys, each followed by the screen after they were
//! pressed.
//!
//! ```text
//! ==== trace- Tab
//! (engine) trace-
//! trace-event     trace-file      trace-snapshot
//! (engine) trace-
//! ==== e Tab
//! ...
//! ```
//!
//! The test presses the keys in the file, which are in the notation of `tmux send-keys` and
//! separated by blanks. In text to type, `·` stands for a blank. To add a screen, add a line of
//! keys. `RINGTRACE_ACCEPT=1` writes the current screens after the lines of keys.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::fs;
use std::path::PathBuf;

use super::screen::Screen;

/// The text before the keys.
const HEADING: &str = "==== ";

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/screens").join(name)
}

/// Presses the keys of the golden file, and waits until each screen looks as expected. `mask`
/// replaces the varying parts.
pub fn act(screen: &Screen, name: &str, mask: impl Fn(&str) -> String) {
    let file = file(name);
    let accepted = fs::read_to_string(&file).unwrap();
    let is_accepting = std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1");
    let mut now = String::new();
    for part in accepted.split(HEADING).skip(1) {
        let (keys, expected) = part.split_once('\n').unwrap_or((part, ""));
        let texts: Vec<String> = keys.split(' ').map(|key| key.replace('\u{b7}', " ")).collect();
        screen.press(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        if is_accepting {
            now.push_str(&format!("{HEADING}{keys}\n{}", screen.settle(&mask)));
        } else {
            let what = format!("{name}, {keys}; RINGTRACE_ACCEPT=1 accepts.\n{expected}");
            screen.wait_until(&what, |seen| mask(seen) == expected);
        }
    }
    if is_accepting {
        fs::write(file, now).unwrap();
    }
}
