//! dtrace(1) accepts the generated files without printing anything. The notes of the USDT probes
//! contain the sizes and signs of the arguments' types.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use ringtrace_events::{CType, Event};
use tempfile::TempDir;

use crate::sources::{Declared, folder, succeed};

/// All declarations to test.
pub fn shown() -> Vec<Declared> {
    let files = ["types", "counts", "keywords", "conversions", "disabled", "formats", "legacy", "values"];
    let read = |name: &&str| Declared::read(&folder().join(name).with_extension("events")).with_arguments(12);
    files.iter().map(read).collect()
}

/// Returns the events with probes.
pub fn active(declared: &Declared) -> impl Iterator<Item = &Event> {
    declared.events().iter().filter(|event| !event.disabled)
}

/// Runs dtrace(1) in `place` to generate the header and object file of `declared`, as QEMU's build
/// does.
fn dtrace(place: &Path, declared: &Declared) {
    std::fs::write(place.join("probes.d"), declared.generate("d", "all", &[])).unwrap();
    for (what, output) in [("-h", "probes.h"), ("-G", "probes.o")] {
        let mut dtrace = Command::new("dtrace");
        dtrace.current_dir(place).args(["-DSTAP_SDT_V2", "-o", output, what, "-s", "probes.d"]);
        let output = dtrace.output().unwrap_or_else(|error| panic!("{dtrace:?}: {error}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{dtrace:?}\n{said}");
    }
}

/// Builds a program in `place` with the probes of `declared`.
pub fn program(place: &Path, declared: &Declared) -> PathBuf {
    dtrace(place, declared);
    let mut source =
        "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <sys/types.h>\n\
        typedef struct CPUState CPUState;\n#include \"probes.h\"\n"
            .to_owned();
    for event in active(declared) {
        let types = event.arguments.iter().map(|argument| argument.ctype_text.as_str());
        let parameters: Vec<String> =
            types.zip(0..).map(|(ctype, index)| format!("{ctype} a{index}")).collect();
        let values: Vec<String> = (0..parameters.len()).map(|index| format!("a{index}")).collect();
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        // dtrace(1) replaces `__` by `_` before it converts to capitals.
        let probe = event.name.replace("__", "_").to_ascii_uppercase();
        writeln!(source, "void fire_{}({parameters}) {{", event.name).unwrap();
        writeln!(source, "    if (QEMU_{probe}_ENABLED()) QEMU_{probe}({});\n}}", values.join(", ")).unwrap();
    }
    source.push_str("int main(void) { return 0; }\n");
    std::fs::write(place.join("program.c"), source).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.current_dir(place).args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-I."]);
    succeed(gcc.args(["-o", "program", "program.c", "probes.o"]));
    place.join("program")
}

/// Returns the size of an argument in the notes, which is negative for signed types.
fn size(ctype: CType) -> i32 {
    match ctype {
        CType::Integer { bytes, signed: true } => -i32::from(bytes),
        CType::Integer { bytes, .. } => bytes.into(),
        CType::Bool => 1,
        _ => 8,
    }
}

/// Lists the probes of `program` with `readelf --notes`, sorted: `NAME SIZE SIZE ...`.
fn notes(program: &Path) -> Vec<String> {
    let text = succeed(Command::new("readelf").args(["--notes"]).arg(program));
    let text = String::from_utf8(text).unwrap();
    let after = |line: &'static str| text.lines().filter_map(move |said| said.trim().strip_prefix(line));
    let mut notes: Vec<String> = after("Name: ")
        .zip(after("Arguments:"))
        .map(|(name, arguments)| {
            let sizes = arguments.split_whitespace().map(|argument| argument.split_once('@').unwrap().0);
            [name].into_iter().chain(sizes).collect::<Vec<&str>>().join(" ")
        })
        .collect();
    notes.sort();
    assert_eq!(after("Provider: ").filter(|provider| *provider == "qemu").count(), notes.len());
    notes
}

#[test]
fn probes_have_their_arguments() {
    for declared in shown() {
        let place = TempDir::new().unwrap();
        let mut expected: Vec<String> = active(&declared)
            .map(|event| {
                let sizes = event.arguments.iter().map(|argument| format!(" {}", size(argument.ctype)));
                format!("{}{}", event.name, sizes.collect::<String>())
            })
            .collect();
        expected.sort();
        assert_eq!(notes(&program(place.path(), &declared)), expected);
    }
}

/// Checks that dtrace(1) accepts reserved words as names, from which it derives macro names.
#[test]
fn names_are_read() {
    let declared = Declared::read(&folder().join("names.events")).without(&["Self", "group"]);
    dtrace(TempDir::new().unwrap().path(), &declared);
}
