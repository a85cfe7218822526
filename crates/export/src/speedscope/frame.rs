//! The names of frames.

use std::collections::HashMap;
use std::io::{self, Write};

use crate::shared::json;
use crate::shared::spill::{SpillStreamId, SpillStreams};

/// Maximum size of the remembered names. A remembered name is written only once. When the limit is
/// exceeded, all names are forgotten and may be written again.
const REMEMBERED_BYTES: usize = 16 << 20;
const OVERHEAD_BYTES: usize = 64;

#[derive(Debug)]
pub struct Frames {
    texts: SpillStreamId,
    count: u64,
    numbers: HashMap<Box<str>, u64>,
    remembered_bytes: usize,
}

impl Frames {
    pub fn new(spill: &mut SpillStreams) -> Frames {
        Frames { texts: spill.add(), count: 0, numbers: HashMap::new(), remembered_bytes: 0 }
    }

    pub fn index(&mut self, name: &str, spill: &mut SpillStreams) -> io::Result<u64> {
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        let mut text = if self.count > 0 { b",\n{\"name\":".to_vec() } else { b"\n{\"name\":".to_vec() };
        json::string(name, &mut text);
        text.push(b'}');
        spill.append(self.texts, &text)?;
        if self.remembered_bytes >= REMEMBERED_BYTES {
            self.numbers.clear();
            self.remembered_bytes = 0;
        }
        self.remembered_bytes += name.len() + OVERHEAD_BYTES;
        self.numbers.insert(name.into(), self.count);
        self.count += 1;
        Ok(self.count - 1)
    }

    pub fn write(&self, spill: &SpillStreams, out: &mut impl Write) -> io::Result<()> {
        spill.copy(self.texts, out)
    }
}
