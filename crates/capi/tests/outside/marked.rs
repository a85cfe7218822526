//! What programs write into the kernel's trace.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread};

use ringtrace_peers::tracefs::{self, MARK, TRACEFS};

/// The kernel's trace, which is the machine's: others may write to it at the same time.
pub struct Marked {}

impl Marked {
    /// Looks whether it can be used. `None`: it cannot, which is said.
    pub fn begin() -> Option<Marked> {
        tracefs::find().map(|()| Marked {})
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
        marked.filter_map(|line| Some(line.split_once(MARK)?.1.to_owned())).collect()
    }
}
