//! Checks that generated SystemTap scripts pass SystemTap's first two passes: parsing, and
//! resolving a program's probes.
//!
//! The other passes build a kernel module and need kernel headers. For the first two, a folder that
//! lists a kernel's features is enough.

use std::path::Path;
use std::thread;

use ringtrace_peers::systemtap::ScriptFolder;
use ringtrace_tracetool::StapMode;

use crate::dtrace::{active, program, shown};
use crate::sources::Declared;

/// Writes the three scripts for `declared` to the folder `tapset` of `place`.
pub fn write(place: &ScriptFolder, declared: &Declared, binary: &Path, mode: StapMode) {
    std::fs::create_dir_all(place.path("tapset")).unwrap();
    for format in ["stap", "log-stap", "simpletrace-stap"] {
        let text = declared.script(format, binary, mode);
        std::fs::write(place.path("tapset").join(format).with_extension("stp"), text).unwrap();
    }
}

/// Builds a program with the probes of `declared`, and runs stap on its scripts. For each of
/// `modes`, combines the scripts that print text with the scripts that write records.
fn listen(declared: &Declared, modes: &[StapMode]) {
    let place = ScriptFolder::new();
    let binary = program(place.folder(), declared);
    let events = active(declared).count();
    if events == 0 {
        return;
    }
    for mode in modes {
        write(&place, declared, &binary, *mode);
        let listened = place.stap(
            "-p2",
            &["-I", "tapset", "-e", "probe program.log.*, program.simpletrace.* { println(pp()) }"],
        );
        let Some(listened) = listened else { return };
        let probes = listened.lines().filter(|line| line.starts_with("process(")).count();
        assert_eq!(probes, 2 * events, "{listened}");
        // A separate probe writes the header of a complete trace.
        let begins = listened.lines().any(|line| line.starts_with("begin "));
        assert_eq!(begins, *mode == StapMode::Dynamic, "{listened}");
    }
}

#[test]
fn scripts_are_joined_with_the_probes_of_a_program() {
    let modes = [StapMode::Static, StapMode::Version3, StapMode::Dynamic];
    shown().iter().for_each(|declared| listen(declared, &modes));
}

/// The printing aliases accept a program without these probes. Only the aliases in `stap.stp`
/// require them.
#[test]
fn events_that_a_program_does_not_have_are_no_error() {
    let place = ScriptFolder::new();
    let types = &shown()[0];
    write(&place, types, Path::new("/bin/true"), StapMode::Dynamic);
    std::fs::remove_file(place.path("tapset/stap.stp")).unwrap();
    place.stap("-p2", &["-I", "tapset", "-e", "probe program.log.truth ? {} probe begin { exit() }"]);
}

#[test]
fn a_script_without_an_event_is_one() {
    let place = ScriptFolder::new();
    let nothing = Declared::parse("nothing.events", "\n");
    let script = nothing.script("simpletrace-stap", Path::new(""), StapMode::Dynamic);
    std::fs::write(place.path("nothing.stp"), script).unwrap();
    place.stap("-p2", &["nothing.stp"]);
}

#[test]
fn all_events_of_qemu_have_probes() {
    let Some(path) = ringtrace_corpus::find_or_skip("qemu/trace-events-all") else { return };
    // stap is fast for a hundred events, but takes minutes for thousands.
    let declared = Declared::read(&path).distinct();
    assert!(declared.events().len() > 1000, "{}", declared.events().len());
    let pieces = declared.cut(500);
    let (one, other) = pieces.split_at(pieces.len() / 2);
    let listen = |declared| listen(declared, &[StapMode::Dynamic]);
    thread::scope(|scope| {
        scope.spawn(|| one.iter().for_each(listen));
        other.iter().for_each(listen);
    });
}
