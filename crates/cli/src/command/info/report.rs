//! The text summary of a trace.

use std::path::PathBuf;

use ringtrace_events::message::visible;
use ringtrace_tracefile::metadata::Lost;
use ringtrace_tracefile::summary::{
    Backwards, Count, Dropped, EventCount, EventName, MAX_DROPPED_KEPT, Span, Summary, Unread,
};
use ringtrace_tracefile::{Causes, Error as TraceError, Reader};

use ringtrace_wire::simpletrace::Version;

use super::lines::Lines;
use super::total::Totals;
use super::{Arguments, TraceInfo, recording, wall_clock};
use crate::quantity::{self, Units, counted};
use crate::reading::Ending;
use crate::terminal::Terminal;
use ringtrace_display::Table;
use ringtrace_report::wording::describe_causes;

const SHOWN_DROPPED: usize = 20;

/// The maximum number of processes or names listed on one line.
const SHOWN_ON_A_LINE: usize = 10;

const BAD: &str = "1;31";
pub(super) const LOST: &str = "1;33";

pub fn render(trace: &TraceInfo, arguments: &Arguments, terminal: &Terminal) -> String {
    let TraceInfo { reader, summary, .. } = trace;
    let mut lines = Lines::new(&visible::text(reader.name()), terminal);
    format(trace, &mut lines);
    recording::program(reader.metadata(), &mut lines);
    recording::ended(summary, reader.metadata(), trace.ending, &mut lines);
    processes(summary, &mut lines);
    recording::threads(&summary.threads, &mut lines);
    times(trace, &mut lines);
    records(summary, &mut lines);
    declarations(trace, arguments, &mut lines);
    let lost = &summary.dropped;
    let scope = match trace.ending {
        _ if summary.is_damaged() => " in the readable part",
        Some(Ending::Running(_)) => " so far",
        Some(Ending::Killed(_) | Ending::Unwritten(_) | Ending::Unfinished) => " up to the end of the file",
        Some(Ending::Empty(_)) | None => "",
    };
    dropped(lost.events, lost.records, lost.causes, scope, &mut lines);
    recording::paused(reader.metadata(), &mut lines);
    match summary.unread {
        None => backwards(&summary.backwards, &mut lines),
        Some(unread) => not_read(unread, &mut lines),
    }
    damage(summary, reader.name(), &mut lines);
    let mut out = lines.finish();
    let start_ns = summary.span.map_or(0, |span| span.smallest_ns);
    dropped_table(&summary.dropped, start_ns, terminal, &mut out);
    let events: Vec<&EventCount> = summary.occurred().collect();
    event_table(&events, summary.other_ids, summary.span, arguments.top, terminal, &mut out);
    recording::thread_table(&summary.threads, summary.span, arguments.top, terminal, &mut out);
    out
}

/// Adds a line about the blocks of which only the headers were read.
fn not_read(Unread { blocks, of }: Unread, lines: &mut Lines<'_>) {
    let text = format!(
        "{} of {}: events not counted, order and data not verified",
        quantity::count(blocks),
        counted(of, "block", "blocks")
    );
    lines.line("Not read", &text);
    lines.line("", "help: --full reads all blocks");
}

/// Renders the totals of all traces.
pub fn render_total(total: &Totals, arguments: &Arguments, terminal: &Terminal) -> String {
    let mut lines = Lines::new(&format!("{} together", counted(total.traces, "trace", "traces")), terminal);
    lines.line("Size", &size(total.read_bytes));
    if let Some(span) = total.span {
        lines.line("Time", &format!("{}, if they share one clock", from_to(span, lines.units())));
    }
    let events = total.events();
    let kinds = events.len() as u64;
    match total.uncounted {
        0 => lines.line("Records", &records_of(total.records, total.dropped_records, kinds)),
        uncounted => {
            lines.line("Records", &quantity::count(total.records));
            let traces = format!("{uncounted} of the {} traces", total.traces);
            lines.line("Not read", &format!("most of {traces}: events not counted; --full counts them"));
        }
    }
    let scope = if total.damaged > 0 { " in the readable part" } else { "" };
    dropped(total.dropped_events, total.dropped_records, total.causes, scope, &mut lines);
    match total.damaged {
        0 => lines.line("Damage", "none"),
        damaged => lines.line_in(BAD, "Damage", &format!("{damaged} of the {} traces", total.traces)),
    }
    let mut out = format!("\n{}", lines.finish());
    let events: Vec<&EventCount> = events.iter().filter(|_| total.uncounted == 0).collect();
    event_table(&events, total.other_ids, total.span, arguments.top, terminal, &mut out);
    out
}

fn format(trace: &TraceInfo, lines: &mut Lines<'_>) {
    let TraceInfo { reader, summary, .. } = trace;
    let (version, order) = (reader.version(), reader.order());
    let by = if version == Version::Rfc2011 { "after" } else { "written by" };
    let compact = if reader.is_compact() { "compact " } else { "" };
    lines.line("Format", &format!("{compact}simpletrace {version}, {order}, {by} {}", trace.written_by()));
    lines.line(
        "Header",
        &match reader.header() {
            None => "none".to_owned(),
            Some(header) => match (header.pid, header.timestamp_ns) {
                (Some(pid), Some(ns)) => {
                    format!("{} bytes; pid {pid}, time {}", header.size, quantity::seconds_from(0, ns))
                }
                _ => format!("{} bytes", header.size),
            },
        },
    );
    let read = summary.read_bytes;
    let compact = reader.compact_bytes().map(|bytes| format!("{}, as v4 ", size(bytes))).unwrap_or_default();
    match reader.file_bytes() {
        Some(all) if read < all => {
            lines.line_in(BAD, "Size", &format!("{compact}{}", size_of_damaged(all, read)));
        }
        _ => match reader.compression() {
            Some(compression) => {
                let name = compression.name();
                lines.line("Size", &format!("{compact}{}, compressed with {name}", size(read)));
            }
            None => lines.line("Size", &format!("{compact}{}", size(read))),
        },
    }
    if let (Some(bytes), saved @ 1..) = (reader.compact_bytes(), reader.saved_bytes()) {
        let uncompressed = bytes + saved;
        let percent = (100 * bytes).div_ceil(uncompressed);
        lines.line("Blocks", &format!("compressed with zstd to {percent}% of {}", size(uncompressed)));
    }
    files(reader, lines);
}

/// Adds a line about the files, if the trace consists of several.
fn files(reader: &Reader, lines: &mut Lines<'_>) {
    let Some(files) = reader.files() else { return };
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().display().to_string();
    let mut paths = files.paths();
    let count = paths.len() as u64;
    match (paths.next().map(name), paths.next_back().map(name)) {
        (Some(only), None) => lines.line("File", &only),
        (Some(first), Some(last)) => {
            let compressed = match files.compressed() as u64 {
                0 => String::new(),
                compressed => format!("{} of them compressed, ", quantity::count(compressed)),
            };
            lines.line("Files", &format!("{}, {compressed}from {first} to {last}", quantity::count(count)));
        }
        _ => {}
    }
}

/// Returns the size of the readable or the unreadable part of a damaged file, whichever is smaller,
/// and the total size.
fn size_of_damaged(all: u64, read: u64) -> String {
    let (part, could) = if read < all / 2 { (read, "could") } else { (all - read, "could not") };
    let percent = match part as f64 * 100.0 / all as f64 {
        percent if percent < 0.1 => "less than 0.1".to_owned(),
        percent => format!("{percent:.1}"),
    };
    format!("{}, of which {} ({percent}%) {could} be read", size(all), quantity::bytes(part))
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1000 => counted(bytes, "byte", "bytes"),
        _ => format!("{} ({} bytes)", quantity::bytes(bytes), quantity::count(bytes)),
    }
}

fn processes(summary: &Summary, lines: &mut Lines<'_>) {
    let all = summary.processes.len() as u64;
    match summary.processes.as_slice() {
        [] => {}
        [one] => lines.line("Process", &one.pid.to_string()),
        several => {
            let text = several.iter().map(|one| format!("{} ({})", one.pid, records_text(one.records)));
            let text = listed(text);
            let more = match summary.other_processes {
                0 => String::new(),
                records => format!("; {} of other processes", records_text(records)),
            };
            lines.line("Processes", &format!("{}: {text}{more}", quantity::count(all)));
        }
    }
}

fn records_text(records: u64) -> String {
    counted(records, "record", "records")
}

/// Joins the first of `items` with commas, and appends the number of omitted items.
fn listed(items: impl Iterator<Item = String>) -> String {
    let mut items: Vec<String> = items.collect();
    let more = items.len().saturating_sub(SHOWN_ON_A_LINE);
    if more > 0 {
        items.truncate(SHOWN_ON_A_LINE);
        items.push(format!("and {} more", quantity::count(more as u64)));
    }
    items.join(", ")
}

fn times(trace: &TraceInfo, lines: &mut Lines<'_>) {
    let Some(span) = trace.summary.span else { return };
    lines.line("Time", &format!("{} on its clock", from_to(span, lines.units())));
    if let Some(anchor) = trace.anchor {
        let [from, to] = [span.smallest_ns, span.largest_ns].map(|ns| wall_clock(anchor, ns));
        lines.line("Wall clock", &format!("from {from} to {to}"));
    }
}

fn from_to(span: Span, units: Units) -> String {
    let [from, to] = [span.smallest_ns, span.largest_ns].map(|ns| quantity::seconds_from(0, ns));
    format!("{}, from {from} to {to}", units.duration(span.duration_ns()))
}

fn records(summary: &Summary, lines: &mut Lines<'_>) {
    if summary.unread.is_some() {
        let with_dropped = if summary.dropped.has_any() { ", including dropped records" } else { "" };
        lines.line("Records", &format!("{}{with_dropped}", quantity::count(summary.records)));
        return;
    }
    let kinds = summary.occurred().count() as u64;
    lines.line("Records", &records_of(summary.records, summary.dropped.records, kinds));
    let mappings = summary.mappings;
    if mappings.records > 0 {
        let silent = summary.never_occurred().count() as u64;
        let silent = match silent {
            0 => String::new(),
            _ => format!("; {} never occurred", counted(silent, "event", "events")),
        };
        let records = counted(mappings.records, "record", "records");
        lines.line("Mappings", &format!("{records}, {}{silent}", quantity::bytes(mappings.bytes)));
    }
}

fn records_of(records: u64, dropped_records: u64, kinds: u64) -> String {
    let events = counted(records - dropped_records, "event", "events");
    let kinds = counted(kinds, "kind", "kinds");
    match dropped_records {
        0 => format!("{events} of {kinds}"),
        _ => {
            format!("{events} of {kinds}, {}", counted(dropped_records, "dropped record", "dropped records"))
        }
    }
}

/// Adds lines about whether the events match their declarations, if `--events` or `--check` is given
/// or the trace declares events.
fn declarations(trace: &TraceInfo, arguments: &Arguments, lines: &mut Lines<'_>) {
    let summary = &trace.summary;
    if !arguments.events.is_empty() || trace.reader.is_self_describing() {
        let undeclared = summary.occurred().filter(|event| !event.declared).map(|event| label(&event.name));
        let names = listed(undeclared);
        if !names.is_empty() {
            lines.line("Undeclared", &names);
        }
    }
    if let Some(checked) = summary.checked {
        let events = summary.records - summary.dropped.records;
        let text = match checked {
            0 if events > 0 => "none: use --events to provide the declarations".to_owned(),
            _ if checked == events => format!("the arguments of all {}", records_text(checked)),
            _ => format!("the arguments of {} of {}", quantity::count(checked), records_text(events)),
        };
        lines.line("Checked", &text);
    }
}

/// Adds a line about dropped events. `scope` says to which part of the trace it applies.
fn dropped(events: u64, records: u64, causes: Causes, scope: &str, lines: &mut Lines<'_>) {
    if records == 0 && events > 0 {
        let events = counted(events, "event", "events");
        return lines.line_in(LOST, "Lost", &format!("{events}, according to the headers of the blocks"));
    }
    if records == 0 {
        return lines.line("Dropped", &format!("no event{scope}"));
    }
    let source = format!("according to {}", counted(records, "record", "records"));
    let events = counted(events, "event", "events");
    match describe_causes(causes) {
        ("dropped", _) => lines.line_in(LOST, "Dropped", &format!("{events}, {source}")),
        ("lost", causes) => lines.line_in(LOST, "Lost", &format!("{events}, {source}{causes}")),
        (cause, _) => lines.line_in(LOST, "Lost", &format!("{events} {cause}, {source}")),
    }
}

fn backwards(backwards: &Backwards, lines: &mut Lines<'_>) {
    let Some(first) = backwards.first else { return lines.line("Order", "by time") };
    let after_dropped = match backwards.after_dropped {
        0 => String::new(),
        records if records == backwards.records => " (after a dropped record, which is normal)".to_owned(),
        records => format!(" ({} after a dropped record, which is normal)", quantity::count(records)),
    };
    lines.line(
        "Order",
        &format!(
            "time goes backwards {}{after_dropped}, by at most {}; first at record {}, offset {:#x}",
            if backwards.records == 1 {
                "once".to_owned()
            } else {
                counted(backwards.records, "time", "times")
            },
            lines.units().duration(backwards.largest_ns),
            quantity::count(first.record),
            first.offset
        ),
    );
}

fn damage(summary: &Summary, file: &str, lines: &mut Lines<'_>) {
    for (anomaly, count, kept) in summary.anomalies.iter() {
        let (style, head) = if anomaly.is_damage() { (BAD, "Damage") } else { (LOST, "Anomaly") };
        for error in kept {
            problem(error, file, style, head, lines);
        }
        let more = count - kept.len() as u64;
        if more > 0 {
            lines.line_in(style, "", &format!("{} more of this kind", quantity::count(more)));
        }
    }
    if let Some(failed) = &summary.failed {
        problem(failed, file, BAD, "Damage", lines);
        if failed.help.is_none() && failed.kind() != ringtrace_tracefile::ErrorKind::System {
            lines.line("", "help: --keep-going searches for records after the damage");
        }
    }
    if !summary.is_damaged() {
        let of = if summary.unread.is_some() { " in the part that was read" } else { "" };
        lines.line("Damage", &format!("none{of}"));
    }
}

fn problem(error: &TraceError, file: &str, style: &str, head: &str, lines: &mut Lines<'_>) {
    let text = error.to_string();
    let text = text.strip_prefix(file).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&text);
    lines.line_in(style, head, text);
    if let Some(help) = &error.help {
        lines.line("", &format!("help: {help}"));
    }
}

fn dropped_table(dropped: &Dropped, start_ns: u64, terminal: &Terminal, out: &mut String) {
    if dropped.kept.is_empty() {
        return;
    }
    let shown = &dropped.kept[..dropped.kept.len().min(SHOWN_DROPPED)];
    let has_causes = shown.iter().any(|one| one.lost.is_some());
    let mut table = Table::new("AT");
    table.column(
        if has_causes { "EVENTS" } else { "DROPPED" },
        0,
        shown.iter().map(|one| quantity::count(one.events)),
    );
    table.column("RECORD", 0, shown.iter().map(|one| quantity::count(one.place.record)));
    table.column("OFFSET", 1, shown.iter().map(|one| format!("{:#x}", one.place.offset)));
    if has_causes {
        let lost =
            |text: fn(Lost) -> String| shown.iter().map(move |one| one.lost.map_or("-".to_owned(), text));
        table.column(
            "THREAD",
            0,
            lost(|lost| if lost.tid == 0 { "-".to_owned() } else { lost.tid.to_string() }),
        );
        table.column("CAUSE", 0, lost(|lost| lost.cause.word().to_owned()));
    }
    table.names(shown.iter().map(|one| {
        let at = match (one.timestamp_ns, one.after_ns) {
            (Some(ns), _) => quantity::seconds_from(start_ns, ns),
            (None, Some(ns)) => format!("after {}", quantity::seconds_from(start_ns, ns)),
            (None, None) => "before all events".to_owned(),
        };
        if one.possible { at } else { format!("{at} (not counted: the number is impossible)") }
    }));
    out.push('\n');
    terminal.table(&table, out);
    let more = dropped.records - shown.len() as u64;
    if more > 0 {
        let records = counted(more, "more dropped record is", "more dropped records are");
        let kept = quantity::count(MAX_DROPPED_KEPT as u64);
        out.push_str(&terminal.fold(&format!("{records} not shown: --json lists the first {kept}.")));
    }
}

fn label(name: &EventName) -> String {
    match name {
        EventName::Name(name) => visible::text(name),
        EventName::Id(id) if *id > u64::from(u32::MAX) => format!("id {id:#x}"),
        EventName::Id(id) => format!("id {id}"),
    }
}

/// Appends the table of events: the `top` events with the most records, or all events.
pub fn event_table(
    events: &[&EventCount],
    other_ids: Count,
    span: Option<Span>,
    top: Option<usize>,
    terminal: &Terminal,
    out: &mut String,
) {
    let top = top.filter(|&top| top > 0).unwrap_or(usize::MAX);
    let shown = &events[..events.len().min(top)];
    let mut rows: Vec<(String, Count)> =
        shown.iter().map(|event| (label(&event.name), event.count)).collect();
    let mut hidden = Count::default();
    events[shown.len()..].iter().for_each(|event| hidden += event.count);
    if hidden.records > 0 {
        rows.push((format!("({} more)", quantity::count((events.len() - shown.len()) as u64)), hidden));
    }
    if other_ids.records > 0 {
        rows.push(("(other ids)".to_owned(), other_ids));
    }
    let mut all = Count::default();
    rows.iter().for_each(|(_, count)| all += *count);
    if rows.is_empty() {
        return;
    }
    if rows.len() > 1 {
        rows.push(("(all)".to_owned(), all));
    }
    let duration_s = span.map_or(0.0, |span| span.duration_ns() as f64 / 1e9);
    let per_s = |records: u64| match duration_s {
        0.0 => "-".to_owned(),
        _ => quantity::per_second(records as f64 / duration_s),
    };
    let mut table = Table::new("EVENT");
    let counts = || rows.iter().map(|(_, count)| *count);
    table.column("COUNT", 0, counts().map(|count| quantity::count(count.records)));
    table.column(
        "%",
        0,
        counts().map(|count| format!("{:.1}", count.records as f64 * 100.0 / all.records as f64)),
    );
    table.column("PER S", 2, counts().map(|count| per_s(count.records)));
    table.column("BYTES", 1, counts().map(|count| quantity::bytes(count.bytes)));
    table.column("EACH", 3, counts().map(|count| quantity::bytes(count.bytes / count.records.max(1))));
    table.names(rows.iter().map(|(name, _)| name.clone()));
    out.push('\n');
    terminal.table(&table, out);
}
