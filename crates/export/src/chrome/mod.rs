//! Chrome's JSON: an array of events, which many viewers read.
//!
//! `docs/perfetto.md` describes the output.

mod json;

use std::collections::HashMap;
use std::io::{self, Write};

use ringtrace_tracefile::pair::{Description, SpanEvent, SpanId, Track};
use ringtrace_tracefile::{Entry, Pause};

use crate::exporter::{ExportTarget, Exporter, Format, OutputKind, TraceEnd, TraceInfo};
use crate::shared::arguments::{Member, end_arguments, owner_arguments, time_argument};
use crate::shared::block_writer::BlockWriter;
use crate::shared::losses;
use crate::shared::process_ids::ProcessIds;
use crate::shared::span_rows::{pair_name, stands_alone};
use crate::shared::value::{TypedValue, named_values};
use json::{push_members, push_quoted};

pub(crate) const FORMAT: Format = Format {
    name: "chrome",
    about: "Chrome's JSON, for viewers that support no other format",
    endings: &[".trace.json", ".json"],
    output: OutputKind::Text,
    needs_order: false,
    has_stacks: false,
    encodes_on_thread: false,
    start: |target, info| Ok(Box::new(Chrome::start(target, info)?)),
};

/// The process id under which dropped events and pauses are shown. No real process has this id.
const MISSING: u32 = i32::MAX as u32;
const DROPPED: Owner = Owner { pid: MISSING, tid: 1 };
/// The first row of pauses. Overlapping pauses are in further rows, which have the next thread ids.
const PAUSES: Owner = Owner { pid: MISSING, tid: 2 };

/// From this time on, consecutive doubles that hold microseconds are more than a nanosecond apart.
const MAX_EXACT_US: u64 = 1 << 43;

/// Latest time in the output. Perfetto converts times to signed nanoseconds. Slightly larger times
/// would become negative, and Perfetto drops negative times.
const LAST_NS: u64 = (1 << 63) - 4096;

struct Chrome {
    out: BlockWriter,
    is_first: bool,
    process_ids: ProcessIds,
    /// The last name that was written for each thread.
    threads: HashMap<Owner, Box<str>>,
    spans: HashMap<u64, OpenSpan>,
    description: Description,
    has_missing_names: bool,
    last_ns: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Owner {
    pid: u32,
    tid: u32,
}

/// An open span. Chrome's format requires all events of a span to have the same name and owner.
struct OpenSpan {
    name: Box<str>,
    owner: Owner,
    begin_ns: u64,
}

impl Chrome {
    fn start(target: ExportTarget, info: &TraceInfo) -> io::Result<Chrome> {
        let file = target.into_file()?;
        let mut chrome = Chrome {
            out: BlockWriter::new(file),
            is_first: true,
            process_ids: ProcessIds::new(info),
            threads: HashMap::new(),
            spans: HashMap::new(),
            description: info.description.clone(),
            has_missing_names: false,
            last_ns: 0,
        };
        chrome.out.write_all(b"{\"displayTimeUnit\":\"ns\"")?;
        if let Some(anchor) = info.anchor {
            let (monotonic_ns, realtime_ns) = (anchor.monotonic_ns, anchor.realtime_ns);
            // Viewers display these times, but do not calculate with them.
            write!(
                chrome.out,
                ",\"otherData\":{{\"monotonic_ns\":\"{monotonic_ns}\",\"realtime_ns\":\"{realtime_ns}\"}}"
            )?;
        }
        chrome.out.write_all(b",\"traceEvents\":[")?;
        for (pid, name) in info.process_names() {
            chrome.write_name("process_name", Owner { pid, tid: pid }, name)?;
        }
        Ok(chrome)
    }

    /// Returns the owner of `entry`. Records without a thread belong to the first thread of their
    /// process.
    fn owner_of(&mut self, entry: &Entry<'_>) -> Owner {
        Owner { pid: self.process_ids.number(entry), tid: entry.tid().unwrap_or(entry.pid) }
    }

    fn write<'v>(
        &mut self,
        phase: char,
        name: &str,
        time_ns: u64,
        owner: Owner,
        more: &str,
        arguments: impl IntoIterator<Item = Member<'v>>,
    ) -> io::Result<()> {
        self.open(phase, name, time_ns, owner, more);
        push_members(arguments, self.out.bytes());
        self.close(&[])
    }

    /// Starts an event. The caller appends its arguments. `phase` is the event's type, and `more`
    /// contains additional members.
    fn open(&mut self, phase: char, name: &str, time_ns: u64, owner: Owner, more: &str) {
        let comma = if std::mem::take(&mut self.is_first) { "" } else { "," };
        let Owner { pid, tid } = owner;
        let out = self.out.bytes();
        out.extend_from_slice(format!("{comma}\n{{\"ph\":\"{phase}\",\"name\":").as_bytes());
        push_quoted(name, out);
        let (us, ns) = (time_ns.min(LAST_NS) / 1000, time_ns.min(LAST_NS) % 1000);
        let rest = format!(",\"ts\":{us}.{ns:03},\"pid\":{pid},\"tid\":{tid}{more},\"args\":{{");
        out.extend_from_slice(rest.as_bytes());
    }

    fn close(&mut self, members: &[u8]) -> io::Result<()> {
        let out = self.out.bytes();
        out.extend_from_slice(members);
        out.extend_from_slice(b"}}");
        self.out.settle()
    }

    fn write_name(&mut self, what: &str, owner: Owner, name: &str) -> io::Result<()> {
        self.write('M', what, 0, owner, "", [("name".into(), TypedValue::Text(name.as_bytes()))])
    }

    /// Writes the name of the thread of `entry`, if it is new, and that of the process, if its number is
    /// not its id.
    fn introduce(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        let name = match entry.tid() {
            Some(_) => entry.thread_name(),
            None => Some("events"),
        };
        let owner = self.owner_of(entry);
        let process = Owner { pid: owner.pid, tid: owner.pid };
        if owner.pid != entry.pid
            && !self.threads.contains_key(&process)
            && let Some(name) = self.process_ids.name(owner.pid).map(str::to_owned)
        {
            // No thread has this id.
            self.threads.insert(process, Box::default());
            self.write_name("process_name", process, &name)?;
        }
        match name {
            Some(name) if self.threads.get(&owner).is_none_or(|known| **known != *name) => {
                self.threads.insert(owner, name.into());
                self.write_name("thread_name", owner, name)
            }
            _ => Ok(()),
        }
    }

    fn show(&mut self, entry: &Entry<'_>, span_event: &SpanEvent<'_>, tracks: &[Track]) -> io::Result<()> {
        let name = &*entry.schema.name;
        match span_event {
            SpanEvent::Begin(span) => {
                let owner = self.owner_of(entry);
                let begun = OpenSpan { name: name.into(), owner, begin_ns: entry.timestamp_ns };
                self.spans.insert(span.number, begun);
                let more = self.members_of(span);
                self.write('b', name, entry.timestamp_ns, owner, &more, values(entry))
            }
            SpanEvent::Step(span) => {
                let Some(open) = self.spans.get(&span.number) else { return Ok(()) };
                let (owner, more) = (open.owner, self.members_of(span));
                let arguments = values(entry).chain(owner_arguments(entry));
                self.write('n', name, entry.timestamp_ns, owner, &more, arguments)
            }
            SpanEvent::End { span, .. } => {
                let Some(open) = self.spans.remove(&span.number) else { return Ok(()) };
                let needs_time = entry.timestamp_ns < open.begin_ns || is_rounded(entry.timestamp_ns);
                // Nest the members, because the record that began the span may have arguments with
                // the same names.
                let mut members = b"\"end\":{".to_vec();
                push_members(named_values(entry).chain(end_arguments(entry, needs_time)), &mut members);
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
                    Ok(value) => TypedValue::Unsigned(value),
                    Err(_) => TypedValue::Signed(*value as i64),
                };
                let owner = self.owner_of(entry);
                self.write('C', &track.name, entry.timestamp_ns, owner, "", [("value".into(), value)])
            }
        }
    }

    fn end(&mut self, open: &OpenSpan, span: &SpanId, end_ns: u64, members: &[u8]) -> io::Result<()> {
        let more = self.members_of(span);
        self.open('e', &open.name, end_ns.max(open.begin_ns), open.owner, &more);
        self.close(members)
    }

    /// Returns the members that all events of a span have in common and that identify the span.
    fn members_of(&self, span: &SpanId) -> String {
        let mut out = b",\"cat\":".to_vec();
        push_quoted(pair_name(&self.description, *span), &mut out);
        format!("{},\"id\":\"{}\"", String::from_utf8_lossy(&out), span.number)
    }

    /// Writes the names of the rows for dropped events, once.
    fn name_missing(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.has_missing_names, true) {
            self.write_name("process_name", DROPPED, "Not in the trace")?;
            self.write_name("thread_name", DROPPED, "Dropped events")?;
        }
        Ok(())
    }

    fn show_pauses(&mut self, pauses: &[Pause]) -> io::Result<()> {
        let mut named_rows = 0;
        for (row, pause) in losses::pause_rows(pauses) {
            self.name_missing()?;
            let owner = Owner { tid: PAUSES.tid + row as u32, ..PAUSES };
            if row == named_rows {
                named_rows += 1;
                self.write_name("thread_name", owner, "Recording off")?;
            }
            match (pause.from_ns, pause.to_ns) {
                (Some(from_ns), Some(to_ns)) => {
                    let long_ns = to_ns.saturating_sub(from_ns);
                    let more = format!(",\"dur\":{}.{:03}", long_ns / 1000, long_ns % 1000);
                    self.write('X', "recording off", from_ns, owner, &more, [])?;
                }
                (Some(from_ns), None) => self.write('B', "recording off", from_ns, owner, "", [])?,
                (None, Some(to_ns)) => {
                    self.write('i', "recording resumed", to_ns, owner, ",\"s\":\"t\"", [])?;
                }
                (None, None) => {}
            }
        }
        Ok(())
    }
}

/// Returns the values of `entry`, and its time if readers would round the time.
fn values<'v>(entry: &Entry<'v>) -> impl Iterator<Item = Member<'v>> + use<'v> {
    named_values(entry).chain(time_argument(entry, is_rounded(entry.timestamp_ns)))
}

/// Returns whether readers may round `time_ns` by a nanosecond or more. All of them store
/// microseconds as doubles.
fn is_rounded(time_ns: u64) -> bool {
    time_ns / 1000 >= MAX_EXACT_US
}

impl Exporter for Chrome {
    fn event(&mut self, entry: &Entry<'_>, spans: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        self.introduce(entry)?;
        self.last_ns = entry.timestamp_ns;
        for span_event in spans {
            self.show(entry, span_event, tracks)?;
        }
        if stands_alone(spans) {
            let (name, owner) = (&*entry.schema.name, self.owner_of(entry));
            self.write('i', name, entry.timestamp_ns, owner, ",\"s\":\"t\"", values(entry))?;
        }
        Ok(())
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.name_missing()?;
        let cause = [("cause".into(), TypedValue::Text(losses::cause(entry).as_bytes()))];
        let arguments = values(entry).chain(cause).chain(owner_arguments(entry));
        let more = ",\"s\":\"t\",\"cat\":\"Dropped_Event\"";
        let time_ns = losses::time_ns(entry, self.last_ns);
        self.write('i', &losses::label(entry), time_ns, DROPPED, more, arguments)
    }

    fn finish(mut self: Box<Self>, end: &TraceEnd<'_>) -> io::Result<()> {
        self.show_pauses(end.pauses)?;
        self.out.write_all(b"\n]}\n")?;
        self.out.finish().map(drop)
    }
}
