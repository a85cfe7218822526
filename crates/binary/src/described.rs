//! The declarations of C programs, and tracepoints of LTTng: addresses of texts in the program's memory, which the loader fills in.

use std::cell::Cell;
use std::collections::HashMap;

use object::{Object, ObjectSection, ReadRef, RelocationTarget};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::note::{
    GROUP_DECLARATIONS, GROUP_MEMBERS, GROUP_NAME, GROUPS_SECTION, LTTNG_NAME, LTTNG_PROVIDER, LTTNG_SECTION,
    address_at,
};

/// Longer texts are no declarations.
const MAX_TEXT_BYTES: usize = 1 << 16;

/// In a damaged file every address can be one of a text without an end, and each takes its time. So many are looked for.
const MAX_ENDLESS: usize = 1000;

/// More sections of data than compilers make. In a damaged file each could be as large as the file.
const MAX_SECTIONS: usize = 16;

/// A program's memory as it is when it was loaded.
struct Memory<'file, 'data, R: ReadRef<'data>> {
    /// Sections by address: where each begins, and its bytes.
    sections: Vec<(u64, &'data [u8])>,
    /// Addresses that the loader computes, by where they stand.
    relocated: HashMap<u64, u64>,
    order: ByteOrder,
    address_bytes: usize,
    /// How many texts had no end.
    endless: Cell<usize>,
    file: &'file object::File<'data, R>,
}

/// What stands in a program's memory.
#[derive(Debug, Default)]
pub(crate) struct Described {
    /// The declarations of groups: the group's name and the text.
    pub declared: Vec<(String, String)>,
    /// Tracepoints of LTTng: provider and name.
    pub lttng: Vec<(String, String)>,
}

impl Described {
    /// What is in the memory of the program `file`. `max_bytes` bounds what the texts take together, for a damaged file can name the same
    /// one over and over.
    pub fn read<'data, R: ReadRef<'data>>(file: &object::File<'data, R>, max_bytes: u64) -> Described {
        let mut described = Described::default();
        if [GROUPS_SECTION, LTTNG_SECTION].iter().any(|name| file.section_by_name(name).is_some()) {
            let memory = Memory::new(file);
            let mut left = Left(usize::try_from(max_bytes).unwrap_or(usize::MAX));
            // Where nothing is left, what was found is enough.
            let _ = described.groups(&memory, &mut left);
            let _ = described.tracepoints(&memory, &mut left);
        }
        described
    }

    fn groups<'data, R: ReadRef<'data>>(
        &mut self,
        memory: &Memory<'_, 'data, R>,
        left: &mut Left,
    ) -> Option<()> {
        for group in memory.places(GROUPS_SECTION, GROUP_MEMBERS) {
            let member = |index| memory.address(memory.member(group, index));
            let name = member(GROUP_NAME).and_then(|at| memory.text(at));
            let (Some(name), Some(mut next)) = (name, member(GROUP_DECLARATIONS)) else { continue };
            while let Some(text) = memory.address(next).filter(|at| *at != 0).and_then(|at| memory.text(at)) {
                left.take(name.len() + text.len() + memory.address_bytes)?;
                self.declared.push((name.clone(), text));
                next = memory.member(next, 1);
            }
        }
        Some(())
    }

    fn tracepoints<'data, R: ReadRef<'data>>(
        &mut self,
        memory: &Memory<'_, 'data, R>,
        left: &mut Left,
    ) -> Option<()> {
        for place in memory.places(LTTNG_SECTION, 1) {
            let text = |tracepoint, index| memory.text(memory.address(memory.member(tracepoint, index))?);
            let Some(tracepoint) = memory.address(place) else { continue };
            let (provider, name) = (text(tracepoint, LTTNG_PROVIDER), text(tracepoint, LTTNG_NAME));
            let (Some(provider), Some(name)) = (provider, name) else { continue };
            left.take(provider.len() + name.len() + memory.address_bytes)?;
            self.lttng.push((provider, name));
        }
        Some(())
    }
}

/// Bytes that texts may still take.
struct Left(usize);

impl Left {
    fn take(&mut self, bytes: usize) -> Option<()> {
        self.0 = self.0.checked_sub(bytes)?;
        Some(())
    }
}

impl<'file, 'data, R: ReadRef<'data>> Memory<'file, 'data, R> {
    fn new(file: &'file object::File<'data, R>) -> Memory<'file, 'data, R> {
        let holds_data = |name: &str| {
            [GROUPS_SECTION, "lttng_ust_tracepoints", ".data", ".rodata"]
                .iter()
                .any(|kind| name.starts_with(kind))
        };
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
        let order = if file.is_little_endian() { ByteOrder::Little } else { ByteOrder::Big };
        let address_bytes = if file.is_64() { 8 } else { 4 };
        Memory { sections, relocated, order, address_bytes, endless: Cell::new(0), file }
    }

    /// The addresses of the structures, of so many members each, that the section `name` consists of.
    fn places(&self, name: &str, members: usize) -> impl Iterator<Item = u64> {
        let section = self.file.section_by_name(name);
        let (begin, bytes) = section.map_or((0, 0), |section| (section.address(), section.size()));
        // Damaged, it can claim any size.
        let bytes = self.bytes(begin).map_or(0, |there| bytes.min(there.len() as u64));
        let each = (members * self.address_bytes) as u64;
        (0..bytes / each).map(move |index| begin + index * each)
    }

    /// The address of the member `index` of the structure at `address`.
    fn member(&self, address: u64, index: usize) -> u64 {
        address.wrapping_add((index * self.address_bytes) as u64)
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
        address_at(self.bytes(address)?, 0, self.order, self.address_bytes)
    }

    /// The text at `address`, up to its NUL.
    fn text(&self, address: u64) -> Option<String> {
        let bytes = self.bytes(address).filter(|_| self.endless.get() < MAX_ENDLESS)?;
        let bytes = bytes.get(..bytes.len().min(MAX_TEXT_BYTES))?;
        let Some(end) = bytes.iter().position(|byte| *byte == 0) else {
            self.endless.set(self.endless.get() + 1);
            return None;
        };
        String::from_utf8(bytes.get(..end)?.to_owned()).ok()
    }
}
