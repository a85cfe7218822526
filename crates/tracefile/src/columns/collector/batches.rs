//! Passes batches to the sink.

use super::{Collector, EventState, Place, Sink};
use crate::columns::event_rows::{Rows, Shared};
use crate::columns::names::Names;
use crate::columns::span_rows;

impl Collector {
    /// Passes a batch to the sink, unless it is empty.
    pub(super) fn emit<E>(&mut self, place: Place, sink: &mut impl Sink<E>) -> Result<(), E> {
        let shared = Shared { owners: &self.owners, anchor: self.request.anchor, events: &self.event_names };
        let (words, tracks) = (&self.words, &self.track_names);
        let (rows, mut batch) = match place {
            Place::Event(index) => match self.states.get_mut(index) {
                Some(EventState::Wanted { rows: Some(event), .. }) if event.rows.rows > 0 => {
                    let batch = event.take(shared);
                    (&mut event.rows, batch)
                }
                _ => return Ok(()),
            },
            Place::Spans(index) => {
                let spans = &mut self.spans[index];
                if spans.rows.rows == 0 {
                    return Ok(());
                }
                for cell in [span_rows::PAIR, span_rows::OUTCOME] {
                    spans.set_strings(cell, words);
                }
                spans.set_strings(span_rows::TRACK, tracks);
                for cell in [span_rows::BEGIN_EVENT, span_rows::END_EVENT] {
                    spans.set_strings(cell, &self.event_names);
                }
                spans.complete();
                let batch = spans.rows.take(shared);
                (&mut spans.rows, batch)
            }
            Place::Events => {
                let Some(rows) = self.events.as_mut().filter(|rows| rows.rows > 0) else { return Ok(()) };
                let batch = rows.take(shared);
                (rows, batch)
            }
            Place::Dropped | Place::Pauses | Place::Steps | Place::Counters => {
                let (cells, dictionaries): (_, &[(usize, &Names)]) = match place {
                    Place::Dropped => (&mut self.dropped, &[(0, words)]),
                    Place::Steps => (&mut self.steps, &[(0, words), (2, &self.event_names)]),
                    Place::Counters => (&mut self.counters, &[(0, words), (1, tracks)]),
                    _ => (&mut self.pauses, &[]),
                };
                let Some(cells) = cells.as_mut().filter(|cells| cells.rows.rows > 0) else { return Ok(()) };
                for (cell, names) in dictionaries {
                    cells.set_strings(*cell, &names.strings());
                }
                let batch = cells.rows.take(shared);
                (&mut cells.rows, batch)
            }
        };
        let result = sink(&mut batch);
        rows.recycle(batch);
        rows.count(&mut self.bytes);
        result
    }

    fn rows(&mut self, place: Place) -> Option<&mut Rows> {
        match place {
            Place::Event(index) => match self.states.get_mut(index)? {
                EventState::Wanted { rows, .. } => rows.as_mut().map(|event| &mut event.rows),
                _ => None,
            },
            Place::Spans(index) => self.spans.get_mut(index).map(|spans| &mut spans.rows),
            Place::Events => self.events.as_mut(),
            Place::Dropped => self.dropped.as_mut().map(|cells| &mut cells.rows),
            Place::Pauses => self.pauses.as_mut().map(|cells| &mut cells.rows),
            Place::Steps => self.steps.as_mut().map(|cells| &mut cells.rows),
            Place::Counters => self.counters.as_mut().map(|cells| &mut cells.rows),
        }
    }

    fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let events = (0..self.states.len()).map(Place::Event);
        let extra = [Place::Events, Place::Dropped, Place::Pauses, Place::Steps, Place::Counters];
        events.chain((0..self.spans.len()).map(Place::Spans)).chain(extra)
    }

    /// Emits the largest batches and frees their memory, until the rest is within the limit.
    #[inline(always)]
    pub(super) fn keep_small<E>(&mut self, sink: &mut impl Sink<E>) -> Result<(), E> {
        if self.bytes > self.request.memory_bytes { self.shrink(sink) } else { Ok(()) }
    }

    #[cold]
    fn shrink<E>(&mut self, sink: &mut impl Sink<E>) -> Result<(), E> {
        while self.bytes > self.request.memory_bytes {
            let places = self.places();
            let largest = places.max_by_key(|place| self.rows(*place).map_or(0, |rows| rows.counted_bytes()));
            let Some(place) = largest else { return Ok(()) };
            let before = self.bytes;
            self.emit(place, sink)?;
            let mut bytes = self.bytes;
            let Some(rows) = self.rows(place) else { return Ok(()) };
            rows.free();
            rows.count(&mut bytes);
            self.bytes = bytes;
            // A sink that takes the columns has freed them already.
            if bytes == before {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Counts a row that was added, and emits the batch if it is full.
    pub(super) fn settle<E>(&mut self, place: Place, sink: &mut impl Sink<E>) -> Result<(), E> {
        let mut bytes = self.bytes;
        let limits = self.request.limits();
        let Some(rows) = self.rows(place) else { return Ok(()) };
        rows.count(&mut bytes);
        let is_full = rows.is_full(limits);
        self.bytes = bytes;
        if is_full {
            self.emit(place, sink)?;
        }
        self.keep_small(sink)
    }

    /// Passes all incomplete batches to the sink.
    pub(in crate::columns) fn flush<E>(&mut self, sink: &mut impl Sink<E>) -> Result<(), E> {
        self.places().try_for_each(|place| self.emit(place, sink))
    }
}
