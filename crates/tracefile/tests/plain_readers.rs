//! Compares the output for random traces in each era with the output of a simple reader.
//!
//! The simple reader implements `docs/formats` in the simplest way. Like the reader of the era, it
//! reads one field after the other from the file. It stops wherever that reader failed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::collections::HashMap;
use std::io::Cursor;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use ringtrace_events::SourceFile;
use ringtrace_tracefile::era::{ERAS, Era, EraInfo};
use ringtrace_tracefile::text::{Render, SimpletraceText, TextBuffer};
use ringtrace_tracefile::{Entry, Flow, Input, Options, OrdinaryRecords, Reader, Visitor};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::{DROPPED_ID, Version};

/// Argument types. The first flag is true if the old rule treats the type as a string. The second
/// flag is true if the new rule does.
const TYPES: &[(&str, bool, bool)] = &[
    ("int ", false, false),
    ("uint64_t ", false, false),
    ("void *", false, false),
    ("const char *", true, true),
    ("char *", true, true),
    ("const char*", true, true),
    ("char **", true, false),
    ("char const *", false, false),
    ("const  char *", false, false),
    ("unsigned char *", false, false),
];

/// An event. `types` are indexes into [`TYPES`].
#[derive(Debug, Clone)]
struct Event {
    types: Vec<usize>,
    disabled: bool,
}

/// A part of a trace.
#[derive(Debug, Clone)]
enum Piece {
    Record {
        event: Index,
        timestamp_ns: u64,
        pid: u32,
        integers: Vec<u64>,
        strings: Vec<Vec<u8>>,
        record_type: u64,
        /// The difference from the correct length.
        length_off: u32,
    },
    Dropped {
        timestamp_ns: u64,
        count: u64,
    },
    Mapping {
        event: Index,
        id: u64,
    },
    Junk(Vec<u8>),
}

#[derive(Debug, Clone)]
struct Trace {
    events: Vec<Event>,
    pieces: Vec<Piece>,
    /// The id of each event in v4.
    ids: Vec<u64>,
    cut: Option<Index>,
    flip: Option<(Index, u8)>,
    no_header: bool,
}

fn integer() -> impl Strategy<Value = u64> {
    prop_oneof![select(vec![0, 1, 1 << 63, u64::MAX, 0xffff_ffff]), any::<u64>(), 0..1000_u64]
}

fn timestamp_ns() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 1_000_000..2_000_000_u64, 1 => integer()]
}

fn string() -> impl Strategy<Value = Vec<u8>> {
    let odd = select(b"'\"\\\t\n\r\0\x7f\x80\xffab ".to_vec());
    prop_oneof![vec(b' '..0x7f, 0..40), vec(odd, 0..20), vec(any::<u8>(), 0..40)]
}

fn piece() -> impl Strategy<Value = Piece> {
    let record_type = prop_oneof![9 => Just(1), 1 => 2..4_u64, 1 => any::<u64>()];
    let length_off = prop_oneof![9 => Just(0), 1 => 0..40_u32, 1 => (0..40_u32).prop_map(u32::wrapping_neg), 1 => any::<u32>()];
    let record = (
        any::<Index>(),
        timestamp_ns(),
        any::<u32>(),
        vec(integer(), 6),
        vec(string(), 6),
        record_type,
        length_off,
    )
        .prop_map(|(event, timestamp_ns, pid, integers, strings, record_type, length_off)| {
            Piece::Record { event, timestamp_ns, pid, integers, strings, record_type, length_off }
        });
    prop_oneof![
        20 => record,
        2 => (timestamp_ns(), integer()).prop_map(|(timestamp_ns, count)| Piece::Dropped { timestamp_ns, count }),
        2 => (any::<Index>(), prop_oneof![0..12_u64, any::<u64>()])
            .prop_map(|(event, id)| Piece::Mapping { event, id }),
        1 => vec(any::<u8>(), 1..40).prop_map(Piece::Junk),
    ]
}

fn trace() -> impl Strategy<Value = Trace> {
    let event = (vec(0..TYPES.len(), 0..7), prop::bool::weighted(0.2))
        .prop_map(|(types, disabled)| Event { types, disabled });
    let ids = prop_oneof![Just((0..8).collect::<Vec<u64>>()), vec(any::<u64>(), 8)];
    (
        vec(event, 1..8),
        vec(piece(), 0..12),
        ids,
        prop::option::weighted(0.3, any::<Index>()),
        prop::option::weighted(0.3, (any::<Index>(), 1..=255_u8)),
        prop::bool::weighted(0.1),
    )
        .prop_map(|(events, pieces, ids, cut, flip, no_header)| Trace {
            events,
            pieces,
            ids,
            cut,
            flip,
            no_header,
        })
}

impl Trace {
    fn name(index: usize) -> String {
        format!("event_{index}")
    }

    fn declarations(&self) -> String {
        let declare = |(index, event): (usize, &Event)| {
            let argument = |(place, kind): (usize, &usize)| format!("{}a{place}", TYPES[*kind].0);
            let arguments: Vec<String> = event.types.iter().enumerate().map(argument).collect();
            let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") };
            let disable = if event.disabled { "disable " } else { "" };
            format!("{disable}{}({arguments}) \"x\"\n", Trace::name(index))
        };
        self.events.iter().enumerate().map(declare).collect()
    }

    /// Returns the events that have an id in files of `version`, by position.
    fn numbered(&self, version: Version) -> Vec<usize> {
        let counts = |index: &usize| version != Version::V2 || !self.events[*index].disabled;
        (0..self.events.len()).filter(counts).collect()
    }

    fn is_string(&self, kind: usize, era: Era, version: Version) -> bool {
        let (_, old, new) = TYPES[kind];
        match version {
            Version::V0 => false,
            Version::V4 if matches!(era, Era::Y2021 | Era::Q10_2) => new,
            _ => old,
        }
    }

    fn has_header(&self, version: Version) -> bool {
        !self.no_header || matches!(version, Version::V0 | Version::V2)
    }

    fn encode(&self, era: Era, version: Version, order: ByteOrder) -> Vec<u8> {
        let mut out = Vec::new();
        let header_bytes = if self.has_header(version) {
            let field = match version {
                Version::V0 => 0,
                Version::V2 => 2,
                Version::V3 => 3,
                _ => 4,
            };
            for word in [u64::MAX, 0xf2b1_77cb_0aa4_29b4, field] {
                out.extend(order.put_u64(word));
            }
            out.resize(if version == Version::V0 { 64 } else { 24 }, 0);
            out.len()
        } else {
            0
        };
        if version == Version::V4 {
            for (index, id) in self.ids.iter().take(self.events.len()).enumerate() {
                mapping(*id, &Trace::name(index), order, &mut out);
            }
        }
        for piece in &self.pieces {
            self.encode_piece(piece, era, version, order, &mut out);
        }
        // Never cut within the header, because files without a complete header are not tested here.
        if let Some(cut) = self.cut {
            out.truncate(header_bytes + cut.index(out.len() - header_bytes + 1));
        }
        if let Some((at, bits)) = self.flip.filter(|_| out.len() > header_bytes) {
            let at = header_bytes + at.index(out.len() - header_bytes);
            out[at] ^= bits;
        }
        out
    }

    fn encode_piece(&self, piece: &Piece, era: Era, version: Version, order: ByteOrder, out: &mut Vec<u8>) {
        let numbered = self.numbered(version);
        match piece {
            Piece::Junk(bytes) => out.extend(bytes),
            Piece::Mapping { event, id } if version == Version::V4 => {
                mapping(*id, &Trace::name(event.index(self.events.len())), order, out);
            }
            Piece::Mapping { .. } => {}
            Piece::Dropped { timestamp_ns, count } => {
                let payload = order.put_u64(*count);
                record([1, DROPPED_ID, *timestamp_ns], 32, 0, &payload, version, order, out);
            }
            Piece::Record { .. } if numbered.is_empty() => {}
            Piece::Record { event, timestamp_ns, pid, integers, strings, record_type, length_off } => {
                let id = event.index(numbered.len());
                let event = &self.events[numbered[id]];
                let mut payload = Vec::new();
                for ((kind, integer), string) in event.types.iter().zip(integers).zip(strings) {
                    if self.is_string(*kind, era, version) {
                        payload.extend(order.put_u32(string.len() as u32));
                        payload.extend(string);
                    } else {
                        payload.extend(order.put_u64(*integer));
                    }
                }
                let length = (24 + payload.len() as u32).wrapping_add(*length_off);
                let id = if version == Version::V4 { self.ids[numbered[id]] } else { id as u64 };
                record([*record_type, id, *timestamp_ns], length, *pid, &payload, version, order, out);
            }
        }
    }
}

fn mapping(id: u64, name: &str, order: ByteOrder, out: &mut Vec<u8>) {
    out.extend(order.put_u64(0));
    out.extend(order.put_u64(id));
    out.extend(order.put_u32(name.len() as u32));
    out.extend(name.as_bytes());
}

fn record(
    words: [u64; 3],
    length: u32,
    pid: u32,
    payload: &[u8],
    version: Version,
    order: ByteOrder,
    out: &mut Vec<u8>,
) {
    let [record_type, id, timestamp_ns] = words;
    if version == Version::V4 {
        out.extend(order.put_u64(record_type));
    }
    out.extend(order.put_u64(id));
    out.extend(order.put_u64(timestamp_ns));
    if version == Version::V0 {
        let mut arguments = payload.to_vec();
        arguments.resize(48, 0);
        out.extend(arguments);
        return;
    }
    out.extend(order.put_u32(length));
    out.extend(order.put_u32(pid));
    out.extend(payload);
}

/// The error of a reader that fails.
#[derive(Debug)]
struct Died;

/// A file that is read field by field.
struct File<'a> {
    rest: &'a [u8],
    order: ByteOrder,
}

impl<'a> File<'a> {
    /// Reads in the same way as Python's `read`, which returns fewer bytes at the end of the file,
    /// and the whole rest for -1.
    fn read(&mut self, count: i64) -> Result<&'a [u8], Died> {
        let count = match count {
            -1 => self.rest.len(),
            count => usize::try_from(count).map_err(|_| Died)?,
        };
        let (taken, rest) = self.rest.split_at(count.min(self.rest.len()));
        self.rest = rest;
        Ok(taken)
    }

    fn u64(&mut self) -> Result<u64, Died> {
        Ok(self.order.u64(self.read(8)?.try_into().map_err(|_| Died)?))
    }

    fn u32(&mut self) -> Result<u32, Died> {
        Ok(self.order.u32(self.read(4)?.try_into().map_err(|_| Died)?))
    }
}

/// A decoded value.
enum Read<'a> {
    Integer(u64),
    Str(&'a [u8]),
}

struct Plain<'t> {
    trace: &'t Trace,
    era: &'static EraInfo,
    version: Version,
    last_ns: Option<u64>,
    text: Vec<u8>,
}

impl Plain<'_> {
    fn run(&mut self, bytes: &[u8], order: ByteOrder) -> Result<(), Died> {
        let mut file = File { rest: bytes, order };
        if self.trace.has_header(self.version) {
            file.read(if self.version == Version::V0 { 64 } else { 24 })?;
        }
        let positions = self.trace.numbered(self.version);
        let by_position = match self.version {
            Version::V4 => !self.trace.has_header(self.version) && self.era.era != Era::Y2016,
            _ => true,
        };
        let mut names: HashMap<u64, Vec<u8>> = HashMap::new();
        if by_position {
            names = (0..).zip(&positions).map(|(id, index)| (id, Trace::name(*index).into_bytes())).collect();
        }
        while !file.rest.is_empty() {
            if self.version == Version::V4 && file.u64()? == 0 {
                let id = file.u64()?;
                let length = file.u32()?;
                let name = file.read(i64::from(length))?;
                if self.era.era != Era::Y2016 && std::str::from_utf8(name).is_err() {
                    return Err(Died);
                }
                names.insert(id, name.to_vec());
                continue;
            }
            let fixed_bytes = if self.version == Version::V0 { 64 } else { 24 };
            if file.rest.len() < fixed_bytes {
                return if self.version == Version::V4 { Err(Died) } else { Ok(()) };
            }
            let (id, timestamp_ns) = (file.u64()?, file.u64()?);
            if self.version == Version::V0 {
                let mut arguments = File { rest: file.read(48)?, order };
                self.record(id, timestamp_ns, 0, &names, &mut arguments)?;
                continue;
            }
            let (length, pid) = (file.u32()?, file.u32()?);
            if self.era.era == Era::Q10_2 {
                let mut payload = File { rest: file.read(i64::from(length) - 24)?, order };
                self.record(id, timestamp_ns, pid, &names, &mut payload)?;
            } else {
                self.record(id, timestamp_ns, pid, &names, &mut file)?;
            }
        }
        Ok(())
    }

    fn record(
        &mut self,
        id: u64,
        timestamp_ns: u64,
        pid: u32,
        names: &HashMap<u64, Vec<u8>>,
        from: &mut File<'_>,
    ) -> Result<(), Died> {
        let mut values = Vec::new();
        let name = match names.get(&id) {
            Some(name) => {
                let declared = |index: &usize| Trace::name(*index).as_bytes() == name.as_slice();
                let index = (0..self.trace.events.len()).find(declared).ok_or(Died)?;
                for (place, kind) in self.trace.events[index].types.iter().enumerate() {
                    // If no blank precedes a `*`, the readers of v0 treated it as part of the name.
                    let glued = if TYPES[*kind].0 == "const char*" { "char*" } else { "" };
                    let glued = if self.version == Version::V0 { glued } else { "" };
                    let value = if self.trace.is_string(*kind, self.era.era, self.version) {
                        let length = from.u32()?;
                        let bytes = from.read(i64::from(length))?;
                        if bytes.len() < length as usize {
                            from.rest = &[];
                        }
                        Read::Str(bytes)
                    } else {
                        Read::Integer(from.u64()?)
                    };
                    values.push((format!("{glued}a{place}"), value));
                }
                if values.is_empty() && self.version == Version::V0 {
                    values.push(("void".to_owned(), Read::Integer(from.u64()?)));
                }
                String::from_utf8(name.clone()).map_err(|_| Died)?
            }
            None if id == DROPPED_ID && self.era.era != Era::Y2010 => {
                let (name, count) = match self.version {
                    Version::V0 => ("dropped", "count"),
                    _ => ("Dropped_Event", "num_events_dropped"),
                };
                values.push((count.to_owned(), Read::Integer(from.u64()?)));
                name.to_owned()
            }
            None => return Err(Died),
        };
        let delta_ns = i128::from(timestamp_ns) - i128::from(self.last_ns.unwrap_or(timestamp_ns));
        self.last_ns = Some(timestamp_ns);
        // This is inexact for larger differences. The tests of `text::delta` compare exact
        // quotients with Python's.
        let delta = if delta_ns.unsigned_abs() < 1 << 50 || self.era.era != Era::Q10_2 {
            format!("{:.3}", delta_ns as f64 / 1000.0)
        } else {
            let micros = delta_ns.unsigned_abs() as u64;
            let sign = if delta_ns < 0 { "-" } else { "" };
            format!("{sign}{:.3}", exact_thousandth(micros))
        };
        let pid = match self.version {
            Version::V0 | Version::V2 => String::new(),
            _ => format!(" pid={pid}"),
        };
        self.text.extend(format!("{name} {delta}{pid}").bytes());
        if values.is_empty() && self.era.era == Era::Q10_2 {
            self.text.push(b' ');
        }
        for (name, value) in values {
            self.text.extend(format!(" {name}=").bytes());
            match value {
                Read::Integer(value) => self.text.extend(format!("0x{value:x}").bytes()),
                Read::Str(bytes) if self.era.bytes_literals => self.text.extend(python_bytes(bytes).bytes()),
                Read::Str(bytes) => self.text.extend(bytes),
            }
        }
        self.text.push(b'\n');
        Ok(())
    }
}

/// Returns the double that is nearest to `ns / 1000`: the one whose exact product with 1000 differs
/// least from `ns`.
fn exact_thousandth(ns: u64) -> f64 {
    let near = ns as f64 / 1000.0;
    // All candidates are multiples of 2^-20 and below 2^55, so they become integers of 75 bits.
    let miss = |candidate: f64| {
        let scaled = (candidate * f64::from(1 << 20)) as i128;
        (scaled * 1000 - (i128::from(ns) << 20)).abs()
    };
    let even = |candidate: f64| candidate.to_bits() & 1;
    [near.next_down(), near, near.next_up()]
        .into_iter()
        .min_by_key(|candidate| (miss(*candidate), even(*candidate)))
        .unwrap()
}

/// Formats bytes as Python 3 prints a bytes object.
fn python_bytes(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut text = format!("b{quote}");
    for &byte in bytes {
        text += &match byte {
            b'\t' => "\\t".to_owned(),
            b'\n' => "\\n".to_owned(),
            b'\r' => "\\r".to_owned(),
            b'\\' => "\\\\".to_owned(),
            _ if char::from(byte) == quote => format!("\\{quote}"),
            b' '..0x7f => char::from(byte).to_string(),
            _ => format!("\\x{byte:02x}"),
        };
    }
    text.push(quote);
    text
}

/// Returns the output of [`Reader`] and its error.
fn ours(
    trace: &Trace,
    era: &EraInfo,
    version: Version,
    order: ByteOrder,
    bytes: &[u8],
) -> (Vec<u8>, Option<String>) {
    let no_header = !trace.has_header(version);
    let options = Options {
        sources: vec![SourceFile::new("events", trace.declarations())],
        era: Some(era.era),
        no_header,
        version: no_header.then_some(version),
        order: no_header.then_some(order),
        era_dialect: true,
        ..Options::default()
    };
    let mut lines = Lines { text: SimpletraceText::new(era.era), out: TextBuffer::with_capacity(0) };
    let input = Input::from_reader(Box::new(Cursor::new(bytes.to_vec())));
    let read = Reader::new("trace", input, &options).and_then(|mut reader| reader.for_each_mut(&mut lines));
    (lines.out.as_bytes().to_vec(), read.err().map(|error| error.to_string()))
}

/// A visitor that renders all entries, on the fast path where possible.
struct Lines {
    text: SimpletraceText,
    out: TextBuffer,
}

impl Visitor for Lines {
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        self.text.render_fast(records, &mut self.out);
        Flow::Continue
    }

    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.text.render(entry, &mut self.out);
        Flow::Continue
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_era_is_read_like_the_plain_reader(trace in trace(), big: bool) {
        let order = if big { ByteOrder::Big } else { ByteOrder::Little };
        for era in ERAS {
            for &version in era.reads.iter().filter(|version| **version != Version::Rfc2011) {
                let bytes = trace.encode(era.era, version, order);
                let mut plain = Plain { trace: &trace, era, version, last_ns: None, text: Vec::new() };
                let died = plain.run(&bytes, order).is_err();
                let (text, error) = ours(&trace, era, version, order, &bytes);
                prop_assert_eq!(
                    String::from_utf8_lossy(&text),
                    String::from_utf8_lossy(&plain.text),
                    "{} of {}: {:?}\n{}", era.name, version, &error, trace.declarations()
                );
                prop_assert_eq!(error.is_some(), died, "{} of {}: {:?}", era.name, version, &error);
            }
        }
    }
}
