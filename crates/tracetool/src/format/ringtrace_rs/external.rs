//! External tracers, which the runtime does not know. Probes test whether such a tracer is
//! listening, and call it directly.

use super::probe::Probe;
use super::section;
use crate::backend::ExternalTracer;
use crate::{Backend, SourceWriter, Template};

/// The external tracers among the backends, in the order given.
pub(super) struct ExternalTracers(Vec<&'static ExternalTracer>);

impl ExternalTracers {
    pub fn new(backends: &[&'static Backend]) -> ExternalTracers {
        ExternalTracers(backends.iter().filter_map(|backend| backend.external_tracer.as_ref()).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a test of any tracer reads memory of another shared object.
    pub fn reads_other_object(&self) -> bool {
        self.0.iter().any(|tracer| tracer.reads_other_object)
    }

    /// An expression that is true if a tracer listens to `probe`.
    pub fn is_listening(&self, probe: &str) -> String {
        let each = self.0.iter().map(|tracer| filled(tracer.is_listening, &[("name", probe)]));
        each.collect::<Vec<String>>().join(" | ")
    }

    /// Statements that pass the `arguments` to each tracer that listens to `probe`.
    pub fn fire(&self, probe: &str, arguments: &str) -> String {
        let values = [("name", probe), ("arguments", arguments)];
        let each = self.0.iter().map(|tracer| {
            let is_listening = filled(tracer.is_listening, &values);
            format!("if {is_listening} {{\n    {};\n}}", filled(tracer.fire, &values))
        });
        each.collect::<Vec<String>>().join("\n")
    }

    /// Writes the modules of all tracers.
    pub fn modules(&self, probes: &[Probe<'_>], provider: &str, out: &mut SourceWriter) {
        let live: Vec<&Probe<'_>> = probes.iter().filter(|probe| !probe.event.disabled).collect();
        let provider = &name_of_provider(provider);
        let word = &provider_word(provider);
        for tracer in &self.0 {
            section(&format!("mod {} {{\n", tracer.module), out, |out| {
                if !live.is_empty() {
                    out.block(&Template::new(tracer.head), &[("word", word)]);
                }
                let item = Template::new(tracer.item);
                live.iter().for_each(|probe| probe.item(&item, provider, word, out));
            });
        }
    }
}

/// Replaces characters other than letters, digits, `_` and `-` by `_`.
fn name_of_provider(text: &str) -> String {
    let is_word = |c: &char| c.is_ascii_alphanumeric() || *c == '_' || *c == '-';
    text.chars().map(|c| if is_word(&c) { c } else { '_' }).collect()
}

/// Converts `name` to a form that C identifiers can contain.
pub(crate) fn provider_word(name: &str) -> String {
    let word = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    if word.starts_with(|c: char| c.is_ascii_digit()) { format!("_{word}") } else { word }
}

/// Fills in a one-line template.
fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = SourceWriter::new();
    out.block(&Template::new(template), values);
    out.finish().trim_end().to_owned()
}
