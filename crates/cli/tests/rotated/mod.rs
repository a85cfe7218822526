//! The folder of a rotated trace, for tests.

#![allow(dead_code, reason = "each test program uses some functions")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::recorded::{PROGRAM, Recorded, SECOND};
use crate::running::Place;

/// Returns the path of the file with this number.
pub fn file(place: &Place, number: u64) -> PathBuf {
    place.path("trace").join(format!("{number:08}-20261123T0915{:02}Z.trace", number % 60))
}

/// Creates a folder with these files, whose numbers are counted from `first` on.
pub fn write_from(place: &Place, first: u64, files: &[Recorded]) {
    fs::create_dir_all(place.path("trace")).unwrap();
    for (number, recorded) in (first..).zip(files) {
        fs::write(file(place, number), &recorded.bytes).unwrap();
    }
}

pub fn write(place: &Place, files: &[Recorded]) {
    write_from(place, 1, files);
}

/// Three files of a run. Spans begin in one file and end in the next, and events were dropped in two
/// files.
pub fn three() -> Vec<Recorded> {
    let new = || Recorded::new(PROGRAM).thread(1, "worker");
    vec![
        new()
            .begin(SECOND, 1)
            .begin(SECOND + 1000, 2)
            .end(SECOND + 2000, 1)
            .dropped(SECOND + 3000, 3)
            .total(3, 3),
        new().end(2 * SECOND, 2).begin(2 * SECOND + 500, 3).total(2, 0),
        new().end(3 * SECOND, 3).dropped(3 * SECOND + 1, 4).total(1, 4),
    ]
}

pub fn gzip(path: &Path) {
    assert!(Command::new("gzip").arg(path).status().unwrap().success());
}
