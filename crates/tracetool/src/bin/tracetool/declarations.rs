//! Reads the declarations of calls.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io;

use ringtrace_events::lint::{Levels, lint};
use ringtrace_events::parse::{Dialect, Parsed, parse};
use ringtrace_events::{Diagnostic, Event, Severity, SourceFile};
use ringtrace_tracetool::{Format, Group, files};

use crate::command::{Context, Input};
use crate::error::Error;
use crate::paths::relative;

/// The name used for standard input in messages and generated code.
const STDIN: &str = "<stdin>";

/// Reads `input`, or returns a message.
fn read(input: &Input, context: &Context) -> Result<SourceFile, String> {
    let name = match input {
        Input::Stdin => STDIN.to_owned(),
        Input::File(path) => relative(path, &context.folder),
    };
    let source = match input {
        Input::Stdin => files::read(&name, io::stdin().lock()),
        Input::File(path) => File::open(path).and_then(|file| files::read(&name, file)),
    };
    source.map_err(|error| format!("{name}: {}", files::reason(&error)))
}

#[derive(Debug, Default)]
pub struct Declarations {
    parsed: Parsed,
    /// Errors that apply to every output format.
    errors: Vec<Diagnostic>,
    /// The number of further diagnostics, which were dropped.
    omitted: usize,
}

impl Declarations {
    /// Reads and concatenates `inputs`, or returns a message for each unreadable one.
    pub fn read(inputs: &[Input], dialect: Dialect, context: &Context) -> Result<Declarations, Vec<String>> {
        let (mut sources, mut unreadable) = (Vec::with_capacity(inputs.len()), Vec::new());
        for input in inputs {
            match read(input, context) {
                Ok(source) => sources.push(source),
                Err(message) => unreadable.push(message),
            }
        }
        if !unreadable.is_empty() {
            return Err(unreadable);
        }
        let mut parsed = parse(sources, dialect);
        let mut errors = std::mem::take(&mut parsed.diagnostics);
        // Builds do not need warnings, and `ringtrace check` prints them.
        errors.retain(|found| found.severity == Severity::Error);
        let omitted = if errors.is_empty() { 0 } else { parsed.omitted };
        Ok(Declarations { parsed, errors, omitted })
    }

    /// Appends the declarations of another file.
    fn append(&mut self, other: &Declarations) {
        let (mine, others) = (&mut self.parsed.declarations, &other.parsed.declarations);
        let offset = mine.sources.len();
        mine.sources.extend(others.sources.iter().cloned());
        let moved = |event: &Event| Event { source: event.source + offset, ..event.clone() };
        mine.events.extend(others.events.iter().map(moved));
        let moved = |error: &Diagnostic| Diagnostic { source: error.source + offset, ..error.clone() };
        self.errors.extend(other.errors.iter().map(moved));
        self.omitted += other.omitted;
    }

    /// Returns an error if `format` does not support the declarations.
    pub fn check(&mut self, format: &Format) -> Result<(), Error> {
        let mut errors = self.errors.clone();
        let mut omitted = self.omitted;
        if !format.denied_lints.is_empty() {
            self.parsed.omitted = 0;
            lint(&mut self.parsed, &denied(format), None);
            omitted += self.parsed.omitted;
            errors.append(&mut self.parsed.diagnostics);
            errors.sort_by_key(|found| (found.source, found.span.start));
        }
        if errors.is_empty() { Ok(()) } else { Err(self.error(errors, omitted)) }
    }

    /// Creates an error from diagnostics. `omitted` is the number of further diagnostics that were
    /// dropped.
    pub fn error(&self, errors: Vec<Diagnostic>, omitted: usize) -> Error {
        Error::Declarations { errors, omitted, sources: self.parsed.declarations.sources.clone() }
    }

    /// Returns all declarations as the group `name`.
    pub fn group<'d>(&'d self, name: &'d str) -> Group<'d> {
        let declarations = &self.parsed.declarations;
        Group {
            name,
            sources: declarations.sources.iter().collect(),
            events: declarations.events.iter().collect(),
        }
    }
}

/// Denies the lints that `format` cannot tolerate and allows all others.
fn denied(format: &Format) -> Levels {
    let mut levels = Levels::default();
    let known = levels.allow(Levels::ALL);
    let known = format.denied_lints.iter().fold(known, |known, name| known.and(levels.deny(name)));
    debug_assert!(known.is_ok(), "{}: {known:?}", format.name);
    levels
}

/// Declarations shared by many calls, so that each file is read and parsed once.
#[derive(Debug, Default)]
pub struct DeclarationCache {
    files: Files,
    /// Concatenations of several files.
    groups: HashMap<(Vec<Input>, Dialect), Declarations>,
}

/// Key: the file, and the rules for it.
type Files = HashMap<(Input, Dialect), Result<Declarations, Vec<String>>>;

impl DeclarationCache {
    /// Returns the concatenated declarations of `inputs`.
    pub fn get(
        &mut self,
        inputs: &[Input],
        dialect: Dialect,
        context: &Context,
    ) -> Result<&mut Declarations, Error> {
        if let [only] = inputs {
            let kept = file(&mut self.files, only, dialect, context);
            return kept.map_err(|unreadable| Error::Messages(unreadable.clone()));
        }
        match self.groups.entry((inputs.to_vec(), dialect)) {
            Entry::Occupied(kept) => Ok(kept.into_mut()),
            Entry::Vacant(missing) => {
                let (mut joined, mut unreadable) = (Declarations::default(), Vec::new());
                for input in inputs {
                    match file(&mut self.files, input, dialect, context) {
                        Ok(declarations) => joined.append(declarations),
                        Err(messages) => unreadable.extend_from_slice(messages),
                    }
                }
                if !unreadable.is_empty() {
                    return Err(Error::Messages(unreadable));
                }
                Ok(missing.insert(joined))
            }
        }
    }
}

fn file<'f>(
    files: &'f mut Files,
    input: &Input,
    dialect: Dialect,
    context: &Context,
) -> Result<&'f mut Declarations, &'f mut Vec<String>> {
    let read = || Declarations::read(std::slice::from_ref(input), dialect, context);
    files.entry((input.clone(), dialect)).or_insert_with(read).as_mut()
}
