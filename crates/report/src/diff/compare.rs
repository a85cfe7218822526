//! The comparison of two recordings.

use super::consequences::take_consequences;
use super::difference::{Difference, Finding, PairDifference, Settings, Subject};
use super::latencies;
use super::machine::Machine;
use super::rates::{self, Rates};
use super::recording::{Recording, Spans};
use super::statistics::adjust;

impl Difference {
    /// Compares two recordings. Pairs of the same name are compared with each other.
    pub fn between(a: &Recording, b: &Recording, settings: Settings) -> Difference {
        let mut comparisons = Vec::new();
        let block_counts = block_counts(a, b, settings.whole);
        let all_steps = Machine::new(a, b);
        let machine = if settings.absolute { Machine::default() } else { all_steps.clone() };
        let Rates { pace, tested_pace, overall_pace, mut events, lossy } =
            rates::compare(a, b, block_counts, settings, &mut comparisons);
        let both: Vec<[&Spans; 2]> = a
            .pairs
            .iter()
            .filter_map(|of_a| Some([of_a, b.pairs.iter().find(|of_b| of_b.name == of_a.name)?]))
            .collect();
        let mut pairs: Vec<PairDifference> = both
            .iter()
            .map(|spans| latencies::compare(*spans, block_counts, &machine, settings, &mut comparisons))
            .collect();
        // The adjusted probabilities are in the order of the comparisons.
        let mut adjusted = adjust(&comparisons).into_iter();
        let answers = events.iter_mut().filter_map(|event| event.p.as_mut());
        let levels = pairs.iter_mut().flat_map(|pair| &mut pair.levels).map(|level| &mut level.p);
        for (p, adjusted) in answers.chain(levels).zip(adjusted.by_ref()) {
            *p = adjusted;
        }
        let mut findings: Vec<Finding> = Vec::new();
        let of_events =
            events.iter().enumerate().map(|(index, event)| (Subject::Event(index), event.finding()));
        let of_pairs = pairs.iter().enumerate().map(|(index, pair)| (Subject::Pair(index), pair.finding()));
        for (subject, found) in of_pairs.chain(of_events) {
            if let Some((change, p, factor)) = found
                && p <= settings.level
            {
                findings.push(Finding { subject, change, p, factor });
            }
        }
        findings.sort_by(|a, b| a.p.total_cmp(&b.p));
        let consequences = take_consequences(&mut findings, &pairs, &both, tested_pace, settings);
        Difference {
            settings,
            comparisons: comparisons.len(),
            pace,
            overall_pace,
            lossy,
            machine: all_steps.overall(),
            span_ns: if settings.whole { a.span_ns().max(b.span_ns()) } else { a.span_ns().min(b.span_ns()) },
            events,
            pairs,
            findings,
            consequences,
        }
    }
}

/// Returns how many blocks of each recording are compared: all of them, or only those in the
/// initial period that both recordings cover, because programs behave differently while they start.
fn block_counts(a: &Recording, b: &Recording, whole: bool) -> [usize; 2] {
    let common_ns = a.span_ns().min(b.span_ns());
    [a, b].map(|recording| recording.blocks_within(if whole { recording.span_ns() } else { common_ns }))
}
