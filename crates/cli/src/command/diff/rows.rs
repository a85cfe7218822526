//! Reads a recording from the rows of a dataset.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use ringtrace_events::glob;
use ringtrace_export::SelectedRows;
use ringtrace_export::dataset::{DatasetRow, RowFilter};
use ringtrace_report::diff::{EventId, PairNames, Recording, RecordingBuilder};
use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::{Schema, Times};

use super::selection::DatasetPath;
use crate::exit::{CliError, did_you_mean};
use crate::quantity::counted;
use crate::reading::{ReadArguments, WantedArguments};
use crate::terminal::Terminal;
use crate::values::Moment;

/// The opened rows of a dataset.
#[derive(Debug)]
pub struct DatasetRun {
    path: DatasetPath,
    rows: SelectedRows,
    filter: RowFilter,
    /// The number of bytes that were read.
    pub done: Arc<AtomicU64>,
}

/// Checks that the options can be applied to the rows of a dataset. `has_pairs` is whether there are
/// options for pairs, which do not apply to a trace on the other side; `is_only` is whether there is no
/// such trace.
pub fn check_options(read: &ReadArguments, has_pairs: bool, is_only: bool) -> Result<(), CliError> {
    let refused = |option: &str, help: &str| {
        Err(CliError::usage(format!("{option} cannot be used with a dataset")).help(help))
    };
    if has_pairs {
        return refused(
            "--pair",
            "the pairs of a dataset are matched by `ringtrace ingest --pair`: ingest the traces again with that option",
        );
    }
    if is_only && !read.wanted.epoch.is_empty() {
        return refused("--epoch", "ingest the trace again with --epoch");
    }
    if read.wanted.condition.is_some() {
        return refused("--where", "ingest the traces with --where into another dataset, and compare that");
    }
    if read.wanted.thread.iter().any(|thread| thread.parse::<u32>().is_err()) {
        return refused("--thread with a name", "specify the ids of threads: --thread TID");
    }
    if read.join_traces {
        return refused("--join-traces", "`ringtrace ingest` matches the pairs within each trace");
    }
    Ok(())
}

impl DatasetRun {
    pub fn open(path: DatasetPath, wanted: &WantedArguments) -> Result<DatasetRun, CliError> {
        let rows = SelectedRows::open(&path.folder, &path.selection).map_err(|error| path.error(error))?;
        let filter = filter(&path, &rows, wanted)?;
        Ok(DatasetRun { path, rows, filter, done: Arc::default() })
    }

    pub fn bytes(&self) -> u64 {
        self.rows.bytes()
    }

    pub fn pairs(&self) -> &[String] {
        self.rows.pairs()
    }

    pub fn is_filtered(&self) -> bool {
        !self.filter.is_everything()
    }

    /// Reads the recording, with these pairs, among which are those of the rows.
    pub fn read(&mut self, pairs: &[String]) -> Result<Recording, CliError> {
        let failed = |error: std::io::Error| self.path.read_error(&error);
        let names = |name: &String| PairNames { name: name.clone(), edges: Vec::new() };
        let mut builder = RecordingBuilder::new(pairs.iter().map(names).collect());
        let own: Vec<String> = self.rows.pairs().to_vec();
        let place = |name: &String| pairs.iter().position(|pair| pair == name).unwrap_or(0);
        let places: Vec<usize> = own.iter().map(place).collect();
        let events = self.rows.events().to_vec();
        let mut ids: Vec<Option<EventId>> = vec![None; events.len()];
        let mut visit = |row| match row {
            DatasetRow::Event { event, thread, ns } => {
                let known = &mut ids[event as usize];
                let id = *known.get_or_insert_with(|| builder.add_event(&events[event as usize]));
                builder.event(id, thread, ns);
            }
            DatasetRow::Lost { trace, thread, ns } => builder.lost(trace, thread, ns),
            DatasetRow::Span { trace, pair, thread, begin_ns, end_ns } => {
                builder.span(trace, places[pair as usize], thread, (begin_ns, end_ns));
            }
        };
        let dropped = self.rows.read(&self.filter, &self.done, &mut visit).map_err(failed)?;
        builder.add_dropped(dropped);
        builder.add_pauses(self.rows.pauses().map_err(failed)?);
        builder.add_cuts(self.rows.cuts());
        for (pair, place) in places.into_iter().enumerate() {
            self.rows.edges(pair).iter().for_each(|edge| builder.add_edge(place, edge));
        }
        Ok(builder.finish())
    }

    /// Warns about damaged traces, and about patterns that match no event.
    pub fn warn(&self, terminal: &Terminal) {
        for pattern in self.filter.include.iter().chain(&self.filter.exclude) {
            let matched = |name: &str| glob::matches_event(pattern, name);
            let names = || self.rows.events().iter().map(String::as_str);
            if !matched(Schema::DROPPED_NAME) && !names().any(matched) {
                let message = format!("--event: no event in {} matches `{pattern}`", self.path.name);
                terminal.warn(&message, did_you_mean(pattern, names()).as_deref());
            }
        }
        let damaged = self.rows.damaged();
        if let Some(first) = damaged.first() {
            let count = counted(damaged.len() as u64, "trace is", "traces are");
            terminal.warn(
                &format!(
                    "{}: {count} damaged, such as {first}; their readable records are compared",
                    self.path.name
                ),
                None,
            );
        }
    }
}

/// Converts the options that filter events.
fn filter(path: &DatasetPath, rows: &SelectedRows, wanted: &WantedArguments) -> Result<RowFilter, CliError> {
    let anchor = rows.has_wall_clock().then_some(Anchor { monotonic_ns: 0, realtime_ns: 0 });
    let times = Times { origin_ns: Some(rows.first_ns()), anchor };
    let timestamp = |moment: Option<Moment>| match moment {
        None => Ok(None),
        Some(moment) => moment.timestamp_ns(times).map(Some).ok_or_else(|| {
            CliError::usage(format!(
                "{}: --since and --until cannot be dates: the trace has no wall-clock time",
                path.name
            ))
            .help("ingest the trace with --epoch")
        }),
    };
    let (since_ns, until_ns) = (timestamp(wanted.since)?, timestamp(wanted.until)?);
    if since_ns.zip(until_ns).is_some_and(|(since, until)| since > until) {
        return Err(CliError::usage("--since is later than --until: no event can match"));
    }
    let clamp = |ns: i128| u64::try_from(ns.max(0)).unwrap_or(u64::MAX);
    let (exclude, include): (Vec<&String>, Vec<&String>) =
        wanted.event.iter().partition(|pattern| pattern.starts_with('-'));
    Ok(RowFilter {
        include: include.into_iter().cloned().collect(),
        exclude: exclude.into_iter().map(|pattern| pattern[1..].to_owned()).collect(),
        pids: wanted.pid.clone(),
        tids: wanted.thread.iter().filter_map(|thread| thread.parse().ok()).collect(),
        since_ns: since_ns.map(clamp),
        until_ns: until_ns.map(clamp),
    })
}
