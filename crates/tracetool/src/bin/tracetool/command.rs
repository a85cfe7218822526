//! Parsed command lines.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use ringtrace_events::parse::Dialect;
use ringtrace_tracetool::{Backend, Format, StapMode};

/// The action that a command line requests.
#[derive(Debug)]
pub enum Command {
    Help,
    Version,
    Man,
    /// `--list-backends`, with the names to print.
    ListBackends(String),
    /// `--check-backends`: whether all given backends exist.
    CheckBackends(bool),
    /// Generate one output.
    Generate(Call),
    /// Run the calls in a file.
    Batch(Batch),
}

/// A call that generates an output.
#[derive(Debug, Clone)]
pub struct Call {
    pub format: &'static Format,
    pub backends: Vec<&'static Backend>,
    pub group: String,
    /// SystemTap: the program that contains the probes.
    pub binary: String,
    /// SystemTap: the prefix of the probes' names.
    pub probe_prefix: String,
    /// SystemTap: how scripts write records.
    pub stap_mode: StapMode,
    /// The types and properties to accept in declarations.
    pub dialect: Dialect,
    /// The declarations files, in order.
    pub inputs: Vec<Input>,
    /// The destination.
    pub output: Output,
    /// The dependency file to write, if any.
    pub depfile: Option<Depfile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Input {
    Stdin,
    File(PathBuf),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    Stdout,
    File(PathBuf),
}

const STREAM: &str = "-";

impl From<OsString> for Input {
    fn from(name: OsString) -> Input {
        if name == STREAM { Input::Stdin } else { Input::File(name.into()) }
    }
}

impl From<OsString> for Output {
    fn from(name: OsString) -> Output {
        if name == STREAM { Output::Stdout } else { Output::File(name.into()) }
    }
}

/// A file of calls.
#[derive(Debug)]
pub struct Batch {
    pub calls: Input,
    /// Arguments to insert before the arguments of each call.
    pub arguments: Vec<OsString>,
    /// The dependency file to write, if any.
    pub depfile: Option<Depfile>,
}

/// A dependency file: the files that outputs depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Depfile {
    pub path: PathBuf,
    /// The file that depends on the inputs. By default, each output depends on its own inputs.
    pub target: Option<PathBuf>,
}

/// An invalid command line.
#[derive(Debug, PartialEq, Eq)]
pub struct UsageError {
    pub text: String,
    /// Whether the error is printed on standard output, as by QEMU's shell script.
    pub on_stdout: bool,
}

impl UsageError {
    /// Creates an error that is printed on standard error, as by QEMU's script since 2012.
    pub fn new(text: impl Into<String>) -> UsageError {
        UsageError { text: text.into(), on_stdout: false }
    }
}

/// The process's environment, apart from its arguments.
#[derive(Debug, Clone)]
pub struct Context {
    pub folder: PathBuf,
    /// Returns the kind of standard input. Few calls need it.
    pub stdin: fn() -> StdinKind,
    /// Whether a path is an existing file.
    pub is_file: fn(&Path) -> bool,
}

/// The kind of standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StdinKind {
    /// A file: `< trace-events`.
    File,
    Pipe,
    /// A terminal, `/dev/null`, or nothing.
    Other,
}
