//! A group of events in C: names of its objects, and what headers declare for each event.

use ringtrace_events::Diagnostic;
use ringtrace_events::declaration::Tcg;

use crate::probe::{CProbe, comment, string};
use crate::{Request, SourceWriter, Template};

/// What is asked for, in the words of C.
pub(super) struct CGroup<'a> {
    pub request: &'a Request<'a>,
    /// Its part of names: `hw_9pfs`.
    pub word: String,
    /// The group's name as it was given, which names of files have.
    pub name: &'a str,
    /// Where all of it comes from, for a comment.
    pub origin: String,
    pub probes: Vec<CProbe<'a>>,
}

impl<'a> CGroup<'a> {
    /// The group of `request`.
    ///
    /// # Errors
    /// Declarations that C can have no probe of.
    pub fn new(request: &'a Request<'a>) -> Result<CGroup<'a>, Vec<Diagnostic>> {
        let group = &request.group;
        let files: Vec<String> = group.sources.iter().map(|source| string(source.name())).collect();
        let output = string(request.output);
        let mut probes = Vec::with_capacity(group.events.len());
        let mut refused = Vec::new();
        for event in &group.events {
            let file = files.get(event.source).map_or("\"\"", String::as_str);
            match CProbe::new(event, file, &output) {
                Ok(probe) => probes.push(probe),
                Err(found) => refused.extend(found),
            }
        }
        if !refused.is_empty() {
            return Err(refused);
        }
        let name = group.name;
        Ok(CGroup { request, word: word(name), name, origin: comment(&group.origin()), probes })
    }

    /// Writes the rest of an array of pointers to its events, by which they are registered.
    pub fn list_events(&self, out: &mut SourceWriter) {
        let item = Template::new("&_TRACE_{capitals}_EVENT,\n");
        out.indented(|out| self.probes.iter().for_each(|probe| probe.block(&item, out)));
        out.text(END_OF_ARRAY);
    }

    /// The guard of a header for it that has `what`: `TRACE_BLOCK_GENERATED_TRACERS_H`.
    pub fn guard(&self, what: &str) -> String {
        guard(self.name, what)
    }
}

/// The guard of a header for `group` that has `what`.
pub(super) fn guard(group: &str, what: &str) -> String {
    format!("TRACE_{}_{what}_H", word(group).to_ascii_uppercase())
}

/// The end of an array that tells its end.
pub(super) const END_OF_ARRAY: &str = "
        NULL,
    };
";

/// What stands for `name` in identifiers, which may begin with it.
fn word(name: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word = name.to_ascii_lowercase().replace(|c| !is_word(c), "_");
    if word.starts_with(|c: char| c.is_ascii_digit()) { format!("_{word}") } else { word }
}

const EVENT: &str = "

    /* {declaration} */
    extern TraceEvent _TRACE_{capitals}_EVENT;
    extern uint16_t _TRACE_{capitals}_DSTATE;
    #define TRACE_{capitals}_ENABLED {is_enabled}
";

/// A `tcg` declaration makes two events, and the macro of its own name tells of both.
const TCG_EVENT: &str = "
    #define TRACE_{original}_ENABLED {is_enabled}
";

/// Writes it.
pub(super) struct Declarations {
    event: Template<'static>,
    tcg_event: Template<'static>,
}

impl Declarations {
    pub fn new() -> Declarations {
        Declarations { event: Template::new(EVENT), tcg_event: Template::new(TCG_EVENT) }
    }

    /// The objects of an event, and whether it is compiled in.
    pub fn write(&self, probe: &CProbe<'_>, out: &mut SourceWriter) {
        let event = probe.event();
        let is_enabled = ("is_enabled", if event.disabled { "0" } else { "1" });
        probe.block_with(&self.event, &[is_enabled], out);
        if event.tcg == Some(Tcg::Translation) {
            let original = probe.capitals().strip_suffix("_TRANS").unwrap_or_default();
            out.block(&self.tcg_event, &[("original", original), is_enabled]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn words_of_groups_can_begin_identifiers() {
        for (name, expected) in
            [("root", "root"), ("hw_9pfs", "hw_9pfs"), ("NVMe", "nvme"), ("9p-x", "_9p_x")]
        {
            assert_eq!(word(name), expected);
        }
    }
}
