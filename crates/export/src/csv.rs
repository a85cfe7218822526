//! CSV: one row a line. `docs/tables.md` tells users what is in one.

use std::fs::File;
use std::io::{self, Write};

use ringtrace_tracefile::pair::{Meaning, Track};
use ringtrace_tracefile::text::clock::{Clock, TIME_BYTES};
use ringtrace_tracefile::text::number::{NUMBER_BYTES, push_decimal};
use ringtrace_tracefile::text::{JsonText, TextBuffer};
use ringtrace_tracefile::{Entry, Times};

use crate::exporter::{End, Exporter, Format, Place, Setting, Shape};

/// The line in [`EXPORTERS`](crate::EXPORTERS).
pub const FORMAT: Format = Format {
    name: "csv",
    about: "comma-separated values: spreadsheets, R, pandas",
    endings: &[".csv"],
    shape: Shape::Text,
    needs_order: false,
    begin,
};

/// Rows are written in blocks of about so much.
const BLOCK_BYTES: usize = 256 << 10;

/// The first line.
const HEAD: &str = "row,event,time_ns,time,pid,tid,thread,cause,args\n";

#[derive(Debug)]
struct Csv {
    file: File,
    clock: Clock,
    json: JsonText,
    /// The arguments of the row at hand.
    arguments: TextBuffer,
    out: TextBuffer,
}

fn begin(place: Place, setting: &Setting) -> io::Result<Box<dyn Exporter>> {
    let Place::File(file) = place else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "CSV is written to a file"));
    };
    let times = Times { anchor: setting.anchor, ..Times::default() };
    let mut out = TextBuffer::with_capacity(2 * BLOCK_BYTES);
    out.push(HEAD.as_bytes());
    Ok(Box::new(Csv {
        file,
        clock: Clock::new(times),
        json: JsonText::new(times),
        arguments: TextBuffer::default(),
        out,
    }))
}

impl Csv {
    fn row(&mut self, row: &[u8], entry: &Entry<'_>) -> io::Result<()> {
        self.out.push(row);
        push_text(entry.schema.name.as_bytes(), &mut self.out);
        let mut room = self.out.room(TIME_BYTES + 4 * NUMBER_BYTES);
        room.push_byte(b',');
        push_decimal(entry.timestamp_ns, &mut room);
        room.push_byte(b',');
        if self.clock.has_date() {
            self.clock.push_date(entry.timestamp_ns, 9, &mut room);
        }
        room.push_byte(b',');
        if entry.version.info().has_pid {
            push_decimal(u64::from(entry.pid), &mut room);
        }
        room.push_byte(b',');
        if let Some(tid) = entry.tid() {
            push_decimal(u64::from(tid), &mut room);
        }
        room.push_byte(b',');
        room.keep();
        push_text(entry.thread_name().unwrap_or_default().as_bytes(), &mut self.out);
        self.out.push_byte(b',');
        self.out.push(entry.lost.map_or("", |lost| lost.cause.word()).as_bytes());
        self.out.push_byte(b',');
        self.arguments.clear();
        self.json.render_arguments(entry, &mut self.arguments);
        push_text(self.arguments.as_bytes(), &mut self.out);
        self.out.push_byte(b'\n');
        if self.out.len() >= BLOCK_BYTES {
            self.write()?;
        }
        Ok(())
    }

    fn write(&mut self) -> io::Result<()> {
        self.file.write_all(self.out.as_bytes())?;
        self.out.clear();
        Ok(())
    }
}

/// Appends `text`, in quotes where it needs them.
fn push_text(text: &[u8], out: &mut TextBuffer) {
    if !text.iter().any(|byte| matches!(byte, b'"' | b',' | b'\n' | b'\r')) {
        return out.push(text);
    }
    out.push_byte(b'"');
    for (index, piece) in text.split(|byte| *byte == b'"').enumerate() {
        if index > 0 {
            out.push(b"\"\"");
        }
        out.push(piece);
    }
    out.push_byte(b'"');
}

impl Exporter for Csv {
    fn event(&mut self, entry: &Entry<'_>, _: &[Meaning<'_>], _: &[Track]) -> io::Result<()> {
        self.row(b"event,", entry)
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.row(b"dropped,", entry)
    }

    fn finish(mut self: Box<Self>, _: &End<'_>) -> io::Result<()> {
        self.write()
    }
}
