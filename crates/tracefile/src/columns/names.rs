//! Dictionaries of names that grow while a trace is read.

use std::sync::{Arc, Mutex, MutexGuard};

use super::buffer::Strings;
use crate::entry::key::KeyMap;
use crate::error::unpoisoned;

/// Names, each with a key. Clones on other threads share the keys, also those of names that are added
/// later.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    /// The keys that were used here, so that a known name needs no lock.
    keys: KeyMap<Box<str>, u32>,
    all: Arc<Mutex<AllNames>>,
}

/// A batch shares the strings, which are copied before they grow.
#[derive(Debug, Default)]
struct AllNames {
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
        let mut all = self.all();
        let key = match all.keys.get(name) {
            Some(&key) => key,
            None => {
                let key = all.strings.len() as u32;
                Arc::make_mut(&mut all.strings).push(name);
                all.keys.insert(name.into(), key);
                key
            }
        };
        drop(all);
        self.keys.insert(name.into(), key);
        key
    }

    /// Returns all names so far, by key.
    pub(super) fn strings(&self) -> Arc<Strings> {
        Arc::clone(&self.all().strings)
    }

    fn all(&self) -> MutexGuard<'_, AllNames> {
        // No code that holds the lock panics. Even if it did, the names would be consistent.
        unpoisoned(self.all.lock())
    }
}
