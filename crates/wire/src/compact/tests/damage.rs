//! Blocks that are damaged, or from newer versions.

use super::*;

#[test]
fn damaged_frames_are_refused() {
    let records = two_integers(1_000, false);
    let (mut file, mut encoder) = (Vec::new(), BlockEncoder::compressed().unwrap());
    encoder.push(&records, kinds, &mut file).unwrap();
    encoder.finish(&mut file);
    let header = BlockHeader::parse(&file).unwrap();
    let body = header.body(&file).unwrap();
    let mut plain = Vec::new();
    assert!(header.plain_body(body, &mut plain).is_some());
    for plain_bytes in [0, header.plain_bytes - 1, header.plain_bytes + 1] {
        assert_eq!(BlockHeader { plain_bytes, ..header }.plain_body(body, &mut plain), None);
    }
    for cut in [0, 1, body.len() / 2, body.len() - 1] {
        assert_eq!(header.plain_body(&body[..cut], &mut plain), None);
    }
}

/// The first code that is invalid is found, whichever field it belongs to.
#[test]
fn invalid_codes() {
    for fields in 0..13 {
        let mut encoder = BlockEncoder::default();
        let event = encoder.event(1, 8, Some(&[INTEGER; 13][..fields])).unwrap();
        for time in 0..200 {
            assert!(encoder.record(event, time, &vec![0; 8 * fields]));
        }
        let mut file = Vec::new();
        encoder.finish(&mut file);
        let header = BlockHeader::parse(&file).unwrap();
        let body = header.body(&file).unwrap();
        let definition = 14 + fields.div_ceil(4);
        for field in 0..=fields {
            for code in 9..=15 {
                let mut body = body.to_vec();
                body[definition + 1 + field / 2] |= code << (4 * (field & 1));
                let fault = BlockDecoder::default().decode(&header, &body).map(<[u8]>::len).unwrap_err();
                assert_eq!(fault.at, definition, "{fields} {field} {code}");
            }
        }
    }
}

#[test]
fn damaged_blocks_are_found() {
    let (mut file, mut bytes) = (Vec::new(), Vec::new());
    let mut encoder = BlockEncoder::default();
    ENCODER.record(1, 2, 3, &[Value::Integer(4)], &mut bytes).unwrap();
    for _ in 0..3 {
        encoder.push(&bytes, kinds, &mut file).unwrap();
        encoder.finish(&mut file);
    }
    let block = file.len() / 3;
    assert_eq!(find(&file), Some(0));
    assert_eq!(find(&file[1..]), Some(block - 1));
    file[block + 20] ^= 1;
    assert_eq!(BlockHeader::parse(&file[block..]), Err(HeaderFault::Checksum));
    assert_eq!(find(&file[1..]), Some(2 * block - 1));
    assert_eq!(find(&file[1..2 * block + 5]), Some(2 * block - 1), "a header that may continue");
    file[2 * block + HEADER_BYTES] ^= 1;
    let header = BlockHeader::parse(&file[2 * block..]).unwrap();
    assert!(!header.is_intact(header.body(&file[2 * block..]).unwrap()));
}

#[test]
fn newer_blocks_are_skipped_or_refused() {
    let header = |kind| {
        let mut bytes = Vec::new();
        let mut encoder = BlockEncoder::default();
        ENCODER.record(1, 2, 3, &[Value::Integer(4)], &mut bytes).unwrap();
        let mut file = Vec::new();
        encoder.push(&bytes, kinds, &mut file).unwrap();
        encoder.finish(&mut file);
        let header = BlockHeader { kind: Kind::Other(kind), ..BlockHeader::parse(&file).unwrap() };
        BlockHeader::parse(&header.encode())
    };
    assert_eq!(header(4).map(|header| header.kind), Ok(Kind::Other(4)));
    assert_eq!(header(0x8002), Err(HeaderFault::Newer(0x8002)));
}
