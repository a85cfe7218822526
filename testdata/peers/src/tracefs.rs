//! The kernel's trace: the machine's own, to which others may write at the same time, and instances, to which nobody else does.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Where it is mounted.
pub const TRACEFS: &str = "/sys/kernel/tracing";

/// Mounts it, where that may be done and has not been. Programs never mount anything; a test of root's may.
fn mount() {
    if !Path::new(TRACEFS).join("trace_marker").exists() {
        let _ = Command::new("mount").args(["-t", "tracefs", "none", TRACEFS]).output();
    }
}

fn skip() {
    eprintln!("SKIPPED: no tracefs that we may write to");
}

/// Whether the machine traces: that is not ours to switch on.
pub fn is_on() -> bool {
    fs::read_to_string(Path::new(TRACEFS).join("tracing_on")).is_ok_and(|on| on.trim() == "1")
}

/// Whether programs can write into the machine's own trace.
pub fn find() -> Option<()> {
    mount();
    let marker = Path::new(TRACEFS).join("trace_marker");
    let found = is_on() && fs::File::options().write(true).open(marker).is_ok();
    if !found {
        skip();
    }
    found.then_some(())
}

/// A trace of its own; it is gone when this is dropped.
#[derive(Debug)]
pub struct Instance(PathBuf);

impl Instance {
    /// Makes one. `None`: we may not.
    pub fn make() -> Option<Instance> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        mount();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("instances/ringtrace-test-{}-{number}", std::process::id());
        let path = Path::new(TRACEFS).join(name);
        if fs::create_dir(&path).is_err() {
            skip();
            return None;
        }
        Some(Instance(path))
    }

    /// The path of one of its files.
    pub fn at(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// What was marked, in order.
    pub fn marked(&self) -> Vec<String> {
        let text = fs::read_to_string(self.at("trace")).unwrap();
        text.lines().filter_map(|line| Some(line.split_once(MARK)?.1.to_owned())).collect()
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

/// What stands before a line that a program wrote.
pub const MARK: &str = ": tracing_mark_write: ";
