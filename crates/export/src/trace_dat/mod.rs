//! The file format of `trace-cmd`, version 6, for `trace-cmd` and KernelShark. `docs/trace-dat.md`
//! describes the output.
//!
//! The header describes the events, so it is known only at the end. Until then, records are in a
//! temporary file. The output has two processors: the first contains all records, and the second
//! contains data that is known only at the end, such as pauses, at their own times.

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
use crate::shared::value::{TypedValue, plain_values};
use crate::shared::{invalid_input, losses};
use header::header;
use layout::{COMMON_BYTES, field_bytes, format};
use page::{MAX_DATA_BYTES, Pages};

pub(crate) const FORMAT: Format = Format {
    name: "trace-dat",
    about: "trace.dat version 6, for trace-cmd and KernelShark",
    endings: &[".dat"],
    output: OutputKind::Stream,
    needs_order: true,
    has_stacks: false,
    encodes_on_thread: false,
    start,
};

const OWN: &str = "ringtrace_";

fn start(target: ExportTarget, info: &TraceInfo) -> io::Result<Box<dyn Exporter>> {
    let out = target.into_file()?;
    Ok(Box::new(TraceDat {
        out,
        anchor: info.anchor,
        description: Rc::new(info.description.clone()),
        tasks: info.process_names().map(|(pid, name)| (pid, name.to_owned())).collect(),
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
    /// The names of threads, and of processes without known threads.
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
    /// The owner of data about the trace itself.
    const TRACE: Owner = Owner { pid: 0, tid: 0 };
}

impl TraceDat {
    fn id(&mut self, number: usize, is_own: bool) -> io::Result<u16> {
        if self.is_own.len() <= number {
            self.is_own.resize(number + 1, is_own);
        }
        // The number 0 is invalid.
        let message =
            "trace.dat supports at most 65,535 types of records; use --event to select fewer events";
        u16::try_from(number + 1).map_err(|_| invalid_input(message.to_owned()))
    }

    /// Appends a record whose type has the number `number`. `is_own` is true for synthetic records.
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
        self.last_ns = losses::time_ns(entry, self.last_ns);
        if is_dropped {
            let mut dropped = Dropped::default();
            dropped.count(entry);
            self.records.lose(dropped.events)?;
        }
        let cause = entry.lost.map(|lost| TypedValue::Text(lost.cause.word().as_bytes()));
        let values: Vec<TypedValue<'_>> = plain_values(entry).chain(cause).collect();
        let number = self.types.number(entry);
        self.append(number, false, self.last_ns, owner, &values)?;
        Ok(owner)
    }

    /// Returns the descriptions of all events in two groups: the trace's events and synthetic ones.
    fn formats(&self) -> [(&'static str, Vec<String>); 2] {
        let mut systems = [("trace", Vec::new()), ("ringtrace", Vec::new())];
        for (number, (record_type, &is_own)) in self.types.all().iter().zip(&self.is_own).enumerate() {
            systems[usize::from(is_own)].1.push(format(number + 1, record_type));
        }
        systems
    }
}

/// Encodes a record of type `record_type`. Returns the number of string bytes that did not fit.
fn encode(
    id: u16,
    owner: Owner,
    values: &[TypedValue<'_>],
    record_type: &RecordType,
    data: &mut Vec<u8>,
) -> io::Result<usize> {
    let texts_at =
        COMMON_BYTES + record_type.fields.iter().map(|field| field_bytes(field.kind)).sum::<usize>();
    let strings =
        values.iter().filter(|value| matches!(value, TypedValue::Text(_) | TypedValue::Double(_))).count();
    // Each string needs at least a zero byte.
    let room = MAX_DATA_BYTES.checked_sub(texts_at + strings);
    let Some(mut room) = room else {
        return Err(invalid_input(format!("a record of {} values is too large for trace.dat", values.len())));
    };
    data.clear();
    data.extend_from_slice(&id.to_le_bytes());
    data.extend_from_slice(&[0; 2]);
    data.extend_from_slice(&owner.tid.to_le_bytes());
    data.extend_from_slice(&owner.pid.to_le_bytes());
    let (mut texts, mut cut_bytes) = (Vec::new(), 0);
    for (value, field) in values.iter().zip(&record_type.fields) {
        let number;
        let value = match *value {
            TypedValue::Double(bits) => {
                number = format!("{:?}", f64::from_bits(bits));
                TypedValue::Text(number.as_bytes())
            }
            value => value,
        };
        let bits = match value {
            TypedValue::Signed(number) => number.cast_unsigned(),
            TypedValue::Unsigned(bits) | TypedValue::Pointer(bits) | TypedValue::Double(bits) => bits,
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
        data.extend_from_slice(&bits.to_le_bytes()[..field_bytes(field.kind)]);
    }
    data.extend_from_slice(&texts);
    Ok(cut_bytes)
}

impl Exporter for TraceDat {
    fn event(&mut self, entry: &Entry<'_>, spans: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        let owner = self.record(entry)?;
        let description = Rc::clone(&self.description);
        for span_event in spans {
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
