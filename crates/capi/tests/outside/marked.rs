//! What programs write into the kernel's trace.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread};

const TRACEFS: &str = "/sys/kernel/tracing";

/// The kernel's trace, which is the machine's: others may write to it at the same time.
pub struct Marked {}

impl Marked {
    /// Looks whether it can be used. `None`: it cannot, which is said.
    pub fn begin() -> Option<Marked> {
        let marker = Path::new(TRACEFS).join("trace_marker");
        if !marker.exists() {
            // The library never mounts anything; a test of root's may.
            let _ = Command::new("mount").args(["-t", "tracefs", "none", TRACEFS]).output();
        }
        let is_on =
            fs::read_to_string(Path::new(TRACEFS).join("tracing_on")).is_ok_and(|on| on.trim() == "1");
        if is_on && fs::File::options().write(true).open(marker).is_ok() {
            return Some(Marked {});
        }
        eprintln!("SKIPPED: no tracefs that we may write to");
        None
    }

    /// The lines that a program writes.
    pub fn of(&self, command: &mut Command) -> Vec<String> {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        // Each entry of the trace begins with the thread's name and number: `words-4711 [000] ...`.
        let thread = format!("-{} ", child.id());
        assert!(child.wait().unwrap().success());
        let text = thread::spawn(|| fs::read(Path::new(TRACEFS).join("trace")).unwrap()).join().unwrap();
        let text = text.escape_ascii().to_string().replace("\\'", "'");
        let marked = text.split("\\n").filter(|line| line.contains(&thread));
        marked.filter_map(|line| Some(line.split_once(": tracing_mark_write: ")?.1.to_owned())).collect()
    }
}
