//! The contents of a trace as read by ringtrace's own reader, in the form in which the trace
//! processor returns them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::rc::Rc;

use ringtrace_events::CType;
use ringtrace_export::{Exporter, TraceEnd};
use ringtrace_tracefile::pair::{Description, SpanEvent, Track};
use ringtrace_tracefile::{Entry, Value};

use crate::Format;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slice {
    pub time_ns: u64,
    /// -1 if the slice never ends.
    pub duration_ns: i64,
    pub name: String,
    /// For spans, the name of the pair. For steps, ` step` is appended to it.
    pub category: String,
    /// The process and thread, if the slice is on a thread's track.
    pub place: String,
    /// The arguments, as `name=type:value`.
    pub arguments: Vec<String>,
}

/// The contents of a trace.
#[derive(Debug, Default)]
pub struct All {
    pub slices: Vec<Slice>,
    pub threads: BTreeMap<u32, String>,
    /// Pairs of event names: from a span's begin event to its first step, and from each step to the
    /// next step.
    pub flows: Vec<(String, String)>,
    /// Name, time and value of counters.
    pub values: Vec<(String, u64, i128)>,
}

impl Slice {
    /// Returns the slice, with the times of `other` if the difference may be due to rounding.
    pub fn about_at(&self, other: &Slice) -> Slice {
        // Times are doubles, in microseconds.
        let most_ns = (self.time_ns >> 51).max(1);
        let is_near = |one: i64, other: i64| one.abs_diff(other) <= most_ns;
        let mut moved = self.clone();
        if is_near(self.time_ns.cast_signed(), other.time_ns.cast_signed()) {
            moved.time_ns = other.time_ns;
        }
        // A slice without an end has no duration to compare.
        if self.duration_ns >= 0 && other.duration_ns >= 0 && is_near(self.duration_ns, other.duration_ns) {
            moved.duration_ns = other.duration_ns;
        }
        moved
    }
}

/// An exporter that collects the expected contents.
pub struct Expected {
    pub format: Format,
    pub description: Description,
    pub all: Rc<RefCell<All>>,
    /// Open spans by number.
    pub open: BTreeMap<u64, OpenSlice>,
}

pub struct OpenSlice {
    /// Index of the slice.
    slice: usize,
    begin_ns: u64,
    /// The event name of the last step, or of the record that began the span.
    last: String,
}

impl Expected {
    fn value(&self, ctype: CType, value: Value<'_>) -> String {
        let Value::Integer(bits) = value else {
            let Value::Str(bytes) = value else { unreachable!() };
            return format!("string:{}", self.text(bytes));
        };
        let number = ctype.number(bits);
        let is_exact = number.unsigned_abs() <= 1 << 53;
        match (ctype, self.format) {
            (CType::Integer { signed: true, .. }, Format::Perfetto) => format!("int:{number}"),
            (CType::Integer { .. }, Format::Perfetto) => format!("uint:{number}"),
            (CType::Integer { .. }, Format::Chrome) if is_exact => format!("int:{number}"),
            (CType::Integer { .. }, Format::Chrome) => format!("string:{number}"),
            (CType::Bool, _) => format!("bool:{}", bits != 0),
            (CType::Double, format) => {
                // The trace processor's database stores -0.0 as 0.0.
                let mut number = f64::from_bits(bits) + 0.0;
                if format == Format::Chrome && number.is_subnormal() {
                    // Its JSON parser reads these numbers as 0.
                    number = 0.0;
                }
                let is_number = format == Format::Perfetto || number.is_finite();
                format!("{}:{number:?}", if is_number { "real" } else { "string" })
            }
            (_, Format::Perfetto) => format!("pointer:{bits:#x}"),
            (_, Format::Chrome) => format!("string:{bits:#x}"),
        }
    }

    /// Returns a string from which `bytes` can be restored, as described in `docs/perfetto.md`. The
    /// trace processor decodes JSON escapes only in strings that contain a quote.
    fn text(&self, bytes: &[u8]) -> String {
        let text = ringtrace_export::utf8_without_zeros(bytes);
        if self.format == Format::Perfetto || text.contains('"') {
            return text.into_owned();
        }
        let next = text.chars().skip(1).map(Some).chain([None]);
        let escaped = text.chars().zip(next).map(|(character, next)| match (character, next) {
            ('\\', None) => "\\u005c".to_owned(),
            ('\\', _) => "\\\\".to_owned(),
            ('\n', _) => "\\n".to_owned(),
            ('\r', _) => "\\r".to_owned(),
            ('\t', _) => "\\t".to_owned(),
            ('\0'..' ', _) => format!("\\u{:04x}", u32::from(character)),
            _ => character.to_string(),
        });
        escaped.collect()
    }

    /// Returns the time at which the trace processor shows an event at `time_ns`, before rounding.
    fn shown_ns(&self, time_ns: u64) -> u64 {
        match self.format {
            Format::Perfetto => time_ns.min(i64::MAX as u64),
            Format::Chrome => time_ns.min((1 << 63) - 4096),
        }
    }

    /// Returns whether the time that the trace processor shows may differ from the recorded time.
    fn is_rounded(&self, time_ns: u64) -> bool {
        match self.format {
            Format::Perfetto => time_ns > i64::MAX as u64,
            Format::Chrome => time_ns / 1000 >= 1 << 43,
        }
    }

    fn arguments(&self, entry: &Entry<'_>, prefix: &str) -> Vec<String> {
        let arguments = entry.schema.arguments.iter().zip(entry.values());
        arguments
            .map(|(argument, value)| {
                format!("{prefix}{}={}", argument.name, self.value(argument.ctype, value))
            })
            .collect()
    }

    fn number(&self, name: &str, number: u64) -> String {
        let ctype = CType::Integer { bytes: 8, signed: false };
        format!("{name}={}", self.value(ctype, Value::Integer(number)))
    }

    /// Returns the arguments that describe the owner of a record.
    fn origin(&self, entry: &Entry<'_>, prefix: &str) -> Vec<String> {
        let mut arguments = Vec::new();
        let has = |name| entry.schema.argument(name).is_some();
        if entry.version.info().has_pid && !has("pid") {
            arguments.push(self.number(&format!("{prefix}pid"), u64::from(entry.pid)));
        }
        if let Some(tid) = entry.tid().filter(|_| !has("tid")) {
            arguments.push(self.number(&format!("{prefix}tid"), u64::from(tid)));
        }
        if let Some(name) = entry.thread_name().filter(|_| !has("thread")) {
            arguments.push(format!("{prefix}thread=string:{name}"));
        }
        arguments
    }

    /// Returns the process and thread of a record. Perfetto has no process 0, and Chrome's format
    /// cannot represent records without a thread.
    fn place(&self, entry: &Entry<'_>) -> String {
        match (entry.pid, entry.tid(), self.format) {
            (0, _, Format::Perfetto) => String::new(),
            (pid, Some(tid), _) => format!("{pid}/{tid}"),
            (pid, None, Format::Perfetto) => pid.to_string(),
            (pid, None, Format::Chrome) => format!("{pid}/{pid}"),
        }
    }

    fn slice(&self, entry: &Entry<'_>, category: &str, more: Vec<String>) -> Slice {
        let mut arguments = self.arguments(entry, "");
        arguments.extend(more);
        let time_ns = self.shown_ns(entry.timestamp_ns);
        if self.is_rounded(entry.timestamp_ns) && entry.schema.argument("time_ns").is_none() {
            arguments.push(self.number("time_ns", entry.timestamp_ns));
        }
        Slice {
            time_ns,
            duration_ns: 0,
            name: entry.schema.name.to_string(),
            category: category.to_owned(),
            place: String::new(),
            arguments,
        }
    }

    fn end(&mut self, number: u64, end_ns: u64, arguments: Vec<String>) {
        let open = self.open.remove(&number).unwrap();
        let shown_ns = self.shown_ns(end_ns);
        let slice = &mut self.all.borrow_mut().slices[open.slice];
        slice.arguments.extend(arguments);
        slice.duration_ns = shown_ns.saturating_sub(slice.time_ns).cast_signed();
    }

    fn show(&mut self, entry: &Entry<'_>, span_event: &SpanEvent<'_>, tracks: &[Track]) {
        match span_event {
            SpanEvent::Begin(span) => {
                let category = self.description.pairs[span.pair].name.clone();
                // In Chrome's format the slice is on a thread's track.
                let origin = if self.format == Format::Perfetto { self.origin(entry, "") } else { vec![] };
                let mut slice = self.slice(entry, &category, origin);
                slice.duration_ns = -1;
                let mut all = self.all.borrow_mut();
                all.slices.push(slice);
                let (slice, last) = (all.slices.len() - 1, entry.schema.name.to_string());
                self.open.insert(span.number, OpenSlice { slice, begin_ns: entry.timestamp_ns, last });
            }
            SpanEvent::Step(span) => {
                let mut category = self.description.pairs[span.pair].name.clone();
                if self.format == Format::Perfetto {
                    category += " step";
                }
                let slice = self.slice(entry, &category, self.origin(entry, ""));
                let last = &mut self.open.get_mut(&span.number).unwrap().last;
                let mut all = self.all.borrow_mut();
                all.flows.push((std::mem::replace(last, slice.name.clone()), slice.name.clone()));
                all.slices.push(slice);
            }
            SpanEvent::End { span, .. } => {
                let mut arguments = vec![format!("end.event=string:{}", entry.schema.name)];
                arguments.extend(self.arguments(entry, "end."));
                arguments.extend(self.origin(entry, "end."));
                let begin_ns = self.open[&span.number].begin_ns;
                if entry.timestamp_ns < begin_ns || self.is_rounded(entry.timestamp_ns) {
                    arguments.push(self.number("end.time_ns", entry.timestamp_ns));
                }
                self.end(span.number, entry.timestamp_ns, arguments);
            }
            SpanEvent::Restarted { span, .. } => {
                self.end(span.number, entry.timestamp_ns, vec!["restarted=bool:true".to_owned()]);
            }
            SpanEvent::Counter { track, value, .. } => {
                let name = tracks[*track as usize].name.clone();
                let time_ns = self.shown_ns(entry.timestamp_ns);
                self.all.borrow_mut().values.push((name, time_ns, *value));
            }
        }
    }
}

impl Exporter for Expected {
    fn event(
        &mut self,
        entry: &Entry<'_>,
        span_events: &[SpanEvent<'_>],
        tracks: &[Track],
    ) -> io::Result<()> {
        if let (Some(tid), Some(name)) = (entry.tid(), entry.thread_name()) {
            self.all.borrow_mut().threads.insert(tid, name.to_owned());
        }
        for span_event in span_events {
            self.show(entry, span_event, tracks);
        }
        if span_events.iter().all(|span_event| matches!(span_event, SpanEvent::Counter { .. })) {
            let mut slice = self.slice(entry, "", vec![]);
            slice.place = self.place(entry);
            self.all.borrow_mut().slices.push(slice);
        }
        Ok(())
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        let cause = entry.lost.map_or("dropped", |lost| lost.cause.word());
        let mut more = vec![format!("cause=string:{cause}")];
        more.extend(self.origin(entry, ""));
        let mut slice = self.slice(entry, "Dropped_Event", more);
        slice.name = format!("{} {cause}", entry.dropped().unwrap());
        self.all.borrow_mut().slices.push(slice);
        Ok(())
    }

    fn finish(self: Box<Self>, end: &TraceEnd<'_>) -> io::Result<()> {
        let mut all = self.all.borrow_mut();
        for pause in end.pauses {
            let begin_ns = self.shown_ns(pause.from_ns.unwrap());
            all.slices.push(Slice {
                time_ns: begin_ns,
                duration_ns: pause.to_ns.map_or(-1, |to_ns| (self.shown_ns(to_ns) - begin_ns).cast_signed()),
                name: "recording off".to_owned(),
                category: String::new(),
                place: String::new(),
                arguments: Vec::new(),
            });
        }
        for slice in &mut all.slices {
            slice.arguments.sort_unstable();
        }
        all.slices.sort_unstable();
        Ok(())
    }
}
