//! The larger charts: the distribution of latencies, and latencies over time. Shapes are stretched
//! to the available width. Labels are HTML text beside the shapes and are not stretched.

use std::fmt::Write;

use ringtrace_tracefile::statistics::Sketch;

use super::scale::{bars, position, round_latencies, round_moments};
use crate::collect::HeatMap;
use crate::collect::{TimeGrid, TimeRange};
use ringtrace_display::quantity::{self, Units};

const MAX_BARS: usize = 44;

const SHADES: u32 = 6;
const MAX_COLUMNS: usize = 128;
const MAX_ROWS: usize = 48;

/// Maximum number of labels on an axis.
const TICKS: usize = 6;

/// The percentiles that are shown, in hundredths of a percent, and their names.
pub const PERCENTILES: [(u32, &str); 4] = [(5000, "p50"), (9000, "p90"), (9900, "p99"), (9990, "p99.9")];

/// Renders the distribution of `sketch` as bars, with marks at the percentiles. Returns an empty
/// string if there are no values.
pub fn histogram(sketch: &Sketch, units: Units) -> String {
    let bars = bars(sketch, MAX_BARS);
    let (Some(first), Some(last)) = (bars.first(), bars.last()) else { return String::new() };
    let (from, to) = (position(first.from_ns), position(last.to_ns.saturating_add(1)));
    let at = |ns: u64| ((position(ns) - from) / (to - from).max(1e-9) * 100.0).clamp(0.0, 100.0);
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(1).max(1);
    let mut out = format!(
        "<figure class=\"chart histogram\">\n<figcaption>Distribution <span class=hint>highest bar: {}</span></figcaption>\n",
        quantity::counted(most, "span", "spans")
    );
    out.push_str(&percentile_labels(sketch, at));
    let width = bars.len() * 10;
    let _ = write!(
        out,
        "<div class=plot><svg viewBox=\"0 0 {width} 100\" preserveAspectRatio=none role=img aria-label=\"Distribution of latencies\">"
    );
    for (index, bar) in bars.iter().enumerate().filter(|(_, bar)| bar.count > 0) {
        // Keep even the smallest bar visible.
        let high = (bar.count as f64 * 100.0 / most as f64).max(1.5);
        let (from, to) = (units.duration(bar.from_ns), units.duration(bar.to_ns));
        let _ = write!(
            out,
            "<rect x={} y={:.1} width=9 height={high:.1}><title>{} from {from} to {to}</title></rect>",
            index * 10,
            100.0 - high,
            quantity::count(bar.count),
        );
    }
    for (hundredths, _) in PERCENTILES {
        let Some(ns) = sketch.percentile(hundredths) else { continue };
        let x = at(ns) * width as f64 / 100.0;
        let _ = write!(out, "<path class=mark d=\"M{x:.1} 0V100\"/>");
    }
    out.push_str("</svg></div>\n");
    out.push_str(&axis(
        round_latencies(first.from_ns, last.to_ns, TICKS)
            .into_iter()
            .map(|ns| (at(ns), units.round_duration(ns))),
    ));
    out.push_str("</figure>\n");
    out
}

/// Renders the names of the percentiles at their positions. Names that would overlap share a label.
fn percentile_labels(sketch: &Sketch, at: impl Fn(u64) -> f64) -> String {
    let mut labels: Vec<(f64, String)> = Vec::new();
    for (hundredths, name) in PERCENTILES {
        let Some(ns) = sketch.percentile(hundredths) else { continue };
        let place = at(ns);
        match labels.last_mut() {
            Some((before, names)) if place - *before < 9.0 + 5.0 * names.matches(' ').count() as f64 => {
                names.push(' ');
                names.push_str(name);
                *before = place;
            }
            _ => labels.push((place, name.to_owned())),
        }
    }
    let mut out = String::from("<div class=\"axis marks\">");
    for (place, names) in labels {
        out.push_str(&label(place, &names));
    }
    out.push_str("</div>\n");
    out
}

/// Renders labels at their positions in percent. A label that would overlap the previous one is
/// left out.
fn axis(labels: impl Iterator<Item = (f64, String)>) -> String {
    let mut out = String::from("<div class=axis>");
    let mut before = f64::NEG_INFINITY;
    for (place, text) in labels {
        if place - before >= 9.0 {
            out.push_str(&label(place, &text));
            before = place;
        }
    }
    out.push_str("</div>\n");
    out
}

fn label(place: f64, text: &str) -> String {
    // A label at either end of the axis has room only on one side.
    let side = match place {
        ..6.0 => " class=l",
        94.0.. => " class=r",
        _ => "",
    };
    format!("<span{side} style=\"left:{place:.1}%\">{text}</span>")
}

/// Renders latencies over time: a stronger colour means more spans. If the spans cover less than
/// half of the trace, only that part of the trace is shown. Returns an empty string if there are no
/// values.
pub fn heat_map(heat: &HeatMap, grid: &TimeGrid, span: TimeRange, units: Units) -> String {
    let rows: Vec<_> = heat.rows().collect();
    let (Some((lowest, _)), Some((highest, _))) = (rows.first(), rows.last()) else { return String::new() };
    let busy =
        |column: &usize| rows.iter().any(|(_, counts)| counts.get(*column).is_some_and(|&count| count > 0));
    let (Some(first), Some(last)) = ((0..grid.buckets()).find(busy), (0..grid.buckets()).rev().find(busy))
    else {
        return String::new();
    };
    // The grid ends at the last span, which may be long before the end of the trace.
    let used = grid.index(span.largest_ns).unwrap_or(last) + 1;
    let (first, last) = if (last - first + 1) * 2 < used {
        (first.saturating_sub(1), (last + 1).min(used - 1))
    } else {
        (0, used - 1)
    };
    // Join neighbours if there are too many columns.
    let across = (last - first + 1).div_ceil(MAX_COLUMNS);
    let columns = (last - first + 1).div_ceil(across);
    let (from, to) = (position(*lowest.start()), position(highest.end().saturating_add(1)));
    let mut each = 1;
    while (to - from) * 8.0 / f64::from(each) > MAX_ROWS as f64 {
        each *= 2;
    }
    let place = |ns: u64| (position(ns) - from) * 8.0 / f64::from(each);
    let height = place(*highest.end()) as usize + 1;
    let mut cells = vec![0_u64; columns * height];
    for (latencies, counts) in &rows {
        let row = (place(*latencies.start()) as usize).min(height - 1);
        for (column, &count) in counts[first..=last].iter().enumerate() {
            cells[row * columns + column / across] += u64::from(count);
        }
    }
    let most = cells.iter().copied().max().unwrap_or(1).max(1);
    let mut out = String::from(
        "<figure class=\"chart heat\">\n<figcaption>Over time <span class=hint>stronger colours mean more spans</span></figcaption>\n",
    );
    let mut latencies = String::new();
    for ns in round_latencies(*lowest.start(), *highest.end(), TICKS) {
        let top = (100.0 - place(ns) / height as f64 * 100.0).clamp(0.0, 100.0);
        let _ = write!(latencies, "<span style=\"top:{top:.1}%\">{}</span>", units.round_duration(ns));
    }
    let _ = write!(
        out,
        "<div class=beside><div class=levels>{latencies}</div><div class=plot><svg viewBox=\"0 0 {columns} {height}\" \
         preserveAspectRatio=none shape-rendering=crispEdges role=img aria-label=\"Latencies over time\">"
    );
    for shade in 1..=SHADES {
        let path = shade_path(&cells, columns, height, most, shade);
        if !path.is_empty() {
            let _ = write!(out, "<path class=h{shade} d=\"{path}\"/>");
        }
    }
    out.push_str("</svg></div></div>\n<div class=\"axis indented\">");
    let begin_ns = grid.begin_ns(first);
    let long_ns = grid.width_ns().saturating_mul((columns * across) as u64).max(1);
    let since_start_ns = begin_ns.saturating_sub(span.smallest_ns);
    let before_start_ns = span.smallest_ns.saturating_sub(begin_ns);
    for ns in
        round_moments(since_start_ns, since_start_ns.saturating_add(long_ns - before_start_ns), TICKS as u64)
    {
        let at_ns = ns - since_start_ns + before_start_ns;
        out.push_str(&label(at_ns as f64 * 100.0 / long_ns as f64, &axis_moment(ns, span)));
    }
    out.push_str("</div>\n</figure>\n");
    out
}

/// Formats a round moment in a unit that suits the length of the trace: `6.5 s`.
fn axis_moment(ns: u64, span: TimeRange) -> String {
    let (unit_ns, unit) = match span.duration_ns() {
        0..2_000_000 => (1e3, "\u{b5}s"),
        2_000_000..2_000_000_000 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    format!("{} {unit}", ns as f64 / unit_ns)
}

/// Returns an SVG path that covers all cells of one shade. Neighbours in a row are joined.
fn shade_path(cells: &[u64], columns: usize, height: usize, most: u64, shade: u32) -> String {
    let mut path = String::new();
    for (row, cells) in cells.chunks(columns.max(1)).enumerate() {
        let mut column = 0;
        while column < cells.len() {
            if shade_of(cells[column], most) != shade {
                column += 1;
                continue;
            }
            let run = cells[column..].iter().take_while(|&&count| shade_of(count, most) == shade).count();
            let _ = write!(path, "M{column} {}h{run}v1h-{run}z", height - 1 - row);
            column += run;
        }
    }
    path
}

/// Returns the shade of a cell, by the logarithm of its count. An empty cell has shade 0.
fn shade_of(count: u64, most: u64) -> u32 {
    if count == 0 {
        return 0;
    }
    let part = (count as f64).ln_1p() / (most as f64).ln_1p();
    ((part * f64::from(SHADES)).ceil() as u32).clamp(1, SHADES)
}
