//! All tables except the event tables: dropped records, pauses, spans, steps and counters. They are
//! written even if they are empty, so that queries can rely on them.

use std::io;
use std::path::Path;

use ringtrace_tracefile::text::{JsonText, TextBuffer};
use ringtrace_tracefile::{Entry, Pause, Times};

use super::column::{Column, ColumnSource, date, owner_columns};
use super::table::{Shared, Table, TableLocation};
use super::{Metadata, TraceInfo};
use crate::shared::span_rows::{Row, SpanRow};
use crate::shared::text::utf8;
use crate::shared::value::ValueKind;

#[derive(Debug)]
pub(super) struct ExtraTables {
    dropped: Table,
    pauses: Table,
    spans: Table,
    steps: Table,
    counters: Table,
    json: JsonText,
    arguments: TextBuffer,
}

const TEXT: ValueKind = ValueKind::Text;
const SIGNED: ValueKind = ValueKind::Signed(8);

impl ExtraTables {
    pub(super) fn new(folder: &Path, info: &TraceInfo, metadata: &Metadata) -> io::Result<ExtraTables> {
        let anchor = info.anchor;
        let table = |name: &str, columns: Vec<Column>| {
            Table::new(TableLocation::File(folder.join(format!("{name}.parquet"))), columns, metadata.clone())
        };
        let cells = |cells: &[(&str, usize, ValueKind)]| {
            let column = |(name, cell, kind): &(&str, usize, ValueKind)| {
                Column::new(*name, ColumnSource::Cell(*cell, *kind))
            };
            cells.iter().map(column).collect::<Vec<_>>()
        };
        let time = |name, cell| vec![Column::new(name, ColumnSource::Time(cell))];
        let dropped = [
            time("time_ns", 0),
            date(anchor, 0),
            owner_columns(),
            cells(&[("cause", 1, TEXT), ("dropped", 2, ValueKind::Unsigned(8))]),
        ];
        let pauses = [cells(&[("begin_ns", 0, SIGNED), ("end_ns", 1, SIGNED), ("duration_ns", 2, SIGNED)])];
        let spans = [
            cells(&[("pair", 1, TEXT), ("span", 2, SIGNED), ("track", 3, TEXT), ("outcome", 4, TEXT)]),
            time("begin_ns", 0),
            cells(&[("end_ns", 5, SIGNED), ("latency_ns", 6, SIGNED)]),
            date(anchor, 0),
            owner_columns(),
            cells(&[
                ("begin_event", 7, TEXT),
                ("begin_args", 8, TEXT),
                ("end_event", 9, TEXT),
                ("end_args", 10, TEXT),
            ]),
        ];
        let steps = [
            cells(&[("pair", 1, TEXT), ("span", 2, SIGNED), ("step", 3, TEXT)]),
            time("time_ns", 0),
            date(anchor, 0),
            owner_columns(),
        ];
        let counters = [
            cells(&[("counter", 1, TEXT), ("track", 2, TEXT)]),
            time("time_ns", 0),
            date(anchor, 0),
            owner_columns(),
            cells(&[("value", 3, SIGNED)]),
        ];
        let times = Times { anchor, ..Times::default() };
        Ok(ExtraTables {
            dropped: table("dropped", dropped.concat())?,
            pauses: table("pauses", pauses.concat())?,
            spans: table("spans", spans.concat())?,
            steps: table("steps", steps.concat())?,
            counters: table("counters", counters.concat())?,
            json: JsonText::new(times).with_odd_text(utf8),
            arguments: TextBuffer::default(),
        })
    }

    pub(super) fn drop(&mut self, entry: &Entry<'_>, shared: &mut Shared) -> io::Result<()> {
        let owner = shared.owners.of(entry);
        let table = &mut self.dropped;
        table.push_word(entry.timestamp_ns);
        table.push_text(entry.lost.map(|lost| lost.cause.word()));
        table.push_number(entry.dropped());
        table.end_row(owner);
        table.settle(shared)
    }

    pub(super) fn pause(&mut self, pause: &Pause, shared: &mut Shared) -> io::Result<()> {
        let table = &mut self.pauses;
        table.push_number(pause.from_ns);
        table.push_number(pause.to_ns);
        table.push_number(pause.from_ns.and(pause.to_ns).map(|_| pause.duration_ns()));
        table.end_row(0);
        table.settle(shared)
    }

    pub(super) fn row(&mut self, row: &Row<'_>, entry: &Entry<'_>, shared: &mut Shared) -> io::Result<()> {
        let table = match row {
            Row::Span(span) => return self.span(span, shared),
            Row::Step { id, pair } => {
                let table = &mut self.steps;
                table.push_word(entry.timestamp_ns);
                table.push_text(Some(pair));
                table.push_word(id.number);
                table.push_text(Some(&entry.schema.name));
                table
            }
            Row::Counter { counter, track_name, value, .. } => {
                let table = &mut self.counters;
                table.push_word(entry.timestamp_ns);
                table.push_text(Some(counter));
                table.push_text(Some(track_name));
                table.push_word(i64::try_from(*value).unwrap_or(i64::MAX).cast_unsigned());
                table
            }
        };
        table.end_row(shared.owners.of(entry));
        table.settle(shared)
    }

    pub(super) fn span(&mut self, span: &SpanRow<'_>, shared: &mut Shared) -> io::Result<()> {
        let table = &mut self.spans;
        table.push_word(span.begin.timestamp_ns);
        table.push_text(Some(span.pair));
        table.push_word(span.id.number);
        table.push_text(Some(span.track));
        table.push_text(Some(span.outcome.word()));
        table.push_number(span.end.map(|end| end.timestamp_ns));
        table.push_number(span.latency_ns());
        for entry in [Some(span.begin), span.end] {
            let Some(entry) = entry else { break };
            self.arguments.clear();
            self.json.render_arguments(entry, &mut self.arguments);
            table.push_text(Some(&entry.schema.name));
            table.push_bytes(self.arguments.as_bytes());
        }
        table.end_row(shared.owners.of(span.begin));
        table.settle(shared)
    }

    pub(super) fn finish(&mut self, shared: &mut Shared) -> io::Result<()> {
        let ExtraTables { dropped, pauses, spans, steps, counters, .. } = self;
        [dropped, pauses, spans, steps, counters].into_iter().try_for_each(|table| table.finish(shared))
    }
}
