//! All that a file offers, each event once.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;

use object::ReadCache;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::{self as events, SourceFile};

use crate::elf::{Said, UsdtNote, look};
use crate::{Event, Site, Unreadable, Usdt, operands};

/// What a file offers to tracers.
#[derive(Debug, Clone, Default)]
pub struct Inventory {
    /// The events, in order of provider or group and name.
    pub events: Vec<Event>,
    /// What was left out because it makes no sense, a sentence each.
    pub oddities: Vec<String>,
}

impl Inventory {
    /// What the file offers. `given` are declarations for events that the file itself says less of.
    ///
    /// # Errors
    /// The file is no ELF file, or damaged.
    pub fn of_file(file: &File, given: &[events::Event]) -> Result<Inventory, Unreadable> {
        let cache = ReadCache::new(file);
        Ok(Inventory::new(look(&cache)?, given))
    }

    /// [`Inventory::of_file`], of a file in memory.
    ///
    /// # Errors
    /// The file is no ELF file, or damaged.
    pub fn of_bytes(bytes: &[u8], given: &[events::Event]) -> Result<Inventory, Unreadable> {
        Ok(Inventory::new(look(bytes)?, given))
    }

    fn new(said: Said, given: &[events::Event]) -> Inventory {
        let mut oddities = said.oddities;
        let declared = declarations(said.declared, &mut oddities);
        let mut events = probes(said.usdt);
        let mut place_of: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, event) in events.iter().enumerate() {
            place_of.entry(event.name.clone()).or_default().push(place);
        }

        // Groups are the providers of Rust's probes. C has one provider for all groups, where the name decides.
        for (group, declaration) in declared {
            let same_name = place_of.get(declaration.name.as_str()).map_or(&[][..], Vec::as_slice);
            let place = same_name
                .iter()
                .find(|place| events[**place].family() == Some(&group))
                .or_else(|| same_name.iter().find(|place| events[**place].declaration.is_none()));
            match place {
                Some(place) => {
                    events[*place].group = Some(group);
                    events[*place].declaration = Some(declaration);
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

        tracepoints(said.lttng, &mut events);

        let known: HashMap<String, ()> =
            events.iter().map(|event| (event.name.to_ascii_uppercase(), ())).collect();
        let only_symbols = said.capitals.into_iter().filter(|name| !known.contains_key(name));
        events.extend(only_symbols.map(|name| Event {
            name,
            group: None,
            declaration: None,
            usdt: None,
            lttng: None,
        }));
        complete(&mut events, given);
        events.sort_by(|a, b| (a.family(), &*a.name).cmp(&(b.family(), &*b.name)));
        Inventory { events, oddities }
    }
}

/// The probes of all notes: those of one name and provider are one, at several places.
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

/// Adds LTTng's tracepoints to the events of their names; of one family, if several are called the same.
fn tracepoints(tracepoints: Vec<(String, String)>, events: &mut Vec<Event>) {
    let mut place_of: HashMap<String, usize> = HashMap::new();
    for (place, event) in events.iter().enumerate() {
        place_of.insert(event.name.clone(), place);
        place_of.insert(format!("{}:{}", event.family().unwrap_or_default(), event.name), place);
    }
    for (provider, name) in tracepoints {
        let own = place_of.get(&format!("{provider}:{name}")).or_else(|| place_of.get(&name)).copied();
        match own.and_then(|place| events.get_mut(place)).filter(|event| event.lttng.is_none()) {
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

/// The declarations that a program carries, with their groups.
fn declarations(texts: Vec<(String, String)>, oddities: &mut Vec<String>) -> Vec<(String, events::Event)> {
    // All at once: a line is a declaration, and says from which note it comes.
    let (groups, lines): (Vec<String>, Vec<String>) = texts.into_iter().unzip();
    let text: String = lines.iter().map(|line| line.replace('\n', " ") + "\n").collect();
    let parsed = parse(vec![SourceFile::new("declarations", text)], Dialect::Read);
    let left_out = lines.len().saturating_sub(parsed.declarations.events.len());
    if left_out > 0 {
        let plural = if left_out == 1 { "" } else { "s" };
        oddities.push(format!("{left_out} declaration{plural} in it cannot be understood"));
    }
    let group_of =
        |event: &events::Event| groups.get(event.line.wrapping_sub(1)).cloned().unwrap_or_default();
    parsed.declarations.events.into_iter().map(|event| (group_of(&event), event)).collect()
}

/// Adds declarations that were given, where the program has none. A symbol gets its name back.
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
