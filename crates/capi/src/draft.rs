//! Drafts: records that C writes to memory first, for backends that need all values at once.
//!
//! Drafts are in static memory, because probes in signal handlers cannot allocate. A draft is
//! released before its probe ends.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use ringtrace::ffi::HEADER_BYTES;
use ringtrace::probe::Value;
use ringtrace::{ArgumentKind, Event};

/// The maximum length of a record's values, also defined in `trace/simple.h`.
pub(crate) const MAX_PAYLOAD_BYTES: usize = 8000;

/// The number of drafts, one for each bit of a word. If none is free, a thread waits for one. It
/// does not wait long, because drafts are released soon.
const DRAFTS: usize = 64;

const MAX_YIELDS: u32 = 10_000;

/// Size of a draft, which has the layout of a record in a ring.
const DRAFT_BYTES: usize = HEADER_BYTES + MAX_PAYLOAD_BYTES;

static SPACE: [[AtomicU8; DRAFT_BYTES]; DRAFTS] =
    [const { [const { AtomicU8::new(0) }; DRAFT_BYTES] }; DRAFTS];

/// One bit for each draft in use.
static TAKEN: AtomicU64 = AtomicU64::new(0);

/// A draft. Dropping it releases it.
#[derive(Debug)]
pub(crate) struct Draft(usize);

impl Draft {
    /// Takes a free draft. Returns `None` if none becomes free in time.
    pub(crate) fn take() -> Option<Draft> {
        for _ in 0..MAX_YIELDS {
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

    /// Returns the address for C to write to. The draft stays in use.
    pub(crate) fn into_raw(self) -> *mut u8 {
        let place = SPACE[self.0].as_ptr().cast_mut().cast();
        std::mem::forget(self);
        place
    }

    /// Converts an address back to its draft.
    ///
    /// # Safety
    /// `place` must have been returned by [`Draft::into_raw`], and must be converted only once.
    pub(crate) unsafe fn from_raw(place: *mut u8) -> Draft {
        Draft((place.addr() - SPACE.as_ptr().addr()) / DRAFT_BYTES)
    }

    /// Calls `f` with the values that C wrote for the event's arguments. Values that do not match
    /// the declaration are omitted.
    pub(crate) fn with_values(&self, event: &Event, payload_bytes: usize, f: impl FnOnce(&[Value<'_>])) {
        const MAX_ARGUMENTS: usize = 16;
        let place = SPACE[self.0].as_ptr().cast::<u8>();
        // SAFETY: the memory belongs to this draft. No other thread writes to it until it is
        // released.
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
