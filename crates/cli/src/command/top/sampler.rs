//! Samples come from a thread of their own: a program that does not answer keeps nobody from leaving.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::sample::Sample;

/// Where samples come from.
pub trait SampleSource: Send {
    /// How things stand now. Of all events if `complete`, else of those that matter.
    fn sample(&mut self, complete: bool) -> Result<Sample, SampleError>;

    /// Does what is asked.
    fn switch(&mut self, change: &Change) -> Result<(), String>;
}

/// Why there is no sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SampleError {
    /// The program is there, and does not answer.
    NoAnswer,
    /// It is not there, and why.
    Disconnected(String),
}

/// What can be changed in a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Events { pattern: String, enable: bool },
    TraceFile(bool),
    Flush,
}

/// What the thread is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    Change(Change),
    Interval(Duration),
    /// Samples of all events, or of those that matter.
    Complete(bool),
}

/// What the thread tells.
#[derive(Debug)]
pub enum Update {
    Sample(Box<Sample>),
    Changed(Change, Result<(), String>),
    /// Nothing can be told, and why. It goes on trying.
    Lost(String),
}

/// Both ends of the talk with the thread.
#[derive(Debug)]
pub struct Sampler {
    requests: Sender<Request>,
    news: Receiver<Update>,
}

/// Between two tries to find a program that is gone.
const TRY_AGAIN: Duration = Duration::from_secs(1);

impl Sampler {
    /// Takes samples of `source` from now on. The thread ends when this is dropped, but nobody waits for it: the source may be
    /// waiting itself.
    pub fn start(
        mut source: Box<dyn SampleSource>,
        interval: Duration,
        complete: bool,
    ) -> io::Result<Sampler> {
        let (requests, asked) = channel();
        let (tell, news) = channel();
        let run = move || {
            let mut state = SamplingState { interval, complete, known: false };
            // Whoever is gone wants no more.
            while serve(&mut *source, &mut state, &asked, &tell).is_some() {}
        };
        thread::Builder::new().name("samples".to_owned()).spawn(run)?;
        Ok(Sampler { requests, news })
    }

    /// Asks for something.
    pub fn ask(&self, request: Request) {
        // The thread ends only with this.
        let _ = self.requests.send(request);
    }

    /// What was told since the last call.
    pub fn news(&self) -> Option<Update> {
        self.news.try_recv().ok()
    }
}

/// How samples are to be taken.
struct SamplingState {
    interval: Duration,
    complete: bool,
    known: bool,
}

/// Takes a sample, and does what is asked until the next one is due. `None`: nobody listens any more.
fn serve(
    source: &mut dyn SampleSource,
    state: &mut SamplingState,
    asked: &Receiver<Request>,
    tell: &Sender<Update>,
) -> Option<()> {
    let begun = Instant::now();
    // Names that were never told cannot be shown, nor counted when a pattern is to be switched.
    let (news, found) = match source.sample(state.complete || !state.known) {
        Ok(sample) => (Some(Update::Sample(Box::new(sample))), true),
        Err(SampleError::Disconnected(reason)) => (Some(Update::Lost(reason)), false),
        // That nothing comes tells enough.
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
