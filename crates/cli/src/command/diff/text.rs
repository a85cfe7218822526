//! Text output: first the findings, then a description of the comparison.

use ringtrace_report::diff::{
    Change, Difference, EventDifference, Finding, LevelDifference, Measure, PairDifference, Settings, Subject,
};

use super::Side;
use crate::quantity::{self, Units, counted};
use crate::terminal::Terminal;
use ringtrace_display::Table;
use ringtrace_report::wording::{describe_dropped, describe_pauses, visible_text};

struct Row {
    before: String,
    after: String,
    change: String,
    p: String,
    what: String,
}

pub fn render(difference: &Difference, sides: &[Side; 2], all: bool, terminal: &Terminal) -> String {
    let units = Units::new(terminal.unicode);
    let mut out = headline(difference, terminal);
    let rows: Vec<Row> = difference
        .findings
        .iter()
        .flat_map(|finding| match finding.subject {
            Subject::Event(index) => vec![event_row(&difference.events[index])],
            Subject::Pair(index) => {
                changed_rows(&difference.pairs[index], finding, difference.settings, units)
            }
        })
        .collect();
    table(&rows, terminal, &mut out);
    if !difference.consequences.is_empty() {
        out.push('\n');
    }
    for (finding, of) in &difference.consequences {
        let sentence = format!("With {}, {}.", name(*of, difference), changed(finding, difference));
        out.push_str(&terminal.fold(&sentence));
    }
    if all {
        let rows = |pair| move |level| level_row(pair, level, units);
        let pairs = difference.pairs.iter().flat_map(|pair| pair.levels.iter().map(rows(pair)));
        let events = difference.events.iter().filter(|_| difference.compares_rates());
        let rows: Vec<Row> = pairs.chain(events.map(event_row)).collect();
        out.push_str(&format!("\n{}\n", terminal.paint("1", "All comparisons:")));
        table(&rows, terminal, &mut out);
    }
    out.push('\n');
    for note in notes(difference, sides, units) {
        out.push_str(&terminal.fold(&note));
    }
    out
}

/// Returns sentences with details about the recordings and the comparison.
pub fn notes(difference: &Difference, sides: &[Side; 2], units: Units) -> Vec<String> {
    let names = ["A", "B"].into_iter().zip(sides);
    let mut notes: Vec<String> = names.map(|(name, side)| about(name, side, difference, units)).collect();
    notes.extend(circumstances(difference, sides, units));
    notes.push(comparison(difference));
    if difference.pairs.is_empty() {
        let pair = suggested_pair(difference).unwrap_or_else(|| "BEGIN:END".to_owned());
        notes.push(format!("To compare latencies, specify a pair of events: --pair {pair}."));
    }
    notes
}

fn headline(difference: &Difference, terminal: &Terminal) -> String {
    let colour = match difference.comparisons {
        _ if difference.is_changed() => "1;31",
        0 => "1;33",
        _ => "1;32",
    };
    difference.headlines().iter().map(|line| terminal.paint(colour, &format!("{line}.")) + "\n").collect()
}

fn name(of: Subject, difference: &Difference) -> &str {
    match of {
        Subject::Event(index) => &difference.events[index].name,
        Subject::Pair(index) => &difference.pairs[index].name,
    }
}

/// Returns a clause such as `blk_submit:blk_complete:req is slower by 20%`.
fn changed(finding: &Finding, difference: &Difference) -> String {
    let how = match finding.change {
        Change::Appeared => "appeared",
        Change::Vanished => "vanished",
        Change::MoreOften => "occurs more often",
        Change::LessOften => "occurs less often",
        Change::Slower => "is slower",
        Change::Faster => "is faster",
    };
    let factor = finding.factor.map(|factor| format!(", {}", times(factor))).unwrap_or_default();
    format!("{} {how}{factor}", name(finding.subject, difference))
}

fn event_row(event: &EventDifference) -> Row {
    let rate = |rate: Option<f64>| rate.map_or("-".to_owned(), |rate| format!("{}/s", quantity::rate(rate)));
    let change = match event.change() {
        Some((Change::Appeared, _)) => "new".to_owned(),
        Some((Change::Vanished, _)) => "gone".to_owned(),
        Some((_, Some(factor))) => times(factor),
        _ => "-".to_owned(),
    };
    Row {
        before: rate(event.per_s[0]),
        after: rate(event.per_s[1]),
        change,
        p: probability(event.p),
        what: event.name.clone(),
    }
}

/// Returns the changed percentiles of a pair. If none is significant by itself, the row shows the
/// probability of the whole finding, to which other pairs also contributed.
fn changed_rows(pair: &PairDifference, finding: &Finding, settings: Settings, units: Units) -> Vec<Row> {
    let moved = || pair.levels.iter().filter(|level| level.is_moved());
    let sure: Vec<Row> = moved()
        .filter(|level| level.p <= settings.level)
        .map(|level| level_row(pair, level, units))
        .collect();
    if !sure.is_empty() {
        return sure;
    }
    let as_sure = |level| Row { p: probability(Some(finding.p)), ..level_row(pair, level, units) };
    moved().take(1).map(as_sure).collect()
}

fn level_row(pair: &PairDifference, level: &LevelDifference, units: Units) -> Row {
    Row {
        before: units.duration(level.latency_ns[0]),
        after: units.duration(level.latency_ns[1]),
        change: times(level.factor()),
        p: probability(Some(level.p)),
        what: match level.what {
            Measure::Mean => format!("capped mean of {}", pair.name),
            Measure::Percentile(hundredths) => format!("p{} of {}", hundredths / 100, pair.name),
        },
    }
}

fn table(rows: &[Row], terminal: &Terminal, out: &mut String) {
    if rows.is_empty() {
        return;
    }
    out.push('\n');
    let mut table = Table::new("WHAT");
    let column = |of: fn(&Row) -> &String| rows.iter().map(of).cloned();
    table.column("A", 0, column(|row| &row.before));
    table.column("B", 0, column(|row| &row.after));
    table.column("CHANGE", 0, column(|row| &row.change));
    table.column("CHANCE", 1, column(|row| &row.p));
    table.names(column(|row| &row.what));
    terminal.table(&table, out);
}

/// Formats a factor as `+20%`, `-5%` or `12 x`.
fn times(factor: f64) -> String {
    match factor {
        _ if factor >= 9.995 => format!("{} x", quantity::rate(factor)),
        _ if factor >= 0.995 => format!("+{:.0}%", (factor - 1.0).max(0.0) * 100.0),
        _ => format!("-{:.0}%", (1.0 - factor) * 100.0),
    }
}

fn probability(p: Option<f64>) -> String {
    match p {
        None => "too few".to_owned(),
        Some(p) if p < 0.0001 => "<0.01%".to_owned(),
        Some(p) if p < 0.1 => format!("{:.2}%", p * 100.0),
        Some(p) => format!("{:.0}%", p * 100.0),
    }
}

fn about(name: &str, side: &Side, difference: &Difference, units: Units) -> String {
    let recording = &side.recording;
    let events = counted(recording.events(), "event", "events");
    let path = visible_text(side.name.as_bytes());
    let mut text = format!("{name}: {path}, {events} in {}", units.duration(recording.span_ns()));
    let dropped = recording.dropped();
    if dropped.records > 0 {
        let lost = describe_dropped(dropped);
        let rates = if difference.compares_rates() { "rates cover the rest of the time, and " } else { "" };
        text.push_str(&format!("; {lost}: {rates}spans in that time are left out"));
    }
    if let Some(pauses) = describe_pauses(&recording.pauses(), units) {
        text.push_str(&format!("; recording was off {pauses}: that time is left out"));
    }
    text + "."
}

/// Returns sentences about conditions that affect all events alike. These are not reported as
/// changes to individual events.
fn circumstances(difference: &Difference, sides: &[Side; 2], units: Units) -> Vec<String> {
    let mut sentences = Vec::new();
    for (name, lossy) in ["A", "B"].iter().zip(difference.lossy) {
        if !difference.compares_rates() && lossy > 0.0 {
            sentences.push(format!(
                "Rates are not compared: in {name}, events were lost during {:.0}% of the time.",
                lossy * 100.0
            ));
        }
    }
    let threshold = difference.settings.threshold;
    let matters = |factor: f64| factor > 1.0 + threshold || factor < 1.0 / (1.0 + threshold);
    let factored_out = if difference.settings.absolute {
        "This difference is not factored out."
    } else {
        "Changes that follow from this are not reported; --absolute reports them."
    };
    if matters(difference.machine) {
        let factor = quantity::rate(difference.machine);
        sentences.push(format!(
            "Short steps (intervals between events in a thread) took {factor} times as long in B as in A: the machine was more \
             or less busy, or the builds differ. {factored_out}"
        ));
    }
    if difference.overall_pace.is_none() && matters(difference.pace) {
        sentences.push(format!(
            "Overall, events occurred {} times as often in B as in A. {factored_out}",
            quantity::rate(difference.pace)
        ));
    } else if difference.overall_pace.is_some() && !difference.settings.absolute {
        sentences.push(
            "Each event's rate is compared with the overall rate; --absolute compares rates as they are."
                .to_owned(),
        );
    }
    let spans_ns = sides.each_ref().map(|side| side.recording.span_ns());
    let lengths_differ = spans_ns[0].max(spans_ns[1]) as f64 > spans_ns[0].min(spans_ns[1]) as f64 * 1.1;
    if lengths_differ && difference.settings.whole {
        sentences.push("Both recordings were compared in full.".to_owned());
    } else if lengths_differ {
        let span = units.duration(difference.span_ns);
        sentences
            .push(format!("The first {span} of each recording were compared; --whole compares everything."));
    }
    sentences
}

/// Returns a sentence about the scope of the comparison.
fn comparison(difference: &Difference) -> String {
    let Settings { level, threshold, .. } = difference.settings;
    let compared = |event: &&EventDifference| event.p.is_some();
    let events = (difference.events.iter().filter(compared).count(), difference.events.len());
    let measured = |pair: &&PairDifference| !pair.levels.is_empty();
    let pairs = (difference.pairs.iter().filter(measured).count(), difference.pairs.len());
    let rates = match events {
        _ if !difference.compares_rates() => "no rates".to_owned(),
        events => format!("rates of {}", of_all(events, "event", "events")),
    };
    let latencies = match pairs {
        (_, 0) => "no latencies".to_owned(),
        pairs => format!("latencies of {}", of_all(pairs, "pair", "pairs")),
    };
    let is_rest = pairs.0 < pairs.1 || (difference.compares_rates() && events.0 < events.1);
    let rest = if is_rest { "; the others have too few samples" } else { "" };
    format!(
        "Compared: {rates}, {latencies}{rest}. Listed: changes over {} that are significant at the {} \
         level.",
        percent(threshold),
        percent(level)
    )
}

/// Suffixes of event names, in pairs: one for an event that begins something, and one for the event
/// that ends it.
const PAIRED_ENDS: [(&str, &str); 12] = [
    ("begin", "end"),
    ("start", "end"),
    ("start", "done"),
    ("start", "finish"),
    ("start", "stop"),
    ("submit", "complete"),
    ("submit", "done"),
    ("enter", "exit"),
    ("enter", "leave"),
    ("request", "reply"),
    ("acquire", "release"),
    ("lock", "unlock"),
];

/// Among the pairs whose names suggest that they begin and end something, returns the pair with the
/// most events.
fn suggested_pair(difference: &Difference) -> Option<String> {
    let events = &difference.events;
    let pairs = events.iter().flat_map(|begin| {
        PAIRED_ENDS.iter().filter_map(move |(begins, ends)| {
            let end = format!("{}{ends}", begin.name.strip_suffix(begins)?);
            let is_known = events.iter().any(|event| event.name == end);
            is_known.then(|| (begin.per_s[1].or(begin.per_s[0]).unwrap_or(0.0), begin.name.as_str(), end))
        })
    });
    let (_, begin, end) = pairs.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!("{begin}:{end}"))
}

/// Returns text such as `3 events` or `2 of 3 events`.
fn of_all((some, all): (usize, usize), one: &str, more: &str) -> String {
    let total = counted(all as u64, one, more);
    if some == all { total } else { format!("{} of {total}", quantity::count(some as u64)) }
}

/// Formats a fraction as `5%` or `0.1%`.
fn percent(part: f64) -> String {
    format!("{}%", (part * 1e5).round() / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_percentages() {
        let text = [0.5, 0.994, 0.996, 1.0, 1.004, 1.2, 12.0].map(times);
        assert_eq!(text, ["-50%", "-1%", "+0%", "+0%", "+0%", "+20%", "12.0 x"]);
    }
}
