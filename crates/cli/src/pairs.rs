//! Which events belong together, as the command line says it.

use std::path::Path;

use clap::Args;
use ringtrace_events::message::{self, MessageFormat};
use ringtrace_tracefile::Cursor;
use ringtrace_tracefile::pair::{BUILT_IN, Description, PairDescription, PairSpec, SpanTracker, parse};
use ringtrace_tracefile::{EntrySource, Reader, Schemas, Traces};

use crate::declarations;
use crate::exit::CliError;
use crate::quantity::counted;
use crate::reading::check_not_read;

/// What is said instead of a file to have nothing matched that was not asked for.
const NONE: &str = "none";

/// How many mistakes of a file are shown.
const SHOWN_MISTAKES: usize = 20;

/// The options that say which events belong together.
#[derive(Args, Debug, Clone, Default)]
pub struct PairArguments {
    /// Match event BEGIN with the event END that has the same KEY: an argument, `pid` or `tid`; ARG=ARG if the argument has
    /// two names, KEY,KEY for several keys; repeat for more pairs
    #[arg(long, value_name = "BEGIN:END[:KEY]", value_parser = parse_pair, help_heading = "Pairs")]
    pub pair: Vec<PairSpec>,

    /// Read pairs and counters from FILE; `qemu` for those of QEMU's block layer, virtio and migration, `none` for
    /// none at all; repeat for more
    #[arg(long, value_name = "FILE", help_heading = "Pairs")]
    pub pairs: Vec<String>,
}

fn parse_pair(text: &str) -> Result<PairSpec, String> {
    PairSpec::parse(text).map_err(|error| format!("{error}; {}", error.help))
}

impl PairArguments {
    /// Whether pairs are asked for.
    pub fn is_given(&self) -> bool {
        !self.pair.is_empty() || self.pairs.iter().any(|name| name != NONE)
    }

    /// That `out` is none of the files with descriptions: it would be replaced by what it describes.
    pub fn check_output(&self, out: &Path) -> Result<(), CliError> {
        let files = self
            .pairs
            .iter()
            .filter(|name| *name != NONE && BUILT_IN.iter().all(|ready| ready.name != *name));
        check_not_read(out, files.map(Path::new))
    }

    /// What is asked for; `None` when nothing is, not even to have none. Of a ready description there is what concerns
    /// `traces`.
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
                    .help("give it another name in one of the files"));
            }
            description.append(more);
        }
        if self.pair.is_empty() && description.is_empty() && self.is_given() {
            let refused = CliError::usage(format!(
                "--pairs {}: no pair of it has its events among those that are declared",
                self.pairs.join(", ")
            ));
            let declares_any = traces.iter().any(|schemas| schemas.all().next().is_some());
            return Err(refused.help(match declares_any {
                true => "the trace is of another program, or the declarations are: `ringtrace info` lists what it has",
                false => "give the declarations of the program with --events",
            }));
        }
        Ok(Some(description))
    }

    /// What is asked for, or where nothing is, ready descriptions, as far as `traces` know their events.
    pub fn description_or_ready(&self, traces: &[&Schemas]) -> Result<Description, CliError> {
        Ok(self.description(traces)?.unwrap_or_else(|| ready(traces)))
    }

    /// What records of `traces` mean, by [`PairArguments::description_or_ready`].
    pub fn meanings(&self, traces: &Traces) -> Result<SpanTracker, CliError> {
        let declared = declared(traces);
        let schemas: Vec<&Schemas> = declared.iter().collect();
        let mut meanings = SpanTracker::new(self.description_or_ready(&schemas)?);
        meanings.bind(&schemas).map_err(CliError::from)?;
        // Traces that describe themselves may still do so anywhere.
        if known(traces).iter().any(|schemas| schemas.declared().next().is_some()) {
            meanings.check_known(&schemas).map_err(CliError::from)?;
        }
        Ok(meanings)
    }
}

/// That `traces`, which were read to their end, know all events that were asked for.
pub fn check_known(meanings: &SpanTracker, traces: &Traces) -> Result<(), CliError> {
    meanings.check_known(&known(traces)).map_err(CliError::from)
}

/// What is declared by now, trace by trace.
fn known(traces: &Traces) -> Vec<&Schemas> {
    traces.readers().into_iter().map(Reader::schemas).map(AsRef::as_ref).collect()
}

/// All ready descriptions, as far as `traces` know their events.
fn ready(traces: &[&Schemas]) -> Description {
    let mut description = Description::default();
    for ready in BUILT_IN {
        description.append(ready.description().known_to(traces));
    }
    description
}

/// What each of `traces` declares. One that describes itself says so at its begin: that much of a file is looked at.
pub fn declared(traces: &Traces) -> Vec<Schemas> {
    let declared = |reader: &Reader| {
        let knows_any = reader.schemas().all().next().is_some();
        match reader.again().filter(|_| !knows_any) {
            Some(again) => {
                let mut cursor = Cursor::new(again);
                // What cannot be read is found again, and told, by who reads it all.
                let _ = cursor.peek_ns();
                Schemas::clone(cursor.reader().schemas())
            }
            None => Schemas::clone(reader.schemas()),
        }
    };
    traces.readers().into_iter().map(declared).collect()
}

/// The description in the file at `path`.
fn read(path: &Path) -> Result<Description, CliError> {
    let source = declarations::read(path)?;
    let (description, diagnostics) = parse(&source);
    if diagnostics.is_empty() && description.is_empty() {
        return Err(CliError::input(format!("--pairs {}: no pair and no counter is described there", path.display()))
                .help("the file says so in lines `pair NAME`, `begin EVENT KEY` and `end EVENT KEY`; to match nothing, give `--pairs none`"));
    }
    if diagnostics.is_empty() {
        return Ok(description);
    }
    let shown = &diagnostics[..diagnostics.len().min(SHOWN_MISTAKES)];
    let text = message::render(shown, &[source], MessageFormat::Human { colour: false });
    let mistakes = counted(diagnostics.len() as u64, "mistake", "mistakes");
    let more = match diagnostics.len() - shown.len() {
        0 => String::new(),
        more => format!("\n\n{} not shown.", counted(more as u64, "more is", "more are")),
    };
    Err(CliError::input(format!("--pairs {}: {mistakes}\n\n{}{more}", path.display(), text.trim_end())))
}
