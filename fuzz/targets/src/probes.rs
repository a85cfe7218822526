//! The tracepoints of executables.
//!
//! An input is an ELF file.

use ringtrace_binary::{Event, Inventory};
use ringtrace_events::SourceFile;
use ringtrace_events::parse::{Dialect, parse};

use crate::Target;

pub(crate) const TARGET: Target = Target {
    name: "probes",
    about: "events are sorted and unique; probes have addresses; additional declarations only add information",
    max_bytes: 4096,
    run,
};

fn run(data: &[u8]) {
    let Ok(inventory) = Inventory::of_bytes(data, &[]) else { return };
    let key = |event: &Event| (event.family().map(str::to_owned), event.name.clone());
    assert!(inventory.events.is_sorted_by_key(key));
    for event in &inventory.events {
        assert!(!event.is_disabled() || event.declaration.is_some());
        let _ = event.format();
        if let Some(usdt) = &event.usdt {
            assert!(!usdt.sites.is_empty());
            assert!(usdt.sites.iter().all(|site| site.operands.len() <= data.len()));
        }
        if event.declaration.is_none() {
            assert_eq!(event.arguments().len(), event.operands().len());
        }
    }
    let given = parse(vec![SourceFile::new("given", "read(int a) \"%d\"\na(void) \"\"\n")], Dialect::Read);
    let completed = Inventory::of_bytes(data, &given.declarations.events).expect("it was read before");
    assert_eq!(completed.events.len(), inventory.events.len());
}
