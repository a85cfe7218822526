//! The rows of records that were taken while a block of a compact trace was decoded.

use std::ops::Range;

/// The records of an event in a block, all of them with the same number of integers.
#[derive(Debug, Default)]
pub(super) struct TakenRows {
    pub(super) schema_index: u32,
    arguments: usize,
    /// For each record, its time and its arguments. Beyond `end`, the values have no meaning.
    words: Vec<u64>,
    end: usize,
    /// The numbers of the records, if they are wanted.
    numbers: Vec<u64>,
    wants_numbers: bool,
    /// The owners of consecutive records: an owner's number, and the index of the first record.
    owners: Vec<(u32, u32)>,
}

/// The number of words for which there is space at first.
const FIRST_WORDS: usize = 1 << 10;

impl TakenRows {
    /// Removes all rows, but keeps the memory.
    pub(super) fn restart(&mut self, schema_index: u32, arguments: usize, wants_numbers: bool) {
        (self.schema_index, self.arguments, self.wants_numbers) = (schema_index, arguments, wants_numbers);
        self.end = 0;
        self.numbers.clear();
        self.owners.clear();
    }

    /// Returns the size of the memory.
    pub(super) fn held_bytes(&self) -> usize {
        let words = self.words.capacity() + self.numbers.capacity() + self.owners.capacity();
        words * size_of::<u64>()
    }

    /// Adds a record. `N` is the number of arguments of all records.
    #[inline(always)]
    pub(super) fn push<const N: usize>(
        &mut self,
        owner: u32,
        number: u64,
        timestamp_ns: u64,
        values: &[u64; N],
    ) {
        let next = self.end + 1 + N;
        if next > self.words.len() {
            self.grow();
        }
        let Some([time, words @ ..]) = self.words.get_mut(self.end..next) else { return };
        let Some(words) = words.first_chunk_mut() else { return };
        (*time, *words) = (timestamp_ns, *values);
        if self.owners.last().is_none_or(|(last, _)| *last != owner) {
            self.owners.push((owner, (self.end / (1 + N)) as u32));
        }
        if self.wants_numbers {
            self.numbers.push(number);
        }
        self.end = next;
    }

    #[cold]
    fn grow(&mut self) {
        self.words.resize((2 * self.words.len()).max(FIRST_WORDS), 0);
    }

    /// Returns the number of rows.
    pub(super) fn rows(&self) -> usize {
        self.end / (1 + self.arguments)
    }

    /// Returns the times of these rows.
    pub(super) fn times(&self, rows: Range<usize>) -> impl ExactSizeIterator<Item = i64> {
        self.words_at(0, rows).map(u64::cast_signed)
    }

    /// Returns the values of an argument in these rows.
    pub(super) fn argument(&self, argument: usize, rows: Range<usize>) -> impl ExactSizeIterator<Item = u64> {
        self.words_at(1 + argument, rows)
    }

    fn words_at(&self, index: usize, rows: Range<usize>) -> impl ExactSizeIterator<Item = u64> {
        let size = 1 + self.arguments;
        let words = &self.words[rows.start * size..rows.end * size];
        words.chunks_exact(size).map(move |record| record.get(index).copied().unwrap_or(0))
    }

    /// Returns the numbers of the records of these rows. There are none if they are not wanted.
    pub(super) fn numbers(&self, rows: Range<usize>) -> &[u64] {
        self.numbers.get(rows).unwrap_or_default()
    }

    /// Returns the owners of consecutive records in these rows, with the first row of each from the start of the
    /// range.
    pub(super) fn owners(&self, rows: Range<usize>) -> impl Iterator<Item = (u32, usize)> {
        let ends = self.owners.iter().skip(1).map(|&(_, first)| first as usize).chain([self.rows()]);
        let runs = self.owners.iter().map(|&(owner, first)| (owner, first as usize)).zip(ends);
        runs.filter(move |((_, first), end)| *first < rows.end && *end > rows.start)
            .map(move |((owner, first), _)| (owner, first.saturating_sub(rows.start)))
    }
}
