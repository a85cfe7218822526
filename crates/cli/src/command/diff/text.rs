//! For people: first what was found, then what was compared.

use ringtrace_export::diff::{Difference, EventDifference, Of, PairDifference, Settings};

use super::Read;
use crate::quantity::{self, Units, counted};
use crate::reading::{told_of_dropped, told_of_pauses};
use crate::table::Table;
use crate::terminal::Terminal;

/// A line of the table.
struct Row {
    before: String,
    after: String,
    change: String,
    p: String,
    what: String,
}

pub fn render(difference: &Difference, sides: &[Read; 2], all: bool, terminal: &Terminal) -> String {
    let units = Units::new(terminal.unicode);
    let mut out = headline(difference, terminal);
    let rows: Vec<Row> = difference
        .findings
        .iter()
        .flat_map(|finding| match finding.of {
            Of::Event(index) => vec![event_row(&difference.events[index])],
            Of::Pair(index) => pair_rows(&difference.pairs[index], Some(difference.settings), units),
        })
        .collect();
    table(&rows, terminal, &mut out);
    if all {
        let pairs = difference.pairs.iter().flat_map(|pair| pair_rows(pair, None, units));
        let rows: Vec<Row> = pairs.chain(difference.events.iter().map(event_row)).collect();
        out.push_str(&format!("\n{}\n", terminal.paint("1", "All that was compared:")));
        table(&rows, terminal, &mut out);
    }
    out.push('\n');
    for (name, side) in ["A", "B"].into_iter().zip(sides) {
        out.push_str(&terminal.fold(&about(name, side, units)));
    }
    out.push_str(&terminal.fold(&question(difference)));
    out
}

fn headline(difference: &Difference, terminal: &Terminal) -> String {
    match difference.findings.as_slice() {
        [] => terminal.paint("1;32", "Nothing changed.") + "\n",
        findings => {
            let told = counted(findings.len() as u64, "change.", "changes.");
            terminal.paint("1;31", &told) + "\n"
        }
    }
}

fn event_row(event: &EventDifference) -> Row {
    let rate = |rate: Option<f64>| rate.map_or("-".to_owned(), |rate| format!("{}/s", quantity::rate(rate)));
    let change = match (event.counts, event.per_s) {
        ([0, _], _) => "new".to_owned(),
        ([_, 0], _) => "gone".to_owned(),
        (_, [Some(a), Some(b)]) if a > 0.0 => times(b / a),
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

/// The levels of a pair: with `settings` those that changed.
fn pair_rows(pair: &PairDifference, settings: Option<Settings>, units: Units) -> Vec<Row> {
    let levels = pair.levels.iter().filter(|level| {
        settings.is_none_or(|settings| level.p <= settings.level && level.is_moved())
    });
    let row = |level: &ringtrace_export::diff::LevelDifference| Row {
        before: units.duration(level.latency_ns[0]),
        after: units.duration(level.latency_ns[1]),
        change: times(level.factor()),
        p: probability(Some(level.p)),
        what: format!("P{} of {}", level.hundredths / 100, pair.name),
    };
    levels.map(row).collect()
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
    table.render(terminal, out);
}

/// `+20%`, `-5%`, `12 x`: a factor as people say it.
fn times(factor: f64) -> String {
    match factor {
        _ if factor >= 9.995 => format!("{} x", quantity::rate(factor)),
        _ if factor >= 0.995 => format!("+{:.0}%", (factor - 1.0) * 100.0),
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

fn about(name: &str, side: &Read, units: Units) -> String {
    let recording = &side.recording;
    let events = counted(recording.events(), "event", "events");
    let mut told =
        format!("{name}: {}, {events} in {}", side.path.display(), units.duration(recording.span_ns()));
    let dropped = recording.dropped();
    if dropped.records > 0 {
        let lost = told_of_dropped(dropped);
        told.push_str(&format!("; {lost}: what happened then is left out of rates, spans then are left out"));
    }
    if let Some(pauses) = told_of_pauses(recording.pauses(), units) {
        told.push_str(&format!("; recording was off {pauses}"));
    }
    told + "."
}

fn question(difference: &Difference) -> String {
    let Settings { level, threshold } = difference.settings;
    let events = counted(difference.events.len() as u64, "event", "events");
    let pairs = counted(difference.pairs.len() as u64, "pair", "pairs");
    format!(
        "Compared: rates of {events}, latencies of {pairs}. Told is what changed by more than {:.3}%, and would come by chance, in any of \
         these, in less than {:.3}% of equal recordings.",
        threshold * 100.0,
        level * 100.0
    )
    .replace(".000%", "%")
}
