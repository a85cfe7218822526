//! Measures ticklog: <https://crates.io/crates/ticklog>.

use std::io;

use ringtrace_benches::burst;
use ticklog::{Level, LogSink};

// `configure!` defines these constants for the logging macros.
use crate::ringtrace_probe::Session;
use crate::{__ticklog_backpressure, __ticklog_max_level};
use crate::{Measured, Received};

static RECEIVED: Received = Received::none();

struct Counter;

impl LogSink for Counter {
    fn accept(&mut self, _line: &[u8], _level: Level) -> io::Result<()> {
        RECEIVED.add(1);
        Ok(())
    }
}

burst! {
    fn emit(|number| ticklog::info!("a={} b={}", number, number.wrapping_mul(7)));
}

pub fn measure(rounds: usize, _: &Session) -> Result<Measured, String> {
    let _guard = ticklog::configure! { sink: Counter, }.map_err(|error| error.to_string())?;
    Ok(crate::measure(rounds, emit, |issued| RECEIVED.wait_for(issued), |issued| RECEIVED.describe(issued)))
}
