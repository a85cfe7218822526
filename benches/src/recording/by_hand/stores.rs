//! The cheapest record: four stores into a thread's own circular buffer, which nothing reads.

#![expect(unsafe_code, reason = "stores into a raw buffer, as the measured code does")]

use std::cell::Cell;
use std::io;

use crate::burst;
use crate::recording::burst::step;
use crate::recording::by_hand::clock::ticks;
use crate::recording::by_hand::ring_memory::RingMemory;
use crate::recording::work::Chain;

const BUFFER_BYTES: u64 = 256 << 10;
const EVENT: u64 = 42;

#[repr(C, align(64))]
struct Buffer {
    position: Cell<u64>,
    start: *mut u8,
}

thread_local! {
    static BUFFER: Cell<*const Buffer> = const { Cell::new(std::ptr::null()) };
}

/// Gives the calling thread a buffer, which the bursts below need. It is never freed.
///
/// # Errors
/// Fails if memory cannot be allocated.
pub fn provide() -> io::Result<()> {
    let memory = Box::leak(Box::new(RingMemory::new(BUFFER_BYTES as usize)?));
    BUFFER.set(Box::leak(Box::new(Buffer { position: Cell::new(0), start: memory.start() })));
    Ok(())
}

/// Returns the address for a record of `bytes` bytes.
#[inline(always)]
fn reserve(bytes: u64) -> *mut u64 {
    // SAFETY: `provide` was called on this thread, and its buffer is never freed. If `provide` was
    // not called, the access faults at address 0.
    let buffer = unsafe { &*BUFFER.get() };
    let position = buffer.position.get();
    buffer.position.set(position + bytes);
    // SAFETY: the memory is mapped twice in a row, and no record is longer than one mapping.
    unsafe { buffer.start.add((position & (BUFFER_BYTES - 1)) as usize).cast() }
}

#[inline(always)]
fn two(ticks: u64, first: u64, second: u64) {
    const BYTES: u64 = 32;
    let record = reserve(BYTES);
    // SAFETY: the bytes are reserved, and positions are multiples of 8.
    unsafe {
        record.write(EVENT | (BYTES << 32));
        record.add(1).write(ticks);
        record.add(2).write(first);
        record.add(3).write(second);
    }
}

#[inline(always)]
fn string(ticks: u64, text: &[u8], second: u64) {
    // The measured code truncates long strings, too.
    let text = &text[..text.len().min(512)];
    let bytes = (32 + text.len() as u64).next_multiple_of(8);
    let record = reserve(bytes);
    // SAFETY: the bytes are reserved, and positions are multiples of 8.
    unsafe {
        record.write(EVENT | (bytes << 32));
        record.add(1).write(ticks);
        record.add(2).write(second);
        record.add(3).write(text.len() as u64);
        record.add(4).cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), text.len());
    }
}

burst! {
    /// Does nothing.
    pub fn nothing(|number| {});

    /// Does nothing, eight times in each iteration.
    pub fn eight_times_nothing(|number| {
        step(number); step(number); step(number); step(number); step(number); step(number); step(number);
    });

    /// Reads the clock, and stores four words.
    pub fn clock_and_stores(|number| two(ticks(), number, number.wrapping_mul(7)));

    /// Stores four words.
    pub fn stores(|number| two(0, number, number.wrapping_mul(7)));

    /// Reads the clock, and stores a string and a number.
    pub fn clock_and_string(|number, text: &[u8]| string(ticks(), text, number));

    /// Does the simulated work.
    pub fn work(|number, mut chain: Chain| chain.go_on());

    /// Does the simulated work, and reads the clock.
    pub fn work_and_clock(|number, mut chain: Chain| {
        chain.go_on();
        step(ticks());
    });

    /// Does the simulated work, reads the clock, and stores four words.
    pub fn work_and_stores(|number, mut chain: Chain| {
        chain.go_on();
        two(ticks(), number, chain.value());
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_contiguous() {
        provide().unwrap();
        clock_and_stores(2);
        clock_and_string(1, b"twelve bytes");
        // SAFETY: `provide` created the buffer, which is never freed.
        let buffer = unsafe { &*BUFFER.get() };
        assert_eq!(buffer.position.get(), 32 + 32 + 48);
        let word = |index: usize| {
            // SAFETY: the word is within the buffer, which only this thread writes.
            unsafe { buffer.start.cast::<u64>().add(index).read() }
        };
        assert_eq!([word(0), word(2), word(3)], [42 | (32 << 32), 0, 0]);
        assert_eq!([word(4), word(6), word(7)], [42 | (32 << 32), 1, 7]);
        assert!(word(1) <= word(5));
        assert_eq!([word(8), word(10), word(11)], [42 | (48 << 32), 0, 12]);
        assert_eq!(word(12), u64::from_ne_bytes(*b"twelve b"));
    }

    #[test]
    fn the_buffer_wraps_around() {
        provide().unwrap();
        let laps = 3 * BUFFER_BYTES / 32;
        stores(laps + 5);
        // SAFETY: `provide` created the buffer, which is never freed.
        let buffer = unsafe { &*BUFFER.get() };
        assert_eq!(buffer.position.get(), 32 * (laps + 5));
        // SAFETY: the word is within the buffer, which only this thread writes.
        assert_eq!(unsafe { buffer.start.cast::<u64>().add(2).read() }, laps);
    }
}
