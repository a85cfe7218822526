//! What executables that trace want from the linker.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// Exports the one symbol by which copies of the runtime find each other, when an executable loads a library that has a
/// copy of its own. Executables export nothing by themselves. Where the symbol does not exist, nothing happens.
pub(super) const EXPORT: &str = "-Wl,--export-dynamic-symbol=ringtrace_runtime";

/// Whether `linker`, a C compiler that links, understands [`EXPORT`]: GNU's does since 2.35, of 2020; lld, gold and mold
/// do. An unknown option would fail the whole build.
pub(super) fn takes_export(linker: &OsStr) -> bool {
    let help = Command::new(linker).arg("-Wl,--help").stdin(Stdio::null()).output();
    help.is_ok_and(|help| {
        let help = String::from_utf8_lossy(&help.stdout);
        help.split_ascii_whitespace()
            .any(|word| word.trim_end_matches("=<value>") == "--export-dynamic-symbol")
    })
}
