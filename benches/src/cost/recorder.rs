//! A trace that is being recorded, and an honest count of what became of its events.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use ringtrace::session::{self, Guard};
use ringtrace::{Clock, Policy, Settings};
use ringtrace_wire::arena::{Header, PAGE_BYTES, records_between, slot, word};
use tempfile::TempDir;

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
}

/// What became of events, by what the rings say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub recorded: u64,
    /// Also those that were refused.
    pub dropped: u64,
    pub overwritten: u64,
    /// Whether everything that was recorded is in the file.
    pub drained: bool,
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
            threads: 4,
            directory: Some(directory.path().to_path_buf()),
            ..Settings::default()
        };
        let guard = session::start(settings).map_err(|error| error.to_string())?;
        Ok(Recorder { guard, directory })
    }

    /// What became of all events until now. Waits until they are written.
    ///
    /// # Errors
    /// When the rings cannot be read.
    pub fn counts(&self) -> Result<Counts, String> {
        ringtrace::flush();
        let mut sum = Counts { drained: true, ..Counts::default() };
        let files = std::fs::read_dir(self.directory.path()).map_err(|error| error.to_string())?;
        for file in files {
            let path = file.map_err(|error| error.to_string())?.path();
            add_arena(&path, &mut sum).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(sum)
    }

    /// Ends it, and tells what became of `issued` events.
    ///
    /// # Errors
    /// When one was lost, or is missing in the count.
    pub fn all_recorded(self, issued: u64) -> Result<(), String> {
        let counts = self.counts()?;
        self.stop();
        if counts.recorded == issued && counts.drained && counts.dropped + counts.overwritten == 0 {
            println!("said {issued} events, all recorded");
            return Ok(());
        }
        Err(format!("{issued} events were emitted, and the rings say {counts:?}"))
    }

    /// Ends it.
    pub fn stop(self) {
        drop(self.guard);
    }
}

/// Has everything written that was recorded.
pub fn flush() {
    ringtrace::flush();
}

/// Adds what the slots of an arena say, of the first 2^32 records of each.
fn add_arena(path: &Path, sum: &mut Counts) -> std::io::Result<()> {
    let file = File::open(path)?;
    let mut page = [0; PAGE_BYTES];
    file.read_exact_at(&mut page, 0)?;
    let header =
        Header::decode(&page).map_err(|error| std::io::Error::other(format!("no arena: {error:?}")))?;
    for index in 0..header.slots as usize {
        file.read_exact_at(&mut page, header.slot_at(index) as u64)?;
        let published = word(&page, slot::PUBLISHED);
        sum.recorded += u64::from(records_between(0, published));
        sum.dropped += word(&page, slot::DROPPED);
        sum.overwritten += word(&page, slot::OVERWRITTEN);
        sum.drained &= published == word(&page, slot::CONSUMED);
    }
    Ok(())
}

/// Where files are memory, if there is such a place.
pub fn memory_folder() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() }
}
