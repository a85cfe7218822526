//! The class `Traces`: open traces, and their tables.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::thread;

use pyo3::prelude::*;
use pyo3::types::PyList;
use ringtrace_events::nearest::nearest;
use ringtrace_tracefile::align::{Alignment, Origin};
use ringtrace_tracefile::columns::{Collector, Request, Table, Tables};
use ringtrace_tracefile::expression::Expression;
use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::pair::Description;
use ringtrace_tracefile::{FilterOptions, Needs, Options, Reader, Schemas};
use ringtrace_wire::simpletrace::Version;

use crate::decoding::{Job, Progress};
use crate::error::Message;
use crate::opening::{Opening, declarations, declared, era};
use crate::plan::Plan;
use crate::source::Source;
use crate::{exported, info, interrupt, pairs};

/// Open traces. The package's class `Trace` wraps it.
#[pyclass(frozen)]
#[derive(Debug)]
pub struct Traces(Arc<Opened>);

/// Traces, and what was found out about them so far.
#[derive(Debug)]
struct Opened {
    opening: Arc<Opening>,
    pair_files: Vec<PathBuf>,
    /// The version and the declarations of each trace.
    declared: OnceLock<Vec<(Version, Arc<Schemas>)>>,
    clock: OnceLock<Clock>,
    origin_ns: OnceLock<u64>,
}

/// The common clock of the traces.
#[derive(Debug, Clone)]
struct Clock {
    anchor: Option<Anchor>,
    has_several_files: bool,
    /// The origins of the traces, unless all files are of the same trace.
    origins: Option<Arc<[Origin]>>,
}

/// A time: `after` the first record, a `date` (since 1970), or on the `clock` of the traces, in
/// nanoseconds.
type Moment = (String, i64);

/// The kind of times since 1970.
const DATE: &str = "date";

/// The rows to select.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
struct Rows {
    /// Times from which on records are selected. All must be fulfilled.
    since: Vec<Moment>,
    until: Vec<Moment>,
    condition: Option<String>,
    pids: Vec<u32>,
    tids: Vec<u32>,
}

#[pymethods]
impl Traces {
    #[new]
    #[pyo3(signature = (paths, events, pairs, *, sort, keep_going, unaligned, join_traces, epoch, compat, threads))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of `open`")]
    fn new(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        events: Vec<PathBuf>,
        pairs: Vec<PathBuf>,
        sort: bool,
        keep_going: bool,
        unaligned: bool,
        join_traces: bool,
        epoch: Vec<(Option<PathBuf>, i128)>,
        compat: Option<&str>,
        threads: Option<usize>,
    ) -> PyResult<Traces> {
        let sources = events.iter().map(|path| declarations(path)).collect::<Result<_, _>>()?;
        let era = compat.map(era).transpose()?;
        let opening = Arc::new(Opening {
            paths,
            options: Options { sources, era, keep_going, spool: sort, ..Options::default() },
            alignment: Alignment { unaligned, joined: join_traces },
            epochs: epoch
                .into_iter()
                .map(|(path, realtime_ns)| (path, Anchor { monotonic_ns: 0, realtime_ns }))
                .collect(),
            threads: threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get)),
        });
        let opened = Arc::new(Opened {
            opening: Arc::clone(&opening),
            pair_files: pairs,
            declared: OnceLock::new(),
            clock: OnceLock::new(),
            origin_ns: OnceLock::new(),
        });
        interrupt::run(py, move |_| opening.check())?;
        Ok(Traces(opened))
    }

    /// The names of all events that the traces declare.
    fn event_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let mut names = self.run(py, |opened, _| {
            Ok(opened.declared()?.iter().flat_map(|(_, schemas)| names(schemas)).collect::<Vec<_>>())
        })?;
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// The names of the pairs that are known for the events of the traces.
    fn pairs(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let known = self.run(py, |opened, _| opened.known_pairs())?;
        Ok(known.pairs.into_iter().map(|pair| pair.name).collect())
    }

    /// A summary of each trace.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let summaries = self.run(py, |opened, _| {
            Ok(opened.opening.readers()?.into_iter().map(info::summarize).collect::<Vec<_>>())
        })?;
        info::to_python(py, &summaries)
    }

    /// A table: `kind` is `event`, `events`, `dropped`, `pauses`, `steps`, `counters` or `spans`.
    /// `name` is the event or the pair.
    fn source(
        &self,
        py: Python<'_>,
        kind: String,
        name: Option<String>,
        columns: Option<Vec<String>>,
        rows: Rows,
    ) -> PyResult<Source> {
        self.run(py, move |opened, _| opened.table(&kind, name.as_deref(), columns.as_deref(), rows))
    }

    /// Writes the traces to `path` in the format `format`. Returns the errors of damaged traces.
    fn export(&self, py: Python<'_>, format: String, path: PathBuf, rows: Rows) -> PyResult<Option<String>> {
        self.run(py, move |opened, is_interrupted| {
            let filter = opened.filter(rows)?;
            let (description, schemas) = (opened.known_pairs()?, opened.schemas()?);
            let to = (format.as_str(), path.as_path());
            exported::export(&opened.opening, filter, description, &schemas, to, is_interrupted)
        })
    }
}

impl Traces {
    fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Opened, &AtomicBool) -> Result<T, Message> + Send + 'static,
    ) -> PyResult<T> {
        let opened = Arc::clone(&self.0);
        interrupt::run(py, move |is_interrupted| work(&opened, is_interrupted))
    }
}

impl Opened {
    fn declared(&self) -> Result<&[(Version, Arc<Schemas>)], Message> {
        if self.declared.get().is_none() {
            let readers = self.opening.readers()?;
            let versions = readers.iter().map(Reader::version);
            // Another thread may have found the same.
            let _ = self.declared.set(versions.zip(declared(&readers)).collect());
        }
        Ok(self.declared.get().map_or(&[], Vec::as_slice))
    }

    fn schemas(&self) -> Result<Vec<Arc<Schemas>>, Message> {
        Ok(self.declared()?.iter().map(|(_, schemas)| Arc::clone(schemas)).collect())
    }

    fn clock(&self) -> Result<&Clock, Message> {
        if let Some(clock) = self.clock.get() {
            return Ok(clock);
        }
        let readers = self.opening.readers()?;
        let has_several_files = readers.len() > 1;
        let traces = self.opening.gather(readers, Needs { anchor: true, ..Needs::default() })?;
        let origins = Some(Arc::clone(&traces.aligned().origins)).filter(|origins| origins.len() > 1);
        let clock = Clock { anchor: traces.times().anchor, has_several_files, origins };
        Ok(self.clock.get_or_init(|| clock))
    }

    /// Returns the smallest time. For some formats, this reads the traces.
    fn origin_ns(&self) -> Result<u64, Message> {
        if let Some(origin_ns) = self.origin_ns.get() {
            return Ok(*origin_ns);
        }
        let needs = Needs { origin: true, ..Needs::default() };
        let traces = self.opening.gather(self.opening.readers()?, needs)?;
        Ok(*self.origin_ns.get_or_init(|| traces.times().origin_ns.unwrap_or(0)))
    }

    fn known_pairs(&self) -> Result<Description, Message> {
        let schemas = self.schemas()?;
        let schemas: Vec<&Schemas> = schemas.iter().map(AsRef::as_ref).collect();
        pairs::known(&self.pair_files, &schemas)
    }

    fn table(
        &self,
        kind: &str,
        name: Option<&str>,
        columns: Option<&[String]>,
        rows: Rows,
    ) -> Result<Source, Message> {
        let mut description = Description::default();
        let mut tables = Tables::default();
        match kind {
            "event" => tables.each_event = true,
            "events" => tables.events = true,
            "dropped" => tables.dropped = true,
            "pauses" => tables.pauses = true,
            _ => {
                description = self.known_pairs()?;
                match kind {
                    "spans" => {
                        tables.spans = true;
                        let pairs = pairs::selected(name, &description)?;
                        description = Description { pairs, ..Description::default() };
                    }
                    "steps" => tables.steps = true,
                    "counters" => tables.counters = true,
                    _ => return Err(Message::new(format!("no table is called `{kind}`"), None)),
                }
            }
        }
        let mut filter = self.filter(rows)?;
        let event = name.filter(|_| tables.each_event);
        filter.include.extend(event.map(ToOwned::to_owned));
        let Clock { anchor, origins, .. } = self.clock()?.clone();
        let threads = self.opening.threads;
        let request = Request { tables, filter, anchor, origins, threads, ..Request::default() };
        let known = self.known_tables(&request, event, &description)?;
        let plan = Plan::new(known, columns)?;
        let request = Request { columns: plan.requested(), ..request };
        let job = Job {
            opening: Arc::clone(&self.opening),
            request,
            event: event.map(ToOwned::to_owned),
            declared: if description.is_empty() { Vec::new() } else { self.schemas()? },
            description,
            progress: Arc::new(Progress::default()),
        };
        Ok(Source::new(job, plan))
    }

    /// Returns the tables from which batches will come.
    fn known_tables(
        &self,
        request: &Request,
        event: Option<&str>,
        description: &Description,
    ) -> Result<Vec<Arc<Table>>, Message> {
        if request.tables.events {
            return Ok(vec![Arc::new(request.events_table())]);
        }
        let mut collector = Collector::new(request.clone(), Description::default());
        if event.is_none() && description.is_empty() {
            return Ok(collector.extra_tables().cloned().collect());
        }
        let traces = self.declared()?;
        if let Some(name) = event {
            let tables = traces.iter().filter_map(|(version, schemas)| {
                let index = schemas.find(name)?;
                Some(Arc::new(request.event_table(schemas.get(index), index, *version)))
            });
            let tables: Vec<_> = tables.collect();
            return if tables.is_empty() { Err(unknown_event(name, traces)) } else { Ok(tables) };
        }
        let schemas: Vec<&Schemas> = traces.iter().map(|(_, schemas)| &**schemas).collect();
        // The tracker determines the keys, and checks that all events are declared.
        let tracker = pairs::tracker(description.clone(), &schemas)?;
        collector = Collector::new(request.clone(), tracker.description().clone());
        schemas.iter().for_each(|schemas| collector.bind(schemas));
        Ok(collector.span_tables().chain(collector.extra_tables()).cloned().collect())
    }

    fn filter(&self, rows: Rows) -> Result<FilterOptions, Message> {
        let condition = rows.condition.as_deref().map(Expression::parse).transpose();
        let condition = condition.map_err(|error| Message::new(format!("where: {error}"), None))?;
        if let Some(condition) = &condition {
            let schemas = self.declared()?.iter().flat_map(|(_, schemas)| schemas.all());
            let checked = condition.check_schemas(schemas.map(|(_, schema)| schema));
            checked.map_err(|error| Message::new(format!("where: {error}"), None))?;
        }
        let uses_time = condition.as_ref().is_some_and(Expression::uses_time);
        let mut filter = FilterOptions {
            pids: rows.pids,
            tids: rows.tids,
            condition,
            origin_ns: if uses_time { self.origin_ns()? } else { 0 },
            ..FilterOptions::default()
        };
        let clamped = |ns: i128| u64::try_from(ns.max(0)).unwrap_or(u64::MAX);
        // Several traces can have different relations to the wall clock.
        let has_several = self.clock()?.has_several_files;
        let mut dates = i128::MIN..=i128::MAX;
        for moment in &rows.since {
            let ns = self.clock_ns(moment)?;
            if has_several && moment.0 == DATE {
                dates = ns.max(*dates.start())..=*dates.end();
            } else {
                filter.since_ns = filter.since_ns.max(Some(clamped(ns)));
            }
        }
        for moment in &rows.until {
            let ns = self.clock_ns(moment)?;
            if has_several && moment.0 == DATE {
                dates = *dates.start()..=ns.min(*dates.end());
            } else {
                filter.until_ns = Some(clamped(ns).min(filter.until_ns.unwrap_or(u64::MAX)));
            }
        }
        filter.dated_ns = (dates != (i128::MIN..=i128::MAX)).then_some(dates);
        Ok(filter)
    }

    /// Converts a time to the common clock.
    fn clock_ns(&self, (kind, ns): &Moment) -> Result<i128, Message> {
        let zero_ns = match kind.as_str() {
            "after" => i128::from(self.origin_ns()?),
            DATE => -self.clock()?.anchor.map(|anchor| anchor.realtime_ns(0)).ok_or_else(|| {
                Message::new(
                    "start and end cannot be dates: the trace has no wall-clock time",
                    Some("pass the time at which its clock was zero to open(epoch=...)"),
                )
            })?,
            _ => 0,
        };
        Ok(zero_ns + i128::from(*ns))
    }
}

fn names(schemas: &Schemas) -> impl Iterator<Item = String> {
    schemas.all().map(|(_, schema)| schema.name.to_string())
}

fn unknown_event(name: &str, traces: &[(Version, Arc<Schemas>)]) -> Message {
    let known: Vec<String> = traces.iter().flat_map(|(_, schemas)| names(schemas)).collect();
    let help = match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => {
            "the trace declares no events: pass the declarations of its program to open(events=...)"
                .to_owned()
        }
        None => "`event_names` lists the events".to_owned(),
    };
    Message::new(format!("no event is called `{name}`"), Some(&help))
}
