//! LTTng-UST for Rust: its tracepoints are made by macros of C. So each provider has a library in C, to which the generated
//! Rust goes ([`Backend::external_tracer`](crate::Backend::external_tracer) names its symbols).

#[cfg(feature = "ust")]
mod library;
mod shim;
#[cfg(test)]
mod tests;

use std::path::Path;

use ringtrace_events::Diagnostic;

use crate::format::ringtrace_rs::outside::provider_word;
use crate::format::ust_events_h::Provider;
use crate::{Group, SourceWriter, files};
#[cfg(feature = "ust")]
use library::compile;

/// The sources of a provider's library.
pub(super) struct Sources {
    /// The provider's name, as C has it.
    word: String,
    header: String,
    shim: String,
}

/// The sources for `groups`, each with the name of its provider. Groups with the same one are one provider: LTTng would take the
/// second for the first, come again.
///
/// # Errors
/// Events that LTTng cannot have.
pub(super) fn sources(groups: &[(&str, &Group<'_>)]) -> Result<Vec<Sources>, Vec<Diagnostic>> {
    let mut words: Vec<String> = Vec::new();
    for (provider, _) in groups {
        let word = provider_word(provider);
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let mut all = Vec::new();
    let mut refused = Vec::new();
    for word in words {
        let mut merged = Group { name: &word, sources: Vec::new(), events: Vec::new() };
        for (_, group) in groups.iter().filter(|(provider, _)| provider_word(provider) == word) {
            merged.sources.extend(&group.sources);
            merged.events.extend(&group.events);
        }
        // Without tracepoints there is nothing to register, and Rust refers to nothing.
        if merged.events.iter().all(|event| event.disabled) {
            continue;
        }
        let itself = format!("./{}", header_name(&word));
        let provider = Provider { name: &word, group: &merged, itself: &itself };
        let (mut header, mut shim) = (SourceWriter::new(), SourceWriter::new());
        match provider.header(&mut header) {
            Ok(()) => shim::generate(&provider, &mut shim),
            Err(found) => refused.extend(found),
        }
        all.push(Sources { header: header.finish(), shim: shim.finish(), word });
    }
    if refused.is_empty() { Ok(all) } else { Err(refused) }
}

impl Sources {
    /// Writes them into `folder`, and compiles the library there.
    ///
    /// # Errors
    /// Why there is none, in one line for people.
    pub fn build(&self, folder: &Path) -> Result<(), String> {
        let header = folder.join(header_name(&self.word));
        let shim = folder.join(format!("trace-ust-{}.c", self.word));
        for (path, text) in [(&header, &self.header), (&shim, &self.shim)] {
            files::replace(path, text.as_bytes()).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        compile(&format!("ringtrace_ust_{}", self.word), &shim, folder)
    }
}

/// Refuses: who does not want LTTng waits for no crate that calls compilers.
#[cfg(not(feature = "ust"))]
fn compile(_name: &str, _source: &Path, _folder: &Path) -> Result<(), String> {
    let help = r#"`ringtrace-tracetool = { .., features = ["ust"] }` in [build-dependencies]"#;
    Err(format!("Builder: the backend `ust` compiles C, and that is a feature: {help}"))
}

fn header_name(provider: &str) -> String {
    format!("trace-ust-{provider}.h")
}
