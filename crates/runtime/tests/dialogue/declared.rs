//! Events that are declared at run time.

use std::path::Path;

use ringtrace::registry::{register, unregister};
use ringtrace::{Declaration, Event, Group};
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::text::SourceFile;

/// The events of a declarations file, registered until this value is dropped.
pub struct Declared(&'static Group);

impl Declared {
    /// Registers the events of a file that `is_wanted` selects, as a group with the file's name.
    pub fn of(path: &Path, is_wanted: impl Fn(&str) -> bool) -> Declared {
        let text = std::fs::read_to_string(path).unwrap();
        let parsed = parse(vec![SourceFile::new("events", text)], Dialect::NEW);
        let leak = |text: &str| -> &'static str { text.to_owned().leak() };
        let name = leak(&path.file_stem().unwrap().to_string_lossy());
        let event = |event: &ringtrace_events::declaration::Event| -> &'static Event {
            Box::leak(Box::new(Event::new(Declaration {
                name: leak(event.name.as_str()),
                group: name,
                arguments: &[],
                format: event.format.as_ref().map(|format| leak(format.as_str())),
                text: leak(event.declaration.as_str()),
                traceable: !event.disabled,
            })))
        };
        let events = parsed.declarations.events.iter().filter(|event| is_wanted(event.name.as_str()));
        let events: Vec<_> = events.map(event).collect();
        let group: &'static Group = Box::leak(Box::new(Group::new(name, events.leak())));
        register(group);
        Declared(group)
    }

    pub fn events(&self) -> &'static [&'static Event] {
        self.0.events()
    }
}

impl Drop for Declared {
    fn drop(&mut self) {
        unregister(self.0);
    }
}
