//! Calls of `tracetool` by builds and users.
//!
//! The conversations in `testdata/calls` run in a copy of its `tree`. Tests that need more than a
//! shell are below.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

#[path = "../../cli/tests/console/mod.rs"]
mod console;

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use console::{Shell, expect, root};
use ringtrace_tracetool::{BACKENDS, FORMATS};
use tempfile::TempDir;

const TRACETOOL: &str = env!("CARGO_BIN_EXE_tracetool");

/// Copies `testdata/calls/tree`.
fn tree() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("testdata/calls/tree"), folder.path());
    folder
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir(&to).unwrap();
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), &to).unwrap();
        }
    }
}

/// Runs tracetool in `folder` with the blank-separated arguments `words`.
fn call(folder: &Path, words: &str) -> Output {
    call_with(folder, &words.split_whitespace().collect::<Vec<_>>())
}

fn call_with(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(TRACETOOL).args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn help() -> String {
    let output = call(Path::new("/"), "--help");
    assert!(output.status.success() && output.stdout.is_empty());
    stderr(&output)
}

#[test]
fn conversations_are_as_they_were() {
    let conversations = root().join("testdata/calls");
    let mut files: Vec<PathBuf> =
        fs::read_dir(&conversations).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut differing = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "console")) {
        let tree = tree();
        let accepted = fs::read_to_string(file).unwrap();
        let now = Shell::with(tree.path(), [("tracetool", Path::new(TRACETOOL))]).held_now(&accepted);
        differing.extend(expect(file, &accepted, &now));
        let hidden = hidden_files(tree.path());
        assert!(hidden.is_empty(), "{} left {hidden:?}", file.display());
    }
    assert!(differing.is_empty(), "RINGTRACE_ACCEPT=1 accepts\n{}", differing.join("\n"));
}

/// The blocks marked `calls` in the document are also conversations. They run in order, in one
/// tree.
#[test]
fn the_document_shows_actual_output() {
    let document = root().join("docs/tracetool.md");
    let text = fs::read_to_string(&document).unwrap();
    let tree = tree();
    let shell = Shell::with(tree.path(), [("tracetool", Path::new(TRACETOOL))]);
    let mut now = String::new();
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        now.push_str(line);
        if line.trim_end() == "```calls" {
            let block: String = lines.by_ref().take_while(|line| line.trim_end() != "```").collect();
            now.push_str(&shell.held_now(&block));
            now.push_str("```\n");
        }
    }
    assert_eq!(expect(&document, &text, &now), None, "RINGTRACE_ACCEPT=1 accepts");
}

/// Lists files whose names start with a dot, as the names of temporary files do.
fn hidden_files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).filter(|name| name.starts_with('.')).collect()
}

#[test]
fn help_lists_all_formats_and_backends() {
    let help = help();
    for format in FORMATS {
        assert!(help.contains(&format!("\n  {} ", format.name)), "{}", format.name);
    }
    for backend in BACKENDS {
        assert!(help.contains(&format!("\n  {} ", backend.name)), "{}", backend.name);
    }
    let page = String::from_utf8(call(Path::new("/"), "--man").stdout).unwrap().replace("\\-", "-");
    for name in FORMATS.iter().map(|format| format.name).chain(BACKENDS.iter().map(|it| it.name)) {
        assert!(page.contains(&format!("\n\\fB{name}\\fR\n")), "{name}");
    }
    let file = root().join("testdata/help/tracetool.txt");
    let accepted = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(expect(&file, &accepted, &help), None, "RINGTRACE_ACCEPT=1 accepts");
}

/// Each invalid call prints the reason and the usage to standard error and exits with status 1.
#[test]
fn messages_match_the_script() {
    let help = help();
    let tree = tree();
    for (words, reason) in [
        ("", "no backends specified"),
        ("--check-backends", "no backends specified"),
        ("--format=d --group=x trace-events out", "no backends specified"),
        ("--format=d --backends=nop", "group name is required"),
        ("--format=d --backends=nop trace-events out", "group name is required"),
        ("--format=d --backends=nop --group= trace-events out", "group name is required"),
        ("--format=d --backends=nop --group=x", "missing trace-events and output filepaths"),
        ("--backends=nop --group=x trace-events out", "format not set"),
        ("--format= --backends=nop --group=x trace-events out", "format not set"),
        ("--format=x --backends=nop --group=x trace-events out", "unknown format: x"),
        ("--format=d --backends=x --group=x trace-events out", "unknown backend: x"),
        ("--format=d --backends=log,,nop --group=x trace-events out", "unknown backend: "),
        ("--format=d --backends=x trace-events out", "group name is required"),
        ("--format=x --backends=x --group=x", "missing trace-events and output filepaths"),
        ("--x", "option --x not recognized"),
        ("--x=y --help", "option --x not recognized"),
        ("-x", "option -x not recognized"),
        ("--b=nop", "option --b not a unique prefix"),
        ("--bat=calls", "option --bat not recognized"),
        ("--target=x", "option --target not a unique prefix"),
        ("--format", "option --format requires argument"),
        ("--help=me", "option --help must not have an argument"),
        ("--list=x", "option --list-backends must not have an argument"),
        // Options must precede the first file. `--` ends them.
        ("trace-events --backends=nop", "no backends specified"),
        ("-- --backends=nop", "no backends specified"),
        ("- --backends=nop", "no backends specified"),
    ] {
        let output = call(tree.path(), words);
        assert_eq!(stderr(&output), format!("Error: {reason}\n\n{help}"), "{words}");
        assert_eq!((output.stdout.len(), output.status.code()), (0, Some(1)), "{words}");
    }
    assert!(!tree.path().join("out").exists());
}

/// A format fails without its required options. With them, it writes the same output to a file and
/// to standard output.
#[test]
fn every_format_is_made() {
    let tree = tree();
    for format in FORMATS {
        let name = format.name;
        let base = format!("--format={name} --backends=dtrace,log --group=root");
        let both = "--binary=qemu --probe-prefix=qemu.system.x86_64";
        if format.needs.binary {
            let output = call(tree.path(), &format!("{base} --probe-prefix=x trace-events out"));
            let reason = "Error: --binary is required for SystemTAP tapset generator\n";
            assert!(stderr(&output).starts_with(reason), "{name}");
            let output = call(tree.path(), &format!("{base} --binary= --probe-prefix=x trace-events -"));
            assert!(output.status.success(), "{name}: the binary's name may be empty");
        }
        if format.needs.probe_prefix {
            let output = call(tree.path(), &format!("{base} --binary=x trace-events out"));
            let reason = "Error: --probe-prefix is required for SystemTAP tapset generator\n";
            assert!(stderr(&output).starts_with(reason), "{name}");
            let of_target = "--binary=qemu --target-type=system --target-name=x86_64";
            let output = call(tree.path(), &format!("{base} {of_target} trace-events -"));
            let with_prefix = call(tree.path(), &format!("{base} {both} trace-events -"));
            assert_eq!(output.stdout, with_prefix.stdout, "{name}");
        }
        let written = call(tree.path(), &format!("{base} {both} trace-events out.{name}"));
        assert_eq!((stderr(&written).as_str(), written.status.code()), ("", Some(0)), "{name}");
        assert!(written.stdout.is_empty(), "{name}");
        let text = fs::read_to_string(tree.path().join(format!("out.{name}"))).unwrap();
        let shown = call(tree.path(), &format!("{base} {both} trace-events -"));
        let shown = String::from_utf8(shown.stdout).unwrap();
        assert_eq!(shown.replace("<stdout>", &format!("out.{name}")), text, "{name}");
    }
}

/// Identifies a version of a file: inode and modification time.
fn trace_of(path: &Path) -> (u64, i64, i64) {
    let metadata = path.metadata().unwrap();
    (metadata.ino(), metadata.mtime(), metadata.mtime_nsec())
}

const ROOT: &str = "--format=ringtrace-rs --backends=simple --group=root trace-events out";

#[test]
fn unchanged_outputs_are_not_touched() {
    let tree = tree();
    let out = tree.path().join("out");
    call(tree.path(), ROOT);
    let before = trace_of(&out);
    call(tree.path(), ROOT);
    assert_eq!(trace_of(&out), before);
    let declarations = tree.path().join("trace-events");
    let text = fs::read_to_string(&declarations).unwrap();
    fs::write(&declarations, format!("{text}more(void) \"\"\n")).unwrap();
    call(tree.path(), ROOT);
    assert_ne!(trace_of(&out), before);
    let written = trace_of(&out);
    fs::write(&declarations, "wrong\n").unwrap();
    assert_eq!(call(tree.path(), ROOT).status.code(), Some(1));
    assert_eq!(trace_of(&out), written);
    assert_eq!(hidden_files(tree.path()), [""; 0]);
}

#[test]
fn links_and_permissions_are_kept() {
    let tree = tree();
    let at = |name: &str| tree.path().join(name);
    std::os::unix::fs::symlink("net/real", at("out")).unwrap();
    assert!(call(tree.path(), ROOT).status.success(), "the target of the link does not exist yet");
    assert!(at("out").is_symlink() && at("net/real").is_file());
    let usual = at("net/real").metadata().unwrap().permissions().mode();
    fs::write(at("plain"), "").unwrap();
    assert_eq!(
        usual,
        at("plain").metadata().unwrap().permissions().mode(),
        "the same permissions as any new file"
    );

    fs::write(at("net/real"), "old").unwrap();
    fs::set_permissions(at("net/real"), fs::Permissions::from_mode(0o640)).unwrap();
    assert!(call(tree.path(), ROOT).status.success());
    assert!(at("out").is_symlink());
    assert_eq!(at("net/real").metadata().unwrap().permissions().mode() & 0o777, 0o640);

    fs::write(at("net/real"), "old").unwrap();
    fs::set_permissions(at("net/real"), fs::Permissions::from_mode(0o444)).unwrap();
    let refused = call(tree.path(), ROOT);
    assert_eq!(stderr(&refused), "error: out: the file is marked as read-only\n");
    assert_eq!(fs::read_to_string(at("out")).unwrap(), "old");
}

/// Limits the file size to 512 bytes. Writing more fails as on a full disk, or kills the process.
#[test]
fn files_are_replaced_atomically() {
    let tree = tree();
    let out = tree.path().join("out");
    fs::write(&out, "old").unwrap();
    let limited = |trap: &str| {
        let script = format!("ulimit -f 1; {trap} exec '{TRACETOOL}' {ROOT}");
        Command::new("sh").args(["-c", &script]).current_dir(tree.path()).output().unwrap()
    };
    let full = limited("trap '' XFSZ;");
    assert_eq!(stderr(&full), "error: out: File too large\n");
    assert_eq!(full.status.code(), Some(1));
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    assert_eq!(hidden_files(tree.path()), [""; 0]);

    let killed = limited("");
    assert_eq!(killed.status.code(), None, "{killed:?}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    assert!(
        call(tree.path(), ROOT).status.success(),
        "the next call succeeds despite leftover temporary files"
    );
    assert!(fs::read_to_string(&out).unwrap().contains("disk_read"));
}

/// Not even root can create files in this folder.
#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let tree = tree();
    let refused = call(tree.path(), &ROOT.replace(" out", " /sys/out"));
    assert!(stderr(&refused).starts_with("error: /sys/out: "), "{}", stderr(&refused));
    assert_eq!(refused.status.code(), Some(1));
}

/// A batch has the same output as separate calls. Uses QEMU's own declarations if the corpus is
/// available.
#[test]
fn batch_output_equals_separate_calls() {
    const GROUPS: usize = 4;
    let tree = tree();
    let declarations = match ringtrace_corpus::find("qemu/trace-events-all") {
        Some(path) => fs::read_to_string(path).unwrap(),
        None => fs::read_to_string(tree.path().join("trace-events")).unwrap(),
    };
    let events: Vec<&str> = declarations.split_inclusive('\n').filter(|line| line.contains('(')).collect();
    let mut calls = Vec::new();
    for (number, group) in events.chunks(100).take(GROUPS).enumerate() {
        fs::write(tree.path().join(format!("e{number}")), group.concat()).unwrap();
        for format in FORMATS {
            calls.push(format!("--format={0} --group=g{number} e{number} DIR/{number}.{0}", format.name));
        }
    }
    let files = (0..events.chunks(100).take(GROUPS).count()).map(|number| format!("e{number}"));
    let files = files.collect::<Vec<_>>().join(" ");
    calls.extend(FORMATS.iter().map(|it| format!("--format={0} --group=all {files} DIR/all.{0}", it.name)));

    let both = "--backends=dtrace,simple,log --binary=qemu --probe-prefix=qemu.system.x86_64";
    fs::create_dir(tree.path().join("out")).unwrap();
    for line in &calls {
        let made = call(tree.path(), &format!("{both} {}", line.replace("DIR", "out")));
        assert!(made.status.success(), "{line}: {}", stderr(&made));
    }
    fs::rename(tree.path().join("out"), tree.path().join("expected")).unwrap();
    fs::create_dir(tree.path().join("out")).unwrap();
    fs::write(tree.path().join("lines"), calls.join("\n").replace("DIR", "out")).unwrap();
    let made = call(tree.path(), &format!("{both} --batch=lines"));
    assert!(made.status.success(), "{}", stderr(&made));
    for entry in fs::read_dir(tree.path().join("expected")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let made = fs::read(tree.path().join("out").join(&name)).unwrap();
        assert!(made == fs::read(entry.path()).unwrap(), "{name}");
    }
    let count = |folder: &str| fs::read_dir(tree.path().join(folder)).unwrap().count();
    assert_eq!((count("out"), count("expected")), (calls.len(), calls.len()));
}

/// Several processes write different contents to one file while another reads it.
#[test]
fn many_processes_write_the_same_output() {
    let tree = tree();
    let calls: Vec<String> = (0..20)
        .map(|number| format!("--format=ringtrace-rs --backends=simple --group=g{number} trace-events out"))
        .collect();
    let texts: Vec<Vec<u8>> = calls
        .iter()
        .map(|words| call(tree.path(), words))
        .map(|_| fs::read(tree.path().join("out")).unwrap())
        .collect();
    let start = |words: &String| {
        let mut program = Command::new(TRACETOOL);
        program.args(words.split(' ')).current_dir(tree.path()).spawn().unwrap()
    };
    for _ in 0..3 {
        let mut running: Vec<_> = calls.iter().map(start).collect();
        while running.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
            let mut seen = Vec::new();
            File::open(tree.path().join("out")).unwrap().read_to_end(&mut seen).unwrap();
            assert!(texts.contains(&seen), "{}", String::from_utf8_lossy(&seen));
        }
        assert!(running.into_iter().all(|mut child| child.wait().unwrap().success()));
    }
    assert_eq!(hidden_files(tree.path()), [""; 0]);
}
