//! One profile of many in a file.

use std::io::{self, Write};

use crate::json;
use crate::strand::{StrandId, Strands};

/// Whose a line is. Their order is that in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// Spans of a track that do not overlap.
    Lane {
        /// Index among the tracks.
        track: u32,
        /// Which of the track's.
        lane: u32,
    },
    /// A counter's values.
    Counter {
        /// Index among the tracks.
        track: u32,
    },
    /// A thread's records, or a process's where the trace tells no threads.
    Thread {
        /// The process.
        pid: u32,
        /// The thread.
        tid: Option<u32>,
    },
    /// When recording was off.
    Recording,
}

/// Frames that open and close.
#[derive(Debug)]
pub struct Line {
    /// Whose it is.
    pub owner: Owner,
    name: String,
    events: StrandId,
    is_empty: bool,
    first_ns: i128,
    last_ns: i128,
    open: Vec<u64>,
}

impl Line {
    /// Without frames as yet.
    pub fn new(owner: Owner, name: String, strands: &mut Strands) -> Line {
        Line { owner, name, events: strands.add(), is_empty: true, first_ns: 0, last_ns: 0, open: Vec::new() }
    }

    /// How many frames are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Opens a frame within those that are open. Times never go back: an earlier one is taken for the last one.
    ///
    /// # Errors
    /// When temporary files cannot be written.
    pub fn open(&mut self, frame: u64, at_ns: i128, strands: &mut Strands) -> io::Result<()> {
        self.open.push(frame);
        self.tell('O', frame, at_ns, strands)
    }

    /// Closes the innermost frames but `depth`.
    ///
    /// # Errors
    /// When temporary files cannot be written.
    pub fn close_to(&mut self, depth: usize, at_ns: i128, strands: &mut Strands) -> io::Result<()> {
        while self.open.len() > depth
            && let Some(frame) = self.open.pop()
        {
            self.tell('C', frame, at_ns, strands)?;
        }
        Ok(())
    }

    /// Closes all.
    ///
    /// # Errors
    /// When temporary files cannot be written.
    pub fn close_all(&mut self, at_ns: i128, strands: &mut Strands) -> io::Result<()> {
        self.close_to(0, at_ns, strands)
    }

    fn tell(&mut self, kind: char, frame: u64, at_ns: i128, strands: &mut Strands) -> io::Result<()> {
        let comma = if self.is_empty { "" } else { "," };
        if self.is_empty {
            (self.is_empty, self.first_ns, self.last_ns) = (false, at_ns, at_ns);
        }
        self.last_ns = self.last_ns.max(at_ns);
        let text = format!("{comma}{{\"type\":\"{kind}\",\"frame\":{frame},\"at\":{}}}", self.last_ns);
        strands.append(self.events, text.as_bytes())
    }

    /// Writes it. All begin with the first record, and end at `last_ns`: so they can be compared.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&self, last_ns: i128, strands: &Strands, out: &mut impl Write) -> io::Result<()> {
        let last_ns = self.last_ns.max(last_ns);
        let mut text = b"{\"type\":\"evented\",\"unit\":\"nanoseconds\",\"name\":".to_vec();
        json::string(&self.name, &mut text);
        json::plain(
            format_args!(",\"startValue\":{},\"endValue\":{last_ns},\"events\":[", self.first_ns.min(0)),
            &mut text,
        );
        out.write_all(&text)?;
        strands.copy(self.events, out)?;
        out.write_all(b"]}")
    }
}
