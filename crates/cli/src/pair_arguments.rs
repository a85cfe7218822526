//! Options that describe which events begin and end a span.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use ringtrace_events::message::{self, MessageFormat, visible};
use ringtrace_tracefile::pair::{
    BUILT_IN, Description, EventKeys, Pair, PairDescription, PairError, PairSpec, SpanTracker, parse,
};
use ringtrace_tracefile::{Reader, Schemas, Traces};

use crate::exit::{CliError, Exit, did_you_mean};
use crate::quantity::counted;
use crate::reading::{check_not_read, read_declarations};
use crate::terminal::Terminal;

/// The word that disables matching if it is given in place of a file name.
pub const NONE: &str = "none";

const SHOWN_ERRORS: usize = 20;

/// Options that select pairs of events.
#[derive(Args, Debug, Clone, Default)]
pub struct PairArguments {
    /// Match event BEGIN with the event END that has the same KEY: an argument, `pid` or `tid`; ARG=ARG if the argument has
    /// two names, KEY,KEY for several keys; for several pairs, repeat the option
    #[arg(long, value_name = "BEGIN:END[:KEY]", value_parser = parse_pair, help_heading = "Pairs")]
    pub pair: Vec<PairSpec>,

    /// Read pairs and counters from FILE. `qemu` means the built-in ones for QEMU's block layer, virtio and
    /// migration, NAME means ~/.config/ringtrace/pairs/NAME.pairs, and `none` means no pairs. For several files, repeat the
    /// option
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
    /// options. `--pairs none` selects an empty description. Built-in descriptions are reduced to
    /// the events that `traces` declare.
    pub fn description(&self, traces: &[&Schemas]) -> Result<Option<Description>, CliError> {
        if self.pair.is_empty() && self.pairs.is_empty() {
            return Ok(None);
        }
        let pairs = self.pair.iter().map(PairDescription::from).collect();
        let mut description = Description { pairs, ..Description::default() };
        for name in self.pairs.iter().filter(|name| *name != NONE) {
            let built_in = BUILT_IN.iter().find(|ready| ready.name == name);
            let more = match (built_in, user_file(name)) {
                (Some(ready), _) => ready.description().known_to(traces),
                (None, Some(path)) => {
                    let description = read_ready(&path)?;
                    description.check_partly_known(traces).map_err(CliError::from)?;
                    description.known_to(traces)
                }
                (None, None) if Path::new(name).exists() => read(Path::new(name))?,
                (None, None) => return Err(unknown_name(name)),
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

    /// Returns the declarations of each of `traces` that must be known before its events. For a single trace,
    /// these are the ones before the first event, if they include all events of `--pair`, and there is no other
    /// description.
    pub fn declared(&self, traces: &Traces) -> Vec<Schemas> {
        if traces.readers().len() == 1 && !self.pair.is_empty() && self.pairs.iter().all(|name| name == NONE)
        {
            let first = first_declared(traces);
            let is_known = |event: &EventKeys| {
                first.iter().any(|schemas| {
                    schemas.find(&event.event).is_some_and(|index| !schemas.get(index).is_opaque)
                })
            };
            if self.pair.iter().map(PairDescription::from).all(|pair| pair.events().all(is_known)) {
                return first;
            }
        }
        declared(traces)
    }

    /// Returns the selected pair description. If none is selected, returns all pairs that need no
    /// option: those described in the user's folder, recognized by the names of their events, or
    /// built in. Warns on `terminal` about pairs in the folder with wrong names.
    fn description_or_ready(
        &self,
        traces: &[&Schemas],
        terminal: Option<&Terminal>,
    ) -> Result<Description, CliError> {
        if let Some(description) = self.description(traces)? {
            return Ok(description);
        }
        let (description, warnings) = ready(traces)?;
        print_warnings(&warnings, terminal);
        Ok(description)
    }

    /// Returns the selected pair description for `readers`, which are several traces, as
    /// [`PairArguments::description`] does. At least one of them must declare each event.
    pub fn description_of_any(&self, readers: &[Reader]) -> Result<Option<Description>, CliError> {
        let declared: Vec<Schemas> = readers.iter().map(declared_by).collect();
        let schemas: Vec<&Schemas> = declared.iter().collect();
        let Some(description) = self.description(&schemas)? else { return Ok(None) };
        let mut tracker = SpanTracker::new(description.clone());
        tracker.bind(&schemas).map_err(CliError::from)?;
        if tracker.check_known(&schemas).is_err()
            // Look for later declarations, unless a trace is a stream.
            && let Some(all) = readers.iter().map(Reader::all_declared).collect::<Option<Vec<_>>>()
        {
            let all: Vec<&Schemas> = all.iter().map(AsRef::as_ref).chain(schemas).collect();
            tracker.check_known(&all).map_err(CliError::from)?;
        }
        Ok(Some(description))
    }

    /// Creates a span tracker for one of several traces. `requested` is the result of
    /// [`PairArguments::description_of_any`]. `traces` may lack events.
    pub fn span_tracker_of_one(
        &self,
        requested: Option<&Description>,
        traces: &Traces,
        terminal: &Terminal,
    ) -> Result<SpanTracker, CliError> {
        let declared = declared(traces);
        let schemas: Vec<&Schemas> = declared.iter().collect();
        let description = match requested {
            Some(description) => description.clone(),
            None => {
                let (description, warnings) = ready(&schemas)?;
                print_warnings(&warnings, Some(terminal));
                description
            }
        };
        let mut tracker = SpanTracker::new(description);
        tracker.bind(&schemas).map_err(CliError::from)?;
        Ok(tracker)
    }

    /// Creates the span tracker for the description from [`PairArguments::description_or_ready`].
    pub fn span_tracker(
        &self,
        traces: &Traces,
        terminal: Option<&Terminal>,
    ) -> Result<SpanTracker, CliError> {
        let declared = self.declared(traces);
        let schemas: Vec<&Schemas> = declared.iter().collect();
        let mut tracker = SpanTracker::new(self.description_or_ready(&schemas, terminal)?);
        tracker.bind(&schemas).map_err(CliError::from)?;
        // If nothing has been declared yet, do not check: a self-describing trace may declare its
        // events later.
        if known(traces).iter().any(|schemas| schemas.declared().next().is_some()) {
            tracker.check_known(&schemas).map_err(CliError::from)?;
        }
        Ok(tracker)
    }

    /// Creates the span tracker like [`PairArguments::span_tracker`]. But unless `reads_ahead` is set, and if no
    /// pairs are requested, the declarations before the first event suffice for a single trace. The caller must be able
    /// to read it again. In this case, also returns the description: when the trace has been read to its end, [`are_all`]
    /// tells whether it contains all pairs. An error of the tracker may then be due to later declarations.
    pub fn first_span_tracker(
        &self,
        traces: &Traces,
        terminal: Option<&Terminal>,
        reads_ahead: bool,
    ) -> Result<(SpanTracker, Option<Description>), CliError> {
        if !reads_ahead
            && traces.readers().len() == 1
            && self.pair.is_empty()
            && self.pairs.is_empty()
            && let Ok((tracker, description)) = tracker_of_first(traces)
        {
            return Ok((tracker, Some(description)));
        }
        Ok((self.span_tracker(traces, terminal)?, None))
    }
}

fn tracker_of_first(traces: &Traces) -> Result<(SpanTracker, Description), CliError> {
    let declared = first_declared(traces);
    let schemas: Vec<&Schemas> = declared.iter().collect();
    let (description, _) = ready(&schemas)?;
    let mut tracker = SpanTracker::new(description.clone());
    tracker.bind(&schemas).map_err(CliError::from)?;
    Ok((tracker, description))
}

/// Returns whether the description from [`PairArguments::first_span_tracker`] contains all pairs of `traces`,
/// which have been read to their ends. If so, warns about pairs in the user's folder with wrong names.
pub fn are_all(
    description: &Description,
    traces: &Traces,
    terminal: Option<&Terminal>,
) -> Result<bool, CliError> {
    let (all, warnings) = ready(&known(traces))?;
    let are_all = all == *description;
    if are_all {
        print_warnings(&warnings, terminal);
    }
    Ok(are_all)
}

/// Checks that `traces` declare all events of the requested pairs. The traces must have been read
/// completely.
pub fn check_known(tracker: &SpanTracker, traces: &Traces) -> Result<(), CliError> {
    tracker.check_known(&known(traces)).map_err(CliError::from)
}

/// Advises to match pairs across traces, if some begin in one trace and end in another, and the traces
/// do not state whether one process wrote them.
pub fn note_unjoined<T>(pairs: &[Pair<T>], traces: &Traces, terminal: &Terminal) {
    if traces.aligned().origins.iter().filter(|origin| origin.id.is_none()).count() < 2 {
        return;
    }
    let unjoined = pairs.iter().filter(|pair| pair.has_ends_in_other_traces());
    let names: Vec<String> =
        unjoined.map(|pair| format!("`{}`", visible::text(&pair.description().name))).collect();
    if !names.is_empty() {
        terminal.note(&format!(
            "{}: begin events in one trace have the keys of end events in another; if one process wrote these traces, \
             --join-traces matches them",
            names.join(", ")
        ));
    }
}

/// Returns the events that each trace has declared so far.
pub fn known(traces: &Traces) -> Vec<&Schemas> {
    traces.readers().into_iter().map(Reader::schemas).map(AsRef::as_ref).collect()
}

/// Returns all pairs and counters that need no option, reduced to the events that `traces` declare:
/// first those described by the user, then pairs recognized by the names of their events, then
/// built-in ones. If several have the same name, the first one is used. Also returns warnings about pairs
/// in the user's folder with wrong names.
fn ready(traces: &[&Schemas]) -> Result<(Description, Vec<PairError>), CliError> {
    let (mut description, mut warnings) = (Description::default(), Vec::new());
    for (_, path) in user_files() {
        let ignore = "`--pairs none` ignores the folder";
        let more = read_ready(&path).map_err(|error| error.help(ignore))?;
        // Warn only if a similar name exists: by chance, an event of another program can have the
        // name of one event of the pair.
        if let Err(error) = more.check_partly_known(traces)
            && error.help.starts_with("did you mean")
        {
            warnings.push(error);
        }
        description.add_new(more.known_to(traces));
    }
    description.add_recognized(traces);
    Ok((description, warnings))
}

/// Prints warnings about pairs, if there is a terminal.
fn print_warnings(warnings: &[PairError], terminal: Option<&Terminal>) {
    let Some(terminal) = terminal else { return };
    for warning in warnings {
        terminal.warn(&format!("{warning}; the pair is not used"), Some(&warning.help));
    }
}

/// Returns the error for a value of `--pairs` that is neither a name nor a file.
fn unknown_name(name: &str) -> CliError {
    let names = ready_names();
    CliError::usage(format!("--pairs {name}: no file and no description has this name"))
        .exit(Exit::System)
        .help(format!("available descriptions: {}", names.join(", ")))
        .maybe_help(did_you_mean(name, names.iter().map(String::as_str)))
}

/// Returns the names that `--pairs` accepts besides files.
pub fn ready_names() -> Vec<String> {
    let built_in = BUILT_IN.iter().map(|ready| ready.name.to_owned());
    built_in.chain(user_files().into_iter().map(|(name, _)| name)).collect()
}

/// Returns the folder for the user's descriptions.
#[expect(clippy::disallowed_methods, reason = "environment variables select the folder for settings")]
fn user_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let settings = folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")))?;
    Some(settings.join("ringtrace").join("pairs"))
}

/// Returns the user's descriptions, with their names, in alphabetical order.
fn user_files() -> Vec<(String, PathBuf)> {
    let Some(entries) = user_folder().and_then(|folder| fs::read_dir(folder).ok()) else { return Vec::new() };
    let named = |path: PathBuf| {
        let name = path.file_name()?.to_str()?.strip_suffix(".pairs")?.to_owned();
        (!name.starts_with('.')).then_some((name, path))
    };
    let mut files: Vec<(String, PathBuf)> =
        entries.flatten().filter_map(|entry| named(entry.path())).collect();
    files.sort();
    files
}

/// Returns the user's description `name`, unless there is a file at the path `name`.
fn user_file(name: &str) -> Option<PathBuf> {
    let is_file = Path::new(name).exists();
    user_files().into_iter().find(|(known, _)| known == name && !is_file).map(|(_, path)| path)
}

/// Reads a description in the user's folder. Marks its pairs as built-in, so that pairs without
/// events in the trace are ignored.
fn read_ready(path: &Path) -> Result<Description, CliError> {
    let mut description = read(path)?;
    for pair in &mut description.pairs {
        pair.is_built_in = true;
    }
    Ok(description)
}

/// Returns the declarations of each of `traces`. A self-describing trace is read to its end, because
/// programs can declare events at any time. A pipe is read up to its first event.
pub fn declared(traces: &Traces) -> Vec<Schemas> {
    traces.readers().into_iter().map(declared_by).collect()
}

/// Returns the declarations of each of `traces` that precede its events, or all if they can be found
/// without reading the trace.
pub fn first_declared(traces: &Traces) -> Vec<Schemas> {
    let readers = traces.readers().into_iter();
    readers.map(|reader| declared_or(reader, Reader::first_declared)).collect()
}

fn declared_by(reader: &Reader) -> Schemas {
    declared_or(reader, Reader::all_declared)
}

/// Returns the declarations that `reader` knows. If there are none, returns those that `find` finds.
fn declared_or(reader: &Reader, find: impl FnOnce(&Reader) -> Option<Arc<Schemas>>) -> Schemas {
    let knows_any = reader.schemas().all().next().is_some();
    let found = if knows_any { None } else { find(reader) };
    Schemas::clone(&found.unwrap_or_else(|| Arc::clone(reader.schemas())))
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
