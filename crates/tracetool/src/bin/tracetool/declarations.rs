//! Declarations as calls get them.

use std::fs::File;
use std::io;

use ringtrace_events::lint::{Levels, lint};
use ringtrace_events::message::{MessageFormat, render};
use ringtrace_events::parse::{Dialect, Parsed, parse};
use ringtrace_events::{Diagnostic, Severity, Source};
use ringtrace_tracetool::{Format, Group, files};

use crate::call::Input;
use crate::failure::{Failure, reason};
use crate::paths::relative;
use crate::surroundings::Surroundings;

/// What messages and generated code call standard input.
pub const STDIN: &str = "<stdin>";

/// What `input` is called, in messages and generated code.
pub fn name_of(input: &Input, surroundings: &Surroundings) -> String {
    match input {
        Input::Stdin => STDIN.to_owned(),
        Input::File(path) => relative(path, &surroundings.folder),
    }
}

/// The declarations in `input`.
pub fn read(input: &Input, surroundings: &Surroundings) -> Result<Source, Failure> {
    let name = name_of(input, surroundings);
    let source = match input {
        Input::Stdin => files::read(&name, io::stdin().lock()),
        Input::File(path) => File::open(path).and_then(|file| files::read(&name, file)),
    };
    source.map_err(|error| Failure::new(format!("{name}: {}", reason(&error))))
}

/// Parsed declarations.
#[derive(Debug)]
pub struct Declarations {
    parsed: Parsed,
    /// What is wrong with them, whatever is made of them.
    errors: Vec<Diagnostic>,
}

impl Declarations {
    /// Those of `sources`, one after the other.
    pub fn parse(sources: Vec<Source>, legacy_types: bool) -> Declarations {
        let mut parsed = parse(sources, Dialect::Generate { legacy_types, strict: false });
        let mut errors = std::mem::take(&mut parsed.diagnostics);
        // A build has no use for warnings; `ringtrace check` has them.
        errors.retain(|found| found.severity == Severity::Error);
        Declarations { parsed, errors }
    }

    /// Fails if `format` cannot be made of them.
    pub fn check(&mut self, format: &Format, colour: bool) -> Result<(), Failure> {
        let mut errors = self.errors.clone();
        if !format.denied_lints.is_empty() {
            lint(&mut self.parsed, &denied(format), None);
            errors.append(&mut self.parsed.diagnostics);
            errors.sort_by_key(|found| (found.source, found.span.start));
        }
        if errors.is_empty() { Ok(()) } else { Err(self.failure(&errors, colour)) }
    }

    /// The failure that `errors` are.
    pub fn failure(&self, errors: &[Diagnostic], colour: bool) -> Failure {
        let format = MessageFormat::Human { colour };
        Failure::of_declarations(&render(errors, &self.parsed.declarations.sources, format), errors.len())
    }

    /// All of them, as the group `name`.
    pub fn group<'d>(&'d self, name: &'d str) -> Group<'d> {
        let declarations = &self.parsed.declarations;
        Group {
            name,
            sources: declarations.sources.iter().collect(),
            events: declarations.events.iter().collect(),
        }
    }
}

/// Lints whose findings `format` cannot make code of, and no others.
fn denied(format: &Format) -> Levels {
    let mut levels = Levels::default();
    let known = levels.allow(Levels::ALL);
    let known = format.denied_lints.iter().fold(known, |known, name| known.and(levels.deny(name)));
    debug_assert!(known.is_ok(), "{}: {known:?}", format.name);
    levels
}
