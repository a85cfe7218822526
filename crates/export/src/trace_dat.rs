//! The file of `trace-cmd`, version 6, for that and KernelShark. `docs/trace-dat.md` tells users what is in it.
//!
//! Its head describes the events, and is known at the end: until then, records wait in a file without a name. There are two processors: the
//! first has all records, the second what is only known at the end, each at its time.

mod head;
mod layout;
mod page;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::rc::Rc;

use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::pair::{Description, SpanEvent, Track};
use ringtrace_tracefile::{Dropped, Entry};

use crate::beside::Beside;
use crate::exporter::{End, Exporter, Format, Place, Setting, Shape as OnDisk};
use crate::shapes::{Shape, Shapes};
use crate::text::push_without_zeros;
use crate::value::{Typed, named_values};
use head::head;
use layout::{COMMON_BYTES, format, place_bytes};
use page::{MOST_DATA_BYTES, Pages};

/// The format.
pub(crate) const FORMAT: Format = Format {
    name: "trace-dat",
    about: "trace.dat of version 6: trace-cmd, KernelShark",
    endings: &[".dat"],
    shape: OnDisk::Stream,
    needs_order: true,
    begin,
};

/// What names of our own events begin with.
const OWN: &str = "ringtrace_";

fn begin(place: Place, setting: &Setting) -> io::Result<Box<dyn Exporter>> {
    let Place::File(out) = place else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a trace.dat is a file"));
    };
    Ok(Box::new(TraceDat {
        out,
        anchor: setting.anchor,
        description: Rc::new(setting.description.clone()),
        tasks: setting.processes.iter().cloned().collect(),
        shapes: Shapes::default(),
        is_own: Vec::new(),
        records: Pages::new(tempfile::tempfile()?),
        data: Vec::new(),
        last_ns: 0,
    }))
}

/// Writes a trace.dat.
struct TraceDat {
    out: File,
    anchor: Option<Anchor>,
    description: Rc<Description>,
    /// The names of threads, and of processes that are known by no thread.
    tasks: BTreeMap<u32, String>,
    shapes: Shapes,
    /// Whether shapes are our own, by number.
    is_own: Vec<bool>,
    records: Pages,
    /// The record that is being made.
    data: Vec<u8>,
    /// The time of the last one.
    last_ns: u64,
}

/// Whose a record is.
#[derive(Debug, Clone, Copy)]
struct Whose {
    pid: u32,
    tid: u32,
}

impl Whose {
    /// Nobody's: it tells of the trace itself.
    const TRACE: Whose = Whose { pid: 0, tid: 0 };
}

impl TraceDat {
    /// The number of an event in records.
    fn id(&mut self, number: usize, is_own: bool) -> io::Result<u16> {
        if self.is_own.len() <= number {
            self.is_own.resize(number + 1, is_own);
        }
        // 0 is no event's.
        u16::try_from(number + 1).map_err(|_| {
            let told = "trace.dat has room for 65,535 kinds of records; --event leaves some out";
            io::Error::new(io::ErrorKind::InvalidInput, told)
        })
    }

    /// Appends a record of the shape `number`, which is an event of the trace or our own.
    fn append(
        &mut self,
        number: usize,
        is_own: bool,
        time_ns: u64,
        whose: Whose,
        values: &[Typed<'_>],
    ) -> io::Result<()> {
        let id = self.id(number, is_own)?;
        let cut_bytes = encode(id, whose, values, &self.shapes.all()[number], &mut self.data)?;
        self.records.append(time_ns, &self.data)?;
        if cut_bytes > 0 {
            let values = vec![("bytes", Typed::Unsigned(cut_bytes as u64))];
            self.tell(&Beside { name: "cut", values }, time_ns, whose)?;
        }
        Ok(())
    }

    /// Appends a record of our own.
    fn tell(&mut self, beside: &Beside<'_>, time_ns: u64, whose: Whose) -> io::Result<()> {
        let number = self.shapes.number_of_own(beside, OWN);
        let values: Vec<Typed<'_>> = beside.values.iter().map(|(_, value)| *value).collect();
        self.append(number, true, time_ns, whose, &values)
    }

    /// Appends `entry`, and says whose it is.
    fn record(&mut self, entry: &Entry<'_>) -> io::Result<Whose> {
        let whose = Whose { pid: entry.pid, tid: entry.tid().unwrap_or(entry.pid) };
        if let Some(name) = entry.thread_name()
            && self.tasks.get(&whose.tid).is_none_or(|known| known != name)
        {
            self.tasks.insert(whose.tid, name.to_owned());
        }
        let is_dropped = entry.is_dropped();
        // The first writers gave no time to dropped records.
        if !(is_dropped && entry.timestamp_ns == 0) {
            self.last_ns = entry.timestamp_ns;
        }
        if is_dropped {
            let mut dropped = Dropped::default();
            dropped.count(entry);
            self.records.lose(dropped.events)?;
        }
        let cause = entry.lost.map(|lost| Typed::Text(lost.cause.word().as_bytes()));
        let values: Vec<Typed<'_>> = named_values(entry).map(|(_, value)| value).chain(cause).collect();
        let number = self.shapes.number(entry);
        self.append(number, false, self.last_ns, whose, &values)?;
        Ok(whose)
    }

    /// The texts of all events, in the groups of those of the trace and of our own.
    fn formats(&self) -> [(&'static str, Vec<String>); 2] {
        let mut systems = [("trace", Vec::new()), ("ringtrace", Vec::new())];
        for (number, (shape, &is_own)) in self.shapes.all().iter().zip(&self.is_own).enumerate() {
            systems[usize::from(is_own)].1.push(format(number + 1, shape));
        }
        systems
    }
}

/// Makes the data of a record of `shape`. Returns how many bytes of its strings had no room.
fn encode(
    id: u16,
    whose: Whose,
    values: &[Typed<'_>],
    shape: &Shape,
    data: &mut Vec<u8>,
) -> io::Result<usize> {
    let texts_at = COMMON_BYTES + shape.fields.iter().map(|field| place_bytes(field.kind)).sum::<usize>();
    let strings = values.iter().filter(|value| matches!(value, Typed::Text(_))).count();
    // Each string has a zero byte at least.
    let room = MOST_DATA_BYTES.checked_sub(texts_at + strings);
    let Some(mut room) = room else {
        let told = format!("trace.dat has no room for a record of {} values", values.len());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, told));
    };
    data.clear();
    data.extend_from_slice(&id.to_le_bytes());
    data.extend_from_slice(&[0; 2]);
    data.extend_from_slice(&whose.tid.to_le_bytes());
    data.extend_from_slice(&whose.pid.to_le_bytes());
    let (mut texts, mut cut_bytes) = (Vec::new(), 0);
    for (value, field) in values.iter().zip(&shape.fields) {
        let bits = match *value {
            Typed::Signed(number) => number.cast_unsigned(),
            Typed::Unsigned(bits) | Typed::Pointer(bits) => bits,
            Typed::Bool(truth) => u64::from(truth),
            Typed::Text(bytes) => {
                let begin = texts.len();
                push_without_zeros(bytes, &mut texts);
                let length = texts.len() - begin;
                cut_bytes += length.saturating_sub(room);
                texts.truncate(begin + length.min(room));
                room -= length.min(room);
                texts.push(0);
                ((texts.len() - begin) << 16 | (texts_at + begin)) as u64
            }
        };
        data.extend_from_slice(&bits.to_le_bytes()[..place_bytes(field.kind)]);
    }
    data.extend_from_slice(&texts);
    Ok(cut_bytes)
}

impl Exporter for TraceDat {
    fn event(&mut self, entry: &Entry<'_>, meanings: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        let whose = self.record(entry)?;
        let description = Rc::clone(&self.description);
        for meaning in meanings {
            let beside = Beside::of_meaning(meaning, entry.timestamp_ns, &description, tracks);
            self.tell(&beside, entry.timestamp_ns, whose)?;
        }
        Ok(())
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.record(entry).map(|_| ())
    }

    fn finish(mut self: Box<Self>, end: &End<'_>) -> io::Result<()> {
        let description = Rc::clone(&self.description);
        let records = std::mem::replace(&mut self.records, Pages::new(tempfile::tempfile()?));
        for (time_ns, beside) in Beside::of_end(end, self.last_ns, &description) {
            self.tell(&beside, time_ns, Whose::TRACE)?;
        }
        let formats = self.formats();
        let TraceDat { mut out, anchor, tasks, records: at_end, .. } = *self;
        let buffers = [records.finish()?, at_end.finish()?];
        out.write_all(&head(&formats, &tasks, anchor, buffers.each_ref().map(|(_, bytes)| *bytes)))?;
        for (mut file, _) in buffers {
            file.rewind()?;
            io::copy(&mut file, &mut out)?;
        }
        Ok(())
    }
}
