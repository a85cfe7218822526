//! A traced program that parses its arguments with clap.

#![allow(clippy::print_stdout, reason = "tests read the program's output")]

use clap::Parser;
use ringtrace::{Declaration, Event, StartError};

const fn event(name: &'static str) -> Event {
    Event::new(Declaration { name, group: "blk", arguments: &[], format: None, text: name, traceable: true })
}

static READ: Event = event("blk_read");
static WRITE: Event = event("blk_write");

ringtrace::group! { name: "blk", events: [&READ, &WRITE] }

/// Pretends to copy a disk.
#[derive(Debug, Parser)]
struct Arguments {
    /// The disk
    disk: String,
    #[command(flatten)]
    trace: ringtrace::clap::TraceArgs,
    #[command(flatten)]
    monitor: ringtrace::clap::MonitorArgs,
}

fn main() -> Result<(), StartError> {
    let arguments = Arguments::parse();
    let guard = arguments.trace.with_monitor(arguments.monitor).start()?;
    print!("{} {}:", arguments.disk, if guard.path().is_some() { "is traced" } else { "is not traced" });
    for event in ringtrace::events().iter().filter(|event| event.is_enabled()) {
        print!(" {}", event.name());
    }
    println!();
    for socket in guard.sockets() {
        println!("serves {}", socket.display());
    }
    Ok(())
}
