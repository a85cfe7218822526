//! Recovers a trace from the rings of the killed program, and reads it.

use std::collections::{BTreeMap, VecDeque};
use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use ringtrace_tracefile::recover::{ArenaFile, find_arenas, gather};
use ringtrace_tracefile::text::{LineOptions, LineStyle, LineText, Render, TextBuffer, TimeMode, ValueStyle};
use ringtrace_tracefile::{Entry, Flow, Input, Needs, Options, Reader, Traces, Value};

/// The number of lines to show.
pub const LINES: usize = 12;

/// The contents of a trace of the broker.
pub struct TraceContents {
    /// The last lines.
    pub lines: String,
    /// The last acknowledged message of each topic.
    pub acknowledged: BTreeMap<String, u64>,
}

/// Recovers a trace from the arenas in `folder`, and removes them. Returns a summary.
pub fn recover(folder: &Path, trace: &Path) -> Result<String, Box<dyn Error>> {
    let arenas = find_arenas(folder)?.iter().map(|path| ArenaFile::open(path)).collect::<Result<_, _>>();
    let processes = gather(arenas.map_err(|refused| refused.to_string())?)?;
    let [process] = processes.as_slice() else {
        return Err(format!(
            "expected rings of one process, found rings of {} in {}",
            processes.len(),
            folder.display()
        )
        .into());
    };
    let mut file = File::create(trace)?;
    let recovered = process.recover(|bytes| file.write_all(bytes))?;
    for arena in process.segments() {
        arena.remove()?;
    }
    let lost: Vec<String> =
        recovered.lost.iter().map(|(cause, count)| format!("{count} {}", cause.word())).collect();
    let (events, threads) = (recovered.ring_records, recovered.ring_threads);
    Ok(format!(
        "The trace contains the newest {events} events of {threads} threads; older events: {}.",
        lost.join(", ")
    ))
}

/// Reads the whole trace.
pub fn read(trace: &Path) -> Result<TraceContents, Box<dyn Error>> {
    let name = trace.display().to_string();
    let refused = |complaint| format!("{name}: {complaint:?}");
    let reader = Reader::new(&name, Input::open(trace)?, &Options::default()).map_err(refused)?;
    let mut traces =
        Traces::new(vec![reader], Needs { origin: true, ..Needs::default() }).map_err(refused)?;
    let look = LineOptions {
        style: LineStyle::Log,
        values: ValueStyle::Format,
        time: Some(TimeMode::Relative),
        colour: false,
        raw_strings: false,
        harmless: true,
    };
    let mut text = LineText::new(look, traces.times());
    let (mut lines, mut acknowledged) = (VecDeque::new(), BTreeMap::new());
    let mut line = TextBuffer::with_capacity(256);
    let mut visit = |entry: &Entry<'_>| {
        line.clear();
        text.render(entry, &mut line);
        lines.push_back(String::from_utf8_lossy(line.as_bytes()).into_owned());
        if lines.len() > LINES {
            lines.pop_front();
        }
        if let ("msg_ack", Some(Value::Integer(number)), Some(Value::Str(topic))) =
            (entry.schema.name.as_str(), entry.value(0), entry.value(1))
        {
            acknowledged.insert(String::from_utf8_lossy(topic).into_owned(), number);
        }
        Flow::Continue
    };
    traces.for_each(&mut visit).map_err(|complaints| format!("{name}: {complaints:?}"))?;
    Ok(TraceContents { lines: lines.into_iter().collect(), acknowledged })
}
