//! The HTML page of a comparison: the changes, then the distribution of each pair's latencies in
//! both recordings.

use ringtrace_tracefile::statistics::Sketch;

use super::difference::{
    Change, Difference, EventDifference, Finding, LevelDifference, Measure, PairDifference, Subject,
};
use crate::html;
use ringtrace_display::quantity::{self, Units};

/// Number of columns in a distribution, and their height and width in pixels. The columns have
/// equal widths on a logarithmic scale.
const COLUMNS: usize = 96;
const HEIGHT: f64 = 140.0;
const COLUMN_WIDTH: f64 = 8.0;
const MAX_CHARACTERS: usize = 200;

/// Renders the page. `names` are the traces' names; `notes` describe the comparison.
pub fn render_page(difference: &Difference, names: [&str; 2], notes: &[String]) -> String {
    let units = Units::new(true);
    let headline = difference.headlines().join(". ");
    let [a, b] = names.map(|name| html::short_text(name, MAX_CHARACTERS));
    let mut body = format!(
        "<header>\n<h1>{headline}</h1>\n<p class=subtitle>From {} {a} to {} {b}</p>\n</header>\n<main>\n",
        mark(0),
        mark(1)
    );
    if !difference.findings.is_empty() {
        let rows: String =
            difference.findings.iter().map(|finding| finding_rows(finding, difference, units)).collect();
        body.push_str(&section(
            "changes",
            "Changes",
            &(table("Event or latency", &rows) + &consequences(difference)),
        ));
    }
    let pairs: String = difference.pairs.iter().map(|pair| of_pair(pair, units)).collect();
    if !pairs.is_empty() {
        body.push_str(&section("latency", "Latency", &pairs));
    }
    if difference.compares_rates() {
        let rows: String = difference.events.iter().map(event_row).collect();
        body.push_str(&section("events", "Events", &table("Event", &rows)));
    }
    let notes = notes.iter().map(|note| format!("<p>{}</p>\n", html::text(note)));
    body.push_str(&section("compared", "Compared recordings", &notes.collect::<String>()));
    body.push_str(&format!("</main>\n<footer>Made by ringtrace {}.</footer>\n", env!("CARGO_PKG_VERSION")));
    html::page(&format!("{headline} \u{2013} trace comparison"), &body, "null", "")
}

fn mark(side: usize) -> String {
    format!("<b style=\"color: var(--s{})\">{}</b>", [0, 2][side], ["A", "B"][side])
}

fn section(id: &str, title: &str, text: &str) -> String {
    format!(
        "<section id={id} aria-labelledby={id}-title>\n<h2 id={id}-title>{title}</h2>\n{text}</section>\n"
    )
}

fn table(what: &str, rows: &str) -> String {
    format!(
        "<div class=scroll><table class=comparison>\n<thead><tr><th>{what}<th class=n>A<th class=n>B<th class=n>Change<th class=n>Chance</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

fn row(what: &str, values: [String; 2], factor: Option<f64>, p: Option<f64>) -> String {
    let [a, b] = values;
    let change = factor.map_or("\u{2013}".to_owned(), times);
    let chance = p.map_or("too few".to_owned(), chance);
    format!("<tr><th scope=row>{what}<td>{a}<td>{b}<td>{change}<td>{chance}</tr>\n")
}

fn finding_rows(finding: &Finding, difference: &Difference, units: Units) -> String {
    match finding.subject {
        Subject::Event(index) => event_row(&difference.events[index]),
        Subject::Pair(index) => {
            let pair = &difference.pairs[index];
            let moved = || pair.levels.iter().filter(|level| level.is_moved());
            let sure: String = moved()
                .filter(|level| level.p <= difference.settings.level)
                .map(|level| level_row(&pair.name, level, level.p, units))
                .collect();
            if sure.is_empty() {
                moved().take(1).map(|level| level_row(&pair.name, level, finding.p, units)).collect()
            } else {
                sure
            }
        }
    }
}

fn level_row(name: &str, level: &LevelDifference, p: f64, units: Units) -> String {
    let what = match level.what {
        Measure::Mean => "capped mean".to_owned(),
        Measure::Percentile(hundredths) => format!("p{}", hundredths / 100),
    };
    let name = html::short_text(name, MAX_CHARACTERS);
    let values = level.latency_ns.map(|ns| units.duration(ns));
    row(&format!("{what} of {name}"), values, Some(level.factor()), Some(p))
}

fn event_row(event: &EventDifference) -> String {
    let values =
        event.per_s.map(|per_s| per_s.map_or("\u{2013}".to_owned(), |rate| quantity::rate(rate) + "/s"));
    let factor = event.change().and_then(|(_, factor)| factor);
    row(&html::short_text(&event.name, MAX_CHARACTERS), values, factor, event.p)
}

fn consequences(difference: &Difference) -> String {
    let name = |subject: Subject| match subject {
        Subject::Event(index) => html::short_text(&difference.events[index].name, MAX_CHARACTERS),
        Subject::Pair(index) => html::short_text(&difference.pairs[index].name, MAX_CHARACTERS),
    };
    let sentences = difference.consequences.iter().map(|(finding, of)| {
        let how = if finding.change == Change::Faster { "faster" } else { "slower" };
        let factor = finding.factor.map(times).unwrap_or_default();
        format!("<p>{} is {how} ({factor}) because of {}.</p>\n", name(finding.subject), name(*of))
    });
    sentences.collect()
}

fn of_pair(pair: &PairDifference, units: Units) -> String {
    let rows: String = pair.levels.iter().map(|level| level_row("", level, level.p, units)).collect();
    let rows =
        rows.replace(" of <td>", "<td>").replace("<th scope=row>", "<th scope=row style=\"min-width: 0\">");
    let counts = pair.latencies.each_ref().map(|latencies| quantity::count(latencies.count()));
    format!(
        "<h3>{}</h3>\n<p class=hint>Share of spans by latency: {} {} spans, {} {} spans</p>\n{}{}",
        html::short_text(&pair.name, MAX_CHARACTERS),
        mark(0),
        counts[0],
        mark(1),
        counts[1],
        distribution(&pair.latencies, units),
        table("", &rows)
    )
}

/// Draws both distributions, one over the other, on a logarithmic scale.
fn distribution(latencies: &[Sketch; 2], units: Units) -> String {
    let ends = |of: fn(&Sketch) -> Option<u64>| latencies.iter().filter_map(of);
    let (Some(least), Some(most)) = (ends(Sketch::min).min(), ends(Sketch::max).max()) else {
        return String::new();
    };
    let (low, high) = ((least.max(1) as f64).ln(), (most.max(2) as f64).ln() + 1e-9);
    let shares = latencies.each_ref().map(|latencies| {
        let mut columns = vec![0.0; COLUMNS];
        for (values, count) in latencies.buckets() {
            let middle = (*values.start() as f64 + *values.end() as f64) / 2.0;
            let place = (middle.max(1.0).ln() - low) / (high - low).max(1e-9) * COLUMNS as f64;
            columns[(place.max(0.0) as usize).min(COLUMNS - 1)] += count as f64 / latencies.count() as f64;
        }
        columns
    });
    let largest = shares.iter().flatten().copied().fold(1e-9, f64::max);
    let width = COLUMNS as f64 * COLUMN_WIDTH;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} {HEIGHT}\" preserveAspectRatio=none style=\"width: 100%; height: {HEIGHT}px\" role=img aria-label=\"Distribution of latencies in A and in B\">\n"
    );
    for (side, columns) in shares.iter().enumerate() {
        let mut path = format!("M0 {HEIGHT}");
        for (column, share) in columns.iter().enumerate() {
            path.push_str(&format!(
                "H{}V{:.1}",
                column as f64 * COLUMN_WIDTH,
                HEIGHT - HEIGHT * share / largest
            ));
        }
        path.push_str(&format!("H{width}V{HEIGHT}Z"));
        let colour = [0, 2][side];
        svg.push_str(&format!(
            "<path d=\"{path}\" style=\"fill: var(--s{colour}); fill-opacity: 0.25; stroke: var(--s{colour}); stroke-width: 1.5; vector-effect: non-scaling-stroke\"/>\n"
        ));
    }
    // The labels are outside the drawing, because it is stretched to the width of the page.
    let middle_ns = ((low + high) / 2.0).exp() as u64;
    let [least, middle, most] = [least, middle_ns, most].map(|ns| units.duration(ns));
    svg + &format!(
        "</svg>\n<div class=hint style=\"display: flex; justify-content: space-between\"><span>{least}</span><span>{middle}</span><span>{most}</span></div>\n"
    )
}

/// Formats a factor: `+20%`, `−5%`, `12 ×`.
fn times(factor: f64) -> String {
    match factor {
        _ if factor >= 9.995 => format!("{} \u{d7}", quantity::rate(factor)),
        _ if factor >= 0.995 => format!("+{:.0}%", (factor - 1.0) * 100.0),
        _ => format!("\u{2212}{:.0}%", (1.0 - factor) * 100.0),
    }
}

fn chance(p: f64) -> String {
    match p {
        _ if p < 0.0001 => "&lt;0.01%".to_owned(),
        _ if p < 0.1 => format!("{:.2}%", p * 100.0),
        _ => format!("{:.0}%", p * 100.0),
    }
}
