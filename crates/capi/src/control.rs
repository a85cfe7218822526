//! Which events there are, and switching them.

use std::ffi::{CStr, c_char};

use ringtrace::ffi;
use ringtrace::start::report_error;
use ringtrace_events::glob;

use crate::groups::{self, TraceEvent, groups};
use crate::ids;

/// A walk over events, on C's stack.
#[repr(C)]
#[derive(Debug)]
pub struct TraceEventIter {
    event: usize,
    group: usize,
    /// [`EVERY_GROUP`], or the only one.
    group_id: usize,
    pattern: *const c_char,
}

const EVERY_GROUP: usize = usize::MAX;

const ALL: TraceEventIter =
    TraceEventIter { event: 0, group: 0, group_id: EVERY_GROUP, pattern: std::ptr::null() };

/// # Safety
/// `iter` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_iter_init_all(iter: *mut TraceEventIter) {
    // SAFETY: the caller's promise.
    unsafe { iter.write(ALL) };
}

/// # Safety
/// `iter` is writable, and the string stays as long as it is used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_iter_init_pattern(iter: *mut TraceEventIter, pattern: *const c_char) {
    // SAFETY: the caller's promise.
    unsafe { iter.write(TraceEventIter { pattern, ..ALL }) };
}

/// # Safety
/// `iter` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_iter_init_group(iter: *mut TraceEventIter, group_id: usize) {
    // SAFETY: the caller's promise.
    unsafe { iter.write(TraceEventIter { group: group_id, group_id, ..ALL }) };
}

/// # Safety
/// `iter` was initialised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_iter_next(iter: *mut TraceEventIter) -> *mut TraceEvent {
    // SAFETY: the caller's promise.
    let iter = unsafe { &mut *iter };
    // SAFETY: a string stays as long as it is used.
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
        // SAFETY: an event of a group that is registered.
        let name = unsafe { CStr::from_ptr((*event).name) };
        if pattern.is_none_or(|pattern| glob::matches(pattern.to_bytes(), name.to_bytes())) {
            return event;
        }
    }
    std::ptr::null_mut()
}

/// # Safety
/// A string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_name(name: *const c_char) -> *mut TraceEvent {
    // SAFETY: the caller's promise.
    let name = unsafe { CStr::from_ptr(name) };
    let groups = groups();
    let is_it = |(_, ours): &(*mut TraceEvent, &ringtrace::Event)| ours.name().as_bytes() == name.to_bytes();
    groups.events().find(is_it).map_or(std::ptr::null_mut(), |(theirs, _)| theirs)
}

/// # Safety
/// An event of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_set_state_dynamic(event: *mut TraceEvent, state: bool) {
    // SAFETY: the caller's promise.
    let (id, sstate, name) = unsafe { ((*event).id, (*event).sstate, CStr::from_ptr((*event).name)) };
    if !sstate {
        // QEMU's assertion.
        let name = name.to_string_lossy();
        report_error(&format!(
            "trace event '{name}' is `disable`d in its declaration: nothing can switch it"
        ));
        std::process::abort();
    }
    match ids::find(id) {
        // It is traceable.
        Some(ours) => {
            let _ = ffi::set_enabled(ours, state);
        }
        None => groups::switch_early(event, state),
    }
}

/// # Safety
/// An event of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_event_set_state_dynamic_init(event: *mut TraceEvent, state: bool) {
    // SAFETY: the caller's promise.
    unsafe { trace_event_set_state_dynamic(event, state) };
}

/// 2010's way to switch events: a name, or a pattern. Says whether there is any that it means.
///
/// # Safety
/// A string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn st_change_trace_event_state(name: *const c_char, state: bool) -> bool {
    // SAFETY: the caller's promise.
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

/// There are no events of virtual processors any more.
#[unsafe(no_mangle)]
pub extern "C" fn trace_get_vcpu_event_count() -> u32 {
    0
}
