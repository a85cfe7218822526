//! One call, done.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use ringtrace_tracetool::{Request, SourceWriter, files};

use crate::call::{Call, Output};
use crate::declarations::{self, Declarations};
use crate::failure::{Failure, reason};
use crate::paths::relative;
use crate::surroundings::Surroundings;

/// What generated code calls standard output.
const STDOUT: &str = "<stdout>";

/// Does what `call` asks for.
pub fn run(call: &Call, surroundings: &Surroundings) -> Result<(), Failure> {
    let mut sources = Vec::with_capacity(call.inputs.len());
    for input in &call.inputs {
        sources.push(declarations::read(input, surroundings)?);
    }
    let mut declarations = Declarations::parse(sources, call.legacy_types);
    let text = generate(call, &mut declarations, surroundings)?;
    write(&text, &call.output)
}

/// The text of the output.
pub fn generate(
    call: &Call,
    declarations: &mut Declarations,
    surroundings: &Surroundings,
) -> Result<String, Failure> {
    declarations.check(call.format, surroundings.colour)?;
    let output = match &call.output {
        Output::Stdout => STDOUT.to_owned(),
        Output::File(path) => relative(path, &surroundings.folder),
    };
    let request = Request {
        output: &output,
        binary: &call.binary,
        probe_prefix: &call.probe_prefix,
        stap_manner: call.stap_manner,
        ..Request::new(declarations.group(&call.group), &call.backends)
    };
    let mut out = SourceWriter::new();
    match (call.format.generate)(&request, &mut out) {
        Ok(()) => Ok(out.finish()),
        Err(refused) => Err(declarations.failure(&refused, surroundings.colour)),
    }
}

/// Puts `text` where it belongs.
pub fn write(text: &str, output: &Output) -> Result<(), Failure> {
    match output {
        Output::File(path) => files::replace(path, text.as_bytes()).map_err(|error| refused(path, &error)),
        Output::Stdout => {
            let mut stdout = io::stdout().lock();
            match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
                // Who closed it had enough.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
                Err(error) => Err(Failure::new(format!("standard output: {}", reason(&error)))),
                Ok(()) => Ok(()),
            }
        }
    }
}

/// Why the file at `path` could not be written.
pub fn refused(path: &Path, error: &io::Error) -> Failure {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let name = path.display();
    match folder {
        Some(folder) if !folder.exists() => {
            Failure::new(format!("{name}: there is no folder {}: make it first", folder.display()))
        }
        _ => Failure::new(format!("{name}: {}", reason(error))),
    }
}
