//! Dependency files, as C compilers write them: rules for `make`, which `ninja` also reads (`deps =
//! gcc`).
//!
//! ```text
//! trace/trace-root.h: ../qemu/trace-events
//! ../qemu/trace-events:
//! ```
//!
//! The second rule lets builds continue after the file is deleted.

use std::collections::HashSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::command::{Call, Depfile, Input, Output};
use crate::error::Error;
use crate::generate;

/// An output and its dependencies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MakeRule {
    /// The output, as given in the call.
    pub output: PathBuf,
    /// The inputs, as given in the call.
    pub inputs: Vec<PathBuf>,
}

impl MakeRule {
    /// The rule for the output of `call`. Standard input and output are not files, so they are not
    /// part of it.
    pub fn of(call: &Call) -> MakeRule {
        let output = match &call.output {
            Output::File(path) => path.clone(),
            Output::Stdout => PathBuf::new(),
        };
        let inputs = call.inputs.iter().filter_map(|input| match input {
            Input::File(path) => Some(path.clone()),
            Input::Stdin => None,
        });
        MakeRule { output, inputs: inputs.collect() }
    }
}

/// Writes a dependency file with `rules`.
pub fn write(depfile: &Depfile, rules: &[MakeRule]) -> Result<(), Error> {
    let text = match &depfile.target {
        None => render(rules),
        Some(target) => {
            let mut seen = HashSet::new();
            let inputs = rules.iter().flat_map(|rule| &rule.inputs).filter(|input| seen.insert(*input));
            render(&[MakeRule { output: target.clone(), inputs: inputs.cloned().collect() }])
        }
    };
    generate::write_file(&depfile.path, &text?)
}

fn render(rules: &[MakeRule]) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    for MakeRule { output, inputs } in rules {
        name(output, &mut out)?;
        out.push(b':');
        for input in inputs {
            out.push(b' ');
            name(input, &mut out)?;
        }
        out.push(b'\n');
    }
    let outputs: HashSet<&PathBuf> = rules.iter().map(|rule| &rule.output).collect();
    let mut seen = HashSet::new();
    for input in rules.iter().flat_map(|rule| &rule.inputs) {
        if !outputs.contains(input) && seen.insert(input) {
            name(input, &mut out)?;
            out.extend(b":\n");
        }
    }
    Ok(out)
}

/// Appends a file name with escapes that both `make` and `ninja` understand.
fn name(path: &Path, out: &mut Vec<u8>) -> Result<(), Error> {
    let bytes = path.as_os_str().as_bytes();
    if bytes.contains(&b'\n') {
        return Err(Error::message(format!(
            "{path:?}: a dependency file cannot contain names with line breaks"
        )));
    }
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b' ' | b'\t' => {
                // Backslashes before a blank must be doubled.
                let before = bytes[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
                out.extend(std::iter::repeat_n(b'\\', before + 1));
            }
            b'#' | b':' => out.push(b'\\'),
            b'$' => out.push(b'$'),
            _ => {}
        }
        out.push(*byte);
    }
    Ok(())
}
