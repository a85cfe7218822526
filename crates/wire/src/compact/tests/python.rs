//! Compares the decoder with another one, `decoder.py`, which was written from
//! `docs/formats/compact.md` and shares no code with it. The other decoder also compares each header
//! with the contents of the file.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};

use super::*;
use crate::Little;
use crate::order::u32_at;
use crate::simpletrace::v4::V4;
use crate::simpletrace::{Layout, Step};

/// The result of decoding a file: the v4 file, or a message.
type Decoded = Result<Vec<u8>, String>;

/// A process that runs `decoder.py`.
struct Python {
    process: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl Python {
    /// Returns `None` and prints a message if Python is not installed.
    fn start() -> Option<Python> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/compact/tests/decoder.py");
        let mut command = Command::new("python3");
        command.args(["-B", script, "--cases"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        match command.spawn() {
            Ok(mut process) => {
                let (input, output) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
                Some(Python { process, input, output })
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                eprintln!("SKIPPED: python3 is not installed");
                None
            }
            Err(error) => panic!("cannot start python3: {error}"),
        }
    }

    fn sized(&mut self) -> Vec<u8> {
        let mut length = [0; 4];
        self.output.read_exact(&mut length).expect("decoder.py answers");
        let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
        self.output.read_exact(&mut bytes).expect("decoder.py answers");
        bytes
    }

    /// Decodes a file. The second value describes a contradiction between a header and the
    /// contents.
    fn decode(&mut self, file: &[u8]) -> (Decoded, Option<String>) {
        self.input.write_all(&(file.len() as u32).to_le_bytes()).unwrap();
        self.input.write_all(file).unwrap();
        let mut status = [0];
        self.output.read_exact(&mut status).expect("decoder.py answers");
        let out = self.sized();
        let message = String::from_utf8(self.sized()).unwrap();
        match status[0] {
            0 => (Ok(out), None),
            1 => (Ok(out), Some(message)),
            _ => (Err(message), None),
        }
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Decodes a file with the decoder under test.
fn ours(mut file: &[u8]) -> Decoded {
    let (mut out, mut plain, mut decoder) = (Vec::new(), Vec::new(), BlockDecoder::default());
    while !file.is_empty() {
        let header = BlockHeader::parse(file).map_err(|fault| fault.to_string())?;
        let body = header.body(file).ok_or("the body is truncated")?;
        if header.kind == Kind::Records {
            if !header.is_intact(body) {
                return Err("the checksum of the body is wrong".to_owned());
            }
            let body = header.plain_body(body, &mut plain).ok_or("the body cannot be decompressed")?;
            out.extend_from_slice(decoder.decode(&header, body).map_err(|fault| fault.to_string())?);
        }
        file = &file[header.block_bytes()..];
    }
    Ok(out)
}

/// Encodes `parts` after a file header.
fn file_of(parts: &[Part]) -> Vec<u8> {
    file_with(BlockEncoder::default(), parts)
}

fn file_with(mut encoder: BlockEncoder, parts: &[Part]) -> Vec<u8> {
    let (mut file, mut records) = (Vec::new(), Vec::new());
    ENCODER.header(0, 0, &mut records);
    for part in parts {
        encode(part, &mut records);
        encoder.push(&records, kinds, &mut file).unwrap();
        records.clear();
        if let Part::Finish = part {
            encoder.finish(&mut file);
        }
    }
    encoder.push(&records, kinds, &mut file).unwrap();
    encoder.finish(&mut file);
    file
}

/// Returns the offset and the size of each block.
fn blocks(file: &[u8]) -> Vec<(usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(|| {
        let start = at;
        let size = BlockHeader::parse(file.get(start..)?).ok()?.block_bytes();
        at += size;
        Some((start, size))
    })
    .collect()
}

/// Updates both checksums of a block.
fn repair(block: &mut [u8]) {
    let crc = crc32c::crc32c(&block[HEADER_BYTES..]);
    block[20..24].copy_from_slice(&crc.to_le_bytes());
    let crc = crc32c::crc32c(&block[12..HEADER_BYTES]);
    block[8..12].copy_from_slice(&crc.to_le_bytes());
}

/// Damage to one block of a file.
#[derive(Debug, Clone)]
enum Damage {
    /// Bits of a byte in the header change.
    Header(Index, u8),
    /// Bits of a byte in the body change.
    Body(Index, u8),
    /// Bytes of the body are replaced by others, perhaps fewer or more.
    Splice(Index, usize, Vec<u8>),
    /// The header states another size of the records.
    Expanded(i8),
    /// The file ends in this block.
    Cut(Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let bits = || prop_oneof![1u8.., (0u32..8).prop_map(|bit| 1 << bit)];
    prop_oneof![
        4 => (any::<Index>(), bits()).prop_map(|(at, bits)| Damage::Header(at, bits)),
        8 => (any::<Index>(), bits()).prop_map(|(at, bits)| Damage::Body(at, bits)),
        4 => (any::<Index>(), 0usize..8, prop::collection::vec(any::<u8>(), 0..8))
            .prop_map(|(at, size, bytes)| Damage::Splice(at, size, bytes)),
        1 => any::<i8>().prop_map(Damage::Expanded),
        1 => any::<Index>().prop_map(Damage::Cut),
    ]
}

/// Returns `file` with damage that the checksums do not reveal.
fn damaged(file: &[u8], block: Index, damage: &Damage) -> Vec<u8> {
    let (start, size) = *block.get(&blocks(file));
    let mut block = file[start..start + size].to_vec();
    let body = block.len() - HEADER_BYTES;
    match damage {
        Damage::Header(at, bits) => block[at.index(HEADER_BYTES)] ^= bits,
        Damage::Body(at, bits) => block[HEADER_BYTES + at.index(body)] ^= bits,
        Damage::Splice(at, size, bytes) => {
            let at = HEADER_BYTES + at.index(body);
            let end = block.len().min(at + size);
            block.splice(at..end, bytes.iter().copied());
            let size = (block.len() - HEADER_BYTES) as u32;
            block[16..20].copy_from_slice(&size.to_le_bytes());
            block[24..28].copy_from_slice(&size.to_le_bytes());
        }
        Damage::Expanded(change) => {
            let stated = u32_at(&block, 28, ByteOrder::Little).unwrap().wrapping_add_signed((*change).into());
            block[28..32].copy_from_slice(&stated.to_le_bytes());
        }
        Damage::Cut(at) => return file[..start + at.index(size)].to_vec(),
    }
    repair(&mut block);
    [&file[..start], &block, &file[start + size..]].concat()
}

/// Runs `test` with random values and a Python process.
fn with_python<S: Strategy>(
    cases: u32,
    strategy: &S,
    test: impl Fn(&mut Python, S::Value) -> Result<(), TestCaseError>,
) {
    let Some(python) = Python::start() else { return };
    let python = RefCell::new(python);
    let mut runner = TestRunner::new(Config { cases, ..Config::with_source_file(file!()) });
    if let Err(error) = runner.run(strategy, |value| test(&mut python.borrow_mut(), value)) {
        panic!("{error}");
    }
}

#[test]
fn files_and_their_headers() {
    with_python(60, &prop::collection::vec(part(), 0..60), |python, parts| {
        let file = file_of(&parts);
        let (out, contradiction) = python.decode(&file);
        prop_assert_eq!(contradiction, None);
        prop_assert_eq!(out, ours(&file));
        Ok(())
    });
}

/// Files with so many blocks that there are totals.
#[test]
fn totals() {
    let with_totals = Cell::new(0);
    with_python(
        20,
        &(prop::collection::vec(part(), 50..300), any::<bool>()),
        |python, (parts, compresses)| {
            let parts: Vec<Part> = parts.into_iter().flat_map(|part| [part, Part::Finish]).collect();
            let file = match compresses {
                true => file_with(BlockEncoder::compressed().unwrap(), &parts),
                false => file_of(&parts),
            };
            with_totals.update(|count| count + u32::from(blocks(&file).len() > 64));
            let (out, contradiction) = python.decode(&file);
            prop_assert_eq!(contradiction, None);
            prop_assert_eq!(out, ours(&file));
            Ok(())
        },
    );
    let count = with_totals.into_inner();
    assert!(count == 0 || count > 5, "{count}");
}

/// Both decoders return the same bytes, or refuse the file.
#[test]
fn damaged_files() {
    let damage = prop::collection::vec((any::<Index>(), damage()), 40);
    let [accepted, refused] = [Cell::new(0), Cell::new(0)];
    with_python(60, &(prop::collection::vec(part(), 0..12), damage), |python, (parts, damage)| {
        let intact = file_of(&parts);
        for (block, damage) in damage {
            let file = damaged(&intact, block, &damage);
            match (ours(&file), python.decode(&file).0) {
                (Ok(ours), Ok(theirs)) => {
                    prop_assert_eq!(ours, theirs, "{:?}", damage);
                    accepted.update(|count| count + 1);
                }
                (Err(_), Err(_)) => refused.update(|count| count + 1),
                (ours, theirs) => prop_assert!(false, "{damage:?}, ours: {ours:?}, decoder.py: {theirs:?}"),
            }
        }
        Ok(())
    });
    let counts = [accepted, refused].map(Cell::into_inner);
    // A run without Python counts nothing.
    assert!(counts == [0, 0] || counts.iter().all(|&count| count > 300), "{counts:?}");
}

/// Traces that QEMU and ringtrace wrote.
#[test]
fn recorded_traces() {
    let Some(mut python) = Python::start() else { return };
    for name in ["qemu-io.bin", "boot-small.bin", "export/everything.trace", "export/far.trace"] {
        let path = format!("{}/../../testdata/{name}", env!("CARGO_MANIFEST_DIR"));
        let trace = std::fs::read(path).unwrap();
        // The size of each event's first payload. Treat payloads as integers if the size permits.
        let mut lengths = HashMap::new();
        let mut at = 24;
        while let Some(rest) = trace.get(at..).filter(|rest| !rest.is_empty()) {
            at += match V4::<Little>::step_by_length(rest, MAX_EXPANDED_BYTES) {
                Step::Record(record) => {
                    lengths.entry(record.id).or_insert(record.payload.len());
                    record.size
                }
                Step::Mapping(mapping) => mapping.size,
                step => panic!("{name} at {at}: {step:?}"),
            };
        }
        let kinds = |id| lengths.get(&id).and_then(|length| [INTEGER; 64].get(..length / 8));
        let mut sizes = vec![trace.len()];
        for mut encoder in [BlockEncoder::default(), BlockEncoder::compressed().unwrap()] {
            let mut file = Vec::new();
            encoder.push(&trace, kinds, &mut file).unwrap();
            encoder.finish(&mut file);
            let (out, contradiction) = python.decode(&file);
            assert_eq!(contradiction, None, "{name}");
            assert!(out.unwrap() == trace, "{name}");
            assert!(ours(&file).unwrap() == trace, "{name}");
            sizes.push(file.len());
        }
        assert!(sizes.is_sorted_by(|larger, smaller| larger > smaller), "{name}: {sizes:?}");
    }
}

/// Blocks with as many definitions as possible.
#[test]
fn many_definitions() {
    let Some(mut python) = Python::start() else { return };
    let (mut file, mut trace, mut encoder) = (Vec::new(), Vec::new(), BlockEncoder::default());
    ENCODER.header(0, 0, &mut trace);
    for number in 0..9_000 {
        ENCODER.record(number % 4_500, number, 1, &[Value::Integer(number)], &mut trace).unwrap();
    }
    encoder.push(&trace, |_| Some(&[INTEGER]), &mut file).unwrap();
    encoder.finish(&mut file);
    assert_eq!(python.decode(&file), (Ok(trace), None));
}
