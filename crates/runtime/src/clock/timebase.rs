//! From ticks to nanoseconds: one function of the counter, in pieces that are decided before anybody reaches them.
//!
//! Every thread turns ticks to time by the same function F, which is made of straight *segments*. A segment is valid
//! from its first tick for a *span* of ticks, and what a thread has computed with it stays true: within its span a
//! segment never changes. A new segment begins where the last one ends, in the future. So two readings with the same
//! tick give the same time, and a later tick never an earlier time, on whichever threads and however long one of them
//! was preempted between reading the counter, finding the segment, and computing: F does not depend on *when* it is computed.
//! A segment that is found too late does not contain the tick, which sends the reader to [`Timebase::read_slowly`].
//!
//! Who decides where the last segment ends? Either a reader who needs more of it adds to its span, or the writer thread
//! *seals* it, and the next segment begins there. Both compare and swap the one word that holds the span, so there is
//! one order of what happened: a segment is sealed at the span which readers have seen, or readers see that it is sealed.
//!
//! # Orderings
//!
//! Segments are written by one thread at a time (the flag `turning`), *before* the compare-and-swap that seals the one before them:
//! that is a release, and readers who find the seal acquire it. They then store `current`, a release again, and the quick path
//! acquires `current`. So whoever has a segment's address has its contents, by way of the reader who came first.
//! A span that is read too small only costs the slow way. Everything else is relaxed.
//!
//! # Segments are used again
//!
//! They lie in a ring of [`SEGMENTS`], and at most two are used in each turn of the writer thread, a second apart: one is
//! overwritten half an hour after it was left at the earliest. A reader is wrong only if it is stopped for so long between two
//! neighbouring instructions, the load of `current` and the loads from the segment, and then not even then: it would have to stop
//! between the loads of the first tick and of the time, or its tick is outside of the segment that it finds.

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

use super::sample::{Rate, Source};

/// How many segments there are: 128 KiB of memory that is touched as it is needed.
pub(super) const SEGMENTS: usize = 4096;

/// By how much readers extend the last segment, in nanoseconds: so far ahead is decided what time it will be.
pub(super) const EXTENSION_NS: u64 = 50_000_000;

/// How far F may be ahead of the true time when it is extended. More means that the counter jumped.
const AHEAD_NS: u64 = 1_000_000;

/// In a span: the next segment in the ring is valid, and begins where this one ends. Spans are even otherwise.
///
/// The tick that the bit adds to the span is the next segment's first; both give the same time for it.
const SEALED: u64 = 1;

/// A straight piece of the function, as data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) first_ticks: u64,
    pub(super) first_ns: u64,
    pub(super) rate: Rate,
    /// Even.
    pub(super) span_ticks: u64,
}

impl Piece {
    /// The time at its end.
    pub(super) fn end_ns(&self) -> u64 {
        self.first_ns + self.rate.ns(self.span_ticks)
    }

    /// The first tick that is not in it.
    pub(super) fn end_ticks(&self) -> u64 {
        self.first_ticks.wrapping_add(self.span_ticks)
    }

    /// The time at `ticks`, also behind its end; `None` before it begins.
    pub(super) fn ns_at(&self, ticks: u64) -> Option<u64> {
        let elapsed = ticks.wrapping_sub(self.first_ticks);
        (elapsed.cast_signed() >= 0).then(|| self.first_ns.saturating_add(self.rate.ns(elapsed)))
    }
}

/// A [`Piece`] as threads share it.
#[derive(Debug)]
#[repr(C, align(32))]
pub(super) struct Segment {
    first_ticks: AtomicU64,
    /// How many ticks it is valid for, and [`SEALED`].
    span: AtomicU64,
    rate: AtomicU64,
    first_ns: AtomicU64,
}

impl Segment {
    /// Valid for nothing.
    pub(super) const fn empty() -> Segment {
        Segment {
            first_ticks: AtomicU64::new(0),
            span: AtomicU64::new(0),
            rate: AtomicU64::new(0),
            first_ns: AtomicU64::new(0),
        }
    }

    /// The time at `ticks`, if it is valid there.
    #[inline(always)]
    fn ns_at(&self, ticks: u64) -> Option<u64> {
        let elapsed = ticks.wrapping_sub(self.first_ticks.load(Ordering::Relaxed));
        (elapsed < self.span.load(Ordering::Relaxed)).then(|| {
            let rate = Rate(self.rate.load(Ordering::Relaxed));
            self.first_ns.load(Ordering::Relaxed).wrapping_add(rate.ns(elapsed))
        })
    }

    fn store(&self, piece: &Piece, sealed: bool) {
        self.first_ticks.store(piece.first_ticks, Ordering::Relaxed);
        self.rate.store(piece.rate.0, Ordering::Relaxed);
        self.first_ns.store(piece.first_ns, Ordering::Relaxed);
        self.span.store((piece.span_ticks & !SEALED) | u64::from(sealed), Ordering::Relaxed);
    }

    /// What it is, and whether it is sealed.
    fn load(&self) -> (Piece, bool) {
        let span = self.span.load(Ordering::Acquire);
        let piece = Piece {
            first_ticks: self.first_ticks.load(Ordering::Relaxed),
            first_ns: self.first_ns.load(Ordering::Relaxed),
            rate: Rate(self.rate.load(Ordering::Relaxed)),
            span_ticks: span & !SEALED,
        };
        (piece, span & SEALED != 0)
    }
}

/// The function, and who may change it.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Timebase {
    /// Points to one of `segments`, always.
    current: AtomicPtr<Segment>,
    segments: &'static [Segment],
    turning: AtomicBool,
    steps: AtomicU64,
}

impl Timebase {
    /// A function that is valid nowhere.
    pub(super) const fn new(segments: &'static [Segment]) -> Timebase {
        Timebase {
            current: AtomicPtr::new(segments.as_ptr().cast_mut()),
            segments,
            turning: AtomicBool::new(false),
            steps: AtomicU64::new(0),
        }
    }

    /// The time at `ticks`, which were just read. `None`: ask [`Timebase::read_slowly`].
    #[inline(always)]
    pub(super) fn ns_at(&self, ticks: u64) -> Option<u64> {
        // SAFETY: `current` points into `segments`, which are there for ever, and nobody has a unique reference to one.
        let segment = unsafe { &*self.current.load(Ordering::Acquire) };
        segment.ns_at(ticks)
    }

    /// Reads the counter and gives the time: the way that always works.
    ///
    /// Goes on to the segment that contains the tick, or extends the last one.
    /// * Before the current segment (counters of two processors a tick apart where segments meet; or the counter has
    ///   jumped back): the time at which that begins.
    /// * Behind its end, and the true time is not there yet (the counter has jumped, or was running while the system slept):
    ///   the time at its end. Time stands still until the writer thread has seen it.
    #[cold]
    #[inline(never)]
    pub(super) fn read_slowly(&self, source: &impl Source) -> u64 {
        loop {
            let index = self.current_index();
            let (piece, sealed) = self.segments[index].load();
            let elapsed = source.ticks().wrapping_sub(piece.first_ticks);
            if elapsed.cast_signed() < 0 {
                return piece.first_ns;
            }
            let elapsed_ns = piece.rate.ns(elapsed);
            let ns = piece.first_ns.saturating_add(elapsed_ns);
            if elapsed < piece.span_ticks {
                return ns;
            }
            if sealed {
                self.advance(index);
                continue;
            }
            let ahead_ns = ns.saturating_sub(source.monotonic_ns());
            if ahead_ns > AHEAD_NS + elapsed_ns / 1024 {
                return piece.end_ns();
            }
            // Whoever was faster, extending or sealing: the next time round sees it.
            let _ = self.segments[index].span.compare_exchange(
                piece.span_ticks,
                piece.rate.ticks(elapsed_ns + EXTENSION_NS) & !SEALED,
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
        }
    }

    /// The time, by a counter that is read now.
    pub(super) fn now_ns(&self, source: &impl Source) -> u64 {
        self.ns_at(source.ticks()).unwrap_or_else(|| self.read_slowly(source))
    }

    /// The rate of the segment that readers are in.
    pub(super) fn rate(&self) -> Rate {
        self.segments[self.current_index()].load().0.rate
    }

    /// How often the counter or the clock jumped, and the function was begun anew.
    pub(super) fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Runs `turn` with the right to change the function, unless somebody else has it just now.
    pub(super) fn change(&self, turn: impl FnOnce(Change<'_>)) {
        if !self.turning.swap(true, Ordering::Acquire) {
            turn(Change(self));
            self.turning.store(false, Ordering::Release);
        }
    }

    /// In a child after `fork`: whoever was changing the function stayed behind. What it had not yet sealed was never valid.
    pub(super) fn reset_after_fork(&self) {
        self.turning.store(false, Ordering::Release);
    }

    /// The piece that contains `ticks`: what the function was then, for as long as its segments are kept. Before the
    /// oldest that is kept, that one; behind the newest, that one.
    pub(super) fn piece_at(&self, ticks: u64) -> Piece {
        let mut index = Change(self).newest_index();
        let (mut piece, _) = self.segments[index].load();
        for _ in 0..self.segments.len() {
            if ticks.wrapping_sub(piece.first_ticks).cast_signed() >= 0 {
                break;
            }
            index = index.checked_sub(1).unwrap_or(self.segments.len() - 1);
            let (before, sealed) = self.segments[index].load();
            let is_before = before.first_ticks.wrapping_sub(piece.first_ticks).cast_signed() < 0;
            if !sealed || !is_before {
                break;
            }
            piece = before;
        }
        piece
    }

    /// Gives the pieces behind the segment `last` to `f`, oldest first. Returns the newest one's segment.
    pub(super) fn pieces_since(&self, last: Option<usize>, mut f: impl FnMut(&Piece)) -> usize {
        let newest = Change(self).newest_index();
        let mut index = last.unwrap_or(newest.checked_sub(1).unwrap_or(self.segments.len() - 1));
        while index != newest {
            index = self.next(index);
            f(&self.segments[index].load().0);
        }
        newest
    }

    fn current_index(&self) -> usize {
        let bytes = self.current.load(Ordering::Acquire).addr() - self.segments.as_ptr().addr();
        bytes / size_of::<Segment>()
    }

    fn next(&self, index: usize) -> usize {
        (index + 1) % self.segments.len()
    }

    fn address(&self, index: usize) -> *mut Segment {
        (&raw const self.segments[index]).cast_mut()
    }

    /// From the segment `index`, which is sealed, to the next.
    fn advance(&self, index: usize) {
        let next = self.address(self.next(index));
        let _ = self.current.compare_exchange(self.address(index), next, Ordering::AcqRel, Ordering::Relaxed);
    }
}

/// The right to change a [`Timebase`].
pub(super) struct Change<'a>(&'a Timebase);

impl Change<'_> {
    /// The last piece, to which changes are joined; and whether it is what readers are in.
    pub(super) fn newest(&self) -> (Piece, bool) {
        let index = self.newest_index();
        (self.0.segments[index].load().0, index == self.0.current_index())
    }

    fn newest_index(&self) -> usize {
        let mut index = self.0.current_index();
        while self.0.segments[index].load().1 {
            index = self.0.next(index);
        }
        index
    }

    /// Puts `first` and then `second` behind `newest`, where it ends. `false`: a reader has extended that meanwhile.
    pub(super) fn join(&self, newest: &Piece, first: &Piece, second: &Piece) -> bool {
        let index = self.newest_index();
        let first_index = self.0.next(index);
        self.0.segments[self.0.next(first_index)].store(second, false);
        self.0.segments[first_index].store(first, true);
        let span = &self.0.segments[index].span;
        let sealed = newest.span_ticks | SEALED;
        span.compare_exchange(newest.span_ticks, sealed, Ordering::Release, Ordering::Relaxed).is_ok()
    }

    /// The same, but from now on, wherever readers are: `first` does not begin where `newest` ends.
    pub(super) fn restart(&self, newest: &Piece, first: &Piece, second: &Piece) -> bool {
        let first_index = self.0.next(self.newest_index());
        let joined = self.join(newest, first, second);
        if joined {
            self.0.current.store(self.0.address(first_index), Ordering::Release);
        }
        joined
    }

    /// Counts a jump.
    pub(super) fn count_step(&self) {
        self.0.steps.fetch_add(1, Ordering::Relaxed);
    }
}
