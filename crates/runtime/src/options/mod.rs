//! Options of tracing, set by option strings, environment variables or calls. docs/options.md
//! describes the syntax.

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
use std::time::Duration;

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
pub use settings::{Clock, ContextPart, ExistingFile, FileFormat, LogLine, Policy, Rotation, Settings};

/// The options of tracing: which events to record, where, and how.
///
/// ```
/// # fn main() -> Result<(), ringtrace::OptionsError> {
/// use ringtrace::{Options, Policy};
///
/// // From text:
/// let options = Options::parse("blk_*,file=blk.trace,policy=block")?;
/// // By calls; later ones win:
/// let options = Options::new().enable("blk_*").file("blk.trace").policy(Policy::Block { timeout: None });
/// # Ok(()) }
/// ```
///
/// Empty options do not start tracing.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The items in order. Later items override earlier ones.
    pub(crate) items: Vec<OptionItem>,
    /// Whether tracing should start even without items, as an empty option string requests.
    pub(crate) given: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum OptionItem {
    List,
    Switch(EventSwitch),
    /// The trace file, or the log file if only the log is selected.
    File(PathBuf),
    RotateSize(u64),
    RotateTime(Duration),
    /// The number of files to keep.
    Keep(usize),
    Format(FileFormat),
    Compress(bool),
    Existing(ExistingFile),
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
    /// A part of the context of records, and the patterns of their events.
    Context(ContextPart, Vec<Pattern>),
    /// A monitor. A monitor alone does not start tracing.
    #[cfg(feature = "monitor")]
    Monitor(Address),
    #[cfg(feature = "monitor")]
    MonitorHelp,
}

/// A switch, with its file and line if it is from an events file.
#[derive(Debug, Clone)]
pub(crate) struct EventSwitch {
    pub(crate) switch: Switch,
    pub(crate) location: Option<(PathBuf, usize)>,
}

impl Options {
    /// Creates empty options.
    pub fn new() -> Options {
        Options::default()
    }

    /// Parses the value of an option `--trace`. An empty string starts tracing with no event
    /// enabled.
    ///
    /// # Errors
    /// Fails if the string is invalid, or an events file cannot be read.
    pub fn parse(text: impl AsRef<OsStr>) -> Result<Options, OptionsError> {
        Options::of(quoted(text.as_ref()), text.as_ref())
    }

    /// Parses an option string. `location` describes its origin in error messages.
    fn of(location: String, text: &OsStr) -> Result<Options, OptionsError> {
        let items = parse::parse(text).map_err(|kind| OptionsError::new(location, kind))?;
        Ok(Options { items, given: true })
    }

    /// Adds all items of `later`, which override earlier ones.
    pub fn extend(&mut self, later: Options) {
        self.items.extend(later.items);
        self.given |= later.given;
    }

    fn and(mut self, item: OptionItem) -> Options {
        self.items.push(item);
        self.given = true;
        self
    }

    /// Enables events, by name or pattern. Without other settings, the trace file is `trace-PID`.
    #[must_use]
    pub fn enable(self, pattern: &str) -> Options {
        let switch = Switch { pattern: Pattern::of_option(pattern), enable: true };
        self.and(OptionItem::Switch(EventSwitch { switch, location: None }))
    }

    /// Disables events that were enabled before.
    #[must_use]
    pub fn disable(self, pattern: &str) -> Options {
        let switch = Switch { pattern: Pattern::of_option(pattern), enable: false };
        self.and(OptionItem::Switch(EventSwitch { switch, location: None }))
    }

    /// Records the call stack with each event that matches, by name or pattern. Does not enable the
    /// events. `docs/stack.md` describes what the program needs for it.
    #[must_use]
    pub fn stack(self, pattern: &str) -> Options {
        self.and(OptionItem::Context(ContextPart::Stack, vec![Pattern::of_option(pattern)]))
    }

    /// Records the number of the CPU with each event that matches, by name or pattern. Does not enable
    /// the events.
    #[must_use]
    pub fn cpu(self, pattern: &str) -> Options {
        self.and(OptionItem::Context(ContextPart::Cpu, vec![Pattern::of_option(pattern)]))
    }

    /// Sets the trace file.
    #[must_use]
    pub fn file(self, path: impl Into<PathBuf>) -> Options {
        self.and(OptionItem::File(path.into()))
    }

    /// Continues in another file before the current one has more than `bytes` bytes. The trace's
    /// file name is then a folder.
    #[must_use]
    pub fn rotate_at_bytes(self, bytes: u64) -> Options {
        self.and(OptionItem::RotateSize(bytes.max(1 << 20)))
    }

    /// Continues in another file when the current one is this old. The trace's file name is then a
    /// folder.
    #[must_use]
    pub fn rotate_after(self, time: Duration) -> Options {
        self.and(OptionItem::RotateTime(time))
    }

    /// Keeps this number of files when the trace continues in another file, and removes older ones.
    #[must_use]
    pub fn keep_files(self, count: usize) -> Options {
        self.and(OptionItem::Keep(count.max(1)))
    }

    /// Sets the format of the trace file.
    #[must_use]
    pub fn format(self, format: FileFormat) -> Options {
        self.and(OptionItem::Format(format))
    }

    /// Sets the file of the backend `log`. One `%d` in the name is replaced by the process id.
    #[must_use]
    pub fn log_file(self, path: impl Into<PathBuf>) -> Options {
        self.and(OptionItem::LogFile(path.into()))
    }

    /// Sets the prefix of the `log` backend's lines.
    #[must_use]
    pub fn log_line(self, line: LogLine) -> Options {
        self.and(OptionItem::LogLine(line))
    }

    /// Sets the log daemon's socket, if it is not `/dev/log`. Option strings have no key for it.
    #[must_use]
    pub fn syslog_socket(self, path: impl Into<PathBuf>) -> Options {
        self.and(OptionItem::SyslogSocket(path.into()))
    }

    /// Sets the path of the kernel's `trace_marker`, if tracefs is not mounted in the usual place.
    /// Option strings have no key for it.
    #[must_use]
    pub fn ftrace_marker(self, path: impl Into<PathBuf>) -> Options {
        self.and(OptionItem::FtraceMarker(path.into()))
    }

    /// Sets the backends that receive events.
    #[must_use]
    pub fn backends(self, backends: Backends) -> Options {
        self.and(OptionItem::Backends(backends))
    }

    /// Sets what happens when a ring is full.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Options {
        self.and(OptionItem::Policy(policy))
    }

    /// Sets the size of each thread's ring. It is rounded up to a power of two within
    /// [`Settings::BUFFER_BYTES`].
    #[must_use]
    pub fn buffer_bytes(self, bytes: usize) -> Options {
        let (least, most) = (*Settings::BUFFER_BYTES.start(), *Settings::BUFFER_BYTES.end());
        self.and(OptionItem::Buffer(bytes.clamp(least, most).next_power_of_two()))
    }

    /// Sets the number of rings created at the start, limited to [`Settings::THREADS`].
    #[must_use]
    pub fn threads(self, count: usize) -> Options {
        self.and(OptionItem::Threads(count.clamp(*Settings::THREADS.start(), *Settings::THREADS.end())))
    }

    /// Sets the source of timestamps.
    #[must_use]
    pub fn clock(self, clock: Clock) -> Options {
        self.and(OptionItem::Clock(clock))
    }

    /// Sets the signal, such as `libc::SIGUSR2`, on which a snapshot of the rings is written to a
    /// file next to the trace.
    #[must_use]
    pub fn snapshot_signal(self, signal: i32) -> Options {
        self.and(OptionItem::SnapshotSignal(signal))
    }

    /// Sets the folder that contains the rings while the process runs.
    #[must_use]
    pub fn directory(self, path: impl Into<PathBuf>) -> Options {
        self.and(OptionItem::Directory(path.into()))
    }

    /// Whether these options request nothing, so that nothing is started.
    pub fn is_empty(&self) -> bool {
        !self.given && self.items.is_empty()
    }

    /// Whether the list of all events is requested.
    pub fn asks_for_list(&self) -> bool {
        self.items.iter().any(|item| matches!(item, OptionItem::List))
    }

    /// The requested changes to the states of events, in order.
    pub fn switches(&self) -> impl Iterator<Item = &Switch> {
        self.event_switches().map(|switch| &switch.switch)
    }

    pub(crate) fn event_switches(&self) -> impl Iterator<Item = &EventSwitch> {
        self.items.iter().filter_map(|item| match item {
            OptionItem::Switch(switch) => Some(switch),
            _ => None,
        })
    }

    /// The requested parts of records' contexts, and the patterns of their events, in order.
    pub fn contexts(&self) -> impl Iterator<Item = (ContextPart, &Pattern)> {
        let contexts = self.items.iter().filter_map(|item| match item {
            OptionItem::Context(part, patterns) => Some(patterns.iter().map(|pattern| (*part, pattern))),
            _ => None,
        });
        contexts.flatten()
    }

    /// Returns all settings except the requested [`Switch`]es.
    ///
    /// # Errors
    /// Fails if options contradict each other, for example if a file is set but no selected backend
    /// writes to a file.
    pub fn settings(&self) -> Result<Settings, OptionsError> {
        let mut settings = Settings::default();
        let mut compresses = None;
        for item in &self.items {
            match item {
                OptionItem::List | OptionItem::Switch(_) | OptionItem::Context(..) => {}
                OptionItem::File(path) => settings.file = Some(path.clone()),
                OptionItem::RotateSize(bytes) => settings.rotation.size_bytes = Some(*bytes),
                OptionItem::RotateTime(time) => settings.rotation.time = Some(*time),
                OptionItem::Keep(count) => settings.rotation.keep = Some(*count),
                OptionItem::Format(format) => settings.format = *format,
                OptionItem::Compress(is_on) => compresses = Some(*is_on),
                OptionItem::Existing(existing) => settings.existing = *existing,
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
        settings.format = match (settings.format, compresses) {
            (FileFormat::Compact, Some(true)) => FileFormat::CompactZstd,
            (FileFormat::CompactZstd, Some(false)) => FileFormat::Compact,
            (FileFormat::V4, Some(true)) => {
                return Err(OptionsError::new(String::new(), OptionsErrorKind::CompressedV4));
            }
            (format, _) => format,
        };
        // As in QEMU, `file=` names the log's file if no trace is recorded.
        if !settings.backends.contains(Backends::SIMPLE)
            && let Some(path) = &settings.file
        {
            if !settings.backends.contains(Backends::LOG) {
                let kind =
                    OptionsErrorKind::FileWithoutBackend { path: path.clone(), backends: settings.backends };
                return Err(OptionsError::new(String::new(), kind));
            }
            // If `logfile=` is set, too, `file=` still names the trace's file, because the program
            // may start the trace later.
            if settings.log_file.is_none() {
                settings.log_file = settings.file.take();
            }
        }
        match settings.contradiction() {
            Some(kind) => Err(OptionsError::new(String::new(), kind)),
            None => Ok(settings),
        }
    }
}
