//! The header of the page, and the section about the recording.

use std::path::Path;

use ringtrace_tracefile::metadata;

use super::context::Context;
use crate::html::{short_text, text};
use crate::wording::{command_line, describe_causes, describe_dropped, describe_pauses, visible_text};
use ringtrace_display::quantity::{self, bytes, counted};

const MAX_CHARACTERS: usize = 2000;

pub(super) fn title(page: &Context<'_>) -> String {
    format!("{} \u{2013} trace report", program(page))
}

fn program(page: &Context<'_>) -> String {
    let file_name = |path: &str| Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned());
    if let Some(command) = page.metadata(metadata::COMMAND) {
        let word = command.split(|&byte| byte == 0).next().unwrap_or_default();
        let word = String::from_utf8_lossy(word);
        if let Some(name) = file_name(&word) {
            return name;
        }
    }
    match page.info.traces.readers().as_slice() {
        [one] => file_name(one.name()).unwrap_or_else(|| one.name().to_owned()),
        several => counted(several.len() as u64, "trace", "traces"),
    }
}

pub(super) fn header(page: &Context<'_>) -> String {
    let mut out = format!("<header>\n<h1>{}</h1>\n", short_text(&program(page), 120));
    let host = page.metadata(metadata::HOST).map(|host| format!("on {}", visible_text(host)));
    let date = page.date(page.span.smallest_ns);
    let when: Vec<String> = [host, date].into_iter().flatten().collect();
    let what = match page.info.filters.len() {
        0 => "Trace report".to_owned(),
        _ => "This report covers a part of the trace".to_owned(),
    };
    let line = [what].into_iter().chain(when).collect::<Vec<_>>().join(" \u{b7} ");
    out.push_str(&format!("<p class=subtitle>{}</p>\n", short_text(&line, 300)));
    out.push_str(&figures(page));
    for problem in &page.info.problems {
        let problem = short_text(problem, MAX_CHARACTERS);
        out.push_str(&format!(
            "<p class=\"note bad\"><b>A trace could not be read to its end.</b> The report covers the part before the error: {problem}</p>\n",
        ));
    }
    let dropped = page.collector.losses.dropped;
    if dropped.records > 0 {
        out.push_str(&format!(
            "<p class=\"note bad\"><b>Events are missing.</b> {}. Counts are lower bounds, and latencies can include \
             <a href=\"#missing\">gaps</a>.</p>\n",
            sentence(&describe_dropped(dropped))
        ));
    }
    for unfinished in &page.info.unfinished {
        let class = if unfinished.has_lost { "bad" } else { "off" };
        let text = short_text(&unfinished.text, MAX_CHARACTERS);
        out.push_str(&format!("<p class=\"note {class}\"><b>The trace has no end.</b> {text}.</p>\n"));
    }
    if let Some(when) = describe_pauses(&page.pauses, page.units) {
        out.push_str(&format!(
            "<p class=\"note off\"><b>Recording was off</b> {}. Events from that time are not in the trace.</p>\n",
            text(&when)
        ));
    }
    out.push_str("</header>\n");
    out
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    text(&(first + letters.as_str()))
}

fn figures(page: &Context<'_>) -> String {
    let collector = page.collector;
    let events = collector.event_count();
    let kinds = collector.events.len() as u64;
    let has_tids = collector.threads.iter().any(|(thread, _)| thread.tid.is_some());
    let threads =
        collector.threads.iter().filter(|(thread, _)| !has_tids || thread.tid.is_some()).count() as u64;
    let per_s = match page.span.duration_ns() {
        0 => "\u{2013}".to_owned(),
        ns => quantity::per_second(events as f64 * 1e9 / ns as f64),
    };
    let duration =
        if page.has_times() { page.duration(page.span.duration_ns()) } else { "\u{2013}".to_owned() };
    let lost = collector.losses.dropped;
    let mut figures = vec![
        (quantity::count(events), if events == 1 { "event" } else { "events" }, ""),
        (duration, "from first to last", ""),
        (per_s, "events per second", ""),
        (quantity::count(kinds), if kinds == 1 { "kind of event" } else { "kinds of events" }, ""),
    ];
    if has_tids {
        figures.push((quantity::count(threads), if threads == 1 { "thread" } else { "threads" }, ""));
    }
    let (word, _) = describe_causes(lost.causes);
    let has_lost_end = page.info.unfinished.iter().any(|unfinished| unfinished.has_lost);
    match lost.records {
        0 if has_lost_end => figures.push(("none known".to_owned(), "dropped", "bad")),
        0 => figures.push(("none".to_owned(), "dropped", "")),
        _ => figures.push((quantity::count(lost.events), word, "bad")),
    }
    let mut out = String::from("<dl class=figures>\n");
    for (value, name, class) in figures {
        let class = if class.is_empty() { String::new() } else { format!(" class={class}") };
        out.push_str(&format!("<div{class}><dt>{name}</dt><dd>{value}</dd></div>\n"));
    }
    out.push_str("</dl>\n");
    out
}

pub(super) fn render(page: &Context<'_>) -> String {
    let mut out = String::from("<dl class=facts>\n");
    let mut fact = |name: &str, value: &str| {
        out.push_str(&format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", short_text(value, MAX_CHARACTERS)));
    };
    if let Some(command) = page.metadata(metadata::COMMAND) {
        fact("Command", &command_line(command));
    }
    for (key, name) in [
        (metadata::EXECUTABLE, "Executable"),
        (metadata::BUILD_ID, "Build id"),
        (metadata::HOST, "Host"),
        (metadata::BOOT, "Boot"),
        (metadata::MACHINE, "Machine"),
        (metadata::TRACE, "Trace"),
        (metadata::POLICY, "When a ring is full"),
        (metadata::CLOCK, "Clock"),
        (metadata::CLOCK_JUMPS, "Clock jumps"),
        (metadata::LATE, "Late records"),
        (metadata::SELECTED, "Selected"),
        (metadata::SNAPSHOT, "Snapshot"),
        (metadata::RECOVERED, "Recovered"),
    ] {
        if let Some(value) = page.metadata(key) {
            fact(name, &visible_text(value));
        }
    }
    if let (Some(first), Some(last)) = (page.date(page.span.smallest_ns), page.date(page.span.largest_ns)) {
        fact("First record", &first);
        fact("Last record", &last);
    }
    for filter in &page.info.filters {
        fact("Filter", filter);
    }
    out.push_str("</dl>\n");
    out.push_str(&traces(page));
    out.push_str(&anomalies(page));
    out
}

fn anomalies(page: &Context<'_>) -> String {
    let mut out = String::new();
    for reader in page.info.traces.readers() {
        for (_, count, kept) in reader.anomalies().iter() {
            for anomaly in kept {
                out.push_str(&format!("<li>{}\n", short_text(&anomaly.to_string(), MAX_CHARACTERS)));
            }
            let more = count - kept.len() as u64;
            if more > 0 {
                out.push_str(&format!("<li>{} more of this kind\n", quantity::count(more)));
            }
        }
    }
    if out.is_empty() { out } else { format!("<h3>Anomalies</h3>\n<ul>\n{out}</ul>\n") }
}

fn traces(page: &Context<'_>) -> String {
    let mut out = String::from(
        "<div class=scroll><table>\n<thead><tr><th scope=col>Trace<th scope=col class=n>Size<th scope=col class=n>Records\
         <th scope=col>Format\n<tbody>\n",
    );
    let readers = page.info.traces.readers();
    for reader in readers {
        let size = reader.file_bytes().map_or_else(|| "\u{2013}".to_owned(), bytes);
        out.push_str(&format!(
            "<tr><th scope=row>{}<td class=n>{size}<td class=n>{}<td class=t>simpletrace {}, {}\n",
            short_text(reader.name(), 300),
            quantity::count(reader.records()),
            reader.version(),
            reader.order(),
        ));
    }
    out.push_str("</table></div>\n");
    out
}
