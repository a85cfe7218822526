//! Golden files of screens: keys, and the screen after them.
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
//! The keys come from the file, in the syntax of tmux's `send-keys`, separated by spaces; `·` is a
//! space within a text. A new line of keys starts a new screen. `RINGTRACE_ACCEPT=1` writes the
//! current screens after the keys.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::fs;
use std::path::PathBuf;

use super::screen::Screen;

/// The prefix of a line of keys.
const HEADING: &str = "==== ";

/// Returns the path of a golden file.
fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/screens").join(name)
}

/// Presses the keys of the golden file, and waits for each expected screen. `mask` replaces text
/// that differs in each run.
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
