//! The class `Traces`: open traces, and their tables.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use pyo3::types::PyList;
use ringtrace_events::nearest::nearest;
use ringtrace_tracefile::align::Alignment;
use ringtrace_tracefile::columns::{Collector, Request, Table, Tables};
use ringtrace_tracefile::expression::Expression;
use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::pair::Description;
use ringtrace_tracefile::{FilterOptions, Needs, Options, Reader, Schemas, Times};
use ringtrace_wire::simpletrace::Version;

use crate::decoding::{Job, Progress};
use crate::error::Message;
use crate::opening::{Opening, declarations, declared, era};
use crate::plan::Plan;
use crate::source::Source;
use crate::{exported, info, pairs};

/// Open traces. The package's class `Trace` wraps it.
#[pyclass(frozen)]
#[derive(Debug)]
pub struct Traces {
    opening: Arc<Opening>,
    pair_files: Vec<PathBuf>,
    /// The version and the declarations of each trace.
    traces: OnceLock<Vec<(Version, Arc<Schemas>)>>,
    times: OnceLock<Times>,
}

/// The rows to select. Times are in nanoseconds: after the first record, or since 1970.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
struct Rows {
    since: Option<(bool, i64)>,
    until: Option<(bool, i64)>,
    condition: Option<String>,
    pids: Vec<u32>,
    tids: Vec<u32>,
}

#[pymethods]
impl Traces {
    #[new]
    #[pyo3(signature = (paths, events, pairs, *, sort, keep_going, unaligned, join_traces, epoch, compat))]
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
        epoch: Option<i128>,
        compat: Option<&str>,
    ) -> PyResult<Traces> {
        let sources = events.iter().map(|path| declarations(path)).collect::<Result<_, _>>()?;
        let era = compat.map(era).transpose()?;
        let opening = Opening {
            paths,
            options: Options { sources, era, keep_going, spool: sort, ..Options::default() },
            alignment: Alignment { unaligned, joined: join_traces },
            epoch: epoch.map(|realtime_ns| Anchor { monotonic_ns: 0, realtime_ns }),
        };
        let traces = Traces {
            opening: Arc::new(opening),
            pair_files: pairs,
            traces: OnceLock::new(),
            times: OnceLock::new(),
        };
        // Fail now if the traces cannot be read together.
        py.detach(|| traces.opening.gather(traces.opening.readers()?, Needs::default()))?;
        Ok(traces)
    }

    /// The names of all events that the traces declare.
    fn event_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let mut names: Vec<String> = py.detach(|| {
            let traces = self.declared()?;
            Ok::<_, Message>(traces.iter().flat_map(|(_, schemas)| names(schemas)).collect())
        })?;
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// The names of the pairs that are known for the events of the traces.
    fn pairs(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let known = py.detach(|| self.known_pairs())?;
        Ok(known.pairs.into_iter().map(|pair| pair.name).collect())
    }

    /// A summary of each trace.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let summaries = py.detach(|| {
            let readers = self.opening.readers()?;
            Ok::<_, Message>(readers.into_iter().map(info::summarize).collect::<Vec<_>>())
        })?;
        info::to_python(py, &summaries)
    }

    /// Nanoseconds since 1970 at which the traces' clock was zero, if known, and the time of the first
    /// record.
    fn clock(&self, py: Python<'_>) -> PyResult<(Option<i128>, Option<u64>)> {
        let times = py.detach(|| self.times())?;
        Ok((times.anchor.map(|anchor| anchor.realtime_ns(0)), times.origin_ns))
    }

    /// A table: `kind` is `event`, `events`, `dropped`, `pauses`, `steps`, `counters` or `spans`.
    /// `name` is the event or the pair.
    fn source(
        &self,
        py: Python<'_>,
        kind: &str,
        name: Option<&str>,
        columns: Option<Vec<String>>,
        rows: Rows,
    ) -> PyResult<Source> {
        Ok(py.detach(|| self.table(kind, name, columns.as_deref(), rows))?)
    }

    /// Writes the traces to `path` in the format `format`. Returns the errors of damaged traces.
    fn export(&self, py: Python<'_>, format: &str, path: PathBuf, rows: Rows) -> PyResult<Option<String>> {
        Ok(py.detach(|| {
            let filter = self.filter(rows)?;
            let description = self.known_pairs()?;
            exported::export(&self.opening, filter, description, &self.schemas()?, format, &path)
        })?)
    }
}

impl Traces {
    fn declared(&self) -> Result<&[(Version, Arc<Schemas>)], Message> {
        if self.traces.get().is_none() {
            let readers = self.opening.readers()?;
            let versions = readers.iter().map(Reader::version);
            let _ = self.traces.set(versions.zip(declared(&readers)).collect());
        }
        Ok(self.traces.get().map_or(&[], Vec::as_slice))
    }

    fn schemas(&self) -> Result<Vec<Arc<Schemas>>, Message> {
        Ok(self.declared()?.iter().map(|(_, schemas)| Arc::clone(schemas)).collect())
    }

    fn times(&self) -> Result<Times, Message> {
        if let Some(times) = self.times.get() {
            return Ok(*times);
        }
        let traces = self.opening.gather(self.opening.readers()?, Needs { origin: true, anchor: true })?;
        Ok(*self.times.get_or_init(|| traces.times()))
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
        let request = Request { tables, filter, anchor: self.times()?.anchor, ..Request::default() };
        let known = self.known_tables(&request, event, &description)?;
        let plan = Plan::new(known, columns)?;
        let request = Request { columns: plan.requested(), ..request };
        let job = Job {
            opening: Arc::clone(&self.opening),
            request,
            event: event.map(ToOwned::to_owned),
            description,
            declared: self.schemas()?,
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
        let traces = self.declared()?;
        if let Some(name) = event {
            let tables = traces.iter().filter_map(|(version, schemas)| {
                let index = schemas.find(name)?;
                Some(Arc::new(request.event_table(schemas.get(index), index, *version)))
            });
            let tables: Vec<_> = tables.collect();
            return if tables.is_empty() { Err(unknown_event(name, traces)) } else { Ok(tables) };
        }
        if request.tables.events {
            return Ok(vec![Arc::new(request.events_table())]);
        }
        let schemas: Vec<&Schemas> = traces.iter().map(|(_, schemas)| &**schemas).collect();
        // The tracker determines the keys, and checks that all events are declared.
        let tracker = pairs::tracker(description.clone(), &schemas)?;
        let mut collector = Collector::new(request.clone(), tracker.description().clone());
        schemas.iter().for_each(|schemas| collector.bind(schemas));
        Ok(collector.span_tables().chain(collector.extra_tables()).cloned().collect())
    }

    fn filter(&self, rows: Rows) -> Result<FilterOptions, Message> {
        let times = self.times()?;
        let moment = |moment: Option<(bool, i64)>| {
            let Some((is_date, ns)) = moment else { return Ok(None) };
            let ns = i128::from(ns);
            let ns = match (is_date, times.anchor) {
                (false, _) => i128::from(times.origin_ns.unwrap_or(0)) + ns,
                (true, Some(anchor)) => ns - anchor.realtime_ns(0),
                (true, None) => {
                    return Err(Message::new(
                        "start and end cannot be dates: the trace has no wall-clock time",
                        Some("pass the time at which its clock was zero to open(epoch=...)"),
                    ));
                }
            };
            Ok(Some(u64::try_from(ns.max(0)).unwrap_or(u64::MAX)))
        };
        let (since_ns, until_ns) = (moment(rows.since)?, moment(rows.until)?);
        let condition = rows.condition.as_deref().map(Expression::parse).transpose();
        Ok(FilterOptions {
            pids: rows.pids,
            tids: rows.tids,
            since_ns,
            until_ns,
            condition: condition.map_err(|error| Message::new(format!("where: {error}"), None))?,
            origin_ns: times.origin_ns.unwrap_or(0),
            ..FilterOptions::default()
        })
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
