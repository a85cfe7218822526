//! Records a trace, and counts the events that were written and lost.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use ringtrace::session::{self, Guard};
use ringtrace::{Clock, FileFormat, Policy, Settings};
use ringtrace_wire::arena::{Header, PAGE_BYTES, bank, slot, word};
use tempfile::TempDir;

/// Size of a record of `cost_two` in a file.
pub const TWO_BYTES: u64 = 48;
/// Size of a record of `cost_string` in a file, without the string.
pub const STRING_BYTES: u64 = 44;

#[derive(Debug, Clone)]
pub struct RecorderOptions {
    pub file: PathBuf,
    pub format: FileFormat,
    pub policy: Policy,
    pub clock: Clock,
    pub buffer_bytes: usize,
}

impl Default for RecorderOptions {
    fn default() -> RecorderOptions {
        RecorderOptions {
            file: PathBuf::from("/dev/null"),
            format: FileFormat::V4,
            policy: Policy::Discard,
            clock: Clock::Exact,
            // This is also the size of the handwritten code's buffer, so that both fit the same
            // cache.
            buffer_bytes: 256 << 10,
        }
    }
}

/// A session, which ends when this value is dropped.
#[derive(Debug)]
pub struct Recorder {
    guard: Guard,
    /// A folder for the rings, which no other process uses.
    directory: TempDir,
    /// The number of bytes that had been written when counting started.
    start_bytes: u64,
}

/// Counts in the rings' file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Bytes written since counting started.
    pub written_bytes: u64,
    pub dropped: u64,
    pub overwritten: u64,
}

impl Recorder {
    /// Starts recording `cost_two` and `cost_string`.
    ///
    /// # Errors
    /// Fails if the runtime cannot start the session.
    pub fn start(options: &RecorderOptions) -> Result<Recorder, String> {
        let directory = tempfile::Builder::new()
            .prefix("ringtrace-bench-")
            .tempdir_in(memory_folder())
            .map_err(|error| error.to_string())?;
        ringtrace::set_enabled("cost_*", true);
        ringtrace::set_enabled("cost_off", false);
        let settings = Settings {
            file: Some(options.file.clone()),
            format: options.format,
            policy: options.policy,
            clock: options.clock,
            buffer_bytes: options.buffer_bytes,
            // These rings suffice, so none is created during the measurement.
            threads: 16,
            directory: Some(directory.path().to_path_buf()),
            ..Settings::default()
        };
        let guard = session::start(settings).map_err(|error| error.to_string())?;
        Ok(Recorder { guard, directory, start_bytes: 0 })
    }

    /// Starts counting. Call this after the first event of each thread and of each name, because a
    /// first event also writes metadata.
    ///
    /// # Errors
    /// Fails if the rings' file cannot be read.
    pub fn start_counting(&mut self) -> Result<(), String> {
        self.start_bytes = self.counts()?.written_bytes;
        Ok(())
    }

    /// Waits until all events are written, and counts them.
    ///
    /// # Errors
    /// Fails if the rings' file cannot be read.
    pub fn counts(&self) -> Result<Counts, String> {
        ringtrace::flush();
        let mut sum = Counts::default();
        let files = std::fs::read_dir(self.directory.path()).map_err(|error| error.to_string())?;
        for file in files {
            let path = file.map_err(|error| error.to_string())?.path();
            add_arena(&path, &mut sum).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        sum.written_bytes -= self.start_bytes;
        Ok(sum)
    }

    /// Ends the session, and checks that all `issued` events, of `record_bytes` bytes each, were
    /// written.
    ///
    /// # Errors
    /// Fails if an event was lost.
    pub fn all_recorded(self, issued: u64, record_bytes: u64) -> Result<(), String> {
        let counts = self.counts()?;
        self.stop();
        counts.are_all(issued, record_bytes)?;
        println!("note {issued} events, all recorded");
        Ok(())
    }

    /// Ends the session.
    pub fn stop(self) {
        drop(self.guard);
    }
}

impl Counts {
    /// Checks that exactly `issued` events, of `record_bytes` bytes each, were written.
    ///
    /// # Errors
    /// Returns a message with the counts if they differ.
    pub fn are_all(self, issued: u64, record_bytes: u64) -> Result<(), String> {
        let Counts { written_bytes, dropped, overwritten } = self;
        if written_bytes == issued * record_bytes && dropped + overwritten == 0 {
            return Ok(());
        }
        Err(format!(
            "{issued} events of {record_bytes} bytes were emitted: {written_bytes} bytes were written, \
             {dropped} events dropped, {overwritten} overwritten"
        ))
    }
}

/// Adds the counts in an arena.
fn add_arena(path: &Path, sum: &mut Counts) -> std::io::Result<()> {
    let file = File::open(path)?;
    let mut page = [0; PAGE_BYTES];
    file.read_exact_at(&mut page, 0)?;
    let header =
        Header::decode(&page).map_err(|error| std::io::Error::other(format!("not an arena: {error:?}")))?;
    let mut last_sequence = 0;
    for at in bank::AT {
        let mut words = [0; bank::SLOTS];
        file.read_exact_at(&mut words, at as u64)?;
        let sequence = word(&words, bank::SEQUENCE);
        if sequence > last_sequence {
            last_sequence = sequence;
            sum.written_bytes = word(&words, bank::FILE_BYTES);
        }
    }
    for index in 0..header.slots as usize {
        file.read_exact_at(&mut page, header.slot_at(index) as u64)?;
        sum.dropped += word(&page, slot::DROPPED);
        sum.overwritten += word(&page, slot::OVERWRITTEN);
    }
    Ok(())
}

/// Waits until everything recorded is written.
pub fn flush() {
    ringtrace::flush();
}

/// Returns a folder whose files are in memory, if possible.
pub fn memory_folder() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() }
}
