//! Lists events and switches them on and off.

use std::ffi::{CStr, c_char};

use ringtrace::ffi;
use ringtrace_events::glob;

use crate::groups::{self, TraceEvent, groups};
use crate::host::report_error;
use crate::ids;

/// An event iterator that C code allocates on its stack.
#[repr(C)]
#[derive(Debug)]
pub struct TraceEventIter {
    event: usize,
    group: usize,
    /// [`EVERY_GROUP`], or the index of one group.
    group_id: usize,
    pattern: *const c_char,
}

const EVERY_GROUP: usize = usize::MAX;

const ALL: TraceEventIter =
    TraceEventIter { event: 0, group: 0, group_id: EVERY_GROUP, pattern: std::ptr::null() };

/// # Safety
/// `iter` must be writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_iter_init_all(iter: *mut TraceEventIter) {
    // SAFETY: guaranteed by the caller.
    unsafe { iter.write(ALL) };
}

/// # Safety
/// `iter` must be writable, and the string must remain valid while `iter` is used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_iter_init_pattern(iter: *mut TraceEventIter, pattern: *const c_char) {
    // SAFETY: guaranteed by the caller.
    unsafe { iter.write(TraceEventIter { pattern, ..ALL }) };
}

/// # Safety
/// `iter` must be writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_iter_init_group(iter: *mut TraceEventIter, group_id: usize) {
    // SAFETY: guaranteed by the caller.
    unsafe { iter.write(TraceEventIter { group: group_id, group_id, ..ALL }) };
}

/// # Safety
/// `iter` must have been initialised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_iter_next(iter: *mut TraceEventIter) -> *mut TraceEvent {
    // SAFETY: guaranteed by the caller.
    let iter = unsafe { &mut *iter };
    // SAFETY: the string is valid as long as the iterator is used.
    let pattern = (!iter.pattern.is_null()).then(|| unsafe { CStr::from_ptr(iter.pattern) });
    let groups = groups();
    let end = groups.registered.len().min(iter.group_id.saturating_add(1));
    while iter.group < end {
        let Some(event) = groups.registered[iter.group].and_then(|group| group.event(iter.event)) else {
            iter.group += 1;
            iter.event = 0;
            continue;
        };
        iter.event += 1;
        // SAFETY: the event belongs to a registered group, so its name is a valid string.
        let name = unsafe { CStr::from_ptr((*event).name) };
        if pattern.is_none_or(|pattern| glob::matches(pattern.to_bytes(), name.to_bytes())) {
            return event;
        }
    }
    std::ptr::null_mut()
}

/// # Safety
/// `name` must be a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_name(name: *const c_char) -> *mut TraceEvent {
    // SAFETY: guaranteed by the caller.
    let name = unsafe { CStr::from_ptr(name) };
    let groups = groups();
    let is_it = |(_, ours): &(*mut TraceEvent, &ringtrace::Event)| ours.name().as_bytes() == name.to_bytes();
    groups.events().find(is_it).map_or(std::ptr::null_mut(), |(theirs, _)| theirs)
}

/// # Safety
/// `event` must be an event of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_set_state_dynamic(event: *mut TraceEvent, state: bool) {
    // SAFETY: guaranteed by the caller.
    let (id, sstate, name) = unsafe { ((*event).id, (*event).sstate, CStr::from_ptr((*event).name)) };
    if !sstate {
        // QEMU has an assertion here, so this function also aborts, but reports the error first.
        let name = name.to_string_lossy();
        report_error(&format!(
            "trace event '{name}' is declared with `disable`, so it cannot be enabled or disabled"
        ));
        std::process::abort();
    }
    match ids::find(id) {
        // Enabling or disabling cannot fail, because the event is traceable.
        Some(ours) => {
            let _ = ffi::set_enabled(ours, state);
        }
        None => groups::switch_early(event, state),
    }
}

/// # Safety
/// `event` must be an event of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_set_state_dynamic_init(event: *mut TraceEvent, state: bool) {
    // SAFETY: guaranteed by the caller.
    unsafe { trace_event_set_state_dynamic(event, state) };
}

/// Enables or disables events by name or pattern, like QEMU's function of 2010. Returns whether any
/// event matches.
///
/// # Safety
/// `name` must be a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn st_change_trace_event_state(name: *const c_char, state: bool) -> bool {
    // SAFETY: guaranteed by the caller.
    let name = unsafe { CStr::from_ptr(name) };
    let groups = groups();
    let mut found = false;
    for (_, ours) in
        groups.events().filter(|(_, ours)| glob::matches(name.to_bytes(), ours.name().as_bytes()))
    {
        let _ = ffi::set_enabled(ours, state);
        found = true;
    }
    found
}

/// QEMU no longer has per-CPU event states.
#[unsafe(no_mangle)]
pub extern "C" fn trace_get_vcpu_event_count() -> u32 {
    0
}
