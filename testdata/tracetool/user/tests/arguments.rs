//! What the macros accept as arguments, and the guards of spans.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests may; clippy knows only functions marked as tests"
)]

use std::borrow::Cow;
use std::cell::Cell;
use std::ffi::{CString, OsStr, OsString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ringtrace::probe::{ToBytes, ToInteger};
use ringtrace_tracefile::{Entry, Flow, Input, Options as ReadOptions, Reader, Value};
use ringtrace_wire::simpletrace::ArgumentKind;

mod types {
    ringtrace::include_trace!("types");
}
mod named_span {
    ringtrace::include_trace!("names");
}
ringtrace::include_trace!("span");

/// Runs `work` while the events of the patterns are on, and returns the records as `NAME VALUE..`.
fn recorded(pattern: &str, work: impl FnOnce()) -> Vec<String> {
    /// There is only one session.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    ringtrace::set_enabled("*", false);
    let options = pattern.split(',').fold(ringtrace::Options::new(), ringtrace::Options::enable);
    let guard = options.file(&file).directory(folder.path()).start().unwrap();
    work();
    drop(guard);
    let mut reader = Reader::new("trace", Input::open(&file).unwrap(), &ReadOptions::default()).unwrap();
    let mut records = Vec::new();
    reader
        .for_each(|entry: &Entry<'_>| {
            let values =
                entry.schema.kinds.iter().zip(entry.values()).map(|(kind, value)| match (kind, value) {
                    (_, Value::Str(bytes)) => format!(" {}", bytes.escape_ascii()),
                    (ArgumentKind::Integer { signed: true }, Value::Integer(bits)) => {
                        format!(" {}", bits.cast_signed())
                    }
                    (_, Value::Integer(bits)) => format!(" {bits}"),
                });
            records.push(format!("{}{}", entry.schema.name, values.collect::<String>()));
            Flow::Continue
        })
        .unwrap();
    assert!(reader.anomalies().is_empty(), "{:?}", reader.anomalies());
    records
}

/// A type of a program.
struct RequestId(u32);

impl ToInteger<u64> for RequestId {
    fn to_integer(&self) -> u64 {
        self.0.into()
    }
}

impl ToBytes for RequestId {
    fn to_bytes(&self) -> &[u8] {
        b"request"
    }
}

/// In both forms of a probe, the declared types determine those of arguments.
#[test]
fn types_of_arguments_are_inferred() {
    use types::trace;
    let texts = ["7", "-7"];
    let mut later = None;
    let records = recorded("signed_*,unsigned_*", || {
        trace::unsigned_64(1, 0x10, 1 << 63, 0xffff_ffff_ffff);
        trace::unsigned_64!(1, 0x10, 1 << 63, 0xffff_ffff_ffff);
        trace::signed_64(-1, -0x8000_0000_0000, !0, i64::MIN);
        trace::signed_64!(-1, -0x8000_0000_0000, !0, i64::MIN);
        trace::unsigned_8(b'a', 0xff);
        trace::unsigned_8!(b'a', 0xff);
        trace::signed_8(-1, 'b' as _, -0x80);
        trace::signed_8!(-1, 'b' as _, -0x80);
        trace::signed_32(7_u8.into(), texts[1].parse().unwrap(), Default::default(), [1, 2].iter().sum());
        trace::signed_32!(7_u8.into(), texts[1].parse().unwrap(), Default::default(), [1, 2].iter().sum());
        trace::unsigned_16(300_usize.try_into().unwrap(), texts[0].parse().unwrap(), later.unwrap_or(3));
        trace::unsigned_16!(300_usize.try_into().unwrap(), texts[0].parse().unwrap(), later.unwrap_or(3));
        for index in 0..1 {
            trace::unsigned_32(index, if index > 0 { 1 } else { 2 }, index + 3);
            trace::unsigned_32!(index, if index > 0 { 1 } else { 2 }, index + 3);
        }
    });
    later = Some(1);
    assert_eq!(later, Some(1_u16));
    assert!(records.chunks(2).all(|forms| forms[0] == forms[1]), "{records:#?}");
    let records: Vec<&str> = records.iter().step_by(2).map(String::as_str).collect();
    assert_eq!(
        records,
        [
            "unsigned_64 1 16 9223372036854775808 281474976710655",
            "signed_64 -1 -140737488355328 -1 -9223372036854775808",
            "unsigned_8 97 255",
            "signed_8 -1 98 -128",
            "signed_32 7 -7 0 3",
            "unsigned_16 300 7 3",
            "unsigned_32 0 2 3",
        ]
    );
}

#[test]
fn macros_convert_integers_without_loss() {
    use types::trace;
    let start = Instant::now();
    let lengths = [1_u32, 2];
    let records = recorded("signed_*,unsigned_*,sizes", || {
        trace::unsigned_64!("12345".len(), u32::MAX, u8::MAX, true);
        trace::unsigned_64!(&lengths[1], RequestId(9), &RequestId(10), Duration::new(1, 2));
        trace::signed_64!(isize::MIN, u32::MAX, i8::MIN, Duration::MAX);
        trace::signed_32!(u16::MAX, i16::MIN, -1, false);
        trace::unsigned_32!(u16::MAX, 1_u8, true);
        trace::signed_16!(u8::MAX, i8::MIN, 1);
        trace::unsigned_16!(u8::MAX, true, 1);
        trace::sizes!(u32::MAX, i32::MIN, u16::MAX, u16::MAX, 1_u8);
        for length in &lengths {
            trace::unsigned_64!(length, 0, 0, 0);
        }
        trace::unsigned_64!(start, start + Duration::from_nanos(5), 0, 0);
        trace::signed_64!(start, start + Duration::from_nanos(5), 0, 0);
    });
    let (instants, records) = (records[9..].to_vec(), &records[..9]);
    assert_eq!(
        records,
        [
            "unsigned_64 5 4294967295 255 1",
            "unsigned_64 2 9 10 1000000002",
            "signed_64 -9223372036854775808 4294967295 -128 9223372036854775807",
            "signed_32 65535 -32768 -1 0",
            "unsigned_32 65535 1 1",
            "signed_16 255 -128 1",
            "unsigned_16 255 1 1",
            "sizes 4294967295 -2147483648 65535 65535 1",
            "unsigned_64 1 0 0 0",
        ]
    );
    assert_eq!(instants[0], "unsigned_64 2 0 0 0");
    for record in &instants[1..] {
        let ns: Vec<u64> = record.split(' ').skip(1).map(|value| value.parse().unwrap()).collect();
        assert_eq!(ns[1] - ns[0], 5, "{record}");
        assert!(ns[0] > 0);
    }
}

#[test]
fn strings_have_many_types() {
    use types::trace;
    let (os, bytes) = (OsString::from("os"), vec![b'v', 0xff]);
    let mut text = "text".to_owned();
    let shared: Arc<str> = "arc".into();
    let maybe: Option<PathBuf> = None;
    let id = RequestId(2);
    let records = recorded("strings", || {
        trace::strings("&str", &text, c"c", b"array");
        trace::strings!("&str", &text, c"c", b"array");
        trace::strings(Path::new("/p"), &*os, Cow::Borrowed("cow"), Cow::Owned::<str>("owned".into()));
        trace::strings!(&PathBuf::from("/q"), &os, &shared, Rc::<[u8]>::from(&b"rc"[..]));
        trace::strings(&bytes, bytes.clone(), Box::<str>::from("box"), CString::from(c"cstring"));
        trace::strings!(&maybe, Some(&bytes), Some(Path::new("some")), OsStr::new("end"));
        trace::strings(RequestId(1), &id, Path::new("lossy\u{fc}").to_string_lossy(), text.as_mut_str());
    });
    text.clear();
    assert_eq!(
        records,
        [
            "strings &str text c array",
            "strings &str text c array",
            "strings /p os cow owned",
            "strings /q os arc rc",
            r"strings v\xff v\xff box cstring",
            r"strings  v\xff some end",
            r"strings request request lossy\xc3\xbc text",
        ]
    );
}

#[test]
fn a_span_ends_when_its_guard_is_dropped() {
    let records = recorded("*", || {
        let (req, mut offset) = (7_u32, 512_usize);
        let _request = trace::span!(disk_begin(req, offset) => disk_end(req, -1));
        offset += 1;
        trace::disk_begin!(req, offset);
    });
    assert_eq!(records, ["disk_begin 7 512", "disk_begin 7 513", "disk_end 7 -1"]);
}

/// Reads, and fails or panics for some numbers.
fn read(req: u64) -> Result<i32, String> {
    let mut span = trace::span!(disk_begin(req, 0) => disk_end(req, -1));
    if req == 1 {
        return Err("refused".to_owned());
    }
    assert!(req != 2, "this request panics");
    let ret = 5;
    span.set(|end| end.ret = ret);
    Ok(ret)
}

#[test]
fn results_are_set_before_the_end() {
    let records = recorded("disk_*", || {
        assert!(read(1).is_err());
        assert!(catch_unwind(|| read(2)).is_err());
        assert_eq!(read(3), Ok(5));
    });
    assert_eq!(
        records,
        [
            "disk_begin 1 0",
            "disk_end 1 -1",
            "disk_begin 2 0",
            "disk_end 2 -1",
            "disk_begin 3 0",
            "disk_end 3 5"
        ]
    );
}

/// A job that a span does not keep borrowed.
struct Job {
    steps: u32,
}

impl Job {
    fn run(&mut self, names: &str) {
        let start = Instant::now();
        let name = names.to_owned();
        let mut span = trace::span!(job_begin(&*self, names) => job_end(&*self, name, 0, false));
        self.steps += 1;
        span.set(|end| {
            end.took_ns = i64::try_from(start.elapsed().as_nanos()).unwrap().min(1);
            end.r#type = true;
        });
        // A guard may end in another thread.
        let span = std::thread::scope(|scope| scope.spawn(move || span).join().unwrap());
        drop(span);
    }
}

#[test]
fn a_span_of_a_pointer_does_not_borrow() {
    let mut job = Job { steps: 0 };
    let address = (&raw const job).addr();
    let records = recorded("job_*", || job.run("first"));
    assert_eq!(records, [format!("job_begin {address} first"), format!("job_end {address} first 1 1")]);
    assert_eq!(job.steps, 1);
}

#[test]
fn a_span_is_recorded_if_an_event_is_on_when_it_begins() {
    let span = || trace::span!(disk_begin(1, 2) => disk_end(1, 3));
    let switched = |pattern, name, on| {
        recorded(pattern, || {
            let _span = span();
            ringtrace::set_enabled(name, on);
        })
    };
    assert_eq!(switched("tick", "tick", false), [""; 0]);
    // Off at the begin: a span is not recorded from its middle.
    assert_eq!(switched("tick", "disk_*", true), [""; 0]);
    assert_eq!(switched("disk_*", "disk_*", false), ["disk_begin 1 2"]);
    // One of the two.
    assert_eq!(switched("disk_begin", "tick", true), ["disk_begin 1 2"]);
    assert_eq!(switched("disk_begin", "disk_end", true), ["disk_begin 1 2", "disk_end 1 3"]);
    assert_eq!(switched("disk_end", "tick", true), ["disk_end 1 3"]);
    // A `disable`d event is never on.
    let records = recorded("idle_*", || drop(trace::span!(idle_begin(4) => idle_end(4))));
    assert_eq!(records, ["idle_end 4"]);
    let records = recorded("*", || drop(trace::span!(tick() => tick())));
    assert_eq!(records, ["tick", "tick"]);
}

#[test]
fn arguments_of_spans_are_evaluated_once_and_only_if_needed() {
    let calls = Cell::new(0_u8);
    let next = || {
        calls.set(calls.get() + 1);
        calls.get()
    };
    let span = |panics: bool| {
        let _span = trace::span!(disk_begin(next(), next()) => disk_end(next(), next() + 10));
        assert!(!panics);
    };
    let records = recorded("tick", || {
        span(false);
        assert!(catch_unwind(AssertUnwindSafe(|| span(true))).is_err());
    });
    assert_eq!((records, calls.get()), (Vec::new(), 0));
    assert_eq!(recorded("disk_*", || span(false)), ["disk_begin 1 2", "disk_end 3 14"]);
}

/// A group with an event `span` has no macro `trace::span!`. Names in the caller's scope do not
/// matter.
#[test]
fn names_do_not_clash() {
    const X: i32 = 4;
    #[allow(non_upper_case_globals)]
    const x: i32 = 5;
    let records = recorded("span,x,UPPER,fn", || {
        use named_span::trace;
        trace::span(1);
        trace::span!(2);
        let _span = ringtrace::span!(x(3) => UPPER(X));
        let _span = ringtrace::span!(r#fn(x) => x(6));
    });
    assert_eq!(records, ["span 1", "span 2", "x 3", "fn 5", "x 6", "UPPER 4"]);
}
