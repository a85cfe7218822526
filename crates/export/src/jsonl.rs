//! JSON lines: one object a line. `docs/tables.md` tells users what is in one.

use std::fs::File;
use std::io::{self, Write};

use ringtrace_tracefile::pair::{Meaning, Track};
use ringtrace_tracefile::text::{JsonText, Render, TextBuffer};
use ringtrace_tracefile::{Entry, Times};

use crate::exporter::{End, Exporter, Format, Place, Setting, Shape};

/// The line in [`EXPORTERS`](crate::EXPORTERS).
pub const FORMAT: Format = Format {
    name: "jsonl",
    about: "JSON lines: jq, Python, log stores",
    endings: &[".jsonl", ".ndjson"],
    shape: Shape::Text,
    needs_order: false,
    begin,
};

/// Lines are written in blocks of about so much.
const BLOCK_BYTES: usize = 256 << 10;

#[derive(Debug)]
struct JsonLines {
    file: File,
    text: JsonText,
    out: TextBuffer,
}

fn begin(place: Place, setting: &Setting) -> io::Result<Box<dyn Exporter>> {
    let Place::File(file) = place else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "JSON lines are written to a file"));
    };
    let times = Times { anchor: setting.anchor, ..Times::default() };
    Ok(Box::new(JsonLines {
        file,
        text: JsonText::new(times),
        out: TextBuffer::with_capacity(2 * BLOCK_BYTES),
    }))
}

impl JsonLines {
    fn line(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.text.render(entry, &mut self.out);
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

impl Exporter for JsonLines {
    fn event(&mut self, entry: &Entry<'_>, _: &[Meaning<'_>], _: &[Track]) -> io::Result<()> {
        self.line(entry)
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.line(entry)
    }

    fn finish(mut self: Box<Self>, end: &End<'_>) -> io::Result<()> {
        for pause in end.pauses {
            let number = |ns: Option<u64>| ns.map_or("null".to_owned(), |ns| ns.to_string());
            let (from, to) = (number(pause.from_ns), number(pause.to_ns));
            let line = format!("{{\"pause\":{{\"from_ns\":{from},\"to_ns\":{to}}}}}\n");
            self.out.push(line.as_bytes());
        }
        self.write()
    }
}
