//! Where probes bring their events, a file each.

mod dtrace;
mod ftrace;
mod log;
mod nop;
mod simple;
mod syslog;
mod ust;

use std::fmt::Debug;

/// Where events go: what probes are made of, in every language that has probes.
///
/// What a backend has nothing to say to, it leaves to the defaults.
pub trait Backend: Debug + Sync {
    /// What it is called on the command line.
    fn name(&self) -> &'static str;

    /// Where events go, in one line.
    fn about(&self) -> &'static str;
}

/// All of them, in the order in which help and `--list-backends` list them.
pub static BACKENDS: &[&dyn Backend] =
    &[&nop::Nop, &dtrace::Dtrace, &ftrace::Ftrace, &log::Log, &simple::Simple, &syslog::Syslog, &ust::Ust];

impl dyn Backend {
    /// The entry of [`BACKENDS`] called `name`.
    pub fn named(name: &str) -> Option<&'static dyn Backend> {
        BACKENDS.iter().copied().find(|backend| backend.name() == name)
    }
}
