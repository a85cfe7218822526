//! Samples come from a thread of their own: a program that does not answer keeps nobody from leaving.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::sample::Sample;

/// Where samples come from.
pub trait Source: Send {
    /// How things stand now. Of all events if `complete`, else of those that matter.
    ///
    /// # Errors
    /// Why nothing can be told now. It is asked again after a while, and may have found the program again.
    fn sample(&mut self, complete: bool) -> Result<Sample, Gap>;

    /// Does what is asked.
    ///
    /// # Errors
    /// Why it was not done.
    fn switch(&mut self, change: &Change) -> Result<(), String>;
}

/// Why there is no sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gap {
    /// The program is there, and does not answer.
    Silent,
    /// It is not there, and why.
    Gone(String),
}

/// What can be changed in a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Events on or off.
    Events {
        /// A name, or a pattern.
        pattern: String,
        /// On.
        enable: bool,
    },
    /// Writing to the trace file on or off.
    TraceFile(bool),
    /// All that happened so far is to be written.
    Flush,
}

/// What the thread is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// To change something; a sample follows at once.
    Change(Change),
    /// So much time between samples.
    Interval(Duration),
    /// Samples of all events, or of those that matter.
    Complete(bool),
}

/// What the thread tells.
#[derive(Debug)]
pub enum News {
    /// How things stand.
    Sample(Box<Sample>),
    /// Something was changed, or why it was not.
    Changed(Change, Result<(), String>),
    /// Nothing can be told, and why. It goes on trying.
    Lost(String),
}

/// Both ends of the talk with the thread.
#[derive(Debug)]
pub struct Feed {
    requests: Sender<Request>,
    news: Receiver<News>,
}

/// Between two tries to find a program that is gone.
const TRY_AGAIN: Duration = Duration::from_secs(1);

impl Feed {
    /// Takes samples of `source` from now on. The thread ends when this is dropped, but nobody waits for it: the source may be
    /// waiting itself.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn start(mut source: Box<dyn Source>, interval: Duration, complete: bool) -> io::Result<Feed> {
        let (requests, asked) = channel();
        let (tell, news) = channel();
        let run = move || {
            let mut plan = Plan { interval, complete, known: false };
            // Whoever is gone wants no more.
            while serve(&mut *source, &mut plan, &asked, &tell).is_some() {}
        };
        thread::Builder::new().name("samples".to_owned()).spawn(run)?;
        Ok(Feed { requests, news })
    }

    /// Asks for something.
    pub fn ask(&self, request: Request) {
        // The thread ends only with this.
        let _ = self.requests.send(request);
    }

    /// What was told since the last call.
    pub fn news(&self) -> Option<News> {
        self.news.try_recv().ok()
    }
}

/// How samples are to be taken.
struct Plan {
    interval: Duration,
    complete: bool,
    /// Whether all events of the program were told once.
    known: bool,
}

/// Takes a sample, and does what is asked until the next one is due. `None`: nobody listens any more.
fn serve(
    source: &mut dyn Source,
    plan: &mut Plan,
    asked: &Receiver<Request>,
    tell: &Sender<News>,
) -> Option<()> {
    let begun = Instant::now();
    // Names that were never told cannot be shown, nor counted when a pattern is to be switched.
    let (news, found) = match source.sample(plan.complete || !plan.known) {
        Ok(sample) => (Some(News::Sample(Box::new(sample))), true),
        Err(Gap::Gone(reason)) => (Some(News::Lost(reason)), false),
        // That nothing comes tells enough.
        Err(Gap::Silent) => (None, false),
    };
    plan.known = found;
    if let Some(news) = news {
        tell.send(news).ok()?;
    }
    loop {
        let pause = if found { plan.interval } else { plan.interval.max(TRY_AGAIN) };
        let left = pause.saturating_sub(begun.elapsed());
        match asked.recv_timeout(left) {
            Ok(Request::Change(change)) => {
                let result = source.switch(&change);
                tell.send(News::Changed(change, result)).ok()?;
                return Some(());
            }
            Ok(Request::Interval(interval)) => plan.interval = interval,
            Ok(Request::Complete(complete)) => {
                plan.complete = complete;
                return Some(());
            }
            Err(RecvTimeoutError::Timeout) => return Some(()),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}
