//! What is to be recorded: options of the command line, on top of those that the environment has.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use ringtrace::options::VARIABLE;
use ringtrace::{Backends, Options, Policy};

use crate::exit::CliError;

/// What is to be recorded.
#[derive(Debug)]
pub struct RecordOptions {
    options: Options,
    /// The texts, each an option.
    texts: Vec<OsString>,
    /// What the variable had already.
    before: Option<OsString>,
    file: Option<PathBuf>,
    backends: Backends,
    policy: Policy,
}

impl RecordOptions {
    /// What the environment and the command line ask for. The program will understand it, too: its options are parsed here, so that what
    /// is wrong with them is said once, and before anything has happened.
    ///
    /// # Errors
    /// When an option cannot be understood.
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
                mistake(&error).help("what --trace takes: `ringtrace record --help`, docs/options.md")
            })?;
            options.extend(asked);
            texts.push(text.clone());
        }
        // Who says how but not what wants everything. The empty text says that nothing is to be on yet.
        let is_told_what = options.switches().any(|switch| switch.enable);
        if !is_told_what && !trace.iter().any(|text| text.is_empty()) {
            texts.insert(0, "*".into());
        }
        if let Some(path) = output {
            if path.as_os_str() == "-" {
                return Err(CliError::usage("-o takes a file: standard output is the program's own"));
            }
            options.extend(Options::new().file(path));
        }
        let settings = options.settings().map_err(|error| mistake(&error))?;
        let file = settings.file.clone();
        let (backends, policy) = (settings.backends, settings.policy);
        Ok(RecordOptions { options, texts, before, file, backends, policy })
    }

    /// Whether the list of events is all that is wanted.
    pub fn asks_for_list(&self) -> bool {
        self.options.asks_for_list()
    }

    /// The trace file that was named.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Whether events go to a trace file from the start.
    pub fn has_trace(&self) -> bool {
        self.backends.contains(Backends::SIMPLE)
    }

    /// Whether only the newest events are kept.
    pub fn is_flight_recorder(&self) -> bool {
        self.policy == Policy::Overwrite
    }

    /// The value of the variable: what was there, what is asked for, and `more` behind it.
    pub fn variable(&self, more: &OsStr) -> Result<OsString, CliError> {
        let own = self.texts.iter().map(OsString::as_os_str).chain([more]);
        let mut value = self.before.clone().unwrap_or_default().into_vec();
        for text in own {
            if text.as_bytes().contains(&b'\n') {
                return Err(CliError::usage(format!("`{}`: a line end cannot be handed on", text.display())));
            }
            // A line end parts options whatever is before it; a semicolon may be half of one that was doubled.
            value.push(b'\n');
            for &byte in text.as_bytes() {
                value.extend_from_slice(if byte == b';' { b";;" } else { std::slice::from_ref(&byte) });
            }
        }
        Ok(OsString::from_vec(value))
    }
}

/// `KEY=VALUE`, with the commas of the value doubled.
pub fn part(key: &str, value: &OsStr) -> OsString {
    let mut part = key.as_bytes().to_vec();
    part.push(b'=');
    for &byte in value.as_bytes() {
        part.extend_from_slice(if byte == b',' { b",," } else { std::slice::from_ref(&byte) });
    }
    OsString::from_vec(part)
}
