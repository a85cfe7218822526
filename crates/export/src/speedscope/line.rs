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
        /// The thread; the process's first one has its number.
        tid: u32,
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
    /// Whether it is that of all owners that are too many: spans and steps can overlap in it.
    is_shared: bool,
    events: StrandId,
    /// The smallest time, or that of the first record.
    first_ns: i128,
    last_ns: Option<i128>,
    /// What is shown, until something else is.
    open: Option<[u64; 2]>,
    /// Steps of a span that is not told yet.
    steps: Option<StrandId>,
}

impl Line {
    /// Without frames as yet.
    pub fn new(owner: Owner, name: String, is_shared: bool, strands: &mut Strands) -> Line {
        Line {
            owner,
            name,
            is_shared,
            events: strands.add(),
            first_ns: 0,
            last_ns: None,
            open: None,
            steps: None,
        }
    }

    /// Shows two frames, one within the other, from `at_ns` on, in place of those before.
    ///
    /// # Errors
    /// When temporary files cannot be written.
    pub fn show(&mut self, frames: [u64; 2], at_ns: i128, strands: &mut Strands) -> io::Result<()> {
        self.close(at_ns, strands)?;
        self.tell('O', frames[0], at_ns, strands)?;
        self.tell('O', frames[1], at_ns, strands)?;
        self.open = Some(frames);
        Ok(())
    }

    /// Closes what is shown.
    ///
    /// # Errors
    /// When temporary files cannot be written.
    pub fn close(&mut self, at_ns: i128, strands: &mut Strands) -> io::Result<()> {
        if let Some([outer, inner]) = self.open.take() {
            self.tell('C', inner, at_ns, strands)?;
            self.tell('C', outer, at_ns, strands)?;
        }
        Ok(())
    }

    /// Shows two frames within a span that is told later, until the next ones.
    ///
    /// # Errors
    /// When temporary files cannot be written.
    pub fn step(&mut self, [outer, inner]: [u64; 2], at_ns: i128, strands: &mut Strands) -> io::Result<()> {
        if self.is_shared {
            return self.show([outer, inner], at_ns, strands);
        }
        let steps = *self.steps.get_or_insert_with(|| strands.add());
        let mut text = String::new();
        if let Some([outer, inner]) = self.open {
            text += &event('C', inner, at_ns);
            text += &event('C', outer, at_ns);
        }
        text += &event('O', outer, at_ns);
        text += &event('O', inner, at_ns);
        self.open = Some([outer, inner]);
        strands.append(steps, text.as_bytes())
    }

    /// Shows a span: two frames, and its steps within them.
    ///
    /// # Errors
    /// When temporary files cannot be written.
    pub fn enclose(
        &mut self,
        [outer, inner]: [u64; 2],
        from_ns: i128,
        to_ns: i128,
        strands: &mut Strands,
    ) -> io::Result<()> {
        if self.is_shared {
            self.close(from_ns, strands)?;
        }
        self.tell('O', outer, from_ns, strands)?;
        self.tell('O', inner, from_ns, strands)?;
        if let Some(steps) = self.steps {
            strands.splice(steps, self.events)?;
        }
        self.close(to_ns, strands)?;
        self.tell('C', inner, to_ns, strands)?;
        self.tell('C', outer, to_ns, strands)
    }

    fn tell(&mut self, kind: char, frame: u64, at_ns: i128, strands: &mut Strands) -> io::Result<()> {
        // Times never go back: an earlier one is taken for the last one.
        let at_ns = self.last_ns.map_or(at_ns, |last_ns| last_ns.max(at_ns));
        let text = event(kind, frame, at_ns);
        // Only the first has nothing before it.
        let text = if self.last_ns.is_none() { &text[1..] } else { &text };
        self.first_ns = self.first_ns.min(at_ns);
        self.last_ns = Some(at_ns);
        strands.append(self.events, text.as_bytes())
    }

    /// Writes it. All begin with the first record, and end at `last_ns`: so they can be compared.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write(&self, last_ns: i128, strands: &Strands, out: &mut impl Write) -> io::Result<()> {
        let last_ns = self.last_ns.map_or(last_ns, |own| own.max(last_ns));
        let mut text = b"{\"type\":\"evented\",\"unit\":\"nanoseconds\",\"name\":".to_vec();
        json::string(&self.name, &mut text);
        json::plain(
            format_args!(",\"startValue\":{},\"endValue\":{last_ns},\"events\":[", self.first_ns),
            &mut text,
        );
        out.write_all(&text)?;
        strands.copy(self.events, out)?;
        out.write_all(b"]}")
    }
}

/// A frame opens or closes; with the comma that parts it from what is before.
fn event(kind: char, frame: u64, at_ns: i128) -> String {
    format!(",{{\"type\":\"{kind}\",\"frame\":{frame},\"at\":{at_ns}}}")
}
