//! Runs one call.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use ringtrace_tracetool::{Request, SourceWriter, files};

use crate::command::{Call, Context, Output};
use crate::declarations::Declarations;
use crate::depfile;
use crate::error::Error;
use crate::paths::relative;

/// The name used for standard output in generated code.
const STDOUT: &str = "<stdout>";

/// Initial capacity, enough for a typical output. To grow a buffer of at least this size, glibc
/// moves pages instead of copying bytes.
const ROOM_BYTES: usize = 256 << 10;

/// Runs `call` and writes its output.
pub fn run(call: &Call, context: &Context) -> Result<(), Error> {
    let read = Declarations::read(&call.inputs, call.dialect, context);
    let mut declarations = read.map_err(Error::Messages)?;
    let text = generate(call, &mut declarations, context)?;
    // The process exits next, which frees all memory at once.
    std::mem::forget(declarations);
    // Write the output last: after a failed call, make must not find a new target.
    if let Some(depfile) = &call.depfile {
        depfile::write(depfile, &[depfile::MakeRule::of(call)])?;
    }
    write(&text, &call.output)
}

/// Returns the text of the output.
pub fn generate(call: &Call, declarations: &mut Declarations, context: &Context) -> Result<String, Error> {
    declarations.check(call.format)?;
    let output = match &call.output {
        Output::Stdout => STDOUT.to_owned(),
        Output::File(path) => relative(path, &context.folder),
    };
    let request = Request {
        output: &output,
        binary: &call.binary,
        probe_prefix: &call.probe_prefix,
        stap_mode: call.stap_mode,
        ..Request::new(declarations.group(&call.group), &call.backends)
    };
    let mut out = SourceWriter::with_capacity(ROOM_BYTES);
    match (call.format.generate)(&request, &mut out) {
        Ok(()) => Ok(out.finish()),
        Err(diagnostics) => Err(declarations.error(diagnostics, 0)),
    }
}

pub fn write(text: &str, output: &Output) -> Result<(), Error> {
    match output {
        Output::File(path) => write_output(path, text),
        Output::Stdout => {
            let mut stdout = io::stdout().lock();
            match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
                // The reader has closed the pipe.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
                Err(error) => Err(Error::message(format!("standard output: {}", files::reason(&error)))),
                Ok(()) => Ok(()),
            }
        }
    }
}

/// Writes the output of a call.
pub fn write_output(path: &Path, text: &str) -> Result<(), Error> {
    files::replace(path, text.as_bytes()).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Error::message(format!(
            "{}: {}. The last argument of a call is the output file",
            path.display(),
            files::reason(&error)
        )),
        _ => file_error(path, &error),
    })
}

/// Writes a file that is not the output of a call.
pub fn write_file(path: &Path, contents: &[u8]) -> Result<(), Error> {
    files::replace(path, contents).map_err(|error| file_error(path, &error))
}

fn file_error(path: &Path, error: &io::Error) -> Error {
    let name = path.display();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if error.kind() == ErrorKind::NotFound => {
            Error::message(format!("{name}: the folder {} does not exist; create it first", folder.display()))
        }
        _ => Error::message(format!("{name}: {}", files::reason(error))),
    }
}
