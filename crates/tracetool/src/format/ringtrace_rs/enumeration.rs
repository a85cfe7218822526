//! Enumerations in Rust.

use ringtrace_events::Enumeration;
use ringtrace_events::lint::{Language, keyword_of};
use ringtrace_events::message::visible;

use crate::{SourceWriter, Template};

const HEAD: &str = "

    /// Declared in {sources}:
    ///
    /// ```text
    /// {declaration}
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[repr(i32)]
    pub enum {name} {
";

const CONSTANT: &str = "
    /// `{constant}`
    {name} = {value},
";

/// Writes the `enum` of an enumeration.
pub(super) fn write(enumeration: &Enumeration, sources: &str, out: &mut SourceWriter) {
    let name = rust_name(&enumeration.name);
    let declaration = visible::text(&enumeration.declaration);
    out.block(&Template::new(HEAD), &[("sources", sources), ("declaration", &declaration), ("name", &name)]);
    let template = Template::new(CONSTANT);
    out.indented(|out| {
        for constant in &enumeration.constants {
            let values = [
                ("constant", &*constant.name),
                ("name", &rust_name(&constant.name)),
                ("value", &constant.value.to_string()),
            ];
            out.block(&template, &values);
        }
    });
    out.text("}\n");
}

/// Converts a name of C to a name of a type or a variant: `disk_state` to `DiskState`, `QUEUE_FULL` to
/// `QueueFull`.
pub(super) fn rust_name(name: &str) -> String {
    let mut out = String::new();
    for word in name.split('_').filter(|word| !word.is_empty()) {
        let is_upper = !word.contains(|c: char| c.is_ascii_lowercase());
        let (first, rest) = word.split_at(1);
        out += &first.to_ascii_uppercase();
        out += &if is_upper { rest.to_ascii_lowercase() } else { rest.to_owned() };
    }
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, '_');
    }
    // The only keyword with a capital is `Self`.
    if keyword_of(&out).any(|language| language == Language::Rust) {
        out.push('_');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::rust_name;

    #[test]
    fn names_are_those_of_rust() {
        for (name, expected) in [
            ("disk_state", "DiskState"),
            ("DiskState", "DiskState"),
            ("QUEUE_FULL", "QueueFull"),
            ("IDLE", "Idle"),
            ("_IDLE_2", "Idle2"),
            ("_9P", "_9p"),
            ("__", "_"),
            ("SELF", "Self_"),
            ("state_t", "StateT"),
        ] {
            assert_eq!(rust_name(name), expected);
        }
    }
}
