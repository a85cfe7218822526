//! The spans that threads have entered.
//!
//! A thread can use several subscribers, and each numbers its spans in its own way. So each entry
//! has an owner: the layer, or [`SUBSCRIBER`] for all [`RingSubscriber`](crate::RingSubscriber)s.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU64, Ordering};

use tracing_core::span::Id;

use crate::places::Place;

/// A span that a thread has entered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entered {
    owner: u64,
    /// 0 only in [`NONE`].
    id: u64,
    /// The span's number in the trace; 0 only in [`NONE`].
    pub(crate) number: u64,
    /// `None` only in [`NONE`].
    pub(crate) place: Option<&'static Place>,
}

const NONE: Entered = Entered { owner: SUBSCRIBER, id: 0, number: 0, place: None };

/// The owner of the spans in the table of [`Spans`](crate::spans::Spans).
pub(crate) const SUBSCRIBER: u64 = 0;

thread_local! {
    /// The last element of `STACK`, or `NONE`. Events usually read only this.
    static CURRENT: Cell<Entered> = const { Cell::new(NONE) };
    /// The spans that this thread has entered, the innermost at the end.
    static STACK: RefCell<Vec<Entered>> = const { RefCell::new(Vec::new()) };
}

/// Returns an owner for a new layer.
pub(crate) fn new_owner() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(SUBSCRIBER);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// Returns the number of the innermost of the owner's spans that the thread is in, or 0.
#[inline]
pub(crate) fn number(owner: u64) -> u64 {
    let current = CURRENT.get();
    if current.owner == owner || current.number == 0 {
        current.number
    } else {
        below_others(owner).map_or(0, |span| span.number)
    }
}

/// Returns the innermost of the owner's spans that the thread is in.
pub(crate) fn innermost(owner: u64) -> Option<Entered> {
    let current = CURRENT.get();
    if current.owner == owner { (current.number != 0).then_some(current) } else { below_others(owner) }
}

/// Returns the owner's innermost span, in a thread that has entered spans of other owners since.
#[cold]
fn below_others(owner: u64) -> Option<Entered> {
    let find = |stack: &RefCell<Vec<Entered>>| {
        stack.try_borrow().ok()?.iter().rfind(|span| span.owner == owner).copied()
    };
    STACK.try_with(find).ok().flatten()
}

/// Notes that the thread enters a span.
pub(crate) fn enter(owner: u64, id: &Id, number: u64, place: &'static Place) {
    let entered = Entered { owner, id: id.into_u64(), number, place: Some(place) };
    change(|stack| stack.push(entered));
}

/// Notes that the thread leaves a span, which need not be the innermost one. Returns the span if
/// the thread had entered it.
pub(crate) fn exit(owner: u64, id: &Id) -> Option<Entered> {
    change(|stack| {
        let is_left = |span: &Entered| span.owner == owner && span.id == id.into_u64();
        stack.iter().rposition(is_left).map(|at| stack.remove(at))
    })
    .flatten()
}

/// Changes the stack. Returns `None` if it is in use, or already destroyed because the thread
/// exits.
fn change<R>(change: impl FnOnce(&mut Vec<Entered>) -> R) -> Option<R> {
    let change = |stack: &RefCell<Vec<Entered>>| {
        let mut stack = stack.try_borrow_mut().ok()?;
        let result = change(&mut stack);
        CURRENT.set(stack.last().copied().unwrap_or(NONE));
        Some(result)
    };
    let Ok(result) = STACK.try_with(change) else {
        // The thread is exiting, so its spans are no longer known.
        CURRENT.set(NONE);
        return None;
    };
    result
}

impl Entered {
    pub(crate) fn id(&self) -> Id {
        Id::from_u64(self.id)
    }
}
