//! Samples of a trace, growing or not: its events are counted as they are read.

mod counts;
mod tail;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ringtrace_tracefile::metadata::{COMMAND, Metadata, POLICY};
use ringtrace_tracefile::{Entry, Error as TraceError, Flow, Input, Options, Reader, Schema};

use self::counts::{Counter, Shared};
use self::tail::{WatchedFile, WriterState};
use super::sample::{EventSample, Sample, TraceState};
use super::sampler::{Change, SampleError, SampleSource};
use crate::exit::CliError;
use crate::reading::{open_trace, program_name};

/// How often the end of a trace is looked at.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// How often it is asked who writes it.
const ASK_AGAIN: Duration = Duration::from_millis(500);

/// What `-` is called.
const STDIN: &str = "standard input";

/// A trace that is read, and goes on to be read as it grows.
#[derive(Debug)]
pub struct Trace {
    path: PathBuf,
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
    /// Of the last sample: of what, its time, and when it was taken.
    last: Option<(u64, u64, Instant)>,
    /// Whether the end was reached once, and of what.
    caught_up: Option<u64>,
}

impl Trace {
    /// Begins to read the trace at `path`; `-` is standard input.
    pub fn open(path: &Path, options: &Options) -> Result<Trace, CliError> {
        let metadata = if path.as_os_str() == "-" { None } else { fs::metadata(path).ok() };
        let is_file = metadata.as_ref().is_some_and(fs::Metadata::is_file);
        let is_stream =
            path.as_os_str() == "-" || metadata.as_ref().is_some_and(|m| !m.is_file() && !m.is_dir());
        // What is no trace is told at once; a stream can be looked at only once, and an empty file may become one.
        if !is_stream && metadata.is_none_or(|metadata| metadata.is_dir() || metadata.len() > 0) {
            check(path, options)?;
        }
        let shared = Arc::new(Shared::default());
        let stop = Arc::new(AtomicBool::new(false));
        let reading = Reading {
            path: path.to_owned(),
            is_file,
            options: Options { live: true, ..options.clone() },
            shared: Arc::clone(&shared),
            stop: Arc::clone(&stop),
        };
        let started = thread::Builder::new().name("reader".to_owned()).spawn(move || reading.run());
        started.map_err(|error| CliError::system("threads", &error))?;
        Ok(Trace { path: path.to_owned(), shared, stop, last: None, caught_up: None })
    }

    /// How the writing goes, and how much of it was not read.
    fn state(&mut self, file_bytes: u64, generation: u64) -> TraceState {
        let end = self.shared.progress().end;
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
        let generation = self.shared.progress().generation;
        let state = self.state(file_bytes, generation);
        let mut counts = self.shared.counts();
        let (first_ns, largest_ns) = counts.span().unwrap_or((0, 0));
        let now = Instant::now();
        let time_ns = match self.last {
            Some((of, last_ns, at)) if of == generation => {
                // It has no clock of its own: while it is written, time goes on as on the wall.
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
            trouble: self.shared.progress().trouble.clone(),
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
        Err("a trace cannot be switched".to_owned())
    }
}

/// What the thread that reads knows.
struct Reading {
    path: PathBuf,
    is_file: bool,
    options: Options,
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
}

impl Reading {
    /// Reads the trace, and another one that takes its place.
    fn run(self) {
        while !self.stop.load(Ordering::Relaxed) {
            let place = WatchedFile::open(&self.path).ok().filter(|_| self.is_file);
            let read = match &place {
                Some(place) => self.follow(place),
                None => self.read_stream(),
            };
            if let Err(trouble) = read {
                self.shared.progress().trouble = Some(trouble);
            }
            // A stream is not read again, nor what is not there.
            let Some(place) = place else { return self.shared.set_end(Some(WriterState::Ended)) };
            while !place.was_replaced(self.shared.read_bytes()) {
                if self.stop.load(Ordering::Relaxed) {
                    return;
                }
                self.shared.set_end(Some(WriterState::Ended));
                thread::sleep(LOOK_AGAIN);
            }
            // Who writes it anew needs a moment until there is a header.
            thread::sleep(LOOK_AGAIN);
            self.shared.reset();
        }
    }

    /// Reads a stream to its end.
    fn read_stream(&self) -> Result<(), String> {
        let name = self.path.display().to_string();
        let input = Input::open(&self.path).map_err(|error| CliError::system(&name, &error).message)?;
        let mut reader = Reader::new(&name, input, &self.options).map_err(error_message)?;
        self.shared.progress().bytes = reader.progress();
        let mut counter = Counter::new(&self.shared);
        loop {
            let read = reader.for_each_mut(&mut counter).map_err(error_message);
            self.learn(&reader);
            if read? == Flow::Continue {
                return Ok(());
            }
        }
    }

    /// Reads a file, and what is appended to it, until it is another one.
    fn follow(&self, place: &WatchedFile) -> Result<(), String> {
        let name = self.path.display().to_string();
        let tail =
            place.read(&self.shared, &self.stop).map_err(|error| CliError::system(&name, &error).message)?;
        let mut reader =
            Reader::new(&name, Input::from_reader(Box::new(tail)), &self.options).map_err(error_message)?;
        self.shared.progress().bytes = reader.progress();
        self.shared.progress().has_begun = true;
        let mut counter = Counter::new(&self.shared);
        loop {
            let read = reader.for_each_mut(&mut counter);
            let has_ended = self.learn(&reader);
            match read {
                // The first record: by now the trace has said what it is.
                Ok(Flow::Stop) => continue,
                Ok(Flow::Continue) => return Ok(()),
                Err(_) if std::mem::take(&mut self.shared.progress().is_at_end) => {}
                Err(complaint) => return Err(error_message(complaint)),
            }
            let mut asked = None;
            while !place.has_more() {
                if self.stop.load(Ordering::Relaxed) || place.was_replaced(self.shared.read_bytes()) {
                    return Ok(());
                }
                // All files of a process are looked at: that is not done each time.
                if asked.is_none_or(|at: Instant| at.elapsed() >= ASK_AGAIN) {
                    let pid = self.shared.counts().pid;
                    self.shared.set_end(Some(place.writer(pid, has_ended)));
                    asked = Some(Instant::now());
                }
                thread::sleep(LOOK_AGAIN);
            }
            self.shared.set_end(None);
        }
    }

    /// Takes over what the trace says of itself. Whether it says that it has ended here.
    fn learn(&self, reader: &Reader) -> bool {
        let mut counts = self.shared.counts();
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

/// That the file at `path` is a trace whose first record can be read.
fn check(path: &Path, options: &Options) -> Result<(), CliError> {
    let mut reader = open_trace(path, &Options { live: true, ..options.clone() })?;
    reader.for_each(|_: &Entry<'_>| Flow::Stop).map_err(CliError::from)?;
    Ok(())
}

/// What is wrong with a trace.
fn error_message(complaint: TraceError) -> String {
    CliError::from(complaint).message
}

impl counts::Counts {
    /// The events that have changed since the last call; all, if `complete`.
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
