//! The events of the last records, for records that alternate.

use super::encode::Event;

/// The event of one of the last records with each hash of the id.
#[derive(Debug)]
pub(super) struct Recent([Option<(u64, u32, Event)>; 64]);

impl Default for Recent {
    fn default() -> Recent {
        Recent([None; 64])
    }
}

impl Recent {
    #[inline(always)]
    pub(super) fn get(&self, id: u64, pid: u32) -> Option<Event> {
        let (key_id, key_pid, event) = self.0[Recent::at(id)]?;
        ((key_id, key_pid) == (id, pid)).then_some(event)
    }

    #[inline(always)]
    pub(super) fn set(&mut self, id: u64, pid: u32, event: Event) {
        self.0[Recent::at(id)] = Some((id, pid, event));
    }

    fn at(id: u64) -> usize {
        (id ^ id >> 32) as usize % 64
    }
}
