//! What is asked for.

use ringtrace_events::message::visible;
use ringtrace_events::{Event, SourceFile};

use crate::Backend;

/// Files beyond which only their number is told: the group `all` of a large program has a hundred.
const MAX_NAMED: usize = 3;

/// The events of one output file.
#[derive(Debug, Clone)]
pub struct Group<'a> {
    /// The group's name.
    pub name: &'a str,
    /// The declarations files that it comes from, in the order given.
    pub sources: Vec<&'a SourceFile>,
    /// Its events, in order of declaration.
    pub events: Vec<&'a Event>,
}

impl Group<'_> {
    /// `Generated from FILE: changes belong there.`, for a comment in C's manner.
    pub(crate) fn origin(&self) -> String {
        let files = match self.sources.as_slice() {
            named if named.len() <= MAX_NAMED => {
                let names: Vec<String> = named.iter().map(|source| visible::text(source.name())).collect();
                names.join(", ").replace("*/", "* /")
            }
            many => format!("{} declarations files", many.len()),
        };
        format!("Generated from {files}: changes belong there.")
    }
}

/// What a [`Format`](crate::Format) generates from.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The events.
    pub group: Group<'a>,
    /// The backends that probes bring their events to, in the order named.
    pub backends: &'a [&'static dyn Backend],
    /// What tracers from outside know the probes of a Rust program by: the group's name, unless another one is asked for.
    ///
    /// C has `qemu` for all groups, which is part of QEMU's interface. A program with libraries that trace has groups of
    /// several authors, and those should not need to know of each other.
    pub provider: &'a str,
    /// What the output is called, as `#line` has it: relative to the current directory, with `/`.
    pub output: &'a str,
    /// SystemTap: the program that has the probes.
    pub binary: &'a str,
    /// SystemTap: what goes before the names of probes, `qemu.system.x86_64`.
    pub probe_prefix: &'a str,
    /// SystemTap: how a script writes records.
    pub stap_mode: StapMode,
}

impl<'a> Request<'a> {
    /// `group` with `backends`, and nothing said of what few formats ask for.
    pub fn new(group: Group<'a>, backends: &'a [&'static dyn Backend]) -> Request<'a> {
        Request {
            provider: group.name,
            group,
            backends,
            output: "",
            binary: "",
            probe_prefix: "",
            stap_mode: StapMode::Static,
        }
    }
}

/// How a script for SystemTap writes records of simpletrace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StapMode {
    /// Ids are positions among all events of the input, nothing says so: read with `--no-header`. 2017 to today.
    #[default]
    Static,
    /// A whole trace: a header, ids in order of first use, a mapping record before each. 2016.
    Dynamic,
    /// As static, in format v3. 2014 to 2016.
    Version3,
}
