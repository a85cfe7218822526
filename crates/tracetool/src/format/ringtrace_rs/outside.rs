//! Tracers from outside, of which the runtime knows nothing: probes ask whether they listen, and bring them events themselves.

use super::probe::Probe;
use super::section;
use crate::backend::ExternalTracer;
use crate::{Backend, SourceWriter, Template};

/// Those among the backends, in the order named.
pub(super) struct Outside(Vec<&'static ExternalTracer>);

impl Outside {
    pub fn new(backends: &[&'static Backend]) -> Outside {
        Outside(backends.iter().filter_map(|backend| backend.external_tracer()).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of them asks another object whether anybody listens.
    pub fn asks_far(&self) -> bool {
        self.0.iter().any(|tracer| tracer.asks_far)
    }

    /// Whether anybody listens to `probe`.
    pub fn is_listening(&self, probe: &str) -> String {
        let each = self.0.iter().map(|tracer| filled(tracer.is_listening, &[("name", probe)]));
        each.collect::<Vec<String>>().join(" | ")
    }

    /// Brings everybody who listens to `probe` the `arguments`.
    pub fn fire(&self, probe: &str, arguments: &str) -> String {
        let values = [("name", probe), ("arguments", arguments)];
        let each = self.0.iter().map(|tracer| {
            let is_listening = filled(tracer.is_listening, &values);
            format!("if {is_listening} {{\n    {};\n}}", filled(tracer.fire, &values))
        });
        each.collect::<Vec<String>>().join("\n")
    }

    /// The modules with what they need.
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

/// `text` as tracers can have it: what is no letter, digit, `_` or `-` is `_`.
fn name_of_provider(text: &str) -> String {
    let is_word = |c: &char| c.is_ascii_alphanumeric() || *c == '_' || *c == '-';
    text.chars().map(|c| if is_word(&c) { c } else { '_' }).collect()
}

/// `name` as a word of C.
pub(crate) fn provider_word(name: &str) -> String {
    let word = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    if word.starts_with(|c: char| c.is_ascii_digit()) { format!("_{word}") } else { word }
}

/// A template of one line.
fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = SourceWriter::new();
    out.block(&Template::new(template), values);
    out.finish().trim_end().to_owned()
}
