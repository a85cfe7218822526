//! What is asked for.

use crate::{Backend, Group};

/// What a [`Format`](crate::Format) generates from.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The events.
    pub group: Group<'a>,
    /// The backends that probes bring their events to, in the order named.
    pub backends: &'a [&'static Backend],
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
    pub fn new(group: Group<'a>, backends: &'a [&'static Backend]) -> Request<'a> {
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
