//! How tracing is asked for: by option texts, by the environment, by calls. What people can write is in docs/options.md.

mod arguments;
mod events_file;
mod keys;
mod mistake;
#[cfg(feature = "monitor")]
mod monitor;
mod parse;
mod report;

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::session::{self, Guard, StartError};
use crate::{Backends, Clock, LogLine, Pattern, Policy, Settings, Switch, arena, registry};

pub use arguments::VARIABLE;
pub(crate) use arguments::quoted;
pub use keys::{KEYS, Key, help};
pub use mistake::{Mistake, OptionsError};
#[cfg(feature = "monitor")]
pub use monitor::MONITOR_VARIABLE;
pub use report::{complain, list};

/// What is asked of tracing: which events, where to, how.
///
/// ```
/// # fn main() -> Result<(), ringtrace::OptionsError> {
/// use ringtrace::{Options, Policy};
///
/// // As people write it:
/// let options = Options::parse("blk_*,file=blk.trace,policy=block")?;
/// // By calls; what comes later wins:
/// let options = Options::new().enable("blk_*").file("blk.trace").policy(Policy::Block { timeout: None });
/// # Ok(()) }
/// ```
///
/// Options of which nothing was asked start nothing.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// In order; the later wins.
    wishes: Vec<Wish>,
    /// An empty text asks for nothing but to begin.
    given: bool,
}

/// One thing that is asked.
#[derive(Debug, Clone)]
enum Wish {
    /// The list of all events.
    List,
    Switch(Asked),
    /// Where the trace goes, or the log, when that is all there is.
    File(PathBuf),
    KeepExisting(bool),
    Announce(PathBuf),
    LogFile(PathBuf),
    LogLine(LogLine),
    SyslogSocket(PathBuf),
    FtraceMarker(PathBuf),
    Backends(Backends),
    Policy(Policy),
    Buffer(usize),
    Threads(usize),
    Clock(Clock),
    Directory(PathBuf),
    SnapshotSignal(i32),
    /// What is served beside the trace, and begins none.
    #[cfg(feature = "monitor")]
    Monitor(crate::monitor::Address),
    /// What an address of a monitor is.
    #[cfg(feature = "monitor")]
    MonitorHelp,
}

/// A switch, and where it was found, when that is a line of a file.
#[derive(Debug, Clone)]
struct Asked {
    switch: Switch,
    place: Option<(PathBuf, usize)>,
}

impl Options {
    /// Nothing is asked.
    pub fn new() -> Options {
        Options::default()
    }

    /// What a text asks for that follows a `--trace`. The empty text asks to begin.
    ///
    /// # Errors
    /// When it cannot be understood, or an events file not be read.
    pub fn parse(text: impl AsRef<OsStr>) -> Result<Options, OptionsError> {
        Options::of(quoted(text.as_ref()), text.as_ref())
    }

    /// What a text asks for that stood at a place.
    fn of(place: String, text: &OsStr) -> Result<Options, OptionsError> {
        let wishes = parse::parse(text).map_err(|mistake| OptionsError::new(place, mistake))?;
        Ok(Options { wishes, given: true })
    }

    /// Asks for all that `later` asks, which wins where both say something.
    pub fn extend(&mut self, later: Options) {
        self.wishes.extend(later.wishes);
        self.given |= later.given;
    }

    fn and(mut self, wish: Wish) -> Options {
        self.wishes.push(wish);
        self.given = true;
        self
    }

    /// Switches events on: a name or a pattern. Without any other word than that, the trace goes to `trace-PID`.
    #[must_use]
    pub fn enable(self, pattern: &str) -> Options {
        let switch = Switch { pattern: Pattern::of_option(pattern), enable: true };
        self.and(Wish::Switch(Asked { switch, place: None }))
    }

    /// Switches events off that were switched on before.
    #[must_use]
    pub fn disable(self, pattern: &str) -> Options {
        let switch = Switch { pattern: Pattern::of_option(pattern), enable: false };
        self.and(Wish::Switch(Asked { switch, place: None }))
    }

    /// Where the trace goes.
    #[must_use]
    pub fn file(self, path: impl Into<PathBuf>) -> Options {
        self.and(Wish::File(path.into()))
    }

    /// Where the backend `log` writes. One `%d` stands for the process id.
    #[must_use]
    pub fn log_file(self, path: impl Into<PathBuf>) -> Options {
        self.and(Wish::LogFile(path.into()))
    }

    /// What lines of the backend `log` begin with.
    #[must_use]
    pub fn log_line(self, line: LogLine) -> Options {
        self.and(Wish::LogLine(line))
    }

    /// The log daemon's socket, if it is not `/dev/log`. No text asks for this.
    #[must_use]
    pub fn syslog_socket(self, path: impl Into<PathBuf>) -> Options {
        self.and(Wish::SyslogSocket(path.into()))
    }

    /// The kernel's `trace_marker`, if it is not where tracefs is usually mounted. No text asks for this.
    #[must_use]
    pub fn ftrace_marker(self, path: impl Into<PathBuf>) -> Options {
        self.and(Wish::FtraceMarker(path.into()))
    }

    /// Where events go.
    #[must_use]
    pub fn backends(self, backends: Backends) -> Options {
        self.and(Wish::Backends(backends))
    }

    /// What happens when a ring is full.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Options {
        self.and(Wish::Policy(policy))
    }

    /// The size of each thread's ring. Brought to the next power of two within [`Settings::BUFFER_BYTES`].
    #[must_use]
    pub fn buffer_bytes(self, bytes: usize) -> Options {
        let (least, most) = (*Settings::BUFFER_BYTES.start(), *Settings::BUFFER_BYTES.end());
        self.and(Wish::Buffer(bytes.clamp(least, most).next_power_of_two()))
    }

    /// How many threads have their rings made at the start. Brought within [`Settings::THREADS`].
    #[must_use]
    pub fn threads(self, count: usize) -> Options {
        self.and(Wish::Threads(count.clamp(*Settings::THREADS.start(), *Settings::THREADS.end())))
    }

    /// Where timestamps come from.
    #[must_use]
    pub fn clock(self, clock: Clock) -> Options {
        self.and(Wish::Clock(clock))
    }

    /// The signal, as `libc::SIGUSR2`, that asks for a snapshot of what the rings hold, in a file beside the trace.
    #[must_use]
    pub fn snapshot_signal(self, signal: i32) -> Options {
        self.and(Wish::SnapshotSignal(signal))
    }

    /// Where rings are kept while the process lives.
    #[must_use]
    pub fn directory(self, path: impl Into<PathBuf>) -> Options {
        self.and(Wish::Directory(path.into()))
    }

    /// Whether nothing is asked: then nothing starts.
    pub fn is_empty(&self) -> bool {
        !self.given && self.wishes.is_empty()
    }

    /// Whether the list of all events is asked for.
    pub fn asks_for_list(&self) -> bool {
        self.wishes.iter().any(|wish| matches!(wish, Wish::List))
    }

    /// The events that are asked for, in order.
    pub fn switches(&self) -> impl Iterator<Item = &Switch> {
        self.asked().map(|asked| &asked.switch)
    }

    fn asked(&self) -> impl Iterator<Item = &Asked> {
        self.wishes.iter().filter_map(|wish| match wish {
            Wish::Switch(asked) => Some(asked),
            _ => None,
        })
    }

    /// Everything else that is asked for.
    ///
    /// # Errors
    /// When there is a file that no backend would write.
    pub fn settings(&self) -> Result<Settings, OptionsError> {
        let mut settings = Settings::default();
        for wish in &self.wishes {
            match wish {
                Wish::List | Wish::Switch(_) => {}
                Wish::File(path) => settings.file = Some(path.clone()),
                Wish::KeepExisting(keeps) => settings.keeps_existing = *keeps,
                Wish::Announce(path) => settings.announce = Some(path.clone()),
                Wish::LogFile(path) => settings.log_file = Some(path.clone()),
                Wish::LogLine(line) => settings.log_line = *line,
                Wish::SyslogSocket(path) => settings.syslog_socket = Some(path.clone()),
                Wish::FtraceMarker(path) => settings.ftrace_marker = Some(path.clone()),
                Wish::Backends(backends) => settings.backends = *backends,
                Wish::Policy(policy) => settings.policy = *policy,
                Wish::Buffer(bytes) => settings.buffer_bytes = *bytes,
                Wish::Threads(count) => settings.threads = *count,
                Wish::Clock(clock) => settings.clock = *clock,
                Wish::Directory(path) => settings.directory = Some(path.clone()),
                Wish::SnapshotSignal(signal) => settings.snapshot_signal = Some(*signal),
                #[cfg(feature = "monitor")]
                Wish::Monitor(_) | Wish::MonitorHelp => {}
            }
        }
        // As in QEMU, `file=` is the log's where there is no trace.
        if !settings.backends.contains(Backends::SIMPLE)
            && let Some(path) = &settings.file
        {
            if !settings.backends.contains(Backends::LOG) {
                let mistake = Mistake::FileWithoutBackend { path: path.clone(), backends: settings.backends };
                return Err(OptionsError::new(String::new(), mistake));
            }
            // Where the log has a name of its own, it is the trace's, which the program may switch on.
            if settings.log_file.is_none() {
                settings.log_file = settings.file.take();
            }
        }
        Ok(settings)
    }

    /// Begins, as asked: switches events, says on standard error which of them there are not, starts the session, and serves the
    /// monitors. All of it ends when the guard is dropped.
    ///
    /// Patterns also hold for libraries that are loaded later. Nothing starts when nothing was asked. Where only a monitor was asked for, nothing is
    /// recorded before a client says so. When asked for `help`, lists the events on standard output and exits the process with
    /// status 0.
    ///
    /// # Errors
    /// When the options contradict each other, or the session or a monitor cannot start: because of its file, for example. Then
    /// nothing is recorded.
    pub fn start(self) -> Result<Guard, StartError> {
        #[cfg(feature = "monitor")]
        return self.start_with(|monitor| monitor);
        #[cfg(not(feature = "monitor"))]
        self.begin()
    }

    /// Says what is asked for and ends the process, if that is all that is wanted.
    fn answer_questions(&self) {
        if self.asks_for_list() {
            report::show_and_exit(&list());
        }
        #[cfg(feature = "monitor")]
        if self.wishes.iter().any(|wish| matches!(wish, Wish::MonitorHelp)) {
            report::show_and_exit(&crate::monitor::Address::help());
        }
    }

    /// The session, if it is asked for.
    fn begin(self) -> Result<Guard, StartError> {
        self.answer_questions();
        if !self.given {
            return Ok(Guard::of_nothing());
        }
        let settings = self.settings()?;
        self.switch_events();
        begin(settings)
    }

    /// Switches events as asked, now and in libraries that are loaded later, and says on standard error which of them there are not. The
    /// first half of [`Options::start`], for programs that do the other half later: by [`begin`].
    pub fn switch_events(&self) {
        let asked: Vec<&Asked> = self.asked().collect();
        let done = registry::switch_for_good(self.switches().cloned().collect());
        report::warn(&asked, &done);
    }
}

/// Starts the session, and says on standard error when processes were killed whose events nobody has recovered.
///
/// # Errors
/// As [`session::start`].
pub fn begin(settings: Settings) -> Result<Guard, StartError> {
    if settings.backends.contains(Backends::SIMPLE)
        && let Ok(directory) = arena::directory(settings.directory.as_deref())
    {
        report::tell_left_behind(&arena::left_behind(&directory), &directory);
    }
    session::start(settings)
}

/// What the document shows as Rust compiles.
#[cfg(all(doctest, feature = "clap"))]
#[doc = include_str!("../../../../docs/options.md")]
struct Document;
