//! Takes samples in a separate thread, so that a program that does not answer cannot block the
//! screen.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::sample::Sample;

/// A source of samples.
pub trait SampleSource: Send {
    /// Takes a sample. It contains all events if `complete`, otherwise only events that are enabled
    /// or have occurred.
    fn sample(&mut self, complete: bool) -> Result<Sample, SampleError>;

    /// Applies `change`.
    fn switch(&mut self, change: &Change) -> Result<(), String>;
}

/// The reason why there is no sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SampleError {
    /// The program is connected, but does not answer.
    NoAnswer,
    /// There is no connection, for this reason.
    Disconnected(String),
}

/// A change to make to a program's tracing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Events { pattern: String, enable: bool },
    TraceFile(bool),
    Flush,
}

/// A request to the sampling thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    Change(Change),
    Interval(Duration),
    /// Whether to sample all events.
    Complete(bool),
}

/// A message from the sampling thread.
#[derive(Debug)]
pub enum Update {
    Sample(Box<Sample>),
    Changed(Change, Result<(), String>),
    /// The source is lost, for this reason. The sampling thread keeps trying to reconnect.
    Lost(String),
}

/// The channels to and from the sampling thread.
#[derive(Debug)]
pub struct Sampler {
    requests: Sender<Request>,
    news: Receiver<Update>,
}

/// The minimum time between two attempts to reconnect.
const TRY_AGAIN: Duration = Duration::from_secs(1);

impl Sampler {
    /// Starts sampling `source`. The thread ends after the returned value is dropped. It is not
    /// joined, because the source may block.
    pub fn start(
        mut source: Box<dyn SampleSource>,
        interval: Duration,
        complete: bool,
    ) -> io::Result<Sampler> {
        let (requests, asked) = channel();
        let (tell, news) = channel();
        let run = move || {
            let mut state = SamplingState { interval, complete, known: false };
            // `serve` returns `None` once the receiver has been dropped.
            while serve(&mut *source, &mut state, &asked, &tell).is_some() {}
        };
        thread::Builder::new().name("samples".to_owned()).spawn(run)?;
        Ok(Sampler { requests, news })
    }

    pub fn ask(&self, request: Request) {
        // The thread runs as long as this value exists, so sending cannot fail.
        let _ = self.requests.send(request);
    }

    /// Returns the next update, if there is one.
    pub fn news(&self) -> Option<Update> {
        self.news.try_recv().ok()
    }
}

struct SamplingState {
    interval: Duration,
    complete: bool,
    known: bool,
}

/// Takes a sample, and serves requests until the next sample is due. Returns `None` when the
/// channel is closed.
fn serve(
    source: &mut dyn SampleSource,
    state: &mut SamplingState,
    asked: &Receiver<Request>,
    tell: &Sender<Update>,
) -> Option<()> {
    let begun = Instant::now();
    // The first sample must be complete. Otherwise some event names would be unknown, and patterns
    // would match too few events.
    let (news, found) = match source.sample(state.complete || !state.known) {
        Ok(sample) => (Some(Update::Sample(Box::new(sample))), true),
        Err(SampleError::Disconnected(reason)) => (Some(Update::Lost(reason)), false),
        // The screen detects and reports missing answers itself.
        Err(SampleError::NoAnswer) => (None, false),
    };
    state.known = found;
    if let Some(news) = news {
        tell.send(news).ok()?;
    }
    loop {
        let pause = if found { state.interval } else { state.interval.max(TRY_AGAIN) };
        let left = pause.saturating_sub(begun.elapsed());
        match asked.recv_timeout(left) {
            Ok(Request::Change(change)) => {
                let result = source.switch(&change);
                tell.send(Update::Changed(change, result)).ok()?;
                return Some(());
            }
            Ok(Request::Interval(interval)) => state.interval = interval,
            Ok(Request::Complete(complete)) => {
                state.complete = complete;
                return Some(());
            }
            Err(RecvTimeoutError::Timeout) => return Some(()),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}
