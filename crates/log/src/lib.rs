//! Records the messages of programs that use [`log`](https://docs.rs/log).
//!
//! ```no_run
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     ringtrace_log::init()?;
//!     let _tracing = ringtrace_log::Options::from_env_and_args()?.start()?;
//!     log::info!("ready");
//!     Ok(())
//! }
//! ```
//!
//! ```text
//! program --trace 'my_app::*,file=app.trace'
//! ringtrace print app.trace
//! ```
//!
//! Each call of a macro is an event of its own, named after target, level and line: `warn!("slow")`
//! in line 7 of module `my_app::db` is `my_app__db__warn_7`. Its argument is the message. If the
//! target is not the module, the name also contains the file, as in `net__main_rs_info_3`, because
//! several files can use the same target.
//!
//! A call site is registered with its first message. While its event is off, a call costs a lookup
//! of the call site. While no event is on, it costs only a comparison.
//!
//! Programs that also use `tracing` can pass their messages to it with the crate `tracing-log`.
//! `ringtrace-tracing` then records them, but all messages of a level are one event.

#![forbid(unsafe_code)]

use std::sync::{Mutex, OnceLock, PoisonError};

use log::{LevelFilter, Log, Metadata, Record, SetLoggerError};
use ringtrace::dynamic::{Argument, Site, Values};

pub use ringtrace;
pub use ringtrace::{Guard, Options, StartError};

/// Makes ringtrace the logger of the program.
///
/// # Errors
/// Fails if the program already has a logger.
pub fn init() -> Result<(), SetLoggerError> {
    log::set_logger(&Logger)?;
    ringtrace::dynamic::on_switch(follow_switch);
    follow_switch();
    Ok(())
}

/// Sets the level of `log`. While no event is on, messages need not reach the logger. While any
/// event is on, all messages must reach it, so that new call sites are registered.
fn follow_switch() {
    log::set_max_level(match ringtrace::registry::is_any_wanted() {
        true => LevelFilter::Trace,
        false => LevelFilter::Off,
    });
}

/// The call site of a macro.
#[derive(Debug)]
struct Place {
    key: Key,
    site: Site,
    next: OnceLock<&'static Place>,
}

/// The properties that identify a call site.
#[derive(Debug)]
struct Key {
    target: String,
    file: String,
    line: u32,
    level: log::Level,
}

const BUCKETS: usize = 1024;

/// Call sites by the hash of their keys. They are never removed, so readers need no lock.
static PLACES: [OnceLock<&'static Place>; BUCKETS] = [const { OnceLock::new() }; BUCKETS];

/// Held while a call site is added.
static ADDING: Mutex<()> = Mutex::new(());

struct Logger;

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        // The call site is not known here, so check only the level.
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        let site = site(record);
        if site.is_enabled() {
            let mut values = Values::new();
            match record.args().as_str() {
                Some(message) => values.text(message),
                None => values.display(*record.args()),
            };
            site.emit(&values, |_, kind| Argument::new("message", kind).bare());
        }
    }

    fn flush(&self) {
        ringtrace::flush();
    }
}

fn site(record: &Record<'_>) -> &'static Site {
    let file = record.file().unwrap_or_default();
    let line = record.line().unwrap_or(0);
    // The line numbers nearly always differ, so there is no need to hash the strings themselves.
    let hash = (u64::from(line) << 20 | (file.len() << 10 ^ record.target().len()) as u64)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let bucket = &PLACES[(hash >> (64 - BUCKETS.ilog2())) as usize];
    let find = || {
        let mut next = bucket.get();
        while let Some(place) = next {
            let Key { target, file: known, line: at, level } = &place.key;
            if *at == line && *level == record.level() && *target == record.target() && *known == file {
                return Ok(&place.site);
            }
            next = place.next.get();
        }
        Err(())
    };
    find().unwrap_or_else(|()| {
        let _adding = ADDING.lock().unwrap_or_else(PoisonError::into_inner);
        find().unwrap_or_else(|()| add(bucket, record))
    })
}

#[cold]
fn add(bucket: &'static OnceLock<&'static Place>, record: &Record<'_>) -> &'static Site {
    let (target, level) = (record.target(), record.level());
    let (file, line) = (record.file().unwrap_or("?"), record.line().unwrap_or(0));
    let name = match record.module_path() == Some(target) {
        true => format!("{target}::{}_{line}", level.as_str().to_ascii_lowercase()),
        false => {
            let file = file.rsplit('/').next().unwrap_or_default();
            format!("{target}::{file}_{}_{line}", level.as_str().to_ascii_lowercase())
        }
    };
    let remark = format!("{level} {target} {file}:{line}");
    let key =
        Key { target: target.to_owned(), file: record.file().unwrap_or_default().to_owned(), line, level };
    let place: &'static Place =
        Box::leak(Box::new(Place { key, site: Site::new(&name, Some(&remark)), next: OnceLock::new() }));
    let mut end = bucket;
    while let Some(place) = end.get() {
        end = &place.next;
    }
    // `end` is still empty, because this thread holds the lock.
    let _ = end.set(place);
    &place.site
}
