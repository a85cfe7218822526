//! Notes in executables and libraries (ELF): those by which tracers find USDT probes, and our own, by which a program
//! carries its declarations.
//!
//! A note is three words (length of the owner's name with its NUL, length of the descriptor, kind), the name, and the descriptor, both
//! padded to four bytes. A section is a row of them.

use crate::ByteOrder;
use crate::order::{u32_at, u64_at};

/// The section of notes with declarations.
pub const DECLARATIONS_SECTION: &str = ".note.ringtrace";

/// The section of notes of USDT probes.
pub const USDT_SECTION: &str = ".note.stapsdt";

const HEAD_BYTES: usize = 12;

/// Notes, one behind the other.
#[derive(Debug, Clone)]
pub struct Notes<'a> {
    section: &'a [u8],
    order: ByteOrder,
    at: usize,
}

/// A note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note<'a> {
    /// Whose it is, without a NUL.
    pub owner: &'a [u8],
    /// What it is, in its owner's numbers.
    pub kind: u32,
    /// What it says.
    pub descriptor: &'a [u8],
    /// Where it begins in the section.
    pub offset: usize,
}

/// A note that is longer than its section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutNote {
    /// Where it begins in the section.
    pub offset: usize,
}

impl<'a> Notes<'a> {
    /// The notes of a section.
    pub fn new(section: &'a [u8], order: ByteOrder) -> Notes<'a> {
        Notes { section, order, at: 0 }
    }

    /// The note at the current place, and where the next one is.
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

    /// After a note that is cut there is none.
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

/// What a note says of a USDT probe: kind 3 of the owner `stapsdt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usdt<'a> {
    /// The instruction's address.
    pub location: u64,
    /// The address of `.stapsdt.base`, when the note was written: from it tracers learn whether the file was moved since.
    pub base: u64,
    /// The address of the semaphore; 0: it has none.
    pub semaphore: u64,
    /// Who offers it.
    pub provider: &'a [u8],
    /// What it is called.
    pub name: &'a [u8],
    /// Where its values are, in the assembler's words: `-4@%edi 8@16(%rsp)`.
    pub arguments: &'a [u8],
}

impl<'a> Usdt<'a> {
    /// The probe that `note` is about, in a file whose addresses have `address_bytes` bytes (4 or 8); `None` when it is another's or
    /// makes no sense.
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

/// The bytes up to a NUL, and what is behind it.
fn string(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some((bytes.get(..end)?, bytes.get(end + 1..)?))
}

const OWNER: &[u8; 12] = b"ringtrace\0\0\0";
const OWNER_BYTES: usize = "ringtrace\0".len();
const KIND_DECLARED: u32 = 1;

/// A note by which a program carries a declaration: kind 1 of the owner `ringtrace`. Its descriptor is the group's name and the
/// declaration as written, each with a NUL. The two numbers are their lengths.
///
/// The compiler makes it. It is made of fields, not of bytes one by one, because of programs with thousands of events.
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
    /// The note of a declaration.
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

    /// The declaration in the note, so that a program has it once: the bytes of the `text` of `new`.
    pub const fn text(&self) -> &[u8; TEXT_BYTES] {
        &self.text
    }
}

/// The bytes of `text`, whose length is `BYTES`.
const fn bytes<const BYTES: usize>(text: &str) -> [u8; BYTES] {
    match text.as_bytes().first_chunk() {
        Some(bytes) => *bytes,
        None => [0; BYTES],
    }
}

/// The group and the declaration that `note` carries; `None` when it is another's or makes no sense.
pub fn decode_declared<'a>(note: &Note<'a>) -> Option<(&'a str, &'a str)> {
    if note.owner != b"ringtrace" || note.kind != KIND_DECLARED {
        return None;
    }
    let (group, rest) = string(note.descriptor)?;
    let declaration = rest.strip_suffix(&[0])?;
    Some((core::str::from_utf8(group).ok()?, core::str::from_utf8(declaration).ok()?))
}

/// The section with the structures that C programs have in their memory, one behind the other: `struct
/// ringtrace_group` of our `trace/control-internal.h`.
pub const GROUPS_SECTION: &str = "ringtrace_groups";

/// The members of the structure, all of them addresses.
pub const GROUP_MEMBERS: usize = 4;

/// The member that is the address of the group's name.
pub const GROUP_NAME: usize = 1;

/// The member that is the address of the declarations: addresses of texts, up to a null.
pub const GROUP_DECLARATIONS: usize = 3;

/// The section with the addresses of LTTng's structures: `struct lttng_ust_tracepoint` of LTTng-UST 2.13 and later.
pub const LTTNG_SECTION: &str = "lttng_ust_tracepoints_ptrs";

/// The member, each as long as an address, that is the address of the provider's name.
pub const LTTNG_PROVIDER: usize = 1;

/// The member that is the address of the event's name.
pub const LTTNG_NAME: usize = 2;

/// The address that stands at `offset`, where addresses have `address_bytes` bytes (4 or 8).
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
    fn what_a_program_carries_is_read_again() {
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
