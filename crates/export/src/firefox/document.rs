//! The output file, which is written at the end.

use std::collections::HashMap;
use std::io::{self, Write};

use ringtrace_tracefile::Pause;

use super::counter::Counter;
use super::schema::MarkerSchema;
use super::thread::{Marker, Owner, Timing};
use super::{CATEGORIES, COLOURS, Firefox, PAUSED};
use crate::exporter::TraceEnd;
use crate::shared::json;
use crate::shared::time_base::milliseconds;

/// Version of the format. The profiler reads all older versions. This is the first version in which
/// a counter specifies how it is drawn.
const VERSION: u32 = 63;

/// Required tables that are always empty.
const EMPTY_TABLES: &str = concat!(
    "\"resourceTable\":{\"length\":0,\"type\":[],\"lib\":[],\"name\":[],\"host\":[]},",
    "\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[]}",
);

impl Firefox {
    pub(super) fn pauses(&mut self, pauses: &[Pause]) -> io::Result<()> {
        if pauses.is_empty() {
            return Ok(());
        }
        let pid = self.threads.first().map_or(0, |thread| thread.owner.pid());
        let thread = self.thread(Owner::Recording { pid });
        let name = CATEGORIES[PAUSED].0;
        let schema = self.schemas.add(name);
        let name = self.strings.index(name);
        for pause in pauses {
            // If a pause's start or end is unknown, use the start or end of the records.
            let [from_ns, to_ns] =
                [pause.from_ns, pause.to_ns].map(|ns| ns.map(|ns| self.time_base.relative_ns(ns)));
            let to_ns = to_ns.unwrap_or(self.time_base.last_ns());
            let from_ns = from_ns.unwrap_or(to_ns.min(0));
            let timing = Timing::Interval(from_ns, to_ns.max(from_ns));
            self.open_data(schema);
            self.add(thread, Marker { name, timing, category: PAUSED })?;
        }
        Ok(())
    }

    pub(super) fn write(mut self, end: &TraceEnd<'_>) -> io::Result<()> {
        if self.threads.is_empty() {
            // The profiler rejects a file without threads.
            self.thread(Owner::Thread { pid: 0, tid: 0 });
        }
        self.write_meta(end)?;
        self.out.write_all(b",\"libs\":[],\"pages\":[],\"shared\":{\"stringArray\":")?;
        json::array(&self.strings.texts, &mut self.out, |text, out| json::string(text, out))?;
        self.out.write_all(b",")?;
        self.stacks.write(&mut self.out)?;
        write!(self.out, ",{EMPTY_TABLES}}},\"threads\":[")?;
        let places = self.write_threads()?;
        self.out.write_all(b"],\"counters\":[")?;
        let mut counters: Vec<(&u32, &Counter)> = self.counters.iter().collect();
        counters.sort_by_key(|(track, _)| **track);
        for (index, (_, counter)) in counters.into_iter().enumerate() {
            self.out.write_all(if index > 0 { b"," } else { b"" })?;
            counter.write(&places, &self.spill, &mut self.out)?;
        }
        self.out.write_all(b"]}\n")?;
        self.out.finish().map(drop)
    }

    /// Writes the threads, grouped by process. Returns each thread's index in the file.
    fn write_threads(&mut self) -> io::Result<Vec<usize>> {
        // A process is listed where its first thread occurs.
        let mut processes: HashMap<u32, usize> = HashMap::new();
        for (index, thread) in self.threads.iter().enumerate() {
            processes.entry(thread.owner.pid()).or_insert(index);
        }
        let mut order: Vec<usize> = (0..self.threads.len()).collect();
        order.sort_by_key(|&index| {
            let owner = self.threads[index].owner;
            let rank = match owner {
                // The main thread's id equals its process id. It comes first, if it exists.
                Owner::Thread { pid, tid } if tid == pid => 0,
                Owner::Thread { .. } => 1,
                Owner::Pair { .. } => 2,
                Owner::Recording { .. } => 3,
            };
            (processes[&owner.pid()], rank)
        });
        let mut places = vec![0; order.len()];
        let mut before = None;
        for (place, &index) in order.iter().enumerate() {
            self.out.write_all(if place > 0 { b"," } else { b"" })?;
            let thread = &self.threads[index];
            let pid = thread.owner.pid();
            let process = self.process_name(pid);
            let is_main = before.replace(pid) != Some(pid);
            thread.write(is_main, &process, self.time_base.last_ns(), &self.spill, &mut self.out)?;
            places[index] = place;
        }
        Ok(places)
    }

    fn write_meta(&mut self, end: &TraceEnd<'_>) -> io::Result<()> {
        let first_ns = self.time_base.first_ns();
        let mut text = Vec::new();
        let start = self.info.anchor.map_or(0, |anchor| anchor.realtime_ns(first_ns));
        json::plain(
            format_args!(
                concat!(
                    "{{\"meta\":{{\"version\":24,\"preprocessedProfileVersion\":{version},\"interval\":0.000001,\"processType\":0,\"stackwalk\":0,",
                    "\"debug\":false,\"symbolicated\":true,\"symbolicationNotSupported\":true,\"usesOnlyOneStackType\":true,",
                    "\"sourceCodeIsNotOnSearchfox\":true,\"keepProfileThreadOrder\":true,\"importedFrom\":\"ringtrace\",",
                    "\"extensions\":{{\"length\":0,\"baseURL\":[],\"id\":[],\"name\":[]}},",
                    "\"startTime\":{start},\"startTimeAsClockMonotonicNanosecondsSinceBoot\":{first_ns},\"product\":"
                ),
                version = VERSION,
                start = milliseconds(start),
                first_ns = first_ns,
            ),
            &mut text,
        );
        json::string(&self.info.traces.join(", "), &mut text);
        self.out.write_all(&text)?;
        self.out.write_all(b",\"categories\":")?;
        let pairs = self.info.description.pairs.iter().map(|pair| &*pair.name);
        let pairs = pairs.zip(COLOURS.into_iter().cycle());
        json::array(CATEGORIES.into_iter().chain(pairs), &mut self.out, |(name, colour), out| {
            out.extend_from_slice(b"{\"name\":");
            json::string(name, out);
            json::plain(format_args!(",\"color\":\"{colour}\",\"subcategories\":[\"Other\"]}}"), out);
        })?;
        self.out.write_all(b",\"markerSchema\":")?;
        json::array(self.schemas.iter(), &mut self.out, MarkerSchema::encode)?;
        let mut facts = vec![
            ("Traces", self.info.traces.join(", ")),
            ("First record", self.time_base.moment(self.info.anchor)),
            ("Clock then", format!("{first_ns} ns")),
            ("Events dropped", end.dropped.events.to_string()),
        ];
        let open = end.open.iter().zip(&self.info.description.pairs).filter(|(open, _)| **open > 0);
        let open: Vec<String> = open.map(|(open, pair)| format!("{}: {open}", pair.name)).collect();
        facts.push(("Spans open at the end", if open.is_empty() { "0".to_owned() } else { open.join(", ") }));
        self.out.write_all(b",\"extra\":[{\"label\":\"Recording\",\"entries\":")?;
        json::array(facts, &mut self.out, |(label, value), out| {
            json::plain(format_args!("{{\"label\":\"{label}\",\"format\":\"string\",\"value\":"), out);
            json::string(&value, out);
            out.push(b'}');
        })?;
        self.out.write_all(b"}]}")
    }
}
