//! A C program in a sandbox: the kernel kills it if it makes a system call that docs/PLATFORM.md
//! does not list.

#![cfg(target_arch = "x86_64")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "../../runtime/tests/filter/mod.rs"]
mod filter;
mod program;

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::sync::LazyLock;

use filter::{OWN, calls, number};
use program::{Bench, Trace};

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| program::compile("sandbox", "cc", "sandbox.c", &[]));

/// A system call that Rust's standard library makes in the threads of Rust programs. C programs
/// must not make it, because a sandbox may forbid calls that control processors.
const OF_RUST: &str = "sched_getaffinity";

/// Calls that QEMU forbids, according to its documentation, with `-sandbox on` and `obsolete=deny`,
/// `elevateprivileges=deny`, `spawn=deny` and `resourcecontrol=deny`. They change the user or the
/// group, start processes, or control processors and priorities.
const DENIED_BY_QEMU: [&str; 19] = [
    "setuid",
    "setgid",
    "setreuid",
    "setregid",
    "setresuid",
    "setresgid",
    "setfsuid",
    "setfsgid",
    "setgroups",
    "fork",
    "vfork",
    "execve",
    "execveat",
    "sched_setaffinity",
    "sched_getaffinity",
    "sched_setscheduler",
    "sched_setparam",
    "sched_setattr",
    "setpriority",
];

/// Returns the calls that docs/PLATFORM.md lists for `times`, and the calls that the program itself
/// makes for its threads.
fn listed(times: &[&str]) -> BTreeSet<String> {
    let own = OWN.map(str::to_owned);
    let mut names: BTreeSet<String> = calls(times).into_iter().chain(own).collect();
    assert!(names.remove(OF_RUST));
    for name in DENIED_BY_QEMU {
        assert!(!names.contains(name), "QEMU's sandbox may forbid {name}");
    }
    names
}

/// Runs the program with only these calls allowed, and checks that its traces are complete.
fn run(option: &str, when: &str, how: &str, names: &BTreeSet<String>) {
    run_without(&[], option, when, how, names);
}

/// Like [`run`], but the calls in `absent` fail with ENOSYS, as if they did not exist.
fn run_without(absent: &[&str], option: &str, when: &str, how: &str, names: &BTreeSet<String>) {
    let bench = Bench::new();
    // At the start, the library looks for arenas of killed programs.
    std::fs::write(bench.path("rings/1-0.arena"), "").unwrap();
    let mut numbers: Vec<String> = names.iter().map(|name| number(name).to_string()).collect();
    numbers.extend(absent.iter().map(|name| format!("-{}", number(name))));
    let option = format!("demo_two,file=t,policy=block,threads=8,{option}");
    let mut command = bench.command(&PROGRAM);
    let output = command.args([&option, when, how]).args(numbers).output().unwrap();
    assert_ne!(
        output.status.signal(),
        Some(31),
        "{when} {how} {option}: a call is not in PLATFORM.md; see strace -f"
    );
    assert!(output.status.success(), "{when} {how} {option}: {output:?}");
    let events = |trace: &Trace| trace.lines.len() as u64 + trace.dropped;
    assert_eq!(events(&bench.trace("t")), 41 * 2000, "{when} {how} {option}");
    if how == "rotate" {
        assert_eq!(events(&bench.trace("second")), 41 * 2000, "{when} {how} {option}");
    }
    let left: Vec<_> =
        std::fs::read_dir(bench.path("rings")).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left, ["1-0.arena"]);
}

#[test]
fn events_and_the_end_need_the_listed_calls_only() {
    for option in ["", "clock=coarse", "clock=gettime"] {
        run(option, "after", "stay", &listed(&["probe", "block", "writer", "end"]));
    }
}

#[test]
fn another_file_needs_the_calls_of_the_start() {
    let names = listed(&["start", "probe", "block", "writer", "end"]);
    for option in ["", "clock=coarse"] {
        run(option, "after", "rotate", &names);
        run(option, "before", "rotate", &names);
    }
}

/// QEMU's sandbox rejects `clone3` in this way, because a filter cannot examine its flags.
#[test]
fn threads_start_without_clone3() {
    let mut names = listed(&["start", "probe", "block", "writer", "end"]);
    assert!(names.remove("clone3"));
    names.insert("clone".to_owned());
    for option in ["", "clock=coarse"] {
        run_without(&["clone3"], option, "before", "rotate", &names);
    }
}
