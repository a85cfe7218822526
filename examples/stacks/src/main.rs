//! Call stacks of errors: which part of a program reads the blocks that cannot be read?
//!
//! ```text
//! RUSTFLAGS='-C force-frame-pointers=yes' cargo build -p ringtrace-example-stacks
//! target/debug/stacks --trace 'blk_*,file=stacks.trace' --trace blk_error,stack
//! ringtrace print stacks.trace --symbols
//! ```
//!
//! Tests run the program in other ways: `stacks wait` records and then waits to be killed, `stacks
//! signal` records in signal handlers, and `stacks wrong` calls probes with wrong frame pointers.

use std::error::Error;
use std::io::Write;

ringtrace::include_trace!("stacks");

/// The first block that cannot be read.
const DAMAGED: u64 = 12;

fn main() -> Result<(), Box<dyn Error>> {
    let (options, rest) = ringtrace::Options::from_args(std::env::args_os())?;
    let mut all = ringtrace::Options::from_env()?;
    all.extend(options);
    let _guard = all.start()?;
    match rest.get(1).and_then(|word| word.to_str()) {
        None => check_disk(),
        Some("wait") => {
            check_disk();
            writeln!(std::io::stdout(), "ready")?;
            loop {
                std::thread::park();
            }
        }
        Some("signal") => signal::record_all(),
        #[cfg(target_arch = "x86_64")]
        Some("wrong") => wrong::record_all(),
        Some(word) => return Err(format!("unknown word `{word}`: expected wait, signal or wrong").into()),
    }
    Ok(())
}

/// Reads two blocks in the main thread, and one in another.
#[inline(never)]
fn check_disk() {
    load_header();
    let reader = std::thread::Builder::new().name("reader".to_owned());
    let reader = reader.spawn(load_index).map(std::thread::JoinHandle::join);
    assert!(matches!(reader, Ok(Ok(()))), "the thread ends");
}

#[inline(never)]
fn load_header() {
    read_block(0);
    read_block(DAMAGED);
    std::hint::black_box(());
}

#[inline(never)]
fn load_index() {
    read_block(DAMAGED + 1);
    std::hint::black_box(());
}

#[inline(never)]
fn read_block(sector: u64) {
    trace::blk_read(sector);
    if sector >= DAMAGED {
        trace::blk_error(sector, -5);
    }
    std::hint::black_box(());
}

/// Probes in signal handlers.
mod signal {
    #![expect(unsafe_code, reason = "sets signal handlers")]

    use super::{read_block, trace};

    /// Records an event in a handler on this thread's stack, and one in a handler on its alternate
    /// stack, which the standard library provides.
    pub fn record_all() {
        set_handler(libc::SIGUSR1, 0);
        set_handler(libc::SIGUSR2, libc::SA_ONSTACK);
        interrupted(libc::SIGUSR1);
        interrupted(libc::SIGUSR2);
        read_block(super::DAMAGED);
    }

    extern "C" fn handle(signal: libc::c_int) {
        trace::blk_error(signal as u64, 0);
        std::hint::black_box(());
    }

    #[inline(never)]
    fn interrupted(signal: libc::c_int) {
        interrupt(signal);
        std::hint::black_box(());
    }

    #[inline(never)]
    fn interrupt(signal: libc::c_int) {
        // SAFETY: the signal has a handler.
        unsafe { libc::raise(signal) };
        std::hint::black_box(());
    }

    fn set_handler(signal: libc::c_int, flags: libc::c_int) {
        let handler = handle as extern "C" fn(libc::c_int) as usize;
        // SAFETY: zeros are a valid action, and the handler calls only probes.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler;
            action.sa_flags = flags;
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

/// Probes of code whose frame pointer is wrong, as in programs that use its register for something
/// else.
#[cfg(target_arch = "x86_64")]
mod wrong {
    #![expect(unsafe_code, reason = "sets the frame pointer")]

    use std::arch::naked_asm;

    use super::trace;

    /// Records an event with each of these values as frame pointer, and with values around the stack.
    pub fn record_all() {
        let here = 0_u64;
        let stack = std::ptr::from_ref(&here).addr() as u64;
        let values = [0, 1, 8, 0x1000, u64::MAX, u64::MAX - 7, 1 << 47, 0xffff_8000_0000_0000, stack];
        let near = (0..4096).map(|step| (stack & !7).wrapping_add(8 * step).wrapping_sub(8192));
        for value in values.into_iter().chain(near) {
            call_with_frame_pointer(value, value);
        }
        // A frame in memory that is not part of the stack, and one that is its own caller.
        let other: Box<[u64; 2]> = Box::new([0, 0x4242]);
        call_with_frame_pointer(std::ptr::from_ref(&*other).addr() as u64, 1);
        let mut own = [0_u64, 0x4242];
        own[0] = own.as_ptr().addr() as u64;
        call_with_frame_pointer(std::hint::black_box(&own).as_ptr().addr() as u64, 2);
    }

    extern "C" fn record(sector: u64) {
        trace::blk_error(sector, -5);
        std::hint::black_box(());
    }

    /// Calls [`record`] with `frame_pointer` as frame pointer.
    fn call_with_frame_pointer(frame_pointer: u64, sector: u64) {
        #[unsafe(naked)]
        unsafe extern "C" fn call(frame_pointer: u64, sector: u64) {
            naked_asm!(
                "push rbp",
                "mov rbp, rdi",
                "mov rdi, rsi",
                "call {record}",
                "pop rbp",
                "ret",
                record = sym record,
            )
        }
        // SAFETY: the function restores the register.
        unsafe { call(frame_pointer, sector) };
    }
}
