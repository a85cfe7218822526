//! Generated C compiles without warnings, has correct `#line` directives, and passes values
//! correctly.
//!
//! `testdata/tracetool/stubs/c` replaces QEMU and the tracers. The file `values.out` in that folder
//! contains the output of `program.c`. `RINGTRACE_ACCEPT=1` updates it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use ringtrace_events::lint::Language;
use ringtrace_tracetool::{BACKENDS, Backend};
use tempfile::TempDir;

use crate::sources::{Declared, accept_or_compare, backends, folder, succeed};

const COMPILERS: [&str; 2] = ["gcc", "clang"];

/// The options that QEMU's build adds to `-Wall -Wextra`, and stricter options.
const OPTIONS: [&str; 9] = [
    "-std=gnu11",
    "-Wall",
    "-Wextra",
    "-Wformat=2",
    "-Wmissing-prototypes",
    "-Wstrict-prototypes",
    "-Wshadow",
    "-Wundef",
    "-Werror",
];

fn stubs() -> PathBuf {
    folder().join("stubs/c")
}

fn compiler(name: &str) -> Command {
    let mut command = Command::new(name);
    command.env("LC_ALL", "C").args(OPTIONS).arg("-I").arg(stubs());
    command
}

/// Parses `NAME.events`.
fn declared(name: &str) -> Declared {
    // Compilers warn about the format of `cut`, which contains a NUL. The other names differ from
    // another event's only in case or underscores, so both events would have the same macro.
    Declared::read(&folder().join(format!("{name}.events"))).without(&["cut", "Self", "group", "__x"])
}

/// Writes the header, the source file and the tracers' headers to `folder`. Returns the path of the
/// source file.
fn write(declared: &Declared, group: &str, backends: &[&'static Backend], folder: &Path) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    for format in ["h", "c"] {
        let path = folder.join(format!("trace-{group}.{format}"));
        let text = declared.generate_to(format, group, backends, path.to_str().unwrap());
        assert_line_directives(&text, path.to_str().unwrap());
        fs::write(path, text).unwrap();
    }
    for (tracer, macros) in [("dtrace", "QEMU_{EVENT}"), ("ust", "qemu_tracepoint_{event}")] {
        let text = outside(declared, tracer, macros);
        fs::write(folder.join(format!("trace-{tracer}-{group}.h")), text).unwrap();
    }
    folder.join(format!("trace-{group}.c"))
}

/// Checks that each `#line` directive for `output` itself contains the number of the next line.
fn assert_line_directives(text: &str, output: &str) {
    for (index, line) in text.lines().enumerate() {
        let Some(directive) = line.trim_start().strip_prefix("#line ") else { continue };
        if directive.ends_with(&format!("\"{output}\"")) {
            assert_eq!(directive.split(' ').next(), Some(&*(index + 2).to_string()), "{output}");
        }
    }
}

/// Returns a tracer's header. It defines a macro for each active event, which prints the event's
/// arguments.
fn outside(declared: &Declared, tracer: &str, macros: &str) -> String {
    let mut text = "#include \"outside.h\"\n".to_owned();
    for event in declared.events().iter().filter(|event| !event.disabled) {
        let capitals = event.name.to_ascii_uppercase().replace("__", "_");
        let name = macros.replace("{event}", &event.name).replace("{EVENT}", &capitals);
        let arguments: Vec<String> = (0..event.arguments.len()).map(|index| format!("a{index}")).collect();
        let directive: String = arguments.iter().map(|name| format!("OUTSIDE_ARGUMENT({name}); ")).collect();
        writeln!(
            text,
            "#define {name}({}) do {{ outside_begin(\"{tracer}\", \"{}\"); {directive}outside_end(); }} while (0)",
            arguments.join(", "),
            event.name,
        )
        .unwrap();
    }
    text
}

#[test]
fn probes_compile_without_a_warning() {
    let build = TempDir::new().unwrap();
    let mut sources = Vec::new();
    let all = || vec![BACKENDS.to_vec(), BACKENDS.iter().rev().copied().collect(), vec![]];
    let each_alone = || BACKENDS.iter().map(|backend| vec![*backend]);
    for (name, sets) in [
        ("counts", all()),
        ("disabled", each_alone().chain(all()).collect()),
        ("extended", each_alone().chain(all()).collect()),
        ("formats", all()),
        ("hw_9PFS", all()),
        ("legacy", all()),
        ("locals", all()),
        ("names", all()),
        ("nothing", all()),
        ("tcg", each_alone().chain(all()).collect()),
        ("types", all()),
        ("values", each_alone().chain(all()).collect()),
    ] {
        let declared = declared(name);
        for (index, set) in sets.iter().enumerate() {
            sources.push(write(&declared, name, set, &build.path().join(format!("{name}.{index}"))));
        }
    }
    for name in COMPILERS {
        succeed(compiler(name).arg("-fsyntax-only").args(&sources));
    }
}

/// Generates argument names, some of which have a meaning in C or in generated code.
fn argument() -> impl Strategy<Value = String> {
    let types = ["int ", "uint64_t ", "void *", "const char *", "size_t ", "bool ", "char **", "char*"];
    let words = ["rec", "len_a", "a", "a_", "len_a_", "s", "LOG_INFO", "uint64_t", "qemu_log", "__cpu"];
    let name = prop_oneof![
        select(words.to_vec()).prop_map(str::to_owned),
        select(Language::C.keywords()).prop_map(str::to_owned),
        "[a-z_]{2,4}[0-9]",
    ];
    (select(types.to_vec()), name).prop_map(|(ctype, name)| format!("{ctype}{name}"))
}

/// Generates a declaration without its name. Its format contains characters that are special in
/// strings and comments.
fn declared_anyhow() -> impl Strategy<Value = String> {
    let arguments = vec(argument(), 1..11).prop_map(|arguments| arguments.join(", "));
    let arguments = prop_oneof![1 => Just("void".to_owned()), 9 => arguments];
    let format = r##"([a-lo-z#?!<>()/*%=\t\x{e9}\x{2192}\x{202e}\x{7f}-]|\\["\\?]){0,12}"##;
    (arguments, format)
        .prop_map(|(arguments, format)| format!("({arguments}) \"{}\"\n", format.replace('%', "%%")))
}

#[test]
fn any_declarations_compile() {
    let mut runner = TestRunner::deterministic();
    let build = TempDir::new().unwrap();
    let sources: Vec<PathBuf> = (0..2)
        .map(|index| {
            let mut text = String::new();
            for event in 0..200 {
                let rest = declared_anyhow().new_tree(&mut runner).unwrap().current();
                write!(text, "event_{event}{rest}").unwrap();
            }
            let declared = Declared::parse("anyhow/*/trace-events", &text);
            write(&declared, "anyhow", BACKENDS, &build.path().join(index.to_string()))
        })
        .collect();
    for name in COMPILERS {
        // A format may print fewer values than the event has arguments.
        succeed(compiler(name).args(["-fsyntax-only", "-Wno-format-extra-args"]).args(&sources));
    }
}

#[test]
fn format_warnings_point_to_the_declaration() {
    let declarations = "\
right(int x) \"x=%d\"

wrong(int x) \"x=%s\"
too_many(int x, int y) \"x=%d\"
";
    let build = TempDir::new().unwrap();
    let declared = Declared::parse("hw/some where/trace-events", declarations);
    for backend in ["log", "ftrace", "syslog"] {
        let source = write(&declared, "wrong", &backends(&[backend]), &build.path().join(backend));
        for name in COMPILERS {
            let output = compiler(name).arg("-fsyntax-only").arg(&source).output().unwrap();
            let directive = String::from_utf8(output.stderr).unwrap();
            let places: Vec<&str> = directive
                .lines()
                .filter(|line| line.contains(": error: "))
                .map(|line| line.split(": error: ").next().unwrap().rsplit_once(':').unwrap().0)
                .collect();
            assert_eq!(
                places,
                ["hw/some where/trace-events:3", "hw/some where/trace-events:4"],
                "{name}, {backend}:\n{directive}"
            );
        }
    }
}

/// Runs a program with the events of `values.events` and returns its output.
fn run(backends: &[&'static Backend]) -> String {
    let build = TempDir::new().unwrap();
    let source = write(&declared("values"), "values", backends, build.path());
    let program = build.path().join("program");
    succeed(
        compiler("gcc")
            .arg("-I")
            .arg(build.path())
            .arg("-o")
            .arg(&program)
            .arg(source)
            .arg(stubs().join("program.c")),
    );
    String::from_utf8(succeed(&mut Command::new(program))).unwrap()
}

#[test]
fn values_arrive() {
    let mut arrived = String::new();
    for (what, set) in [
        ("without a backend", vec![]),
        ("simple and log", backends(&["simple", "log"])),
        ("all backends", BACKENDS.to_vec()),
    ] {
        writeln!(arrived, "== {what}\n{}", run(&set)).unwrap();
    }
    accept_or_compare(&stubs().join("values.out"), &arrived);
}

#[test]
fn the_sample_of_the_document_compiles() {
    let document = fs::read_to_string(folder().join("../../docs/generate.md")).unwrap();
    let mut samples = document.split("```c\n").skip(1);
    let sample = samples.next().unwrap().split("```").next().unwrap();
    assert!(samples.next().is_none());

    let build = TempDir::new().unwrap();
    let declared = Declared::read(&folder().join("user/src/blk/trace-events"));
    let generated = write(&declared, "blk", &backends(&["log", "simple"]), build.path());
    let source = build.path().join("sample.c");
    fs::write(&source, sample).unwrap();
    for name in COMPILERS {
        succeed(
            compiler(name).args(["-fsyntax-only", "-Wno-missing-prototypes"]).args([&source, &generated]),
        );
    }
}
