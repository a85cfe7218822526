//! Measures tracing, with a subscriber that does nothing, and with one that formats lines for a
//! writer thread.

use std::io::{self, Write};

use ringtrace_benches::burst;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber, event, subscriber};
use tracing_appender::non_blocking::NonBlockingBuilder;

use crate::{Measured, Received};

burst! {
    fn emit(|number| event!(Level::INFO, a = number, b = number.wrapping_mul(7)));
}

struct Nothing;

impl Subscriber for Nothing {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

pub fn measure_nothing(rounds: usize) -> Result<Measured, String> {
    let measured =
        subscriber::with_default(Nothing, || crate::measure(rounds, emit, |_| {}, |_| "no sink".to_owned()));
    Ok(measured)
}

static RECEIVED: Received = Received::none();

struct Counter;

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        RECEIVED.add(bytes.iter().filter(|&&byte| byte == b'\n').count() as u64);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub fn measure_lines(rounds: usize) -> Result<Measured, String> {
    let (writer, _guard) = NonBlockingBuilder::default().finish(Counter);
    let lines = tracing_subscriber::fmt().with_writer(writer).with_ansi(false).finish();
    let measured = subscriber::with_default(lines, || {
        crate::measure(rounds, emit, |issued| RECEIVED.wait_for(issued), |issued| RECEIVED.describe(issued))
    });
    Ok(measured)
}
