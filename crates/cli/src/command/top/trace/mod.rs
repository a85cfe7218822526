//! Samples of a trace, finished or growing. A thread reads the trace and counts its events.

mod counts;
mod tail;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fs;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ringtrace_tracefile::metadata::{COMMAND, Metadata, POLICY, program_name};
use ringtrace_tracefile::{Entry, Error as TraceError, Flow, Input, Options, Reader, Schema};

use self::counts::{Counter, Shared};
use self::tail::{WatchedFile, WriterState};
use super::sample::{EventSample, Sample, TraceState};
use super::sampler::{Change, SampleError, SampleSource};
use crate::exit::CliError;
use crate::reading::open_trace;

/// The time between two checks for appended data.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// The time between two searches for the trace's writer.
const ASK_AGAIN: Duration = Duration::from_millis(500);

/// The display name of `-`.
const STDIN: &str = "standard input";

/// A trace that a thread reads, including data that is appended later.
#[derive(Debug)]
pub struct Trace {
    path: PathBuf,
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
    /// The last sample: its generation, its timestamp, and when it was taken.
    last: Option<(u64, u64, Instant)>,
    /// The generation whose end the reader has reached at least once.
    caught_up: Option<u64>,
}

impl Trace {
    /// Starts reading the trace at `path`; `-` is standard input.
    pub fn open(path: &Path, options: &Options) -> Result<Trace, CliError> {
        let metadata = if path.as_os_str() == "-" { None } else { fs::metadata(path).ok() };
        let options = Options { live: true, ..options.clone() };
        let mut is_file = metadata.as_ref().is_some_and(fs::Metadata::is_file);
        let is_stream =
            path.as_os_str() == "-" || metadata.as_ref().is_some_and(|m| !m.is_file() && !m.is_dir());
        // Report at once if a file is not a trace. Do not check a stream, which can be read only
        // once, or an empty file, which may become a trace.
        if !is_stream && metadata.is_none_or(|metadata| metadata.is_dir() || metadata.len() > 0) {
            let mut reader = open_trace(path, &options)?;
            reader.for_each(|_: &Entry<'_>| Flow::Stop).map_err(CliError::from)?;
            // A compressed trace does not grow, and offsets in it are not those of the file.
            is_file = is_file && reader.compression().is_none();
        }
        let shared = Arc::new(Shared::default());
        let stop = Arc::new(AtomicBool::new(false));
        let reading = Reading {
            path: path.to_owned(),
            is_file,
            options,
            shared: Arc::clone(&shared),
            stop: Arc::clone(&stop),
        };
        let started = thread::Builder::new().name("reader".to_owned()).spawn(move || reading.run());
        started.map_err(|error| CliError::system("threads", &error))?;
        Ok(Trace { path: path.to_owned(), shared, stop, last: None, caught_up: None })
    }

    /// Returns the state of the trace. If the reader is behind, the state includes the number of
    /// unread bytes.
    fn state(&mut self, file_bytes: u64, generation: u64) -> TraceState {
        let end = self.shared.progress().writer;
        if end.is_none() && self.caught_up != Some(generation) {
            return TraceState::Behind(file_bytes.saturating_sub(self.shared.read_bytes()));
        }
        self.caught_up = Some(generation);
        match end {
            None | Some(WriterState::Writes) => TraceState::On,
            Some(WriterState::Ended) => TraceState::Ended,
            Some(WriterState::Elsewhere) => TraceState::Left,
        }
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl SampleSource for Trace {
    fn sample(&mut self, complete: bool) -> Result<Sample, SampleError> {
        let file_bytes = fs::metadata(&self.path).map_or(0, |metadata| metadata.len());
        let generation = self.shared.generation();
        let state = self.state(file_bytes, generation);
        let error = self.shared.progress().error.clone();
        let mut counts = self.shared.lock();
        let (first_ns, largest_ns) = counts.span().unwrap_or((0, 0));
        let now = Instant::now();
        let time_ns = match self.last {
            Some((of, last_ns, at)) if of == generation => {
                // The time of a trace would stand still between records. While the trace is being
                // written, add the time since the last sample.
                let elapsed = if state == TraceState::On { now.duration_since(at) } else { Duration::ZERO };
                let elapsed_ns = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
                largest_ns.max(last_ns.saturating_add(if last_ns > 0 { elapsed_ns } else { 0 }))
            }
            _ => largest_ns,
        };
        self.last = Some((generation, time_ns, now));
        let is_stdin = self.path.as_os_str() == "-";
        let file = if is_stdin { STDIN.to_owned() } else { self.path.display().to_string() };
        let name = self.path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.filter(|_| !is_stdin).unwrap_or(STDIN.to_owned());
        Ok(Sample {
            time_ns,
            program: counts.program.clone().unwrap_or(name),
            pid: counts.pid,
            state,
            policy: counts.policy.clone(),
            file: Some(file),
            file_bytes: file_bytes.max(self.shared.read_bytes()),
            error,
            recorded: counts.recorded(),
            dropped: counts.dropped.events,
            events: counts.changed(complete),
            complete,
            span_ns: Some(largest_ns - first_ns),
            generation,
            ..Sample::default()
        })
    }

    fn switch(&mut self, _: &Change) -> Result<(), String> {
        Err("a trace is read-only".to_owned())
    }
}

/// The state of the reader thread.
struct Reading {
    path: PathBuf,
    is_file: bool,
    options: Options,
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
}

impl Reading {
    /// Reads the trace, and then each trace that replaces it.
    fn run(self) {
        while !self.stop.load(Ordering::Relaxed) {
            let place = WatchedFile::open(&self.path).ok().filter(|_| self.is_file);
            let read = match &place {
                Some(place) => self.follow(place),
                None => self.read_stream(),
            };
            if let Err(error) = read {
                self.shared.progress().error = Some(error);
            }
            // A stream or a missing file is not read a second time.
            let Some(place) = place else {
                self.shared.progress().writer = Some(WriterState::Ended);
                return;
            };
            while !place.was_replaced() {
                if self.stop.load(Ordering::Relaxed) {
                    return;
                }
                self.shared.progress().writer = Some(WriterState::Ended);
                thread::sleep(LOOK_AGAIN);
            }
            // The new writer needs a moment to write the header.
            thread::sleep(LOOK_AGAIN);
            self.shared.reset();
        }
    }

    /// Reads a stream to its end.
    fn read_stream(&self) -> Result<(), String> {
        let name = self.path.display().to_string();
        let input = Input::open(&self.path).map_err(|error| CliError::system(&name, &error).message)?;
        let mut reader = Reader::new(&name, input, &self.options).map_err(error_message)?;
        self.shared.progress().read_bytes = reader.progress();
        let mut counter = Counter::new(&self.shared);
        loop {
            let read = reader.for_each_mut(&mut counter).map_err(error_message);
            self.learn(&reader);
            if read? == Flow::Continue {
                return Ok(());
            }
        }
    }

    /// Reads a file, including appended data, until the file is replaced.
    fn follow(&self, place: &WatchedFile) -> Result<(), String> {
        let name = self.path.display().to_string();
        let tail =
            place.read(&self.shared, &self.stop).map_err(|error| CliError::system(&name, &error).message)?;
        let read_bytes = Arc::clone(&tail.read_bytes);
        let mut reader =
            Reader::new(&name, Input::from_reader(Box::new(tail)), &self.options).map_err(error_message)?;
        self.shared.progress().read_bytes = read_bytes;
        self.shared.progress().begun = true;
        let mut counter = Counter::new(&self.shared);
        loop {
            let read = reader.for_each_mut(&mut counter);
            let has_ended = self.learn(&reader);
            match read {
                // The counter stopped after the first record: now the metadata is known.
                Ok(Flow::Stop) => continue,
                Ok(Flow::Continue) => return Ok(()),
                Err(_) if mem::take(&mut self.shared.progress().at_end) => {}
                Err(error) => return Err(error_message(error)),
            }
            let mut asked = None;
            while !place.has_more() {
                if self.stop.load(Ordering::Relaxed) || place.was_replaced() {
                    return Ok(());
                }
                // Finding the writer examines all open files of a process, so it is done less
                // often.
                if asked.is_none_or(|at: Instant| at.elapsed() >= ASK_AGAIN) {
                    let pid = self.shared.lock().pid;
                    self.shared.progress().writer = Some(place.writer(pid, has_ended));
                    asked = Some(Instant::now());
                }
                thread::sleep(LOOK_AGAIN);
            }
            self.shared.progress().writer = None;
        }
    }

    /// Stores the trace's metadata and declared events. Returns whether the trace is complete
    /// according to its totals.
    fn learn(&self, reader: &Reader) -> bool {
        let mut counts = self.shared.lock();
        let mut totals = HashMap::new();
        for metadata in reader.metadata() {
            match metadata {
                Metadata::Other(key, value) if key == COMMAND => counts.program = program_name(value),
                Metadata::Other(key, value) if key == POLICY => {
                    counts.policy = Some(String::from_utf8_lossy(value).into_owned());
                }
                Metadata::Total(total) => {
                    totals.insert(total.tid, total.recorded);
                }
                _ => {}
            }
        }
        for (_, schema) in
            reader.schemas().all().filter(|(_, schema)| schema.name.as_str() != Schema::DROPPED_NAME)
        {
            counts.declare(&schema.name);
        }
        !totals.is_empty() && totals.values().sum::<u64>() >= counts.recorded()
    }
}

fn error_message(error: TraceError) -> String {
    CliError::from(error).message
}

impl counts::Counts {
    /// Returns the events that changed since the last call, or all events if `complete`.
    fn changed(&mut self, complete: bool) -> Vec<EventSample> {
        let changed = self.events.iter_mut().filter(|event| complete || event.changed);
        changed
            .map(|event| {
                event.changed = false;
                EventSample {
                    name: event.name.to_string(),
                    recorded: Some(event.recorded),
                    histories: Some(Box::new((event.minute.clone(), event.whole.clone()))),
                    ..EventSample::default()
                }
            })
            .collect()
    }
}
