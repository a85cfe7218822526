//! Dictionaries of names that grow while a trace is read.

use std::sync::Arc;

use super::buffer::Strings;
use crate::entry::key::KeyMap;

/// Names, each with a key. A batch shares the strings, which are copied before they grow.
#[derive(Debug, Default)]
pub(super) struct Names {
    keys: KeyMap<Box<str>, u32>,
    strings: Arc<Strings>,
}

impl Names {
    /// Returns the key of `name`, which is added if it is new.
    pub(super) fn key(&mut self, name: &str) -> u32 {
        match self.keys.get(name) {
            Some(&key) => key,
            None => self.add(name),
        }
    }

    #[cold]
    fn add(&mut self, name: &str) -> u32 {
        let key = self.strings.len() as u32;
        Arc::make_mut(&mut self.strings).push(name);
        self.keys.insert(name.into(), key);
        key
    }

    pub(super) fn strings(&self) -> &Arc<Strings> {
        &self.strings
    }
}
