//! Opens traces as the tool `ringtrace` does.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use ringtrace_events::message::{self, MessageFormat};
use ringtrace_events::{Severity, SourceFile};
use ringtrace_tracefile::align::{Aligned, Alignment, align};
use ringtrace_tracefile::error::reason;
use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::{Era, Input, Needs, Options, Reader, Schemas, Traces, folder};

use crate::error::Message;

/// The traces to open, and how to read them.
#[derive(Debug, Clone)]
pub struct Opening {
    /// Files, and folders of rotated traces.
    pub paths: Vec<PathBuf>,
    /// The format and the declarations.
    pub options: Options,
    /// How several traces are merged.
    pub alignment: Alignment,
    /// The relation of the clocks to the wall clock, which replaces the one in the traces: for the trace
    /// at a path, or for all others.
    pub epochs: Vec<(Option<PathBuf>, Anchor)>,
    /// The number of threads that decode a trace.
    pub threads: usize,
}

impl Opening {
    /// Opens all traces.
    ///
    /// # Errors
    /// A file cannot be opened, or is not a trace.
    pub fn readers(&self) -> Result<Vec<Reader>, Message> {
        let mut readers = Vec::new();
        for path in &self.paths {
            let mut opened = self.open(path)?;
            let epochs = || self.epochs.iter();
            let own = epochs().find(|(of, _)| of.as_ref() == Some(path));
            if let Some((_, anchor)) = own.or_else(|| epochs().find(|(of, _)| of.is_none())) {
                opened.iter_mut().for_each(|reader| reader.set_anchor(*anchor));
            }
            readers.extend(opened);
        }
        readers.iter().try_for_each(check_declarations)?;
        Ok(readers)
    }

    /// Checks that all traces can be opened and read together.
    ///
    /// # Errors
    /// A file cannot be opened, is not a trace, or cannot be merged with the others.
    pub fn check(&self) -> Result<(), Message> {
        self.align(&mut self.readers()?).map(|_| ())
    }

    fn open(&self, path: &Path) -> Result<Vec<Reader>, Message> {
        let name = path.display().to_string();
        if path.is_dir() {
            return Ok(folder::open(path, &self.options)?);
        }
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Err(Message::new(
                format!("{name}: not a file, so it cannot be read several times"),
                Some("save its contents to a file"),
            ));
        }
        let input = Input::open(path);
        let input = input.map_err(|error| Message::new(format!("{name}: {}", reason(&error)), None))?;
        Ok(vec![Reader::new(&name, input, &self.options)?])
    }

    /// Determines the relation of several traces.
    fn align(&self, readers: &mut [Reader]) -> Result<Option<Aligned>, Message> {
        if readers.len() < 2 {
            return Ok(None);
        }
        Ok(Some(align(readers, self.alignment)?))
    }

    /// Combines open traces.
    ///
    /// # Errors
    /// The traces cannot be merged, or cannot be sorted.
    pub fn gather(&self, mut readers: Vec<Reader>, needs: Needs) -> Result<Traces, Message> {
        let aligned = self.align(&mut readers)?;
        let traces =
            if self.options.spool { Traces::sorted(readers, needs) } else { Traces::new(readers, needs) };
        let mut traces = traces?;
        if let Some(aligned) = aligned {
            traces.set_aligned(aligned);
        }
        Ok(traces)
    }
}

/// Reads the declarations in the file at `path`.
///
/// # Errors
/// The file cannot be read.
pub fn declarations(path: &Path) -> Result<SourceFile, Message> {
    let name = path.display().to_string();
    match fs::read(path) {
        Ok(bytes) => Ok(SourceFile::from_bytes(name, &bytes)),
        Err(error) => Err(Message::new(format!("{name}: {}", reason(&error)), None)),
    }
}

/// Returns the era `name`.
///
/// # Errors
/// There is no such era.
pub fn era(name: &str) -> Result<Era, Message> {
    let known = ringtrace_tracefile::era::ERAS.iter().map(|info| info.name).collect::<Vec<_>>().join(", ");
    Era::from_name(name)
        .ok_or_else(|| Message::new(format!("no era is called `{name}`: expected one of {known}"), None))
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

/// Returns counters of the bytes that were read of each trace, and the sizes of the traces.
pub fn progress(readers: &[Reader]) -> Vec<(Arc<AtomicU64>, u64)> {
    readers.iter().filter_map(|reader| Some((reader.progress(), reader.file_bytes()?))).collect()
}

/// Fails if no declaration could be parsed: the user probably passed the wrong file.
fn check_declarations(reader: &Reader) -> Result<(), Message> {
    let (sources, diagnostics) = reader.diagnostics();
    if reader.schemas().declared().next().is_some() {
        return Ok(());
    }
    let Some(error) = diagnostics.iter().find(|found| found.severity == Severity::Error) else {
        return Ok(());
    };
    let text = message::render(std::slice::from_ref(error), sources, MessageFormat::Short);
    Err(Message::new(
        format!("no events are declared: {}", text.trim_end()),
        Some("`events` expects the declarations (text), and the first argument the binary trace"),
    ))
}
