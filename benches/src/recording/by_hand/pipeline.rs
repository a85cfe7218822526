//! A lossless pipeline: a ring of 48-byte records, which a second thread copies to a file.
//!
//! It supports one producer and one kind of event. It does not merge rings, record strings, support
//! any policy except waiting, or handle signals, forks and exits.

#![expect(unsafe_code, reason = "stores into a raw buffer, as the measured code does")]

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::burst;
use crate::recording::by_hand::clock::ticks;
use crate::recording::by_hand::ring_memory::RingMemory;
use crate::recording::stopwatch::process_cpu_ns;

const RING_BYTES: u64 = 1 << 20;
/// The size of a record with two u64 in a v4 trace.
pub const RECORD_BYTES: u64 = 48;
const EVENT: u64 = 42;
const PID: u64 = 4242;
/// The writer thread waits until at least this many bytes are available.
const WORTHWHILE_BYTES: u64 = RING_BYTES / 8;
/// The writer thread releases bytes in chunks of this size.
const CHUNK_BYTES: u64 = RING_BYTES / 4;
/// The writer thread sleeps this long if fewer than [`WORTHWHILE_BYTES`] are available.
const NAP: Duration = Duration::from_micros(20);
/// The producer checks for space this many times before it yields.
const SPINS: u32 = 64;

/// A ring. Each of its three parts is in cache lines of its own.
#[repr(C)]
struct Ring {
    producer: Producer,
    published: Line,
    consumed: Line,
    memory: RingMemory,
}

#[repr(align(64))]
struct Producer {
    position: Cell<u64>,
    /// The last value read from `Ring::consumed`.
    consumed: Cell<u64>,
    start: *mut u8,
}

#[repr(align(64))]
struct Line(AtomicU64);

// SAFETY: only the emitting thread uses `producer`; everything else may be shared.
unsafe impl Sync for Ring {}

thread_local! {
    static RING: Cell<*const Ring> = const { Cell::new(std::ptr::null()) };
}

/// The result of a run.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// Time from the first event until all are written, per event.
    pub ns: f64,
    /// Processor time of both threads, per event.
    pub cpu_ns: f64,
    /// Bytes written.
    pub bytes: u64,
}

/// Emits `events` events, and writes them to `output`.
///
/// # Errors
/// Fails if memory cannot be allocated, or `output` cannot be written.
pub fn run(output: &File, events: u64) -> io::Result<Run> {
    let memory = RingMemory::new(RING_BYTES as usize)?;
    let producer = Producer { position: Cell::new(0), consumed: Cell::new(0), start: memory.start() };
    let ring =
        Ring { producer, published: Line(AtomicU64::new(0)), consumed: Line(AtomicU64::new(0)), memory };
    let ring = &ring;
    let ended = &AtomicBool::new(false);
    thread::scope(|scope| {
        let writer = scope.spawn(move || write_until_ended(ring, ended, output));
        RING.set(ring);
        let (start, cpu_start) = (Instant::now(), process_cpu_ns());
        emit(events);
        ended.store(true, Ordering::Release);
        let bytes = writer.join().map_err(|_| io::Error::other("the writer panicked"))??;
        let ns = start.elapsed().as_nanos() as f64 / events as f64;
        let cpu_ns = (process_cpu_ns() - cpu_start) / events as f64;
        RING.set(std::ptr::null());
        Ok(Run { ns, cpu_ns, bytes })
    })
}

burst! {
    fn emit(|number| two(number, number.wrapping_mul(7)));
}

#[inline(always)]
fn two(first: u64, second: u64) {
    let ticks = ticks();
    // SAFETY: `run` has set the pointer, and the ring lives until `run` returns.
    let ring = unsafe { &*RING.get() };
    let producer = &ring.producer;
    let position = producer.position.get();
    if position + RECORD_BYTES - producer.consumed.get() > RING_BYTES {
        wait_for_room(ring, position);
    }
    // SAFETY: the memory is mapped twice in a row, and the writer thread reads only published
    // bytes.
    unsafe {
        let record = producer.start.add((position & (RING_BYTES - 1)) as usize).cast::<u64>();
        record.write(1);
        record.add(1).write(EVENT);
        record.add(2).write(ticks);
        record.add(3).write((RECORD_BYTES - 8) | (PID << 32));
        record.add(4).write(first);
        record.add(5).write(second);
    }
    producer.position.set(position + RECORD_BYTES);
    ring.published.0.store(position + RECORD_BYTES, Ordering::Release);
}

#[cold]
#[inline(never)]
fn wait_for_room(ring: &Ring, position: u64) {
    let mut spins = 0;
    loop {
        let consumed = ring.consumed.0.load(Ordering::Acquire);
        ring.producer.consumed.set(consumed);
        if position + RECORD_BYTES - consumed <= RING_BYTES {
            return;
        }
        spins += 1;
        if spins > SPINS { thread::yield_now() } else { std::hint::spin_loop() }
    }
}

/// Writes all records. Returns the number of bytes. After an error, continues to consume records,
/// so that the producer does not wait.
fn write_until_ended(ring: &Ring, ended: &AtomicBool, output: &File) -> io::Result<u64> {
    let mut written = Ok(0);
    loop {
        // Load this first, so that everything published before the end is visible below.
        let last = ended.load(Ordering::Acquire);
        let mut did = false;
        let worthwhile = if last { 1 } else { WORTHWHILE_BYTES };
        let mut consumed = ring.consumed.0.load(Ordering::Relaxed);
        loop {
            let ready = ring.published.0.load(Ordering::Acquire) - consumed;
            if ready < worthwhile {
                break;
            }
            let piece = ready.min(CHUNK_BYTES);
            // SAFETY: the bytes are published and not consumed, so the producer does not write
            // them.
            let bytes = unsafe { ring.memory.bytes(consumed, piece as usize) };
            let mut output = output;
            written = written.and_then(|sum: u64| output.write_all(bytes).map(|()| sum + piece));
            consumed += piece;
            ring.consumed.0.store(consumed, Ordering::Release);
            did = true;
        }
        if last {
            return written;
        }
        if !did {
            thread::sleep(NAP);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Seek};

    use super::*;

    #[test]
    fn every_record_is_written_once_and_in_order() {
        const EVENTS: u64 = 200_000;
        let mut file = tempfile::tempfile().unwrap();
        let run = run(&file, EVENTS).unwrap();
        assert_eq!(run.bytes, EVENTS * RECORD_BYTES);
        let mut bytes = Vec::new();
        file.rewind().unwrap();
        file.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes.len() as u64, run.bytes);
        let words: Vec<u64> =
            bytes.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().unwrap())).collect();
        for (number, record) in (0..).zip(words.chunks_exact(6)) {
            assert_eq!([record[0], record[1], record[3]], [1, EVENT, 40 | (PID << 32)]);
            assert_eq!([record[4], record[5]], [number, number * 7]);
        }
    }

    #[test]
    fn a_full_disk_is_an_error_and_the_producer_does_not_wait() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        assert!(run(&full, 200_000).is_err());
    }
}
