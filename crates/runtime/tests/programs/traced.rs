//! A traced program for tests of options. It prints which of its events are on, and exits.

#![allow(clippy::print_stdout, reason = "tests read the program's output")]

use ringtrace::{Declaration, Event, Options, StartError};

const fn event(name: &'static str, group: &'static str, traceable: bool) -> Event {
    Event::new(Declaration { name, group, arguments: &[], format: None, text: name, traceable })
}

mod blk {
    use super::{Event, event};

    static READ: Event = event("blk_read", "blk", true);
    static READ_DONE: Event = event("blk_read_done", "blk", true);
    static WRITE: Event = event("blk_write", "blk", true);
    static OLD_READ: Event = event("old_read", "blk", false);
    static SHARED: Event = event("shared", "blk", true);

    ringtrace::group! { name: "blk", events: [&READ, &READ_DONE, &WRITE, &OLD_READ, &SHARED] }
}

mod net {
    use super::{Event, event};

    static RX: Event = event("net_rx", "net", true);
    static TX: Event = event("net_tx", "net", true);
    static SHARED: Event = event("shared", "net", true);

    ringtrace::group! { name: "net", events: [&RX, &TX, &SHARED] }
}

fn main() -> Result<(), StartError> {
    let options = Options::from_env_and_args()?;
    #[cfg(feature = "monitor")]
    let options = options.with_monitor()?;
    let guard = options.start()?;
    match guard.path() {
        Some(path) => print!("records to {}:", path.file_name().unwrap_or_default().display()),
        None => print!("records nothing:"),
    }
    for event in ringtrace::events().iter().filter(|event| event.is_enabled()) {
        print!(" {}", event.name());
    }
    println!();
    #[cfg(feature = "monitor")]
    for socket in guard.sockets() {
        println!("serves {}", socket.display());
    }
    Ok(())
}
