//! A trace that is being recorded, and an honest count of what became of its events.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use ringtrace::session::{self, Guard};
use ringtrace::{Clock, Policy, Settings};
use ringtrace_wire::arena::{Header, PAGE_BYTES, bank, slot, word};
use tempfile::TempDir;

/// What a record of `cost_two` takes in a file.
pub const TWO_BYTES: u64 = 48;
/// What a record of `cost_string` takes in a file, without the text.
pub const STRING_BYTES: u64 = 44;

/// How events are recorded.
#[derive(Debug, Clone)]
pub struct Manner {
    pub file: PathBuf,
    pub policy: Policy,
    pub clock: Clock,
    pub buffer_bytes: usize,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner {
            file: PathBuf::from("/dev/null"),
            policy: Policy::Discard,
            clock: Clock::Exact,
            // As large as the buffer that is written to by hand: both fit the same cache.
            buffer_bytes: 256 << 10,
        }
    }
}

/// A session, which ends when this is dropped.
#[derive(Debug)]
pub struct Recorder {
    guard: Guard,
    /// Where the rings are: no other process's are here.
    directory: TempDir,
    /// What was in the file when counting began.
    begun_bytes: u64,
}

/// What became of events, by what the rings' file says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// What was written since counting began.
    pub written_bytes: u64,
    /// Also those that were refused.
    pub dropped: u64,
    pub overwritten: u64,
}

impl Recorder {
    /// Starts to record `cost_two` and `cost_string`.
    ///
    /// # Errors
    /// In the words of the runtime.
    pub fn start(manner: &Manner) -> Result<Recorder, String> {
        let directory = tempfile::Builder::new()
            .prefix("ringtrace-bench-")
            .tempdir_in(memory_folder())
            .map_err(|error| error.to_string())?;
        ringtrace::set_enabled("cost_*", true);
        ringtrace::set_enabled("cost_off", false);
        let settings = Settings {
            file: Some(manner.file.clone()),
            policy: manner.policy,
            clock: manner.clock,
            buffer_bytes: manner.buffer_bytes,
            // Enough that no more are made meanwhile.
            threads: 16,
            directory: Some(directory.path().to_path_buf()),
            ..Settings::default()
        };
        let guard = session::start(settings).map_err(|error| error.to_string())?;
        Ok(Recorder { guard, directory, begun_bytes: 0 })
    }

    /// Begins to count, which must be after the first event of each thread and name: they bring records of other kinds with them.
    ///
    /// # Errors
    /// When the rings' file cannot be read.
    pub fn begin(&mut self) -> Result<(), String> {
        self.begun_bytes = self.counts()?.written_bytes;
        Ok(())
    }

    /// What became of all events until now. Waits until they are written.
    ///
    /// # Errors
    /// When the rings' file cannot be read.
    pub fn counts(&self) -> Result<Counts, String> {
        ringtrace::flush();
        let mut sum = Counts::default();
        let files = std::fs::read_dir(self.directory.path()).map_err(|error| error.to_string())?;
        for file in files {
            let path = file.map_err(|error| error.to_string())?.path();
            add_arena(&path, &mut sum).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        sum.written_bytes -= self.begun_bytes;
        Ok(sum)
    }

    /// Ends it, and tells that all of `issued` events that take `record_bytes` bytes each are written.
    ///
    /// # Errors
    /// When one was lost, or is missing in the file.
    pub fn all_recorded(self, issued: u64, record_bytes: u64) -> Result<(), String> {
        let counts = self.counts()?;
        self.stop();
        counts.are_all(issued, record_bytes)?;
        println!("said {issued} events, all recorded");
        Ok(())
    }

    /// Ends it.
    pub fn stop(self) {
        drop(self.guard);
    }
}

impl Counts {
    /// Sees that `issued` events that take `record_bytes` bytes each are written, and nothing else.
    ///
    /// # Errors
    /// When it is not so.
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

/// Adds what an arena says.
fn add_arena(path: &Path, sum: &mut Counts) -> std::io::Result<()> {
    let file = File::open(path)?;
    let mut page = [0; PAGE_BYTES];
    file.read_exact_at(&mut page, 0)?;
    let header =
        Header::decode(&page).map_err(|error| std::io::Error::other(format!("no arena: {error:?}")))?;
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

/// Has everything written that was recorded.
pub fn flush() {
    ringtrace::flush();
}

/// Where files are memory, if there is such a place.
pub fn memory_folder() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() }
}
