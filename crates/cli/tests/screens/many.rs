//! Tests `ringtrace ctl` with a program that has 6,011 events, as many as QEMU. This test program
//! itself is the controlled program.

use ringtrace::monitor::{Server, Serving};
use ringtrace::registry::register;
use ringtrace::{Declaration, Event, Group};

use super::play;
use super::screen::Screen;

/// The prefixes of event names, and the number of events with each prefix.
const DEVICES: &[(&str, usize)] =
    &[("qcow2", 300), ("virtio_blk", 1200), ("virtio_net", 1500), ("usb_xhci", 1900), ("vfio", 1100)];

fn event(name: String) -> &'static Event {
    let name = name.leak();
    let declaration =
        Declaration { name, group: "many", arguments: &[], format: None, text: name, traceable: true };
    Box::leak(Box::new(Event::new(declaration)))
}

fn serve(address: &str) -> Serving {
    let names = DEVICES.iter().flat_map(|(device, count)| {
        (0..*count).map(move |n| {
            let action = ["read", "write", "reset", "irq", "map", "unmap", "attach"][n % 7];
            format!("{device}_{action}_{:03x}", n / 7)
        })
    });
    let names = names.chain((0..11).map(|n| format!("single{n}")));
    let events: Vec<&'static Event> = names.map(event).collect();
    assert_eq!(events.len(), 6011);
    register(Box::leak(Box::new(Group::new("many", events.leak()))));
    ringtrace::set_enabled("vfio_map_00?", true);
    Server::new(address.parse().unwrap()).name("vmm").start().unwrap()
}

#[test]
fn thousands_of_events_on_80_columns() {
    let folder = tempfile::tempdir().unwrap();
    let Some(screen) = Screen::open(80, 24, folder.path()) else { return };
    let _serving = serve(&format!("unix:{}", folder.path().join("socket").display()));
    let own = std::process::id().to_string();
    play::act(&screen, "many.80x24.txt", |seen| seen.replace(&own, "PID"));
}
