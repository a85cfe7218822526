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
//! `ringtrace-tracing` then records them as the same events.

#![forbid(unsafe_code)]

use log::{LevelFilter, Log, Metadata, Record, SetLoggerError};
use ringtrace::dynamic::{Argument, Level, Site, SourceLocation, Values};

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
    let location = SourceLocation {
        level: match record.level() {
            log::Level::Error => Level::Error,
            log::Level::Warn => Level::Warn,
            log::Level::Info => Level::Info,
            log::Level::Debug => Level::Debug,
            log::Level::Trace => Level::Trace,
        },
        target: record.target(),
        module: record.module_path(),
        file: record.file(),
        line: record.line().unwrap_or(0),
    };
    location.site()
}
