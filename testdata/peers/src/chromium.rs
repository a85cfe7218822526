//! Headless Chromium, controlled by scripts.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::node::{self, ScriptResult};

/// The script into which a test's steps are inserted.
const FRAME: &str = include_str!("chromium.js");

/// Runs `steps`, the body of an asynchronous JavaScript function, in a Chromium that has no network
/// access except to this machine.
///
/// The function can use Playwright's `page` (1280 by 800), `browser` and `context`; `args`, which
/// are `arguments`; `expect(condition, what)`; and `problems`, a list of errors in the page. Its
/// result is printed to standard output: a string unchanged, anything else as JSON. Returns `None`
/// if Chromium or Node is missing.
///
/// # Panics
/// Panics if it takes more than [`node::TIMEOUT`].
pub fn run<S: AsRef<OsStr>>(steps: &str, arguments: &[S]) -> Option<ScriptResult> {
    let browser = program()?;
    node::package("playwright-core", "package.json")?;
    let (before, after) = FRAME.split_once("//STEPS//").unwrap();
    let script = format!("process.env.CHROMIUM ??= {:?};\n{before}{steps}{after}", browser.to_str().unwrap());
    node::run(&script, arguments)
}

/// Returns the path of Debian's headless program, or else of the regular one.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium-headless-shell", "chromium"];
    let found = names.iter().find_map(|name| {
        std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
    });
    if found.is_none() {
        eprintln!("SKIPPED: no chromium-headless-shell (`cargo xtask check` installs it)");
    }
    found
}
