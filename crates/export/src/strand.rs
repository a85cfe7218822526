//! Many texts that grow at the same time, and are wanted one after the other in the end.
//!
//! Formats that keep what belongs together in one place cannot be written as records come. Their parts wait as strands in one temporary
//! file: each is a chain of blocks, of which memory holds the last.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;

/// A strand's block is written when it has so many bytes.
const BLOCK_BYTES: usize = 64 << 10;

/// How much all strands together may hold back. Beyond it all are written, however short their blocks are.
const HELD_BYTES: usize = 32 << 20;

/// What stands before a block: where the next one is, and how many bytes are its own.
const HEAD_BYTES: usize = 16;

/// Strands, by their numbers.
#[derive(Debug)]
pub struct Strands {
    file: File,
    /// Where the file ends.
    end: u64,
    strands: Vec<Strand>,
    held_bytes: usize,
}

/// The number of a strand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StrandId(usize);

#[derive(Debug, Default)]
struct Strand {
    /// Where the first and the last block begin, once there are any.
    written: Option<(u64, u64)>,
    held: Vec<u8>,
}

impl Strands {
    /// None yet.
    ///
    /// # Errors
    /// When the system makes no temporary file.
    pub fn new() -> io::Result<Strands> {
        Ok(Strands { file: tempfile::tempfile()?, end: 0, strands: Vec::new(), held_bytes: 0 })
    }

    /// A new strand.
    pub fn add(&mut self) -> StrandId {
        self.strands.push(Strand::default());
        StrandId(self.strands.len() - 1)
    }

    /// Appends to a strand.
    ///
    /// # Errors
    /// When the temporary file cannot be written.
    pub fn append(&mut self, id: StrandId, bytes: &[u8]) -> io::Result<()> {
        let held = &mut self.strands[id.0].held;
        held.extend_from_slice(bytes);
        self.held_bytes += bytes.len();
        if held.len() >= BLOCK_BYTES {
            self.write(id.0)?;
        } else if self.held_bytes >= HELD_BYTES {
            for index in 0..self.strands.len() {
                self.write(index)?;
                // There may be many that get no more.
                self.strands[index].held = Vec::new();
            }
        }
        Ok(())
    }

    /// Moves all of one strand to the end of another.
    ///
    /// # Errors
    /// When the temporary file cannot be written.
    pub fn splice(&mut self, from: StrandId, onto: StrandId) -> io::Result<()> {
        let Strand { written, held } = std::mem::take(&mut self.strands[from.0]);
        let Some((first, last)) = written else {
            self.held_bytes -= held.len();
            self.append(onto, &held)?;
            self.strands[from.0].held = held;
            self.strands[from.0].held.clear();
            return Ok(());
        };
        self.write(onto.0)?;
        let onto = &mut self.strands[onto.0];
        if let Some((_, before)) = onto.written {
            self.file.write_all_at(&first.to_le_bytes(), before)?;
        }
        onto.written = Some((onto.written.map_or(first, |(first, _)| first), last));
        onto.held = held;
        Ok(())
    }

    /// Writes what a strand holds as a block, and makes the block before it tell where.
    fn write(&mut self, index: usize) -> io::Result<()> {
        let Strand { written, held } = &mut self.strands[index];
        if held.is_empty() {
            return Ok(());
        }
        let at = self.end;
        let mut head = [0; HEAD_BYTES];
        head[8..].copy_from_slice(&(held.len() as u64).to_le_bytes());
        self.file.write_all_at(&head, at)?;
        self.file.write_all_at(held, at + HEAD_BYTES as u64)?;
        if let Some((_, last)) = written {
            self.file.write_all_at(&at.to_le_bytes(), *last)?;
        }
        *written = Some((written.map_or(at, |(first, _)| first), at));
        self.end = at + HEAD_BYTES as u64 + held.len() as u64;
        self.held_bytes -= held.len();
        held.clear();
        Ok(())
    }

    /// Writes all of a strand to `out`.
    ///
    /// # Errors
    /// When the temporary file cannot be read, or `out` cannot be written.
    pub fn copy(&self, id: StrandId, out: &mut impl Write) -> io::Result<()> {
        let Strand { written, held } = &self.strands[id.0];
        let mut block = Vec::new();
        if let &Some((first, last)) = written {
            let mut at = first;
            loop {
                let mut head = [0; HEAD_BYTES];
                self.file.read_exact_at(&mut head, at)?;
                #[expect(
                    clippy::disallowed_methods,
                    reason = "blocks of a temporary file that only this process reads"
                )]
                let [next, bytes] =
                    [0, 8].map(|field| u64::from_le_bytes(std::array::from_fn(|byte| head[field + byte])));
                block.resize(bytes as usize, 0);
                self.file.read_exact_at(&mut block, at + HEAD_BYTES as u64)?;
                out.write_all(&block)?;
                if at == last {
                    break;
                }
                at = next;
            }
        }
        out.write_all(held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(strands: &Strands, id: StrandId) -> Vec<u8> {
        let mut text = Vec::new();
        strands.copy(id, &mut text).unwrap();
        text
    }

    #[test]
    fn strands_come_out_as_they_went_in() {
        let mut strands = Strands::new().unwrap();
        let mut expected = vec![Vec::new(); 7];
        let ids: Vec<StrandId> = expected.iter().map(|_| strands.add()).collect();
        for number in 0..300_000_usize {
            // One grows fast, one never.
            let index = if number % 3 == 0 { 0 } else { number % 6 };
            let line = format!("{number}\n");
            strands.append(ids[index], line.as_bytes()).unwrap();
            expected[index].extend_from_slice(line.as_bytes());
        }
        for (id, expected) in ids.iter().zip(&expected) {
            assert!(text(&strands, *id) == *expected);
        }
        assert!(strands.strands[0].written.is_some() && strands.strands[6].written.is_none());
    }

    #[test]
    fn a_strand_goes_on_in_another() {
        let mut strands = Strands::new().unwrap();
        let (onto, from) = (strands.add(), strands.add());
        let mut expected = Vec::new();
        for bytes in [10, 2 * BLOCK_BYTES, 0, 5, BLOCK_BYTES + 1, BLOCK_BYTES] {
            for (id, byte) in [(onto, b'o'), (from, b'f'), (from, b'g')] {
                let text = vec![byte; if id == from { bytes } else { 7 * bytes % BLOCK_BYTES }];
                strands.append(id, &text).unwrap();
                expected.extend_from_slice(&text);
            }
            strands.splice(from, onto).unwrap();
            assert!(text(&strands, from).is_empty() && text(&strands, onto) == expected, "{bytes}");
            let held: usize = strands.strands.iter().map(|strand| strand.held.len()).sum();
            assert_eq!(held, strands.held_bytes);
        }
    }

    #[test]
    fn many_strands_hold_little() {
        let mut strands = Strands::new().unwrap();
        let ids: Vec<StrandId> = (0..1000).map(|_| strands.add()).collect();
        let line = [b'x'; 10_000];
        for round in 0..5 {
            for id in &ids {
                strands.append(*id, &line).unwrap();
                assert!(strands.held_bytes < HELD_BYTES, "round {round}");
            }
        }
        let capacity: usize = strands.strands.iter().map(|strand| strand.held.capacity()).sum();
        assert!(capacity < 2 * HELD_BYTES, "{capacity}");
        for id in ids {
            assert!(text(&strands, id) == [b'x'; 50_000]);
        }
    }
}
