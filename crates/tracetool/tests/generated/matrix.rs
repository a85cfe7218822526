//! Checks that all generated C compiles without warnings, with two compilers and every set of
//! backends.
//!
//! The code is compiled with the headers of ringtrace's C library, which have the same names as
//! QEMU's headers. One compiler call compiles many source files.

use std::path::{Path, PathBuf};
use std::process::Command;

use ringtrace_tracetool::{BACKENDS, Backend, FORMATS};
use tempfile::TempDir;

use crate::sources::{Declared, backends, folder, subsets, succeed};

const COMPILERS: [&str; 2] = ["gcc", "clang"];
const WARNINGS: [&str; 6] = ["-fsyntax-only", "-std=gnu11", "-Wall", "-Wextra", "-Wformat=2", "-Werror"];

/// The formats compiled here.
const C_FORMATS: &[&str] = &[
    "h",
    "c",
    "events-h",
    "events-c",
    "ust-events-h",
    "ust-events-c",
    "tcg-h",
    "tcg-helper-h",
    "tcg-helper-c",
    "tcg-helper-wrapper-h",
];

#[test]
fn no_format_of_c_is_forgotten() {
    for format in FORMATS {
        let is_c = format.about.starts_with("C ") || format.about.starts_with("C, ");
        assert_eq!(is_c, C_FORMATS.contains(&format.name), "{}", format.name);
    }
}

/// A folder with generated source files and the headers they include.
struct Build {
    folder: TempDir,
}

impl Build {
    fn new() -> Build {
        Build { folder: TempDir::new().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Writes the headers of backends with external tracers. The headers do not depend on other
    /// backends.
    fn tracers_headers(&self, group: &str, declared: &Declared) {
        self.write("probes.d", &declared.generate("d", group, &backends(&["dtrace"])));
        let header = format!("trace-dtrace-{group}.h");
        if declared.has_active() {
            succeed(
                Command::new("dtrace")
                    .args(["-DSTAP_SDT_V2", "-h", "-s", "probes.d", "-o", &header])
                    .current_dir(self.folder.path()),
            );
        } else {
            // For an empty input, dtrace(1) writes no header.
            self.write(&header, "");
        }
        let provider = declared.generate("ust-events-h", group, &backends(&["ust"]));
        self.write(&format!("trace-ust-{group}.h"), &provider);
    }

    /// Writes the header and the source of the probes to the folder `set`.
    fn probes(&self, set: &str, group: &str, declared: &Declared, backends: &[&'static Backend]) -> String {
        self.write(&format!("{set}/trace-{group}.h"), &declared.generate("h", group, backends));
        let source = format!("{set}/trace-{group}.c");
        self.write(&source, &declared.generate("c", group, backends));
        source
    }

    /// Compiles `sources` with every compiler.
    fn compile(&self, sources: &[String]) {
        self.compile_with(&[], sources);
    }

    /// Compiles `sources`, searching `folders` for headers first.
    fn compile_with(&self, folders: &[PathBuf], sources: &[String]) {
        COMPILERS.iter().for_each(|compiler| self.compile_by(compiler, folders, sources));
    }

    fn compile_by(&self, compiler: &str, folders: &[PathBuf], sources: &[String]) {
        let mut command = Command::new(compiler);
        folders.iter().for_each(|folder| {
            command.arg("-I").arg(folder);
        });
        command.current_dir(self.folder.path()).args(WARNINGS).args(["-I.", "-I"]).arg(include());
        succeed(command.args(sources));
    }
}

/// The headers of ringtrace's C library.
fn include() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../capi/include")
}

/// Every type, every number of arguments, strings, keywords, `disable`, `vcpu` and `tcg` events.
fn shown() -> Vec<(&'static str, Declared)> {
    ["counts", "disabled", "formats", "names", "nothing", "tcg", "types", "values"]
        .into_iter()
        .map(|name| {
            let declared = Declared::read(&folder().join(name).with_extension("events"));
            (name, declared.without(NOT_FOR_C))
        })
        .collect()
}

/// Events with too many arguments, with names that clash when case or underscores are ignored, or
/// with a NUL in the format, which causes compiler warnings.
const NOT_FOR_C: &[&str] =
    &["of_11", "of_12", "of_13", "of_14", "of_15", "of_16", "Self", "group", "__x", "cut"];

#[test]
fn every_set_of_backends_compiles() {
    let build = Build::new();
    let shown = shown();
    for (group, declared) in &shown {
        build.tracers_headers(group, declared);
    }
    let sets: Vec<Vec<&'static Backend>> = subsets().collect();
    // `nop` adds no code, so it is compiled alone.
    assert_eq!(sets.len(), 1 + (1 << (BACKENDS.len() - 1)));
    let mut sources = Vec::new();
    for (index, set) in sets.iter().enumerate() {
        let folder = format!("set_{index}");
        let parts = shown.iter().map(|(group, declared)| build.probes(&folder, group, declared, set));
        let source: String = parts.map(|part| format!("#include \"{part}\"\n")).collect();
        build.write(&format!("{folder}.c"), &source);
        sources.push(format!("{folder}.c"));
    }
    // The sets of an even size contain each backend, with and without each other one.
    let is_even = |index: &usize| sets[*index].len().is_multiple_of(2);
    let even: Vec<String> = (0..sets.len()).filter(is_even).map(|index| sources[index].clone()).collect();
    build.compile_by("gcc", &[], &sources);
    build.compile_by("clang", &[], &even);
}

/// Compiles names that are reserved in a language or in generated code, a group whose name is not
/// an identifier, and `vcpu` events.
#[test]
fn names_of_every_language_compile() {
    let build = Build::new();
    for group in ["hw_9PFS", "keywords", "legacy", "locals"] {
        let declared = Declared::read(&folder().join(group).with_extension("events"));
        build.tracers_headers(group, &declared);
        let source = build.probes(group, group, &declared, BACKENDS);
        build.compile(&[source]);
    }
}

/// The number of events in a group: about as many as in QEMU's largest folders.
const EVENTS_PER_GROUP: usize = 250;

#[test]
fn all_events_of_qemu_compile() {
    let Some(path) = ringtrace_corpus::find_or_skip("qemu/trace-events-all") else { return };
    let groups = Declared::read(&path).cut(EVENTS_PER_GROUP);
    assert!(groups.len() > 20);
    let build = Build::new();
    let probes = |set: &[&str], (index, declared): (usize, &Declared)| {
        let group = format!("g{index}");
        if set != ["nop"] {
            build.tracers_headers(&group, declared);
        }
        build.probes(&set.concat(), &group, declared, &backends(set))
    };
    let all = &["dtrace", "ftrace", "log", "simple", "syslog", "ust"][..];
    let sources: Vec<String> = groups.iter().enumerate().map(|group| probes(all, group)).collect();
    build.compile_by("gcc", &[], &sources);
    // A part is enough here: both compilers compile all types, and the sets between these two, above.
    let without: Vec<String> =
        groups.iter().enumerate().step_by(4).map(|group| probes(&["nop"], group)).collect();
    build.compile_by("gcc", &[], &without);
    let sources: Vec<String> = sources.into_iter().step_by(4).collect();
    build.compile_by("clang", &[], &sources);
}

/// Compiles the source file with the LTTng-UST tracepoints of each group. `lttng.rs` also compiles some of
/// QEMU's, which takes the compilers long.
#[test]
fn providers_of_lttng_compile() {
    let build = Build::new();
    for (index, (_, declared)) in shown().iter().enumerate() {
        let provider = format!("provider_{index}");
        for (format, ending) in [("ust-events-h", "h"), ("ust-events-c", "c")] {
            let text = declared.generate(format, "all", &backends(&["ust"]));
            build.write(&format!("{provider}/trace-ust-all.{ending}"), &text);
        }
        build.compile_with(&[build.path(&provider)], &[format!("{provider}/trace-ust-all.c")]);
    }
}

/// Compiles the events of a program without groups, once with ringtrace's headers, in which events
/// belong to no CPU, and once with headers like QEMU's from 2016.
#[test]
fn events_without_groups_compile() {
    let build = Build::new();
    let legacy = Declared::read(&folder().join("legacy.events"));
    for (index, (group, declared)) in shown().into_iter().chain([("legacy", legacy)]).enumerate() {
        // The probe of this event would have the same name as the array of all events.
        let declared = declared.without(&["events"]);
        let place = format!("events_{index}");
        build.tracers_headers(group, &declared);
        build.probes(&place, group, &declared, BACKENDS);
        build.write(&format!("{place}/trace.h"), &format!("#include \"trace-{group}.h\"\n"));
        build.write(&format!("{place}/trace/generated-events.h"), &declared.generate("events-h", group, &[]));
        let source = format!("{place}/events.c");
        build.write(&source, &declared.generate("events-c", group, &[]));
        let own = build.path(&place);
        build.compile_with(std::slice::from_ref(&own), std::slice::from_ref(&source));

        build.write(&format!("{place}/2016/trace.h"), "#include \"trace/control.h\"\n");
        let source_2016 = format!("{place}/2016/events.c");
        build.write(&source_2016, &declared.generate("events-c", group, &[]));
        build.compile_with(&[folder().join("stubs/2016"), own], &[source_2016]);
    }
}

/// Compiles the formats for QEMU's translator. The translator uses probes that newer versions of
/// QEMU lack.
#[test]
fn translators_probes_compile() {
    let build = Build::new();
    let declared = Declared::read(&folder().join("tcg.events"));
    build.tracers_headers("tcg", &declared);
    let stubs = folder().join("stubs/tcg");
    // Only the probes depend on backends. All sets of backends are tested above.
    for set in [backends(&["nop"]), BACKENDS.to_vec()] {
        build.probes("probes", "tcg", &declared, &set);
        build.write("trace.h", "#include \"probes/trace-tcg.h\"\n");
        for (format, file) in [
            ("tcg-h", "translated.h"),
            ("tcg-helper-h", "trace/generated-helpers.h"),
            ("tcg-helper-wrapper-h", "trace/generated-helpers-wrappers.h"),
            ("tcg-helper-c", "helpers.c"),
        ] {
            build.write(file, &declared.generate(format, "tcg", &set));
        }
        build.write("translator.c", "#include \"exec/helper-gen.h\"\n#include \"translated.h\"\n");
        build
            .compile_with(std::slice::from_ref(&stubs), &["helpers.c".to_owned(), "translator.c".to_owned()]);
    }
}
