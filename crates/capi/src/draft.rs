//! Records that are collected before anybody gets them: for texts, all values are needed at once, and C hands them over one by one.
//!
//! Drafts stand in static memory, because a probe may stand in a signal handler, which cannot ask for any; who takes one gives it back before
//! its probe ends.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use ringtrace::ffi::HEADER_BYTES;
use ringtrace::probe::Value;
use ringtrace::{ArgumentKind, Event};

/// The longest record. `trace/simple.h` has it, too.
pub(crate) const MAX_PAYLOAD_BYTES: usize = 8000;

/// As many as there are bits in a word. Threads that find none wait for one: they are given back soon.
const DRAFTS: usize = 64;

/// How often a thread lets others go first before it gives up.
const PATIENCE: u32 = 10_000;

/// Space for a record as it stands in a ring.
const DRAFT_BYTES: usize = HEADER_BYTES + MAX_PAYLOAD_BYTES;

static SPACE: [[AtomicU8; DRAFT_BYTES]; DRAFTS] =
    [const { [const { AtomicU8::new(0) }; DRAFT_BYTES] }; DRAFTS];

/// A bit for each that is taken.
static TAKEN: AtomicU64 = AtomicU64::new(0);

/// A draft, until it is dropped.
#[derive(Debug)]
pub(crate) struct Draft(usize);

impl Draft {
    /// Takes one. `None`: there is none to be had.
    pub(crate) fn take() -> Option<Draft> {
        for _ in 0..PATIENCE {
            let free = (!TAKEN.load(Ordering::Relaxed)).trailing_zeros();
            if free < u64::BITS && TAKEN.fetch_or(1 << free, Ordering::Acquire) & 1 << free == 0 {
                return Some(Draft(free as usize));
            }
            if free == u64::BITS {
                std::thread::yield_now();
            }
        }
        None
    }

    /// Where it is, for C, which writes to it. It is not given back by that.
    pub(crate) fn into_raw(self) -> *mut u8 {
        let place = SPACE[self.0].as_ptr().cast_mut().cast();
        std::mem::forget(self);
        place
    }

    /// What [`Draft::into_raw`] has given.
    ///
    /// # Safety
    /// It has, and this was not called for it.
    pub(crate) unsafe fn from_raw(place: *mut u8) -> Draft {
        Draft((place.addr() - SPACE.as_ptr().addr()) / DRAFT_BYTES)
    }

    /// Gives the values that C has written, of an event's arguments, to `f`. Of what does not fit the declaration, nothing is made.
    pub(crate) fn with_values(&self, event: &Event, payload_bytes: usize, f: impl FnOnce(&[Value<'_>])) {
        const MAX_ARGUMENTS: usize = 16;
        let place = SPACE[self.0].as_ptr().cast::<u8>();
        // SAFETY: the draft's own space, which nobody writes to until it is given back.
        let mut rest = unsafe {
            std::slice::from_raw_parts(place.add(HEADER_BYTES), payload_bytes.min(MAX_PAYLOAD_BYTES))
        };
        let mut values = [Value::Integer(0); MAX_ARGUMENTS];
        let mut count = 0;
        for (argument, value) in event.declaration().arguments.iter().zip(&mut values) {
            let found = match argument.kind {
                ArgumentKind::Str => take_str(&mut rest),
                ArgumentKind::Integer | ArgumentKind::Pointer => take_integer(&mut rest),
            };
            let Some(found) = found else { break };
            *value = found;
            count += 1;
        }
        f(&values[..count]);
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        TAKEN.fetch_and(!(1 << self.0), Ordering::Release);
    }
}

#[expect(clippy::disallowed_methods, reason = "values in memory, written by C in this process")]
fn take_integer<'d>(rest: &mut &'d [u8]) -> Option<Value<'d>> {
    let (integer, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(Value::Integer(u64::from_ne_bytes(*integer)))
}

#[expect(clippy::disallowed_methods, reason = "values in memory, written by C in this process")]
fn take_str<'d>(rest: &mut &'d [u8]) -> Option<Value<'d>> {
    let (length, behind) = rest.split_first_chunk()?;
    let (text, behind) = behind.split_at_checked(u32::from_ne_bytes(*length) as usize)?;
    *rest = behind;
    Some(Value::Str(text))
}
