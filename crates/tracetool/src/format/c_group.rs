//! A group of events in C: the names of its objects, and the declarations of each event in headers.

use ringtrace_events::Diagnostic;
use ringtrace_events::declaration::Tcg;

use crate::probe::enumerations::{clashes, enumerations};
use crate::probe::{CProbe, comment, string};
use crate::{Request, SourceWriter, Template};

/// A group with its names in C.
pub(super) struct CGroup<'a> {
    pub request: &'a Request<'a>,
    /// The group's name as part of identifiers, such as `hw_9pfs`.
    pub word: String,
    /// The group's name as given, for file names.
    pub name: &'a str,
    /// The text of a comment that names the source files.
    pub origin: String,
    pub probes: Vec<CProbe<'a>>,
}

impl<'a> CGroup<'a> {
    /// Creates the probes of the request's group.
    ///
    /// # Errors
    /// Returns diagnostics for declarations that C does not support.
    pub fn new(request: &'a Request<'a>) -> Result<CGroup<'a>, Vec<Diagnostic>> {
        let group = &request.group;
        let files: Vec<String> = group.sources.iter().map(|source| string(source.name())).collect();
        let output = string(request.output);
        let mut probes = Vec::with_capacity(group.events.len());
        let mut diagnostics = Vec::new();
        for event in &group.events {
            let file = files.get(event.source).map_or("\"\"", String::as_str);
            match CProbe::new(event, file, &output) {
                Ok(probe) => probes.push(probe),
                Err(found) => diagnostics.extend(found),
            }
        }
        let enumerations = enumerations(group.events.iter().copied());
        diagnostics.extend(clashes(&enumerations, "C", true, str::to_owned));
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        let name = group.name;
        Ok(CGroup { request, word: word(name), name, origin: comment(&group.origin()), probes })
    }

    /// Writes the elements and the terminator of the array of pointers to the group's events, which
    /// is used to register them.
    pub fn list_events(&self, out: &mut SourceWriter) {
        let item = Template::new("&_TRACE_{capitals}_EVENT,\n");
        out.indented(|out| self.probes.iter().for_each(|probe| probe.block(&item, out)));
        out.text(END_OF_ARRAY);
    }

    /// The include guard of the group's header for `what`: `TRACE_BLOCK_GENERATED_TRACERS_H`.
    pub fn guard(&self, what: &str) -> String {
        guard(self.name, what)
    }
}

/// The include guard of the header of `group` for `what`.
pub(super) fn guard(group: &str, what: &str) -> String {
    format!("TRACE_{}_{what}_H", word(group).to_ascii_uppercase())
}

/// The end of a NULL-terminated array.
pub(super) const END_OF_ARRAY: &str = "
        NULL,
    };
";

/// Converts `name` to a word that identifiers can start with.
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

/// The macro named after a `tcg` declaration, which covers both of its events.
const TCG_EVENT: &str = "
    #define TRACE_{original}_ENABLED {is_enabled}
";

/// The templates of [`Declarations::write`].
pub(super) struct Declarations {
    event: Template<'static>,
    tcg_event: Template<'static>,
}

impl Declarations {
    pub fn new() -> Declarations {
        Declarations { event: Template::new(EVENT), tcg_event: Template::new(TCG_EVENT) }
    }

    /// Declares the objects of an event, and whether it is compiled in.
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
