//! A counter of a profile: a value over time.

use std::io::{self, Write};

use crate::shared::json;
use crate::shared::spill::{SpillStreamId, SpillStreams};
use crate::shared::time_base::milliseconds;

/// The samples of a counter. The profiler stores the differences between values.
#[derive(Debug)]
pub struct Counter {
    name: String,
    description: String,
    thread: usize,
    pid: u32,
    samples: u64,
    value: i128,
    times: SpillStreamId,
    changes: SpillStreamId,
}

impl Counter {
    /// Creates a counter without samples. It is shown with the thread that has the index `thread`.
    pub fn new(
        name: String,
        description: String,
        thread: usize,
        pid: u32,
        spill: &mut SpillStreams,
    ) -> Counter {
        let (times, changes) = (spill.add(), spill.add());
        Counter { name, description, thread, pid, samples: 0, value: 0, times, changes }
    }

    pub fn add(&mut self, at_ns: i128, value: i128, spill: &mut SpillStreams) -> io::Result<()> {
        if self.samples == 0 {
            // The profiler shows values relative to the smallest one, so start with 0.
            spill.append(self.times, milliseconds(at_ns).as_bytes())?;
            spill.append(self.changes, b"0")?;
            self.samples = 1;
        }
        spill.append(self.times, format!(",{}", milliseconds(at_ns)).as_bytes())?;
        spill.append(self.changes, format!(",{}", value - self.value).as_bytes())?;
        self.value = value;
        self.samples += 1;
        Ok(())
    }

    /// Writes the counter. `threads` contains each thread's index in the file.
    pub fn write(&self, threads: &[usize], spill: &SpillStreams, out: &mut impl Write) -> io::Result<()> {
        let mut text = b"{\"name\":".to_vec();
        json::string(&self.name, &mut text);
        text.extend_from_slice(b",\"category\":\"Counters\",\"description\":");
        json::string(&self.description, &mut text);
        let thread = threads[self.thread];
        json::plain(format_args!(",\"pid\":\"{}\",\"mainThreadIndex\":{thread},", self.pid), &mut text);
        text.extend_from_slice(
            concat!(
                "\"display\":{\"graphType\":\"line-accumulated\",\"unit\":\"\",\"color\":\"purple\",\"markerSchemaLocation\":null,",
                "\"sortWeight\":50,\"tooltipRows\":[{\"type\":\"value\",\"source\":\"accumulated\",\"format\":{\"unit\":\"number\"},\"label\":\"value\"}],\"label\":"
            )
            .as_bytes(),
        );
        json::string(&self.name, &mut text);
        json::plain(format_args!("}},\"samples\":{{\"length\":{},\"time\":[", self.samples), &mut text);
        out.write_all(&text)?;
        spill.copy(self.times, out)?;
        out.write_all(b"],\"count\":[")?;
        spill.copy(self.changes, out)?;
        out.write_all(b"]}}")
    }
}
