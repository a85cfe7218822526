//! Reads the declarations of C programs, and LTTng tracepoints. Both are found through pointers to
//! strings. The loader stores these pointers in the program's memory.

use std::cell::Cell;
use std::collections::HashMap;

use object::{Object, ObjectSection, ReadRef, RelocationTarget};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::note::{
    GROUP_DECLARATIONS, GROUP_MEMBERS, GROUP_NAME, GROUPS_SECTION, LTTNG_NAME, LTTNG_PROVIDER, LTTNG_SECTION,
    address_at,
};

const MAX_TEXT_BYTES: usize = 1 << 16;

/// Maximum number of unterminated strings to scan. In a damaged file every address can point to an
/// unterminated string, which takes a long time to scan.
const MAX_ENDLESS: usize = 1000;

/// Maximum number of data sections. Compilers create fewer. In a damaged file, each could be as
/// large as the file.
const MAX_SECTIONS: usize = 16;

/// A program's memory after loading.
struct Memory<'file, 'data, R: ReadRef<'data>> {
    /// The sections' addresses and contents.
    sections: Vec<(u64, &'data [u8])>,
    /// Addresses computed by the loader, keyed by the location where it stores them.
    relocated: HashMap<u64, u64>,
    order: ByteOrder,
    address_bytes: usize,
    endless: Cell<usize>,
    file: &'file object::File<'data, R>,
}

/// Strings found in a program's memory.
#[derive(Debug, Default)]
pub(crate) struct MemoryTexts {
    /// Declarations: the group and the source text of each.
    pub declared: Vec<(String, String)>,
    /// LTTng tracepoints: the provider and the name of each.
    pub lttng: Vec<(String, String)>,
}

impl MemoryTexts {
    /// Reads the memory of the program `file`. `max_bytes` limits the total size of the strings,
    /// because a damaged file can refer to the same string repeatedly.
    pub fn read<'data, R: ReadRef<'data>>(file: &object::File<'data, R>, max_bytes: u64) -> MemoryTexts {
        let mut texts = MemoryTexts::default();
        if [GROUPS_SECTION, LTTNG_SECTION].iter().any(|name| file.section_by_name(name).is_some()) {
            let memory = Memory::new(file);
            let mut budget = Budget(usize::try_from(max_bytes).unwrap_or(usize::MAX));
            // If the budget is exhausted, return the strings found so far.
            let _ = texts.groups(&memory, &mut budget);
            let _ = texts.tracepoints(&memory, &mut budget);
        }
        texts
    }

    fn groups<'data, R: ReadRef<'data>>(
        &mut self,
        memory: &Memory<'_, 'data, R>,
        budget: &mut Budget,
    ) -> Option<()> {
        for group in memory.places(GROUPS_SECTION, GROUP_MEMBERS) {
            let member = |index| memory.address(memory.member(group, index));
            let name = member(GROUP_NAME).and_then(|at| memory.text(at));
            let (Some(name), Some(mut next)) = (name, member(GROUP_DECLARATIONS)) else { continue };
            while let Some(text) = memory.address(next).filter(|at| *at != 0).and_then(|at| memory.text(at)) {
                budget.take(name.len() + text.len() + memory.address_bytes)?;
                self.declared.push((name.clone(), text));
                next = memory.member(next, 1);
            }
        }
        Some(())
    }

    fn tracepoints<'data, R: ReadRef<'data>>(
        &mut self,
        memory: &Memory<'_, 'data, R>,
        budget: &mut Budget,
    ) -> Option<()> {
        for place in memory.places(LTTNG_SECTION, 1) {
            let text = |tracepoint, index| memory.text(memory.address(memory.member(tracepoint, index))?);
            let Some(tracepoint) = memory.address(place) else { continue };
            let (provider, name) = (text(tracepoint, LTTNG_PROVIDER), text(tracepoint, LTTNG_NAME));
            let (Some(provider), Some(name)) = (provider, name) else { continue };
            budget.take(provider.len() + name.len() + memory.address_bytes)?;
            self.lttng.push((provider, name));
        }
        Some(())
    }
}

/// Number of bytes that may still be read as strings.
struct Budget(usize);

impl Budget {
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
        // Ignore relocations that refer to symbols.
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

    /// Returns the addresses of the structures in section `name`, each of which has `members`
    /// members.
    fn places(&self, name: &str, members: usize) -> impl Iterator<Item = u64> {
        let section = self.file.section_by_name(name);
        let (begin, bytes) = section.map_or((0, 0), |section| (section.address(), section.size()));
        // In a damaged file the size can be any number, so limit it to the section's contents.
        let bytes = self.bytes(begin).map_or(0, |there| bytes.min(there.len() as u64));
        let each = (members * self.address_bytes) as u64;
        (0..bytes / each).map(move |index| begin + index * each)
    }

    /// Returns the address of member `index` of the structure at `address`.
    fn member(&self, address: u64, index: usize) -> u64 {
        address.wrapping_add((index * self.address_bytes) as u64)
    }

    /// Returns the bytes from `address` to the end of its section.
    fn bytes(&self, address: u64) -> Option<&'data [u8]> {
        self.sections.iter().find_map(|(begin, bytes)| {
            let offset = usize::try_from(address.checked_sub(*begin)?).ok()?;
            bytes.get(offset..).filter(|rest| !rest.is_empty())
        })
    }

    /// Reads the address stored at `address`.
    fn address(&self, address: u64) -> Option<u64> {
        if let Some(relocated) = self.relocated.get(&address) {
            return Some(*relocated);
        }
        address_at(self.bytes(address)?, 0, self.order, self.address_bytes)
    }

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
