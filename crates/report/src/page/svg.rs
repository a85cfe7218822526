//! Small charts.

use std::fmt::Write;

/// Sums neighbouring `values` so that at most `columns` sums remain.
pub fn fold<T: Copy + Into<u64>>(values: &[T], columns: usize) -> Vec<u64> {
    let each = values.len().div_ceil(columns.max(1)).max(1);
    let sum = |chunk: &[T]| chunk.iter().fold(0_u64, |sum, &value| sum.saturating_add(value.into()));
    values.chunks(each).map(sum).collect()
}

/// Returns the outline of `values` from left to right. `x` returns the left edge of a column.
fn outline(values: &[u64], width: u64, height: u32, x: impl Fn(u64) -> u64) -> String {
    let largest = values.iter().copied().max().unwrap_or(0).max(1);
    let mut path = format!("M0 {height}");
    let mut level = height;
    for (column, &value) in (0..).zip(values) {
        // Round up, so that even one event is visible.
        let bar = (u128::from(value) * u128::from(height)).div_ceil(u128::from(largest)) as u32;
        let y = height - bar.min(height);
        if y != level {
            let _ = write!(path, "H{}V{y}", x(column));
            level = y;
        }
    }
    let _ = write!(path, "H{width}V{height}");
    path
}

/// Renders a count over time as an outline of `width` by `height` pixels.
pub fn sparkline(values: &[u64], width: u32, height: u32) -> String {
    let columns = values.len() as u64;
    let path = outline(values, width.into(), height, |column| column * u64::from(width) / columns);
    format!(
        "<svg class=spark width={width} height={height} viewBox=\"0 0 {width} {height}\" aria-hidden=true><path d=\"{path}\"/></svg>"
    )
}

/// Renders a count over time as an area that is stretched to the available width. `bands` are the
/// parts of the background that are tinted, as fractions of the width.
pub fn area(values: &[u64], height: u32, bands: &[(f64, f64)]) -> String {
    let columns = values.len().max(1);
    let path = outline(values, columns as u64, height, |column| column);
    let mut tinted = String::new();
    for (from, to) in bands {
        let (x, width) = (from * columns as f64, (to - from) * columns as f64);
        let _ = write!(tinted, "<rect class=pause x={x:.2} y=0 width={width:.2} height={height} />");
    }
    format!(
        "<svg class=area viewBox=\"0 0 {columns} {height}\" height={height} preserveAspectRatio=none \
         aria-hidden=true>{tinted}<path d=\"{path}\"/></svg>"
    )
}
