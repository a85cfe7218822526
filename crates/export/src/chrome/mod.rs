//! Chrome's JSON: an array of events, which many viewers read.
//!
//! `docs/perfetto.md` tells users what becomes of what.

mod json;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use ringtrace_tracefile::metadata::Cause;
use ringtrace_tracefile::pair::{Description, Meaning, SpanId, Track};
use ringtrace_tracefile::{Entry, Pause};

use crate::exporter::{End, Exporter, Format, Place, Setting, Shape};
use crate::sink::Sink;
use crate::value::{Typed, named_values};
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

struct Chrome {
    sink: Sink,
    is_first: bool,
    /// What threads were called when that was told last.
    threads: HashMap<Whose, Box<str>>,
    /// Spans that have not ended, by their number.
    open: HashMap<u64, OpenSpan>,
    description: Description,
    says_what_is_missing: bool,
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
            open: HashMap::new(),
            description: setting.description.clone(),
            says_what_is_missing: false,
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

    /// Writes an event: `phase` is its kind, `more` its members beside the usual ones.
    fn write<'v>(
        &mut self,
        phase: char,
        name: &str,
        time_ns: u64,
        whose: Whose,
        more: &str,
        arguments: impl IntoIterator<Item = Member<'v>>,
    ) -> io::Result<()> {
        let comma = if std::mem::take(&mut self.is_first) { "" } else { "," };
        let Whose { pid, tid } = whose;
        write!(self.sink, "{comma}\n{{\"ph\":\"{phase}\",\"name\":")?;
        let out = self.sink.bytes();
        push_quoted(name, out);
        let (us, ns) = (time_ns / 1000, time_ns % 1000);
        write!(out, ",\"ts\":{us}.{ns:03},\"pid\":{pid},\"tid\":{tid}{more},\"args\":{{")?;
        push_members(arguments, out);
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

    fn show(&mut self, entry: &Entry<'_>, meaning: &Meaning<'_>, tracks: &[Track]) -> io::Result<()> {
        let name = &*entry.schema.name;
        match meaning {
            Meaning::Begin(span) => {
                let whose = Whose::of(entry);
                let begun = OpenSpan { name: name.into(), whose, begin_ns: entry.timestamp_ns };
                self.open.insert(span.number, begun);
                let more = self.members_of(span);
                self.write('b', name, entry.timestamp_ns, whose, &more, named_values(entry))
            }
            Meaning::Step(span) => {
                let Some(open) = self.open.get(&span.number) else { return Ok(()) };
                let (whose, more) = (open.whose, self.members_of(span));
                let arguments = named_values(entry).chain(origin(entry, ""));
                self.write('n', name, entry.timestamp_ns, whose, &more, arguments)
            }
            Meaning::End { span, .. } => {
                let event = [("end".into(), Typed::Text(name.as_bytes()))].into_iter();
                let values = named_values(entry).map(|(name, value)| (format!("end.{name}").into(), value));
                self.end(span, entry.timestamp_ns, event.chain(values).chain(origin(entry, "end.")))
            }
            Meaning::Restarted { span, .. } => {
                self.end(span, entry.timestamp_ns, [("restarted".into(), Typed::Bool(true))])
            }
            Meaning::Counter { track, value, .. } => {
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

    fn end<'v>(
        &mut self,
        span: &SpanId,
        end_ns: u64,
        arguments: impl IntoIterator<Item = Member<'v>>,
    ) -> io::Result<()> {
        let Some(open) = self.open.remove(&span.number) else { return Ok(()) };
        let (time_ns, more) = (end_ns.max(open.begin_ns), self.members_of(span));
        // The clock went back: the slice has no length, but it is told.
        let told = (end_ns < open.begin_ns).then_some(("end.time_ns".into(), Typed::Unsigned(end_ns)));
        self.write('e', &open.name, time_ns, open.whose, &more, arguments.into_iter().chain(told))
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

/// Whose record it is, where it does not stand with its thread.
fn origin<'v>(entry: &Entry<'v>, prefix: &'static str) -> impl Iterator<Item = Member<'v>> + use<'v> {
    let pid = entry.version.info().has_pid.then_some(Typed::Unsigned(u64::from(entry.pid)));
    let tid = entry.tid().map(|tid| Typed::Unsigned(u64::from(tid)));
    let thread = entry.thread_name().map(|name| Typed::Text(name.as_bytes()));
    let schema = entry.schema;
    [("pid", pid), ("tid", tid), ("thread", thread)]
        .into_iter()
        .filter(move |(name, _)| schema.argument(name).is_none())
        .filter_map(move |(name, value)| Some((format!("{prefix}{name}").into(), value?)))
}

impl Exporter for Chrome {
    fn event(&mut self, entry: &Entry<'_>, meanings: &[Meaning<'_>], tracks: &[Track]) -> io::Result<()> {
        self.introduce(entry)?;
        for meaning in meanings {
            self.show(entry, meaning, tracks)?;
        }
        // A counter shows one of the record's values; all others show the record.
        if meanings.iter().all(|meaning| matches!(meaning, Meaning::Counter { .. })) {
            let (name, whose) = (&*entry.schema.name, Whose::of(entry));
            self.write('i', name, entry.timestamp_ns, whose, ",\"s\":\"t\"", named_values(entry))?;
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
        let arguments = named_values(entry).chain(cause).chain(origin(entry, ""));
        let more = ",\"s\":\"t\",\"cat\":\"Dropped_Event\"";
        self.write('i', &name, entry.timestamp_ns, DROPPED, more, arguments)
    }

    fn finish(mut self: Box<Self>, end: &End<'_>) -> io::Result<()> {
        self.show_pauses(end.pauses)?;
        self.sink.write_all(b"\n]}\n")?;
        self.sink.finish().map(drop)
    }
}
