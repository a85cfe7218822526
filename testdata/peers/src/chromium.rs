//! Chromium without a window, in which tests click and look.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::node::{self, ScriptResult};

/// What stands around a test's steps.
const FRAME: &str = include_str!("chromium.js");

/// Runs `steps`, the body of an asynchronous function of JavaScript, in a Chromium that reaches this machine and nothing else.
///
/// The function sees Playwright's `page` (1280 by 800), `browser` and `context`; `args`, which are `arguments`; `expect(condition, what)`, which
/// fails; `problems`, a list of what went wrong in the page by itself. What it returns is the standard output: a text, or anything else as JSON. `None`: there is no
/// Chromium or no Node.
///
/// # Panics
/// When it takes minutes.
pub fn run<S: AsRef<OsStr>>(steps: &str, arguments: &[S]) -> Option<ScriptResult> {
    let browser = program()?;
    node::package("playwright-core", "package.json")?;
    let (before, after) = FRAME.split_once("//STEPS//").unwrap();
    let script = format!("process.env.CHROMIUM ??= {:?};\n{before}{steps}{after}", browser.to_str().unwrap());
    node::run(&script, arguments)
}

/// The program: as Debian calls the one that has no window at all, or the usual one.
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
