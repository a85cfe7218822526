//! The tracing options of a run: the options on the command line, added to those in the
//! environment.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use ringtrace::options::VARIABLE;
use ringtrace::{Backends, Options, Policy};

use crate::exit::CliError;

#[derive(Debug)]
pub struct RecordOptions {
    options: Options,
    /// The values of `--trace`, one option each.
    texts: Vec<OsString>,
    /// The previous value of the environment variable.
    before: Option<OsString>,
    file: Option<PathBuf>,
    backends: Backends,
    policy: Policy,
}

impl RecordOptions {
    /// Combines the options from the environment and the command line. The program parses the
    /// result again. Parsing it here as well reports an error only once, and before the program
    /// starts.
    ///
    /// # Errors
    /// Fails if an option cannot be parsed.
    pub fn gather(trace: &[OsString], output: Option<&Path>) -> Result<RecordOptions, CliError> {
        let mistake = |error: &dyn std::fmt::Display| CliError::usage(error.to_string());
        #[expect(clippy::disallowed_methods, reason = "RINGTRACE may already contain options")]
        let before = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
        let mut options = Options::new();
        if let Some(value) = &before {
            options = Options::parse_variable(VARIABLE, value).map_err(|error| mistake(&error))?;
        }
        let mut texts = Vec::new();
        for text in trace {
            let (asked, _) = Options::from_args([OsStr::new("--trace"), text]).map_err(|error| {
                mistake(&error).help("`ringtrace record --help` and docs/options.md describe the options")
            })?;
            options.extend(asked);
            texts.push(text.clone());
        }
        // If no pattern is given, enable all events. An empty `--trace` value disables this
        // default.
        let is_told_what = options.switches().any(|switch| switch.enable);
        if !is_told_what && !trace.iter().any(|text| text.is_empty()) {
            texts.insert(0, "*".into());
        }
        if let Some(path) = output {
            if path.as_os_str() == "-" {
                return Err(CliError::usage("-o needs a file: standard output belongs to the program"));
            }
            options.extend(Options::new().file(path));
        }
        let settings = options.settings().map_err(|error| mistake(&error))?;
        if settings.rotation.is_on() {
            let error =
                CliError::usage("`rotate` cannot be combined with `record`, which adds up single files");
            return Err(
                error.help("start the program with `--trace` or RINGTRACE, as docs/options.md describes")
            );
        }
        let file = settings.file.clone();
        let (backends, policy) = (settings.backends, settings.policy);
        Ok(RecordOptions { options, texts, before, file, backends, policy })
    }

    /// Returns whether the user requests only the list of events.
    pub fn asks_for_list(&self) -> bool {
        self.options.asks_for_list()
    }

    /// The patterns that enable events, as the user wrote them.
    pub fn enabling_patterns(&self) -> Vec<String> {
        let switches = self.options.switches().filter(|switch| switch.enable);
        switches.map(|switch| switch.pattern.as_str().to_owned()).collect()
    }

    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Returns whether events go to a trace file from the start.
    pub fn has_trace(&self) -> bool {
        self.backends.contains(Backends::SIMPLE)
    }

    pub fn is_flight_recorder(&self) -> bool {
        self.policy == Policy::Overwrite
    }

    /// Returns the value of the environment variable: its previous value, these options, and
    /// `more`.
    pub fn variable(&self, more: &OsStr) -> Result<OsString, CliError> {
        let own = self.texts.iter().map(OsString::as_os_str).chain([more]);
        let mut value = self.before.clone().unwrap_or_default().into_vec();
        for text in own {
            if text.as_bytes().contains(&b'\n') {
                return Err(CliError::usage(format!(
                    "`{}`: an option cannot contain a line break",
                    text.display()
                )));
            }
            // Separate options with a line end. A semicolon could merge with an adjacent one into
            // `;;`, which is an escaped semicolon.
            value.push(b'\n');
            for &byte in text.as_bytes() {
                value.extend_from_slice(if byte == b';' { b";;" } else { std::slice::from_ref(&byte) });
            }
        }
        Ok(OsString::from_vec(value))
    }
}

/// Formats `KEY=VALUE`, and doubles the commas of the value.
pub fn part(key: &str, value: &OsStr) -> OsString {
    let mut part = key.as_bytes().to_vec();
    part.push(b'=');
    for &byte in value.as_bytes() {
        part.extend_from_slice(if byte == b',' { b",," } else { std::slice::from_ref(&byte) });
    }
    OsString::from_vec(part)
}
