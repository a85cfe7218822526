//! `ringtrace ctl`: the shell.

use std::path::Path;

use super::screen::Screen;
use super::{engine, play};

/// What is another each time: the process, and where it is.
fn mask(process: u32, folder: &Path) -> impl Fn(&str) -> String {
    let (process, folder) = (process.to_string(), folder.display().to_string());
    move |seen: &str| seen.replace(&process, "PID").replace(&folder, "FOLDER")
}

fn show(columns: u32, rows: u32, name: &str) {
    // Paths are shown: they are as long as any other's, whatever TMPDIR says.
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let Some(screen) = Screen::open(columns, rows, folder.path()) else { return };
    let engine = engine::start(folder.path(), "auto", &["--trace", "blk_*,file=x.trace", "--allow-quit"]);
    play::act(&screen, name, mask(engine.id(), folder.path()));
}

#[test]
fn on_80_columns() {
    show(80, 24, "ctl.80x24.txt");
}

#[test]
fn on_120_columns() {
    show(120, 40, "ctl.120x40.txt");
}
