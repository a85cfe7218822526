//! Parts of a trace are read without the other blocks.

use super::damage::plain_trace;
use super::*;

/// Returns the entries between two times, and the times of the trace.
fn between(input: Input, since_ns: Option<u64>, until_ns: Option<u64>) -> (Vec<String>, Times) {
    let needs = Needs { origin: true, anchor: true };
    filtered(input, needs, FilterOptions { since_ns, until_ns, ..FilterOptions::default() })
}

fn selected(input: Input, options: FilterOptions) -> Vec<String> {
    filtered(input, Needs::default(), options).0
}

fn filtered(input: Input, needs: Needs, options: FilterOptions) -> (Vec<String>, Times) {
    let mut traces = Traces::new(vec![open(input, &Options::default())], needs).unwrap();
    traces.set_filter(Filter::new(options));
    let mut found = Vec::new();
    traces
        .for_each(&mut |entry: &Entry<'_>| {
            found.push(seen(entry));
            Flow::Continue
        })
        .unwrap();
    (found, traces.times())
}

#[test]
fn times_select_the_entries_of_the_v4_trace() {
    let mut v4 = trace();
    // A record whose time is out of order.
    ENCODER.record(7 << 32 | 1, 2000, 4711, &[Value::Integer(1)], &mut v4).unwrap();
    for most in [200, 3000] {
        let file = compact(&v4, most);
        for since in [None, Some(0), Some(1990), Some(4000), Some(6990), Some(9000)] {
            for until in [None, Some(500), Some(1000), Some(2010), Some(4005), Some(8000)] {
                let expected = between(mapped(&v4), since, until);
                assert_eq!(between(mapped(&file), since, until), expected, "{since:?} {until:?} {most}");
                let streamed = between(stream(&file, 300), since, until);
                // The times of a stream are those of its first record.
                assert_eq!(streamed.0, expected.0, "{since:?} {until:?} {most}");
            }
        }
    }
}

/// Blocks outside the range are not decoded, so damage in them does no harm.
#[test]
fn times_skip_blocks() {
    let intact = plain_trace();
    let all = blocks(&intact);
    let mut file = intact.clone();
    for block in [1, 2, 3, 6, 7, 8] {
        file[all[block].0 + HEADER_BYTES] ^= 1;
    }
    let (since, until) = (Some(all[4].1.earliest_ns), Some(all[5].1.latest_ns));
    let expected = between(mapped(&intact), since, until);
    assert_eq!(expected.0.len(), 40);
    assert!(expected.0[0].starts_with(&format!(
        "{} {:#x} ",
        all[4].1.records_before + 1,
        all[4].1.expanded_before
    )));
    assert_eq!(between(mapped(&file), since, until), expected);
}

fn condition(text: &str) -> FilterOptions {
    FilterOptions { condition: Some(Expression::parse(text).unwrap()), ..FilterOptions::default() }
}

fn named(pattern: &str) -> FilterOptions {
    FilterOptions { include: vec![pattern.to_owned()], ..FilterOptions::default() }
}

/// An event that is named late is selected, although its id is unknown at the start.
#[test]
fn events_select_the_entries_of_the_v4_trace() {
    let v4 = trace();
    let excluded = FilterOptions { exclude: vec!["one".to_owned()], ..FilterOptions::default() };
    let conditions = ["name == \"late\" && n > 400", "!(name ~ \"*o*\")", "n == 9 || name == \"late\""];
    let all = conditions.map(condition).into_iter().chain([named("late"), named("two"), excluded]);
    for options in all {
        let expected = selected(mapped(&v4), options.clone());
        assert!(!expected.is_empty());
        // Smaller blocks would separate contexts from their records, and skipping would lose contexts.
        for most in [700, 3000] {
            let file = compact(&v4, most);
            assert_eq!(selected(mapped(&file), options.clone()), expected, "{options:?} {most}");
            assert_eq!(selected(stream(&file, 300), options.clone()), expected, "{options:?} {most}");
        }
    }
}

/// Blocks without selected events are not decoded, so damage in them does no harm.
#[test]
fn events_skip_blocks() {
    let mut v4 = Vec::new();
    ENCODER.header(0, 0, &mut v4);
    for (id, name) in [(1, "one"), (2, "two")] {
        Metadata::Declaration(format!("{name}(uint64_t n)")).encode(id as u32, ORDER, &mut v4);
        ENCODER.mapping(id, name.as_bytes(), &mut v4);
    }
    for n in 0..200 {
        let id = if (n / 40) % 2 == 0 { 1 } else { 2 };
        ENCODER.record(id, 1000 + n, 1, &[Value::Integer(n)], &mut v4).unwrap();
    }
    let intact = compact(&v4, 400);
    let mut file = intact.clone();
    let mut two = EventSet::default();
    two.insert(2);
    let others = blocks(&intact)
        .into_iter()
        .filter(|(_, header)| header.mappings == 0 && !header.events.may_intersect(&two));
    let others: Vec<_> = others.collect();
    assert!(others.len() > 5);
    for (at, _) in others {
        file[at + HEADER_BYTES] ^= 1;
    }
    for options in [named("tw*"), condition("name == \"two\" && n < 100 && time < 1h")] {
        let expected = selected(mapped(&v4), options.clone());
        assert!(expected.len() >= 40);
        assert_eq!(selected(mapped(&file), options), expected);
    }
}

/// To find all declarations, only blocks with mapping records are read, also at the end of a truncated
/// file.
#[test]
fn declarations_are_found_in_blocks_with_mapping_records() {
    let mut v4 = trace();
    Metadata::Declaration("last(uint64_t n)".to_owned()).encode(99, ORDER, &mut v4);
    ENCODER.record(7 << 32 | 1, 9999, 4711, &[Value::Integer(1)], &mut v4).unwrap();
    let names = |input: Input| -> Vec<String> {
        let schemas = open(input, &Options::default()).all_declared().unwrap();
        schemas.all().map(|(_, schema)| schema.name.to_string()).collect()
    };
    let expected = names(mapped(&v4));
    assert!(expected.contains(&"last".to_owned()), "{expected:?}");
    let mut file = compact(&v4, 400);
    assert_eq!(names(mapped(&file)), expected);
    let unread: Vec<_> = blocks(&file).into_iter().filter(|(_, header)| header.mappings == 0).collect();
    assert!(unread.len() > 5);
    for (at, _) in unread {
        file[at + HEADER_BYTES] ^= 1;
    }
    assert_eq!(names(mapped(&file)), expected);
    file.pop();
    assert_eq!(names(mapped(&file)), expected[..expected.len() - 1]);
}

/// An outline agrees with the summary, and damage in blocks that it does not read does no harm.
#[test]
fn an_outline_reads_only_headers_and_mapping_records() {
    let intact = plain_trace();
    let all = blocks(&intact);
    let mut file = intact.clone();
    file[all[3].0 + HEADER_BYTES] ^= 1;
    let expected = open(mapped(&intact), &Options::default()).summarize(false);
    let mut reader = open(mapped(&file), &Options::default());
    assert!(reader.outline().is_none(), "the file is small");
    let outline = reader.outline_from(0).unwrap();
    let unread = Unread { blocks: all.len() as u64 - 1, of: all.len() as u64 };
    assert_eq!(outline.unread, Some(unread));
    assert_eq!((outline.records, outline.span), (expected.records, expected.span));
    assert_eq!((outline.occurred().count(), outline.is_damaged()), (0, false));
    assert_eq!(expected.unread, None);
    // A truncated last block is reported, but a damaged header must be found by reading everything.
    let cut = &intact[..intact.len() - 1];
    let outline = open(mapped(cut), &Options::default()).outline_from(0).unwrap();
    assert!(outline.is_damaged());
    assert_eq!(outline.records, all[all.len() - 1].1.records_before);
    file[all[3].0 + 20] ^= 1;
    assert!(open(mapped(&file), &Options::default()).outline_from(0).is_none());
    assert!(open(stream(&intact, 100), &Options::default()).outline_from(0).is_none());
}

/// The losses in an outline are those of the summary.
#[test]
fn an_outline_reports_losses() {
    let v4 = trace();
    let expected = open(mapped(&v4), &Options::default()).summarize(false).dropped;
    for most in [1, 500] {
        let outline = open(mapped(&compact(&v4, most)), &Options::default()).outline_from(0).unwrap();
        assert_eq!(outline.dropped.events, expected.events, "{most}");
        assert!(outline.dropped.has_any());
    }
}
