//! Tracks with nested slices, for trees of spans and for threads.
//!
//! Perfetto ends the innermost slice of a track, so a slice can end only after all slices within
//! it.

use std::collections::HashMap;

use ringtrace_tracefile::key::KeyMap;
use ringtrace_tracefile::pair::SpanId;

#[derive(Default)]
pub(super) struct Stacks {
    list: Vec<Stack>,
    /// The stacks for the trees of each process, by trace and process.
    trees: HashMap<(u32, u32), Vec<usize>>,
    /// By trace, process and thread.
    threads: KeyMap<(u32, u32, Option<u32>), usize>,
    /// The stack of each open span.
    open: KeyMap<u64, usize>,
}

#[derive(Default)]
struct Stack {
    /// The open slices, the innermost at the end.
    slices: Vec<Slice>,
    /// The end of the last slice.
    free_from_ns: u64,
}

/// An open slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slice {
    number: u64,
    pub(super) begin_ns: u64,
}

/// The slices that end with a span.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) stack: usize,
    /// The number of inner slices whose end events were lost. They end first.
    pub(super) lost: usize,
    pub(super) slice: Slice,
    pub(super) end_ns: u64,
}

impl Stacks {
    /// Places a span of a tree: inside its parent if no other slice is there, or else in a stack of
    /// its own. `process` contains the trace and the process. Returns the stack.
    pub(super) fn begin_in_tree(&mut self, span: &SpanId, process: (u32, u32), begin_ns: u64) -> usize {
        let inside = self.open.get(&span.parent).copied().filter(|&stack| {
            let Stack { slices, free_from_ns } = &self.list[stack];
            let is_top =
                slices.last().is_some_and(|top| top.number == span.parent && top.begin_ns <= begin_ns);
            is_top && *free_from_ns <= begin_ns
        });
        let stack = inside.unwrap_or_else(|| {
            let trees = self.trees.entry(process).or_default();
            let is_free = |&stack: &usize| {
                let Stack { slices, free_from_ns } = &self.list[stack];
                slices.is_empty() && *free_from_ns <= begin_ns
            };
            trees.iter().copied().find(is_free).unwrap_or_else(|| {
                trees.push(self.list.len());
                self.list.push(Stack::default());
                self.list.len() - 1
            })
        });
        self.push(span, stack, begin_ns);
        stack
    }

    /// Places a span on its thread, which belongs to a trace and a process. Returns the stack.
    pub(super) fn begin_on_thread(
        &mut self,
        span: &SpanId,
        thread: (u32, u32, Option<u32>),
        begin_ns: u64,
    ) -> usize {
        let stack = *self.threads.entry(thread).or_insert_with(|| {
            self.list.push(Stack::default());
            self.list.len() - 1
        });
        self.push(span, stack, begin_ns);
        stack
    }

    fn push(&mut self, span: &SpanId, stack: usize, begin_ns: u64) {
        self.list[stack].slices.push(Slice { number: span.number, begin_ns });
        self.open.insert(span.number, stack);
    }

    /// Returns the stack of an open span.
    pub(super) fn of(&self, span: &SpanId) -> Option<usize> {
        self.open.get(&span.number).copied()
    }

    /// Ends a span. Returns `None` if the span already ended because an enclosing span ended.
    pub(super) fn end(&mut self, span: &SpanId, end_ns: u64) -> Option<Ended> {
        let stack = self.open.remove(&span.number)?;
        let Stack { slices, free_from_ns } = &mut self.list[stack];
        let at = slices.iter().rposition(|slice| slice.number == span.number)?;
        let slice = slices[at];
        let lost = slices.len() - at - 1;
        for inner in slices.drain(at..).skip(1) {
            self.open.remove(&inner.number);
        }
        *free_from_ns = end_ns.max(slice.begin_ns).max(*free_from_ns);
        Some(Ended { stack, lost, slice, end_ns: *free_from_ns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(number: u64, parent: u64) -> SpanId {
        SpanId { pair: 0, number, track: 0, lane: 0, parent }
    }

    #[test]
    fn children_are_nested_and_concurrent_ones_are_not() {
        let mut stacks = Stacks::default();
        assert_eq!(stacks.begin_in_tree(&span(1, 0), (0, 7), 10), 0);
        assert_eq!(stacks.begin_in_tree(&span(2, 1), (0, 7), 20), 0, "inside its parent");
        assert_eq!(stacks.begin_in_tree(&span(3, 1), (0, 7), 30), 1, "beside its sibling");
        assert_eq!(stacks.begin_in_tree(&span(4, 3), (0, 7), 40), 1);
        assert_eq!(stacks.begin_in_tree(&span(5, 0), (0, 8), 40), 2, "another process");
        assert_eq!(stacks.end(&span(2, 1), 50).map(|ended| ended.lost), Some(0));
        assert_eq!(stacks.begin_in_tree(&span(6, 1), (0, 7), 50), 0);
        // The end event of span 6 was lost.
        let ended = stacks.end(&span(1, 0), 60).unwrap();
        assert_eq!((ended.stack, ended.lost, ended.slice.begin_ns, ended.end_ns), (0, 1, 10, 60));
        assert_eq!(stacks.end(&span(6, 1), 70), None);
        assert_eq!(stacks.begin_in_tree(&span(7, 0), (0, 7), 55), 3, "it would overlap");
        assert_eq!(stacks.begin_in_tree(&span(8, 0), (0, 7), 60), 0);
    }

    #[test]
    fn a_slice_ends_after_those_within_it() {
        let mut stacks = Stacks::default();
        stacks.begin_on_thread(&span(1, 0), (0, 7, Some(7)), 10);
        stacks.begin_on_thread(&span(2, 0), (0, 7, Some(7)), 20);
        assert_eq!(stacks.end(&span(2, 0), 40).map(|ended| ended.end_ns), Some(40));
        assert_eq!(stacks.end(&span(1, 0), 30).map(|ended| ended.end_ns), Some(40));
        assert_eq!(stacks.of(&span(1, 0)), None);
    }
}
