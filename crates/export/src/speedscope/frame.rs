//! The names of frames.

use std::collections::HashMap;
use std::io::{self, Write};

use crate::shared::json;
use crate::shared::spill::{SpillStreamId, SpillStreams};
use crate::shared::stack::StackFrame;

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
        self.add(name, name, b"}", spill)
    }

    /// Returns the index of a frame of a stack.
    pub fn index_in_stack(&mut self, frame: &StackFrame, spill: &mut SpillStreams) -> io::Result<u64> {
        let Some(file) = &frame.file else { return self.index(&frame.name, spill) };
        // Names contain no zero bytes.
        let key = format!("{}\0{file}\0{:?}", frame.name, frame.line);
        if let Some(&number) = self.numbers.get(&*key) {
            return Ok(number);
        }
        let mut rest = b",\"file\":".to_vec();
        json::string(file, &mut rest);
        if let Some(line) = frame.line {
            json::plain(format_args!(",\"line\":{line}"), &mut rest);
        }
        rest.push(b'}');
        self.add(&key, &frame.name, &rest, spill)
    }

    /// Adds a frame. `key` identifies it, and `rest` follows its name.
    fn add(&mut self, key: &str, name: &str, rest: &[u8], spill: &mut SpillStreams) -> io::Result<u64> {
        let mut text = if self.count > 0 { b",\n{\"name\":".to_vec() } else { b"\n{\"name\":".to_vec() };
        json::string(name, &mut text);
        text.extend_from_slice(rest);
        spill.append(self.texts, &text)?;
        if self.remembered_bytes >= REMEMBERED_BYTES {
            self.numbers.clear();
            self.remembered_bytes = 0;
        }
        self.remembered_bytes += key.len() + OVERHEAD_BYTES;
        self.numbers.insert(key.into(), self.count);
        self.count += 1;
        Ok(self.count - 1)
    }

    pub fn write(&self, spill: &SpillStreams, out: &mut impl Write) -> io::Result<()> {
        spill.copy(self.texts, out)
    }
}
