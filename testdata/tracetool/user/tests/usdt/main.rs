//! Real external tracers listen to the program `listened`.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

#[path = "../lttng/c_program.rs"]
mod c_program;
mod listened;
mod script;
#[path = "../uprobes/mod.rs"]
mod uprobes;

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use c_program::CProgram;
use listened::Listened;
use ringtrace_binary::Inventory;
use script::script;

const IN_RUST: &str = env!("CARGO_BIN_EXE_listened");

/// The program's events that are not `disable`d, and bpftrace's formats for their values.
const EVENTS: &[(&str, &str)] = &[
    ("nothing", ""),
    ("signs", "dddddd"),
    ("widths", "uuuuuu"),
    ("pointers", "xxx"),
    ("strings", "sss"),
    ("lazy", "ds"),
    ("one", "d"),
    ("two", "dd"),
    ("three", "ddd"),
    ("four", "dddd"),
    ("five", "ddddd"),
    ("six", "dddddd"),
    ("seven", "ddddddd"),
    ("eight", "dddddddd"),
    ("nine", "ddddddddd"),
    ("ten", "dudusdusdu"),
    ("done", ""),
];

/// Returns bpftrace's output for `program`, which runs all commands.
fn listen(program: &Path, provider: &str) -> Option<String> {
    let inventory = Inventory::of_file(&File::open(program).unwrap(), &[]).unwrap();
    let script = script(program, provider, &inventory.events);
    let mut listened = Listened::start(program);
    assert_eq!(listened.ask("lazy"), "0 arguments were computed");
    let bpftrace = Command::new("bpftrace")
        .args(["-q", "-B", "line", "-p", &listened.pid().to_string(), "-e", &script])
        .env("BPFTRACE_STRLEN", "64")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut bpftrace) = bpftrace else {
        eprintln!("SKIPPED: no bpftrace (package bpftrace)");
        return None;
    };
    if listened.wait_for_listeners(EVENTS.len(), Some(&mut bpftrace)) {
        assert_eq!(listened.ask("lazy"), "2 arguments were computed");
        listened.ask("extremes");
        listened.ask("numbers");
        listened.ask("done");
    }
    let output = bpftrace.wait_with_output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !printed.is_empty(), "{script}{printed}{told}");
    // Arguments are no longer computed after the last tracer has detached.
    listened.wait_for_listeners(0, None);
    assert_eq!(listened.ask("lazy"), "0 arguments were computed");
    Some(printed)
}

#[test]
fn bpftrace_sees_every_value_of_a_program_in_rust() {
    if !uprobes::are_there() {
        return;
    }
    let Some(printed) = listen(Path::new(IN_RUST), "listened") else { return };
    check(&printed);
}

/// dtrace(1) generates the probes of C programs, and compilers choose the locations of their
/// values.
#[test]
fn bpftrace_sees_every_value_of_a_program_in_c() {
    if !uprobes::are_there() {
        return;
    }
    let program = CProgram::build(&["dtrace"]);
    let Some(printed) = listen(&program.path, "qemu") else { return };
    check(&printed);
}

/// Checks that all events are printed and counted, in order.
fn check(printed: &str) {
    let (lines, counts): (Vec<&str>, Vec<&str>) =
        printed.lines().filter(|line| !line.is_empty()).partition(|line| !line.starts_with('@'));
    let cut = "x".repeat(63);
    let expected = [
        "lazy 1 'computed'",
        "nothing",
        "signs -128 -32768 -2147483648 -9223372036854775808 -9223372036854775808 -1",
        "signs 127 32767 2147483647 9223372036854775807 9223372036854775807 0",
        "widths 255 65535 4294967295 18446744073709551615 18446744073709551615 1",
        "widths 0 1 2 9223372036854775808 4 0",
        "pointers deadbeef 0 0",
        "strings 'never touched' '' 'caf\u{fffd}'",
        &format!("strings '' 'one' '{cut}'"),
        "one -1",
        "two -1 2",
        "three -1 2 -3",
        "four -1 2 -3 4",
        "five -1 2 -3 4 -5",
        "six -1 2 -3 4 -5 6",
        "seven -1 2 -3 4 -5 6 -7",
        "eight -1 2 -3 4 -5 6 -7 8",
        "nine -1 2 -3 4 -5 6 -7 8 -9",
        "ten -9223372036854775808 18446744073709551615 -1 255 'fifth' -32768 65535 'eighth' -2147483648 9223372036854775808",
        "done",
    ];
    assert_eq!(lines, expected);
    let count_of = |name: &str| if ["signs", "widths", "strings"].contains(&name) { 2 } else { 1 };
    let mut expected: Vec<String> =
        EVENTS.iter().map(|(name, _)| format!("@count[{name}]: {}", count_of(name))).collect();
    let mut counts = counts;
    counts.sort_unstable();
    expected.sort_unstable();
    assert_eq!(counts, expected);
}

/// Programs of both languages contain their declarations.
#[test]
fn declarations_are_in_the_program() {
    let c = CProgram::build(&["simple", "ust"]);
    let inventory = |program: &Path| Inventory::of_file(&File::open(program).unwrap(), &[]).unwrap();
    let declared = |inventory: &Inventory| -> Vec<String> {
        let of_group = inventory.events.iter().filter(|event| event.group.as_deref() == Some("listened"));
        of_group.map(|event| event.declaration.as_ref().unwrap().declaration.to_string()).collect()
    };
    let (rust, c) = (inventory(Path::new(IN_RUST)), inventory(&c.path));
    assert_eq!(declared(&rust).len(), EVENTS.len() + 1);
    assert_eq!(declared(&rust), declared(&c));
    assert!(rust.events.iter().all(|event| event.usdt.is_some() != event.is_disabled()));
    assert!(c.events.iter().all(|event| event.usdt.is_none()));
    assert!(rust.anomalies.is_empty() && c.anomalies.is_empty());
    // Check LTTng's tracepoints, too.
    let tracepoints = |inventory: &Inventory, provider: &str| {
        inventory.events.iter().filter(|event| event.lttng.as_deref() == Some(provider)).count()
    };
    assert_eq!(tracepoints(&rust, "listened"), if cfg!(has_lttng) { EVENTS.len() } else { 0 });
    assert_eq!(tracepoints(&c, "qemu"), EVENTS.len() + 1);
    // Only C has the group `more`. No event is listed twice.
    assert_eq!(c.events.len(), rust.events.len() + 2);
}

/// Parses the output of `readelf` for a note.
#[test]
fn readelf_understands_the_notes() {
    let output = Command::new("readelf").args(["--notes", "--wide", IN_RUST]).output();
    let Ok(output) = output else {
        eprintln!("SKIPPED: no readelf (package binutils)");
        return;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let field = |name: &str| -> Vec<&str> {
        text.lines().filter_map(|line| line.split_once(name)).map(|(_, rest)| rest.trim()).collect()
    };
    let (names, arguments) = (field("Name: "), field("Arguments:"));
    assert!(field("Provider: ").iter().all(|provider| *provider == "listened"), "{text}");
    let mut names_sorted = names.clone();
    names_sorted.sort_unstable();
    let mut expected: Vec<&str> = EVENTS.iter().map(|(name, _)| *name).collect();
    expected.sort_unstable();
    assert_eq!(names_sorted, expected, "each once, and no disabled one");
    let of = |name: &str| arguments[names.iter().position(|other| *other == name).unwrap()];
    assert_eq!(of("nothing"), "");
    if cfg!(target_arch = "x86_64") {
        assert_eq!(of("signs"), "-1@0(%rax) -2@8(%rax) -4@16(%rax) -8@24(%rax) -8@32(%rax) -8@40(%rax)");
        assert_eq!(of("widths"), "1@0(%rax) 2@8(%rax) 4@16(%rax) 8@24(%rax) 8@32(%rax) 1@40(%rax)");
        assert_eq!(of("strings"), "8@0(%rax) 8@8(%rax) 8@16(%rax)");
    }
    for addresses in field("Location: ") {
        let numbers: Vec<&str> = addresses.split([' ', ',']).filter(|word| word.starts_with("0x")).collect();
        let [_location, base, semaphore] = numbers[..] else { panic!("{addresses}") };
        assert!(
            !base.ends_with("x0000000000000000") && !semaphore.ends_with("x0000000000000000"),
            "{addresses}"
        );
    }
}
