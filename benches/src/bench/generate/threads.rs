//! The threads of a self-describing trace, as ringtrace's runtime writes it. A thread's metadata
//! precedes its first record.

use ringtrace_wire::simpletrace::encode::Encoder;
use ringtrace_wire::simpletrace::metadata::Metadata;

use super::DECLARATIONS;

/// The number of threads that exist at the same time.
const ALIVE: u64 = 40;

/// Number of threads that use each slot, one after the other.
const LIVES: u64 = 25;

const FIRST_TID: u64 = 5000;

/// The threads of a trace, and the metadata that was written for them.
pub struct Threads {
    encoder: Encoder,
    /// Number of records between the start of a thread and the start of its successor.
    life: u64,
    slots: Vec<Slot>,
    said: u32,
}

/// A slot that threads use one after the other.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    tid: u64,
    /// A bit for each event that has a mapping record.
    mapped: u64,
}

impl Threads {
    /// Starts a trace of `records` records with one thread, or with [`ALIVE`] threads at any time.
    /// Appends its metadata.
    pub fn new(alone: bool, records: u64, encoder: Encoder, out: &mut Vec<u8>) -> Threads {
        let (alive, life) = if alone { (1, u64::MAX) } else { (ALIVE, (records / LIVES).max(1)) };
        let slots = vec![Slot::default(); alive as usize];
        let mut threads = Threads { encoder, life, slots, said: 0 };
        threads.write(&Metadata::Version(1), out);
        for line in DECLARATIONS.lines() {
            threads.write(&Metadata::Declaration(line.to_owned()), out);
        }
        threads
    }

    fn write(&mut self, metadata: &Metadata, out: &mut Vec<u8>) {
        metadata.encode(self.said, self.encoder.order, out);
        self.said += 1;
    }

    /// Returns the id that record `number` contains for the event with the index `event` and the
    /// name `name`. `random` selects the thread. Appends the metadata that must precede the record.
    pub fn id(&mut self, event: u64, name: &str, number: u64, random: u64, out: &mut Vec<u8>) -> u64 {
        let alive = self.slots.len() as u64;
        let slot = (random >> 40) % alive;
        // Threads exit at different times.
        let life = if self.life == u64::MAX { 0 } else { (number + slot * (self.life / alive)) / self.life };
        let tid = FIRST_TID + life * alive + slot;
        let place = slot as usize;
        if self.slots[place].tid != tid {
            self.slots[place] = Slot { tid, mapped: 0 };
            self.write(&Metadata::Thread(tid as u32, format!("worker {slot}")), out);
        }
        let id = tid << 32 | (event + 1);
        if self.slots[place].mapped & 1 << event == 0 {
            self.slots[place].mapped |= 1 << event;
            self.encoder.mapping(id, name.as_bytes(), out);
        }
        id
    }
}
