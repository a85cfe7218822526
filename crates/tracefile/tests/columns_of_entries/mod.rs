//! The rows of columns, in the simplest way: from the entries, one by one.

use std::collections::BTreeMap;

use ringtrace_events::CType;
use ringtrace_tracefile::columns::utf8;
use ringtrace_tracefile::pair::{Description, SpanEvent, SpanTracker};
use ringtrace_tracefile::{Entry, Filter, FilterOptions, Flow, SchemaArgument, Traces, Value, pauses};

/// The rows of each table, each as text.
pub type Found = BTreeMap<String, Vec<String>>;

/// Returns the rows that follow from the entries, one by one.
pub fn expected(mut traces: Traces, description: &Description, filter: FilterOptions) -> Found {
    let anchor = traces.times().anchor;
    traces.set_filter(Filter::new(FilterOptions { since_ns: filter.since_ns.or(Some(0)), ..filter }));
    let mut tracker = SpanTracker::new(description.clone()).keep_begins(true);
    let mut rows = Found::new();
    let wall = |time_ns: u64| {
        anchor.map(|anchor| anchor.realtime_ns(time_ns).clamp(i64::MIN.into(), i64::MAX.into()) as i64)
    };
    let owner = |entry: &Entry<'_>| {
        let pid = entry.version.info().has_pid.then_some(entry.pid);
        named(&[
            ("wall_ns", wall(entry.timestamp_ns).map(|wall| wall.to_string())),
            ("pid", pid.map(|pid| pid.to_string())),
            ("tid", entry.tid().map(|tid| tid.to_string())),
            ("thread", entry.thread_name().map(|name| format!("{name:?}"))),
        ])
    };
    let mut visit = |entry: &Entry<'_>| {
        let name = &*entry.schema.name;
        let (time, owner_text) = (entry.timestamp_ns.cast_signed(), owner(entry));
        let mut add = |table: String, row: String| rows.entry(table).or_default().push(row);
        if let Some(count) = entry.dropped() {
            let cause = entry.lost.map(|lost| format!("{:?}", lost.cause.word()));
            add(
                "dropped".to_owned(),
                format!("time_ns={time}{owner_text}{} dropped={count}", named(&[("cause", cause)])),
            );
            return Flow::Continue;
        }
        let cpu = named(&[("cpu", entry.context.cpu().map(|cpu| cpu.to_string()))]);
        let values = arguments("", entry);
        add(
            format!("event {name}"),
            format!("record={} time_ns={time}{owner_text}{cpu}{values}", entry.number),
        );
        // The column `event` is between the time and the process.
        let (before, after) = owner_text.split_at(owner_text.find(" pid=").unwrap_or(owner_text.len()));
        add(
            "events".to_owned(),
            format!("record={} time_ns={time}{before} event={name:?}{after}{cpu}", entry.number),
        );
        let (events, tracks) = tracker.of(entry).unwrap();
        for event in events.iter() {
            let (id, begin, end) = match event {
                SpanEvent::End { span, begin } => (span, begin, Some(entry)),
                SpanEvent::Restarted { span, begin } => (span, begin, None),
                _ => continue,
            };
            let pair = &description.pairs[id.pair].name;
            let outcome = if end.is_some() { "ended" } else { "restarted" };
            let latency = end.and_then(|end| end.timestamp_ns.checked_sub(begin.timestamp_ns));
            let ends = named(&[
                ("end_ns", end.map(|end| end.timestamp_ns.to_string())),
                ("latency_ns", latency.map(|latency| latency.to_string())),
            ]);
            let end_event = named(&[("end_event", end.map(|end| format!("{:?}", &*end.schema.name)))]);
            let track = &tracks[id.track as usize].name;
            let mut row = format!("pair={pair:?} span={} track={track:?} outcome={outcome:?}", id.number);
            row += &format!(" begin_ns={}{ends}{}", begin.timestamp_ns, owner(begin));
            row += &format!(" begin_event={:?}{end_event}", &*begin.schema.name);
            // Columns of arguments are in the order in which events were declared.
            let mut values: Vec<String> = [("begin_", Some(begin)), ("end_", end)]
                .into_iter()
                .filter_map(|(prefix, entry)| Some(arguments(prefix, entry?)))
                .collect();
            values.retain(|values| !values.is_empty());
            add(format!("spans of {pair}"), row + &values.concat());
        }
        Flow::Continue
    };
    traces.for_each(&mut visit).unwrap();
    for pause in pauses(traces.readers()[0].metadata()) {
        let duration = pause.from_ns.and(pause.to_ns).map(|_| pause.duration_ns().to_string());
        let cells = [
            ("begin_ns", pause.from_ns.map(|ns| ns.to_string())),
            ("end_ns", pause.to_ns.map(|ns| ns.to_string())),
            ("duration_ns", duration),
        ];
        rows.entry("pauses".to_owned()).or_default().push(named(&cells).trim_start().to_owned());
    }
    rows
}

fn named(cells: &[(&str, Option<String>)]) -> String {
    cells.iter().filter_map(|(name, cell)| Some(format!(" {name}={}", cell.as_ref()?))).collect()
}

/// Returns the arguments of `entry` as the cells of a row.
fn arguments(prefix: &str, entry: &Entry<'_>) -> String {
    let cell = |(argument, value): (&SchemaArgument, Value<'_>)| {
        let text = match (value, argument.ctype) {
            _ if argument.enumeration.is_some() => format!("{:?}", argument.key(value).to_string()),
            (Value::Str(bytes), _) => format!("{:?}", utf8(bytes)),
            (Value::Integer(bits), CType::Integer { .. }) => argument.ctype.number(bits).to_string(),
            (Value::Integer(bits), CType::Bool) => (bits != 0).to_string(),
            (Value::Integer(bits), _) => bits.to_string(),
        };
        let reserved = ["event", "time_ns", "time", "pid", "tid", "thread", "cause", "cpu", "record"];
        let reserved = prefix.is_empty() && reserved.contains(&argument.name.as_str());
        format!(" {prefix}{}{}={text}", if reserved { "arg_" } else { "" }, argument.name)
    };
    entry.schema.arguments.iter().zip(entry.values()).map(cell).collect()
}
