//! Checks the files of a rotated trace as soon as they are complete, before they are removed.

use std::collections::BTreeMap;
use std::path::Path;

use ringtrace_tracefile::folder::list;
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader, Value};

/// Checks that no event of a worker is missing.
#[derive(Default)]
pub struct Folder {
    /// The number of the last file that was read.
    last: u64,
    /// The number of the next step of each worker that has not ended.
    workers: BTreeMap<u64, u64>,
    pub totals: Totals,
}

#[derive(Default, Clone, Copy)]
pub struct Totals {
    pub files: u64,
    pub events: u64,
    pub dropped: u64,
    pub workers: u64,
}

impl Folder {
    /// Reads the files that are complete: all but the newest, unless `ended` is set.
    ///
    /// # Errors
    /// Fails if an event is missing, a file is damaged, or a file was removed before it was read.
    pub fn read_complete(&mut self, folder: &Path, ended: bool) -> Result<(), String> {
        let mut files = list(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        if !ended {
            files.pop();
        }
        files.retain(|file| file.number > self.last);
        for file in files {
            self.read(&file.path)?;
            self.last = file.number;
        }
        Ok(())
    }

    /// Checks that all workers have ended, and that there were `expected`.
    ///
    /// # Errors
    /// Fails if one is missing.
    pub fn is_complete(&self, expected: u64) -> Result<(), String> {
        let Totals { workers, dropped, .. } = self.totals;
        if workers == expected && self.workers.is_empty() && dropped == 0 {
            return Ok(());
        }
        let open = self.workers.len();
        Err(format!("{expected} workers started: {workers} ended, {open} did not; {dropped} events dropped"))
    }

    fn read(&mut self, file: &Path) -> Result<(), String> {
        let name = file.display().to_string();
        let input = Input::open(file).map_err(|error| format!("{name}: {error}"))?;
        let mut reader =
            Reader::new(&name, input, &Options::default()).map_err(|error| format!("{name}: {error}"))?;
        let mut missing = None;
        let read = reader.for_each(|entry: &Entry<'_>| {
            missing = self.check(entry).err();
            if missing.is_some() { Flow::Stop } else { Flow::Continue }
        });
        read.map_err(|error| format!("{name}: {error}"))?;
        if let Some(missing) = missing {
            return Err(format!("{name}: {missing}"));
        }
        self.totals.files += 1;
        Ok(())
    }

    fn check(&mut self, entry: &Entry<'_>) -> Result<(), String> {
        if let Some(count) = entry.dropped() {
            self.totals.dropped += count;
            return Err(format!("{count} events were dropped"));
        }
        self.totals.events += 1;
        let mut integers = entry.values().map_while(|value| match value {
            Value::Integer(value) => Some(value),
            _ => None,
        });
        let (Some(worker), Some(number)) = (integers.next(), integers.next()) else { return Ok(()) };
        let next = self.workers.entry(worker).or_default();
        if number != *next {
            let event = &entry.schema.name;
            return Err(format!("worker {worker}: {event} {number} follows after {next} events"));
        }
        *next += 1;
        if &*entry.schema.name == "soak_end" {
            self.workers.remove(&worker);
            self.totals.workers += 1;
        }
        Ok(())
    }
}
