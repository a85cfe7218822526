//! LTTng-UST for Rust. Its tracepoints are C macros, so each provider gets a C library that the
//! generated Rust calls.
//!
//! [`Backend::external_tracer`](crate::Backend::external_tracer) defines the names of the library's
//! symbols.

#[cfg(feature = "ust")]
mod library;
mod shim;
#[cfg(test)]
mod tests;

use std::path::Path;

use ringtrace_events::Diagnostic;

use crate::format::ringtrace_rs::external::provider_word;
use crate::format::ust_events_h::Provider;
use crate::{Group, SourceWriter, files};
#[cfg(feature = "ust")]
use library::compile;

/// The source files of a provider's library.
pub(super) struct Sources {
    /// The provider's name as a C word.
    word: String,
    header: String,
    shim: String,
}

/// Generates the source files for `groups`, each with the name of its provider.
///
/// Groups with the same provider share one library, because LTTng ignores a provider that is
/// registered twice.
///
/// # Errors
/// Returns diagnostics for events that LTTng does not support.
pub(super) fn sources(groups: &[(&str, &Group<'_>)]) -> Result<Vec<Sources>, Vec<Diagnostic>> {
    let mut words: Vec<String> = Vec::new();
    for (provider, _) in groups {
        let word = provider_word(provider);
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let mut all = Vec::new();
    let mut diagnostics = Vec::new();
    for word in words {
        let mut merged = Group { name: &word, sources: Vec::new(), events: Vec::new() };
        for (_, group) in groups.iter().filter(|(provider, _)| provider_word(provider) == word) {
            merged.sources.extend(&group.sources);
            merged.events.extend(&group.events);
        }
        // Without tracepoints there is nothing to register, and the Rust code uses no symbols.
        if merged.events.iter().all(|event| event.disabled) {
            continue;
        }
        let itself = format!("./{}", header_name(&word));
        let provider = Provider { name: &word, group: &merged, itself: &itself };
        let (mut header, mut shim) = (SourceWriter::new(), SourceWriter::new());
        match provider.header(&mut header) {
            Ok(()) => shim::generate(&provider, &mut shim),
            Err(found) => diagnostics.extend(found),
        }
        all.push(Sources { header: header.finish(), shim: shim.finish(), word });
    }
    if diagnostics.is_empty() { Ok(all) } else { Err(diagnostics) }
}

impl Sources {
    /// Writes the files to `folder` and compiles the library there.
    ///
    /// # Errors
    /// Returns a one-line message.
    pub fn build(&self, folder: &Path) -> Result<(), String> {
        let header = folder.join(header_name(&self.word));
        let shim = folder.join(format!("trace-ust-{}.c", self.word));
        for (path, text) in [(&header, &self.header), (&shim, &self.shim)] {
            files::replace(path, text.as_bytes())
                .map_err(|error| format!("{}: {}", path.display(), files::reason(&error)))?;
        }
        compile(&format!("ringtrace_ust_{}", self.word), &shim, folder)
    }
}

/// Returns an error: without the feature, the crate that runs compilers is not a dependency.
#[cfg(not(feature = "ust"))]
fn compile(_name: &str, _source: &Path, _folder: &Path) -> Result<(), String> {
    let help = r#"`ringtrace-tracetool = { .., features = ["ust"] }` in [build-dependencies]"#;
    Err(format!("Builder: the backend `ust` requires a feature: {help}"))
}

fn header_name(provider: &str) -> String {
    format!("trace-ust-{provider}.h")
}
