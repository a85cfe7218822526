//! Reads strings of the traced program before they are printed.

use std::borrow::Cow;

use super::local;

/// Maximum number of bytes read from a string.
const MAX_BYTES: usize = 512;

/// The variables for an event's strings.
pub(in super::super) struct Strings<'a> {
    names: &'a [Cow<'a, str>],
    indexes: Vec<usize>,
}

impl<'a> Strings<'a> {
    /// Creates variables for the arguments with these `indexes`. `names` lists the names of all
    /// arguments.
    pub fn new(names: &'a [Cow<'a, str>], indexes: impl Iterator<Item = usize>) -> Strings<'a> {
        Strings { names, indexes: indexes.collect() }
    }

    /// Returns the variable that holds the string of argument `index`, if that string is read.
    pub fn text(&self, index: usize) -> Option<String> {
        self.indexes.contains(&index).then(|| local(format!("arg{}_str", self.names[index]), self.names))
    }

    /// Returns the variable that holds the length of the string of argument `index`.
    pub fn length(&self, index: usize) -> Option<String> {
        self.indexes.contains(&index).then(|| local(format!("arg{}_len", self.names[index]), self.names))
    }

    /// Returns the statements that read the strings, and optionally their lengths. Unreadable
    /// strings become empty.
    pub fn statements(&self, with_lengths: bool) -> String {
        let mut lines: Vec<String> = Vec::new();
        for index in &self.indexes {
            let (Some(text), Some(length)) = (self.text(*index), self.length(*index)) else { continue };
            let name = &self.names[*index];
            lines.push("try {".to_owned());
            lines.push(format!("    {text} = {name} ? user_string_n({name}, {MAX_BYTES}) : \"<null>\""));
            lines.push("} catch {}".to_owned());
            if with_lengths {
                lines.push(format!("{length} = strlen({text})"));
            }
        }
        lines.join("\n")
    }
}
