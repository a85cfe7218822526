//! Chrome's JSON: an array of events, which many viewers read.
//!
//! `docs/perfetto.md` tells users what becomes of what.

mod json;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use ringtrace_tracefile::metadata::Cause;
use ringtrace_tracefile::pair::{Description, SpanEvent, SpanId, Track};
use ringtrace_tracefile::{Entry, Pause};
use ringtrace_wire::simpletrace::Version;

use crate::exporter::{End, Exporter, Format, Place, Setting, Shape};
use crate::sink::Sink;
use crate::value::{Typed, named_values};
use crate::whose::{end_of, exact_time, origin};
use json::{push_members, push_quoted};

pub(crate) const FORMAT: Format = Format {
    name: "chrome",
    about: "Chrome's JSON, for viewers that read nothing else",
    endings: &[".trace.json", ".json"],
    shape: Shape::Text,
    needs_order: false,
    begin: |place, setting| Ok(Box::new(Chrome::begin(place, setting)?)),
};

/// No system has such a process: what is missing stands there.
const MISSING: u32 = i32::MAX as u32;
const DROPPED: Whose = Whose { pid: MISSING, tid: 1 };
/// One row; where pauses overlap, the others are the threads behind it.
const PAUSES: Whose = Whose { pid: MISSING, tid: 2 };

/// From here on the doubles are more than a nanosecond apart.
const MAX_EXACT_US: u64 = 1 << 43;

/// Perfetto makes signed nanoseconds of what it reads, and drops what is below zero then: a little more than this.
const LAST_NS: u64 = (1 << 63) - 4096;

struct Chrome {
    sink: Sink,
    is_first: bool,
    /// What threads were called when that was told last.
    threads: HashMap<Whose, Box<str>>,
    /// Spans that have not ended, by their number.
    spans: HashMap<u64, OpenSpan>,
    description: Description,
    says_what_is_missing: bool,
    last_ns: u64,
}

/// A process and a thread of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Whose {
    pid: u32,
    tid: u32,
}

/// What began a span: all that is told of it must name the same.
struct OpenSpan {
    name: Box<str>,
    whose: Whose,
    begin_ns: u64,
}

/// A member of an event's arguments.
type Member<'v> = (Cow<'v, str>, Typed<'v>);

impl Whose {
    /// Records without a thread are with their process's first.
    fn of(entry: &Entry<'_>) -> Whose {
        Whose { pid: entry.pid, tid: entry.tid().unwrap_or(entry.pid) }
    }
}

impl Chrome {
    fn begin(place: Place, setting: &Setting) -> io::Result<Chrome> {
        let Place::File(file) = place else {
            return Err(io::Error::other("a file was expected"));
        };
        let mut chrome = Chrome {
            sink: Sink::new(file),
            is_first: true,
            threads: HashMap::new(),
            spans: HashMap::new(),
            description: setting.description.clone(),
            says_what_is_missing: false,
            last_ns: 0,
        };
        chrome.sink.write_all(b"{\"displayTimeUnit\":\"ns\"")?;
        if let Some(anchor) = setting.anchor {
            let (monotonic_ns, realtime_ns) = (anchor.monotonic_ns, anchor.realtime_ns);
            // Viewers show it; none computes with it.
            write!(
                chrome.sink,
                ",\"otherData\":{{\"monotonic_ns\":\"{monotonic_ns}\",\"realtime_ns\":\"{realtime_ns}\"}}"
            )?;
        }
        chrome.sink.write_all(b",\"traceEvents\":[")?;
        for (pid, name) in &setting.processes {
            chrome.call("process_name", Whose { pid: *pid, tid: *pid }, name)?;
        }
        Ok(chrome)
    }

    /// Writes an event with these arguments.
    fn write<'v>(
        &mut self,
        phase: char,
        name: &str,
        time_ns: u64,
        whose: Whose,
        more: &str,
        arguments: impl IntoIterator<Item = Member<'v>>,
    ) -> io::Result<()> {
        self.open(phase, name, time_ns, whose, more);
        push_members(arguments, self.sink.bytes());
        self.close(&[])
    }

    /// Begins an event: `phase` is its kind, `more` its members beside the usual ones. Its arguments come next.
    fn open(&mut self, phase: char, name: &str, time_ns: u64, whose: Whose, more: &str) {
        let comma = if std::mem::take(&mut self.is_first) { "" } else { "," };
        let Whose { pid, tid } = whose;
        let out = self.sink.bytes();
        out.extend_from_slice(format!("{comma}\n{{\"ph\":\"{phase}\",\"name\":").as_bytes());
        push_quoted(name, out);
        let (us, ns) = (time_ns.min(LAST_NS) / 1000, time_ns.min(LAST_NS) % 1000);
        let rest = format!(",\"ts\":{us}.{ns:03},\"pid\":{pid},\"tid\":{tid}{more},\"args\":{{");
        out.extend_from_slice(rest.as_bytes());
    }

    /// Ends an event whose arguments end with `members`.
    fn close(&mut self, members: &[u8]) -> io::Result<()> {
        let out = self.sink.bytes();
        out.extend_from_slice(members);
        out.extend_from_slice(b"}}");
        self.sink.settle()
    }

    /// Says what a process or thread is called.
    fn call(&mut self, what: &str, whose: Whose, name: &str) -> io::Result<()> {
        self.write('M', what, 0, whose, "", [("name".into(), Typed::Text(name.as_bytes()))])
    }

    /// Says what the thread of `entry` is called, if it is something new.
    fn introduce(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        let name = match entry.tid() {
            Some(_) => entry.thread_name(),
            None => Some("events"),
        };
        let whose = Whose::of(entry);
        match name {
            Some(name) if self.threads.get(&whose).is_none_or(|known| **known != *name) => {
                self.threads.insert(whose, name.into());
                self.call("thread_name", whose, name)
            }
            _ => Ok(()),
        }
    }

    fn show(&mut self, entry: &Entry<'_>, meaning: &SpanEvent<'_>, tracks: &[Track]) -> io::Result<()> {
        let name = &*entry.schema.name;
        match meaning {
            SpanEvent::Begin(span) => {
                let whose = Whose::of(entry);
                let begun = OpenSpan { name: name.into(), whose, begin_ns: entry.timestamp_ns };
                self.spans.insert(span.number, begun);
                let more = self.members_of(span);
                self.write('b', name, entry.timestamp_ns, whose, &more, values(entry))
            }
            SpanEvent::Step(span) => {
                let Some(open) = self.spans.get(&span.number) else { return Ok(()) };
                let (whose, more) = (open.whose, self.members_of(span));
                let arguments = values(entry).chain(origin(entry));
                self.write('n', name, entry.timestamp_ns, whose, &more, arguments)
            }
            SpanEvent::End { span, .. } => {
                let Some(open) = self.spans.remove(&span.number) else { return Ok(()) };
                let needs_time = entry.timestamp_ns < open.begin_ns || is_rounded(entry.timestamp_ns);
                // One member that holds others: the record that began it may have arguments of the same names.
                let mut members = b"\"end\":{".to_vec();
                push_members(named_values(entry).chain(end_of(entry, needs_time)), &mut members);
                members.push(b'}');
                self.end(&open, span, entry.timestamp_ns, &members)
            }
            SpanEvent::Restarted { span, .. } => {
                let Some(open) = self.spans.remove(&span.number) else { return Ok(()) };
                self.end(&open, span, entry.timestamp_ns, b"\"restarted\":true")
            }
            SpanEvent::Counter { track, value, .. } => {
                let Some(track) = tracks.get(*track as usize) else { return Ok(()) };
                let value = match u64::try_from(*value) {
                    Ok(value) => Typed::Unsigned(value),
                    Err(_) => Typed::Signed(*value as i64),
                };
                self.write(
                    'C',
                    &track.name,
                    entry.timestamp_ns,
                    Whose::of(entry),
                    "",
                    [("value".into(), value)],
                )
            }
        }
    }

    fn end(&mut self, open: &OpenSpan, span: &SpanId, end_ns: u64, members: &[u8]) -> io::Result<()> {
        let more = self.members_of(span);
        self.open('e', &open.name, end_ns.max(open.begin_ns), open.whose, &more);
        self.close(members)
    }

    /// By what all that belongs to a span is known.
    fn members_of(&self, span: &SpanId) -> String {
        let mut out = b",\"cat\":".to_vec();
        let pair = self.description.pairs.get(span.pair);
        push_quoted(pair.map_or("", |pair| &pair.name), &mut out);
        format!("{},\"id\":\"{}\"", String::from_utf8_lossy(&out), span.number)
    }

    /// Names what tells of events that are not there, once.
    fn call_missing(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.says_what_is_missing, true) {
            self.call("process_name", DROPPED, "Not in the trace")?;
            self.call("thread_name", DROPPED, "Dropped events")?;
        }
        Ok(())
    }

    fn show_pauses(&mut self, pauses: &[Pause]) -> io::Result<()> {
        let mut rows: Vec<u64> = Vec::new();
        for pause in pauses {
            self.call_missing()?;
            let Some(first_ns) = pause.from_ns.or(pause.to_ns) else { continue };
            let row = rows.iter().position(|&free_ns| free_ns <= first_ns).unwrap_or(rows.len());
            let whose = Whose { tid: PAUSES.tid + row as u32, ..PAUSES };
            if row == rows.len() {
                rows.push(0);
                self.call("thread_name", whose, "Recording off")?;
            }
            rows[row] = pause.to_ns.map_or(u64::MAX, |to_ns| to_ns.max(first_ns));
            match (pause.from_ns, pause.to_ns) {
                (Some(from_ns), Some(to_ns)) => {
                    let long_ns = to_ns.saturating_sub(from_ns);
                    let more = format!(",\"dur\":{}.{:03}", long_ns / 1000, long_ns % 1000);
                    self.write('X', "recording off", from_ns, whose, &more, [])?;
                }
                (Some(from_ns), None) => self.write('B', "recording off", from_ns, whose, "", [])?,
                _ => self.write('i', "recording on again", first_ns, whose, ",\"s\":\"t\"", [])?,
            }
        }
        Ok(())
    }
}

/// The values of `entry`, and its time where readers round it.
fn values<'v>(entry: &Entry<'v>) -> impl Iterator<Item = Member<'v>> + use<'v> {
    named_values(entry).chain(exact_time(entry, is_rounded(entry.timestamp_ns)))
}

/// Whether readers that keep microseconds as doubles, which all do, may lose a nanosecond of `time_ns`.
fn is_rounded(time_ns: u64) -> bool {
    time_ns / 1000 >= MAX_EXACT_US
}

impl Exporter for Chrome {
    fn event(&mut self, entry: &Entry<'_>, meanings: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        self.introduce(entry)?;
        self.last_ns = entry.timestamp_ns;
        for meaning in meanings {
            self.show(entry, meaning, tracks)?;
        }
        // A counter shows one of the record's values; all others show the record.
        if meanings.iter().all(|meaning| matches!(meaning, SpanEvent::Counter { .. })) {
            let (name, whose) = (&*entry.schema.name, Whose::of(entry));
            self.write('i', name, entry.timestamp_ns, whose, ",\"s\":\"t\"", values(entry))?;
        }
        Ok(())
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.call_missing()?;
        let cause = entry.lost.map_or(Cause::Dropped, |lost| lost.cause).word();
        let name = match entry.dropped() {
            Some(count) => format!("{count} {cause}"),
            None => format!("some {cause}"),
        };
        let cause = [("cause".into(), Typed::Text(cause.as_bytes()))];
        let arguments = values(entry).chain(cause).chain(origin(entry));
        let more = ",\"s\":\"t\",\"cat\":\"Dropped_Event\"";
        // v0 wrote no time into dropped records: they were where they stand.
        let is_timeless = entry.version == Version::V0 && entry.timestamp_ns == 0;
        let time_ns = if is_timeless { self.last_ns } else { entry.timestamp_ns };
        self.write('i', &name, time_ns, DROPPED, more, arguments)
    }

    fn finish(mut self: Box<Self>, end: &End<'_>) -> io::Result<()> {
        self.show_pauses(end.pauses)?;
        self.sink.write_all(b"\n]}\n")?;
        self.sink.finish().map(drop)
    }
}
