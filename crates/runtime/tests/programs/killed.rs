//! A program to be killed. `killed POLICY DIRECTORY FILE COUNTS PAUSE_US` traces until it is
//! killed. With `POLICY:compact`, the trace is compact, and with `POLICY:zstd`, it is also compressed.
//! With `:rotate` after that, FILE is a folder, and the trace continues in another file every few
//! milliseconds.
//!
//! Three workers record as fast as they can, with optional pauses. Another thread starts threads
//! that record a few events and exit. Each record contains a check value, so that tests detect torn
//! records. The mapped file COUNTS contains the number of records that each worker has issued.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "a program for tests")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::Builder;
use std::time::Duration;

use ringtrace::probe::emit;
use ringtrace::session::start;
use ringtrace::{Argument, ArgumentKind, Declaration, Event, FileFormat, Policy, Rotation, Settings};

static NUMBERED: Event = Event::new(Declaration {
    name: "numbered",
    group: "killed",
    arguments: &[
        Argument { name: "number", ctype: "uint64_t", kind: ArgumentKind::Integer },
        Argument { name: "check", ctype: "uint64_t", kind: ArgumentKind::Integer },
    ],
    format: Some("\"number=%\"PRIu64\" check=%\"PRIu64"),
    text: "numbered(uint64_t number, uint64_t check) \"number=%\"PRIu64\" check=%\"PRIu64",
    traceable: true,
});

static WORDY: Event = Event::new(Declaration {
    name: "wordy",
    group: "killed",
    arguments: &[
        Argument { name: "number", ctype: "uint64_t", kind: ArgumentKind::Integer },
        Argument { name: "check", ctype: "uint64_t", kind: ArgumentKind::Integer },
        Argument { name: "text", ctype: "const char *", kind: ArgumentKind::Str },
    ],
    format: Some("\"number=%\"PRIu64\" check=%\"PRIu64\" text=%s\""),
    text: "wordy(uint64_t number, uint64_t check, const char *text) \"number=%\"PRIu64\" check=%\"PRIu64\" text=%s\"",
    traceable: true,
});

ringtrace::group! { name: "killed", events: [&NUMBERED, &WORDY] }

const TEXT: &[u8] = &[b'x'; 200];

fn record(number: u64) {
    let check = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    if number % 7 == 3 {
        emit(&WORDY, (number, check, &TEXT[..(check % 200) as usize]));
    } else {
        emit(&NUMBERED, (number, check));
    }
}

fn main() {
    // If the test is killed, this program must not fill the memory.
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL)).unwrap();
    let arguments: Vec<String> = std::env::args().collect();
    let [_, policy, directory, file, counts, pause] = arguments.as_slice() else {
        panic!("killed POLICY DIRECTORY FILE COUNTS PAUSE_US")
    };
    let pause = Duration::from_micros(pause.parse().unwrap());
    let (policy, rotation) = match policy.strip_suffix(":rotate") {
        Some(policy) => (policy, Rotation { time: Some(Duration::from_millis(2)), ..Rotation::default() }),
        None => (policy.as_str(), Rotation::default()),
    };
    let (policy, format) = match policy.split_once(':') {
        Some((policy, "compact")) => (policy, FileFormat::Compact),
        Some((policy, "zstd")) => (policy, FileFormat::CompactZstd),
        _ => (policy, FileFormat::V4),
    };
    let policy = match policy {
        "discard" => Policy::Discard,
        "block" => Policy::Block { timeout: None },
        _ => Policy::Overwrite,
    };
    let counts = std::fs::File::options().read(true).write(true).open(counts).unwrap();
    // SAFETY: this creates a shared mapping of a one-page file, which is never unmapped.
    let counts = unsafe {
        use rustix::mm::{MapFlags, ProtFlags, mmap};
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        mmap(std::ptr::null_mut(), 4096, protection, MapFlags::SHARED, &counts, 0).unwrap()
    };
    // SAFETY: the page starts with these words, which are only accessed as atomics.
    let counts: &'static [AtomicU64; 3] = unsafe { &*counts.cast() };
    let _guard = start(Settings {
        file: Some(PathBuf::from(file)),
        rotation,
        format,
        directory: Some(PathBuf::from(directory)),
        policy,
        buffer_bytes: 1 << 17,
        threads: 8,
        ..Settings::default()
    })
    .unwrap();
    ringtrace::set_enabled("*", true);
    for (at, count) in counts.iter().enumerate() {
        let work = move || {
            for number in 0.. {
                record(number);
                count.store(number + 1, Ordering::Release);
                if !pause.is_zero() && number % 256 == 0 {
                    std::thread::sleep(pause);
                }
            }
        };
        Builder::new().name(format!("worker {at}")).spawn(work).unwrap();
    }
    // Wait until all workers have rings, so that only other threads can lack one.
    while counts.iter().any(|count| count.load(Ordering::Relaxed) == 0) {
        std::thread::yield_now();
    }
    loop {
        let threads: Vec<_> = (0..3)
            .map(|_| Builder::new().name("short".to_owned()).spawn(|| (0..50).for_each(record)).unwrap())
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        std::thread::sleep(pause);
    }
}
