//! How tracing is asked for: by option texts, by the environment, by calls. What people can write is in docs/options.md.

#[cfg(feature = "monitor")]
mod address;
mod arguments;
mod backends;
mod error;
mod events_file;
mod keys;
#[cfg(feature = "monitor")]
mod monitor;
mod parse;
mod pattern;
mod settings;

use std::ffi::OsStr;
use std::path::PathBuf;

#[cfg(feature = "monitor")]
pub(crate) use address::MAX_PATH_BYTES;
#[cfg(feature = "monitor")]
pub use address::{Address, AddressError, Mode};
pub use arguments::VARIABLE;
pub(crate) use arguments::{of_program, quoted};
pub use backends::{BACKENDS, Backend, Backends, UnknownBackend};
pub use error::{OptionsError, OptionsErrorKind};
pub use keys::{KEYS, Key, help};
#[cfg(feature = "monitor")]
pub use monitor::MONITOR_VARIABLE;
pub(crate) use pattern::Reach;
pub use pattern::{Pattern, Switch};
pub use settings::{Clock, LogLine, Policy, Settings};

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
    pub(crate) items: Vec<OptionItem>,
    /// An empty text asks for nothing but to begin.
    pub(crate) given: bool,
}

/// One thing that is asked.
#[derive(Debug, Clone)]
pub(crate) enum OptionItem {
    /// The list of all events.
    List,
    Switch(EventSwitch),
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
    Monitor(Address),
    /// What an address of a monitor is.
    #[cfg(feature = "monitor")]
    MonitorHelp,
}

/// A switch, and where it was found, when that is a line of a file.
#[derive(Debug, Clone)]
pub(crate) struct EventSwitch {
    pub(crate) switch: Switch,
    pub(crate) location: Option<(PathBuf, usize)>,
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
    fn of(location: String, text: &OsStr) -> Result<Options, OptionsError> {
        let items = parse::parse(text).map_err(|kind| OptionsError::new(location, kind))?;
        Ok(Options { items, given: true })
    }

    /// Asks for all that `later` asks, which wins where both say something.
    pub fn extend(&mut self, later: Options) {
        self.items.extend(later.items);
        self.given |= later.given;
    }

    fn and(mut self, item: OptionItem) -> Options {
        self.items.push(item);
        self.given = true;
        self
    }

    /// Switches events on: a name or a pattern. Without any other word than that, the trace goes to `trace-PID`.
    #[must_use]
    pub fn enable(self, pattern: &str) -> Options {
        let switch = Switch { pattern: Pattern::of_option(pattern), enable: true };
        self.and(OptionItem::Switch(EventSwitch { switch, location: None }))
    }

    /// Switches events off that were switched on before.
    #[must_use]
    pub fn disable(self, pattern: &str) -> Options {
        let switch = Switch { pattern: Pattern::of_option(pattern), enable: false };
        self.and(OptionItem::Switch(EventSwitch { switch, location: None }))
    }

    /// Where the trace goes.
    #[must_use]
    pub fn file(self, path: impl Into<PathBuf>) -> Options {
        self.and(OptionItem::File(path.into()))
    }

    /// Where the backend `log` writes. One `%d` stands for the process id.
    #[must_use]
    pub fn log_file(self, path: impl Into<PathBuf>) -> Options {
        self.and(OptionItem::LogFile(path.into()))
    }

    /// What lines of the backend `log` begin with.
    #[must_use]
    pub fn log_line(self, line: LogLine) -> Options {
        self.and(OptionItem::LogLine(line))
    }

    /// The log daemon's socket, if it is not `/dev/log`. No text asks for this.
    #[must_use]
    pub fn syslog_socket(self, path: impl Into<PathBuf>) -> Options {
        self.and(OptionItem::SyslogSocket(path.into()))
    }

    /// The kernel's `trace_marker`, if it is not where tracefs is usually mounted. No text asks for this.
    #[must_use]
    pub fn ftrace_marker(self, path: impl Into<PathBuf>) -> Options {
        self.and(OptionItem::FtraceMarker(path.into()))
    }

    /// Where events go.
    #[must_use]
    pub fn backends(self, backends: Backends) -> Options {
        self.and(OptionItem::Backends(backends))
    }

    /// What happens when a ring is full.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Options {
        self.and(OptionItem::Policy(policy))
    }

    /// The size of each thread's ring. Brought to the next power of two within [`Settings::BUFFER_BYTES`].
    #[must_use]
    pub fn buffer_bytes(self, bytes: usize) -> Options {
        let (least, most) = (*Settings::BUFFER_BYTES.start(), *Settings::BUFFER_BYTES.end());
        self.and(OptionItem::Buffer(bytes.clamp(least, most).next_power_of_two()))
    }

    /// How many threads have their rings made at the start. Brought within [`Settings::THREADS`].
    #[must_use]
    pub fn threads(self, count: usize) -> Options {
        self.and(OptionItem::Threads(count.clamp(*Settings::THREADS.start(), *Settings::THREADS.end())))
    }

    /// Where timestamps come from.
    #[must_use]
    pub fn clock(self, clock: Clock) -> Options {
        self.and(OptionItem::Clock(clock))
    }

    /// The signal, as `libc::SIGUSR2`, that asks for a snapshot of what the rings hold, in a file beside the trace.
    #[must_use]
    pub fn snapshot_signal(self, signal: i32) -> Options {
        self.and(OptionItem::SnapshotSignal(signal))
    }

    /// Where rings are kept while the process lives.
    #[must_use]
    pub fn directory(self, path: impl Into<PathBuf>) -> Options {
        self.and(OptionItem::Directory(path.into()))
    }

    /// Whether nothing is asked: then nothing starts.
    pub fn is_empty(&self) -> bool {
        !self.given && self.items.is_empty()
    }

    /// Whether the list of all events is asked for.
    pub fn asks_for_list(&self) -> bool {
        self.items.iter().any(|item| matches!(item, OptionItem::List))
    }

    /// The events that are asked for, in order.
    pub fn switches(&self) -> impl Iterator<Item = &Switch> {
        self.event_switches().map(|switch| &switch.switch)
    }

    pub(crate) fn event_switches(&self) -> impl Iterator<Item = &EventSwitch> {
        self.items.iter().filter_map(|item| match item {
            OptionItem::Switch(switch) => Some(switch),
            _ => None,
        })
    }

    /// Everything else that is asked for.
    ///
    /// # Errors
    /// When there is a file that no backend would write.
    pub fn settings(&self) -> Result<Settings, OptionsError> {
        let mut settings = Settings::default();
        for item in &self.items {
            match item {
                OptionItem::List | OptionItem::Switch(_) => {}
                OptionItem::File(path) => settings.file = Some(path.clone()),
                OptionItem::KeepExisting(keeps) => settings.keeps_existing = *keeps,
                OptionItem::Announce(path) => settings.announce = Some(path.clone()),
                OptionItem::LogFile(path) => settings.log_file = Some(path.clone()),
                OptionItem::LogLine(line) => settings.log_line = *line,
                OptionItem::SyslogSocket(path) => settings.syslog_socket = Some(path.clone()),
                OptionItem::FtraceMarker(path) => settings.ftrace_marker = Some(path.clone()),
                OptionItem::Backends(backends) => settings.backends = *backends,
                OptionItem::Policy(policy) => settings.policy = *policy,
                OptionItem::Buffer(bytes) => settings.buffer_bytes = *bytes,
                OptionItem::Threads(count) => settings.threads = *count,
                OptionItem::Clock(clock) => settings.clock = *clock,
                OptionItem::Directory(path) => settings.directory = Some(path.clone()),
                OptionItem::SnapshotSignal(signal) => settings.snapshot_signal = Some(*signal),
                #[cfg(feature = "monitor")]
                OptionItem::Monitor(_) | OptionItem::MonitorHelp => {}
            }
        }
        // As in QEMU, `file=` is the log's where there is no trace.
        if !settings.backends.contains(Backends::SIMPLE)
            && let Some(path) = &settings.file
        {
            if !settings.backends.contains(Backends::LOG) {
                let kind =
                    OptionsErrorKind::FileWithoutBackend { path: path.clone(), backends: settings.backends };
                return Err(OptionsError::new(String::new(), kind));
            }
            // Where the log has a name of its own, it is the trace's, which the program may switch on.
            if settings.log_file.is_none() {
                settings.log_file = settings.file.take();
            }
        }
        Ok(settings)
    }
}
