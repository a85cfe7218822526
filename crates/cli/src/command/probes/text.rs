//! The text output.

use std::fmt::Write;
use std::path::Path;

use ringtrace_binary::{Argument, Event, Inventory};
use ringtrace_events::message::visible;

use crate::binaries::full_name;
use crate::quantity::counted;
use crate::terminal::Terminal;

/// Renders a heading and one line for each event; with `long`, several lines. `all` is the number
/// of events before filtering.
pub fn render(path: &Path, inventory: &Inventory, all: usize, long: bool, terminal: &Terminal) -> String {
    let mut out = format!("{}\n", terminal.paint("1", &head(path, inventory, all)));
    let width = inventory.events.iter().map(|event| kind(event).len()).max().unwrap_or(0);
    for event in &inventory.events {
        let kind = kind(event);
        let (before, name) = (" ".repeat(width - kind.len()), visible::text(&full_name(event)));
        let kind = terminal.paint(if kind == "-" || event.is_disabled() { "2" } else { "32" }, kind);
        let name = terminal.paint("1", &name);
        let _ = writeln!(out, "  {kind}{before}  {name}({})", visible::text(&arguments(event)));
        if long {
            details(event, width, terminal, &mut out);
        }
    }
    out
}

/// Returns a heading such as `PATH: 18 events, 17 with USDT probes`.
fn head(path: &Path, inventory: &Inventory, all: usize) -> String {
    let path = visible::text(&path.display().to_string());
    if inventory.events.is_empty() && all > 0 {
        return format!("{path}: {}, none of which match", counted(all as u64, "event", "events"));
    }
    let all = inventory.events.len() as u64;
    let probes = inventory.events.iter().filter(|event| event.usdt.is_some()).count() as u64;
    match (all, probes) {
        (0, _) => format!("{path}: no event, no USDT probe"),
        (_, 0) => format!("{path}: {}, no USDT probe", counted(all, "event", "events")),
        _ if all == probes => format!("{path}: {}", counted(all, "USDT probe", "USDT probes")),
        _ => format!("{path}: {}, {probes} with USDT probes", counted(all, "event", "events")),
    }
}

/// Returns how an external tracer can use the event.
fn kind(event: &Event) -> &'static str {
    let semaphore = event.usdt.as_ref().map(|usdt| usdt.semaphore.is_some());
    match (semaphore, &event.lttng) {
        (Some(true), None) => "usdt",
        (Some(true), Some(_)) => "usdt, lttng",
        (Some(false), None) => "usdt, always",
        (Some(false), Some(_)) => "usdt, always, lttng",
        (None, Some(_)) => "lttng",
        (None, None) if event.is_disabled() => "disabled",
        (None, None) => "-",
    }
}

/// Returns the arguments as in a declaration, or `..` for an event known only as a symbol.
fn arguments(event: &Event) -> String {
    if event.declaration.is_none() && event.usdt.is_none() {
        return "..".to_owned();
    }
    let each = event.arguments().into_iter().map(|Argument { name, ctype, .. }| match name {
        Some(name) if ctype.ends_with('*') => format!("{ctype}{name}"),
        Some(name) => format!("{ctype} {name}"),
        None => ctype.to_owned(),
    });
    each.collect::<Vec<String>>().join(", ")
}

/// Appends the event's format, and each location of its probe.
fn details(event: &Event, width: usize, terminal: &Terminal, out: &mut String) {
    let indentation = " ".repeat(width + 6);
    if let Some(format) = event.format() {
        let _ = writeln!(out, "{indentation}{}", terminal.paint("2", &visible::text(format)));
    }
    let Some(usdt) = &event.usdt else { return };
    for site in &usdt.sites {
        let mut line = format!("at {:#x}", site.address);
        if let Some(semaphore) = usdt.semaphore {
            let _ = write!(line, ", semaphore {semaphore:#x}");
        }
        let mut separator = ": ";
        for operand in &site.operands {
            let _ = write!(line, "{separator}{} {}", operand.ctype(), visible::text(&operand.place));
            separator = ", ";
        }
        let _ = writeln!(out, "{indentation}{line}");
    }
}
