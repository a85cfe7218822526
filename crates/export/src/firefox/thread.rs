//! A thread of a profile: a table of markers, which is written column by column.

use std::io::{self, Write};

use crate::shared::json;
use crate::shared::spill::{SpillStreamId, SpillStreams};
use crate::shared::time_base::milliseconds;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    Thread {
        pid: u32,
        /// The thread's id. The first thread of a process has the process's id.
        tid: u32,
    },
    Pair {
        pid: u32,
        /// Index of the pair in the description.
        pair: usize,
    },
    /// The recording itself, as the owner of its pauses.
    Recording { pid: u32 },
}

#[derive(Debug, Clone, Copy)]
pub enum Timing {
    Instant(i128),
    Interval(i128, i128),
}

#[derive(Debug)]
pub struct Thread {
    pub owner: Owner,
    pub name: String,
    markers: u64,
    columns: [SpillStreamId; COLUMNS.len()],
    samples: u64,
    /// The columns of the samples: stacks and times. A thread without samples has none.
    sample_columns: Option<[SpillStreamId; 2]>,
}

const COLUMNS: [&str; 6] = ["startTime", "endTime", "phase", "name", "category", "data"];

#[derive(Debug, Clone, Copy)]
pub struct Marker {
    pub name: usize,
    pub timing: Timing,
    pub category: usize,
}

impl Thread {
    pub fn new(owner: Owner, name: String, spill: &mut SpillStreams) -> Thread {
        let columns = COLUMNS.map(|_| spill.add());
        Thread { owner, name, markers: 0, columns, samples: 0, sample_columns: None }
    }

    pub fn add(&mut self, marker: Marker, data: &[u8], spill: &mut SpillStreams) -> io::Result<()> {
        let (start_ns, end, phase) = match marker.timing {
            Timing::Instant(at_ns) => (at_ns, "null".to_owned(), 0),
            Timing::Interval(from_ns, to_ns) => (from_ns, milliseconds(to_ns), 1),
        };
        let cells = [
            milliseconds(start_ns),
            end,
            phase.to_string(),
            marker.name.to_string(),
            marker.category.to_string(),
        ];
        for (&column, cell) in self.columns.iter().zip(cells.iter().map(String::as_bytes).chain([data])) {
            if self.markers > 0 {
                spill.append(column, b",")?;
            }
            spill.append(column, cell)?;
        }
        self.markers += 1;
        Ok(())
    }

    /// Adds the stack with the index `stack` as a sample.
    pub fn sample(&mut self, stack: usize, at_ns: i128, spill: &mut SpillStreams) -> io::Result<()> {
        let columns = *self.sample_columns.get_or_insert_with(|| [spill.add(), spill.add()]);
        for (column, cell) in columns.into_iter().zip([stack.to_string(), milliseconds(at_ns)]) {
            if self.samples > 0 {
                spill.append(column, b",")?;
            }
            spill.append(column, cell.as_bytes())?;
        }
        self.samples += 1;
        Ok(())
    }

    /// Writes the thread. `last_ns` is the end of the trace.
    pub fn write(
        &self,
        is_main: bool,
        process: &str,
        last_ns: i128,
        spill: &SpillStreams,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let mut text = b"{\"processType\":\"default\",\"name\":".to_vec();
        json::string(&self.name, &mut text);
        text.extend_from_slice(b",\"processName\":");
        json::string(process, &mut text);
        json::plain(format_args!(",\"isMainThread\":{is_main},\"pid\":\"{}\"", self.owner.pid()), &mut text);
        match self.owner {
            Owner::Thread { tid, .. } => json::plain(format_args!(",\"tid\":{tid}"), &mut text),
            Owner::Pair { pair, .. } => json::plain(format_args!(",\"tid\":\"pair {pair}\""), &mut text),
            Owner::Recording { .. } => text.extend_from_slice(b",\"tid\":\"recording\""),
        }
        json::plain(
            format_args!(
                concat!(
                    ",\"processStartupTime\":0,\"processShutdownTime\":{end},\"registerTime\":0,\"unregisterTime\":{end},",
                    "\"pausedRanges\":[],\"showMarkersInTimeline\":true,",
                    "\"samples\":{{\"length\":{samples},\"weight\":null,\"weightType\":\"samples\""
                ),
                end = milliseconds(last_ns),
                samples = self.samples
            ),
            &mut text,
        );
        out.write_all(&text)?;
        for (index, name) in ["stack", "time"].into_iter().enumerate() {
            write!(out, ",\"{name}\":[")?;
            if let Some(columns) = self.sample_columns {
                spill.copy(columns[index], out)?;
            }
            out.write_all(b"]")?;
        }
        write!(out, "}},\"markers\":{{\"length\":{}", self.markers)?;
        for (name, &column) in COLUMNS.iter().zip(&self.columns) {
            write!(out, ",\"{name}\":[")?;
            spill.copy(column, out)?;
            out.write_all(b"]")?;
        }
        out.write_all(b"}}")
    }
}

impl Owner {
    pub fn pid(&self) -> u32 {
        match *self {
            Owner::Thread { pid, .. } | Owner::Pair { pid, .. } | Owner::Recording { pid } => pid,
        }
    }
}
