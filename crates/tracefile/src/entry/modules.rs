//! The executable segments in the memory of a traced program, and the frames of its stacks.

use std::collections::BTreeMap;

use crate::metadata::Module;

/// The executable segments in a program's memory. If segments overlap, because a library was
/// unloaded, the last one applies.
#[derive(Debug, Clone, Default)]
pub struct Modules {
    by_start: BTreeMap<u64, Module>,
    changes: u64,
}

/// A frame of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The address in the program's memory.
    pub address: u64,
    /// Whether this is the address to which a call returns. The call is before it.
    pub is_return: bool,
    /// The segment that contains the address.
    pub module: Option<&'a Module>,
}

impl Frame<'_> {
    /// Returns the address in the module's file.
    pub fn file_address(&self) -> Option<u64> {
        self.module?.file_address(self.address)
    }

    /// Returns the address in the module's file that belongs to the call.
    pub fn call_address(&self) -> Option<u64> {
        self.file_address()?.checked_sub(u64::from(self.is_return))
    }
}

impl Modules {
    /// Returns the segment that contains `address`.
    pub fn find(&self, address: u64) -> Option<&Module> {
        let (_, module) = self.by_start.range(..=address).next_back()?;
        (address < module.end).then_some(module)
    }

    /// Returns all segments, by address.
    pub fn iter(&self) -> impl Iterator<Item = &Module> {
        self.by_start.values()
    }

    /// Returns a number that increases with every new segment.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    pub(crate) fn add(&mut self, module: Module) {
        if self.by_start.get(&module.start) == Some(&module) {
            return;
        }
        let before = |modules: &BTreeMap<u64, Module>| {
            let (&start, last) = modules.range(..module.end).next_back()?;
            (last.end > module.start).then_some(start)
        };
        while let Some(start) = before(&self.by_start) {
            self.by_start.remove(&start);
        }
        self.by_start.insert(module.start, module);
        self.changes += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(start: u64, end: u64, path: &str) -> Module {
        Module { start, end, address: 0x100, build_id: Vec::new(), path: path.into() }
    }

    #[test]
    fn the_last_segment_at_an_address_applies() {
        let mut modules = Modules::default();
        for (start, end, path) in [(10, 20, "a"), (20, 30, "b"), (40, 50, "c"), (15, 22, "d"), (15, 22, "d")]
        {
            modules.add(module(start, end, path));
        }
        let path = |address| modules.find(address).map(|module| &*module.path);
        assert_eq!(modules.changes(), 4);
        for (address, expected) in
            [(9, None), (10, None), (15, Some("d")), (21, Some("d")), (22, None), (40, Some("c")), (50, None)]
        {
            assert_eq!(path(address), expected.map(str::as_bytes), "{address}");
        }
    }

    #[test]
    fn a_return_address_belongs_to_the_call_before_it() {
        let module = module(10, 20, "a");
        let frame = |address, is_return| Frame { address, is_return, module: Some(&module) };
        assert_eq!(frame(12, false).call_address(), Some(0x102));
        assert_eq!(frame(12, true).file_address(), Some(0x102));
        assert_eq!(frame(12, true).call_address(), Some(0x101));
        // The call is the last instruction before the segment.
        assert_eq!(frame(10, true).call_address(), Some(0xff));
    }
}
