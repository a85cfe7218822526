//! The declarations of C programs: addresses of texts in the program's memory, which the loader fills in.

use std::collections::HashMap;

use object::{Object, ObjectSection, ReadRef, RelocationTarget};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::described::{DECLARATIONS, GROUPS_SECTION, MEMBERS, NAME, address_at};

/// Longer texts are no declarations.
const MAX_TEXT_BYTES: usize = 1 << 16;

/// More sections of data than compilers make. In a damaged file each could be as large as the file.
const MAX_SECTIONS: usize = 16;

/// A program's memory as it is when it was loaded.
struct Memory<'file, 'data, R: ReadRef<'data>> {
    /// Sections by address: where each begins, and its bytes.
    sections: Vec<(u64, &'data [u8])>,
    /// Addresses that the loader computes, by where they stand.
    relocated: HashMap<u64, u64>,
    file: &'file object::File<'data, R>,
}

/// The declarations of all groups that describe themselves: the group's name and the text. `max_bytes` bounds what they take
/// together, for a damaged file can name the same text over and over.
pub(crate) fn declarations<'data, R: ReadRef<'data>>(
    file: &object::File<'data, R>,
    max_bytes: u64,
) -> Vec<(String, String)> {
    let Some(groups) = file.section_by_name(GROUPS_SECTION) else { return Vec::new() };
    let memory = Memory::new(file);
    let address_bytes = memory.address_bytes();
    let mut left_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX);
    let mut declared = Vec::new();
    let group_bytes = (MEMBERS * address_bytes) as u64;
    for group in 0..groups.size() / group_bytes {
        let member = |index: usize| {
            memory.address(groups.address() + group * group_bytes + (index * address_bytes) as u64)
        };
        let (Some(name), Some(mut next)) =
            (member(NAME).and_then(|at| memory.text(at)), member(DECLARATIONS))
        else {
            continue;
        };
        while let Some(text) = memory.address(next).filter(|at| *at != 0).and_then(|at| memory.text(at)) {
            let Some(left) = left_bytes.checked_sub(name.len() + text.len() + address_bytes) else {
                return declared;
            };
            left_bytes = left;
            declared.push((name.clone(), text));
            next = next.wrapping_add(address_bytes as u64);
        }
    }
    declared
}

impl<'file, 'data, R: ReadRef<'data>> Memory<'file, 'data, R> {
    fn new(file: &'file object::File<'data, R>) -> Memory<'file, 'data, R> {
        let holds_data =
            |name: &str| [GROUPS_SECTION, ".data", ".rodata"].iter().any(|kind| name.starts_with(kind));
        let sections =
            file.sections().filter(|section| section.name().is_ok_and(holds_data)).take(MAX_SECTIONS);
        let sections =
            sections.filter_map(|section| Some((section.address(), section.data().ok()?))).collect();
        // Only what is in the file itself: its own places, moved.
        let own = file.dynamic_relocations().into_iter().flatten();
        let own = own.filter(|(_, relocation)| relocation.target() == RelocationTarget::Absolute);
        let relocated = own
            .filter(|(_, relocation)| !relocation.has_implicit_addend())
            .map(|(at, relocation)| (at, relocation.addend().cast_unsigned()))
            .collect();
        Memory { sections, relocated, file }
    }

    fn address_bytes(&self) -> usize {
        if self.file.is_64() { 8 } else { 4 }
    }

    /// The bytes from `address` on to the end of its section.
    fn bytes(&self, address: u64) -> Option<&'data [u8]> {
        self.sections.iter().find_map(|(begin, bytes)| {
            let offset = usize::try_from(address.checked_sub(*begin)?).ok()?;
            bytes.get(offset..).filter(|rest| !rest.is_empty())
        })
    }

    /// The address that stands at `address`.
    fn address(&self, address: u64) -> Option<u64> {
        if let Some(relocated) = self.relocated.get(&address) {
            return Some(*relocated);
        }
        let order = if self.file.is_little_endian() { ByteOrder::Little } else { ByteOrder::Big };
        address_at(self.bytes(address)?, 0, order, self.address_bytes())
    }

    /// The text at `address`, up to its NUL.
    fn text(&self, address: u64) -> Option<String> {
        let bytes = self.bytes(address)?;
        let bytes = bytes.get(..bytes.len().min(MAX_TEXT_BYTES))?;
        let end = bytes.iter().position(|byte| *byte == 0)?;
        String::from_utf8(bytes.get(..end)?.to_owned()).ok()
    }
}
