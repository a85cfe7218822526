//! Round trips: reading a written file returns exactly what its version can represent.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use proptest::prelude::*;
use ringtrace_events::SourceFile;
use ringtrace_events::parse::Dialect;
use ringtrace_wire::simpletrace::VERSIONS;
use ringtrace_wire::simpletrace::encode::Value as Written;

use super::*;
use crate::input::Input;
use crate::metadata::FIRST_ID;
use crate::read::era::Era;
use crate::read::options::DeclaredCache;
use crate::read::visitor::{Flow, OrdinaryRecords};
use crate::read::{Options, Reader};

/// Declarations that cause every kind of loss.
const DECLARATIONS: &str = "\
none(void) \"\"
integers(int a, uint64_t b) \"%d %\"PRIu64
disable off(int a) \"%d\"
text(const char *s) \"%s\"
mixed(int a, const char *s, uint64_t b, char *t) \"%d %s %\"PRIu64\" %s\"
many(int a, int b, int c, int d, int e, int f, int g, const char *h) \"%d %d %d %d %d %d %d %s\"
pointers(char **p, int a) \"%p %d\"
";

/// The arguments of each event: `i` for an integer, `s` for a string, or `p` for `char **`, which
/// old readers treat as a string.
const EVENTS: [(&str, &str); 7] = [
    ("none", ""),
    ("integers", "ii"),
    ("off", "i"),
    ("text", "s"),
    ("mixed", "isis"),
    ("many", "iiiiiiis"),
    ("pointers", "pi"),
];

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Kept {
    Integer(u64),
    Str(Vec<u8>),
}

/// The fields of an entry that are compared. `event` is an index into [`EVENTS`], or `None` for a
/// dropped record.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    event: Option<usize>,
    timestamp_ns: u64,
    pid: u32,
    tid: Option<u32>,
    values: Vec<Kept>,
}

fn value(kind: char) -> BoxedStrategy<Kept> {
    match kind {
        's' => proptest::collection::vec(any::<u8>(), 0..20).prop_map(Kept::Str).boxed(),
        _ => any::<u64>().prop_map(Kept::Integer).boxed(),
    }
}

fn seen() -> impl Strategy<Value = Seen> {
    let event = prop_oneof![1 => Just(None), 9 => (0..EVENTS.len()).prop_map(Some)];
    event.prop_flat_map(|event| {
        let kinds = event.map_or("i", |event| EVENTS[event].1);
        let values: Vec<BoxedStrategy<Kept>> = kinds.chars().map(value).collect();
        let tid = if event.is_none() { Just(None).boxed() } else { proptest::option::of(1..4_u32).boxed() };
        (any::<u64>(), 0..3_u32, tid, values).prop_map(move |(timestamp_ns, pid, tid, values)| Seen {
            event,
            timestamp_ns,
            pid,
            tid,
            values,
        })
    })
}

fn sources() -> Vec<SourceFile> {
    vec![SourceFile::new("declarations", DECLARATIONS)]
}

/// Encodes the v4 file of a program with threads.
fn v4_file(entries: &[Seen], order: ByteOrder) -> Vec<u8> {
    let encoder = Encoder { version: Version::V4, order };
    let mut out = Vec::new();
    encoder.header(0, 0, &mut out);
    let stated = [
        Metadata::Version(1),
        Metadata::Thread(1, "main".to_owned()),
        Metadata::Other("host".to_owned(), vec![0xff]),
    ];
    for (id, metadata) in (FIRST_ID..).zip(&stated) {
        encoder.mapping(id, metadata.to_name().as_bytes(), &mut out);
    }
    for thread in 0..4 {
        for (event, (name, _)) in (0..).zip(EVENTS) {
            encoder.mapping(thread << 32 | event, name.as_bytes(), &mut out);
        }
    }
    for entry in entries {
        let values: Vec<Written<'_>> = entry.values.iter().map(Kept::as_written).collect();
        let Some(event) = entry.event else {
            let Kept::Integer(count) = entry.values[0] else { panic!("a count") };
            encoder.dropped(count, entry.timestamp_ns, entry.pid, &mut out);
            continue;
        };
        let id = u64::from(entry.tid.unwrap_or(0)) << 32 | event as u64;
        encoder.record(id, entry.timestamp_ns, entry.pid, &values, &mut out).unwrap();
    }
    out
}

impl Kept {
    fn as_written(&self) -> Written<'_> {
        match self {
            Kept::Integer(value) => Written::Integer(*value),
            Kept::Str(bytes) => Written::Str(bytes),
        }
    }
}

fn reader(bytes: &[u8], declared: bool) -> Reader {
    static OPTIONS: LazyLock<[Options; 2]> =
        LazyLock::new(|| [Vec::new(), sources()].map(|sources| Options { sources, ..Options::default() }));
    let options = &OPTIONS[usize::from(declared)];
    let mut file = tempfile::tempfile().unwrap();
    std::io::Write::write_all(&mut file, bytes).unwrap();
    Reader::new("trace", Input::from_file(file).unwrap(), options).unwrap()
}

fn read(mut reader: Reader) -> Vec<Seen> {
    let mut all = Vec::new();
    let ended = reader.for_each(|entry: &Entry<'_>| {
        all.push(Seen {
            event: EVENTS.iter().position(|(name, _)| *name == &*entry.schema.name),
            timestamp_ns: entry.timestamp_ns,
            pid: entry.pid,
            tid: entry.tid(),
            values: entry
                .values()
                .map(|value| match value {
                    Value::Integer(value) => Kept::Integer(value),
                    Value::Str(bytes) => Kept::Str(bytes.to_vec()),
                })
                .collect(),
        });
        Flow::Continue
    });
    assert_eq!(ended.err(), None);
    assert!(reader.anomalies().is_empty(), "{:?}", reader.anomalies());
    all
}

fn target(version: Version, order: ByteOrder, plain: bool) -> Target {
    let rule = Era::newest(version).string_rule(version);
    static CACHE: LazyLock<DeclaredCache> = LazyLock::new(DeclaredCache::default);
    let declared = CACHE.get(&sources(), Dialect::Read, rule);
    Target { version, order, plain, declared, anchor: None }
}

struct Write<'w> {
    writer: &'w mut TraceWriter,
    out: Vec<u8>,
}

impl crate::read::visitor::Visitor for Write<'_> {
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.writer.write(entry, &mut self.out);
        Flow::Continue
    }
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        let changes = records.thread_changes();
        records.skip_while(|record, schema_index| {
            self.writer.write_fast(record, schema_index, changes, &mut self.out)
        });
        Flow::Continue
    }
}

fn convert(mut reader: Reader, target: Target) -> (Vec<u8>, Losses) {
    let mut writer = TraceWriter::new(target).unwrap();
    let mut write = Write { writer: &mut writer, out: Vec::new() };
    reader.for_each_mut(&mut write).unwrap();
    let mut out = write.out;
    writer.finish(reader.metadata(), &mut out);
    (out, writer.losses)
}

type Counts = BTreeMap<&'static str, u64>;

/// Returns the part of `entries` that a version can represent, and the losses.
fn held(entries: &[Seen], version: Version, plain: bool) -> (Vec<Seen>, Counts) {
    let info = version.info();
    let described = version == Version::V4 && !plain;
    let mut losses = Counts::new();
    let mut lose = |loss: &'static str, yes: bool| *losses.entry(loss).or_default() += u64::from(yes);
    // The RFC's header has the process id of the first record.
    let first_pid = entries.first().map_or(0, |entry| entry.pid);
    let pid = |entry: &Seen| match version {
        Version::Rfc2011 => first_pid,
        _ if info.has_pid => entry.pid,
        _ => 0,
    };
    let mut all = Vec::new();
    for entry in entries {
        let lost_pid = pid(entry) != entry.pid;
        let mut entry = Seen { pid: pid(entry), ..entry.clone() };
        if let Some(event) = entry.event {
            let (name, kinds) = EVENTS[event];
            let is_numbered = version != Version::V2 || name != "off";
            lose("events", !is_numbered);
            let is_too_long = version == Version::V0 && kinds.len() > 6;
            lose("arguments", is_too_long);
            lose("strings", version == Version::V0 && kinds.contains('s') && !is_too_long);
            let takes_pointers_for_strings =
                matches!(version, Version::V2 | Version::V3 | Version::Rfc2011) && kinds.contains('p');
            lose("addresses", takes_pointers_for_strings);
            if !is_numbered || is_too_long {
                continue;
            }
            lose("threads", !described && entry.tid.is_some());
            for (kind, value) in kinds.chars().zip(&mut entry.values) {
                match (kind, &*value) {
                    ('p', Kept::Integer(address)) if takes_pointers_for_strings => {
                        *value = Kept::Str(format!("{address:#x}").into_bytes());
                    }
                    ('s', _) if version == Version::V0 => *value = Kept::Integer(0),
                    _ => {}
                }
            }
        }
        lose("pids", lost_pid);
        entry.tid = entry.tid.filter(|_| described);
        all.push(entry);
    }
    lose("metadata", version != Version::V4);
    lose("metadata", version != Version::V4);
    losses.retain(|_, count| *count > 0);
    (all, losses)
}

fn names(losses: &Losses) -> Counts {
    losses.iter().map(|(loss, count)| (loss.name(), count)).collect()
}

const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_version_keeps_what_it_supports(entries in proptest::collection::vec(seen(), 0..20), big: bool) {
        let from = ORDERS[usize::from(big)];
        for (version, order) in VERSIONS.iter().flat_map(|info| ORDERS.map(|order| (info.version, order))) {
            for plain in [false, true] {
                let source = reader(&v4_file(&entries, from), true);
                let (bytes, losses) = convert(source, target(version, order, plain));
                let (expected, expected_losses) = held(&entries, version, plain);
                prop_assert_eq!(names(&losses), expected_losses, "{} {}", version, plain);
                // A self-describing trace needs no declarations.
                for declared in [true, version != Version::V4 || plain] {
                    let got = read(reader(&bytes, declared));
                    prop_assert_eq!(&got, &expected, "{} {} {}", version, order, plain);
                }
            }
        }
    }

    #[test]
    fn conversion_to_a_version_and_back_loses_nothing(entries in proptest::collection::vec(seen(), 0..40)) {
        // Use only features that all versions support: no strings, threads or pids, and no event
        // `off`, which v2 lacks.
        let entries: Vec<Seen> = entries
            .into_iter()
            .filter(|entry| entry.event.is_none_or(|event| event < 2))
            .map(|entry| Seen { pid: 0, tid: None, ..entry })
            .collect();
        let first = v4_file(&entries, ByteOrder::Little);
        for version in VERSIONS.iter().map(|info| info.version) {
            let (there, _) = convert(reader(&first, true), target(version, ByteOrder::Big, false));
            let (back, losses) =
                convert(reader(&there, true), target(Version::V4, ByteOrder::Little, true));
            prop_assert!(losses.is_empty());
            prop_assert_eq!(read(reader(&back, true)), entries.clone());
        }
    }
}

#[test]
fn metadata_is_kept() {
    let source = reader(&v4_file(&[], ByteOrder::Little), true);
    let anchor = Anchor { monotonic_ns: 5, realtime_ns: 7 };
    let described = Target { anchor: Some(anchor), ..target(Version::V4, ByteOrder::Big, false) };
    let (bytes, losses) = convert(source, described);
    assert!(losses.is_empty());
    let mut again = reader(&bytes, false);
    again.for_each(|_: &Entry<'_>| Flow::Continue).unwrap();
    let expected = [
        Metadata::Version(1),
        Metadata::Anchor(anchor),
        Metadata::Thread(1, "main".to_owned()),
        Metadata::Other("host".to_owned(), vec![0xff]),
    ];
    assert_eq!(again.metadata(), expected);
    assert_eq!(again.anchor(), Some(anchor));
}

#[test]
fn a_truncated_record_is_written_as_a_whole_one() {
    let entry = Seen {
        event: Some(4),
        timestamp_ns: 9,
        pid: 1,
        tid: None,
        values: vec![
            Kept::Integer(1),
            Kept::Str(b"whole".to_vec()),
            Kept::Integer(2),
            Kept::Str(b"cut".to_vec()),
        ],
    };
    let mut bytes = v4_file(std::slice::from_ref(&entry), ByteOrder::Little);
    bytes.truncate(bytes.len() - 2);
    let (bytes, losses) = convert(reader(&bytes, true), target(Version::V4, ByteOrder::Little, true));
    // The reader tolerates the record, as the original does, and reports an anomaly.
    assert!(losses.is_empty());
    let mut expected = entry;
    expected.values[3] = Kept::Str(b"c".to_vec());
    assert_eq!(read(reader(&bytes, true)), [expected]);
}

#[test]
fn invalid_declarations_are_rejected_if_ids_are_positions() {
    let sources = [SourceFile::new("declarations", "a(int x)\nno declaration\nb(int x)\n")];
    for info in VERSIONS {
        let rule = Era::newest(info.version).string_rule(info.version);
        let declared = DeclaredCache::default().get(&sources, Dialect::Read, rule);
        let target =
            Target { version: info.version, order: ByteOrder::Little, plain: false, declared, anchor: None };
        let refused = TraceWriter::new(target).err().map(|error| error.to_string());
        let expected =
            "declarations:2:1: this line is not a declaration: expected `name(type arg, ...) \"format\"`";
        assert_eq!(refused.as_deref(), (info.version != Version::V4).then_some(expected));
    }
}
