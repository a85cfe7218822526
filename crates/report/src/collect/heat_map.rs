//! Latencies over time: one histogram for each time column.

use std::ops::RangeInclusive;

use super::time_grid::Widening;

/// Binary logarithm of the rows per octave. A row's range is at most 1/8 as wide as the smallest
/// latency in it.
const ROW_BITS: u32 = 3;
const ROWS_PER_OCTAVE: usize = 1 << ROW_BITS;

/// Maximum number of rows: one for each value below 8, then the rows of each octave.
const ROWS: usize = ROWS_PER_OCTAVE * (u64::BITS - ROW_BITS + 1) as usize;

/// Counts of latencies by row (range of latencies) and column (period of time).
#[derive(Debug, Clone)]
pub struct HeatMap {
    columns: usize,
    rows: Vec<Option<Box<[u32]>>>,
}

impl HeatMap {
    pub(super) fn new(columns: usize) -> HeatMap {
        HeatMap { columns, rows: vec![None; ROWS] }
    }

    #[inline]
    pub(super) fn add(&mut self, column: usize, latency_ns: u64) {
        let columns = self.columns;
        if let Some(row) = self.rows.get_mut(row_of(latency_ns)) {
            let cells = row.get_or_insert_with(|| vec![0; columns].into());
            if let Some(cell) = cells.get_mut(column) {
                *cell = cell.saturating_add(1);
            }
        }
    }

    pub(super) fn widen(&mut self, widening: Widening) {
        self.rows.iter_mut().flatten().for_each(|cells| widening.apply_to_counts(cells));
    }

    /// Returns the non-empty rows in ascending order: the row's range of latencies in nanoseconds,
    /// and its count in each column of the [grid](super::Collector::heat_grid).
    pub fn rows(&self) -> impl Iterator<Item = (RangeInclusive<u64>, &[u32])> {
        let rows = self.rows.iter().enumerate();
        rows.filter_map(|(row, cells)| Some((latencies_of(row), &**cells.as_ref()?)))
    }
}

fn row_of(latency_ns: u64) -> usize {
    let octave = (u64::BITS - latency_ns.leading_zeros()).saturating_sub(ROW_BITS);
    let row = (latency_ns >> octave.saturating_sub(1)) as usize % ROWS_PER_OCTAVE;
    octave as usize * ROWS_PER_OCTAVE + row
}

fn latencies_of(row: usize) -> RangeInclusive<u64> {
    let (octave, row) = (row / ROWS_PER_OCTAVE, row % ROWS_PER_OCTAVE);
    if octave == 0 {
        return row as u64..=row as u64;
    }
    let shift = octave - 1;
    let first = ((ROWS_PER_OCTAVE + row) as u64) << shift;
    first..=first + ((1 << shift) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_meet_without_gap_or_overlap() {
        let mut next = Some(0);
        for row in 0..ROWS {
            let latencies = latencies_of(row);
            assert_eq!(Some(*latencies.start()), next);
            assert_eq!((row_of(*latencies.start()), row_of(*latencies.end())), (row, row));
            next = latencies.end().checked_add(1);
        }
        assert_eq!(next, None, "the last row ends with u64::MAX");
    }
}
