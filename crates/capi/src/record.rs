//! Records that `trace/simple.h` cannot write inline, because the thread has no ring, the ring is
//! full, or another clock or backend is in use.

use ringtrace::ffi::{self, Reservation, Site, ThreadCell};
use ringtrace::{Backends, Event};

use crate::draft::{self, Draft};
use crate::ids;

/// A location to which C writes a record.
#[repr(C)]
#[derive(Debug)]
pub struct CReservation {
    /// The producer. NULL for a draft.
    producer: *mut (),
    /// The location of the record. NULL if the record is dropped.
    record: *mut u8,
}

const NOT_RESERVED: CReservation =
    CReservation { producer: std::ptr::null_mut(), record: std::ptr::null_mut() };

unsafe extern "C" {
    safe fn ringtrace_current_cell() -> *mut *mut ();
}

/// Returns this thread's pointer to its producer.
fn cell() -> ThreadCell {
    // SAFETY: the pointer points to a thread-local word of this thread. The word points to a
    // structure of `record.c` or of the runtime. A test checks that both have the same layout.
    unsafe { ThreadCell::new(ringtrace_current_cell()) }
}

/// Reserves memory for a record of the event `id`.
#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_record_start(id: u32, payload_bytes: usize) -> CReservation {
    let Some(event) = ids::find(id) else { return NOT_RESERVED };
    let wanted = ffi::wanted(event);
    if wanted.is_empty() {
        NOT_RESERVED
    } else if payload_bytes > draft::MAX_PAYLOAD_BYTES {
        ffi::count_refused(event);
        NOT_RESERVED
    } else if wanted == Backends::SIMPLE && !ffi::has_context(event) {
        ffi::reserve(cell(), event.id(), payload_bytes).map_or(NOT_RESERVED, |room| {
            let record = std::ptr::with_exposed_provenance_mut(room.next as usize);
            CReservation { producer: room.producer, record }
        })
    } else if let Some(draft) = Draft::take() {
        // Text backends need all values at once, and a context is recorded by another function.
        CReservation { record: draft.into_raw(), ..NOT_RESERVED }
    } else {
        ffi::count_refused(event);
        NOT_RESERVED
    }
}

/// Publishes a record.
///
/// # Safety
/// `reservation` must be from this thread's call of [`ringtrace_record_start`] for the same event
/// and size, and the values must have been written.
#[cfg_attr(any(target_arch = "x86_64", target_arch = "aarch64"), unsafe(naked))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_record_finish(reservation: CReservation, id: u32, payload_bytes: u32) {
    // Add the caller's address and frame pointer to the arguments: compiled code, which may have no
    // frame pointers, cannot find the caller.
    #[cfg(target_arch = "x86_64")]
    std::arch::naked_asm!("mov r8, [rsp]", "dec r8", "mov r9, rbp", "jmp {finish}", finish = sym finish);
    #[cfg(target_arch = "aarch64")]
    std::arch::naked_asm!("sub x4, x30, #1", "mov x5, x29", "b {finish}", finish = sym finish);
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    // SAFETY: guaranteed by the caller.
    unsafe {
        finish(reservation, id, payload_bytes, Site { address: 0, frame: 0 });
    }
}

/// The implementation of [`ringtrace_record_finish`]. `site` is in the function with the probe.
///
/// # Safety
/// As for [`ringtrace_record_finish`].
unsafe extern "C" fn finish(reservation: CReservation, id: u32, payload_bytes: u32, site: Site) {
    if reservation.producer.is_null() {
        // SAFETY: without a producer, the record is in a draft that has not been released.
        let draft = unsafe { Draft::from_raw(reservation.record) };
        if let Some(event) = ids::find(id) {
            finish_draft(event, &draft, payload_bytes as usize, site);
        }
    } else {
        let room = Reservation { producer: reservation.producer, next: reservation.record.addr() as u64 };
        // SAFETY: guaranteed by the caller.
        unsafe { ffi::publish(room, id, payload_bytes as usize) };
    }
}

fn finish_draft(event: &'static Event, draft: &Draft, payload_bytes: usize, site: Site) {
    draft.with_values(event, payload_bytes, |values| ffi::emit(cell(), event, values, site));
}

/// Counts a truncated string.
#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_record_cut() {
    ffi::count_cut_string();
}

#[cfg(test)]
mod tests {
    use ringtrace::ffi::{LAYOUT, Layout};

    unsafe extern "C" {
        safe fn ringtrace_layout() -> Layout;
    }

    unsafe extern "C" {
        safe static ringtrace_max_payload_bytes: usize;
    }

    #[test]
    fn drafts_are_as_long_as_records() {
        assert_eq!(ringtrace_max_payload_bytes, crate::draft::MAX_PAYLOAD_BYTES);
    }

    /// Compiled programs rely on this layout even if the library is replaced. When the layout
    /// changes, change the number in the name `ringtrace_current_1` too, so that the linker reports
    /// the mismatch.
    #[test]
    fn programs_that_were_compiled_rely_on_it() {
        let number_1 = Layout {
            next_at: 0,
            limit_at: 8,
            page_at: 16,
            published_at: 0,
            header_bytes: 16,
            alignment: 8,
            ticks_mode: 1,
            max_str_bytes: 512,
        };
        assert_eq!(LAYOUT, number_1);
    }

    #[test]
    fn header_and_runtime_have_the_same_layout() {
        assert_eq!(ringtrace_layout(), LAYOUT);
    }
}
