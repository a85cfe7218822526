//! Strings of the traced program, which are read before they are printed.

use std::borrow::Cow;

use super::local;

/// The most bytes that are read of a string.
const MAX_BYTES: usize = 512;

/// The variables that hold an event's strings.
pub(in super::super) struct Strings<'a> {
    /// What all arguments of the event are called.
    names: &'a [Cow<'a, str>],
    /// The arguments that are read, by index.
    indexes: Vec<usize>,
}

impl<'a> Strings<'a> {
    /// Those of the arguments of these `indexes`; `names` are what all arguments of the event are called.
    pub fn new(names: &'a [Cow<'a, str>], indexes: impl Iterator<Item = usize>) -> Strings<'a> {
        Strings { names, indexes: indexes.collect() }
    }

    /// The variable that holds the string of the argument `index`, if it is read.
    pub fn text(&self, index: usize) -> Option<String> {
        self.indexes.contains(&index).then(|| local(format!("arg{}_str", self.names[index]), self.names))
    }

    /// The variable that holds its length.
    pub fn length(&self, index: usize) -> Option<String> {
        self.indexes.contains(&index).then(|| local(format!("arg{}_len", self.names[index]), self.names))
    }

    /// The statements that read them, with their lengths if these are wanted. A string that cannot be read is empty.
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
