//! The backend `ftrace` and the kernel's trace, in an instance of its own.

#![cfg(all(feature = "runtime", target_os = "linux"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests may; clippy knows only functions marked as tests"
)]

mod speaker;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use speaker::{program, speak};

const TRACEFS: &str = "/sys/kernel/tracing";

/// A trace of the kernel's that nobody else writes to.
struct Instance(PathBuf);

impl Instance {
    /// Makes one. `None`: we may not, which is said.
    fn make() -> Option<Instance> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let instances = Path::new(TRACEFS).join("instances");
        if !instances.exists() {
            // The program never mounts anything; a test of root's may.
            let _ = Command::new("mount").args(["-t", "tracefs", "none", TRACEFS]).output();
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = instances.join(format!("ringtrace-test-{}-{number}", std::process::id()));
        match fs::create_dir(&path) {
            Ok(()) => Some(Instance(path)),
            Err(_) => {
                eprintln!("SKIPPED: no tracefs that we may write to");
                None
            }
        }
    }

    fn at(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// What was marked, in order.
    fn marked(&self) -> Vec<String> {
        let text = fs::read_to_string(self.at("trace")).unwrap();
        let marked =
            text.lines().filter_map(|line| Some(line.split_once(": tracing_mark_write: ")?.1.to_owned()));
        marked.collect()
    }

    fn speak(&self, deeds: &[&str]) -> String {
        let marker = self.at("trace_marker");
        let words = [&["--trace", "*,backend=ftrace", "--marker", &marker], deeds].concat();
        speak(&words).unwrap()
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn lines_stand_in_the_kernel_s_trace() {
    let Some(instance) = Instance::make() else { return };
    let said = instance.speak(&["say:hello", "quiet", "say:two\nlines"]);
    assert_eq!(said, "ftrace: 3 written, 0 cut, 0 lost\n");
    assert_eq!(
        instance.marked(),
        ["said who=0 number=0 what='hello'", "quiet ", "said who=0 number=0 what='two\\nlines'"]
    );
}

#[test]
fn lines_of_threads_are_whole() {
    let Some(instance) = Instance::make() else { return };
    fs::write(instance.at("buffer_size_kb"), "8192").unwrap();
    assert_eq!(instance.speak(&["threads:4x2000"]), "ftrace: 8000 written, 0 cut, 0 lost\n");
    let marked = instance.marked();
    assert_eq!(marked.len(), 8000);
    for who in 0..4 {
        let begin = format!("said who={who} number=");
        let end = format!(" what='{}'", "w".repeat(300));
        let of_one = marked.iter().filter_map(|line| line.strip_prefix(&begin)?.strip_suffix(&end));
        assert!(of_one.map(|number| number.parse::<u64>().unwrap()).eq(0..2000));
    }
}

#[test]
fn a_long_line_is_cut_for_the_kernel_and_that_is_counted() {
    let Some(instance) = Instance::make() else { return };
    let said = instance.speak(&["control"]);
    let line = format!("said who=0 number=0 what='{}'", "\\x1b".repeat(512));
    let [marked] = &instance.marked()[..] else { panic!("not one line") };
    // As in QEMU's programs.
    assert_eq!(*marked, line[..511]);
    assert_eq!(said, "ftrace: 1 written, 1 cut, 0 lost\n");
}

#[test]
fn a_kernel_that_does_not_trace_takes_nothing() {
    let Some(instance) = Instance::make() else { return };
    fs::write(instance.at("tracing_on"), "0").unwrap();
    let mut command = Command::new(program());
    command.args(["--trace", "*,backend=ftrace", "--marker", &instance.at("trace_marker"), "times:10"]);
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ftrace: 0 written, 0 cut, 10 lost\n");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "ringtrace: ftrace: the file takes nothing now: the kernel's tracing is off (write 1 to `tracing_on`); \
         lines are lost from here on, and counted\n\
         ringtrace: ftrace: 10 lines were lost\n"
    );
}

#[test]
fn the_marker_is_found_where_tracefs_is_mounted() {
    let Some(_instance) = Instance::make() else { return };
    let word = format!("say:found-{}", std::process::id());
    let said = speak(&["--trace", "*,backend=ftrace", &word]);
    // The machine's own trace is not ours to switch on.
    if fs::read_to_string(Path::new(TRACEFS).join("tracing_on")).unwrap().trim() == "1" {
        assert_eq!(said.unwrap(), "ftrace: 1 written, 0 cut, 0 lost\n");
    }
}
