//! Model version of a recording. It contains only the parts that rings use.

use std::time::Duration;

use ringtrace_wire::arena::FullPolicy;

use crate::os::sync::{AtomicU32, Ordering};
use crate::ring::consumer;
use crate::ring::doorbell::{Doorbell, Requests};
use crate::ring::free_slots::FreeSlots;
use crate::ring::slot::Slot;
use crate::ring::slot_wait::SlotWait;
use crate::ring::without_slot::{WithoutSlot, new_entries};

#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) id: u64,
    pub(crate) full: FullPolicy,
    pub(crate) block_timeout: Option<Duration>,
    pub(crate) doorbell: Doorbell,
    pub(crate) flushes: Requests,
    pub(crate) free: FreeSlots,
    pub(crate) slot_wait: SlotWait,
    pub(crate) without_slot: WithoutSlot,
    stopping: AtomicU32,
    pub(crate) gone: AtomicU32,
    followed: AtomicU32,
}

impl Recording {
    pub(crate) fn new(full: FullPolicy, block_timeout: Option<Duration>, slots: usize) -> Recording {
        Recording {
            id: 1,
            full,
            block_timeout,
            doorbell: Doorbell::new(),
            flushes: Requests::new(),
            free: FreeSlots::all_of(slots),
            slot_wait: SlotWait::new(),
            without_slot: WithoutSlot::new(Box::leak(new_entries(1))),
            stopping: AtomicU32::new(0),
            gone: AtomicU32::new(0),
            followed: AtomicU32::new(0),
        }
    }

    pub(crate) fn wake_writer(&self) {
        self.doorbell.ring_if_asleep();
    }

    pub(crate) fn remind_writer(&self) {
        self.doorbell.ring_unless_napping();
    }

    pub(crate) fn want_writer(&self) {
        self.doorbell.ring();
    }

    pub(crate) fn has_writer(&self) -> bool {
        self.gone.load(Ordering::Acquire) == 0
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire) != 0
    }

    pub(crate) fn note_no_memory(&self, _tid: u32) {
        unreachable!("memory is not part of the models")
    }

    pub(crate) fn is_followed(&self) -> bool {
        self.followed.load(Ordering::Acquire) != 0
    }

    /// Ends the session. As in production, its successor has already started.
    pub(crate) fn stop(&self, is_followed: bool) {
        self.followed.store(u32::from(is_followed), Ordering::Release);
        self.stopping.store(1, Ordering::Release);
    }

    /// Ends the writer thread, as in production.
    pub(crate) fn writer_gone(&self, slots: &[Slot]) {
        self.gone.store(1, Ordering::Release);
        self.flushes.announce();
        slots.iter().for_each(consumer::wake_waiting);
    }
}
