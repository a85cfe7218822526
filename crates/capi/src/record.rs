//! Records that `trace/simple.h` does not write by itself: of threads that have no ring yet or a full one, with other clocks, or for other
//! backends, too.

use ringtrace::ffi::{self, Reservation, ThreadCell};
use ringtrace::{Backends, Event};

use crate::draft::{self, Draft};
use crate::ids;

/// Where C writes a record.
#[repr(C)]
#[derive(Debug)]
pub struct RoomForC {
    /// NULL: it is a draft.
    producer: *mut (),
    /// NULL: there is no room.
    record: *mut u8,
}

const NO_ROOM: RoomForC = RoomForC { producer: std::ptr::null_mut(), record: std::ptr::null_mut() };

unsafe extern "C" {
    safe fn ringtrace_current_cell() -> *mut *mut ();
}

/// This thread's pointer.
fn cell() -> ThreadCell {
    // SAFETY: a thread-local word of this thread, that points to what `record.c` and the runtime have, whose layouts a test compares.
    unsafe { ThreadCell::new(ringtrace_current_cell()) }
}

/// Reservation for a record of event number `id`.
#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_record_start(id: u32, payload_bytes: usize) -> RoomForC {
    let Some(event) = ids::find(id) else { return NO_ROOM };
    let wanted = ffi::wanted(event);
    if wanted.is_empty() {
        NO_ROOM
    } else if payload_bytes > draft::MAX_PAYLOAD_BYTES {
        ffi::count_refused(event);
        NO_ROOM
    } else if wanted == Backends::SIMPLE {
        ffi::reserve(cell(), event.id(), payload_bytes).map_or(NO_ROOM, |room| {
            let record = std::ptr::with_exposed_provenance_mut(room.next as usize);
            RoomForC { producer: room.producer, record }
        })
    } else if let Some(draft) = Draft::take() {
        // Texts need all values at once.
        RoomForC { record: draft.into_raw(), ..NO_ROOM }
    } else {
        ffi::count_refused(event);
        NO_ROOM
    }
}

/// Publishes it.
///
/// # Safety
/// `room` is what this thread got of [`ringtrace_record_start`] for the same event and as many bytes, and they are written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_record_finish(room: RoomForC, id: u32, payload_bytes: u32) {
    if room.producer.is_null() {
        // SAFETY: a draft that was not given back.
        let draft = unsafe { Draft::from_raw(room.record) };
        if let Some(event) = ids::find(id) {
            finish_draft(event, &draft, payload_bytes as usize);
        }
    } else {
        let room = Reservation { producer: room.producer, next: room.record.addr() as u64 };
        // SAFETY: the caller's promise.
        unsafe { ffi::publish(room, id, payload_bytes as usize) };
    }
}

fn finish_draft(event: &'static Event, draft: &Draft, payload_bytes: usize) {
    draft.with_values(event, payload_bytes, |values| ffi::emit(cell(), event, values));
}

/// Counts a string that was cut.
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

    /// Programs that were compiled stay as they are when the library is exchanged. When this changes, so does the number in the name
    /// `ringtrace_current_1`, by which the linker finds out.
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
    fn the_header_knows_how_the_runtime_lays_things_out() {
        assert_eq!(ringtrace_layout(), LAYOUT);
    }
}
