//! ELF notes of USDT probes, and ringtrace's own ELF notes, which contain a program's declarations.
//!
//! A section is a sequence of notes. Integers are in the byte order of the ELF file:
//!
//! | offset | size | contents |
//! |---|---|---|
//! | 0 | 4 | u32: length of the owner's name, with its NUL |
//! | 4 | 4 | u32: length of the descriptor |
//! | 8 | 4 | u32: kind, a number that the owner defines |
//! | 12 | length | owner's name, padded to a multiple of 4 |
//! | after the name | length | descriptor, padded to a multiple of 4 |

use crate::ByteOrder;
use crate::order::{u32_at, u64_at};

/// The name of the section with notes of declarations.
pub const DECLARATIONS_SECTION: &str = ".note.ringtrace";

/// The name of the section with notes of USDT probes.
pub const USDT_SECTION: &str = ".note.stapsdt";

const HEAD_BYTES: usize = 12;

/// Iterator over the notes of a section.
#[derive(Debug, Clone)]
pub struct Notes<'a> {
    section: &'a [u8],
    order: ByteOrder,
    at: usize,
}

/// An ELF note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note<'a> {
    /// The owner's name, without the NUL.
    pub owner: &'a [u8],
    /// The kind, a number that the owner defines.
    pub kind: u32,
    /// The contents.
    pub descriptor: &'a [u8],
    /// The offset of the note in the section.
    pub offset: usize,
}

/// The error for a note that is longer than the rest of its section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutNote {
    /// The offset of the note in the section.
    pub offset: usize,
}

impl<'a> Notes<'a> {
    /// Creates an iterator over the notes of `section`, an ELF section in byte order `order`.
    pub fn new(section: &'a [u8], order: ByteOrder) -> Notes<'a> {
        Notes { section, order, at: 0 }
    }

    /// Decodes the current note and returns it with the offset of the next one.
    fn note(&self) -> Option<(Note<'a>, usize)> {
        let word = |index: usize| u32_at(self.section, self.at + 4 * index, self.order);
        let (owner_bytes, descriptor_bytes, kind) = (word(0)? as usize, word(1)? as usize, word(2)?);
        let owner_at = self.at + HEAD_BYTES;
        let owner = self.section.get(owner_at..owner_at.checked_add(owner_bytes)?)?;
        let descriptor_at = padded(owner_at + owner_bytes)?;
        let end = descriptor_at.checked_add(descriptor_bytes)?;
        let descriptor = self.section.get(descriptor_at..end)?;
        let owner = owner.strip_suffix(&[0]).unwrap_or(owner);
        Some((Note { owner, kind, descriptor, offset: self.at }, padded(end)?))
    }
}

impl<'a> Iterator for Notes<'a> {
    type Item = Result<Note<'a>, CutNote>;

    /// Returns the next note. A truncated note is the last item.
    fn next(&mut self) -> Option<Result<Note<'a>, CutNote>> {
        if self.at >= self.section.len() {
            return None;
        }
        let Some((note, next)) = self.note() else {
            let offset = self.at;
            self.at = self.section.len();
            return Some(Err(CutNote { offset }));
        };
        self.at = next;
        Some(Ok(note))
    }
}

fn padded(bytes: usize) -> Option<usize> {
    bytes.checked_next_multiple_of(4)
}

/// The contents of the note of a USDT probe: kind 3 of the owner `stapsdt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usdt<'a> {
    /// The address of the probe's instruction.
    pub location: u64,
    /// The address of `.stapsdt.base` when the note was written. A tracer compares it with the
    /// section's current address to find out whether the file has been relocated since then.
    pub base: u64,
    /// The address of the semaphore; 0 if there is none.
    pub semaphore: u64,
    /// The provider's name.
    pub provider: &'a [u8],
    /// The probe's name.
    pub name: &'a [u8],
    /// The locations of the arguments, in assembler syntax: `-4@%edi 8@16(%rsp)`.
    pub arguments: &'a [u8],
}

impl<'a> Usdt<'a> {
    /// Decodes `note`, in a file whose addresses are `address_bytes` bytes long (4 or 8). Returns
    /// `None` if the note is invalid or is not from a USDT probe.
    pub fn decode(note: &Note<'a>, order: ByteOrder, address_bytes: usize) -> Option<Usdt<'a>> {
        if note.owner != b"stapsdt" || note.kind != 3 {
            return None;
        }
        let address = |index: usize| address_at(note.descriptor, index * address_bytes, order, address_bytes);
        let (location, base, semaphore) = (address(0)?, address(1)?, address(2)?);
        let (provider, rest) = string(note.descriptor.get(3 * address_bytes..)?)?;
        let (name, rest) = string(rest)?;
        let (arguments, _) = string(rest)?;
        Some(Usdt { location, base, semaphore, provider, name, arguments })
    }
}

/// Splits `bytes` at the first NUL, which is in neither part.
fn string(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some((bytes.get(..end)?, bytes.get(end + 1..)?))
}

const OWNER: &[u8; 12] = b"ringtrace\0\0\0";
const OWNER_BYTES: usize = "ringtrace\0".len();
const KIND_DECLARED: u32 = 1;

/// The note of a declaration: kind 1 of the owner `ringtrace`. The descriptor consists of the
/// group's name and the declaration's text, each terminated by a NUL.
///
/// The parameters are the lengths of the group's name and of the text, without NUL. The compiler
/// evaluates the constructor. Separate fields, rather than one byte array, make this fast in
/// programs with thousands of events.
#[derive(Debug)]
#[repr(C, align(4))]
pub struct Declared<const GROUP_BYTES: usize, const TEXT_BYTES: usize> {
    owner_bytes: u32,
    descriptor_bytes: u32,
    kind: u32,
    owner: [u8; 12],
    group: [u8; GROUP_BYTES],
    group_end: u8,
    text: [u8; TEXT_BYTES],
    text_end: u8,
}

impl<const GROUP_BYTES: usize, const TEXT_BYTES: usize> Declared<GROUP_BYTES, TEXT_BYTES> {
    /// Creates the note of the declaration `text` in `group`.
    pub const fn new(group: &str, text: &str) -> Declared<GROUP_BYTES, TEXT_BYTES> {
        Declared {
            owner_bytes: OWNER_BYTES as u32,
            descriptor_bytes: (GROUP_BYTES + 1 + TEXT_BYTES + 1) as u32,
            kind: KIND_DECLARED,
            owner: *OWNER,
            group: bytes(group),
            group_end: 0,
            text: bytes(text),
            text_end: 0,
        }
    }

    /// Returns the text of the declaration, so that a program does not need to store it twice.
    pub const fn text(&self) -> &[u8; TEXT_BYTES] {
        &self.text
    }
}

const fn bytes<const BYTES: usize>(text: &str) -> [u8; BYTES] {
    match text.as_bytes().first_chunk() {
        Some(bytes) => *bytes,
        None => [0; BYTES],
    }
}

/// Returns the group and the text of a declaration, or `None` if `note` is not a valid declaration.
pub fn decode_declared<'a>(note: &Note<'a>) -> Option<(&'a str, &'a str)> {
    if note.owner != b"ringtrace" || note.kind != KIND_DECLARED {
        return None;
    }
    let (group, rest) = string(note.descriptor)?;
    let declaration = rest.strip_suffix(&[0])?;
    Some((core::str::from_utf8(group).ok()?, core::str::from_utf8(declaration).ok()?))
}

/// The name of the section with the groups of C programs. It contains an array of `struct
/// ringtrace_group`, which `trace/control-internal.h` defines.
pub const GROUPS_SECTION: &str = "ringtrace_groups";

/// The number of members of `struct ringtrace_group`. All are addresses.
pub const GROUP_MEMBERS: usize = 4;

/// The index of the member that is the address of the group's name.
pub const GROUP_NAME: usize = 1;

/// The index of the member that is the address of a null-terminated array of declarations.
pub const GROUP_DECLARATIONS: usize = 3;

/// The section with addresses of `struct lttng_ust_tracepoint`, of LTTng-UST 2.13 and later.
pub const LTTNG_SECTION: &str = "lttng_ust_tracepoints_ptrs";

/// The index of the member with the address of the provider's name. Members have the size of an
/// address.
pub const LTTNG_PROVIDER: usize = 1;

/// The index of the member with the address of the event's name. Members have the size of an
/// address.
pub const LTTNG_NAME: usize = 2;

/// Returns the address at offset `offset`. Addresses are `address_bytes` bytes long (4 or 8).
pub fn address_at(bytes: &[u8], offset: usize, order: ByteOrder, address_bytes: usize) -> Option<u64> {
    match address_bytes {
        4 => u32_at(bytes, offset, order).map(u64::from),
        _ => u64_at(bytes, offset, order),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUP: &str = "blk";
    const TEXT: &str = "blk_read(int len) \"len %d\"";

    #[test]
    fn a_declaration_round_trips() {
        let note = Declared::<{ GROUP.len() }, { TEXT.len() }>::new(GROUP, TEXT);
        assert_eq!(note.text(), TEXT.as_bytes());
        let mut section = Vec::new();
        for word in [note.owner_bytes, note.descriptor_bytes, note.kind] {
            section.extend(ByteOrder::NATIVE.put_u32(word));
        }
        section.extend(note.owner);
        section.extend(note.group);
        section.push(note.group_end);
        section.extend(note.text);
        section.push(note.text_end);
        section.resize(size_of_val(&note), 0);

        let two = [&*section, &*section].concat();
        let notes: Vec<_> = Notes::new(&two, ByteOrder::NATIVE).collect();
        assert_eq!(notes.len(), 2);
        for note in notes {
            assert_eq!(decode_declared(&note.unwrap()), Some((GROUP, TEXT)));
        }
        for length in 1..section.len() {
            let mut cut = Notes::new(&two[..section.len() + length], ByteOrder::NATIVE).skip(1);
            // Only the padding can be missing.
            assert!(cut.next().unwrap().is_err() || length + 4 > section.len());
            assert!(cut.next().is_none());
        }
    }

    #[test]
    fn probes_of_both_sizes_and_orders() {
        for (order, size) in
            [(ByteOrder::Little, 8), (ByteOrder::Big, 8), (ByteOrder::Little, 4), (ByteOrder::Big, 4)]
        {
            let mut descriptor = Vec::new();
            for address in [0x1000_u64, 0x2000, 0] {
                match size {
                    4 => descriptor.extend(order.put_u32(address as u32)),
                    _ => descriptor.extend(order.put_u64(address)),
                }
            }
            descriptor.extend(b"blk\0read\0-4@%edi 8@%rsi\0");
            let note = Note { owner: b"stapsdt", kind: 3, descriptor: &descriptor, offset: 0 };
            let expected = Usdt {
                location: 0x1000,
                base: 0x2000,
                semaphore: 0,
                provider: b"blk",
                name: b"read",
                arguments: b"-4@%edi 8@%rsi",
            };
            assert_eq!(Usdt::decode(&note, order, size), Some(expected));
            assert_eq!(Usdt::decode(&Note { kind: 4, ..note }, order, size), None);
            let cut = Note { descriptor: &descriptor[..descriptor.len() - 1], ..note };
            assert_eq!(Usdt::decode(&cut, order, size), None);
        }
    }
}
