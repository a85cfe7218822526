//! Rendering a format and evaluating an expression must not allocate memory, because both run for
//! every record.

#![allow(clippy::unwrap_used, reason = "allowed in tests, but clippy also checks their helpers")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use ringtrace_events::CType;
use ringtrace_events::format::{Format, Value};
use ringtrace_tracefile::expression::{Expression, Subject};

/// A wrapper around the system's allocator that counts the allocations of each thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: Every call is passed unchanged to the system's allocator, which fulfils the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: The caller fulfils the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: The caller fulfils the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the number of allocations that `work` makes on this thread.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

const TYPES: [CType; 3] = [CType::Str, CType::Integer { bytes: 8, signed: false }, CType::Pointer];
const VALUES: [Value<'static>; 3] = [Value::Str(b"disk0.qcow2"), Value::Integer(4096), Value::Integer(0)];

struct Record;

impl Subject for Record {
    fn event_name(&self) -> &str {
        "blk_write"
    }
    fn pid(&self) -> Option<u32> {
        Some(1)
    }
    fn tid(&self) -> Option<u32> {
        None
    }
    fn thread_name(&self) -> Option<&str> {
        None
    }
    fn time_ns(&self) -> Option<i128> {
        Some(0)
    }
    fn argument(&self, index: usize) -> Option<Value<'_>> {
        VALUES.get(index).copied()
    }
}

#[test]
fn the_allocator_counts() {
    assert_eq!(allocations(|| drop(Box::new(1))), 1);
}

#[test]
fn rendering_allocates_no_memory() {
    let format = Format::parse(r#""%-20s|%08x|%#o|%p|%d" " %5.3" PRIu64"#);
    let mut out = Vec::with_capacity(4096);
    assert_eq!(allocations(|| (0..10).for_each(|_| format.render(&TYPES, &VALUES, &mut out))), 0);
    assert!(out.starts_with(b"disk0.qcow2         |00001000|0|"));
}

#[test]
fn evaluating_allocates_no_memory() {
    let source =
        r#"size * 2 + 1 > 4K && !(filename ~ "*.raw") && (tid == 3 || name ~ "blk_*") && time < 5ms"#;
    let expression = Expression::parse(source).unwrap();
    let bound =
        expression.bind(|name| ["filename", "size"].iter().position(|n| *n == name).map(|i| (i, TYPES[i])));
    assert_eq!(allocations(|| assert!(bound.matches(&Record))), 0);
}
