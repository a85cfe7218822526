//! Declarations as calls get them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io;

use ringtrace_events::lint::{Levels, lint};
use ringtrace_events::parse::{Dialect, Parsed, parse};
use ringtrace_events::{Diagnostic, Event, Severity, SourceFile};
use ringtrace_tracetool::{Format, Group, files};

use crate::call::Input;
use crate::failure::{Failure, reason};
use crate::paths::relative;
use crate::surroundings::Surroundings;

/// What messages and generated code call standard input.
const STDIN: &str = "<stdin>";

/// The text of `input`; else why there is none.
fn read(input: &Input, surroundings: &Surroundings) -> Result<SourceFile, String> {
    let name = match input {
        Input::Stdin => STDIN.to_owned(),
        Input::File(path) => relative(path, &surroundings.folder),
    };
    let source = match input {
        Input::Stdin => files::read(&name, io::stdin().lock()),
        Input::File(path) => File::open(path).and_then(|file| files::read(&name, file)),
    };
    source.map_err(|error| format!("{name}: {}", reason(&error)))
}

/// Parsed declarations.
#[derive(Debug, Default)]
pub struct Declarations {
    parsed: Parsed,
    /// What is wrong with them, whatever is made of them.
    errors: Vec<Diagnostic>,
    /// How many problems there are beyond those.
    omitted: usize,
}

impl Declarations {
    /// Those in `inputs`, one after the other; else which of them cannot be read, and why.
    pub fn read(
        inputs: &[Input],
        legacy_types: bool,
        surroundings: &Surroundings,
    ) -> Result<Declarations, Vec<String>> {
        let (mut sources, mut unreadable) = (Vec::with_capacity(inputs.len()), Vec::new());
        for input in inputs {
            match read(input, surroundings) {
                Ok(source) => sources.push(source),
                Err(message) => unreadable.push(message),
            }
        }
        if !unreadable.is_empty() {
            return Err(unreadable);
        }
        let mut parsed = parse(sources, Dialect::Generate { legacy_types, strict: false });
        let mut errors = std::mem::take(&mut parsed.diagnostics);
        // A build has no use for warnings; `ringtrace check` has them.
        errors.retain(|found| found.severity == Severity::Error);
        let omitted = if errors.is_empty() { 0 } else { parsed.omitted };
        Ok(Declarations { parsed, errors, omitted })
    }

    /// Adds what stands in another file.
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

    /// Fails if `format` cannot be made of them.
    pub fn check(&mut self, format: &Format) -> Result<(), Failure> {
        let mut errors = self.errors.clone();
        let mut omitted = self.omitted;
        if !format.denied_lints.is_empty() {
            self.parsed.omitted = 0;
            lint(&mut self.parsed, &denied(format), None);
            omitted += self.parsed.omitted;
            errors.append(&mut self.parsed.diagnostics);
            errors.sort_by_key(|found| (found.source, found.span.start));
        }
        if errors.is_empty() { Ok(()) } else { Err(self.failure(errors, omitted)) }
    }

    /// The failure that `errors` are; `omitted` more were only counted.
    pub fn failure(&self, errors: Vec<Diagnostic>, omitted: usize) -> Failure {
        Failure::Declarations { errors, omitted, sources: self.parsed.declarations.sources.clone() }
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

/// Declarations that many calls share: each file is read and parsed once.
#[derive(Debug, Default)]
pub struct Shelf {
    files: Files,
    /// Those of several files.
    groups: HashMap<(Vec<Input>, bool), Declarations>,
}

/// By file, and whether legacy types are accepted.
type Files = HashMap<(Input, bool), Result<Declarations, Vec<String>>>;

impl Shelf {
    /// The declarations in `inputs`, one after the other.
    pub fn get(
        &mut self,
        inputs: &[Input],
        legacy_types: bool,
        surroundings: &Surroundings,
    ) -> Result<&mut Declarations, Failure> {
        if let [only] = inputs {
            let kept = file(&mut self.files, only, legacy_types, surroundings);
            return kept.map_err(|unreadable| Failure::Messages(unreadable.clone()));
        }
        match self.groups.entry((inputs.to_vec(), legacy_types)) {
            Entry::Occupied(kept) => Ok(kept.into_mut()),
            Entry::Vacant(missing) => {
                let (mut joined, mut unreadable) = (Declarations::default(), Vec::new());
                for input in inputs {
                    match file(&mut self.files, input, legacy_types, surroundings) {
                        Ok(declarations) => joined.append(declarations),
                        Err(messages) => unreadable.extend_from_slice(messages),
                    }
                }
                if !unreadable.is_empty() {
                    return Err(Failure::Messages(unreadable));
                }
                Ok(missing.insert(joined))
            }
        }
    }
}

fn file<'f>(
    files: &'f mut Files,
    input: &Input,
    legacy_types: bool,
    surroundings: &Surroundings,
) -> Result<&'f mut Declarations, &'f mut Vec<String>> {
    let read = || Declarations::read(std::slice::from_ref(input), legacy_types, surroundings);
    files.entry((input.clone(), legacy_types)).or_insert_with(read).as_mut()
}
