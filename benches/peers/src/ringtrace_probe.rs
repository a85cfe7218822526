//! Measures ringtrace in the same way as the other libraries, with its own probe, and through
//! `tracing` and `log`.

use ringtrace::{Guard, Options, flush};
use ringtrace_benches::burst;
use tempfile::NamedTempFile;
use tracing::Dispatch;
use tracing_subscriber::prelude::*;

use crate::{Measured, tracing_events};

ringtrace::include_trace!("peers");

burst! {
    /// Emits events with our own probe, the baseline for all others.
    pub fn own(|number| trace::peer_two(number, number.wrapping_mul(7)));

    fn log_messages(|number| log::info!("a={} b={}", number, number.wrapping_mul(7)));
}

/// The session into which our probe records.
pub struct Session {
    _guard: Guard,
    file: NamedTempFile,
}

impl Session {
    pub fn start() -> Result<Session, String> {
        let file = NamedTempFile::new().map_err(|error| error.to_string())?;
        let options = Options::new().enable("peer_*").enable("ringtrace_peers::*").file(file.path());
        let guard = options.start().map_err(|error| error.to_string())?;
        Ok(Session { file, _guard: guard })
    }

    fn bytes(&self) -> u64 {
        flush();
        self.file.as_file().metadata().map_or(0, |metadata| metadata.len())
    }
}

/// The size of the smallest record of a call.
const RECORD_BYTES: u64 = 40;

fn measure_with(rounds: usize, session: &Session, emit: impl FnMut(u64)) -> Result<Measured, String> {
    let before = session.bytes();
    Ok(crate::measure(
        rounds,
        emit,
        |_| _ = flush(),
        |issued| {
            let bytes = session.bytes() - before;
            // In half of the measurements, our probe runs as the other side, into the same file.
            let events = issued + issued / 2;
            if bytes >= events * RECORD_BYTES {
                "all in the file".to_owned()
            } else {
                format!("{bytes} bytes for {events} events")
            }
        },
    ))
}

pub fn measure(rounds: usize, session: &Session) -> Result<Measured, String> {
    measure_with(rounds, session, own)
}

pub fn measure_subscriber(rounds: usize, session: &Session) -> Result<Measured, String> {
    ringtrace_tracing::init().map_err(|error| error.to_string())?;
    measure_with(rounds, session, tracing_events::emit)
}

fn set_layer() -> Result<(), String> {
    let layers = tracing_subscriber::registry().with(ringtrace_tracing::layer());
    tracing::dispatcher::set_global_default(Dispatch::new(layers)).map_err(|error| error.to_string())
}

pub fn measure_layer(rounds: usize, session: &Session) -> Result<Measured, String> {
    set_layer()?;
    measure_with(rounds, session, tracing_events::emit)
}

pub fn measure_layer_in_a_span(rounds: usize, session: &Session) -> Result<Measured, String> {
    set_layer()?;
    let _entered = tracing::info_span!("around").entered();
    measure_with(rounds, session, tracing_events::emit)
}

pub fn measure_layer_span(rounds: usize, session: &Session) -> Result<Measured, String> {
    set_layer()?;
    measure_with(rounds, session, tracing_events::emit_spans)
}

pub fn measure_span(rounds: usize, session: &Session) -> Result<Measured, String> {
    ringtrace_tracing::init().map_err(|error| error.to_string())?;
    measure_with(rounds, session, tracing_events::emit_spans)
}

pub fn measure_off(rounds: usize, session: &Session) -> Result<Measured, String> {
    ringtrace_tracing::init().map_err(|error| error.to_string())?;
    ringtrace::set_enabled("ringtrace_peers::*", false);
    let _ = session;
    Ok(crate::measure(rounds, tracing_events::emit, |_| _ = flush(), |_| "off".to_owned()))
}

pub fn measure_log(rounds: usize, session: &Session) -> Result<Measured, String> {
    ringtrace_log::init().map_err(|error| error.to_string())?;
    measure_with(rounds, session, log_messages)
}
