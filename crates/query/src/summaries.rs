//! The tables `traces` and `threads`, which are computed from summaries of the traces.

use std::sync::{Arc, OnceLock};

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray, UInt32Array, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::memory::{DataSourceExec, MemorySourceConfig};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::Result;
use datafusion::datasource::TableType;
use datafusion::logical_expr::Expr;
use datafusion::physical_plan::ExecutionPlan;
use ringtrace_tracefile::metadata::{BOOT, BUILD_ID, COMMAND, Metadata, TRACE};
use ringtrace_tracefile::summary::{Span, Summary};
use ringtrace_tracefile::{Causes, Dropped, Reader};

use crate::arrays::{DATE, dates};
use crate::error::Error;
use crate::provider::plan_at_once;
use crate::source::{Contents, Source};

/// The rows of both tables.
#[derive(Debug, Default)]
struct Summaries {
    traces: Vec<TraceRow>,
    threads: Vec<ThreadRow>,
}

/// A trace, which can consist of several files.
#[derive(Debug, Default)]
struct TraceRow {
    id: Option<Vec<u8>>,
    trace: String,
    host: Option<String>,
    boot: Option<String>,
    command: Option<String>,
    build_id: Option<String>,
    pid: Option<u32>,
    span: Option<Span>,
    /// The wall-clock time at which the clock was zero.
    zero_ns: Option<i128>,
    records: u64,
    causes: Causes,
    damage: Vec<String>,
}

#[derive(Debug)]
struct ThreadRow {
    trace: String,
    host: Option<String>,
    tid: u32,
    thread: Option<String>,
    records: u64,
    causes: Causes,
}

impl Summaries {
    fn read(source: &Source) -> Result<Summaries, Error> {
        let mut summaries = Summaries::default();
        let mut readers = source.opening.readers()?;
        let (mut failed, mut dropped) = (Vec::new(), Dropped::default());
        for reader in &mut readers {
            let summary = reader.summarize(false);
            let lost = &summary.dropped;
            let miscounted = lost.kept.iter().filter(|record| !record.possible).count() as u64;
            dropped.add(Dropped {
                records: lost.records,
                events: lost.events,
                miscounted,
                causes: lost.causes,
            });
            failed.extend(summary.failed.clone());
            summaries.add(source, reader, summary);
        }
        source.report.add(&readers.iter().collect::<Vec<_>>(), &failed, dropped);
        Ok(summaries)
    }

    fn add(&mut self, source: &Source, reader: &Reader, summary: Summary) {
        let id = text(reader, TRACE).map(String::into_bytes);
        let known = self.traces.iter().position(|row| id.is_some() && row.id == id);
        let index = known.unwrap_or_else(|| {
            // Traces are numbered in the same way when they are aligned.
            let origin = source.origins.get(self.traces.len());
            self.traces.push(TraceRow {
                id,
                trace: origin.map_or_else(|| reader.name().to_owned(), |it| it.id_or_name().to_owned()),
                host: origin.and_then(|origin| origin.host.as_deref()).map(ToOwned::to_owned),
                boot: text(reader, BOOT),
                command: text(reader, COMMAND).map(|words| words.trim_end_matches('\0').replace('\0', " ")),
                build_id: text(reader, BUILD_ID),
                zero_ns: reader.anchor().map(|anchor| anchor.realtime_ns(0)),
                ..TraceRow::default()
            });
            self.traces.len() - 1
        });
        let row = &mut self.traces[index];
        row.pid = row.pid.or_else(|| summary.processes.first().map(|process| process.pid));
        row.span = match (row.span, summary.span) {
            (Some(one), Some(other)) => Some(Span {
                smallest_ns: one.smallest_ns.min(other.smallest_ns),
                largest_ns: one.largest_ns.max(other.largest_ns),
            }),
            (one, other) => one.or(other),
        };
        row.records += summary.records - summary.dropped.records;
        row.causes += summary.dropped.causes;
        row.damage.extend(reader.missing_parts().chain(&summary.failed).map(ToString::to_string));
        let (trace, host) = (row.trace.clone(), row.host.clone());
        for thread in summary.threads {
            let same = self.threads.iter_mut().find(|known| known.trace == trace && known.tid == thread.tid);
            match same {
                Some(known) => {
                    known.records += thread.records;
                    known.causes += thread.lost;
                    known.thread = thread.name.or(known.thread.take());
                }
                None => self.threads.push(ThreadRow {
                    trace: trace.clone(),
                    host: host.clone(),
                    tid: thread.tid,
                    thread: thread.name,
                    records: thread.records,
                    causes: thread.lost,
                }),
            }
        }
    }

    fn traces(&self) -> Vec<(Field, ArrayRef)> {
        let rows = &self.traces;
        let wall = |ns: fn(&Span) -> u64| -> ArrayRef {
            let wall = |row: &TraceRow| i64::try_from(row.zero_ns? + i128::from(ns(&row.span?))).ok();
            Arc::new(rows.iter().map(wall).collect::<Int64Array>())
        };
        let clock = |ns: fn(&Span) -> u64| -> ArrayRef {
            Arc::new(
                rows.iter().map(|row| row.span.map(|span| ns(&span).cast_signed())).collect::<Int64Array>(),
            )
        };
        let first = |span: &Span| span.smallest_ns;
        let last = |span: &Span| span.largest_ns;
        let date =
            |name: &str, wall: &ArrayRef| dates(wall).map(|dates| (Field::new(name, DATE, true), dates));
        let mut columns = vec![
            strings("trace", rows.iter().map(|row| Some(row.trace.clone()))),
            strings("host", rows.iter().map(|row| row.host.clone())),
            strings("boot", rows.iter().map(|row| row.boot.clone())),
            (
                Field::new("pid", DataType::UInt32, true),
                Arc::new(rows.iter().map(|row| row.pid).collect::<UInt32Array>()) as ArrayRef,
            ),
            strings("command", rows.iter().map(|row| row.command.clone())),
            strings("build_id", rows.iter().map(|row| row.build_id.clone())),
            (Field::new("first_ns", DataType::Int64, true), clock(first)),
            (Field::new("last_ns", DataType::Int64, true), clock(last)),
        ];
        columns.extend(date("first_time", &wall(first)));
        columns.extend(date("last_time", &wall(last)));
        columns.push(numbers("records", rows.iter().map(|row| row.records)));
        columns.extend(causes(rows.iter().map(|row| row.causes)));
        columns.push(strings(
            "damage",
            rows.iter().map(|row| Some(row.damage.join("; ")).filter(|text| !text.is_empty())),
        ));
        columns
    }

    fn threads(&self) -> Vec<(Field, ArrayRef)> {
        let rows = &self.threads;
        let mut columns = vec![
            strings("trace", rows.iter().map(|row| Some(row.trace.clone()))),
            strings("host", rows.iter().map(|row| row.host.clone())),
            (
                Field::new("tid", DataType::UInt32, true),
                Arc::new(rows.iter().map(|row| Some(row.tid)).collect::<UInt32Array>()) as ArrayRef,
            ),
            strings("thread", rows.iter().map(|row| row.thread.clone())),
            numbers("records", rows.iter().map(|row| row.records)),
        ];
        columns.extend(causes(rows.iter().map(|row| row.causes)));
        columns
    }
}

fn text(reader: &Reader, wanted: &str) -> Option<String> {
    reader.metadata().iter().find_map(|piece| match piece {
        Metadata::Other(key, value) if key == wanted => Some(String::from_utf8_lossy(value).into_owned()),
        _ => None,
    })
}

fn strings(name: &str, values: impl Iterator<Item = Option<String>>) -> (Field, ArrayRef) {
    (Field::new(name, DataType::Utf8, true), Arc::new(values.collect::<StringArray>()))
}

fn numbers(name: &str, values: impl Iterator<Item = u64>) -> (Field, ArrayRef) {
    (Field::new(name, DataType::UInt64, true), Arc::new(values.map(Some).collect::<UInt64Array>()))
}

fn causes(rows: impl Iterator<Item = Causes> + Clone) -> [(Field, ArrayRef); 3] {
    [
        numbers("dropped", rows.clone().map(|causes| causes.dropped)),
        numbers("overwritten", rows.clone().map(|causes| causes.overwritten)),
        numbers("refused", rows.map(|causes| causes.refused)),
    ]
}

/// The table `traces` or `threads`. The traces are read when the table is first read.
#[derive(Debug)]
pub(crate) struct SummaryTable {
    source: Arc<Source>,
    contents: Contents,
    schema: SchemaRef,
    rows: OnceLock<RecordBatch>,
}

impl SummaryTable {
    /// Creates the table with these `contents`.
    pub(crate) fn new(source: Arc<Source>, contents: Contents) -> SummaryTable {
        let fields = columns(&Summaries::default(), &contents).into_iter().map(|(field, _)| field);
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        SummaryTable { source, contents, schema, rows: OnceLock::new() }
    }

    fn rows(&self) -> Result<RecordBatch> {
        if let Some(rows) = self.rows.get() {
            return Ok(rows.clone());
        }
        let summaries = Summaries::read(&self.source)?;
        let arrays = columns(&summaries, &self.contents).into_iter().map(|(_, array)| array).collect();
        let rows = RecordBatch::try_new(Arc::clone(&self.schema), arrays)?;
        Ok(self.rows.get_or_init(|| rows).clone())
    }
}

fn columns(summaries: &Summaries, contents: &Contents) -> Vec<(Field, ArrayRef)> {
    if *contents == Contents::Threads { summaries.threads() } else { summaries.traces() }
}

impl SummaryTable {
    fn plan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        _: &[Expr],
        _: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let rows = self.rows()?;
        let rows = MemorySourceConfig::try_new(&[vec![rows]], Arc::clone(&self.schema), projection.cloned())?;
        Ok(DataSourceExec::from_data_source(rows))
    }
}

impl TableProvider for SummaryTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    plan_at_once!();
}
