//! Lines that programs write to the kernel's trace.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread};

use ringtrace_peers::tracefs::{self, MARK, TRACEFS};

/// The kernel's trace. Other programs may write to it at the same time.
pub struct Marked {}

impl Marked {
    /// Prepares the kernel's trace. If it cannot be used, prints the reason and returns `None`.
    pub fn begin() -> Option<Marked> {
        tracefs::find().map(|()| Marked {})
    }

    /// Runs a program and returns the lines that it wrote to the trace.
    pub fn of(&self, command: &mut Command) -> Vec<String> {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        // Each entry begins with the thread's name and id: `words-4711 [000] ...`.
        let thread = format!("-{} ", child.id());
        assert!(child.wait().unwrap().success());
        let text = thread::spawn(|| fs::read(Path::new(TRACEFS).join("trace")).unwrap()).join().unwrap();
        let text = text.escape_ascii().to_string().replace("\\'", "'");
        let marked = text.split("\\n").filter(|line| line.contains(&thread));
        marked.filter_map(|line| Some(line.split_once(MARK)?.1.to_owned())).collect()
    }
}
