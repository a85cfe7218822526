//! Records of kvmtrace streams. KVM wrote one stream for each CPU of the host.
//!
//! A stream is a magic word (absent in the first variant), followed by records. The format has no
//! record lengths and no index:
//!
//! | offset | contents |
//! |---|---|
//! | 0 | u32: event (28 bits), n (3 bits), timestamped (1 bit) |
//! | 4 | u32 pid |
//! | 8 | u32 vcpu |
//! | 12 | if timestamped: the time, 8 bytes |
//! | 12 or 20 | n times u32 |
//!
//! The variants are identical on little-endian machines. On big-endian ones they differ:
//!
//! | | K1 | K2 | K3 |
//! |---|---|---|---|
//! | magic word | none | 0x12345678 | 0x12345678 |
//! | word 0, little-endian | event in the low bits | the same | the same |
//! | word 0, big-endian | event in the **high** bits | event in the **high** bits | event in the low bits |
//! | time, big-endian | u32 **low**, u32 high | u64 | u64 |
//! | unit of the time | cycles | cycles | nanoseconds |
//!
//! [`Layout::step`] decodes one record, or returns the number of bytes that it requires. Any bit
//! pattern is a valid record. A stream can therefore be invalid only at its start ([`start`]), or
//! end too early ([`Layout::tail`]).

use std::fmt;

use ringtrace_wire::ByteOrder;
use ringtrace_wire::order::u32_at;

/// The first word of a K2 or K3 stream, in the byte order of the whole stream.
pub const MAGIC: u32 = 0x1234_5678;

/// Size of the magic word, in bytes.
pub const MAGIC_BYTES: usize = 4;

/// The maximum number of extra words in a record. KVM itself never wrote more than five.
pub const MAX_WORDS: usize = 7;

/// The bits of an event id.
pub const EVENT_MASK: u32 = 0x0fff_ffff;

const PID_AT: usize = 4;
const VCPU_AT: usize = 8;
const HEADER_BYTES: usize = 12;
const TIMESTAMP_BYTES: usize = 8;
const WORD_BYTES: usize = 4;

/// The positions of the three fields of word 0. Compilers allocate C's bit fields from the lowest
/// bit on little-endian machines, and from the highest bit on big-endian ones.
struct HeaderBits {
    event_shift: u32,
    count_shift: u32,
    timestamped_shift: u32,
}

const FROM_BOTTOM: HeaderBits = HeaderBits { event_shift: 0, count_shift: 28, timestamped_shift: 31 };
const FROM_TOP: HeaderBits = HeaderBits { event_shift: 4, count_shift: 1, timestamped_shift: 0 };

const COUNT_MASK: u32 = 7;

/// A version of the kernel's record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Spring 2008: C bit fields, no magic word, time in cycles as two words.
    K1,
    /// Mid 2008: C bit fields, a magic word, time in cycles.
    K2,
    /// Since July 2008: shifts and masks, a magic word, time in nanoseconds.
    K3,
}

impl Variant {
    /// Every variant, oldest first.
    pub const ALL: [Variant; 3] = [Variant::K1, Variant::K2, Variant::K3];

    /// Returns true if a stream starts with [`MAGIC`].
    pub fn has_magic(self) -> bool {
        self != Variant::K1
    }
}

/// The treatment of records with six or seven extra words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WideRecords {
    /// Read the words, as the layout defines.
    Read,
    /// Leave the words in the stream, as the original formatters did. The record then appears to
    /// have no data, and the next record is read from the wrong offset.
    Misread,
}

/// The format of a stream's records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout {
    /// The variant of the record.
    pub variant: Variant,
    /// The byte order of all words.
    pub order: ByteOrder,
    /// The treatment of records with more than five words.
    pub wide_records: WideRecords,
}

/// One record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// The event id: 28 bits.
    pub event: u32,
    /// The process (thread group) that runs the virtual machine.
    pub pid: u32,
    /// The index of the virtual CPU.
    pub vcpu: u32,
    /// The time, if recorded: in cycles (K1, K2) or nanoseconds (K3).
    pub timestamp: Option<u64>,
    /// The values of the event.
    pub words: Words,
}

/// The extra words of a record, at most seven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Words {
    count: usize,
    words: [u32; MAX_WORDS],
}

impl Words {
    /// Creates extra words from the first seven words of `slice`.
    pub fn new(slice: &[u32]) -> Words {
        let mut words = Words { count: slice.len().min(MAX_WORDS), ..Words::default() };
        for (word, value) in words.words.iter_mut().zip(slice) {
            *word = *value;
        }
        words
    }

    /// Returns the words of the record.
    pub fn as_slice(&self) -> &[u32] {
        self.words.get(..self.count).unwrap_or_default()
    }
}

/// The result of [`Layout::step`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A record.
    Record {
        /// The record.
        record: Record,
        /// The size of the record, in bytes.
        size: usize,
    },
    /// The window is too short: at least this many bytes are required, possibly more.
    NeedMore(usize),
}

/// The last bytes of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// The stream ends after a complete record.
    Clean,
    /// The stream ends within a record or the magic word.
    Cut(Cut),
}

/// A record or magic word that the end of the stream truncates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// The part that is missing or incomplete.
    pub part: Part,
    /// The offset of this part, in bytes from the start of the record or magic word.
    pub part_at: usize,
    /// The number of bytes present, from the start of the record or magic word.
    pub have: usize,
    /// The minimum number of bytes required, from the same start.
    pub need: usize,
}

/// A part of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The first word of a K2 or K3 stream.
    MagicWord,
    /// The first three words of a record.
    Header,
    /// The time of a record.
    Timestamp,
    /// The extra words of a record.
    Data,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Part::MagicWord => "magic word",
            Part::Header => "header",
            Part::Timestamp => "timestamp",
            Part::Data => "data",
        })
    }
}

impl Cut {
    /// Returns true if the stream ends exactly between two parts of a record. The original
    /// formatters read each part separately and did not detect such an end.
    pub fn between_parts(&self) -> bool {
        self.have == self.part_at
    }
}

/// The first bytes of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// The magic word, in this byte order.
    Magic(ByteOrder),
    /// Another word.
    NoMagic([u8; MAGIC_BYTES]),
    /// Too few bytes for the magic word.
    Short,
}

/// Looks for the magic word.
pub fn start(window: &[u8]) -> Start {
    match window.first_chunk::<MAGIC_BYTES>() {
        None => Start::Short,
        Some(word) if ByteOrder::Little.u32(*word) == MAGIC => Start::Magic(ByteOrder::Little),
        Some(word) if ByteOrder::Big.u32(*word) == MAGIC => Start::Magic(ByteOrder::Big),
        Some(word) => Start::NoMagic(*word),
    }
}

/// The number of bytes that [`recognise`] needs.
pub const RECOGNISE_BYTES: usize = MAGIC_BYTES + WORD_BYTES;

/// Returns the variant and byte order of a stream, from its first eight bytes (fewer if the stream
/// is shorter). Returns `None` if KVM did not write the stream.
///
/// The magic word determines the result. If several variants have the same magic word, the event of
/// the first record decides: all events of KVM have bit 16 or bit 17 set, and no higher bit.
/// Little-endian K2 and K3 streams are identical and reported as K3.
pub fn recognise(window: &[u8]) -> Option<(Variant, ByteOrder)> {
    let plausible = |at: usize, variant: Variant, order: ByteOrder| {
        let layout = Layout { variant, order, wide_records: WideRecords::Read };
        let event = u32_at(window, at, order).map(|word| layout.split(word).0);
        event.is_some_and(|event| matches!(event >> 16, 1 | 2))
    };
    match start(window) {
        Start::Magic(ByteOrder::Little) => Some((Variant::K3, ByteOrder::Little)),
        Start::Magic(ByteOrder::Big) if plausible(MAGIC_BYTES, Variant::K2, ByteOrder::Big) => {
            Some((Variant::K2, ByteOrder::Big))
        }
        Start::Magic(ByteOrder::Big) => Some((Variant::K3, ByteOrder::Big)),
        Start::NoMagic(_) => [ByteOrder::Little, ByteOrder::Big]
            .into_iter()
            .find(|order| plausible(0, Variant::K1, *order))
            .map(|order| (Variant::K1, order)),
        Start::Short => None,
    }
}

impl Layout {
    /// Decodes the record at the start of `window`.
    pub fn step(&self, window: &[u8]) -> Step {
        let shape = match self.shape(window) {
            Ok(shape) => shape,
            Err(cut) => return Step::NeedMore(cut.need),
        };
        let record = Record {
            event: shape.event,
            // `shape` checked that the window contains the whole record.
            pid: u32_at(window, PID_AT, self.order).unwrap_or_default(),
            vcpu: u32_at(window, VCPU_AT, self.order).unwrap_or_default(),
            timestamp: shape.timestamped.then(|| self.timestamp(window)),
            words: self.words(window.get(shape.data_at..shape.size).unwrap_or_default()),
        };
        Step::Record { record, size: shape.size }
    }

    /// Classifies the last bytes of a stream, after [`step`](Layout::step) requested more bytes
    /// than the stream contains.
    pub fn tail(&self, window: &[u8]) -> Tail {
        match self.shape(window) {
            Err(cut) if !window.is_empty() => Tail::Cut(cut),
            _ => Tail::Clean,
        }
    }

    /// Returns true if `record` consists of the magic word of a second stream and the bytes that
    /// follow it, because two streams were concatenated. KVM has no event with the resulting id.
    pub fn is_start_of_another(&self, record: &Record) -> bool {
        let read = (record.event, record.words.as_slice().len(), record.timestamp.is_some());
        self.variant.has_magic() && self.split(MAGIC) == read
    }

    /// Appends the magic word, if the variant has one.
    pub fn encode_start(&self, out: &mut Vec<u8>) {
        if self.variant.has_magic() {
            out.extend(self.order.put_u32(MAGIC));
        }
    }

    /// Appends a record. Bits of the event beyond the 28th are dropped.
    pub fn encode_record(&self, record: &Record, out: &mut Vec<u8>) {
        let bits = self.header_bits();
        let words = record.words.as_slice();
        let header = (record.event & EVENT_MASK) << bits.event_shift
            | (words.len() as u32) << bits.count_shift
            | u32::from(record.timestamp.is_some()) << bits.timestamped_shift;
        for word in [header, record.pid, record.vcpu] {
            out.extend(self.order.put_u32(word));
        }
        if let Some(timestamp) = record.timestamp {
            out.extend(self.order.put_u64(self.swap_halves(timestamp)));
        }
        for word in words {
            out.extend(self.order.put_u32(*word));
        }
    }

    fn header_bits(&self) -> &'static HeaderBits {
        match (self.variant, self.order) {
            (Variant::K3, _) | (_, ByteOrder::Little) => &FROM_BOTTOM,
            (Variant::K1 | Variant::K2, ByteOrder::Big) => &FROM_TOP,
        }
    }

    /// Returns the fields of word 0: event, count, timestamped.
    fn split(&self, word: u32) -> (u32, usize, bool) {
        let bits = self.header_bits();
        let event = word >> bits.event_shift & EVENT_MASK;
        let count = word >> bits.count_shift & COUNT_MASK;
        (event, count as usize, word >> bits.timestamped_shift & 1 == 1)
    }

    /// Converts a time to the u64 that the record contains, or converts it back. The function is
    /// its own inverse.
    fn swap_halves(&self, timestamp: u64) -> u64 {
        match (self.variant, self.order) {
            (Variant::K1, ByteOrder::Big) => timestamp.rotate_left(32),
            _ => timestamp,
        }
    }

    fn timestamp(&self, window: &[u8]) -> u64 {
        let bytes = window.get(HEADER_BYTES..).and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |bytes| self.swap_halves(self.order.u64(*bytes)))
    }

    fn words(&self, data: &[u8]) -> Words {
        let mut words = Words::default();
        for (word, bytes) in words.words.iter_mut().zip(data.as_chunks().0) {
            *word = self.order.u32(*bytes);
            words.count += 1;
        }
        words
    }

    /// Returns the shape of the record at the start of `window`, or its first incomplete part.
    fn shape(&self, window: &[u8]) -> Result<Shape, Cut> {
        let have = window.len();
        let cut = |part, part_at, need| Err(Cut { part, part_at, have, need });
        let word = u32_at(window, 0, self.order);
        let Some(word) = word.filter(|_| have >= HEADER_BYTES) else {
            return cut(Part::Header, 0, HEADER_BYTES);
        };
        let (event, count, timestamped) = self.split(word);
        let count = match self.wide_records {
            WideRecords::Misread if count > 5 => 0,
            _ => count,
        };
        let data_at = HEADER_BYTES + if timestamped { TIMESTAMP_BYTES } else { 0 };
        if have < data_at {
            return cut(Part::Timestamp, HEADER_BYTES, data_at);
        }
        let size = data_at + count * WORD_BYTES;
        if have < size {
            return cut(Part::Data, data_at, size);
        }
        Ok(Shape { event, timestamped, data_at, size })
    }
}

/// The shape of a record, derived from word 0.
struct Shape {
    event: u32,
    timestamped: bool,
    data_at: usize,
    size: usize,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MAX_RECORD_BYTES: usize = HEADER_BYTES + TIMESTAMP_BYTES + MAX_WORDS * WORD_BYTES;

    fn any_layout() -> impl Strategy<Value = Layout> {
        let order = prop_oneof![Just(ByteOrder::Little), Just(ByteOrder::Big)];
        (prop::sample::select(&Variant::ALL[..]), order).prop_map(|(variant, order)| Layout {
            variant,
            order,
            wide_records: WideRecords::Read,
        })
    }

    fn any_record() -> impl Strategy<Value = Record> {
        let words = prop::collection::vec(any::<u32>(), 0..=MAX_WORDS);
        (0..=EVENT_MASK, any::<u32>(), any::<u32>(), any::<Option<u64>>(), words).prop_map(
            |(event, pid, vcpu, timestamp, words)| Record {
                event,
                pid,
                vcpu,
                timestamp,
                words: Words::new(&words),
            },
        )
    }

    const SAMPLE: Record = Record {
        event: 0x0002_0005,
        pid: 0x0123,
        vcpu: 1,
        timestamp: Some(0x0000_0012_3456_789a),
        words: Words { count: 2, words: [0x03f8, 1, 0, 0, 0, 0, 0] },
    };

    fn encoded(variant: Variant, order: ByteOrder) -> Vec<u8> {
        let layout = Layout { variant, order, wide_records: WideRecords::Read };
        let mut out = Vec::new();
        layout.encode_start(&mut out);
        layout.encode_record(&SAMPLE, &mut out);
        out
    }

    /// The layout is written out byte by byte, because otherwise the tests would not detect an
    /// error that the encoder and the decoder share.
    #[test]
    fn bytes_of_a_record() {
        let little = [
            0x05, 0x00, 0x02, 0xa0, 0x23, 0x01, 0, 0, 1, 0, 0, 0, 0x9a, 0x78, 0x56, 0x34, 0x12, 0, 0, 0,
            0xf8, 0x03, 0, 0, 1, 0, 0, 0,
        ];
        assert_eq!(encoded(Variant::K1, ByteOrder::Little), little);
        for variant in [Variant::K2, Variant::K3] {
            assert_eq!(encoded(variant, ByteOrder::Little)[..4], [0x78, 0x56, 0x34, 0x12]);
            assert_eq!(encoded(variant, ByteOrder::Little)[4..], little);
        }

        let k3 = [
            0x12, 0x34, 0x56, 0x78, 0xa0, 0x02, 0x00, 0x05, 0, 0, 0x01, 0x23, 0, 0, 0, 1, 0, 0, 0, 0x12,
            0x34, 0x56, 0x78, 0x9a, 0, 0, 0x03, 0xf8, 0, 0, 0, 1,
        ];
        assert_eq!(encoded(Variant::K3, ByteOrder::Big), k3);

        let mut k2 = k3;
        k2[4..8].copy_from_slice(&[0x00, 0x20, 0x00, 0x55]);
        assert_eq!(encoded(Variant::K2, ByteOrder::Big), k2);

        let mut k1 = k2;
        k1[16..24].copy_from_slice(&[0x34, 0x56, 0x78, 0x9a, 0, 0, 0, 0x12]);
        assert_eq!(encoded(Variant::K1, ByteOrder::Big), k1[4..]);
    }

    #[test]
    fn wide_records_are_read_or_left_in_the_stream() {
        let record = Record { words: Words::new(&[1, 2, 3, 4, 5, 6]), ..SAMPLE };
        let layout =
            Layout { variant: Variant::K3, order: ByteOrder::Little, wide_records: WideRecords::Read };
        let mut bytes = Vec::new();
        layout.encode_record(&record, &mut bytes);
        assert_eq!(layout.step(&bytes), Step::Record { record, size: 44 });

        let misread = Layout { wide_records: WideRecords::Misread, ..layout };
        let emptied = Record { words: Words::default(), ..record };
        assert_eq!(misread.step(&bytes), Step::Record { record: emptied, size: 20 });
    }

    #[test]
    fn a_cut_names_the_missing_part() {
        let bytes = encoded(Variant::K1, ByteOrder::Little);
        let layout =
            Layout { variant: Variant::K1, order: ByteOrder::Little, wide_records: WideRecords::Read };
        assert_eq!(layout.tail(&[]), Tail::Clean);
        for have in 1..bytes.len() {
            let Tail::Cut(cut) = layout.tail(&bytes[..have]) else { panic!("{have} bytes are not a record") };
            let expected = match have {
                1..12 => (Part::Header, 0, 12),
                12..20 => (Part::Timestamp, 12, 20),
                _ => (Part::Data, 20, 28),
            };
            assert_eq!((cut.part, cut.part_at, cut.need), expected);
            assert_eq!(cut.between_parts(), have == 12 || have == 20);
            assert_eq!(layout.step(&bytes[..have]), Step::NeedMore(cut.need));
        }
    }

    #[test]
    fn a_second_magic_word_is_noticed() {
        for (variant, order) in [
            (Variant::K2, ByteOrder::Little),
            (Variant::K2, ByteOrder::Big),
            (Variant::K3, ByteOrder::Little),
            (Variant::K3, ByteOrder::Big),
        ] {
            let layout = Layout { variant, order, wide_records: WideRecords::Read };
            let Step::Record { record, .. } = layout.step(&encoded(variant, order)) else {
                panic!("too short")
            };
            assert!(layout.is_start_of_another(&record));
            assert!(!layout.is_start_of_another(&SAMPLE));
        }
    }

    #[test]
    fn a_stream_is_recognised_by_its_first_words() {
        for variant in Variant::ALL {
            for order in [ByteOrder::Little, ByteOrder::Big] {
                let reported = match (variant, order) {
                    (Variant::K2, ByteOrder::Little) => Variant::K3,
                    _ => variant,
                };
                assert_eq!(recognise(&encoded(variant, order)), Some((reported, order)));
            }
        }
        assert_eq!(recognise(&MAGIC.to_be_bytes()), Some((Variant::K3, ByteOrder::Big)));
        assert_eq!(recognise(b"#!/bin/sh"), None);
        assert_eq!(recognise(&[]), None);
    }

    proptest! {
        #[test]
        fn encoded_records_are_decoded(layout in any_layout(), record in any_record()) {
            let mut bytes = Vec::new();
            layout.encode_record(&record, &mut bytes);
            prop_assert!(bytes.len() <= MAX_RECORD_BYTES);
            let size = bytes.len();
            prop_assert_eq!(layout.step(&bytes), Step::Record { record, size });
        }

        /// Any bytes can be decoded as records. Encoding these records returns the same bytes.
        #[test]
        fn any_bytes_are_records(layout in any_layout(), bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let mut rest = &bytes[..];
            let mut again = Vec::new();
            while let Step::Record { record, size } = layout.step(rest) {
                layout.encode_record(&record, &mut again);
                rest = &rest[size..];
            }
            prop_assert_eq!(&again[..], &bytes[..bytes.len() - rest.len()]);
            prop_assert_eq!(layout.tail(rest) == Tail::Clean, rest.is_empty());
        }

        /// A shorter window either returns the same record, or requests bytes that are really
        /// needed.
        #[test]
        fn a_shorter_window_has_the_same_result(layout in any_layout(), bytes in prop::collection::vec(any::<u8>(), 48)) {
            let Step::Record { record, size } = layout.step(&bytes) else { panic!("48 bytes hold any record") };
            for have in 0..bytes.len() {
                match layout.step(&bytes[..have]) {
                    Step::NeedMore(need) => prop_assert!(have < need && need <= size),
                    shorter => prop_assert_eq!(shorter, Step::Record { record, size }),
                }
            }
        }
    }
}
