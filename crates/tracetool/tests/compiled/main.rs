//! Compiles generated code in several ways, in the package `testdata/tracetool/user`.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod assembly;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use assembly::{Function, Instruction, functions};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Calls `cargo WHAT` for the package, with or without the feature `runtime`, in a separate target
/// folder.
fn cargo(what: &str, runtime: bool) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([what, "--quiet", "--locked", "--package", "tracetool-user"]).current_dir(root());
    if !runtime {
        cargo.arg("--no-default-features");
    }
    cargo.args(["--release", "--lib", "--target-dir", TARGET]);
    // Only the package itself is examined, so compile its dependencies quickly.
    for dependencies in ["\"*\"", "ringtrace", "ringtrace-events", "ringtrace-wire"] {
        cargo.args(["--config", &format!("profile.release.package.{dependencies}.opt-level=0")]);
    }
    // The object must contain instructions, not input for link-time optimisation.
    cargo
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
        .env_remove("RUSTFLAGS");
    cargo
}

const TARGET: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/user");

fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Returns the functions of the optimised package. If they cannot be examined, prints a message and
/// returns `None`.
fn optimised(runtime: bool) -> Option<&'static [Function]> {
    static FOUND: Mutex<[Option<&[Function]>; 2]> = Mutex::new([None; 2]);
    if !cfg!(target_arch = "x86_64") {
        eprintln!("SKIPPED: instructions are counted on x86-64 only");
        return None;
    }
    // One build replaces the library of another.
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(functions) = found[usize::from(runtime)] {
        return Some(functions);
    }
    succeed(&mut cargo("build", runtime));
    let library = format!("{TARGET}/release/libtracetool_user.rlib");
    let disassembly =
        Command::new("objdump").args(["--disassemble", "--demangle", "--wide", &library]).output();
    let Ok(disassembly) = disassembly else {
        eprintln!("SKIPPED: no objdump (package binutils)");
        return None;
    };
    let functions = functions(&String::from_utf8_lossy(&disassembly.stdout)).leak();
    found[usize::from(runtime)] = Some(functions);
    Some(functions)
}

fn function<'a>(functions: &'a [Function], name: &str) -> &'a [Instruction] {
    let found = functions.iter().find(|function| function.name == format!("tracetool_user::blk::{name}"));
    &found.unwrap_or_else(|| panic!("no function {name} in {functions:#?}")).instructions
}

/// Finds a function of the module `tracer`, `usdt` or `ust`.
fn function_for<'a>(tracer: &str, functions: &'a [Function], name: &str) -> &'a [Instruction] {
    let found =
        functions.iter().find(|function| function.name == format!("tracetool_user::{tracer}::{name}"));
    &found.unwrap_or_else(|| panic!("no function {name} in {functions:#?}")).instructions
}

/// Length of a conditional jump with a 32-bit offset.
const LONG_JUMP_BYTES: usize = 6;

#[test]
fn a_disabled_probe_is_load_test_and_a_jump_not_taken() {
    let Some(functions) = optimised(true) else { return };
    let write = function(functions, "write");
    let text: Vec<&str> = write.iter().map(|instruction| instruction.text.as_str()).collect();
    let end = text.iter().position(|text| *text == "ret").unwrap_or_else(|| panic!("{text:#?}"));
    let probe = &write[..end];

    // The probe loads and tests the event's state with one or two instructions.
    assert!(probe.len() <= 3, "{text:#?}");
    let (jump, before) = probe.split_last().unwrap();
    assert_eq!(before.iter().filter(|one| one.text.contains("(%rip)")).count(), 1, "one load: {text:#?}");
    let bytes = before.iter().map(|one| one.bytes).sum::<usize>() + LONG_JUMP_BYTES;
    assert!(bytes <= 16, "{bytes} bytes: {text:#?}");

    // A small body is in the same function, after its last instruction. A larger body is a separate
    // function.
    let behind = jump.jump_target().is_some_and(|target| target > write[end].address);
    assert!(jump.text.starts_with("jne") && behind, "{text:#?}");
    assert!(functions.iter().any(|function| function.name.ends_with("::emit")));
}

#[test]
fn arguments_of_the_macro_are_evaluated_behind_the_jump() {
    let Some(functions) = optimised(true) else { return };
    let lazy = function(functions, "write_lazily");
    let end = lazy.iter().position(|one| one.text == "ret").unwrap();
    assert!(lazy[..end].iter().all(|one| !one.text.starts_with("call")), "{lazy:#?}");
    assert!(lazy[end..].iter().any(|one| one.text.starts_with("call")), "{lazy:#?}");
}

/// The instructions before the first return. The code for enabled events follows it.
fn disabled_path<'a>(functions: &'a [Function], name: &str) -> &'a [Instruction] {
    let instructions = function(functions, name);
    let end = instructions.iter().position(|one| one.text == "ret").unwrap();
    &instructions[..end]
}

#[test]
fn conversions_cost_nothing() {
    let Some(functions) = optimised(true) else { return };
    let bytes = |name| disabled_path(functions, name).iter().map(|one| one.bytes).sum::<usize>();
    assert_eq!(bytes("write_converted"), bytes("write"));
    let calls = |name| function(functions, name).iter().filter(|one| one.text.starts_with("call")).count();
    assert_eq!(calls("write_converted"), calls("write"));
}

#[test]
fn a_disabled_span_tests_two_bytes() {
    let Some(functions) = optimised(true) else { return };
    let path = disabled_path(functions, "spanned");
    assert!(path.iter().all(|one| !one.text.starts_with("call")), "{path:#?}");
    assert_eq!(path.iter().filter(|one| one.text.contains("(%rip)")).count(), 2, "{path:#?}");
    assert_eq!(path.iter().filter(|one| one.text.starts_with('j')).count(), 1, "{path:#?}");
    // The only call is the program's own.
    let path = disabled_path(functions, "spanned_call");
    assert_eq!(path.iter().filter(|one| one.text.starts_with("call")).count(), 1, "{path:#?}");
}

#[test]
fn with_usdt_a_disabled_probe_has_a_second_load() {
    let Some(functions) = optimised(true) else { return };
    for name in ["write", "write_lazily"] {
        let probe = function_for("usdt", functions, name);
        let end = probe.iter().position(|one| one.text == "ret").unwrap();
        let loads = probe[..end].iter().filter(|one| one.text.contains("(%rip)")).count();
        assert_eq!(loads, 2, "{probe:#?}");
        assert!(probe[..end].iter().all(|one| !one.text.starts_with("call")), "{probe:#?}");
        let bytes: usize = probe[..end].iter().map(|one| one.bytes).sum();
        assert!(end <= 6 && bytes <= 32, "{bytes} bytes: {probe:#?}");
    }
    assert!(function_for("usdt", functions, "poll")[0].text == "ret");
}

/// The state of a tracepoint is in another object, so the code may load its address from the
/// linker's table.
#[test]
fn with_lttng_a_disabled_probe_tests_the_tracepoint() {
    let Some(functions) = optimised(true) else { return };
    for name in ["write", "write_lazily"] {
        let probe = function_for("ust", functions, name);
        let end = probe.iter().position(|one| one.text == "ret").unwrap();
        assert!(probe[..end].iter().all(|one| !one.text.starts_with("call")), "{probe:#?}");
        let bytes: usize = probe[..end].iter().map(|one| one.bytes).sum();
        assert!(end <= 10 && bytes <= 32, "{bytes} bytes: {probe:#?}");
    }
}

/// Without the runtime, a probe tests only the semaphore.
#[test]
fn usdt_probes_need_no_runtime() {
    let Some(functions) = optimised(false) else { return };
    let probe = function_for("usdt", functions, "write");
    let end = probe.iter().position(|one| one.text == "ret").unwrap();
    assert!((2..=3).contains(&end), "{probe:#?}");
    assert_eq!(probe[..end].iter().filter(|one| one.text.contains("(%rip)")).count(), 1, "{probe:#?}");
    assert!(function_for("usdt", functions, "write_lazily").len() > end, "{functions:#?}");
}

#[test]
fn a_probe_of_a_disabled_declaration_is_nothing() {
    let Some(functions) = optimised(true) else { return };
    assert_is_nothing(functions, "poll");
}

#[test]
fn without_the_runtime_probes_are_nothing() {
    let Some(functions) = optimised(false) else { return };
    for name in ["write", "write_lazily", "write_converted", "spanned", "poll"] {
        assert_is_nothing(functions, name);
    }
    let instructions = |name| function(functions, name).len();
    assert_eq!(instructions("read"), instructions("read_untraced"));
}

fn assert_is_nothing(functions: &[Function], name: &str) {
    let instructions = function(functions, name);
    assert!(instructions[0].text == "ret", "{instructions:#?}");
}

/// A library that depends on the standard library but not on the runtime passes its strings.
#[test]
fn strings_of_the_standard_library_need_no_runtime() {
    for runtime in [true, false] {
        succeed(cargo("check", runtime).args(["--features", "std"]));
    }
}

/// Compiles all events of QEMU in a single group.
#[test]
fn the_events_of_a_large_program_compile() {
    let Some(events) = ringtrace_corpus::find_or_skip("qemu/trace-events-all") else { return };
    for runtime in [true, false] {
        succeed(cargo("check", runtime).env("TRACETOOL_USER_EVENTS", &events));
    }
}

/// Compiles wrong calls of probes, and compares the messages with `mistakes.out`, which
/// `RINGTRACE_ACCEPT=1` updates.
#[test]
fn wrong_arguments_have_readable_messages() {
    let mut cargo = cargo("check", true);
    let output =
        cargo.args(["--message-format", "short"]).env("TRACETOOL_USER_MISTAKES", "1").output().unwrap();
    assert!(!output.status.success());
    let mut messages: Vec<String> = String::from_utf8(output.stderr).unwrap().lines().map(located).collect();
    messages.sort();
    let messages: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let golden = root().join("testdata/tracetool/user/src/mistakes.out");
    if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
        std::fs::write(&golden, &messages).unwrap();
    }
    assert_eq!(messages, std::fs::read_to_string(&golden).unwrap(), "RINGTRACE_ACCEPT=1 accepts");
}

/// Removes the folder from a message `FILE:LINE:COLUMN: error: TEXT`, and the position if the file
/// is generated.
fn located(message: &str) -> String {
    let Some((place, text)) = message.split_once(": error") else { return message.to_owned() };
    let file = place.rsplit('/').next().unwrap();
    let place = if file.starts_with("trace-") { file.split(':').next().unwrap() } else { file };
    format!("{place}: error{text}")
}
