//! One call, done.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use ringtrace_tracetool::{Request, SourceWriter, files};

use crate::call::{Call, Output};
use crate::declarations::Declarations;
use crate::depfile;
use crate::failure::{Failure, reason};
use crate::paths::relative;
use crate::surroundings::Surroundings;

/// What generated code calls standard output.
const STDOUT: &str = "<stdout>";

/// Room for an ordinary output. From here on glibc moves pages where it would copy bytes otherwise.
const ROOM_BYTES: usize = 256 << 10;

/// Does what `call` asks for.
pub fn run(call: &Call, surroundings: &Surroundings) -> Result<(), Failure> {
    let read = Declarations::read(&call.inputs, call.legacy_types, surroundings);
    let mut declarations = read.map_err(Failure::Messages)?;
    let text = generate(call, &mut declarations, surroundings)?;
    write(&text, &call.output)?;
    // The process ends here: the system takes back all at once what would be given back in a thousand pieces.
    std::mem::forget(declarations);
    match &call.depfile {
        Some(depfile) => depfile::write(depfile, &[depfile::Rule::of(call)]),
        None => Ok(()),
    }
}

/// The text of the output.
pub fn generate(
    call: &Call,
    declarations: &mut Declarations,
    surroundings: &Surroundings,
) -> Result<String, Failure> {
    declarations.check(call.format)?;
    let output = match &call.output {
        Output::Stdout => STDOUT.to_owned(),
        Output::File(path) => relative(path, &surroundings.folder),
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
        Err(refused) => Err(declarations.failure(refused, 0)),
    }
}

/// Puts `text` where it belongs.
pub fn write(text: &str, output: &Output) -> Result<(), Failure> {
    match output {
        Output::File(path) => write_file(path, text.as_bytes()),
        Output::Stdout => {
            let mut stdout = io::stdout().lock();
            match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
                // Who closed it had enough.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
                Err(error) => Err(Failure::message(format!("standard output: {}", reason(&error)))),
                Ok(()) => Ok(()),
            }
        }
    }
}

/// Makes `contents` the contents of the file at `path`.
pub fn write_file(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    files::replace(path, contents).map_err(|error| {
        let name = path.display();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        match folder {
            Some(folder) if error.kind() == ErrorKind::NotFound => {
                Failure::message(format!("{name}: there is no folder {}: make it first", folder.display()))
            }
            _ => Failure::message(format!("{name}: {}", reason(&error))),
        }
    })
}
