//! The fast path must be used, and must print the same text as `render`.

use proptest::prelude::*;
use ringtrace_events::SourceFile;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::compact::BlockEncoder;
use ringtrace_wire::simpletrace::ArgumentKind;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};

use super::*;
use crate::input::Input;
use crate::metadata::{FIRST_ID, Metadata};
use crate::read::visitor::{BlockRecords, Flow, OrdinaryRecords, Visitor};
use crate::read::{Options, Reader};

const DECLARATIONS: &str = "\
none(void) \"\"
one(uint64_t a) \"\"
strings(const char *first, const char *second, int n) \"\"
a_name_of_as_many_bytes_as_fit1(int a_name_that_fits_as_well_123) \"\"
a_name_of_more_bytes_than_what_fits(int a) \"\"
long_argument(int a, int a_name_of_more_bytes_than_what_fits) \"\"
long_with_threads(int a_name_that_fits) \"\"
";

const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };

/// A record to encode: its event, time difference, process, thread and values.
#[derive(Debug, Clone)]
struct Made {
    event: usize,
    later_ns: i64,
    pid: u32,
    tid: u64,
    integer: u64,
    string: Vec<u8>,
}

fn made() -> impl Strategy<Value = Made> {
    let later_ns = prop_oneof![8 => 0..10_000_i64, 4 => 0..2_000_000_i64, 1 => any::<i64>()];
    let pid = prop_oneof![8 => Just(4242), 1 => 0..3_u32, 1 => Just(u32::MAX)];
    let tid = prop_oneof![4 => Just(0), 4 => Just(4243), 1 => Just(u64::from(u32::MAX) - 1)];
    let integer = (any::<u64>(), 0..64_u32).prop_map(|(value, shift)| value >> shift);
    let string = prop_oneof![
        4 => "[a-z]{0,40}".prop_map(String::into_bytes),
        1 => proptest::collection::vec(any::<u8>(), 0..40),
    ];
    (0..7_usize, later_ns, pid, tid, integer, string).prop_map(
        |(event, later_ns, pid, tid, integer, string)| Made { event, later_ns, pid, tid, integer, string },
    )
}

fn trace(threaded: bool, records: &[Made]) -> Vec<u8> {
    let mut bytes = Vec::new();
    ENCODER.header(0, 0, &mut bytes);
    if threaded {
        ENCODER.mapping(FIRST_ID, Metadata::Version(1).to_name().as_bytes(), &mut bytes);
    }
    let names: Vec<&str> = DECLARATIONS.lines().filter_map(|line| Some(line.split_once('(')?.0)).collect();
    let mut timestamp_ns = 1_u64 << 40;
    for made in records {
        let id = made.tid << 32 | made.event as u64;
        ENCODER.mapping(id, names[made.event].as_bytes(), &mut bytes);
        timestamp_ns = timestamp_ns.wrapping_add_signed(made.later_ns);
        let (integer, string) = (Value::Integer(made.integer), Value::Str(&made.string));
        let values = match made.event {
            0 => vec![],
            2 => vec![string, string, integer],
            5 => vec![integer, integer],
            _ => vec![integer],
        };
        ENCODER.record(id, timestamp_ns, made.pid, &values, &mut bytes).unwrap();
    }
    bytes
}

struct Lines {
    text: SimpletraceText,
    out: TextBuffer,
    by_fast_path: bool,
    long: usize,
}

impl Visitor for Lines {
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        if self.by_fast_path {
            self.text.render_fast(records, &mut self.out);
        }
        Flow::Continue
    }

    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.text.render(entry, &mut self.out);
        self.long += 1;
        Flow::Continue
    }
}

/// Returns the text, and the number of lines that did not use the fast path.
fn lines(trace: &[u8], by_fast_path: bool) -> (String, usize) {
    let options = Options { sources: vec![SourceFile::new("events", DECLARATIONS)], ..Options::default() };
    let input = Input::from_reader(Box::new(std::io::Cursor::new(trace.to_vec())));
    let mut reader = Reader::new("trace", input, &options).unwrap();
    let text = SimpletraceText::new(reader.era()).with_threads();
    let mut lines = Lines { text, out: TextBuffer::with_capacity(0), by_fast_path, long: 0 };
    reader.for_each_mut(&mut lines).unwrap();
    (lines.out.as_bytes().escape_ascii().to_string(), lines.long)
}

#[test]
fn only_the_first_line_of_an_event_leaves_the_fast_path() {
    let one = |event| Made { event, later_ns: 5, pid: 1, tid: 0, integer: 7, string: b"it is".to_vec() };
    for event in [0, 1, 2, 3, 6] {
        let bytes = trace(false, &vec![one(event); 1000]);
        let (text, long) = lines(&bytes, true);
        assert_eq!(text, lines(&bytes, false).0);
        // Lines at the end of a full buffer do not use the fast path either.
        assert!(long < 20, "event {event}: {long} lines");
    }
}

#[test]
fn lines_of_many_threads_stay_on_the_fast_path() {
    // More threads than the cache holds.
    let one = |number: u64| Made {
        event: 6,
        later_ns: 5,
        pid: 4_000_000,
        tid: 3_000_000 + number * 7 % 1500,
        integer: 7,
        string: Vec::new(),
    };
    let records: Vec<Made> = (0..5000).map(one).collect();
    let bytes = trace(true, &records);
    let (text, long) = lines(&bytes, true);
    assert_eq!(text, lines(&bytes, false).0);
    assert!(long < 20, "{long} lines");
}

/// The largest name that fits into the block of a name.
const LONG_NAME: &str = "a_name_of_as_many_bytes_as_fit_";

/// Returns declarations of events with 0 to 11 integers, and a compact trace with records of each of them. The last
/// records in a block, and all after one whose time needs a slower function, are not taken while they are decoded.
fn compact_trace() -> (String, Vec<u8>) {
    const LATER_NS: &[u64] = &[0, 999, 999_999, 1_000_000, 5_000_000_000, (1 << 50) - 1];
    const FAR_NS: u64 = 1 << 50;
    const INTEGERS: &[ArgumentKind] = &[ArgumentKind::Integer { signed: false }; 11];
    let (mut declarations, mut bytes, mut file) = (String::new(), Vec::new(), Vec::new());
    let mut encoder = BlockEncoder::default();
    ENCODER.header(0, 0, &mut bytes);
    for count in 0..12 {
        let arguments: Vec<String> = (0..count).map(|index| format!("int argument_{index}")).collect();
        let arguments = if count == 0 { "void".to_owned() } else { arguments.join(", ") };
        let name = &LONG_NAME[count..];
        declarations += &format!("{name}({arguments}) \"\"\n");
        ENCODER.mapping(count as u64, name.as_bytes(), &mut bytes);
    }
    let mut timestamp_ns = 1_u64 << 61;
    for (count, value) in (0..12).flat_map(|count| [(count, 0), (count, u64::MAX)]) {
        encoder.push(&bytes, |id| INTEGERS.get(..id as usize), &mut file).unwrap();
        encoder.finish(&mut file);
        bytes.clear();
        let values = vec![Value::Integer(value); count];
        for &later_ns in LATER_NS.iter().cycle().take(90).chain(&[FAR_NS, 5]) {
            timestamp_ns += later_ns;
            ENCODER.record(count as u64, timestamp_ns, u32::MAX, &values, &mut bytes).unwrap();
        }
    }
    encoder.push(&bytes, |id| INTEGERS.get(..id as usize), &mut file).unwrap();
    encoder.finish(&mut file);
    (declarations, file)
}

/// Renders the records of blocks while they are decoded.
struct BlockLines(Lines);

impl Visitor for BlockLines {
    fn takes_blocks(&self) -> bool {
        true
    }

    fn take_block(&mut self, records: &mut BlockRecords<'_, '_>) {
        self.0.text.resume_after(self.0.text.last_ns());
        self.0.text.render_block(records, &mut self.0.out);
    }

    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.0.entry(entry)
    }
}

#[test]
fn lines_of_blocks_have_the_same_text_in_any_space() {
    let (declarations, file) = compact_trace();
    let options = Options { sources: vec![SourceFile::new("events", declarations)], ..Options::default() };
    let reader = || {
        let input = Input::from_reader(Box::new(std::io::Cursor::new(file.clone())));
        Reader::new("trace", input, &options).unwrap()
    };
    let lines = |space_bytes| {
        let text = SimpletraceText::new(reader().era());
        Lines { text, out: TextBuffer::with_capacity(space_bytes), by_fast_path: false, long: 0 }
    };
    let mut expected = lines(1 << 16);
    reader().for_each_mut(&mut expected).unwrap();
    let records = expected.long;
    let expected = expected.out.as_bytes().escape_ascii().to_string();
    for space_bytes in (300..4_500).step_by(37).chain([1 << 20]) {
        let mut visitor = BlockLines(lines(space_bytes));
        reader().for_each_mut(&mut visitor).unwrap();
        let BlockLines(Lines { out, long, .. }) = visitor;
        assert!(out.as_bytes().escape_ascii().to_string() == expected, "{space_bytes}");
        assert!(space_bytes < 1 << 20 || 3 * long < 2 * records, "{long} of {records} lines");
    }
}

proptest! {
    #[test]
    fn the_fast_path_prints_the_same(
        threaded: bool,
        records in proptest::collection::vec(made(), 0..60),
    ) {
        let bytes = trace(threaded, &records);
        prop_assert_eq!(lines(&bytes, true).0, lines(&bytes, false).0);
    }
}
