//! What a block can contain, and where a trace is divided into blocks.

use super::*;

/// The encoder refuses records that do not belong to the current block, or do not fit.
#[test]
fn blocks_that_are_full_and_events_of_other_blocks() {
    let (mut file, mut encoder, kinds) = (Vec::new(), BlockEncoder::default(), [ArgumentKind::Str, INTEGER]);
    let other = encoder.event(6, 1, Some(&[INTEGER])).unwrap();
    let event = encoder.event(5, 1, Some(&kinds)).unwrap();
    let mut payload = 100_000u32.to_le_bytes().to_vec();
    payload.resize(4 + 100_000 + 8, b'x');
    let mut records = 0;
    while encoder.record(event, records, &payload) {
        records += 1;
    }
    assert!((150..168).contains(&records), "{records}");
    assert!(encoder.record(other, 0, &[0; 8]), "a smaller record fits");
    let mut more = 1;
    loop {
        let together = encoder.records::<1, 1>(other, &[0; 1000], &[[[1; 8]]; 1000]);
        more += together as u64;
        if together == 0 {
            if !encoder.record(other, 0, &[1; 8]) {
                break;
            }
            more += 1;
        }
    }
    assert!(encoder.expanded_bytes() <= MAX_EXPANDED_BYTES, "{}", encoder.expanded_bytes());
    encoder.finish(&mut file);
    assert!(!encoder.record(event, 0, &payload), "an event of a finished block");
    assert!(!encoder.takes_records(other, 1), "an event of a finished block");
    assert_eq!(encoder.records::<1, 1>(other, &[0], &[[[1; 8]]]), 0, "an event of a finished block");
    let (out, headers) = decode(&file);
    assert_eq!(u64::from(headers[0].records), records + more);
    assert_eq!(out.len() as u64, records * (32 + payload.len() as u64) + more * 40);
    assert_eq!(headers.len(), 1);

    let events = (0..5000).map_while(|id| encoder.event(id, 1, None)).count();
    assert_eq!(events, 3824);
}

#[test]
fn a_large_trace_is_divided_into_blocks() {
    let (mut file, mut expected) = (Vec::new(), Vec::new());
    for number in 0..60_000 {
        let id = number % 5000;
        ENCODER
            .record(id * 6 + 2, number, 1, &[Value::Integer(number), Value::Integer(5)], &mut expected)
            .unwrap();
    }
    let mut encoder = BlockEncoder::default();
    encoder.push(&expected, |_| Some(&[INTEGER; 2]), &mut file).unwrap();
    encoder.finish(&mut file);
    let (out, headers) = decode(&file);
    assert_eq!(out, expected);
    // A block has space for 3824 definitions.
    assert!(headers.len() >= 15, "{}", headers.len());
    assert!(headers.iter().all(|header| header.previous_mappings_at == u64::MAX));
}

/// A reader can restore a block without the previous ones, so a record's context is in its block.
#[test]
fn a_record_stays_with_its_context() {
    let (mut file, mut expected) = (Vec::new(), Vec::new());
    for number in 0..30_000 {
        context::encode(Some(number), [1, 2], ByteOrder::Little, &mut expected);
        let size = 9 + number as usize % 50;
        ENCODER.record(7, number.into(), 1, &[Value::Str(&vec![b'x'; size])], &mut expected).unwrap();
    }
    let mut encoder = BlockEncoder::default();
    encoder.push(&expected, kinds, &mut file).unwrap();
    encoder.finish(&mut file);
    let (out, headers) = decode(&file);
    assert_eq!(out, expected);
    assert!(headers.len() > 2, "{}", headers.len());
    for header in &headers {
        // The first of the words of a record is its type: 0 is a mapping record.
        assert_eq!(out[header.expanded_before as usize], 0, "{header:?}");
    }
}

/// Everything that the encoder accepts is within the limits of readers.
#[test]
fn large_records() {
    for size in [MAX_RECORD_BYTES - 32, MAX_RECORD_BYTES, MAX_EXPANDED_BYTES - 600, MAX_EXPANDED_BYTES - 24] {
        let name = vec![b'n'; size];
        let [mut mapping, mut any] = [Vec::new(), Vec::new()];
        ENCODER.mapping(1, &name, &mut mapping);
        let mut record = ENCODER.begin(7, 77, 8, 0, &mut any);
        record.payload(&name);
        record.finish();
        for record in [mapping, any] {
            let (mut file, mut encoder) = (Vec::new(), BlockEncoder::default());
            let pushed = encoder.push(&record, kinds, &mut file);
            encoder.finish(&mut file);
            match pushed {
                Ok(()) => assert!(decode(&file).0 == record, "{size}"),
                Err(error) => {
                    assert_eq!((error, file.len()), (NotRecords { at: 0 }, 0), "{size}");
                    assert!(size > MAX_EXPANDED_BYTES - 600, "{size}");
                }
            }
        }
    }
}

#[test]
fn other_versions_and_byte_orders_are_not_encoded() {
    for (version, order) in [(Version::V2, ByteOrder::Little), (Version::V4, ByteOrder::Big)] {
        let (mut file, mut bytes) = (Vec::new(), Vec::new());
        Encoder { version, order }.header(0, 0, &mut bytes);
        let pushed = BlockEncoder::default().push(&bytes, kinds, &mut file);
        assert_eq!(pushed, Err(NotRecords { at: 0 }), "{version:?} {order:?}");
    }
}
