//! Blocks of other kinds, and compressed ones.

use super::damage::{plain_trace, read_damaged};
use super::*;

/// Replaces the header at `at`, with the right checksum.
fn set_header(file: &mut [u8], at: usize, change: impl FnOnce(&mut [u8])) {
    change(&mut file[at..at + HEADER_BYTES]);
    let crc = crc32c(&file[at + 12..at + HEADER_BYTES]);
    file[at + 8..at + 12].copy_from_slice(&crc.to_le_bytes());
}

#[test]
fn newer_blocks_are_skipped_or_refused() {
    let intact = plain_trace();
    let expected = entries(mapped(&intact));
    let at = blocks(&intact)[4].0;
    let mut newer = intact[at..blocks(&intact)[5].0].to_vec();
    set_header(&mut newer, 0, |header| {
        header[12] = 4;
        // Other fields may mean something else.
        header[24..].fill(0xff);
    });
    let file = [&intact[..at], &newer, &intact[at..], &newer].concat();
    for input in [mapped(&file), stream(&file, 60)] {
        assert_eq!(entries(input), expected);
    }
    // A block of an unknown kind can be incomplete, too.
    let file = [&intact, &newer[..newer.len() - 1]].concat();
    for input in [mapped(&file), stream(&file, 60)] {
        let (found, anomalies) = read_damaged(input);
        assert_eq!(found, expected);
        assert_eq!(anomalies.iter().map(|(anomaly, _)| *anomaly).collect::<Vec<_>>(), [Anomaly::CutBlock]);
    }
    set_header(&mut newer, 0, |header| header[13] = 0x80);
    let file = [&intact[..at], &newer, &intact[at..]].concat();
    for keep_going in [false, true] {
        let mut reader = open(mapped(&file), &Options { keep_going, ..Options::default() });
        let error = reader.for_each(|_: &Entry<'_>| Flow::Continue).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("trace: offset {at:#x}: a newer version of ringtrace wrote a block of kind 0x8004")
        );
    }
}

#[test]
fn compressed_bodies_are_read() {
    let intact = plain_trace();
    let expected = entries(mapped(&intact));
    let mut file = Vec::new();
    for (at, header) in blocks(&intact) {
        let body = &intact[at + HEADER_BYTES..at + header.block_bytes()];
        let zipped = ruzstd::encoding::compress_to_vec(body, ruzstd::encoding::CompressionLevel::Fastest);
        let start = file.len();
        file.extend_from_slice(&intact[at..at + HEADER_BYTES]);
        file.extend_from_slice(&zipped);
        set_header(&mut file, start, |header| {
            header[14] = 1;
            header[16..20].copy_from_slice(&(zipped.len() as u32).to_le_bytes());
            header[20..24].copy_from_slice(&crc32c(&zipped).to_le_bytes());
        });
    }
    assert_eq!(entries(mapped(&file)), expected);
    assert_eq!(entries(stream(&file, 70)), expected);
    // The decompressed size is limited by the one in the header.
    let all = blocks(&file);
    set_header(&mut file, all[3].0, |header| header[24] -= 1);
    let (found, anomalies) = read_damaged(mapped(&file));
    assert_eq!(found.len(), expected.len() - 20);
    assert!(anomalies[0].1.contains("the decompressed body of a block does not have "), "{anomalies:?}");
}
