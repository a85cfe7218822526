//! Collects all events of a file.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;

use object::ReadCache;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::{self as events, SourceFile};

use crate::elf::{ElfContents, UsdtNote, read_elf};
use crate::{Error, Event, Site, Usdt, operands};

/// The events of an executable or library.
#[derive(Debug, Clone, Default)]
pub struct Inventory {
    /// The events, ordered by provider or group, then by name. Each event occurs once.
    pub events: Vec<Event>,
    /// Descriptions of invalid parts that were skipped, one sentence each.
    pub anomalies: Vec<String>,
}

impl Inventory {
    /// Reads a file. `given` contains declarations for events that the file itself does not fully
    /// describe.
    ///
    /// # Errors
    /// Fails if the file is not an ELF file, or is damaged.
    pub fn of_file(file: &File, given: &[events::Event]) -> Result<Inventory, Error> {
        let cache = ReadCache::new(file);
        Ok(Inventory::new(read_elf(&cache)?, given))
    }

    /// Reads a file in memory. `given` contains declarations as in [`Inventory::of_file`].
    ///
    /// # Errors
    /// Fails if the file is not an ELF file, or is damaged.
    pub fn of_bytes(bytes: &[u8], given: &[events::Event]) -> Result<Inventory, Error> {
        Ok(Inventory::new(read_elf(bytes)?, given))
    }

    fn new(contents: ElfContents, given: &[events::Event]) -> Inventory {
        let mut anomalies = contents.anomalies;
        let declared = declarations(contents.declared, &mut anomalies);
        let mut events = probes(contents.usdt);
        let mut indexes_of: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, event) in events.iter().enumerate() {
            indexes_of.entry(event.name.clone()).or_default().push(index);
        }

        // In Rust, the group is the provider of the probes. In C, all groups have the same
        // provider, so match by name.
        for (group, declaration) in declared {
            let same_name = indexes_of.get(declaration.name.as_str()).map_or(&[][..], Vec::as_slice);
            let index = same_name
                .iter()
                .find(|index| events[**index].family() == Some(&group))
                .or_else(|| same_name.iter().find(|index| events[**index].declaration.is_none()));
            match index {
                Some(index) => {
                    events[*index].group = Some(group);
                    events[*index].declaration = Some(declaration);
                }
                None => events.push(Event {
                    name: declaration.name.to_string(),
                    group: Some(group),
                    declaration: Some(declaration),
                    usdt: None,
                    lttng: None,
                }),
            }
        }

        tracepoints(contents.lttng, &mut events);

        let known: HashMap<String, ()> =
            events.iter().map(|event| (event.name.to_ascii_uppercase(), ())).collect();
        let only_symbols = contents.capitals.into_iter().filter(|name| !known.contains_key(name));
        events.extend(only_symbols.map(|name| Event {
            name,
            group: None,
            declaration: None,
            usdt: None,
            lttng: None,
        }));
        complete(&mut events, given);
        events.sort_by(|a, b| (a.family(), &*a.name).cmp(&(b.family(), &*b.name)));
        Inventory { events, anomalies }
    }
}

/// Merges the notes of each probe, identified by provider and name.
fn probes(notes: Vec<UsdtNote>) -> Vec<Event> {
    let mut probes: BTreeMap<(String, String), Usdt> = BTreeMap::new();
    for note in notes {
        let probe = probes.entry((note.provider, note.name)).or_insert_with_key(|(provider, name)| Usdt {
            provider: provider.clone(),
            name: name.clone(),
            semaphore: None,
            sites: Vec::new(),
        });
        probe.semaphore = probe.semaphore.or((note.semaphore != 0).then_some(note.semaphore));
        probe.sites.push(Site { address: note.location, operands: operands(&note.arguments) });
    }
    let events = probes.into_values().map(|usdt| Event {
        name: usdt.name.clone(),
        group: None,
        declaration: None,
        usdt: Some(usdt),
        lttng: None,
    });
    events.collect()
}

/// Adds LTTng tracepoints to the events with the same names. If several events have the same name,
/// the provider or group must match too.
fn tracepoints(tracepoints: Vec<(String, String)>, events: &mut Vec<Event>) {
    let mut indexes_of: HashMap<String, usize> = HashMap::new();
    for (index, event) in events.iter().enumerate() {
        indexes_of.insert(event.name.clone(), index);
        indexes_of.insert(format!("{}:{}", event.family().unwrap_or_default(), event.name), index);
    }
    for (provider, name) in tracepoints {
        let own = indexes_of.get(&format!("{provider}:{name}")).or_else(|| indexes_of.get(&name)).copied();
        match own.and_then(|index| events.get_mut(index)).filter(|event| event.lttng.is_none()) {
            Some(event) => event.lttng = Some(provider),
            None => {
                events.push(Event {
                    name,
                    group: None,
                    declaration: None,
                    usdt: None,
                    lttng: Some(provider),
                });
            }
        }
    }
}

/// Parses the declarations in a program and returns them with their groups.
fn declarations(texts: Vec<(String, String)>, anomalies: &mut Vec<String>) -> Vec<(String, events::Event)> {
    // Parse all declarations at once. The line number identifies the note. Lines before the last one
    // of a note declare enumerations.
    let count = texts.len();
    let (mut text, mut groups) = (String::new(), Vec::new());
    for (group, note) in texts {
        for line in note.split('\n') {
            groups.push(group.clone());
            text += line;
            text.push('\n');
        }
    }
    let parsed = parse(vec![SourceFile::new("declarations", text)], Dialect::Read);
    let left_out = count.saturating_sub(parsed.declarations.events.len());
    if left_out > 0 {
        let plural = if left_out == 1 { "" } else { "s" };
        anomalies.push(format!("{left_out} invalid declaration{plural}"));
    }
    let group_of =
        |event: &events::Event| groups.get(event.line.wrapping_sub(1)).cloned().unwrap_or_default();
    parsed.declarations.events.into_iter().map(|event| (group_of(&event), event)).collect()
}

/// Adds the given declarations to events without one, and restores the case of names that come from
/// symbols.
fn complete(events: &mut [Event], given: &[events::Event]) {
    if given.is_empty() {
        return;
    }
    let by_name: HashMap<&str, &events::Event> = given.iter().map(|event| (&*event.name, event)).collect();
    let by_capitals: HashMap<String, &events::Event> =
        given.iter().map(|event| (event.name.to_ascii_uppercase(), event)).collect();
    for event in events.iter_mut().filter(|event| event.declaration.is_none()) {
        let found = match &event.usdt {
            Some(_) => by_name.get(&*event.name).copied(),
            None if event.lttng.is_some() => by_name.get(&*event.name).copied(),
            None => by_capitals.get(&event.name).copied(),
        };
        if let Some(found) = found {
            event.name = found.name.to_string();
            event.declaration = Some(found.clone());
        }
    }
}
