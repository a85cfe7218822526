//! The files of a trace that consists of several, in a folder.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ringtrace_wire::folder::{COMPRESSED_ENDINGS, number_if_compressed};

use crate::block::{BlockDefect, BlockError};
use crate::compressed::CompressionError;
use crate::error::{Anomaly, Error, cut_record};
use crate::input::blocks::Selection;
use crate::input::{FollowFlags, Input, POLL_INTERVAL};
use crate::metadata::Metadata;
use crate::read::open::{expect_header, sniff_input};
use crate::read::options::Options;
use crate::read::reader::Reader;
use crate::read::sniff::FileKind;
use crate::read::state::{DecodeState, Tally};
use crate::read::{Cursor, EntrySource};

/// The part of a file that is read to find the time of its first record. A program's declarations
/// precede it.
const START_BYTES: usize = 64 << 10;

/// The most files in a gap of a followed folder that are noted.
const MOST_NAMES: usize = 10_000;

/// The time for which a file can grow after the next one was created, while it is followed.
const OVERLAP: Duration = Duration::from_millis(200);

/// A file of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderFile {
    /// The file's number.
    pub number: u64,
    /// The path of the file.
    pub path: PathBuf,
    /// The size of the file when the folder was read, in bytes.
    pub bytes: u64,
}

/// Returns the files of a trace in `folder`, in order of their numbers. Users may have compressed some of
/// them. If both a file and its compressed copy exist, only the file is listed: the copy may not be complete.
///
/// # Errors
/// Returns an error if the folder cannot be read.
pub fn list(folder: &Path) -> io::Result<Vec<FolderFile>> {
    let files = list_once(folder)?;
    // If files were created or removed meanwhile, some of them can seem to be missing.
    if has_gap(&files) { list_once(folder) } else { Ok(files) }
}

fn has_gap(files: &[FolderFile]) -> bool {
    files.windows(2).any(|pair| pair[1].number > pair[0].number.saturating_add(1))
}

fn list_once(folder: &Path) -> io::Result<Vec<FolderFile>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Some(number) = entry.file_name().to_str().and_then(number_if_compressed) else { continue };
        // A file that was removed meanwhile is noticed when it is opened.
        let bytes = entry.metadata().map_or(0, |metadata| metadata.len());
        files.push(FolderFile { number, path: entry.path(), bytes });
    }
    files.sort_by(|a, b| (a.number, &a.path).cmp(&(b.number, &b.path)));
    files.dedup_by(|next, file| next.is_copy_of(file));
    Ok(files)
}

impl FolderFile {
    fn is_copy_of(&self, file: &FolderFile) -> bool {
        self.number == file.number && self.path.with_extension("") == file.path
    }

    /// Returns whether the file is compressed, according to its name.
    fn is_compressed(&self) -> bool {
        let name = self.path.as_os_str().as_encoded_bytes();
        COMPRESSED_ENDINGS.iter().any(|ending| name.ends_with(ending.as_bytes()))
    }

    /// Returns the paths at which the file can be found if it was compressed since the folder was read.
    fn compressed_paths(&self) -> impl Iterator<Item = PathBuf> {
        let endings = if self.is_compressed() { &[][..] } else { &COMPRESSED_ENDINGS[..] };
        endings.iter().map(|ending| {
            let mut path = self.path.clone().into_os_string();
            path.push(ending);
            path.into()
        })
    }

    /// Opens the file with `open`. Also finds it if it was compressed since the folder was read. Returns its
    /// path at that time.
    pub(crate) fn open<T>(&self, open: impl Fn(&Path) -> io::Result<T>) -> (PathBuf, io::Result<T>) {
        let opened = open(&self.path);
        if opened.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            let mut compressed = self.compressed_paths().map(|path| (open(&path), path));
            if let Some((found, path)) = compressed.find(|(opened, _)| opened.is_ok()) {
                return (path, found);
            }
        }
        (self.path.clone(), opened)
    }
}

/// The files of a trace, and what is known about those that were read.
#[derive(Debug)]
pub struct TraceFiles {
    name: Arc<str>,
    all: Arc<Vec<FolderFile>>,
    /// The range of files to read, as indexes in `all`.
    next: usize,
    end: usize,
    /// The first file before which no file is needed.
    first: usize,
    followed: Option<Followed>,
    selection: Option<Selection>,
    before: ReadFiles,
    /// The files that were removed before they could be read.
    removed: Vec<PathBuf>,
    /// The errors for files that are missing before the current one, until they are taken.
    missing: Vec<Error>,
    opened: u64,
}

/// A folder in which more files can appear.
#[derive(Debug, Clone)]
struct Followed {
    folder: PathBuf,
    /// Only files with this number or a greater one are read.
    first: u64,
    until: FollowFlags,
}

/// Totals of the files that were read to their ends.
#[derive(Debug, Default)]
pub(super) struct ReadFiles {
    pub(super) read_bytes: u64,
    file_bytes: u64,
    /// The sizes of the files; smaller than `file_bytes` if they are compact.
    stored_bytes: u64,
    saved_bytes: u64,
    totals: Vec<Metadata>,
}

impl TraceFiles {
    /// Creates the list of files of a trace called `name`.
    pub(crate) fn new(name: &str, all: Vec<FolderFile>) -> TraceFiles {
        TraceFiles::of(name.into(), Arc::new(all))
    }

    fn of(name: Arc<str>, all: Arc<Vec<FolderFile>>) -> TraceFiles {
        TraceFiles {
            name,
            next: 0,
            end: all.len(),
            first: 0,
            all,
            followed: None,
            selection: None,
            before: ReadFiles::default(),
            removed: Vec::new(),
            missing: Vec::new(),
            opened: 0,
        }
    }

    /// Creates the list of files of a folder in which a program continues to create files. Reading
    /// waits until a flag in `until` is set. Files with numbers below `first` are not read.
    pub(crate) fn followed(
        name: &str,
        folder: PathBuf,
        mut all: Vec<FolderFile>,
        first: u64,
        until: FollowFlags,
    ) -> TraceFiles {
        all.retain(|file| file.number >= first);
        TraceFiles { followed: Some(Followed { folder, first, until }), ..TraceFiles::new(name, all) }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn are_followed(&self) -> bool {
        self.followed.is_some()
    }

    pub(super) fn before(&self) -> &ReadFiles {
        &self.before
    }

    pub(super) fn selection(&self) -> Option<Selection> {
        self.selection
    }

    /// Returns whether there are more files after the current one.
    pub(super) fn has_next(&self) -> bool {
        self.next < self.end
    }

    /// Returns the paths of all files that are known.
    pub fn paths(&self) -> impl ExactSizeIterator<Item = &PathBuf> + DoubleEndedIterator {
        self.all.iter().map(|file| &file.path)
    }

    /// Returns the time of the first record in each file that contains records, and the file's name.
    pub(crate) fn starts(&self) -> Vec<(u64, String)> {
        let start = |file: &FolderFile| Some((first_ns(file)?, file.path.display().to_string()));
        self.all.iter().filter_map(start).collect()
    }

    /// Returns the number of files that were opened so far.
    pub fn opened(&self) -> u64 {
        self.opened
    }

    /// Returns the files that were removed before they could be read. A program removes its oldest
    /// files.
    pub fn removed(&self) -> &[PathBuf] {
        &self.removed
    }

    /// Returns the totals of threads in the files before the current one.
    pub(crate) fn totals(&self) -> &[Metadata] {
        &self.before.totals
    }

    /// Moves the totals from the metadata of a file that was read.
    pub(super) fn keep_totals(&mut self, metadata: &mut Vec<Metadata>) {
        let totals = metadata.extract_if(.., |piece| matches!(piece, Metadata::Total(_)));
        self.before.totals.extend(totals);
    }

    /// Adds the current file to the files that were read.
    pub(super) fn add_read(&mut self, input: &Input) {
        let read_bytes = input.read_bytes();
        let file_bytes = input.file_bytes().unwrap_or(read_bytes);
        self.before.read_bytes += read_bytes;
        self.before.file_bytes += file_bytes;
        self.before.stored_bytes += input.compact_bytes().unwrap_or(file_bytes);
        self.before.saved_bytes += input.saved_bytes();
    }

    /// Returns the size of all files as v4, if it is known. `input` is the current file.
    pub(super) fn total_bytes(&self, input: &Input) -> Option<u64> {
        let rest = self.all.get(self.next..self.end).unwrap_or_default();
        // The decompressed size of a file, and that of a compact trace as v4, is known only after it was read.
        let is_known = rest.is_empty()
            || (input.compact_bytes().is_none() && !rest.iter().any(FolderFile::is_compressed));
        let rest: u64 = rest.iter().map(|file| file.bytes).sum();
        let here = input.file_bytes().unwrap_or(input.read_bytes());
        (is_known && !self.are_followed()).then_some(self.before.file_bytes + here + rest)
    }

    /// Returns the size of all files that were opened.
    pub(super) fn stored_bytes(&self, input: &Input) -> u64 {
        self.before.stored_bytes + input.compact_bytes().or(input.file_bytes()).unwrap_or(input.read_bytes())
    }

    /// Returns the same files, from the first one on. `None` if the folder is followed.
    pub(super) fn again(&self) -> Option<TraceFiles> {
        let is_same = !self.are_followed();
        is_same.then(|| TraceFiles::of(Arc::clone(&self.name), Arc::clone(&self.all)))
    }

    /// Opens the next file that still exists. Returns its name and the file, or `None` after the last
    /// one.
    pub(crate) fn open_next(&mut self) -> Option<(String, io::Result<Input>)> {
        loop {
            if self.followed.as_ref().is_some_and(|followed| followed.until.stop.load(Ordering::Relaxed)) {
                return None;
            }
            if self.next >= self.end && !self.find_more() {
                return None;
            }
            self.note_missing();
            let file = &self.all[self.next];
            self.next += 1;
            let (path, input) = match &self.followed {
                None => file.open(Input::open),
                Some(followed) => file.open(|path| Ok(followed.input(File::open(path)?, file.number))),
            };
            match input {
                Err(error) if error.kind() == io::ErrorKind::NotFound => self.removed.push(path),
                input => {
                    self.opened += 1;
                    return Some((path.display().to_string(), input));
                }
            }
        }
    }

    /// Notes whether files are missing between the previous file and the next one. A program removes
    /// only its oldest files.
    fn note_missing(&mut self) {
        let [before, next] = match self.next.checked_sub(1).and_then(|at| self.all.get(at..at + 2)) {
            Some([before, next]) if self.first < self.next => [before, next],
            _ => return,
        };
        let first = before.number.saturating_add(1);
        if self.are_followed() {
            // The program has removed them before they were listed.
            let names = (first..next.number).map(|number| PathBuf::from(format!("{number:08}")));
            self.removed.extend(names.take(MOST_NAMES));
            return;
        }
        let missing = match next.number.saturating_sub(first) {
            0 => return,
            1 => format!("file {first} of the trace is missing"),
            count => format!("{count} files of the trace, {first} to {}, are missing", next.number - 1),
        };
        let message = format!("{missing} before this one; their events are not included");
        self.missing.push(Error::new(next.path.display().to_string(), message));
    }

    /// Returns the errors for missing files, and forgets them.
    pub(crate) fn take_missing(&mut self) -> Vec<Error> {
        std::mem::take(&mut self.missing)
    }

    /// Waits for more files in a followed folder.
    fn find_more(&mut self) -> bool {
        let Some(followed) = &self.followed else { return false };
        let last = self.all.last().map_or(followed.first.saturating_sub(1), |file| file.number);
        loop {
            // Load the flags before the folder is read, so that all files created before are found.
            let is_over = followed.until.is_set();
            let newer = followed.newer(last);
            if !newer.is_empty() {
                let all = Arc::make_mut(&mut self.all);
                all.extend(newer);
                self.end = all.len();
                return true;
            }
            if is_over {
                return false;
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Restricts reading to `selection`, before the first file is read. Files that certainly contain
    /// none of these times are not read at all. Returns whether the first file, which is open, is
    /// needed.
    pub(super) fn select(&mut self, selection: Option<Selection>) -> bool {
        self.selection = selection;
        let Some(Selection { since_ns, until_ns, .. }) = selection.filter(|_| !self.are_followed()) else {
            return true;
        };
        // The files follow each other, but threads can overtake each other. So read one more file
        // on each side.
        let since =
            self.all.partition_point(|file| first_ns(file).is_some_and(|first_ns| first_ns < since_ns));
        let until =
            self.all.partition_point(|file| first_ns(file).is_none_or(|first_ns| first_ns <= until_ns));
        let (current, first) = (self.next.saturating_sub(1), since.saturating_sub(2));
        self.next = self.next.max(first);
        // Records in this period can be only in files from this one on.
        self.first = since.saturating_sub(1);
        self.end = self.end.min(until + 1);
        current >= first
    }
}

impl Followed {
    /// Returns the files with greater numbers than `last`.
    fn newer(&self, last: u64) -> Vec<FolderFile> {
        let list = || {
            let mut files = list_once(&self.folder).unwrap_or_default();
            files.retain(|file| file.number > last);
            files
        };
        let files = list();
        let is_next = files.first().is_none_or(|first| first.number == last.saturating_add(1));
        if is_next && !has_gap(&files) { files } else { list() }
    }

    /// Returns the input of the file with this number, which ends when there is a newer file.
    fn input(&self, file: File, number: u64) -> Input {
        let (followed, mut waited) = (self.clone(), Duration::ZERO);
        Input::follow_file(
            file,
            self.until.clone(),
            Box::new(move || {
                let newer = if waited > Duration::ZERO { 1 } else { followed.newer(number).len() };
                if newer > 0 {
                    waited += POLL_INTERVAL;
                }
                // The next file is complete if there is another one after it.
                waited > OVERLAP || newer > 1
            }),
        )
    }
}

/// Returns the error for a file that ends in its header.
pub(crate) fn cut_header(name: &str) -> Error {
    Error::new(name, "the file is truncated in its header")
}

/// Returns the error for an empty file of a folder.
pub(crate) fn empty_file(name: &str) -> Error {
    Error::new(name, "the file is empty")
}

/// Returns the trace in a file of a folder, and detects its format.
pub(crate) fn decode_and_sniff(input: Input) -> io::Result<(Input, FileKind)> {
    let (mut input, _) = input.decode()?;
    let kind = sniff_input(&mut input)?;
    Ok((input, kind))
}

/// Returns whether the start of a file cannot be read because the file is truncated.
pub(crate) fn is_truncated(error: &io::Error) -> bool {
    BlockError::of(error).is_some_and(|error| error.defect == BlockDefect::Truncated)
        || CompressionError::of(error).is_some_and(CompressionError::is_truncated)
}

impl FollowFlags {
    fn is_set(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.end.load(Ordering::Acquire)
    }
}

/// Returns the time of the first record in `file`. `None` if there is none, or the file cannot be
/// read. Such files never restrict the range of files to read.
fn first_ns(file: &FolderFile) -> Option<u64> {
    let input = Input::open_start(&file.path, START_BYTES).ok()?;
    let reader = Reader::new("", input, &Options::default()).ok()?;
    Cursor::new(reader).peek_ns().ok()?
}

impl Reader {
    /// Returns the number of bytes by which zstd has made the blocks of a compact trace smaller. Blocks
    /// that were not read may not count.
    pub fn saved_bytes(&self) -> u64 {
        self.files.as_ref().map_or(0, |files| files.before.saved_bytes) + self.input.saved_bytes()
    }

    /// Creates a reader of a trace that consists of several files, which are read one after the
    /// other. They have the same version and byte order.
    ///
    /// # Errors
    /// Returns an error if the first file is not a trace, or not one that `options` allow.
    pub(crate) fn of_files(mut files: TraceFiles, options: &Options) -> Result<Option<Reader>, Error> {
        let Some((name, input)) = files.open_next() else { return Ok(None) };
        let input = input.map_err(|error| Error::io(&*name, &error))?;
        let mut reader = Reader::new(&name, input, options)?;
        // Other files may have another compression, or none.
        reader.compression = None;
        reader.files = Some(Box::new(files));
        Ok(Some(reader))
    }

    /// Reads only the current file, of which more readers can be created then.
    pub(crate) fn without_files(self) -> Reader {
        Reader { files: None, ..self }
    }

    /// Counts truncated files, which this reader does not read to their ends, and missing ones.
    ///
    /// # Errors
    /// With `strict`, each of them is an error.
    pub(crate) fn add_cut(&mut self, cut: Vec<Error>, missing: Vec<Error>) -> Result<(), Error> {
        let tally = &mut self.state.tally;
        tally.tolerate_all(Anomaly::MissingFiles, missing)?;
        tally.tolerate_all(Anomaly::CutFile, cut)?;
        self.first_anomalies = tally.anomalies.clone();
        Ok(())
    }

    /// Closes the file, so that any number of readers can wait for their turn. Reading starts with
    /// the first file. Only for a trace that consists of several files, before it is read.
    pub(crate) fn close(&mut self) {
        if let Some(files) = self.files.as_deref().and_then(TraceFiles::again) {
            self.files = Some(Box::new(files));
            self.input = Input::empty();
        }
    }

    /// Continues with the next file, if the trace consists of several files and there is one. The
    /// rest of the window is an incomplete record at the end of the previous file, or empty.
    #[cold]
    pub(super) fn next_file(&mut self) -> Result<bool, Error> {
        let rest = self.input.window().len();
        while let Some((name, input)) = self.files.as_mut().and_then(|files| files.open_next()) {
            let missing = self.files.as_mut().map(|files| files.take_missing()).unwrap_or_default();
            self.state.tally.tolerate_all(Anomaly::MissingFiles, missing)?;
            let (mut input, kind) = match input.and_then(decode_and_sniff) {
                Err(cut) if is_truncated(&cut) => {
                    self.state.tally.tolerate_error(Anomaly::CutFile, Error::io(&*name, &cut))?;
                    continue;
                }
                opened => opened.map_err(|error| Error::io(&*name, &error))?,
            };
            if let FileKind::CutHeader { .. } = kind {
                self.state.tally.tolerate_error(Anomaly::CutFile, cut_header(&name))?;
                continue;
            }
            if matches!(kind, FileKind::Empty) {
                if self.is_live() {
                    // It is damage if there is a next file.
                    self.state.tally.unfinished = Some(empty_file(&name));
                } else {
                    self.state.tally.tolerate_error(Anomaly::CutFile, empty_file(&name))?;
                }
                continue;
            }
            let header = expect_header(&name, &kind)?;
            if (header.version, header.order) != self.layout {
                let (version, order) = self.layout;
                let message = format!(
                    "the file is a {} file, {}, but the files before it are {version}, {order}",
                    header.version, header.order
                );
                return Err(Error::new(name, message).help("read the files one by one"));
            }
            input.consume(header.size);
            let tally = &mut self.state.tally;
            if rest > 0 {
                tally.tolerate(Anomaly::CutFile, self.input.offset(), || cut_record(rest, None))?;
            }
            if let Some(files) = &mut self.files {
                files.add_read(&self.input);
                input.select(files.selection());
            }
            // The program does not write the previous file any more.
            tally.anomalies.replace(Anomaly::CutBlock, Anomaly::CutFile);
            if let Some(unfinished) = tally.unfinished.take() {
                tally.tolerate_error(Anomaly::CutFile, unfinished)?;
            }
            self.is_compact |= input.compact_bytes().is_some();
            input.set_decode_ahead(self.decodes_ahead);
            self.input = input;
            self.decoded = 0;
            tally.file = name.into();
            tally.number_before = tally.number;
            self.state.lost = None;
            let metadata = Arc::make_mut(&mut self.state.context.metadata);
            if let Some(files) = &mut self.files {
                files.keep_totals(metadata);
            }
            // The next file repeats what is known about the program.
            metadata.retain(|piece| matches!(piece, Metadata::Paused(_) | Metadata::Resumed(_)));
            return Ok(true);
        }
        Ok(false)
    }

    /// Continues with the next file of a trace that consists of several, if the current file was read
    /// to its end. Otherwise, reading continues as usual, and reaches the next file later.
    ///
    /// # Errors
    /// Returns an error if the next file cannot be read.
    pub fn enter_next_file(&mut self) -> Result<bool, Error> {
        Ok(self.files.is_some() && !self.grow(1)? && self.next_file()?)
    }

    /// Creates a second reader of a file, which starts at its first record. Returns `None` for a
    /// stream. Both readers share [`Reader::progress`].
    pub fn again(&self) -> Option<Reader> {
        if let Some(files) = &self.files {
            return self.again_from(Input::empty(), Some(Box::new(files.again()?)));
        }
        self.again_from(self.input.again(self.first_offset)?, None)
    }

    fn again_from(&self, input: Input, files: Option<Box<TraceFiles>>) -> Option<Reader> {
        let tally = Tally {
            number: 0,
            number_before: 0,
            unfinished: None,
            anomalies: self.first_anomalies.clone(),
            ..self.state.tally.clone()
        };
        Some(Reader {
            input,
            state: DecodeState::new(self.first_context.clone(), tally),
            declared: Arc::clone(&self.declared),
            finished: false,
            decoded: 0,
            first_context: self.first_context.clone(),
            progress: Arc::clone(&self.progress),
            files,
            first_anomalies: self.first_anomalies.clone(),
            removed: Arc::clone(&self.removed),
            ..*self
        })
    }
}
