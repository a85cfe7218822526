//! The installed C library: its symbols, and programs that find it with pkg-config or CMake.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Returns the folder of the installed files. The first call installs them.
fn dist() -> &'static Path {
    static INSTALLED: OnceLock<PathBuf> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ringtrace-dist");
        let _ = fs::remove_dir_all(&folder);
        succeeds(Command::new(env!("CARGO_BIN_EXE_xtask")).arg("dist").arg(&folder).arg("--debug"));
        folder
    })
}

fn succeeds(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = [&output.stdout[..], &output.stderr].concat();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&text));
    output
}

fn text(command: &mut Command) -> String {
    String::from_utf8(succeeds(command).stdout).unwrap()
}

/// Returns a command that runs an installed program.
fn tool(name: &str) -> Command {
    Command::new(dist().join("bin").join(name))
}

/// Returns a command that finds the library with pkg-config.
fn with_package(program: &str) -> Command {
    let mut command = Command::new(program);
    command.env("PKG_CONFIG_PATH", dist().join("lib/pkgconfig"));
    command
}

fn pkg_config(arguments: &[&str]) -> Vec<String> {
    let flags = text(with_package("pkg-config").args(arguments).arg("ringtrace"));
    flags.split_whitespace().map(str::to_owned).collect()
}

/// Returns the names that the version script exports.
fn exported_by_map() -> BTreeSet<String> {
    let map = fs::read_to_string(root().join("crates/capi/libringtrace.map")).unwrap();
    let (_, global) = map.split_once("global:").unwrap();
    let (global, _) = global.split_once("local:").unwrap();
    global.split(';').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

/// Returns the names that the headers declare. gcc lists the functions; objects are declared with
/// `extern`.
fn declared_by_headers() -> BTreeSet<String> {
    let include = dist().join("include/ringtrace");
    let folder = tempfile::tempdir().unwrap();
    let mut source = String::new();
    let mut names = BTreeSet::new();
    for folder in ["", "qemu", "trace"] {
        for entry in fs::read_dir(include.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "h") {
                continue;
            }
            source += &format!("#include \"{}\"\n", path.strip_prefix(&include).unwrap().display());
            for line in fs::read_to_string(&path).unwrap().lines() {
                let Some(object) = line.strip_prefix("extern ").filter(|line| !line.contains("\"C\"")) else {
                    continue;
                };
                let object = object.split(" __attribute__").next().unwrap().trim_end_matches(';');
                names.insert(object.rsplit([' ', '*']).next().unwrap().to_owned());
            }
        }
    }
    let prototypes = folder.path().join("prototypes");
    fs::write(folder.path().join("all.c"), source).unwrap();
    let mut gcc = Command::new("gcc");
    // With `extern`, inline functions become ordinary functions, which gcc lists.
    gcc.args(["-DRINGTRACE_INLINE=extern", "-c", "-I"]).arg(&include).arg("-aux-info").arg(&prototypes);
    succeeds(gcc.arg("all.c").current_dir(folder.path()));
    let ours = include.display().to_string();
    let mut inline = BTreeSet::new();
    // Declarations look like `/* PATH:LINE:NC */ extern bool st_init (void);`. Definitions have
    // `NF`.
    for line in fs::read_to_string(prototypes).unwrap().lines().filter(|line| line.contains(&ours)) {
        let Some((place, declared)) = line.split_once("*/ extern ") else { continue };
        let name = declared.split(" (").next().unwrap().rsplit([' ', '*']).next().unwrap();
        if place.trim_end().ends_with(":NF") { &mut inline } else { &mut names }.insert(name.to_owned());
    }
    // The symbols of inline functions differ from their names in C.
    names.retain(|name| !inline.contains(name));
    let symbols = text(
        Command::new("nm")
            .args(["--defined-only", "--extern-only", "--just-symbols"])
            .arg(folder.path().join("all.o")),
    );
    names.extend(symbols.lines().map(str::to_owned));
    names
}

#[test]
fn the_library_exports_what_its_headers_declare() {
    let mut declared = declared_by_headers();
    let (record, marker) = ("ringtrace_trace_record_start_1", "trace_marker_fd");
    assert!(declared.contains(record) && declared.contains(marker), "{declared:?}");
    // Code that was compiled with QEMU's own trace/simple.h must not link.
    assert!(!declared.iter().any(|name| name.starts_with("trace_record_")), "{declared:?}");
    // Copies of the runtime in one process find each other by this symbol.
    declared.insert("ringtrace_runtime".to_owned());
    let map = exported_by_map();
    assert_eq!(map, declared, "left: libringtrace.map, right: headers");

    let object = dist().join("lib/libringtrace.so.0.1.0");
    let listed =
        text(Command::new("nm").args(["--dynamic", "--defined-only", "--with-symbol-versions"]).arg(&object));
    let exported: BTreeSet<String> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().nth(2)?.split_once("@@RINGTRACE_0.1"))
        .map(|(name, _)| name.to_owned())
        .collect();
    assert_eq!(exported, map, "left: libringtrace.so, right: libringtrace.map");
    assert_eq!(listed.lines().filter(|line| !line.contains("RINGTRACE_0.1")).count(), 0, "{listed}");
    let dynamic = text(Command::new("readelf").args(["--dynamic", "--wide"]).arg(&object));
    assert!(dynamic.contains("soname: [libringtrace.so.0]"), "{dynamic}");
}

#[test]
fn the_archive_has_no_other_global_symbols() {
    let mut nm = Command::new("nm");
    nm.args(["--extern-only", "--defined-only", "--just-symbols"]).arg(dist().join("lib/libringtrace.a"));
    let listed = text(&mut nm);
    let is_symbol = |line: &&str| !line.is_empty() && !line.ends_with(':');
    let defined: BTreeSet<String> = listed.lines().filter(is_symbol).map(str::to_owned).collect();
    assert_eq!(defined, exported_by_map(), "left: libringtrace.a, right: libringtrace.map");
}

/// A library in Rust, like the devices of a QEMU with `--enable-rust`.
const OTHER_LIBRARY: &str = r#"
    #[unsafe(no_mangle)]
    pub extern "C" fn other() -> i32 {
        let number = std::thread::spawn(|| 41).join().unwrap();
        let caught = std::panic::catch_unwind(|| std::fs::read("/no/such/file").unwrap());
        number + i32::from(caught.is_err())
    }
"#;

/// A program that traces and uses the other library.
const PROGRAM_WITH_BOTH: &str = r#"
    #include <stdio.h>
    #include "ringtrace.h"

    int other(void);

    int main(int argc, char **argv)
    {
        int started = ringtrace_start_with_args(&argc, argv);
        int refused = ringtrace_switch_backends("sample");

        printf("%d %d %d %s\n", started, other(), refused, ringtrace_error());
        return 0;
    }
"#;

/// Each of the two libraries contains Rust's standard library. The linker includes both libraries
/// in full, as it does with QEMU's libraries.
#[test]
fn a_program_may_contain_another_library_in_rust() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("other.rs"), OTHER_LIBRARY).unwrap();
    fs::write(folder.path().join("both.c"), PROGRAM_WITH_BOTH).unwrap();
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition=2024", "--crate-type=staticlib", "other.rs"]);
    succeeds(rustc.current_dir(folder.path()));
    let libraries = pkg_config(&["--variable=static_libs"]);
    for orders in [["libother.a", &libraries[0]], [&libraries[0], "libother.a"]] {
        let mut cc = Command::new("cc");
        cc.args(["-Wall", "-Werror", "-o", "both", "both.c"]).args(pkg_config(&["--cflags"]));
        // Unused code in Rust's standard library refers to functions of newer C libraries.
        cc.args(["-Wl,--gc-sections", "-Wl,--whole-archive"]).args(orders).arg("-Wl,--no-whole-archive");
        succeeds(cc.args(&libraries[1..]).current_dir(folder.path()));
        let mut both = Command::new(folder.path().join("both"));
        both.args(["--trace", "file=t"]).current_dir(folder.path()).env("RINGTRACE_DIR", folder.path());
        // The other library starts a thread, and catches a panic.
        let refused = "unknown backend 'sample'; did you mean `simple`?";
        assert_eq!(text(&mut both), format!("0 42 -1 {refused}\n"), "{orders:?}");
        assert!(folder.path().join("t").metadata().unwrap().len() > 0);
        fs::remove_file(folder.path().join("t")).unwrap();
    }
}

/// A program that starts tracing, and prints the library's version.
const PROGRAM: &str = r#"
    #include <stdio.h>
    #include "ringtrace.h"
    #include "trace/control.h"

    int main(int argc, char **argv)
    {
        if (ringtrace_start_with_args(&argc, argv) != 0) {
            fprintf(stderr, "%s\n", ringtrace_error());
            return 1;
        }
        printf("%s %d\n", ringtrace_version(), trace_events_enabled_count);
        return 0;
    }
"#;

#[test]
fn pkg_config_finds_both_libraries() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("program.c"), PROGRAM).unwrap();
    let compile = |name: &str, libraries: &[String]| {
        let mut cc = Command::new("cc");
        cc.args(["-Wall", "-Werror", "-o", name, "program.c"])
            .args(pkg_config(&["--cflags"]))
            .args(libraries);
        succeeds(cc.current_dir(folder.path()));
        Command::new(folder.path().join(name))
    };
    let traces = |mut program: Command| {
        program.args(["--trace", "file=t"]).current_dir(folder.path()).env("RINGTRACE_DIR", folder.path());
        assert_eq!(text(&mut program), "0.1.0 0\n");
        assert!(folder.path().join("t").metadata().unwrap().len() > 0);
        fs::remove_file(folder.path().join("t")).unwrap();
    };
    assert_eq!(pkg_config(&["--modversion"]), ["0.1.0"]);
    traces(compile("static", &pkg_config(&["--variable=static_libs"])));
    let without_shared = [vec!["-static".to_owned()], pkg_config(&["--static", "--libs"])].concat();
    // `-Werror` applies only to the compiler, because the linker warns about getaddrinfo().
    traces(compile("fully-static", &without_shared));
    let mut dynamic = compile("dynamic", &pkg_config(&["--libs"]));
    let output = dynamic.output().unwrap();
    assert!(!output.status.success(), "the shared object is not in the system's search path");
    dynamic.env("LD_LIBRARY_PATH", dist().join("lib"));
    traces(dynamic);
}

/// Copies `examples/c-malloc` into a temporary folder, to build it there.
fn example() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(root().join("examples/c-malloc")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        // Skip files that a build in the source folder created.
        if name == "Makefile" || [".c", ".h", ".build", "-events"].iter().any(|end| name.ends_with(end)) {
            fs::copy(&path, folder.path().join(name)).unwrap();
        }
    }
    let _ = fs::remove_file(folder.path().join("trace-malloc.h"));
    let _ = fs::remove_file(folder.path().join("trace-malloc.c"));
    folder
}

/// Runs the example, and finds the blocks that it never frees.
fn finds_leaks(program: &Path, how: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut run = Command::new(program);
    run.args(["--trace", "my_*,file=malloc.trace", "60"]).current_dir(folder.path());
    run.env("RINGTRACE_DIR", folder.path()).env("LD_LIBRARY_PATH", dist().join("lib"));
    assert_eq!(text(&mut run), "54 of 60 requests served\n", "{how}");

    let trace = folder.path().join("malloc.trace");
    let print = text(tool("ringtrace").args(["print", "--style", "log"]).arg(&trace));
    let mut leaks: Vec<&str> = Vec::new();
    for line in print.lines() {
        // `my_malloc size 20 ptr 0x55d0`
        let words: Vec<&str> = line.split(' ').collect();
        let ["my_malloc" | "my_free", "size", size, "ptr", block] = words[..] else {
            panic!("{how}: {line}")
        };
        assert_eq!(size.parse::<u64>().unwrap() % 16, 4, "{how}: {line}");
        match words[0] {
            "my_malloc" => leaks.push(block),
            _ => leaks.retain(|leak| *leak != block),
        }
    }
    assert_eq!(print.lines().count(), 60 + 54, "{how}");
    assert_eq!(leaks.len(), 6, "{how}");

    let stat =
        text(tool("ringtrace").args(["stat", "--json", "--pair", "my_malloc:my_free:ptr"]).arg(&trace));
    let stat: serde_json::Value = serde_json::from_str(&stat).unwrap();
    let pair = &stat["pairs"][0];
    assert_eq!((pair["matched"].as_u64(), pair["open"].as_u64()), (Some(54), Some(6)), "{how}");
    let oldest = pair["oldest_open"].as_array().unwrap();
    let oldest: Vec<&str> = oldest.iter().map(|open| open["keys"][0].as_str().unwrap()).collect();
    assert_eq!(oldest, leaks[..5], "{how}");
}

/// Returns whether a program is linked with the shared object.
fn is_dynamic(program: &Path) -> bool {
    text(Command::new("readelf").arg("--dynamic").arg(program)).contains("[libringtrace.so.0]")
}

#[test]
fn make_builds_the_example_and_its_leaks_are_found() {
    let folder = example();
    let program = folder.path().join("c-malloc");
    let make = |arguments: &[&str]| {
        text(
            with_package("make")
                .arg("CFLAGS=-O2 -Wall -Wextra -Werror")
                .args(arguments)
                .current_dir(folder.path()),
        )
    };
    make(&[]);
    assert!(is_dynamic(&program));
    finds_leaks(&program, "make");
    assert!(make(&[]).contains("up to date"), "a second `make` builds nothing");
    make(&["clean"]);
    make(&["STATIC=1"]);
    assert!(!is_dynamic(&program));
    finds_leaks(&program, "make STATIC=1");
}

#[test]
fn meson_builds_the_example_and_its_leaks_are_found() {
    let folder = example();
    for (build, more) in [("shared", None), ("static", Some("--prefer-static"))] {
        let meson = |arguments: &[&str]| {
            succeeds(with_package("meson").args(arguments).current_dir(folder.path()));
        };
        meson(&[&["setup", "--werror", build][..], more.as_slice()].concat());
        meson(&["compile", "-C", build]);
        let program = folder.path().join(build).join("c-malloc");
        assert_eq!(is_dynamic(&program), more.is_none());
        finds_leaks(&program, &format!("meson, {build}"));
    }
}

/// Runs cmake in `folder`. Returns `None`, and prints a message, if it is not installed.
fn cmake(folder: &Path, arguments: &[&str]) -> Option<()> {
    let mut cmake = Command::new("cmake");
    cmake
        .args(arguments)
        .current_dir(folder)
        .env("CMAKE_PREFIX_PATH", dist())
        .env("CXXFLAGS", "-Wall -Werror");
    let output = match cmake.output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("SKIPPED: cmake is not installed");
            return None;
        }
        output => output.unwrap(),
    };
    let text = [&output.stdout[..], &output.stderr].concat();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&text));
    Some(())
}

#[test]
fn cmake_builds_the_example_in_cplusplus() {
    let folder = tempfile::tempdir().unwrap();
    let example = root().join("examples/cpp-queue");
    for name in ["CMakeLists.txt", "main.cc", "trace-events"] {
        fs::copy(example.join(name), folder.path().join(name)).unwrap();
    }
    for (build, is_static) in [("shared", "OFF"), ("static", "ON")] {
        let option = format!("-DSTATIC={is_static}");
        if cmake(folder.path(), &["-B", build, &option]).is_none() {
            return;
        }
        cmake(folder.path(), &["--build", build]).unwrap();
        let program = folder.path().join(build).join("cpp-queue");
        assert_eq!(is_dynamic(&program), is_static == "OFF");
        // cmake stores the path of the shared object in programs that it does not install.
        let mut run = Command::new(&program);
        run.args(["--trace", "*,file=t"]).current_dir(folder.path()).env("RINGTRACE_DIR", folder.path());
        succeeds(&mut run);
        let print = |arguments: &[&str]| {
            text(tool("ringtrace").arg("print").args(arguments).arg("t").current_dir(folder.path()))
        };
        assert_eq!(print(&[]).lines().count(), 2 * 100 + 3, "{build}");
        assert_eq!(print(&["--where", "failed == 1"]).lines().count(), 10, "{build}");
    }
    let shown = blocks(&fs::read_to_string(example.join("README.md")).unwrap(), "trace-events");
    assert!(fs::read_to_string(example.join("trace-events")).unwrap().ends_with(&shown));
    // A second build generates nothing, unless the declarations changed.
    let header = folder.path().join("shared/ringtrace/cpp-queue/trace-queue.h");
    let time = || header.metadata().unwrap().modified().unwrap();
    let before = time();
    cmake(folder.path(), &["--build", "shared"]).unwrap();
    assert_eq!(time(), before);
    let declarations = folder.path().join("trace-events");
    let more = fs::read_to_string(&declarations).unwrap() + "task_more(void) \"\"\n";
    fs::write(&declarations, more).unwrap();
    cmake(folder.path(), &["--build", "shared"]).unwrap();
    assert!(fs::read_to_string(header).unwrap().contains("trace_task_more(void)"));
}

/// Builds the program in the document with the build file in the document. CMake rejects the build
/// file if it requests a newer version of the package, or if the project does not enable C.
#[test]
fn cmake_builds_the_program_in_the_document() {
    let document = fs::read_to_string(root().join("docs/c.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("trace-events"), blocks(&document, "trace-events")).unwrap();
    fs::write(folder.path().join("disk.c"), blocks(&document, "c")).unwrap();
    let build = blocks(&document, "cmake");
    fs::write(folder.path().join("CMakeLists.txt"), &build).unwrap();
    if cmake(folder.path(), &["-B", "build"]).is_none() {
        return;
    }
    cmake(folder.path(), &["--build", "build"]).unwrap();
    let mut run = Command::new(folder.path().join("build/disk"));
    run.args(["--trace", "*,backend=log"]).current_dir(folder.path()).env("RINGTRACE_DIR", folder.path());
    let output = succeeds(&mut run);
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("blk_read req=0x"), "{output:?}");
    for (from, to, reason) in [
        ("LANGUAGES C)", "LANGUAGES CXX)", "generated sources are C"),
        ("find_package(ringtrace", "find_package(ringtrace 0.2", "version: 0.1.0"),
    ] {
        let changed = build.replace(from, to);
        assert_ne!(changed, build);
        fs::write(folder.path().join("CMakeLists.txt"), changed).unwrap();
        let mut cmake = Command::new("cmake");
        cmake.args(["-B", to]).current_dir(folder.path()).env("CMAKE_PREFIX_PATH", dist());
        let output = cmake.output().unwrap();
        assert!(!output.status.success(), "{to}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(reason), "{output:?}");
    }
}

/// Returns the code blocks of a language in a document, one after the other.
fn blocks(document: &str, language: &str) -> String {
    let fence = format!("```{language}\n");
    document.split(&fence).skip(1).filter_map(|rest| Some(rest.split_once("```")?.0)).collect()
}

#[test]
fn the_program_in_the_document_traces() {
    let document = fs::read_to_string(root().join("docs/c.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("trace-events"), blocks(&document, "trace-events")).unwrap();
    fs::write(folder.path().join("disk.c"), blocks(&document, "c")).unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut script = with_package("sh");
    let compile =
        "c++ -Wall -Wextra -Wpedantic -Werror -fsyntax-only $(pkg-config --cflags ringtrace) request.cc";
    let commands = [&blocks(&document, "text"), &blocks(&document, "sh"), compile].concat();
    fs::write(folder.path().join("request.cc"), blocks(&document, "cpp")).unwrap();
    script.args(["-e", "-c", &commands]).current_dir(folder.path());
    script.env("PATH", format!("{}:{path}", dist().join("bin").display()));
    script.env("LD_LIBRARY_PATH", dist().join("lib")).env("RINGTRACE_DIR", folder.path());
    let printed = text(&mut script);
    assert!(
        printed.starts_with("blk_read 0.000 ") && printed.contains(" offset=0x1000 len=0x200"),
        "{printed}"
    );

    // The example's README shows the example's declarations.
    let example = root().join("examples/c-malloc");
    let shown = blocks(&fs::read_to_string(example.join("README.md")).unwrap(), "trace-events");
    assert!(fs::read_to_string(example.join("trace-events")).unwrap().ends_with(&shown));
}

/// A program that uses only QEMU's functions, and no options.
const QEMU_PROGRAM: &str = r#"
    #include "qemu/osdep.h"
    #include "qemu/module.h"
    #include "trace/control.h"
    #include "trace-blk.h"

    int main(void)
    {
        module_call_init(MODULE_INIT_TRACE);
        if (!trace_init_backends()) {
            return 1;
        }
        trace_init_file();
        trace_blk_read(4096);
        return 0;
    }
"#;

/// Builds the program with these backends in `folder`, and runs it under `ringtrace record`. Returns
/// the exit status and standard error.
fn record(folder: &Path, backends: &str) -> (Option<i32>, String) {
    fs::write(folder.join("trace-events"), "blk_read(int len) \"len %d\"\n").unwrap();
    fs::write(folder.join("disk.c"), QEMU_PROGRAM).unwrap();
    for (format, output) in [("--format=h", "trace-blk.h"), ("--format=c", "trace-blk.c")] {
        let arguments = ["--group=blk", backends, format, "trace-events", output];
        succeeds(tool("tracetool").args(arguments).current_dir(folder));
    }
    let mut cc = Command::new("cc");
    cc.args(["-Wall", "-Werror", "-o", "disk", "disk.c", "trace-blk.c"]);
    cc.args(pkg_config(&["--cflags"])).args(pkg_config(&["--variable=static_libs"]));
    succeeds(cc.current_dir(folder));
    let mut record = tool("ringtrace");
    record.args(["record", "-q", "-o", "t", "--", "./disk"]).current_dir(folder);
    let output = record.env("RINGTRACE_DIR", folder).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn record_traces_programs_with_qemu_s_functions() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(record(folder.path(), "--backends=simple"), (Some(0), String::new()));
    let print = text(tool("ringtrace").args(["print", "--style", "log"]).arg(folder.path().join("t")));
    assert_eq!(print, "blk_read len 4096\n");
}

#[test]
fn record_fails_if_only_the_log_is_compiled_in() {
    let folder = tempfile::tempdir().unwrap();
    let (status, stderr) = record(folder.path(), "--backends=log");
    assert_eq!(status, Some(1), "{stderr}");
    // `file=` specifies the log's file.
    assert_eq!(fs::read_to_string(folder.path().join("t")).unwrap(), "blk_read len 4096\n");
    assert!(stderr.starts_with("error: there is no trace: disk did not start one\n"), "{stderr}");
    assert!(stderr.contains("its probes lack the backend simple"), "{stderr}");
    assert!(stderr.contains("--enable-trace-backends=simple"), "{stderr}");
}
