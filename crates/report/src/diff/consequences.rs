//! Changes that follow from other changes.
//!
//! If a read takes longer, so does the get that waits for it. If a program runs at full load,
//! everything waits a little longer when one operation gets slower. Such changes are real, but they
//! are not the cause that a user looks for.

use super::difference::{Change, Finding, LevelDifference, PairDifference, Settings, Subject};
use super::recording::Spans;

/// A change follows from another one if less than this fraction of it remains after the other's
/// spans are subtracted.
const REMAINS: f64 = 0.5;

/// Removes from `findings` those that follow from another finding. Returns each of them with the
/// subject of its cause.
pub(super) fn take_consequences(
    findings: &mut Vec<Finding>,
    pairs: &[PairDifference],
    spans: &[[&Spans; 2]],
    pace: f64,
    settings: Settings,
) -> Vec<(Finding, Subject)> {
    let causes = inner_causes(findings, pairs, spans, settings);
    findings.extend(causes);
    let mut follows: Vec<(usize, usize)> = within_others(findings, pairs, spans, settings.level);
    // The largest change is never a consequence: it cannot follow from smaller ones.
    let own = |follows: &[(usize, usize)], index: usize| follows.iter().all(|(from, _)| *from != index);
    let size = |index: usize| findings[index].factor.map_or(0.0, |factor| factor.ln().abs());
    let is_latency = |index: usize| matches!(findings[index].subject, Subject::Pair(_));
    let roots = || (0..findings.len()).filter(|&index| is_latency(index));
    let largest = roots().filter(|&index| own(&follows, index)).max_by(|&a, &b| size(a).total_cmp(&size(b)));
    if let Some(largest) = largest {
        let as_pace = |index: usize| {
            let slowed = if findings[index].change == Change::Slower { 1.0 / pace } else { pace };
            slowed > 1.0 && size(index) <= slowed.ln() + (1.0 + settings.threshold).ln()
        };
        let with_pace: Vec<usize> =
            roots().filter(|&index| index != largest && own(&follows, index) && as_pace(index)).collect();
        follows.extend(with_pace.into_iter().map(|index| (index, largest)));
    }
    let consequences =
        follows.iter().map(|&(from, root)| (findings[from].clone(), findings[root].subject)).collect();
    let mut index = 0;
    findings.retain(|_| {
        index += 1;
        own(&follows, index - 1)
    });
    consequences
}

/// Returns causes that are not significant themselves, but explain the change of an enclosing pair.
/// For example, if a get is slower, and the read within it accounts for all of the difference, then
/// the read is slower, even if other reads vary too much to show it.
fn inner_causes(
    findings: &[Finding],
    pairs: &[PairDifference],
    spans: &[[&Spans; 2]],
    settings: Settings,
) -> Vec<Finding> {
    let mut causes: Vec<Finding> = Vec::new();
    for finding in findings {
        let Subject::Pair(pair) = finding.subject else { continue };
        let Some(inner) = inner(pair, spans) else { continue };
        let is_known = findings.iter().chain(&causes).any(|other| other.subject == Subject::Pair(inner));
        if is_known || remains(&pairs[pair], spans[pair], settings.level) >= REMAINS {
            continue;
        }
        let like = |of: &&LevelDifference| of.is_moved() && of.change() == finding.change;
        if let Some(level) = pairs[inner].levels.iter().find(like) {
            causes.push(Finding {
                subject: Subject::Pair(inner),
                factor: Some(level.factor()),
                ..finding.clone()
            });
        }
    }
    causes
}

/// For each pair whose change comes from spans nested in its own, returns the indices of the pair's
/// finding and of the cause's finding.
fn within_others(
    findings: &[Finding],
    pairs: &[PairDifference],
    spans: &[[&Spans; 2]],
    level: f64,
) -> Vec<(usize, usize)> {
    let place = |pair: usize| findings.iter().position(|finding| finding.subject == Subject::Pair(pair));
    let mut edges: Vec<(f64, usize, usize)> = Vec::new();
    for (index, finding) in findings.iter().enumerate() {
        let Subject::Pair(pair) = finding.subject else { continue };
        let Some(cause) = inner(pair, spans).and_then(place) else { continue };
        let remains = remains(&pairs[pair], spans[pair], level);
        if remains < REMAINS && findings[cause].change == finding.change {
            edges.push((remains, index, cause));
        }
    }
    edges.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut follows: Vec<(usize, usize)> = Vec::new();
    for (_, index, cause) in edges {
        // Avoid cycles: a change that would explain itself is a cause.
        let mut end = cause;
        while let Some((_, next)) = follows.iter().find(|(from, _)| *from == end) {
            end = *next;
        }
        if end != index {
            follows.push((index, cause));
        }
    }
    follows
}

/// Returns the pair that takes most of the time within the spans of `pair`.
fn inner(pair: usize, spans: &[[&Spans; 2]]) -> Option<usize> {
    let inner_ns = |inner: &usize| -> f64 {
        // The recordings may have other pairs, or in another order.
        let of = |(outer, inner): (&&Spans, &&Spans)| outer.own.inner_ns.get(inner.index).copied();
        spans[pair].iter().zip(&spans[*inner]).filter_map(of).sum()
    };
    let most = (0..spans.len()).max_by(|a, b| inner_ns(a).total_cmp(&inner_ns(b)));
    most.filter(|most| inner_ns(most) > 0.0)
}

/// Returns the fraction of a pair's change that remains without inner spans. This is the largest of
/// the fractions of the measures that changed, or 1 if none changed.
fn remains(pair: &PairDifference, spans: [&Spans; 2], level: f64) -> f64 {
    let moved = pair.levels.iter().filter(|of| of.p <= level && of.is_moved());
    let part = moved.map(|of| {
        let own = spans.map(|spans| of.what.of(&spans.own.latencies).unwrap_or(0));
        own[0].abs_diff(own[1]) as f64 / of.latency_ns[0].abs_diff(of.latency_ns[1]).max(1) as f64
    });
    part.reduce(f64::max).unwrap_or(1.0)
}
