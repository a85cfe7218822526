//! Folders in which a program divides its trace into files of limited size.
//!
//! [`ringtrace_wire::folder`] describes the names of the files, which can be compressed. Other files in the
//! folder are ignored.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ringtrace_wire::ByteOrder;
use ringtrace_wire::folder::number;
use ringtrace_wire::simpletrace::{MAX_RECORD_BYTES, Mapping, Record, Step, Version, step_by_length};

use crate::compressed::CompressionError;
use crate::error::{Error, cut_record, unpoisoned};
use crate::input::{FollowFlags, Input};
use crate::metadata::{FIRST_ID, Metadata, TRACE};
use crate::read::files::{
    EndMarks, TraceFiles, decode_and_sniff, header_in_folder, is_truncated, skipped, unreadable, without_end,
};
pub use crate::read::listing::{FolderFile, list};
use crate::read::open::expect_header;
use crate::read::options::Options;
use crate::read::reader::Reader;

/// An example of a file's name, for messages.
const EXAMPLE: &str = "00000001-20261123T091500Z.trace";

/// The part of a file in which its identity is searched.
const START_BYTES: usize = 16 << 10;

/// Opens the traces in a folder. Each run of a program is one trace, which consists of all its files.
/// Their readers are in the order in which they were recorded.
///
/// # Errors
/// Returns an error if the folder contains no file that can be read.
pub fn open(folder: &Path, options: &Options) -> Result<Vec<Reader>, Error> {
    let files = list_some(folder)?;
    let mut runs: Vec<(Option<Vec<u8>>, Vec<FolderFile>)> = Vec::new();
    // The errors for the files before the first run.
    let mut unreadable = Vec::new();
    for file in files {
        let id = match trace_id(&file, options.skips_damage()) {
            // The program has removed its oldest file.
            TraceId::Removed if runs.is_empty() => continue,
            TraceId::Unreadable(error) if runs.is_empty() => {
                unreadable.push(error);
                continue;
            }
            TraceId::Removed | TraceId::Unreadable(_) => {
                if let Some((_, files)) = runs.last_mut() {
                    files.push(file);
                }
                continue;
            }
            TraceId::Known(id) => id,
        };
        match runs.last_mut() {
            Some((known, files)) if id.is_some() && *known == id => files.push(file),
            _ => runs.push((id, vec![file])),
        }
    }
    let count = runs.len();
    // Only the last run can be still recording.
    let finished = Options { live: false, ..options.clone() };
    let mut readers = Vec::new();
    for (index, (_, files)) in runs.into_iter().enumerate() {
        let name = match count {
            1 => folder.display().to_string(),
            _ => format!("{} (run {} of {count})", folder.display(), index + 1),
        };
        let files = TraceFiles::new(&name, files);
        let options = if index + 1 == count { options } else { &finished };
        let reader = match options.spool {
            true if files.paths().len() > 1 => Joined::open(&name, files, options)?,
            true => Reader::of_files(files, options)?.map(Reader::without_files),
            false => Reader::of_files(files, options)?,
        };
        let Some(mut reader) = reader else { continue };
        reader.add_cut(std::mem::take(&mut unreadable), Vec::new())?;
        if count > 1 {
            reader.close();
        }
        reader.follows = !readers.is_empty();
        readers.push(reader);
    }
    match unreadable.into_iter().next() {
        _ if !readers.is_empty() => Ok(readers),
        Some(error) => Err(error),
        None => Err(without_files(folder)),
    }
}

/// Opens a folder in which a program continues to create files. Reading waits until a flag in `until` is
/// set. It starts at the oldest file, or waits for one whose number is at least `first`.
///
/// # Errors
/// Returns an error if the folder contains no trace and `first` is not given, if the flag is set before
/// there is a file, or if the first file is not a trace.
pub fn follow(
    folder: &Path,
    first: Option<u64>,
    options: &Options,
    until: FollowFlags,
) -> Result<Reader, Error> {
    let mut files = match first {
        None => list_some(folder)?,
        Some(_) => list(folder).map_err(|error| Error::io(folder.display().to_string(), &error))?,
    };
    files.retain(|file| file.number >= first.unwrap_or(0));
    let mut unreadable = Vec::new();
    while files.len() > 1
        && let TraceId::Unreadable(error) = trace_id(&files[0], options.skips_damage())
    {
        unreadable.push(error);
        files.remove(0);
    }
    let name = folder.display().to_string();
    let files = TraceFiles::followed(&name, folder.to_owned(), files, first.unwrap_or(0), until);
    let mut reader = Reader::of_files(files, options)?.ok_or_else(|| without_files(folder))?;
    reader.add_cut(unreadable, Vec::new())?;
    Ok(reader)
}

/// Returns the number of the file at `path`, if it has a name as in the folder of a rotated trace.
pub fn number_of(path: &Path) -> Option<u64> {
    number(path.file_name()?.to_str()?)
}

/// Returns the number of the first file in `folder` that belongs to the same run of the program as the
/// file with this number. Returns `number` if that file says nothing about its run.
pub fn first_of_run(folder: &Path, number: u64) -> u64 {
    let mut files = list(folder).unwrap_or_default();
    files.retain(|file| file.number <= number);
    let id = |file: &FolderFile| match trace_id(file, true) {
        TraceId::Known(Some(id)) => Some(id),
        _ => None,
    };
    let Some(run) = files.last().filter(|file| file.number == number).and_then(id) else { return number };
    let of_run = files.iter().rev().take_while(|file| id(file).as_ref() == Some(&run));
    of_run.last().map_or(number, |file| file.number)
}

/// Returns the files of a trace in `folder`, of which there is at least one.
fn list_some(folder: &Path) -> Result<Vec<FolderFile>, Error> {
    let files = list(folder).map_err(|error| Error::io(folder.display().to_string(), &error))?;
    if files.is_empty() { Err(without_files(folder)) } else { Ok(files) }
}

fn without_files(folder: &Path) -> Error {
    let message = format!(
        "the folder contains no trace: expected files such as {EXAMPLE}, which a program writes with rotate="
    );
    Error::new(folder.display().to_string(), message).help("to read other traces, pass the files")
}

/// What the start of a file says about the trace that it belongs to.
enum TraceId {
    Removed,
    /// The file cannot be opened, is not a trace, or does not contain a whole header or block.
    Unreadable(Error),
    /// The id of the trace, if it has one.
    Known(Option<Vec<u8>>),
}

/// Returns the id of the trace to which `file` belongs. Programs write it before their declarations.
fn trace_id(file: &FolderFile, skips_damage: bool) -> TraceId {
    let (path, input) = file.open(|path| Input::open_start(path, START_BYTES));
    let name = path.display().to_string();
    // Damage is reported when the file is read.
    let (mut input, kind, _) = match input.and_then(|input| decode_and_sniff(input, skips_damage)) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return TraceId::Removed,
        Err(error) => return TraceId::Unreadable(unreadable(&name, &error)),
    };
    let header = match header_in_folder(&name, &kind) {
        Ok(header) => header,
        Err(error) => return TraceId::Unreadable(error),
    };
    input.consume(header.size);
    loop {
        let need = match step_by_length(header.version, header.order, input.window()) {
            Step::Mapping(mapping) => {
                let name = std::str::from_utf8(mapping.name).ok();
                match name.and_then(|name| Metadata::parse(mapping.id, name)) {
                    Some(Ok(Metadata::Other(key, id))) if key == TRACE => {
                        return TraceId::Known(Some(id));
                    }
                    Some(Ok(Metadata::Version(_) | Metadata::Anchor(_) | Metadata::Other(..))) => {}
                    _ => return TraceId::Known(None),
                }
                let size = mapping.size;
                input.consume(size);
                continue;
            }
            Step::NeedMore(need) if need <= START_BYTES => need,
            _ => return TraceId::Known(None),
        };
        if !input.grow(need).unwrap_or(false) {
            return TraceId::Known(None);
        }
    }
}

/// The v4 data of several files as one stream. Headers of files after the first one, and incomplete
/// records at the end of files before the last one, are left out.
struct Joined {
    files: TraceFiles,
    /// The name of the current file.
    name: String,
    input: Input,
    layout: (Version, ByteOrder),
    /// The number of bytes in the window that are complete records.
    ready: usize,
    /// The number of records in the current file that were found.
    records: u64,
    marks: EndMarks,
    /// Whether the program is running. It ends a file after it has created the next one.
    live: bool,
    skips_damage: bool,
    /// The error for the incomplete last block of the current file.
    truncated: Option<io::Error>,
    omitted: Arc<Mutex<Omitted>>,
}

/// The parts of the files that are not in the stream.
#[derive(Default)]
struct Omitted {
    cut: Vec<Error>,
    missing: Vec<Error>,
    removed: Vec<PathBuf>,
}

impl Joined {
    /// Creates a reader of `files` that reads a copy of them.
    fn open(name: &str, mut files: TraceFiles, options: &Options) -> Result<Option<Reader>, Error> {
        let Some((first, input)) = files.open_next() else { return Ok(None) };
        let opened = input.and_then(|input| decode_and_sniff(input, options.skips_damage()));
        let (input, kind, damage) = opened.map_err(|error| Error::io(&*first, &error))?;
        let header = expect_header(&first, &kind)?;
        let cut = damage.iter().map(|error| skipped(&first, error)).collect();
        let omitted = Arc::new(Mutex::new(Omitted { cut, ..Omitted::default() }));
        let joined = Joined {
            files,
            name: first,
            input,
            layout: (header.version, header.order),
            ready: header.size,
            records: 0,
            marks: EndMarks::default(),
            live: options.live,
            skips_damage: options.skips_damage(),
            truncated: None,
            omitted: Arc::clone(&omitted),
        };
        // The reader copies the whole stream.
        let mut reader = Reader::new(name, Input::from_reader(Box::new(joined)), options)?;
        let Omitted { cut, missing, removed } = std::mem::take(&mut *unpoisoned(omitted.lock()));
        reader.add_cut(cut, missing)?;
        reader.removed = removed.into();
        Ok(Some(reader))
    }

    /// Notes that a file does not end with a whole record.
    fn note_cut(&self, error: Error) {
        unpoisoned(self.omitted.lock()).cut.push(error);
    }

    /// Extends the window like [`Input::grow`]. A truncated block, or damage of a compressed file, ends the
    /// file.
    fn grow(&mut self, bytes: usize) -> io::Result<bool> {
        match self.input.grow(bytes) {
            Err(error) if is_truncated(&error) || CompressionError::of(&error).is_some() => {
                self.truncated = Some(error);
                self.input.end();
                // The end may be within a block.
                self.input
                    .grow(bytes)
                    .or_else(|error| if is_truncated(&error) { Ok(false) } else { Err(error) })
            }
            grown => grown,
        }
    }

    /// Makes more bytes ready. Returns whether there are any.
    fn prepare(&mut self) -> io::Result<bool> {
        while self.ready == 0 {
            let (version, order) = self.layout;
            let window = self.input.window();
            let need = loop {
                match step_by_length(version, order, &window[self.ready..]) {
                    Step::Record(Record { size, .. }) => {
                        self.records += 1;
                        self.ready += size;
                    }
                    Step::Mapping(Mapping { size, id, name }) => {
                        let name = std::str::from_utf8(name).ok().filter(|_| id >= FIRST_ID);
                        if let Some(Ok(piece)) = name.and_then(|name| Metadata::parse(id, name)) {
                            self.marks.note(&piece);
                        }
                        self.ready += size;
                    }
                    Step::NeedMore(need) if need <= MAX_RECORD_BYTES => break need,
                    // The reader of the copy finds and reports the damage.
                    Step::NeedMore(_) | Step::Fault(_) => {
                        self.ready = window.len();
                        self.marks = EndMarks::default();
                        break 1;
                    }
                }
            };
            if self.ready > 0 || self.grow(need)? {
                continue;
            }
            let rest = self.input.window().len();
            let next = self.files.open_next();
            let truncated = self.truncated.take();
            let mut omitted = unpoisoned(self.omitted.lock());
            omitted.missing.append(&mut self.files.take_missing());
            omitted.removed = self.files.removed().to_vec();
            drop(omitted);
            let Some((name, input)) = next else {
                self.ready = rest;
                return match truncated {
                    Some(error) if CompressionError::of(&error).is_some() => {
                        self.note_cut(Error::io(&*self.name, &error));
                        Ok(rest > 0)
                    }
                    // Whether this is damage depends on whether the last file is still being written.
                    Some(error) => Err(error),
                    None => Ok(rest > 0),
                };
            };
            let is_last = self.live && !self.files.has_next();
            if truncated.is_none() && rest == 0 && self.marks.lack_end() && !is_last {
                self.note_cut(without_end(&self.name));
            }
            if let Some(truncated) = truncated {
                self.note_cut(Error::io(&*self.name, &truncated));
            }
            if rest > 0 {
                let cut = Error::new(&*self.name, cut_record(rest, None));
                self.note_cut(cut.at(Some(self.records + 1), self.input.offset()));
            }
            (self.name, self.input, self.records) = (name, Input::empty(), 0);
            self.marks = EndMarks::default();
            let opened = input.and_then(|input| decode_and_sniff(input, self.skips_damage));
            let (mut input, kind, damage) = match opened {
                Ok(opened) => opened,
                Err(error) => {
                    self.note_cut(unreadable(&self.name, &error));
                    continue;
                }
            };
            damage.iter().for_each(|error| self.note_cut(skipped(&self.name, error)));
            match header_in_folder(&self.name, &kind) {
                Ok(header) if (header.version, header.order) == self.layout => {
                    input.consume(header.size);
                    self.input = input;
                }
                Ok(_) => {
                    let message = format!("{} is not a trace like the files before it", self.name);
                    return Err(io::Error::other(message));
                }
                Err(error) => self.note_cut(error),
            }
        }
        Ok(true)
    }
}

impl Read for Joined {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.prepare()? {
            return Ok(0);
        }
        let bytes = self.ready.min(buffer.len());
        buffer[..bytes].copy_from_slice(&self.input.window()[..bytes]);
        self.input.consume(bytes);
        self.ready -= bytes;
        Ok(bytes)
    }
}
