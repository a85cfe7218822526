//! Settings of a session.

use std::path::PathBuf;
use std::time::Duration;

use ringtrace_wire::compact::CAN_COMPRESS;

use super::{Backends, OptionsErrorKind};

/// The settings of a session.
///
/// Usually created by [`Options`](crate::Options), which parse users' option strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The trace file. `None`: `trace-PID` in the current folder. A forked child writes to
    /// `FILE.PID`, or to `trace-PID` in the folder of its parent's trace.
    pub file: Option<PathBuf>,
    /// The folder that must contain the trace file. The path below the folder must not contain
    /// symbolic links. Set for names from an untrusted source. `None`: no restriction.
    pub file_within: Option<PathBuf>,
    /// When the trace continues in another file. With rotation, `file` is a folder.
    pub rotation: Rotation,
    /// The format of the trace file.
    pub format: FileFormat,
    /// What to do if the file exists.
    pub existing: ExistingFile,
    /// A file to which the name of each new trace is appended, for the program's caller: see
    /// [`announcement`](crate::announcement).
    pub announce: Option<PathBuf>,
    /// The file of the log backend. One `%d` in the name is replaced by the process id. `None`:
    /// standard error.
    pub log_file: Option<PathBuf>,
    /// Like [`Settings::file_within`], for the log file.
    pub log_file_within: Option<PathBuf>,
    /// The prefix of the log backend's lines.
    pub log_line: LogLine,
    /// The log daemon's socket. `None`: `/dev/log`.
    pub syslog_socket: Option<PathBuf>,
    /// The path of the kernel's `trace_marker`, for example in a tracing instance. `None`: the one
    /// at the usual mount point of tracefs.
    pub ftrace_marker: Option<PathBuf>,
    /// The backends that receive events.
    pub backends: Backends,
    /// The behaviour when a ring is full.
    pub policy: Policy,
    /// The size of each thread's ring: a power of two within [`Settings::BUFFER_BYTES`].
    pub buffer_bytes: usize,
    /// The number of rings created at the start, within [`Settings::THREADS`]. More are created
    /// when needed.
    pub threads: usize,
    /// The source of timestamps.
    pub clock: Clock,
    /// The signal that writes a snapshot to a file next to the trace. `None`: no signal.
    pub snapshot_signal: Option<i32>,
    /// The folder that contains the rings while the process runs. `None`: `RINGTRACE_DIR`, else the
    /// user's folder on tmpfs.
    pub directory: Option<PathBuf>,
}

impl Settings {
    /// The minimum and maximum size of a ring.
    ///
    /// With the minimum size, each page of a flight recorder's ring can hold the longest record.
    /// With the maximum size, an offset in the ring fits in 32 bits, and so does a marker value
    /// that exceeds all offsets.
    pub const BUFFER_BYTES: std::ops::RangeInclusive<usize> = 1 << 17..=1 << 29;
    /// The minimum and maximum number of rings created at the start.
    pub const THREADS: std::ops::RangeInclusive<usize> = 1..=4096;
}

impl Settings {
    /// Returns the reason why these settings contradict each other, if they do.
    pub(crate) fn contradiction(&self) -> Option<OptionsErrorKind> {
        let Rotation { keep, .. } = self.rotation;
        if !self.rotation.is_on() {
            return keep.map(|count| OptionsErrorKind::KeepWithoutRotation { count });
        }
        (self.policy == Policy::Overwrite).then_some(OptionsErrorKind::RotatedFlightRecorder)
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            file: None,
            file_within: None,
            rotation: Rotation::default(),
            format: FileFormat::V4,
            existing: ExistingFile::Replace,
            announce: None,
            log_file: None,
            log_file_within: None,
            log_line: LogLine::Plain,
            syslog_socket: None,
            ftrace_marker: None,
            backends: Backends::SIMPLE,
            policy: Policy::Discard,
            buffer_bytes: 1 << 20,
            // With the default ring size, these take half of the 64 MiB that container engines give
            // to /dev/shm.
            threads: 32,
            clock: Clock::Exact,
            snapshot_signal: None,
            directory: None,
        }
    }
}

/// What to do if the trace file exists. A file to which another process is writing its trace is always
/// kept, as with [`Keep`](ExistingFile::Keep). With rotation, only `Keep` differs from the default: it
/// selects the folder `FOLDER.PID` if another process is writing to the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExistingFile {
    /// Empty it.
    #[default]
    Replace,
    /// Write to `FILE.PID` instead.
    Keep,
    /// Rename it to `FILE.old`, which replaces an earlier `FILE.old`. An empty file is used as it is.
    Rename,
}

/// When a trace continues in another file, and how many files are kept. By default, a trace has a
/// single file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rotation {
    /// The size of a file in bytes. A file ends before it exceeds this size.
    pub size_bytes: Option<u64>,
    /// The time from the start of a file to its end.
    pub time: Option<Duration>,
    /// The number of files in the folder, including the current one. Older files are removed.
    /// `None`: no file is removed.
    pub keep: Option<usize>,
}

impl Rotation {
    /// Returns whether the trace has several files, in a folder.
    pub fn is_on(&self) -> bool {
        self.size_bytes.is_some() || self.time.is_some()
    }
}

/// The format of a trace file. `docs/formats` describes both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FileFormat {
    /// Version 4 of simpletrace, which QEMU's tools can read.
    #[default]
    V4,
    /// The compact format: the same records in about a quarter of the space. Only little-endian
    /// machines can record it.
    Compact,
    /// The compact format with compression by zstd. Only programs that are built with the feature
    /// `zstd` can record it.
    CompactZstd,
}

impl FileFormat {
    /// All formats.
    pub const ALL: [FileFormat; 3] = [FileFormat::V4, FileFormat::Compact, FileFormat::CompactZstd];

    /// Returns the format's name in options, without its compression.
    pub fn name(self) -> &'static str {
        match self {
            FileFormat::V4 => "v4",
            FileFormat::Compact | FileFormat::CompactZstd => "compact",
        }
    }

    /// Returns the name of the compression in options, or `None` if there is none.
    pub fn compression(self) -> Option<&'static str> {
        match self {
            FileFormat::V4 | FileFormat::Compact => None,
            FileFormat::CompactZstd => Some("zstd"),
        }
    }

    /// Returns whether this program can record traces in this format on this machine.
    pub(crate) fn is_supported(self) -> bool {
        match self {
            FileFormat::V4 => true,
            FileFormat::Compact => cfg!(target_endian = "little"),
            FileFormat::CompactZstd => cfg!(target_endian = "little") && CAN_COMPRESS,
        }
    }
}

/// The start of a line of the log backend, before the event's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum LogLine {
    /// Nothing.
    #[default]
    Plain,
    /// The time: `2026-11-20T12:54:11.722755Z `, in UTC.
    Time,
    /// Thread and time: `TID@SECONDS.MICROSECONDS:`.
    Thread,
}

/// A part of a record's context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextPart {
    /// The call stack of the thread.
    Stack,
    /// The number of the CPU.
    Cpu,
}

impl ContextPart {
    /// The name of the part, which is also the key in options.
    pub fn name(self) -> &'static str {
        match self {
            ContextPart::Stack => "stack",
            ContextPart::Cpu => "cpu",
        }
    }
}

/// The behaviour when a ring is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// The new record is dropped and counted.
    #[default]
    Discard,
    /// The thread waits until there is space.
    Block {
        /// The maximum wait, after which the record is dropped and counted. `None`: no limit.
        timeout: Option<Duration>,
    },
    /// The oldest records are overwritten and counted: a flight recorder.
    Overwrite,
}

/// The source of timestamps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// The processor's counter, calibrated, or the kernel's clock if the counter is unreliable.
    #[default]
    Exact,
    /// A clock that costs almost nothing, but lags by up to a few milliseconds.
    Coarse,
    /// The kernel's clock, read for each record.
    Gettime,
}
