//! The file of `trace-cmd`, version 6, for that and KernelShark. `docs/trace-dat.md` tells users what is in it.
//!
//! Its head describes the events, and is known at the end: until then, records wait in a file without a name. There are two processors: the
//! first has all records, the second what is only known at the end, each at its time.

mod header;
mod layout;
mod page;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::rc::Rc;

use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::pair::{Description, SpanEvent, Track};
use ringtrace_tracefile::{Dropped, Entry};

use crate::exporter::{ExportTarget, Exporter, Format, OutputKind, TraceEnd, TraceInfo};
use crate::shared::record_types::{RecordType, RecordTypes};
use crate::shared::synthetic::SyntheticRecord;
use crate::shared::text::push_without_zeros;
use crate::shared::value::{TypedValue, named_values};
use header::header;
use layout::{COMMON_BYTES, format, place_bytes};
use page::{MOST_DATA_BYTES, Pages};

pub(crate) const FORMAT: Format = Format {
    name: "trace-dat",
    about: "trace.dat of version 6: trace-cmd, KernelShark",
    endings: &[".dat"],
    output: OutputKind::Stream,
    needs_order: true,
    start,
};

/// What names of our own events begin with.
const OWN: &str = "ringtrace_";

fn start(target: ExportTarget, info: &TraceInfo) -> io::Result<Box<dyn Exporter>> {
    let out = target.into_file()?;
    Ok(Box::new(TraceDat {
        out,
        anchor: info.anchor,
        description: Rc::new(info.description.clone()),
        tasks: info.processes.iter().cloned().collect(),
        types: RecordTypes::default(),
        is_own: Vec::new(),
        records: Pages::new(tempfile::tempfile()?),
        data: Vec::new(),
        last_ns: 0,
    }))
}

struct TraceDat {
    out: File,
    anchor: Option<Anchor>,
    description: Rc<Description>,
    /// The names of threads, and of processes that are known by no thread.
    tasks: BTreeMap<u32, String>,
    types: RecordTypes,
    is_own: Vec<bool>,
    records: Pages,
    data: Vec<u8>,
    last_ns: u64,
}

#[derive(Debug, Clone, Copy)]
struct Owner {
    pid: u32,
    tid: u32,
}

impl Owner {
    /// Nobody's: it tells of the trace itself.
    const TRACE: Owner = Owner { pid: 0, tid: 0 };
}

impl TraceDat {
    fn id(&mut self, number: usize, is_own: bool) -> io::Result<u16> {
        if self.is_own.len() <= number {
            self.is_own.resize(number + 1, is_own);
        }
        // 0 is no event's.
        u16::try_from(number + 1).map_err(|_| {
            let message = "trace.dat has room for 65,535 kinds of records; --event leaves some out";
            io::Error::new(io::ErrorKind::InvalidInput, message)
        })
    }

    /// Appends a record of the type `number`, which is an event of the trace or our own.
    fn append(
        &mut self,
        number: usize,
        is_own: bool,
        time_ns: u64,
        owner: Owner,
        values: &[TypedValue<'_>],
    ) -> io::Result<()> {
        let id = self.id(number, is_own)?;
        let cut_bytes = encode(id, owner, values, &self.types.all()[number], &mut self.data)?;
        self.records.append(time_ns, &self.data)?;
        if cut_bytes > 0 {
            let values = vec![("bytes", TypedValue::Unsigned(cut_bytes as u64))];
            self.write_synthetic(&SyntheticRecord { name: "cut", values }, time_ns, owner)?;
        }
        Ok(())
    }

    fn write_synthetic(
        &mut self,
        record: &SyntheticRecord<'_>,
        time_ns: u64,
        owner: Owner,
    ) -> io::Result<()> {
        let number = self.types.number_of_own(record, OWN);
        let values: Vec<TypedValue<'_>> = record.values.iter().map(|(_, value)| *value).collect();
        self.append(number, true, time_ns, owner, &values)
    }

    fn record(&mut self, entry: &Entry<'_>) -> io::Result<Owner> {
        let owner = Owner { pid: entry.pid, tid: entry.tid().unwrap_or(entry.pid) };
        if let Some(name) = entry.thread_name()
            && self.tasks.get(&owner.tid).is_none_or(|known| known != name)
        {
            self.tasks.insert(owner.tid, name.to_owned());
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
        let cause = entry.lost.map(|lost| TypedValue::Text(lost.cause.word().as_bytes()));
        let values: Vec<TypedValue<'_>> = named_values(entry).map(|(_, value)| value).chain(cause).collect();
        let number = self.types.number(entry);
        self.append(number, false, self.last_ns, owner, &values)?;
        Ok(owner)
    }

    /// The texts of all events, in the groups of those of the trace and of our own.
    fn formats(&self) -> [(&'static str, Vec<String>); 2] {
        let mut systems = [("trace", Vec::new()), ("ringtrace", Vec::new())];
        for (number, (record_type, &is_own)) in self.types.all().iter().zip(&self.is_own).enumerate() {
            systems[usize::from(is_own)].1.push(format(number + 1, record_type));
        }
        systems
    }
}

/// Encodes a record of `record_type`. Returns how many bytes of its strings did not fit.
fn encode(
    id: u16,
    owner: Owner,
    values: &[TypedValue<'_>],
    record_type: &RecordType,
    data: &mut Vec<u8>,
) -> io::Result<usize> {
    let texts_at =
        COMMON_BYTES + record_type.fields.iter().map(|field| place_bytes(field.kind)).sum::<usize>();
    let strings = values.iter().filter(|value| matches!(value, TypedValue::Text(_))).count();
    // Each string has a zero byte at least.
    let room = MOST_DATA_BYTES.checked_sub(texts_at + strings);
    let Some(mut room) = room else {
        let message = format!("trace.dat has no room for a record of {} values", values.len());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    };
    data.clear();
    data.extend_from_slice(&id.to_le_bytes());
    data.extend_from_slice(&[0; 2]);
    data.extend_from_slice(&owner.tid.to_le_bytes());
    data.extend_from_slice(&owner.pid.to_le_bytes());
    let (mut texts, mut cut_bytes) = (Vec::new(), 0);
    for (value, field) in values.iter().zip(&record_type.fields) {
        let bits = match *value {
            TypedValue::Signed(number) => number.cast_unsigned(),
            TypedValue::Unsigned(bits) | TypedValue::Pointer(bits) => bits,
            TypedValue::Bool(truth) => u64::from(truth),
            TypedValue::Text(bytes) => {
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
    fn event(
        &mut self,
        entry: &Entry<'_>,
        span_events: &[SpanEvent<'_>],
        tracks: &[Track],
    ) -> io::Result<()> {
        let owner = self.record(entry)?;
        let description = Rc::clone(&self.description);
        for span_event in span_events {
            let record = SyntheticRecord::of_span_event(span_event, entry.timestamp_ns, &description, tracks);
            self.write_synthetic(&record, entry.timestamp_ns, owner)?;
        }
        Ok(())
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.record(entry).map(|_| ())
    }

    fn finish(mut self: Box<Self>, end: &TraceEnd<'_>) -> io::Result<()> {
        let description = Rc::clone(&self.description);
        let records = std::mem::replace(&mut self.records, Pages::new(tempfile::tempfile()?));
        for (time_ns, record) in SyntheticRecord::of_end(end, self.last_ns, &description) {
            self.write_synthetic(&record, time_ns, Owner::TRACE)?;
        }
        let formats = self.formats();
        let TraceDat { mut out, anchor, tasks, records: at_end, .. } = *self;
        let buffers = [records.finish()?, at_end.finish()?];
        out.write_all(&header(&formats, &tasks, anchor, buffers.each_ref().map(|(_, bytes)| *bytes)))?;
        for (mut file, _) in buffers {
            file.rewind()?;
            io::copy(&mut file, &mut out)?;
        }
        Ok(())
    }
}
