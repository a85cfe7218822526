//! What a call asks for.

use std::ffi::OsString;
use std::path::PathBuf;

use ringtrace_tracetool::{Backend, Format, StapMode};

/// What is to be done.
#[derive(Debug)]
pub enum Asked {
    /// `--help`
    Help,
    /// `--version`
    Version,
    /// `--man`
    Man,
    /// `--list-backends`: these words.
    ListBackends(String),
    /// `--check-backends`: whether all that were named exist.
    CheckBackends(bool),
    /// An output.
    Generate(Call),
    /// Many outputs: the calls in a file.
    Batch(Batch),
}

/// An output to generate.
#[derive(Debug, Clone)]
pub struct Call {
    /// What kind of output.
    pub format: &'static Format,
    /// Where events go.
    pub backends: Vec<&'static Backend>,
    /// The group's name.
    pub group: String,
    /// SystemTap: the program that has the probes.
    pub binary: String,
    /// SystemTap: what the names of probes begin with.
    pub probe_prefix: String,
    /// SystemTap: how a script writes records.
    pub stap_mode: StapMode,
    /// Accept what declarations had in them before 2018.
    pub legacy_types: bool,
    /// The declarations, in order.
    pub inputs: Vec<Input>,
    /// Where what is generated goes.
    pub output: Output,
    /// Who wants to know which files the output depends on.
    pub depfile: Option<Depfile>,
}

/// Where declarations come from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// Where an output goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// Standard output.
    Stdout,
    /// A file.
    File(PathBuf),
}

/// What stands for standard input or output where a file could stand.
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

/// Many calls.
#[derive(Debug)]
pub struct Batch {
    /// Where they are.
    pub calls: Input,
    /// The arguments that go before each.
    pub arguments: Vec<OsString>,
    /// Who wants to know which files the outputs depend on.
    pub depfile: Option<Depfile>,
}

/// A file that tells on which files outputs depend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Depfile {
    /// Where it is written.
    pub path: PathBuf,
    /// What is said to depend on them, if that is not the outputs.
    pub target: Option<PathBuf>,
}

/// Why a call asks for nothing that can be done.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub text: String,
    /// The shell script said such things on standard output.
    pub on_stdout: bool,
}

impl Refusal {
    /// As QEMU's script refuses since 2012.
    pub fn new(text: impl Into<String>) -> Refusal {
        Refusal { text: text.into(), on_stdout: false }
    }
}
