//! The body of a probe whose event is on.

use crate::Event;
use crate::payload::Payload;

/// Records what happened.
#[inline(always)]
pub(crate) fn emit<P: Payload>(event: &'static Event, payload: P) {
    let _ = (event, payload.bytes());
}
