//! The kernel's ftrace buffers: the main one, which other programs may also use, and private
//! instances.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The mount point.
pub const TRACEFS: &str = "/sys/kernel/tracing";

/// Mounts tracefs if that is possible and necessary.
fn mount() {
    if !Path::new(TRACEFS).join("trace_marker").exists() {
        let _ = Command::new("mount").args(["-t", "tracefs", "none", TRACEFS]).output();
    }
}

fn skip() {
    eprintln!("SKIPPED: no writable tracefs");
}

/// Returns whether tracing is on. Tests do not turn it on.
pub fn is_on() -> bool {
    fs::read_to_string(Path::new(TRACEFS).join("tracing_on")).is_ok_and(|on| on.trim() == "1")
}

/// Returns `Some` if programs can write to the main buffer; otherwise prints a reason.
pub fn find() -> Option<()> {
    mount();
    let marker = Path::new(TRACEFS).join("trace_marker");
    let found = is_on() && fs::File::options().write(true).open(marker).is_ok();
    if !found {
        skip();
    }
    found.then_some(())
}

/// A private ftrace instance. It is removed when this is dropped.
#[derive(Debug)]
pub struct Instance(PathBuf);

impl Instance {
    /// Creates an instance. Returns `None` if that is not permitted.
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

    /// Returns the path of one of the instance's files.
    pub fn at(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// Returns the lines that programs wrote, in order.
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

/// The text that precedes a line that a program wrote.
pub const MARK: &str = ": tracing_mark_write: ";
