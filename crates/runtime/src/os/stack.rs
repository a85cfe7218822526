//! Call stacks, found by frame pointers.
//!
//! A probe may run anywhere, also in a signal handler, and in a program without frame pointers. So
//! the walk neither allocates nor locks, and it reads memory only within the thread's own stack,
//! above the current function. There, a wrong frame pointer leads to wrong addresses, but never to
//! a fault. The walk only moves towards the stack's end, so it terminates.
//!
//! `docs/design/context.md` explains how the end of the stack is found.

#![expect(unsafe_code, reason = "reads registers, and frames on the thread's own stack")]

use std::cell::Cell;
use std::os::fd::BorrowedFd;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use super::signal;
use ringtrace_wire::ring::MAX_FRAMES;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// Whether this processor's stacks can be walked.
pub(crate) const IS_SUPPORTED: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// No code has an address below this one.
const FIRST_ADDRESS: u64 = 0x1000;

/// A place in the program: the address of an instruction, and the frame pointer there.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Site {
    /// An address in an instruction of the function.
    pub address: u64,
    /// The value of the frame pointer in that function.
    pub frame: u64,
}

impl Site {
    /// Returns the place of the call. It is in the function into which this function is inlined.
    #[inline(always)]
    pub(crate) fn here() -> Site {
        let (address, frame): (u64, u64);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this only reads two registers.
        unsafe {
            std::arch::asm!(
                "lea {address}, [rip]",
                "mov {frame}, rbp",
                address = out(reg) address,
                frame = out(reg) frame,
                options(nomem, nostack, preserves_flags),
            );
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: this only reads two registers.
        unsafe {
            std::arch::asm!(
                "adr {address}, .",
                "mov {frame}, x29",
                address = out(reg) address,
                frame = out(reg) frame,
                options(nomem, nostack, preserves_flags),
            );
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        {
            (address, frame) = (0, 0);
        }
        Site { address, frame }
    }
}

/// The addresses of a call stack.
pub(crate) type Addresses = [u64; MAX_FRAMES];

/// Walks the stack of this thread from `site`, which must be in a caller of this function. Stores the
/// addresses, innermost first: the address of the probe, and then return addresses. Returns their
/// number.
///
/// The caller provides the memory, because alternate signal stacks are small, and results that are
/// passed by value can be on the stack several times.
#[inline(never)]
pub(crate) fn walk(site: Site, addresses: &mut Addresses) -> usize {
    if !IS_SUPPORTED {
        return 0;
    }
    addresses[0] = site.address;
    let mut count = 1;
    // The frames of callers are above this function's variables.
    let mut least = ptr::from_ref(&count).addr() as u64;
    let end = end_of_stack(least);
    let mut frame = site.frame;
    while count < MAX_FRAMES && is_frame(frame, least, end) {
        // SAFETY: the frame is aligned, and within this thread's stack, above the variables of this
        // function. This memory stays mapped while the thread runs, and no other thread depends on
        // it.
        let [next, address] =
            unsafe { ptr::with_exposed_provenance::<[u64; 2]>(frame as usize).read_volatile() };
        let address = without_authentication(address);
        if address < FIRST_ADDRESS {
            break;
        }
        addresses[count] = address;
        count += 1;
        (least, frame) = (frame + FRAME_BYTES, next);
    }
    // Load first: the threads share this word.
    if !WALKED.load(Ordering::Relaxed) {
        WALKED.store(true, Ordering::Relaxed);
    }
    count
}

/// Set when a stack was walked, until [`take_walked`].
///
/// Relaxed: a record with a stack is published after this was set, and the writer thread reads this
/// after it has found the record. If the probe finds it already set, and the writer thread resets it
/// at the same moment, then the code in the stack was loaded before the writer thread's next check.
static WALKED: AtomicBool = AtomicBool::new(false);

/// Returns whether a stack was walked since the last call.
pub(crate) fn take_walked() -> bool {
    WALKED.load(Ordering::Relaxed) && WALKED.swap(false, Ordering::Relaxed)
}

/// The size of a frame's start: the frame pointer of the caller, and the return address.
const FRAME_BYTES: u64 = 16;

/// Returns whether `frame` is aligned, and between `least` and `end`.
fn is_frame(frame: u64, least: u64, end: u64) -> bool {
    frame.is_multiple_of(8)
        && frame >= least
        && frame.checked_add(FRAME_BYTES).is_some_and(|past| past <= end)
}

/// Removes a signature of pointer authentication from a return address.
fn without_authentication(address: u64) -> u64 {
    if cfg!(target_arch = "aarch64") { address & (u64::MAX >> 16) } else { address }
}

/// A range of addresses that contains a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Region {
    start: u64,
    end: u64,
    /// The end of the thread's stack, if the region is that stack; else 0, and nothing is read.
    stack_end: u64,
}

impl Region {
    const NONE: Region = Region { start: 0, end: 0, stack_end: 0 };

    /// For threads that cannot find their stack.
    const UNKNOWN: Region = Region { start: 0, end: u64::MAX, stack_end: 0 };
}

thread_local! {
    /// The region of this thread's last stack pointer.
    static REGION: Cell<Region> = const { Cell::new(Region::NONE) };
}

/// Returns the end of this thread's stack, or 0 if `stack_pointer` is in another stack.
fn end_of_stack(stack_pointer: u64) -> u64 {
    let region = REGION.get();
    if (region.start..region.end).contains(&stack_pointer) {
        region.stack_end
    } else {
        find_end(stack_pointer)
    }
}

/// Finds the end of the stack, and remembers the region for later calls.
#[cold]
fn find_end(stack_pointer: u64) -> u64 {
    // An alternate stack may be too small for reading files. The thread soon leaves it, so the region
    // of its own stack stays.
    if signal::on_other_stack() {
        return 0;
    }
    let region = find_region(stack_pointer);
    REGION.set(region);
    region.stack_end
}

fn find_region(stack_pointer: u64) -> Region {
    let Ok(mapping) = find_mapping(stack_pointer) else { return Region::UNKNOWN };
    let Mapping { start, end, is_main_stack } = mapping;
    // SAFETY: the function has no preconditions.
    let descriptor = unsafe { libc::pthread_self() } as u64;
    let stack_end = match descriptor {
        _ if is_main_stack => end,
        _ if (stack_pointer..end).contains(&descriptor) => descriptor,
        _ => 0,
    };
    Region { start, end, stack_end }
}

/// A line of `/proc/self/maps`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mapping {
    start: u64,
    end: u64,
    /// Whether this is the stack of the main thread, which grows.
    is_main_stack: bool,
}

/// Finds the mapping that contains `address`, with system calls only.
fn find_mapping(address: u64) -> Result<Mapping, Errno> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let file = rustix::fs::openat(rustix::fs::CWD, c"/proc/self/maps", flags, Mode::empty())?;
    find_line(std::os::fd::AsFd::as_fd(&file), address)
}

fn find_line(file: BorrowedFd<'_>, address: u64) -> Result<Mapping, Errno> {
    let mut buffer = [0_u8; 512];
    let mut lines = Lines::default();
    loop {
        let count = match rustix::io::read(file, &mut buffer) {
            Err(Errno::INTR) => continue,
            Ok(0) => return Err(Errno::NOENT),
            read => read?,
        };
        for &byte in &buffer[..count] {
            if let Some(mapping) = lines.next(byte)
                && (mapping.start..mapping.end).contains(&address)
            {
                return Ok(mapping);
            }
        }
    }
}

/// Parses lines of `/proc/self/maps`, byte by byte: `START-END PERMISSIONS ... NAME`.
#[derive(Debug, Default)]
struct Lines {
    /// The addresses so far.
    range: [u64; 2],
    /// The index of the current address; 2 after both.
    field: usize,
    /// The last bytes of the line.
    tail: [u8; MAIN_STACK.len()],
}

const MAIN_STACK: [u8; 8] = *b" [stack]";

impl Lines {
    /// Takes the next byte. Returns the mapping at the end of a line.
    fn next(&mut self, byte: u8) -> Option<Mapping> {
        match (byte, self.field) {
            (b'\n', _) => {
                let [start, end] = self.range;
                let is_main_stack = self.tail == MAIN_STACK;
                *self = Lines::default();
                return Some(Mapping { start, end, is_main_stack });
            }
            (b'-' | b' ', 0 | 1) => self.field += 1,
            (_, 0 | 1) => {
                let digit = char::from(byte).to_digit(16).unwrap_or(0);
                self.range[self.field] = self.range[self.field] << 4 | u64::from(digit);
            }
            _ => {}
        }
        self.tail.rotate_left(1);
        self.tail[MAIN_STACK.len() - 1] = byte;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_maps_are_parsed() {
        let text = "55d0c0ff0000-55d0c0ff1000 r-xp 00001000 fd:00 12 /a-b/c d\n\
                    7ffe00000000-7ffe00021000 rw-p 00000000 00:00 0                          [stack]\n\
                    7f0000000000-7f0000001000 rw-p 00000000 00:00 0 \n";
        let mut lines = Lines::default();
        let found: Vec<Mapping> = text.bytes().filter_map(|byte| lines.next(byte)).collect();
        let mapping = |start, end, is_main_stack| Mapping { start, end, is_main_stack };
        assert_eq!(
            found,
            [
                mapping(0x55d0_c0ff_0000, 0x55d0_c0ff_1000, false),
                mapping(0x7ffe_0000_0000, 0x7ffe_0002_1000, true),
                mapping(0x7f00_0000_0000, 0x7f00_0000_1000, false),
            ]
        );
    }

    #[test]
    fn a_thread_knows_the_end_of_its_stack() {
        let check = || {
            let here = 0_u8;
            let at = ptr::from_ref(&here).addr() as u64;
            let end = end_of_stack(at);
            assert!(end > at && end - at < 256 << 20, "{at:#x} {end:#x}");
            // SAFETY: the last word of the stack is mapped.
            unsafe { ptr::with_exposed_provenance::<u64>(end as usize - 8).read_volatile() };
        };
        std::thread::spawn(check).join().unwrap();
    }

    #[test]
    fn memory_that_is_not_the_thread_s_stack_has_no_end() {
        let heap = vec![0_u8; 1 << 20];
        let at = heap.as_ptr().addr() as u64;
        assert_eq!(std::thread::spawn(move || end_of_stack(at)).join().unwrap(), 0);
    }

    #[test]
    fn wrong_frame_pointers_end_the_stack() {
        // Everything between the stack pointer and the end of the stack, and all around it.
        let wrong = || {
            let here = 0_u8;
            let at = ptr::from_ref(&here).addr() as u64;
            let end = end_of_stack(at);
            let around = (at - (8 << 10)..end + (8 << 10)).step_by(4);
            for frame in around.chain([0, 1, 7, 8, u64::MAX, u64::MAX - 15, u64::MAX << 47, 1 << 47]) {
                let count = walk(Site { address: FIRST_ADDRESS, frame }, &mut [0; MAX_FRAMES]);
                assert!((1..=MAX_FRAMES).contains(&count));
            }
        };
        // A small stack, so that all of it is tried.
        std::thread::Builder::new().stack_size(64 << 10).spawn(wrong).unwrap().join().unwrap();
    }

    #[test]
    fn frames_above_the_walk_are_followed_to_the_end() {
        let walked = || {
            let mut frames = [0_u64; 8];
            let at = ptr::from_ref(&frames).expose_provenance() as u64;
            // A chain of three frames. The last one points below itself.
            frames = [at + 16, 0x1111, at + 40, 0x2222, 0, at, 0x3333, 0];
            std::hint::black_box(&mut frames);
            let mut addresses = [0; MAX_FRAMES];
            let count = walk(Site { address: 0x4444, frame: at }, &mut addresses);
            std::hint::black_box(&mut frames);
            addresses[..count].to_vec()
        };
        let expected = [0x4444, 0x1111, 0x2222, 0x3333];
        assert_eq!(std::thread::spawn(walked).join().unwrap(), expected);
    }
}
