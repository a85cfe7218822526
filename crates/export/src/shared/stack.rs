//! The frames of stacks, for formats that contain stacks.

use std::borrow::Cow;

use ringtrace_tracefile::Entry;
use ringtrace_tracefile::text::stack::{Finder, ShownFrame, shown_frames};

use super::text::utf8_without_zeros;

/// A frame of a stack.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct StackFrame {
    /// The function's name. If it is unknown, the name of the program or library and the address in
    /// its file: `libc.so.6+0x2724a`.
    pub(crate) name: String,
    /// The source file of the function. If it is unknown, the path of the program or library.
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    /// The frame as `print` shows it.
    pub(crate) text: String,
}

/// Returns the frames of an entry's stack, innermost first. An inlined function is a frame.
pub(crate) fn stack_frames(entry: &Entry<'_>, finder: &Finder) -> Vec<StackFrame> {
    if entry.context.is_empty() {
        return Vec::new();
    }
    shown_frames(entry, finder).iter().map(StackFrame::new).collect()
}

impl StackFrame {
    fn new(shown: &ShownFrame<'_>) -> StackFrame {
        let clean = |text: String| utf8_without_zeros(text.as_bytes()).into_owned();
        let path = shown.frame.module.map(|module| String::from_utf8_lossy(&module.path));
        let (name, source) = match (&shown.function, &path, shown.frame.file_address()) {
            (Some(function), _, _) => (function.name.clone(), function.source.clone()),
            (None, Some(path), Some(address)) => {
                let file = path.rsplit('/').next().unwrap_or_default();
                (format!("{file}+{address:#x}"), None)
            }
            _ => (format!("{:#x}", shown.frame.address), None),
        };
        let (file, line) = match source {
            Some((file, line)) => (Some(file), line),
            None => (path.map(Cow::into_owned), None),
        };
        StackFrame { name: clean(name), file: file.map(clean), line, text: clean(shown.text()) }
    }
}
