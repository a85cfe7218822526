//! The threads of a trace that describes itself, as ringtrace's runtime writes it: what must be known of a thread stands
//! right before its first record, so it is spread all along the file.

use ringtrace_wire::simpletrace::encode::Encoder;
use ringtrace_wire::simpletrace::metadata::Metadata;

use super::DECLARATIONS;

/// So many threads live at a time.
const ALIVE: u64 = 40;

/// So many follow each other in the place of each.
const LIVES: u64 = 25;

const FIRST_TID: u64 = 5000;

/// Who records what, and what must be said before.
pub struct Threads {
    encoder: Encoder,
    /// Records between the births of a thread and of the one that follows it.
    life: u64,
    slots: Vec<Slot>,
    said: u32,
}

/// The place of a thread, that others take after it.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    tid: u64,
    /// A bit for each event that has a mapping record.
    mapped: u64,
}

impl Threads {
    /// `alive` at a time, 1 or [`ALIVE`]; of these about [`LIVES`] follow each other in a trace of `records`. Appends what
    /// such a trace begins with.
    pub fn new(alone: bool, records: u64, encoder: Encoder, out: &mut Vec<u8>) -> Threads {
        let (alive, life) = if alone { (1, u64::MAX) } else { (ALIVE, (records / LIVES).max(1)) };
        let slots = vec![Slot::default(); alive as usize];
        let mut threads = Threads { encoder, life, slots, said: 0 };
        threads.say(&Metadata::Version(1), out);
        for line in DECLARATIONS.lines() {
            threads.say(&Metadata::Declaration(line.to_owned()), out);
        }
        threads
    }

    fn say(&mut self, metadata: &Metadata, out: &mut Vec<u8>) {
        metadata.encode(self.said, self.encoder.order, out);
        self.said += 1;
    }

    /// The id of event `event`, called `name`, in record `number`: of the thread that `random` says. Appends what must be
    /// known before.
    pub fn id(&mut self, event: u64, name: &str, number: u64, random: u64, out: &mut Vec<u8>) -> u64 {
        let alive = self.slots.len() as u64;
        let slot = (random >> 40) % alive;
        // Not all die at the same time.
        let life = if self.life == u64::MAX { 0 } else { (number + slot * (self.life / alive)) / self.life };
        let tid = FIRST_TID + life * alive + slot;
        let place = slot as usize;
        if self.slots[place].tid != tid {
            self.slots[place] = Slot { tid, mapped: 0 };
            self.say(&Metadata::Thread(tid as u32, format!("worker {slot}")), out);
        }
        let id = tid << 32 | (event + 1);
        if self.slots[place].mapped & 1 << event == 0 {
            self.slots[place].mapped |= 1 << event;
            self.encoder.mapping(id, name.as_bytes(), out);
        }
        id
    }
}
