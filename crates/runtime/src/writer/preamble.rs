//! The preamble of a trace: its header, metadata and declarations.

use std::collections::HashSet;

pub(crate) use ringtrace_wire::assembly::ENCODER;
use ringtrace_wire::ring::ORDER;
use ringtrace_wire::simpletrace::ArgumentKind;
use ringtrace_wire::simpletrace::metadata::{self, Anchor, Metadata};

use crate::event::{self, Argument, Event, registry};
use crate::options::{Policy, Settings};
use crate::os::{identity, modules};
use crate::ring::declarations;

/// The preamble, and the declarations written since.
#[derive(Debug)]
pub(crate) struct Preamble {
    bytes: Vec<u8>,
    number: u32,
    declared: HashSet<u32>,
    /// The arguments of events by id, as far as they are known.
    arguments: Vec<Option<Box<[ArgumentKind]>>>,
    /// The dynamic linker's counters when the modules were declared.
    modules: Option<modules::Changes>,
}

impl Preamble {
    pub(crate) fn new(settings: &Settings) -> Preamble {
        let mut preamble = Preamble {
            bytes: Vec::new(),
            number: 0,
            declared: HashSet::new(),
            arguments: Vec::new(),
            modules: None,
        };
        let monotonic_ns = crate::clock::monotonic_ns();
        ENCODER.header(0, 0, &mut preamble.bytes);
        let mut push = |metadata: Metadata| {
            metadata.encode(preamble.number, ORDER, &mut preamble.bytes);
            preamble.number += 1;
        };
        let other = |key: &str, value: &[u8]| Metadata::Other(key.to_owned(), value.to_vec());
        push(Metadata::Version(1));
        if let Ok(now) = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH) {
            push(Metadata::Anchor(Anchor { monotonic_ns, realtime_ns: now.as_nanos() as i128 }));
        }
        push(other(metadata::HOST, rustix::system::uname().nodename().to_bytes()));
        // A reader uses the ids to find the traces that have the same clock, and the files of the
        // same trace.
        for (key, id) in [(metadata::BOOT, identity::boot()), (metadata::MACHINE, identity::machine())] {
            id.iter().for_each(|id| push(other(key, id.as_bytes())));
        }
        push(other(metadata::TRACE, identity::trace().as_bytes()));
        if let Some(executable) = modules::executable() {
            push(other(metadata::EXECUTABLE, &executable.path));
            if !executable.build_id.is_empty() {
                push(other(metadata::BUILD_ID, executable.build_id_text().as_bytes()));
            }
        }
        if let Ok(mut command) = std::fs::read("/proc/self/cmdline") {
            command.truncate(command.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1));
            push(other(metadata::COMMAND, &command));
        }
        let policy = match settings.policy {
            Policy::Discard => "discard".to_owned(),
            Policy::Overwrite => "overwrite".to_owned(),
            Policy::Block { timeout: None } => "block".to_owned(),
            Policy::Block { timeout: Some(timeout) } => format!("block:{}ms", timeout.as_millis()),
        };
        push(other(metadata::POLICY, policy.as_bytes()));
        push(other(metadata::CLOCK, crate::clock::description().as_bytes()));
        preamble.declare();
        if registry::records_stacks() {
            preamble.declare_modules();
        }
        preamble
    }

    /// Appends declarations of newly registered events, and returns their bytes.
    pub(crate) fn declare(&mut self) -> &[u8] {
        let before = self.bytes.len();
        let (bytes, declared, arguments) = (&mut self.bytes, &mut self.declared, &mut self.arguments);
        let declare = |event: &Event, remark: Option<&str>| {
            if declared.insert(event.id()) {
                let at = event.id() as usize;
                if arguments.len() <= at {
                    arguments.resize(at + 1, None);
                }
                arguments[at] = Some(event.declaration().arguments.iter().map(kind).collect());
                declarations::encode(event.id(), event.name(), event.declaration().text, remark, bytes);
            }
        };
        registry::each_declared(declare, || {});
        // Include retired events: a library may have been unloaded before its records were read.
        registry::each_retired(|event| {
            if declared.insert(event.id) {
                declarations::encode(event.id, &event.name, &event.text, None, bytes);
            }
        });
        &self.bytes[before..]
    }

    /// Appends the executable segments in the process if they have changed, and returns their bytes.
    pub(crate) fn declare_modules(&mut self) -> &[u8] {
        let before = self.bytes.len();
        if let Some((modules, changes)) = modules::list(self.modules) {
            self.modules = Some(changes);
            for module in modules {
                let number = self.next_number();
                Metadata::Module(module).encode(number, ORDER, &mut self.bytes);
            }
        }
        &self.bytes[before..]
    }

    /// Returns the arguments of an event. Returns `None` for events of libraries that were unloaded
    /// before they were declared.
    pub(super) fn arguments(&self, event: u32) -> Option<&[ArgumentKind]> {
        self.arguments.get(event as usize)?.as_deref()
    }

    /// The ids of the declared events.
    pub(crate) fn declared(&self) -> impl Iterator<Item = u32> {
        self.declared.iter().copied()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn next_number(&mut self) -> u32 {
        self.number = self.number.wrapping_add(1);
        self.number - 1
    }

    /// Skips the metadata numbers below `next`, which an assembly has used.
    pub(crate) fn skip_numbers(&mut self, next: u32) {
        self.number = self.number.max(next);
    }
}

fn kind(argument: &Argument) -> ArgumentKind {
    match argument.kind {
        event::ArgumentKind::Integer | event::ArgumentKind::Pointer => {
            ArgumentKind::Integer { signed: false }
        }
        event::ArgumentKind::Str => ArgumentKind::Str,
    }
}
