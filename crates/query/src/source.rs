//! Opened traces: their tables, and how to read them.

use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

use ringtrace_events::glob;
use ringtrace_events::nearest::nearest;
use ringtrace_tracefile::align::Origin;
use ringtrace_tracefile::columns::{Collector, Request, Table, Tables};
use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::moment::Moment;
use ringtrace_tracefile::pair::{Description, PairDescription};
use ringtrace_tracefile::{FilterOptions, Needs, Reader, Schemas, Times};
use ringtrace_wire::simpletrace::Version;

use crate::columns::Columns;
use crate::error::Error;
use crate::opening::{Opening, declared};
use crate::pairs::{self, Pairs};
use crate::pushdown::Usable;
use crate::report::Report;

/// The records that all queries see.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Events, processes and threads. The times are ignored.
    pub filter: FilterOptions,
    /// The earliest time.
    pub since: Option<Moment>,
    /// The latest time, inclusive.
    pub until: Option<Moment>,
}

/// The rows of an SQL table.
#[derive(Debug, Clone, PartialEq)]
pub enum Contents {
    /// All records.
    Events,
    /// The records of an event.
    Event(String),
    /// Lost events.
    Drops,
    /// The times in which recording was off.
    Pauses,
    /// The spans of these pairs.
    Spans(Vec<PairDescription>),
    /// Steps of the spans of all pairs.
    Steps,
    /// Values of all counters.
    Counters,
    /// The traces.
    Traces,
    /// The threads.
    Threads,
}

/// The tables that every trace has: the name, the rows, and what a row is.
pub const TABLES: &[(&str, Contents, &str)] = &[
    ("events", Contents::Events, "a record of any event, without arguments"),
    ("spans", Contents::Spans(Vec::new()), "a span of any pair"),
    ("drops", Contents::Drops, "a record that reports lost events"),
    ("pauses", Contents::Pauses, "a time during which recording was off"),
    ("steps", Contents::Steps, "a step of a span"),
    ("counters", Contents::Counters, "a value of a counter"),
    ("threads", Contents::Threads, "a thread, with the numbers of its recorded and lost events"),
    ("traces", Contents::Traces, "a trace, with its origin, times and losses"),
];

/// Opened traces.
#[derive(Debug)]
pub struct Source {
    pub(crate) opening: Opening,
    wanted: Wanted,
    pairs: Pairs,
    pub(crate) report: Report,
    pub(crate) origins: Arc<[Origin]>,
    pub(crate) anchor: Option<Anchor>,
    pub(crate) has_several: bool,
    threads: usize,
    /// The filter that all queries use.
    pub(crate) filter: FilterOptions,
    /// The version and the declarations of each trace.
    declared: OnceLock<Vec<(Version, Arc<Schemas>)>>,
    description: OnceLock<Description>,
}

impl Source {
    /// Opens traces.
    ///
    /// # Errors
    /// A file cannot be opened, is not a trace, or cannot be merged with the others.
    pub fn open(opening: Opening, wanted: Wanted, pairs: Pairs) -> Result<Source, Error> {
        let moments = [wanted.since, wanted.until];
        let needs =
            Needs { origin: moments.iter().flatten().any(|moment| !moment.is_absolute()), anchor: true };
        let readers = opening.readers()?;
        let has_several = readers.len() > 1;
        let traces = opening.gather(readers, needs)?;
        let (times, aligned) = (traces.times(), traces.aligned().clone());
        let filter = filter(&wanted, times, has_several)?;
        let source = Source {
            opening,
            wanted,
            pairs,
            report: Report::default(),
            origins: aligned.origins,
            anchor: aligned.anchor,
            has_several,
            threads: 1,
            filter,
            declared: OnceLock::new(),
            description: OnceLock::new(),
        };
        source.warn_of_patterns()?;
        Ok(source)
    }

    /// Reports patterns that match no declared event.
    fn warn_of_patterns(&self) -> Result<(), Error> {
        let patterns = &self.wanted.filter.include;
        let names = if patterns.is_empty() { Vec::new() } else { self.event_names()? };
        for pattern in patterns {
            if !names.iter().any(|name| glob::matches_event(pattern, name)) {
                let near = nearest(pattern, names.iter().map(String::as_str));
                let message = format!("--event: no declared event matches `{pattern}`");
                self.report.warn(message, near.map(|near| format!("did you mean `{near}`?")));
            }
        }
        Ok(())
    }

    /// Sets the number of threads that decode a trace.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Source {
        Source { threads, ..self }
    }

    /// Returns what was noticed while the traces were read.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Returns the names of all events that the traces declare, in alphabetical order. The first
    /// call reads traces that contain their declarations.
    ///
    /// # Errors
    /// A file cannot be opened.
    pub fn event_names(&self) -> Result<Vec<String>, Error> {
        let mut names: Vec<String> = self
            .declared()?
            .iter()
            .flat_map(|(_, schemas)| schemas.all().map(|(_, schema)| schema.name.to_string()))
            .collect();
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// Returns the names of the pairs that are known for the events of the traces.
    ///
    /// # Errors
    /// A file cannot be opened.
    pub fn pair_names(&self) -> Result<Vec<String>, Error> {
        Ok(self.description()?.pairs.iter().map(|pair| pair.name.clone()).collect())
    }

    /// Returns the rows of the table `name`: one of [`TABLES`], an event, or a pair. If there is
    /// none, the case of letters is ignored.
    ///
    /// # Errors
    /// A file cannot be opened, or the name is an invalid pair.
    pub fn contents(&self, name: &str) -> Result<Option<Contents>, Error> {
        // The name of the table in Parquet.
        let name = if name.eq_ignore_ascii_case("dropped") { "drops" } else { name };
        if let Some((_, contents, _)) = TABLES.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name)) {
            return Ok(Some(match contents {
                Contents::Spans(_) => Contents::Spans(self.description()?.pairs.clone()),
                contents => contents.clone(),
            }));
        }
        let events = self.event_names()?;
        if events.iter().any(|event| event == name) {
            return Ok(Some(Contents::Event(name.to_owned())));
        }
        if let Some(pair) = pairs::named(name, self.description()?)? {
            return Ok(Some(Contents::Spans(vec![pair])));
        }
        let similar = events.into_iter().find(|event| event.eq_ignore_ascii_case(name));
        Ok(similar.map(Contents::Event))
    }

    /// Returns all names of tables: those of [`TABLES`], events and pairs.
    ///
    /// # Errors
    /// A file cannot be opened.
    pub fn table_names(&self) -> Result<Vec<String>, Error> {
        let mut names: Vec<String> = TABLES.iter().map(|(name, ..)| (*name).to_owned()).collect();
        names.extend(self.event_names()?);
        names.extend(self.pair_names()?);
        Ok(names)
    }

    /// Returns advice for a table that does not exist.
    pub(crate) fn advice(&self, name: &str) -> String {
        let names = self.table_names().unwrap_or_default();
        match nearest(name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{}`?", quoted(near)),
            None if names.len() == TABLES.len() => {
                "the trace declares no events: specify the declarations of its program with --events"
                    .to_owned()
            }
            None => "`show tables` lists the tables; a pair is written \"BEGIN:END:KEY\"".to_owned(),
        }
    }

    /// Returns the columns of a table that the decoder provides.
    pub(crate) fn columns(&self, contents: &Contents) -> Result<Columns, Error> {
        let request = self.request(contents, FilterOptions::default());
        if request.tables.events {
            return Ok(Columns::new(vec![Arc::new(request.events_table())]));
        }
        let description = self.description_of(contents)?;
        if let Contents::Event(name) = contents {
            let tables = self.declared()?.iter().filter_map(|(version, schemas)| {
                let index = schemas.find(name)?;
                Some(Arc::new(request.event_table(schemas.get(index), index, *version)))
            });
            return Ok(Columns::new(tables.collect()));
        }
        // The tracker determines the keys, and checks that all events are declared.
        let schemas = self.schemas(&description)?;
        let schemas: Vec<&Schemas> = schemas.iter().map(AsRef::as_ref).collect();
        let tracker = pairs::tracker(description, &schemas)?;
        let mut collector = Collector::new(request, tracker.description().clone());
        schemas.iter().for_each(|schemas| collector.bind(schemas));
        let mut tables: Vec<Arc<Table>> =
            collector.span_tables().chain(collector.extra_tables()).cloned().collect();
        if tables.is_empty() {
            // No pair is known. The table `spans` has its common columns.
            tables = pairless(self.request(contents, FilterOptions::default()));
        }
        Ok(Columns::new(tables))
    }

    /// Returns the request for a table. It selects all columns.
    pub(crate) fn request(&self, contents: &Contents, filter: FilterOptions) -> Request {
        let mut tables = Tables::default();
        match contents {
            Contents::Events => tables.events = true,
            Contents::Event(_) => tables.each_event = true,
            Contents::Drops => tables.dropped = true,
            Contents::Pauses => tables.pauses = true,
            Contents::Spans(_) => tables.spans = true,
            Contents::Steps => tables.steps = true,
            Contents::Counters => tables.counters = true,
            Contents::Traces | Contents::Threads => {}
        }
        let origins = Some(Arc::clone(&self.origins));
        Request { tables, filter, anchor: self.anchor, origins, threads: self.threads, ..Request::default() }
    }

    /// Returns the pairs and counters that a table needs.
    pub(crate) fn description_of(&self, contents: &Contents) -> Result<Description, Error> {
        Ok(match contents {
            Contents::Spans(pairs) => Description { pairs: pairs.clone(), ..Description::default() },
            Contents::Steps | Contents::Counters => self.description()?.clone(),
            _ => Description::default(),
        })
    }

    /// Returns the declarations of each trace, if `description` needs them.
    pub(crate) fn schemas(&self, description: &Description) -> Result<Vec<Arc<Schemas>>, Error> {
        if description.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.declared()?.iter().map(|(_, schemas)| Arc::clone(schemas)).collect())
    }

    fn declared(&self) -> Result<&[(Version, Arc<Schemas>)], Error> {
        if self.declared.get().is_none() {
            let readers = self.opening.readers()?;
            let versions = readers.iter().map(Reader::version);
            // Another thread may have found the same.
            let _ = self.declared.set(versions.zip(declared(&readers)).collect());
        }
        Ok(self.declared.get().map_or(&[], Vec::as_slice))
    }

    fn description(&self) -> Result<&Description, Error> {
        if let Some(description) = self.description.get() {
            return Ok(description);
        }
        let schemas: Vec<&Schemas> = self.declared()?.iter().map(|(_, schemas)| &**schemas).collect();
        let mut description = self.pairs.description(&schemas)?;
        // Names of tables identify pairs.
        let names: Vec<String> = description.pairs.iter().map(|pair| pair.name.clone()).collect();
        let mut position = 0;
        description.pairs.retain(|pair| {
            position += 1;
            !names[..position - 1].contains(&pair.name)
        });
        Ok(self.description.get_or_init(|| description))
    }

    /// Returns whether conditions on a table can limit the records to decode.
    pub(crate) fn usable(&self, contents: &Contents) -> Usable {
        match contents {
            Contents::Events | Contents::Event(_) | Contents::Drops => Usable::Records,
            Contents::Spans(_) => Usable::Spans,
            _ => Usable::Nothing,
        }
    }

    /// Returns the records that all queries see.
    pub fn wanted(&self) -> &Wanted {
        &self.wanted
    }
}

/// Returns the common columns of spans.
fn pairless(request: Request) -> Vec<Arc<Table>> {
    let pair = PairDescription { name: String::new(), ..PairDescription::default() };
    let description = Description { pairs: vec![pair], ..Description::default() };
    Collector::new(request, description).span_tables().cloned().collect()
}

/// Converts the options to a filter.
fn filter(wanted: &Wanted, times: Times, has_several: bool) -> Result<FilterOptions, Error> {
    let on_clock = |moment: Option<Moment>| match moment {
        None => Ok(None),
        Some(moment) => moment.timestamp_ns(times).map(Some).ok_or_else(|| {
            Error::usage("--since and --until cannot be dates: the trace has no wall-clock time")
                .help("specify --epoch DATE, the date at which the clock of the trace was zero")
        }),
    };
    let (since_ns, until_ns) = (on_clock(wanted.since)?, on_clock(wanted.until)?);
    // Several traces can have different relations to the wall clock.
    let is_dated = |moment: Option<Moment>| has_several && moment.is_some_and(|moment| moment.is_absolute());
    let (since_dated, until_dated) = (is_dated(wanted.since), is_dated(wanted.until));
    let dated_ns: RangeInclusive<i128> = since_ns.filter(|_| since_dated).unwrap_or(i128::MIN)
        ..=until_ns.filter(|_| until_dated).unwrap_or(i128::MAX);
    let clamped = |ns: i128| u64::try_from(ns.max(0)).unwrap_or(u64::MAX);
    Ok(FilterOptions {
        since_ns: since_ns.filter(|_| !since_dated).map(clamped),
        until_ns: until_ns.filter(|_| !until_dated).map(clamped),
        dated_ns: (since_dated || until_dated).then_some(dated_ns),
        ..wanted.filter.clone()
    })
}

/// Returns `name` as it is written in a query.
pub fn quoted(name: &str) -> String {
    let mut characters = name.chars();
    let is_start = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    match is_start && characters.all(|character| character.is_ascii_alphanumeric() || character == '_') {
        true => name.to_owned(),
        false => format!("\"{}\"", name.replace('"', "\"\"")),
    }
}
