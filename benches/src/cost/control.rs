//! The cost of control: enabling and disabling all events of a large program, and reading the count
//! of each event.

use std::hint::black_box;
use std::sync::atomic::{AtomicI32, AtomicU16, AtomicU32};

use ringtrace::ffi::Mirror;
use ringtrace::monitor::{Address, Server, Serving};
use ringtrace::status::{event_counts, status};
use ringtrace::{
    Argument, ArgumentKind, Backends, Declaration, Event, Group, Pattern, Settings, registry, session,
};
use ringtrace_benches::recording::cores;
use ringtrace_benches::recording::stopwatch::time_ns;

/// The number of events in QEMU.
const EVENTS: usize = 6011;

/// Number of measurements in a round.
const TIMES: usize = 25;

/// A size that exceeds the private caches of a core.
const OTHER_BYTES: usize = 16 << 20;

/// The language of the events, and their backends.
#[derive(Debug, Clone, Copy)]
pub enum Program {
    /// Rust, simple backend.
    Rust,
    /// Rust, simple and log backends.
    Text,
    /// C, simple and log backends.
    C,
}

/// Enables and disables all events with `*`. The figure is the time of the slower command.
///
/// # Errors
/// Fails if tracing cannot be started.
pub fn switch(rounds: usize, program: Program) -> Result<(), String> {
    let (_guard, events) = begin(program)?;
    let mut others = vec![0_u8; OTHER_BYTES];
    let mut time = |enable| {
        replace_caches(&mut others);
        let mut changed = 0;
        let ns = time_ns(|| changed = registry::set_enabled("*", enable).changed);
        if changed == events { Ok(ns) } else { Err(format!("{changed} of {events} events changed")) }
    };
    let first_ns = time(true)?;
    time(false)?;
    for _ in 0..rounds {
        let (mut on, mut off) = (Vec::new(), Vec::new());
        for _ in 0..TIMES {
            on.push(time(true)?);
            off.push(time(false)?);
        }
        let (on_ns, off_ns) = (median(on), median(off));
        println!("round {on_ns:.0} {off_ns:.0} {:.0}", on_ns.max(off_ns));
    }
    println!("note {events} events, all changed each time; the first change took {:.0} us", first_ns / 1e3);
    Ok(())
}

/// Reads the counts of each event, and the totals. The figure is the sum of both times.
///
/// # Errors
/// Fails if tracing cannot be started.
pub fn ask(rounds: usize) -> Result<(), String> {
    let (_guard, events) = begin(Program::Rust)?;
    let pattern = Pattern::of_monitor("*");
    let mut others = vec![0_u8; OTHER_BYTES];
    for _ in 0..rounds {
        let (mut counts, mut totals) = (Vec::new(), Vec::new());
        for _ in 0..TIMES {
            replace_caches(&mut others);
            let mut found = 0;
            counts.push(time_ns(|| found = black_box(event_counts(&pattern)).len()));
            if found != events {
                return Err(format!("{found} of {events} events were counted"));
            }
            replace_caches(&mut others);
            totals.push(time_ns(|| drop(black_box(status()))));
        }
        let (counts_ns, totals_ns) = (median(counts), median(totals));
        println!("round {counts_ns:.0} {totals_ns:.0} {:.0}", counts_ns + totals_ns);
    }
    println!("note {events} events, all counts are queried each time");
    Ok(())
}

/// Replaces the contents of the caches, as a program does between two commands.
fn replace_caches(others: &mut [u8]) {
    others.iter_mut().step_by(64).for_each(|byte| *byte = byte.wrapping_add(1));
    black_box(others);
}

pub fn median(mut times_ns: Vec<f64>) -> f64 {
    times_ns.sort_by(f64::total_cmp);
    times_ns[times_ns.len() / 2]
}

/// Declares the events and starts recording. Returns the number of events.
fn begin(program: Program) -> Result<((Serving, session::Guard), usize), String> {
    cores::usable().first().map_or(Ok(()), |&core| cores::stay_on(core))?;
    ringtrace::probe::register(group(matches!(program, Program::C)));
    let backends = match program {
        Program::Rust => Backends::SIMPLE,
        Program::Text | Program::C => Backends::SIMPLE | Backends::LOG,
    };
    let settings = Settings {
        file: Some("/dev/null".into()),
        log_file: Some("/dev/null".into()),
        backends,
        ..Settings::default()
    };
    let guard = session::start(settings).map_err(|error| error.to_string())?;
    // No client connects, but starting a monitor makes the runtime count each event's records, and
    // parse all formats in advance.
    let socket = std::env::temp_dir().join(format!("ringtrace-bench-{}", std::process::id()));
    let monitor = Server::new(Address::new(socket)).start().map_err(|error| error.to_string())?;
    Ok(((monitor, guard), ringtrace::events().iter().filter(|event| event.declaration().traceable).count()))
}

pub fn group(in_c: bool) -> &'static Group {
    static ENABLED_EVENTS: AtomicI32 = AtomicI32::new(0);
    static MODE: AtomicU32 = AtomicU32::new(0);
    static LOG_LEVELS: AtomicU32 = AtomicU32::new(0);
    let event = |number: usize| -> &'static Event {
        let name = format!("subsystem_{}_operation_{number}", number / 40).leak();
        let format = r#""request %p offset 0x%"PRIx64" bytes %u status %d %s""#;
        let types = "void *request, uint64_t offset, unsigned int bytes, int status, const char *name";
        let declaration = Declaration {
            name,
            group: "bench_control",
            arguments: ARGUMENTS,
            format: Some(format),
            text: format!("{name}({types}) {format}").leak(),
            traceable: true,
        };
        let mirror = || Mirror {
            enabled: Box::leak(Box::new(AtomicU16::new(0))),
            enabled_events: &ENABLED_EVENTS,
            mode: &MODE,
            log_levels: &LOG_LEVELS,
            elsewhere: Backends::NONE,
        };
        Box::leak(Box::new(if in_c {
            Event::mirrored(declaration, Box::leak(Box::new(mirror())))
        } else {
            Event::new(declaration)
        }))
    };
    let own = ringtrace::events().len();
    let events = (0..EVENTS - own).map(event).collect::<Vec<_>>();
    Box::leak(Box::new(Group::new("bench_control", events.leak())))
}

const ARGUMENTS: &[Argument] = &[
    Argument { name: "request", ctype: "void *", kind: ArgumentKind::Pointer },
    Argument { name: "offset", ctype: "uint64_t", kind: ArgumentKind::Integer },
    Argument { name: "bytes", ctype: "unsigned int", kind: ArgumentKind::Integer },
    Argument { name: "status", ctype: "int", kind: ArgumentKind::Integer },
    Argument { name: "name", ctype: "const char *", kind: ArgumentKind::Str },
];
