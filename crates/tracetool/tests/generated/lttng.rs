//! Generated LTTng-UST providers compile against LTTng's headers without warnings.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::dtrace::active;
use crate::sources::{Declared, folder, succeed};

const WARNINGS: [&str; 5] = ["-std=gnu11", "-Wall", "-Wextra", "-Wformat=2", "-Werror"];

/// A header that replaces QEMU's.
const OSDEP: &str = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <sys/types.h>\n\
    enum old { OLD };\n";

/// Compiles the provider of `declared`, and a file that includes its header as probes do.
fn compile(compiler: &str, declared: &Declared) {
    let place = TempDir::new().unwrap();
    let write = |name: &str, text: &str| std::fs::write(place.path().join(name), text).unwrap();
    std::fs::create_dir(place.path().join("qemu")).unwrap();
    write("qemu/osdep.h", OSDEP);
    write("trace-ust-all.h", &declared.generate("ust-events-h", "all", &[]));
    write("trace-ust-all.c", &declared.generate("ust-events-c", "all", &[]));
    // A group has its own header, in addition to the header for all groups.
    write("trace-ust-group.h", &declared.generate("ust-events-h", "group", &[]));
    let mut probes = "#include \"qemu/osdep.h\"\n#include \"trace-ust-group.h\"\n".to_owned();
    for event in active(declared) {
        let types = event.arguments.iter().map(|argument| argument.ctype_text.as_str());
        let parameters: Vec<String> =
            types.zip(0..).map(|(ctype, index)| format!("{ctype} a{index}")).collect();
        let values: String = (0..parameters.len()).map(|index| format!(", a{index}")).collect();
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        let name = &event.name;
        writeln!(probes, "void fire_{name}({parameters}) {{ tracepoint(qemu, {name}{values}); }}").unwrap();
    }
    write("probes.c", &probes);
    let mut command = Command::new(compiler);
    command.current_dir(place.path()).args(WARNINGS).args(["-I.", "-c", "trace-ust-all.c", "probes.c"]);
    succeed(&mut command);
    has_names(&place.path().join("trace-ust-all.o"), declared);
}

/// Checks that the provider's object contains exactly the events of `declared`.
fn has_names(object: &Path, declared: &Declared) {
    let symbols = succeed(Command::new("nm").arg(object));
    let symbols = String::from_utf8(symbols).unwrap();
    let prefix = "lttng_ust_tracepoint_qemu___";
    let mut found: Vec<&str> =
        symbols.lines().filter_map(|line| line.split_whitespace().last()?.strip_prefix(prefix)).collect();
    let mut expected: Vec<&str> = active(declared).map(|event| event.name.as_str()).collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

/// Joins the declarations of several files.
fn joined(files: &[&str]) -> Declared {
    let read = |name: &&str| std::fs::read_to_string(folder().join(name).with_extension("events")).unwrap();
    Declared::parse("joined", &files.iter().map(read).collect::<String>()).with_arguments(10)
}

#[test]
fn providers_compile() {
    let declared = joined(&["types", "keywords", "conversions", "disabled", "counts"]);
    for compiler in ["gcc", "clang"] {
        compile(compiler, &declared);
    }
    compile("gcc", &joined(&["nothing", "legacy"]));
    compile(
        "clang",
        &Declared::parse("old", "old(float a, double b, enum old c, off_t d) \"%f %g %d %x\"\n"),
    );
}

#[test]
fn events_of_qemu_compile() {
    let Some(path) = ringtrace_corpus::find_or_skip("qemu/trace-events-all") else { return };
    let declared = Declared::read(&path);
    // LTTng's headers compile slowly. Compiling all pieces takes a minute.
    let pieces = declared.cut(declared.events().len().div_ceil(32));
    compile("gcc", &pieces[7]);
    compile("clang", &pieces[23]);
}
