//! Opens traces as the tool `ringtrace` does.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringtrace_events::message::{self, MessageFormat};
use ringtrace_events::{Severity, SourceFile};
use ringtrace_tracefile::align::{Aligned, Alignment, align};
use ringtrace_tracefile::moment::Epoch;
use ringtrace_tracefile::{Input, Needs, Options, Reader, Schemas, Traces, folder};

use crate::error::Error;

/// The traces to open, and how to read them.
#[derive(Debug, Clone, Default)]
pub struct Opening {
    /// Files, and folders of rotated traces.
    pub paths: Vec<PathBuf>,
    /// The format and the declarations.
    pub options: Options,
    /// How several traces are merged.
    pub alignment: Alignment,
    /// The relation of the traces' clocks to the wall clock, which replaces the one in the traces.
    pub epochs: Vec<Epoch>,
}

impl Opening {
    /// Opens all traces.
    ///
    /// # Errors
    /// A file cannot be opened, or is not a trace.
    pub fn readers(&self) -> Result<Vec<Reader>, Error> {
        let mut readers = Vec::new();
        for path in &self.paths {
            let mut opened = self.open(path)?;
            let own = self.epochs.iter().find(|epoch| epoch.trace.as_ref() == Some(path));
            if let Some(epoch) = own.or_else(|| self.epochs.iter().find(|epoch| epoch.trace.is_none())) {
                opened.iter_mut().for_each(|reader| reader.set_anchor(epoch.anchor));
            }
            readers.extend(opened);
        }
        readers.iter().try_for_each(check_declarations)?;
        Ok(readers)
    }

    fn open(&self, path: &Path) -> Result<Vec<Reader>, Error> {
        let name = path.display();
        if path.is_dir() {
            return Ok(folder::open(path, &self.options)?);
        }
        let is_stdin = path.as_os_str() == "-";
        let file = if is_stdin { Path::new("/dev/stdin") } else { path };
        if file.metadata().is_ok_and(|found| !found.is_file()) {
            let name = if is_stdin { "standard input".to_owned() } else { name.to_string() };
            return Err(Error::usage(format!("{name}: not a file, so it cannot be read several times"))
                .help("save its contents to a file"));
        }
        let input = Input::open(path).map_err(|error| Error::system(&name, &error))?;
        Ok(vec![Reader::new(&name.to_string(), input, &self.options)?])
    }

    /// Determines the relation of several traces.
    ///
    /// # Errors
    /// The traces cannot be merged.
    pub fn align(&self, readers: &mut [Reader]) -> Result<Aligned, Error> {
        Ok(align(readers, self.alignment)?)
    }

    /// Combines open traces.
    ///
    /// # Errors
    /// The traces cannot be merged, or cannot be sorted.
    pub fn gather(&self, mut readers: Vec<Reader>, needs: Needs) -> Result<Traces, Error> {
        let aligned = self.align(&mut readers)?;
        let traces =
            if self.options.spool { Traces::sorted(readers, needs) } else { Traces::new(readers, needs) };
        let mut traces = traces?;
        traces.set_aligned(aligned);
        Ok(traces)
    }
}

/// Reads the declarations in the file at `path`.
///
/// # Errors
/// The file cannot be read.
pub fn declarations(path: &Path) -> Result<SourceFile, Error> {
    let bytes = std::fs::read(path).map_err(|error| Error::system(path.display(), &error))?;
    Ok(SourceFile::from_bytes(path.display().to_string(), &bytes))
}

/// Returns the events that each trace declares. A self-describing trace is read to its end, because
/// programs can declare events at any time.
pub fn declared(readers: &[Reader]) -> Vec<Arc<Schemas>> {
    let declared = |reader: &Reader| {
        let is_known = reader.schemas().all().next().is_some();
        let found = if is_known { None } else { reader.all_declared() };
        found.unwrap_or_else(|| Arc::clone(reader.schemas()))
    };
    readers.iter().map(declared).collect()
}

/// Fails if no declaration could be parsed: the user probably passed the wrong file.
fn check_declarations(reader: &Reader) -> Result<(), Error> {
    let (sources, diagnostics) = reader.diagnostics();
    if reader.schemas().declared().next().is_some() {
        return Ok(());
    }
    let Some(error) = diagnostics.iter().find(|found| found.severity == Severity::Error) else {
        return Ok(());
    };
    let text = message::render(std::slice::from_ref(error), sources, MessageFormat::Short);
    let message = format!("no events are declared: {}", text.trim_end());
    Err(Error::new(crate::ErrorKind::Input, message)
        .help("--events expects the declarations (text), and TRACE the binary trace"))
}
