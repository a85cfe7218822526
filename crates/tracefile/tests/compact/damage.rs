//! Damaged blocks are reported, and cost nothing but their records.

use super::*;

/// Reads `file` with `keep_going`. Returns the entries, and the kinds and messages of anomalies.
pub(super) fn read_damaged(input: Input) -> (Vec<String>, Vec<(Anomaly, String)>) {
    let mut reader = open(input, &Options { keep_going: true, ..Options::default() });
    let found = entries_of(&mut reader);
    let anomalies = reader.anomalies();
    let message = |(anomaly, count, kept): (Anomaly, u64, &[ringtrace_tracefile::Error])| {
        assert_eq!(count, 1);
        (anomaly, kept[0].to_string())
    };
    (found, anomalies.iter().map(message).collect())
}

/// Checks that exactly the entries of the blocks in `lost` are missing from `file`, and that there is
/// one anomaly, with a message that contains `message`.
fn check_damage(file: &[u8], intact: &[u8], lost: std::ops::Range<usize>, kind: Anomaly, message: &str) {
    let expected = entries(mapped(intact));
    let blocks = blocks(intact);
    let number =
        |block: usize| blocks.get(block).map_or(expected.len(), |(_, header)| header.records_before as usize);
    let expected = [&expected[..number(lost.start)], &expected[number(lost.end)..]].concat();
    for input in [mapped(file), stream(file, 50)] {
        let (found, anomalies) = read_damaged(input);
        assert_eq!(found, expected);
        let [(found, text)] = anomalies.as_slice() else { panic!("{anomalies:?}") };
        assert_eq!(*found, kind);
        assert!(text.contains(message), "{text}");
    }
}

/// A trace without mapping records after the first block, in blocks of 20 records.
pub(super) fn plain_trace() -> Vec<u8> {
    let mut out = Vec::new();
    ENCODER.header(0, 0, &mut out);
    Metadata::Declaration("one(uint64_t n)".to_owned()).encode(0, ORDER, &mut out);
    ENCODER.mapping(1, b"one", &mut out);
    for n in 0..200 {
        ENCODER.record(1, 1000 + n, 1, &[Value::Integer(n)], &mut out).unwrap();
    }
    compact(&out, 800)
}

#[test]
fn a_damaged_body_costs_its_block() {
    let intact = plain_trace();
    let all = blocks(&intact);
    let mut file = intact.clone();
    file[all[3].0 + HEADER_BYTES + 20] ^= 1;
    let message = format!(
        "trace: offset {:#x}: the checksum of a block's body is wrong; 20 records (800 bytes as v4) are missing",
        all[3].0
    );
    check_damage(&file, &intact, 3..4, Anomaly::Damage, &message);
}

#[test]
fn a_damaged_header_costs_its_block() {
    let intact = plain_trace();
    let all = blocks(&intact);
    let mut file = intact.clone();
    file[all[3].0 + 50] ^= 1;
    let message = format!(
        "trace: offset {:#x}: the checksum of a block's header is wrong; {} bytes were skipped; 20 records (800 bytes as v4) are missing",
        all[3].0,
        all[3].1.block_bytes(),
    );
    check_damage(&file, &intact, 3..4, Anomaly::Damage, &message);
    let last = all.len() - 1;
    let mut file = intact.clone();
    file[all[last].0 + 50] ^= 1;
    check_damage(
        &file,
        &intact,
        last..all.len(),
        Anomaly::Damage,
        "no block follows that shows how many records",
    );
}

/// After damage, the search for a block does not stop at a block in a string.
#[test]
fn a_block_in_a_string_is_not_read() {
    let text = plain_trace();
    let (mut v4, mut file, mut encoder) = (Vec::new(), Vec::new(), BlockEncoder::default());
    ENCODER.header(0, 0, &mut v4);
    Metadata::Version(1).encode(0, ORDER, &mut v4);
    Metadata::Declaration("two(const char *s, int n)".to_owned()).encode(1, ORDER, &mut v4);
    ENCODER.mapping(7 << 32 | 2, b"two", &mut v4);
    for n in 0..3 {
        ENCODER.record(7 << 32 | 2, n, 9, &[Value::Str(&text), Value::Integer(n)], &mut v4).unwrap();
        encoder.push(&v4, |_| None, &mut file).unwrap();
        encoder.finish(&mut file);
        v4.clear();
    }
    let damaged = blocks(&file)[1].0;
    file[damaged + 50] ^= 1;
    let options = Options { keep_going: true, ..Options::default() };
    let mut times = Vec::new();
    let mut reader = Reader::new("trace", mapped(&file), &options).unwrap();
    let result = reader.for_each(|entry: &Entry<'_>| {
        times.push((entry.number, entry.timestamp_ns));
        Flow::Continue
    });
    assert_eq!(result, Ok(Flow::Continue));
    assert_eq!(times, [(1, 0), (3, 2)]);
}

#[test]
fn garbage_between_blocks_costs_nothing() {
    let intact = plain_trace();
    let at = blocks(&intact)[4].0;
    for garbage in [1, 127, 5000, 200_000] {
        // The garbage contains starts of headers.
        let garbage: Vec<u8> = b"\x89rtb\r\n\x1a\nabc".iter().copied().cycle().take(garbage).collect();
        let file = [&intact[..at], &garbage, &intact[at..]].concat();
        let message = format!("{} bytes were skipped; 0 bytes of v4 data", garbage.len());
        check_damage(&file, &intact, 4..4, Anomaly::Damage, &message);
    }
}

#[test]
fn missing_blocks_are_noticed() {
    let intact = plain_trace();
    let all = blocks(&intact);
    // Whole blocks.
    let file = [&intact[..all[2].0], &intact[all[5].0..]].concat();
    check_damage(
        &file,
        &intact,
        2..5,
        Anomaly::Damage,
        "blocks are missing before this one; 60 records (2400 bytes",
    );
    // The second half of a block.
    let file = [&intact[..all[3].0 - 30], &intact[all[3].0..]].concat();
    check_damage(
        &file,
        &intact,
        2..3,
        Anomaly::Damage,
        "the checksum of a block's body is wrong; 20 records",
    );
    // The second half of a block, and the following blocks except for the last one, which is smaller
    // than the missing part.
    let last = all.len() - 1;
    let file = [&intact[..all[last].0 - 150], &intact[all[last].0..]].concat();
    let (found, anomalies) = read_damaged(mapped(&file));
    assert_eq!(found.len() as u64, 200 - u64::from(all[last - 1].1.records));
    assert_eq!(anomalies.len(), 1, "{anomalies:?}");
    // A block that occurs twice.
    let file = [&intact[..all[4].0], &intact[all[3].0..]].concat();
    check_damage(&file, &intact, 4..4, Anomaly::Damage, "a block belongs at offset ");
}

#[test]
fn a_truncated_last_block_is_tolerated() {
    let intact = plain_trace();
    let all = blocks(&intact);
    let last = all.len() - 1;
    let at = all[last].0;
    for (have, message) in [
        (1, "the file is truncated: the file ends within the header of a block: 1 of 128 bytes remain"),
        (127, "127 of 128 bytes remain"),
        (128, "but only 128 bytes remain"),
        (all[last].1.block_bytes() - 1, "records ("),
    ] {
        let mut file = intact[..at + have].to_vec();
        if have > HEADER_BYTES {
            // This byte could be the start of a header.
            file[at + have - 1] = 0x89;
        }
        let file = file.as_slice();
        check_damage(file, &intact, last..all.len(), Anomaly::CutBlock, message);
        // Without `keep_going`, this is a warning as well. With `strict`, it is an error.
        let mut reader = open(mapped(file), &Options::default());
        assert_eq!(entries_of(&mut reader).len() as u64, all[last].1.records_before);
        let mut reader = open(mapped(file), &Options { strict: true, ..Options::default() });
        let error = reader.for_each(|_: &Entry<'_>| Flow::Continue).unwrap_err();
        assert_eq!((error.record, error.offset), (None, Some(at as u64)));
        // The last block of a file that is being written may be incomplete.
        let mut reader = open(mapped(file), &Options { live: true, ..Options::default() });
        entries_of(&mut reader);
        assert!(reader.anomalies().is_empty());
    }
}

#[test]
fn damage_is_an_error_unless_the_reader_keeps_going() {
    let mut file = plain_trace();
    let all = blocks(&file);
    file[all[3].0 + HEADER_BYTES] ^= 1;
    let mut reader = open(mapped(&file), &Options::default());
    let mut records = 0;
    let mut count = |_: &Entry<'_>| {
        records += 1;
        Flow::Continue
    };
    let error = reader.for_each_mut(&mut count).unwrap_err();
    let help = "the rest of the file was not read; --keep-going reads the blocks after the damage";
    assert_eq!(error.help.as_deref(), Some(help));
    // The error is final.
    reader.for_each_mut(&mut count).unwrap();
    assert_eq!(records, all[3].1.records_before);
    // A summary continues.
    let summary = open(mapped(&file), &Options::default()).summarize(false);
    assert_eq!((summary.records, summary.is_damaged(), summary.failed.is_none()), (180, true, true));
    let bytes = all.iter().map(|(_, header)| u64::from(header.expanded_bytes)).sum::<u64>();
    assert_eq!(summary.read_bytes, bytes - 800);
}
