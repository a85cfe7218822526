//! A thread's producer.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

use crate::producer::{NOWHERE, Producer};
use crate::shared;

/// The producer of threads that have no slot: it never has room, and nobody writes to it.
static NO_SLOT: Producer = Producer {
    next: AtomicU64::new(0),
    limit: AtomicU64::new(0),
    page: AtomicPtr::new(ptr::null_mut()),
    kind: AtomicU32::new(NOWHERE),
    ring_bytes: AtomicU32::new(0),
    ring: AtomicPtr::new(ptr::null_mut()),
    session: AtomicU64::new(0),
    pending: AtomicU64::new(0),
    page_number: AtomicU64::new(0),
};

/// Where a copy of the runtime keeps a thread's producer.
pub(crate) type ProducerCell = Cell<&'static Producer>;

/// The word of this thread, by the machine's own means.
///
/// The language's thread-local would do, were it not for probes that are off: its address is computed by code that the compiler takes for
/// free of cost, and moves out of loops and to the beginning of functions, before the test whether an event is on. In a library that
/// is a call. Assembly stays where it is. It asks for the model of variables that are there from the start (a library that is loaded
/// later takes its 8 bytes from what the C library keeps for that), which a linker makes two instructions in a program.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod word {
    use std::arch::{asm, global_asm};

    use super::{NO_SLOT, Producer, ProducerCell};

    /// The name of the word: another one for each version of this crate that a program links.
    macro_rules! named {
        ($before:literal, $after:literal) => {
            concat!(
                $before,
                "ringtrace_current_",
                env!("CARGO_PKG_VERSION_MAJOR"),
                "_",
                env!("CARGO_PKG_VERSION_MINOR"),
                "_",
                env!("CARGO_PKG_VERSION_PATCH"),
                $after
            )
        };
    }

    global_asm!(
        ".pushsection .tdata, \"awT\", @progbits",
        ".p2align 3",
        named!(".hidden ", ""),
        named!(".globl ", ""),
        named!(".type ", ", @object"),
        named!(".size ", ", 8"),
        named!("", ":"),
        ".quad {nobody}",
        ".popsection",
        nobody = sym NO_SLOT,
    );

    #[inline(always)]
    pub(super) fn load() -> &'static Producer {
        let producer: *const Producer;
        // SAFETY: the word is there in every thread, and only ever holds what a `ProducerCell` does: references that live for ever.
        unsafe {
            asm!(
                named!("mov {word}, qword ptr [rip + ", "@GOTTPOFF]"),
                "mov {word}, qword ptr fs:[{word}]",
                word = out(reg) producer,
                options(nostack, preserves_flags, readonly),
            );
            &*producer
        }
    }

    pub(super) fn cell() -> *const ProducerCell {
        let cell: *const ProducerCell;
        // SAFETY: the address of the word in this thread; nothing is changed.
        unsafe {
            asm!(
                "mov {cell}, qword ptr fs:[0]",
                named!("add {cell}, qword ptr [rip + ", "@GOTTPOFF]"),
                cell = out(reg) cell,
                options(nostack, readonly),
            );
        }
        cell
    }

    pub(super) fn store(producer: &'static Producer) {
        // SAFETY: it is this thread's own, and nobody has a reference to it.
        unsafe { (*cell()).set(producer) };
    }
}

/// The word of this thread, by the language's means.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod word {
    use std::cell::Cell;
    use std::ptr;

    use super::{NO_SLOT, Producer, ProducerCell};

    thread_local! {
        static CURRENT: ProducerCell = const { Cell::new(&NO_SLOT) };
    }

    #[inline(always)]
    pub(super) fn load() -> &'static Producer {
        CURRENT.get()
    }

    pub(super) fn cell() -> *const ProducerCell {
        CURRENT.with(ptr::from_ref)
    }

    pub(super) fn store(producer: &'static Producer) {
        CURRENT.set(producer);
    }
}

/// This thread's producer.
#[inline(always)]
pub(crate) fn current() -> &'static Producer {
    word::load()
}

/// Makes `producer` this thread's.
pub(crate) fn set_current(producer: &'static Producer) {
    word::store(producer);
}

/// Takes this thread's producer away.
pub(crate) fn clear_current() {
    word::store(&NO_SLOT);
    shared::take_back();
}

/// The producer of threads that have no slot.
pub(crate) fn nobody() -> &'static Producer {
    &NO_SLOT
}

/// Where this thread's producer is kept, for as long as the thread lives.
pub(crate) fn cell() -> *const ProducerCell {
    word::cell()
}
