//! Input of the generator.

use ringtrace_events::message::visible;
use ringtrace_events::{Event, SourceFile};

use crate::Backend;

/// If there are more source files than this, only their number is written. The group `all` of a
/// large program has about a hundred.
const MAX_NAMED: usize = 3;

/// The events of one output file.
#[derive(Debug, Clone)]
pub struct Group<'a> {
    /// The group's name.
    pub name: &'a str,
    /// The declarations files, in the order given.
    pub sources: Vec<&'a SourceFile>,
    /// The events, in order of declaration.
    pub events: Vec<&'a Event>,
}

impl Group<'_> {
    /// Returns the text of a C comment that names the source files.
    pub(crate) fn origin(&self) -> String {
        let files = match self.sources.as_slice() {
            named if named.len() <= MAX_NAMED => {
                let names: Vec<String> = named.iter().map(|source| visible::text(source.name())).collect();
                names.join(", ").replace("*/", "* /")
            }
            many => format!("{} declarations files", many.len()),
        };
        format!("Generated from {files}. Make changes there.")
    }
}

/// The input of a [`Format`](crate::Format).
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The events.
    pub group: Group<'a>,
    /// The backends, in the order given.
    pub backends: &'a [&'static Backend],
    /// The provider under which other tracers list the probes of a Rust program. The default is the
    /// group's name.
    ///
    /// In C the provider is `qemu` for all groups, as part of QEMU's interface. A Rust program may
    /// use libraries by several authors, whose groups must be independent.
    pub provider: &'a str,
    /// The name of the output file for `#line`: relative to the current directory, with `/`.
    pub output: &'a str,
    /// SystemTap: the program that contains the probes.
    pub binary: &'a str,
    /// SystemTap: the prefix of the probes' names, such as `qemu.system.x86_64`.
    pub probe_prefix: &'a str,
    /// SystemTap: how scripts write records.
    pub stap_mode: StapMode,
}

impl<'a> Request<'a> {
    /// Creates a request for `group` with `backends` and the defaults of all options.
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

/// How SystemTap scripts write simpletrace records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StapMode {
    /// Without a header. Ids are indexes among all events of the input, so readers need
    /// `--no-header`. Used since 2017.
    #[default]
    Static,
    /// A whole trace: a header, ids in order of first use, and a mapping record for each id. Used
    /// in 2016.
    Dynamic,
    /// Like `Static`, but in format v3. Used from 2014 to 2016.
    Version3,
}
