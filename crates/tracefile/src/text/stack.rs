//! Stacks as text: a line for each frame, below the line of the event.

use std::fmt::{Debug, Write};
use std::sync::Arc;

use crate::entry::{Entry, Frame};
use crate::metadata::Module;

/// Finds the functions at addresses of a program.
pub trait FunctionFinder: Debug + Send + Sync {
    /// Returns the functions that contain `address`, as in the file of `module`, innermost first:
    /// inlined functions precede the function into which they are inlined. Returns nothing if the
    /// function is unknown.
    fn functions(&self, module: &Module, address: u64) -> Vec<FunctionName>;
}

/// A function, and the position in its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionName {
    /// The name.
    pub name: String,
    /// The file and the line in the source code, if known.
    pub source: Option<(String, Option<u32>)>,
    /// Whether the next function in the list inlines this one.
    pub is_inlined: bool,
}

/// Resolves the addresses of stacks.
pub type Finder = Option<Arc<dyn FunctionFinder>>;

/// The runtime's functions that a probe calls, and the ends of their files' names. Debug information
/// with line tables only does not contain the whole names of inlined functions.
const RUNTIME: [(&str, &str); 5] = [
    ("here", "/src/os/stack.rs"),
    ("emit", "/src/probe/emit.rs"),
    ("dispatch", "/src/probe/emit.rs"),
    ("emit", "/src/probe/host.rs"),
    ("emit_seen", "/src/probe/mod.rs"),
];

/// A frame, and a function that contains its address, if known. A frame with inlined functions is
/// several shown frames.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownFrame<'a> {
    /// The frame.
    pub frame: Frame<'a>,
    /// The function.
    pub function: Option<FunctionName>,
}

/// Returns the frames of an entry's stack, innermost first, without those of the probe itself.
pub fn shown_frames<'a>(entry: &Entry<'a>, finder: &Finder) -> Vec<ShownFrame<'a>> {
    let mut shown = Vec::new();
    for frame in entry.stack() {
        let functions = match (finder, frame.module, frame.call_address()) {
            (Some(finder), Some(module), Some(address)) => finder.functions(module, address),
            _ => Vec::new(),
        };
        if functions.is_empty() {
            shown.push(ShownFrame { frame, function: None });
        }
        shown.extend(functions.into_iter().map(|function| ShownFrame { frame, function: Some(function) }));
    }
    let probe =
        shown.iter().map_while(|shown| shown.function.as_ref()).take_while(|it| it.is_of_probe()).count();
    if probe < shown.len() {
        shown.drain(..probe);
    }
    shown
}

impl FunctionName {
    /// Returns whether the function belongs to a probe: it is generated, or part of the runtime.
    fn is_of_probe(&self) -> bool {
        if self.name.starts_with("ringtrace::") {
            return true;
        }
        let Some((file, _)) = &self.source else { return false };
        let name = self.name.split('<').next().unwrap_or_default();
        let is_generated = |(folder, file): (&str, &str)| {
            folder.ends_with("/ringtrace") && file.starts_with("trace-") && file.ends_with(".rs")
        };
        RUNTIME.iter().any(|(function, end)| name == *function && file.ends_with(end))
            || file.rsplit_once('/').is_some_and(is_generated)
    }
}

impl ShownFrame<'_> {
    /// Returns the frame as text: `FUNCTION (FILE:LINE)`, `MODULE+OFFSET`, or an address.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = match (&self.function, self.frame.module, self.frame.file_address()) {
            (Some(function), module, _) => {
                let _ = write!(text, "{}", function.name);
                let place = match (&function.source, module) {
                    (Some((file, Some(line))), _) => format!("{file}:{line}"),
                    (Some((file, None)), _) => file.clone(),
                    (None, Some(module)) => String::from_utf8_lossy(&module.path).into_owned(),
                    (None, None) => String::new(),
                };
                let inlined = if function.is_inlined { ", inlined" } else { "" };
                write!(text, " ({place}{inlined})")
            }
            (None, Some(module), Some(address)) => {
                let build_id = if module.build_id.is_empty() {
                    String::new()
                } else {
                    format!(" (build id {})", module.build_id_text())
                };
                write!(text, "{}+{address:#x}{build_id}", String::from_utf8_lossy(&module.path))
            }
            _ => write!(text, "{:#x}", self.frame.address),
        };
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_probes_are_recognized() {
        let is_of_probe = |name: &str, file: Option<&str>| {
            let source = file.map(|file| (file.to_owned(), Some(1)));
            FunctionName { name: name.to_owned(), source, is_inlined: true }.is_of_probe()
        };
        assert!(is_of_probe("emit<(u64, u64)>", Some("/home/x/ringtrace-0.1.0/src/probe/emit.rs")));
        assert!(is_of_probe("ringtrace::probe::host::emit", None));
        assert!(is_of_probe("blk_error", Some("/t/build/disk-1/out/ringtrace/trace-blk.rs")));
        for (name, file) in [
            ("emit<u8>", Some("/home/x/src/main.rs")),
            ("drain", Some("/home/x/src/probe/emit.rs")),
            ("blk_error", Some("/home/x/trace-blk.rs")),
            ("disk::ringtrace::read", None),
        ] {
            assert!(!is_of_probe(name, file), "{name}");
        }
    }

    #[test]
    fn frames_are_shown_as_precisely_as_they_are_known() {
        let module = Module {
            start: 0x5000,
            end: 0x6000,
            address: 0x1000,
            build_id: vec![0xab, 0xcd],
            path: b"/bin/prog".to_vec(),
        };
        let without_id = Module { build_id: Vec::new(), ..module.clone() };
        let function = |source, is_inlined| Some(FunctionName { name: "f".to_owned(), source, is_inlined });
        let frame = |module| Frame { address: 0x5010, is_return: false, module };
        for (module, function, expected) in [
            (None, None, "0x5010"),
            (Some(&without_id), None, "/bin/prog+0x1010"),
            (Some(&module), None, "/bin/prog+0x1010 (build id abcd)"),
            (Some(&module), function(None, false), "f (/bin/prog)"),
            (Some(&module), function(Some(("a.rs".to_owned(), None)), false), "f (a.rs)"),
            (Some(&module), function(Some(("a.rs".to_owned(), Some(7))), true), "f (a.rs:7, inlined)"),
        ] {
            assert_eq!(ShownFrame { frame: frame(module), function }.text(), expected);
        }
    }
}
