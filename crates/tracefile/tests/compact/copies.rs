//! If a block with mapping records is damaged, its copy still names the events of other blocks.

use super::damage::{plain_trace, read_damaged};
use ringtrace_wire::compact::MAGIC;

use super::*;

/// Returns a v4 trace of three events. Each is named before its first record.
fn late_names() -> Vec<u8> {
    let mut out = Vec::new();
    ENCODER.header(0, 0, &mut out);
    Metadata::Thread(7, "seven".to_owned()).encode(0, ORDER, &mut out);
    for n in 0..1500 {
        let event = (n / 300).min(2) + 1;
        if n % 300 == 0 && n <= 600 {
            let text = format!("event{event}(const char *s)");
            Metadata::Declaration(text).encode(event as u32, ORDER, &mut out);
            ENCODER.mapping(7 << 32 | event, format!("event{event}").as_bytes(), &mut out);
        }
        let text = format!("{}", n * n * n);
        ENCODER.record(7 << 32 | event, 1000 + n, 9, &[Value::Str(text.as_bytes())], &mut out).unwrap();
    }
    out
}

/// Returns a compact trace, and for each block with mapping records its header and that of its copy.
fn copied_trace(is_compressed: bool) -> (Vec<u8>, Vec<(BlockHeader, BlockHeader)>) {
    let encoder = if is_compressed { BlockEncoder::compressed().unwrap() } else { BlockEncoder::default() };
    let file = compact_with(encoder, &late_names(), 1500);
    let copies = all_blocks(&file).into_iter().filter(|header| header.kind == Kind::Copy);
    let of = |copy: BlockHeader| BlockHeader::parse(&file[copy.previous_mappings_at as usize..]).unwrap();
    let pairs: Vec<_> = copies.map(|copy| (of(copy), copy)).collect();
    assert!(pairs.len() > 2 && pairs[0].0.at == 0, "{pairs:?}");
    (file, pairs)
}

fn all_blocks(file: &[u8]) -> Vec<BlockHeader> {
    let (mut headers, mut at) = (Vec::new(), 0);
    while at < file.len() {
        headers.push(BlockHeader::parse(&file[at..]).unwrap());
        at += headers[headers.len() - 1].block_bytes();
    }
    headers
}

/// Removes the entries of a block from those of its trace.
fn without(entries: &[String], block: &BlockHeader) -> Vec<String> {
    let first = block.records_before as usize;
    [&entries[..first], &entries[first + block.records as usize..]].concat()
}

/// Compares entries, and shows only the first difference.
fn assert_same(found: &[String], expected: &[String]) {
    let differ = found.iter().zip(expected).find(|(found, expected)| found != expected);
    assert_eq!((differ, found.len()), (None, expected.len()));
}

#[test]
fn damage_costs_only_the_records_of_a_block() {
    for is_compressed in [false, true] {
        let (intact, pairs) = copied_trace(is_compressed);
        let expected = entries(mapped(&intact));
        for (block, copy) in &pairs {
            let start = block.at as usize;
            let damaged = |offset: usize| {
                let mut file = intact.clone();
                file[start + offset] ^= 1;
                file
            };
            let mut zeroed = intact.clone();
            zeroed[start..start + block.block_bytes()].fill(0);
            for file in [damaged(HEADER_BYTES + 3), damaged(30), damaged(0), zeroed] {
                for input in [mapped(&file), stream(&file, 100)] {
                    let (found, anomalies) = read_damaged(input);
                    assert_same(&found, &without(&expected, block));
                    assert_eq!(anomalies.len(), 1, "{anomalies:?}");
                }
                if file.starts_with(&MAGIC) {
                    // The events before the copy have no names yet.
                    let all = all_blocks(&intact);
                    let follows = |header: &&BlockHeader| header.at > copy.at && header.kind == Kind::Records;
                    let next = all.iter().find(follows).unwrap().records_before as usize;
                    let found = entries_of_growing(&file);
                    assert_same(&found[found.len() - (expected.len() - next)..], &expected[next..]);
                }
            }
        }
    }
}

/// Returns the entries that a reader finds which follows a file while it grows.
fn entries_of_growing(file: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    std::fs::write(&path, file).unwrap();
    let flags = FollowFlags::default();
    flags.end.store(true, Ordering::Release);
    let input = Input::follow_until(&path, flags).unwrap();
    all_entries(&mut open(input, &Options { keep_going: true, ..Options::default() }))
}

#[test]
fn the_start_of_a_file_can_be_missing() {
    let (intact, pairs) = copied_trace(false);
    let expected = entries(mapped(&intact));
    let (block, _) = &pairs[0];
    for cut in [1, 100, block.block_bytes() - 1] {
        for input in [mapped(&intact[cut..]), stream(&intact[cut..], 100)] {
            let (found, anomalies) = read_damaged(input);
            assert_same(&found, &without(&expected, block));
            assert_eq!(anomalies.len(), 1, "{anomalies:?}");
        }
    }
}

#[test]
fn bytes_of_a_damaged_block_can_be_missing() {
    let (intact, pairs) = copied_trace(false);
    let expected = entries(mapped(&intact));
    for (block, _) in &pairs {
        let body = block.at as usize + HEADER_BYTES;
        for (removed, inserted) in [(100, 0), (0, 100)] {
            let file = [&intact[..body + 50], &vec![7; inserted], &intact[body + 50 + removed..]].concat();
            for input in [mapped(&file), stream(&file, 100)] {
                let (found, anomalies) = read_damaged(input);
                assert_same(&found, &without(&expected, block));
                assert_eq!(anomalies.len(), 1, "{anomalies:?}");
            }
        }
    }
}

/// The header after the damage states an earlier place.
#[test]
fn a_block_that_is_repeated_after_damage_is_not_read_again() {
    let (intact, pairs) = copied_trace(false);
    let expected = entries(mapped(&intact));
    let all = blocks(&intact);
    let repeated = &intact[all[1].0..all[2].0];
    let after = all.iter().find(|(at, _)| *at as u64 > pairs[0].1.at).unwrap().0;
    let file = [&intact[..after], b"junk", repeated, &intact[after..]].concat();
    for input in [mapped(&file), stream(&file, 100)] {
        let mut reader = open(input, &Options { keep_going: true, ..Options::default() });
        assert_same(&all_entries(&mut reader), &expected);
        assert!(!reader.anomalies().is_empty());
    }
}

/// Only a whole block shows that a file is a compact trace.
#[test]
fn a_file_that_contains_a_header_is_not_a_trace() {
    let (intact, pairs) = copied_trace(false);
    let block = &intact[..pairs[0].0.block_bytes()];
    for end in [HEADER_BYTES, block.len() - 1] {
        let file = [b"some other file", &block[..end]].concat();
        let error = Reader::new("trace", mapped(&file), &Options::default()).unwrap_err();
        assert!(error.to_string().contains("not a trace"), "{error}");
    }
    let file = [b"some other file", block].concat();
    let error = Reader::new("trace", mapped(&file), &Options::default()).unwrap_err();
    assert!(
        error.to_string().contains("expected the start of a block, found other bytes; 15 bytes"),
        "{error}"
    );
}

/// Copies are not read if they are not needed.
#[test]
fn a_damaged_copy_costs_nothing() {
    let (intact, pairs) = copied_trace(false);
    let expected = entries(mapped(&intact));
    for (_, copy) in pairs {
        let mut file = intact.clone();
        file[copy.at as usize + HEADER_BYTES] ^= 1;
        for input in [mapped(&file), stream(&file, 100)] {
            assert_eq!(entries(input), expected);
        }
        file[copy.at as usize + 50] ^= 1;
        for input in [mapped(&file), stream(&file, 100)] {
            let (found, anomalies) = read_damaged(input);
            assert_eq!(found, expected);
            assert_eq!(anomalies.len(), 1, "{anomalies:?}");
        }
    }
}

/// The reader says why it does not know the events.
#[test]
fn the_first_block_can_be_damaged_without_a_copy() {
    let mut file = plain_trace();
    let header = BlockHeader::parse(&file).unwrap();
    file[HEADER_BYTES + 3] ^= 1;
    for input in [mapped(&file), stream(&file, 50)] {
        let mut reader = open(input, &Options { keep_going: true, ..Options::default() });
        assert!(all_entries(&mut reader).is_empty());
        let messages: Vec<String> =
            reader.anomalies().iter().flat_map(|(_, _, kept)| kept).map(ToString::to_string).collect();
        assert!(messages[0].contains("the checksum of a block's body is wrong"), "{messages:?}");
        assert!(messages[1].contains("has no mapping record before it"), "{messages:?}");
    }
    // There is nothing else.
    let error = |file: &[u8], keep_going| {
        Reader::new("trace", mapped(file), &Options { keep_going, ..Options::default() })
            .unwrap_err()
            .to_string()
    };
    let alone = &file[..header.block_bytes()];
    assert!(error(alone, true).contains("the checksum of a block's body is wrong"));
    assert_eq!(error(alone, true), error(alone, false));
}
