//! Python objects, as a sequence of pickles. `docs/simpletrace-python.md` describes the objects.
//!
//! Each pickle is complete, so that a reader can load one after another. The first contains the
//! version. Each of the others contains three lists: records, the events that occur for the first
//! time, and pauses. A record is a tuple. Its first item, the event's name, is written once in each
//! pickle and then taken from Python's memo.

use std::fs::File;
use std::io;

use ringtrace_events::CType;
use ringtrace_tracefile::pair::{SpanEvent, Track};
use ringtrace_tracefile::{Entry, Pause, Value};
use ringtrace_wire::simpletrace::Version;

use crate::exporter::{ExportTarget, Exporter, Format, OutputKind, TraceEnd, TraceInfo};
use crate::shared::block_writer::BlockWriter;

pub const FORMAT: Format = Format {
    name: "pickle",
    about: "Python objects, with exact integers",
    endings: &[".pickle", ".pkl"],
    output: OutputKind::Stream,
    needs_order: false,
    has_stacks: false,
    encodes_on_thread: false,
    start,
};

/// Version of the objects.
const VERSION: u64 = 1;

/// Name of a dropped record, as in QEMU's Python module.
const DROPPED: &str = "dropped";

/// Total size of the records at which a pickle ends. The reader needs a few times as much memory.
const PICKLE_BYTES: usize = 64 << 10;

/// Opcodes of protocol 4, the newest that Python 3.4 to 3.7 read. Python never removes an opcode.
mod opcode {
    pub const PROTOCOL: [u8; 2] = [0x80, 4];
    pub const FRAME: u8 = 0x95;
    pub const MARK: u8 = b'(';
    pub const TUPLE: u8 = b't';
    pub const TUPLE2: u8 = 0x86;
    pub const TUPLE3: u8 = 0x87;
    pub const EMPTY_LIST: u8 = b']';
    pub const APPENDS: u8 = b'e';
    pub const NEWFALSE: u8 = 0x89;
    pub const NEWTRUE: u8 = 0x88;
    pub const NONE: u8 = b'N';
    pub const STOP: u8 = b'.';
    pub const BININT1: u8 = b'K';
    pub const BININT2: u8 = b'M';
    pub const BININT: u8 = b'J';
    pub const LONG1: u8 = 0x8a;
    pub const BINFLOAT: u8 = b'G';
    pub const SHORT_BINBYTES: u8 = b'C';
    pub const BINBYTES: u8 = b'B';
    pub const SHORT_BINUNICODE: u8 = 0x8c;
    pub const BINUNICODE: u8 = b'X';
    pub const MEMOIZE: u8 = 0x94;
    pub const BINGET: u8 = b'h';
    pub const LONG_BINGET: u8 = b'j';
}

struct Pickle {
    out: BlockWriter,
    /// The records of the current pickle.
    records: Vec<u8>,
    /// The events that occur for the first time in the current pickle.
    events: Vec<u8>,
    /// The state of each event, by schema index.
    names: Vec<NameState>,
    /// Number of the current pickle, from 1.
    number: u32,
    /// Number of names in the memo of the current pickle.
    in_memo: u32,
}

#[derive(Clone, Copy, Default)]
struct NameState {
    /// The last pickle that contains the name; 0 if there is none.
    pickle: u32,
    /// The position of the name in the memo of that pickle.
    position: u32,
}

fn start(target: ExportTarget, _: &TraceInfo) -> io::Result<Box<dyn Exporter>> {
    let mut pickle = Pickle {
        out: BlockWriter::new(target.into_file()?),
        records: Vec::new(),
        events: Vec::new(),
        names: Vec::new(),
        number: 1,
        in_memo: 0,
    };
    let mut head = Vec::new();
    push_text("ringtrace", &mut head);
    push_integer(VERSION, &mut head);
    head.push(opcode::TUPLE2);
    pickle.write(&[&head]);
    Ok(Box::new(pickle))
}

impl Pickle {
    fn push_record(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.records.push(opcode::MARK);
        self.push_name(entry);
        push_integer(entry.timestamp_ns, &mut self.records);
        push_integer(entry.pid.into(), &mut self.records);
        let declared = entry.schema.arguments.iter().map(|argument| argument.ctype);
        let types = declared.chain(std::iter::repeat(CType::Unknown));
        for (value, ctype) in entry.values().chain(entry.surplus()).zip(types) {
            push_value(value, ctype, &mut self.records);
        }
        self.records.push(opcode::TUPLE);
        if self.records.len() >= PICKLE_BYTES { self.flush() } else { Ok(()) }
    }

    #[inline]
    fn push_name(&mut self, entry: &Entry<'_>) {
        let index = entry.schema_index as usize;
        match self.names.get(index) {
            Some(state) if state.pickle == self.number => match u8::try_from(state.position) {
                Ok(position) => self.records.extend_from_slice(&[opcode::BINGET, position]),
                Err(_) => {
                    self.records.push(opcode::LONG_BINGET);
                    self.records.extend_from_slice(&state.position.to_le_bytes());
                }
            },
            _ => self.push_new_name(entry),
        }
    }

    #[cold]
    fn push_new_name(&mut self, entry: &Entry<'_>) {
        let index = entry.schema_index as usize;
        if self.names.len() <= index {
            self.names.resize(index + 1, NameState::default());
        }
        let name = if entry.is_dropped() { DROPPED } else { &*entry.schema.name };
        push_text(name, &mut self.records);
        self.records.push(opcode::MEMOIZE);
        if self.names[index].pickle == 0 {
            self.events.push(opcode::MARK);
            push_text(name, &mut self.events);
            self.events.push(if entry.is_dropped() { opcode::NEWTRUE } else { opcode::NEWFALSE });
            match entry.version {
                // Each record has its own number of values.
                Version::Rfc2011 => self.events.push(opcode::NONE),
                _ => push_integer(entry.argument_count() as u64, &mut self.events),
            }
            push_text(&entry.schema.declaration, &mut self.events);
            self.events.push(opcode::TUPLE);
        }
        self.names[index] = NameState { pickle: self.number, position: self.in_memo };
        self.in_memo += 1;
    }

    /// Ends the current pickle, and writes it if it contains records.
    fn flush(&mut self) -> io::Result<()> {
        if self.records.is_empty() { Ok(()) } else { self.end(&[]) }
    }

    /// Ends the current pickle with these pauses, and writes it.
    fn end(&mut self, pauses: &[Pause]) -> io::Result<()> {
        let mut pausing = Vec::new();
        for pause in pauses {
            for time_ns in [pause.from_ns, pause.to_ns] {
                match time_ns {
                    Some(time_ns) => push_integer(time_ns, &mut pausing),
                    None => pausing.push(opcode::NONE),
                }
            }
            pausing.push(opcode::TUPLE2);
        }
        let begin: &[u8] = &[opcode::EMPTY_LIST, opcode::MARK];
        let end: &[u8] = &[opcode::APPENDS];
        let (records, events) = (std::mem::take(&mut self.records), std::mem::take(&mut self.events));
        let lists = [begin, &records, end, begin, &events, end, begin, &pausing, end, &[opcode::TUPLE3]];
        self.write(&lists);
        (self.records, self.events) = (records, events);
        self.records.clear();
        self.events.clear();
        self.number += 1;
        self.in_memo = 0;
        // Flush each pickle, so that the reader can process it while the next one is written.
        self.out.flush()
    }

    /// Appends a pickle with these instructions.
    fn write(&mut self, instructions: &[&[u8]]) {
        let out = self.out.bytes();
        let bytes = instructions.iter().map(|part| part.len()).sum::<usize>() + 1;
        out.extend_from_slice(&opcode::PROTOCOL);
        out.push(opcode::FRAME);
        out.extend_from_slice(&(bytes as u64).to_le_bytes());
        instructions.iter().for_each(|part| out.extend_from_slice(part));
        out.push(opcode::STOP);
    }
}

#[inline]
fn push_value(value: Value<'_>, ctype: CType, out: &mut Vec<u8>) {
    match value {
        Value::Integer(bits) if ctype == CType::Double => {
            out.push(opcode::BINFLOAT);
            out.extend_from_slice(&bits.to_be_bytes());
        }
        Value::Integer(bits) => push_integer(bits, out),
        Value::Str(bytes) => push_counted(bytes, opcode::SHORT_BINBYTES, opcode::BINBYTES, out),
    }
}

#[inline]
fn push_integer(value: u64, out: &mut Vec<u8>) {
    let bytes = value.to_le_bytes();
    let used = 8 - value.leading_zeros() as usize / 8;
    match used {
        0 | 1 => out.extend_from_slice(&[opcode::BININT1, bytes[0]]),
        2 => out.extend_from_slice(&[opcode::BININT2, bytes[0], bytes[1]]),
        3 | 4 if value <= i32::MAX as u64 => {
            out.extend_from_slice(&[opcode::BININT, bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        _ => {
            // Pickle's integers are signed, so append a zero byte if the sign bit is set.
            let [b0, b1, b2, b3, b4, b5, b6, b7] = bytes;
            let signed = if bytes[used - 1] & 0x80 == 0 { used } else { used + 1 };
            let all = [opcode::LONG1, signed as u8, b0, b1, b2, b3, b4, b5, b6, b7, 0];
            out.extend_from_slice(&all[..2 + signed]);
        }
    }
}

fn push_text(text: &str, out: &mut Vec<u8>) {
    push_counted(text.as_bytes(), opcode::SHORT_BINUNICODE, opcode::BINUNICODE, out);
}

/// Appends bytes with their length after an opcode, which depends on the length.
fn push_counted(bytes: &[u8], short: u8, long: u8, out: &mut Vec<u8>) {
    match u8::try_from(bytes.len()) {
        Ok(length) => out.extend_from_slice(&[short, length]),
        Err(_) => {
            out.push(long);
            // A record's length is a 32-bit number.
            out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        }
    }
    out.extend_from_slice(bytes);
}

impl Exporter for Pickle {
    fn event(&mut self, entry: &Entry<'_>, _: &[SpanEvent<'_>], _: &[Track]) -> io::Result<()> {
        self.push_record(entry)
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.push_record(entry)
    }

    fn idle(&mut self) -> io::Result<()> {
        self.flush()
    }

    fn finish(mut self: Box<Self>, end: &TraceEnd<'_>) -> io::Result<()> {
        self.end(end.pauses)?;
        self.out.finish().map(|_: File| ())
    }
}
