//! Chrome's JSON: an array of events, which many viewers read.
//!
//! `docs/perfetto.md` tells users what becomes of what.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Write};

use ringtrace_tracefile::Entry;
use ringtrace_tracefile::metadata::Cause;
use ringtrace_tracefile::pair::{Meaning, Track};

use crate::exporter::{End, Exporter, Format, Place, Setting, Shape};
use crate::sink::Sink;
use crate::text::utf8;
use crate::value::{Typed, named_values};

pub(crate) const FORMAT: Format = Format {
    name: "chrome",
    about: "Chrome's JSON, for viewers that read nothing else",
    endings: &[".trace.json", ".json"],
    shape: Shape::Text,
    needs_order: false,
    begin: |place, setting| Ok(Box::new(Chrome::begin(place, setting)?)),
};

/// Integers beyond this are written as strings: readers keep numbers as doubles and would round them.
const MAX_EXACT: u64 = 1 << 53;

struct Chrome {
    sink: Sink,
    is_first: bool,
    named_threads: HashSet<(u32, u32)>,
}

impl Chrome {
    fn begin(place: Place, setting: &Setting) -> io::Result<Chrome> {
        let Place::File(file) = place else {
            return Err(io::Error::other("a file was expected"));
        };
        let mut chrome = Chrome { sink: Sink::new(file), is_first: true, named_threads: HashSet::new() };
        chrome.sink.write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
        for (pid, name) in &setting.processes {
            chrome.name("process_name", *pid, 0, name)?;
        }
        Ok(chrome)
    }

    /// Begins an event; the caller ends it with `}`.
    fn open(&mut self, phase: char, name: &str, ns: u64, pid: u32, tid: u32) -> io::Result<&mut Sink> {
        let comma = if std::mem::take(&mut self.is_first) { "" } else { "," };
        write!(self.sink, "{comma}\n{{\"ph\":\"{phase}\",\"name\":")?;
        push_quoted(name, self.sink.bytes());
        write!(self.sink, ",\"ts\":{}.{:03},\"pid\":{pid},\"tid\":{tid}", ns / 1000, ns % 1000)?;
        Ok(&mut self.sink)
    }

    fn name(&mut self, what: &str, pid: u32, tid: u32, name: &str) -> io::Result<()> {
        let sink = self.open('M', what, 0, pid, tid)?;
        sink.write_all(b",\"args\":{\"name\":")?;
        push_quoted(name, sink.bytes());
        sink.write_all(b"}}")
    }

    fn instant(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        // A process's own records have its first thread's number.
        let tid = entry.tid().unwrap_or(entry.pid);
        if let Some(thread) = entry.thread_name()
            && self.named_threads.insert((entry.pid, tid))
        {
            self.name("thread_name", entry.pid, tid, thread)?;
        }
        let sink = self.open('i', &entry.schema.name, entry.timestamp_ns, entry.pid, tid)?;
        sink.write_all(b",\"s\":\"t\",\"args\":{")?;
        push_values(named_values(entry), sink)?;
        sink.write_all(b"}}")
    }
}

impl Exporter for Chrome {
    fn event(&mut self, entry: &Entry<'_>, meanings: &[Meaning<'_>], tracks: &[Track]) -> io::Result<()> {
        let _ = (meanings, tracks);
        self.instant(entry)
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        let cause = entry.lost.map_or(Cause::Dropped, |lost| lost.cause).word();
        let tid = entry.tid().unwrap_or(entry.pid);
        let sink = self.open('i', &entry.schema.name, entry.timestamp_ns, entry.pid, tid)?;
        sink.write_all(b",\"s\":\"p\",\"args\":{")?;
        let cause = (Cow::Borrowed("cause"), Typed::Text(cause.as_bytes()));
        push_values(named_values(entry).chain([cause]), sink)?;
        sink.write_all(b"}}")
    }

    fn finish(mut self: Box<Self>, end: &End<'_>) -> io::Result<()> {
        let _ = end;
        self.sink.write_all(b"\n]}\n")?;
        self.sink.finish().map(drop)
    }
}

fn push_values<'v>(
    values: impl Iterator<Item = (Cow<'v, str>, Typed<'v>)>,
    sink: &mut Sink,
) -> io::Result<()> {
    for (index, (name, value)) in values.enumerate() {
        if index > 0 {
            sink.write_all(b",")?;
        }
        push_quoted(&name, sink.bytes());
        sink.write_all(b":")?;
        match value {
            Typed::Signed(number) if number.unsigned_abs() <= MAX_EXACT => write!(sink, "{number}")?,
            Typed::Unsigned(number) if number <= MAX_EXACT => write!(sink, "{number}")?,
            Typed::Signed(number) => write!(sink, "\"{number}\"")?,
            Typed::Unsigned(number) => write!(sink, "\"{number}\"")?,
            Typed::Bool(is_true) => write!(sink, "{is_true}")?,
            Typed::Pointer(bits) => write!(sink, "\"{bits:#x}\"")?,
            Typed::Text(bytes) => push_quoted(&utf8(bytes), sink.bytes()),
        }
    }
    Ok(())
}

/// Appends `text` as a JSON string.
fn push_quoted(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for character in text.chars() {
        match character {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            '\0'..' ' | '\x7f' => {
                out.extend_from_slice(format!("\\u{:04x}", u32::from(character)).as_bytes());
            }
            _ => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out.push(b'"');
}
