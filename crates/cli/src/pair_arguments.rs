//! Options that describe which events begin and end a span.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use ringtrace_events::message::{self, MessageFormat, visible};
use ringtrace_tracefile::pair::{BUILT_IN, Description, PairDescription, PairSpec, SpanTracker, parse};
use ringtrace_tracefile::{Reader, Schemas, Traces};

use crate::exit::{CliError, Exit};
use crate::quantity::counted;
use crate::reading::{check_not_read, read_declarations};

/// The word that, instead of a file name, disables matching.
const NONE: &str = "none";

const SHOWN_ERRORS: usize = 20;

/// Options that select pairs of events.
#[derive(Args, Debug, Clone, Default)]
pub struct PairArguments {
    /// Match event BEGIN with the event END that has the same KEY: an argument, `pid` or `tid`; ARG=ARG if the argument has
    /// two names, KEY,KEY for several keys; for several pairs, repeat the option
    #[arg(long, value_name = "BEGIN:END[:KEY]", value_parser = parse_pair, help_heading = "Pairs")]
    pub pair: Vec<PairSpec>,

    /// Read pairs and counters from FILE. `qemu` means the built-in ones for QEMU's block layer, virtio and
    /// migration, and `none` means no pairs. For several files, repeat the option
    #[arg(long, value_name = "FILE", help_heading = "Pairs")]
    pub pairs: Vec<String>,
}

fn parse_pair(text: &str) -> Result<PairSpec, String> {
    PairSpec::parse(text).map_err(|error| visible::text(&format!("{error}; {}", error.help)))
}

impl PairArguments {
    /// Returns whether the command line requests any pairs.
    pub fn is_given(&self) -> bool {
        !self.pair.is_empty() || self.pairs.iter().any(|name| name != NONE)
    }

    /// Checks that `out` is not one of the description files, because it would be overwritten.
    pub fn check_output(&self, out: &Path) -> Result<(), CliError> {
        let files = self
            .pairs
            .iter()
            .filter(|name| *name != NONE && BUILT_IN.iter().all(|ready| ready.name != *name));
        check_not_read(out, files.map(Path::new))
    }

    /// Returns the pair description that the command line selects, or `None` if there are no pair
    /// options (`--pairs none` is one). Built-in descriptions are reduced to the events that
    /// `traces` declare.
    pub fn description(&self, traces: &[&Schemas]) -> Result<Option<Description>, CliError> {
        if self.pair.is_empty() && self.pairs.is_empty() {
            return Ok(None);
        }
        let pairs = self.pair.iter().map(PairDescription::from).collect();
        let mut description = Description { pairs, ..Description::default() };
        for name in self.pairs.iter().filter(|name| *name != NONE) {
            let more = match BUILT_IN.iter().find(|ready| ready.name == name) {
                Some(ready) => ready.description().known_to(traces),
                None => read(Path::new(name))?,
            };
            if let Some(twice) = more.names().find(|name| description.names().any(|other| other == *name)) {
                return Err(CliError::usage(format!("--pairs {name}: `{twice}` is described twice"))
                    .help("rename it in one of the files"));
            }
            description.append(more);
        }
        if self.pair.is_empty() && description.is_empty() && self.is_given() {
            let refused = CliError::usage(format!(
                "--pairs {}: none of its pairs match the declared events",
                self.pairs.join(", ")
            ));
            let declares_any = traces.iter().any(|schemas| schemas.all().next().is_some());
            return Err(refused.help(match declares_any {
                true => "the trace or the declarations may be from another program: `ringtrace info` lists the events",
                false => "specify the declarations of the program with --events",
            }));
        }
        Ok(Some(description))
    }

    /// Returns the selected pair description. If none is selected, returns the pairs that are known
    /// without a description: by the names of their events, or because they are built in.
    pub fn description_or_ready(&self, traces: &[&Schemas]) -> Result<Description, CliError> {
        Ok(self.description(traces)?.unwrap_or_else(|| ready(traces)))
    }

    /// Creates the span tracker for the description from [`PairArguments::description_or_ready`].
    pub fn span_tracker(&self, traces: &Traces) -> Result<SpanTracker, CliError> {
        let declared = declared(traces);
        let schemas: Vec<&Schemas> = declared.iter().collect();
        let mut tracker = SpanTracker::new(self.description_or_ready(&schemas)?);
        tracker.bind(&schemas).map_err(CliError::from)?;
        // Without any declarations yet, do not check: a self-describing trace may declare its
        // events at any later point.
        if known(traces).iter().any(|schemas| schemas.declared().next().is_some()) {
            tracker.check_known(&schemas).map_err(CliError::from)?;
        }
        Ok(tracker)
    }
}

/// Checks that `traces` declare all events of the requested pairs. The traces must have been read
/// completely.
pub fn check_known(tracker: &SpanTracker, traces: &Traces) -> Result<(), CliError> {
    tracker.check_known(&known(traces)).map_err(CliError::from)
}

/// Returns the events that each trace has declared so far.
pub fn known(traces: &Traces) -> Vec<&Schemas> {
    traces.readers().into_iter().map(Reader::schemas).map(AsRef::as_ref).collect()
}

/// Returns the pairs that events form by their names, and all built-in descriptions, reduced to the
/// events that `traces` declare.
fn ready(traces: &[&Schemas]) -> Description {
    let mut description = Description::by_names(traces);
    for ready in BUILT_IN {
        description.append(ready.description().known_to(traces));
    }
    description
}

/// Returns the declarations of each of `traces`. A self-describing trace is read to its end, because
/// programs can declare events at any time. A pipe is read up to its first event.
pub fn declared(traces: &Traces) -> Vec<Schemas> {
    let declared = |reader: &Reader| {
        let knows_any = reader.schemas().all().next().is_some();
        let found = if knows_any { None } else { reader.all_declared() };
        Schemas::clone(&found.unwrap_or_else(|| Arc::clone(reader.schemas())))
    };
    traces.readers().into_iter().map(declared).collect()
}

fn read(path: &Path) -> Result<Description, CliError> {
    let source = read_declarations(path)?;
    let (description, diagnostics) = parse(&source);
    if diagnostics.is_empty() && description.is_empty() {
        return Err(CliError::input(format!("--pairs {}: the file describes no pairs or counters", path.display()))
                .help("describe a pair with lines `pair NAME`, `begin EVENT KEY` and `end EVENT KEY`; to match no events, use `--pairs none`"));
    }
    if diagnostics.is_empty() {
        return Ok(description);
    }
    let shown = &diagnostics[..diagnostics.len().min(SHOWN_ERRORS)];
    let text = message::render(shown, &[source], MessageFormat::Human { colour: false });
    let errors = counted(diagnostics.len() as u64, "error", "errors");
    let more = match diagnostics.len() - shown.len() {
        0 => String::new(),
        more => format!("\n\n{} not shown.", counted(more as u64, "more is", "more are")),
    };
    Err(CliError::lines(
        Exit::Input,
        format!("--pairs {}: {errors}\n\n{}{more}", path.display(), text.trim_end()),
    ))
}
