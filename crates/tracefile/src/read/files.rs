//! The files of a trace that consists of several, in a folder.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ringtrace_wire::simpletrace::Header;

use crate::block::{BlockDefect, BlockError};
use crate::compressed::CompressionError;
use crate::error::{Anomaly, Error, cut_record};
use crate::input::blocks::Selection;
use crate::input::{FollowFlags, Input, POLL_INTERVAL};
use crate::metadata::{Metadata, POLICY};
use crate::read::listing::{FolderFile, has_gap, list_once};
use crate::read::open::{expect_header, find_blocks, is_damage, sniff_after_damage};
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
    /// The number of files when the folder was opened.
    listed: usize,
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
            listed: all.len(),
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
    /// waits until a flag in `until` is set. Later files with numbers below `first` are not read.
    pub(crate) fn followed(
        name: &str,
        folder: PathBuf,
        all: Vec<FolderFile>,
        first: u64,
        until: FollowFlags,
    ) -> TraceFiles {
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
    pub(crate) fn has_next(&self) -> bool {
        self.next < self.end
    }

    /// Returns the paths of all files that are known.
    pub fn paths(&self) -> impl ExactSizeIterator<Item = &PathBuf> + DoubleEndedIterator {
        self.all.iter().map(|file| &file.path)
    }

    /// Returns the number of files after the current one that are known and were not read.
    pub fn unread(&self) -> usize {
        self.end.saturating_sub(self.next)
    }

    /// Returns the number of compressed files.
    pub fn compressed(&self) -> usize {
        self.all.iter().filter(|file| file.is_compressed()).count()
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
            || (input.compact_bytes().is_none()
                && input.file_bytes().is_some()
                && !rest.iter().any(FolderFile::is_compressed));
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
        if self.are_followed() && self.next >= self.listed {
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

/// What the metadata of a file say about its end.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EndMarks {
    /// Whether ringtrace's runtime began the file. Other programs do not mark the end.
    is_begun: bool,
    is_ended: bool,
}

impl EndMarks {
    pub(crate) fn note(&mut self, piece: &Metadata) {
        self.is_begun |= matches!(piece, Metadata::Other(key, _) if key == POLICY);
        self.is_ended |= piece.marks_end();
    }

    /// Returns whether the end is missing.
    pub(crate) fn lack_end(self) -> bool {
        self.is_begun && !self.is_ended
    }
}

/// Returns the error for a file that ringtrace's runtime began and that does not contain its end, for example
/// because it was compressed and removed while it was written.
pub(crate) fn without_end(name: &str) -> Error {
    Error::new(name, "the file does not contain its end, so events may be missing before the next file")
}

/// Returns the header of a file in a folder, or an error if it is not a trace.
pub(crate) fn header_in_folder(name: &str, kind: &FileKind) -> Result<Header, Error> {
    match kind {
        FileKind::Empty => Err(Error::new(name, "the file is empty")),
        FileKind::CutHeader { .. } => Err(Error::new(name, "the file is truncated in its header")),
        _ => expect_header(name, kind).map_err(|error| Error::new(name, error.message.clone())),
    }
}

/// Returns the trace in a file of a folder, and detects its format, like [`sniff_after_damage`].
pub(crate) fn decode_and_sniff(
    input: Input,
    skips_damage: bool,
) -> io::Result<(Input, FileKind, Vec<io::Error>)> {
    let (input, _) = input.decode()?;
    let mut input = find_blocks(input)?;
    let (kind, damage) = sniff_after_damage(&mut input, skips_damage)?;
    Ok((input, kind, damage))
}

/// Returns the error for a damaged block at the start of a file of a folder, which was skipped.
pub(crate) fn skipped(name: &str, error: &io::Error) -> Error {
    let mut skipped = Error::io(name, error);
    skipped.help = None;
    skipped
}

/// Returns the error for a file of a folder whose start cannot be read.
pub(crate) fn unreadable(name: &str, error: &io::Error) -> Error {
    let mut unread = Error::io(name, error);
    if is_damage(error) {
        unread.message += "; the whole file was skipped";
    }
    unread
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
            let opened = input.and_then(|input| decode_and_sniff(input, self.skips_damage));
            let (mut input, kind, damage) = match opened {
                Ok(opened) => opened,
                Err(error) => {
                    self.state.tally.tolerate_error(Anomaly::CutFile, unreadable(&name, &error))?;
                    continue;
                }
            };
            let header = match header_in_folder(&name, &kind) {
                Ok(header) => header,
                Err(empty) if matches!(kind, FileKind::Empty) && self.is_live() => {
                    // It is damage if there is a next file.
                    self.state.tally.unfinished = Some(empty);
                    continue;
                }
                Err(error) => {
                    self.state.tally.tolerate_error(Anomaly::CutFile, error)?;
                    continue;
                }
            };
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
            let is_cut = std::mem::take(&mut tally.is_cut)
                || rest > 0
                || tally.unfinished.is_some()
                || tally.anomalies.contains(Anomaly::CutBlock)
                || tally.anomalies.contains(Anomaly::Damage);
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
            tally.number_before = tally.number;
            self.state.lost = None;
            let metadata = Arc::make_mut(&mut self.state.context.metadata);
            // A program ends a file after it has created the next one.
            let is_live = tally.live;
            let is_read_whole = self.files.as_ref().is_some_and(|files| {
                files.selection().is_none() && (files.has_next() || !(is_live || files.are_followed()))
            });
            let mut marks = EndMarks::default();
            metadata.iter().for_each(|piece| marks.note(piece));
            if is_read_whole && !is_cut && marks.lack_end() {
                tally.tolerate_error(Anomaly::CutFile, without_end(&tally.file))?;
            }
            tally.file = name.into();
            damage.iter().try_for_each(|error| tally.tolerate_defect(error, true))?;
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
            is_cut: false,
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
