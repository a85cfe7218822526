//! Profiles of stacks: each stack of an event is a sample of weight 1.

use std::io::{self, Write};

use crate::shared::json;
use crate::shared::spill::{SpillStreamId, SpillStreams};

/// The stacks of a thread's events.
#[derive(Debug)]
pub struct SampledProfile {
    name: String,
    samples: SpillStreamId,
    count: u64,
}

impl SampledProfile {
    pub fn new(name: String, spill: &mut SpillStreams) -> SampledProfile {
        SampledProfile { name, samples: spill.add(), count: 0 }
    }

    /// Adds a stack: the indices of its frames, outermost first.
    pub fn add(&mut self, frames: &[u64], spill: &mut SpillStreams) -> io::Result<()> {
        let frames: Vec<String> = frames.iter().map(u64::to_string).collect();
        let comma = if self.count > 0 { "," } else { "" };
        self.count += 1;
        spill.append(self.samples, format!("{comma}[{}]", frames.join(",")).as_bytes())
    }

    pub fn write(&self, spill: &SpillStreams, out: &mut impl Write) -> io::Result<()> {
        let mut text = b"{\"type\":\"sampled\",\"unit\":\"none\",\"name\":".to_vec();
        json::string(&self.name, &mut text);
        json::plain(format_args!(",\"startValue\":0,\"endValue\":{},\"samples\":[", self.count), &mut text);
        out.write_all(&text)?;
        spill.copy(self.samples, out)?;
        out.write_all(b"],\"weights\":[")?;
        for sample in 0..self.count {
            out.write_all(if sample > 0 { b",1" } else { b"1" })?;
        }
        out.write_all(b"]}")
    }
}
