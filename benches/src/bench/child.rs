//! Runs a program and measures it.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use crate::files::{Files, Size};
use crate::memory::{Peak, Watch};

/// A command line. `{word}` is replaced by the path of the input file with that name.
/// `{out.EXTENSION}` is a file that the program writes; it is deleted before and after the run.
#[derive(Clone, Copy)]
pub struct Run {
    program: &'static str,
    words: &'static str,
    feed: Feed,
}

/// The standard input.
#[derive(Clone, Copy)]
enum Feed {
    Nothing,
    /// A pipe with the contents of a file.
    Whole(&'static str),
    /// A pipe with the second half of a file's records before the first half.
    HalvesSwapped(&'static str),
}

/// A run that has ended.
pub struct Finished {
    pub elapsed: Duration,
    /// The memory of the process, if it was watched.
    pub peak: Option<Peak>,
}

impl Run {
    /// Runs the tool.
    pub const fn ringtrace(words: &'static str) -> Run {
        Run { program: "ringtrace", words, feed: Feed::Nothing }
    }

    /// Runs the generator.
    pub const fn tracetool(words: &'static str) -> Run {
        Run { program: "tracetool", words, feed: Feed::Nothing }
    }

    /// Runs a handwritten loop.
    pub const fn yardstick(words: &'static str) -> Run {
        Run { program: "yardstick", words, feed: Feed::Nothing }
    }

    /// Passes `file` on standard input, through a pipe.
    pub const fn fed(self, file: &'static str) -> Run {
        Run { feed: Feed::Whole(file), ..self }
    }

    /// Passes `file` on standard input, with the second half first.
    pub const fn fed_halves_swapped(self, file: &'static str) -> Run {
        Run { feed: Feed::HalvesSwapped(file), ..self }
    }

    /// Returns the words for the files that the run reads.
    pub fn files(&self) -> impl Iterator<Item = &'static str> + use<> {
        let fed = match self.feed {
            Feed::Nothing => "",
            Feed::Whole(file) | Feed::HalvesSwapped(file) => file,
        };
        self.words.split(' ').chain([fed]).filter_map(file_word).filter(|word| !is_written(word))
    }

    /// Returns the files that the run writes.
    fn written(&self, files: &Files) -> Vec<PathBuf> {
        let words = self.words.split(' ').filter_map(file_word).filter(|word| is_written(word));
        words.map(|word| files.path(word)).collect()
    }

    /// Returns the total size of the files that the run reads.
    pub fn size(&self, files: &Files) -> Size {
        self.files().map(|word| files.size(word)).fold(Size::default(), Size::plus)
    }

    /// Returns the name of the run in the report.
    pub fn title(&self) -> String {
        let command = self.words.split(' ').next().unwrap_or_default();
        format!("{} {command}", self.program)
    }

    /// Runs the program, and discards its output.
    ///
    /// # Errors
    /// Fails if the program cannot be run, or if it fails. In the latter case, the message contains
    /// the program's own message.
    pub fn run(&self, files: &Files, watch: bool) -> Result<Finished, String> {
        let words: Vec<_> = self
            .words
            .split(' ')
            .map(|word| file_word(word).map_or_else(|| word.into(), |file| files.path(file).into_os_string()))
            .collect();
        let mut command = Command::new(files.program(self.program));
        command.args(words).stdout(Stdio::null()).stderr(Stdio::piped());
        command.stdin(if matches!(self.feed, Feed::Nothing) { Stdio::null() } else { Stdio::piped() });
        let cannot = |error: io::Error| format!("{}: {error}", self.title());
        let written = self.written(files);
        written.iter().for_each(|path| remove(path));
        let start = Instant::now();
        let mut child = command.spawn().map_err(cannot)?;
        let watch = watch.then(|| Watch::start(child.id()));
        let stdin = child.stdin.take();
        let mut text = String::new();
        let status = std::thread::scope(|scope| {
            scope.spawn(|| stdin.map(|pipe| self.feed(pipe, files)));
            if let Some(stderr) = &mut child.stderr {
                // `read_to_string` returns when the process ends.
                stderr.read_to_string(&mut text)?;
            }
            child.wait()
        })
        .map_err(cannot)?;
        let elapsed = start.elapsed();
        let peak = watch.map(Watch::stop);
        let is_complete = written.iter().all(|path| path.exists());
        written.iter().for_each(|path| remove(path));
        if status.success() && !is_complete {
            return Err(format!("{}: no output file", self.title()));
        }
        if status.success() {
            return Ok(Finished { elapsed, peak });
        }
        let first = text.lines().next().unwrap_or("no error message");
        Err(format!("{}: {first} ({status})", self.title()))
    }

    /// Writes the file to the pipe. If the pipe closes early, the process reports the error.
    fn feed(&self, mut pipe: ChildStdin, files: &Files) -> io::Result<()> {
        match self.feed {
            Feed::Nothing => Ok(()),
            Feed::Whole(file) => {
                let mut trace = File::open(files.path(file_word(file).unwrap_or(file)))?;
                io::copy(&mut trace, &mut pipe).map(drop)
            }
            Feed::HalvesSwapped(file) => {
                let file = file_word(file).unwrap_or(file);
                let (records_at, middle) = files.halves(file);
                let mut trace = File::open(files.path(file))?;
                let mut copy = |from: u64, to: Option<u64>| {
                    trace.seek(SeekFrom::Start(from))?;
                    let mut part = (&mut trace).take(to.unwrap_or(u64::MAX).saturating_sub(from));
                    io::copy(&mut part, &mut pipe)
                };
                copy(0, Some(records_at))?;
                copy(middle, None)?;
                copy(records_at, Some(middle))?;
                pipe.flush()
            }
        }
    }
}

/// Returns whether `word` stands for a file that a run writes.
fn is_written(word: &str) -> bool {
    word.starts_with("out.")
}

/// Removes a file or folder. Ignores errors, because they make the run that follows fail.
fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

/// Returns `two` for `{two}`.
fn file_word(word: &'static str) -> Option<&'static str> {
    word.strip_prefix('{')?.strip_suffix('}')
}
