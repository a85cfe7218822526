//! Measures tracing, with a subscriber that does nothing, and with one that formats lines for a
//! writer thread.

use std::io::{self, Write};
use std::sync::Mutex;

use ringtrace_benches::burst;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Level, Metadata, Subscriber, event, subscriber};
use tracing_appender::non_blocking::NonBlockingBuilder;
use tracing_subscriber::layer::{Context, Filter};
use tracing_subscriber::{Layer, prelude::*};

use crate::ringtrace_probe::Session;
use crate::{Measured, Received};

burst! {
    pub fn emit_spans(|number| {
        let _entered =
            tracing::info_span!("two", a = number, b = number.wrapping_mul(7)).entered();
    });

    pub fn emit(|number| event!(Level::INFO, a = number, b = number.wrapping_mul(7)));
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

fn set(subscriber: impl Subscriber + Send + Sync) -> Result<(), String> {
    subscriber::set_global_default(subscriber).map_err(|error| error.to_string())
}

pub fn measure_nothing(rounds: usize, _: &Session) -> Result<Measured, String> {
    set(Nothing)?;
    Ok(crate::measure(rounds, emit, |_| {}, |_| "no sink".to_owned()))
}

/// A layer and a filter that do nothing.
struct Empty;

impl<S: Subscriber> Layer<S> for Empty {}

impl<S> Filter<S> for Empty {
    fn enabled(&self, _: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        true
    }

    fn callsite_enabled(&self, _: &'static Metadata<'static>) -> Interest {
        Interest::always()
    }
}

pub fn measure_empty_layer(rounds: usize, _: &Session) -> Result<Measured, String> {
    set(tracing_subscriber::registry().with(Empty.with_filter(Empty)))?;
    Ok(crate::measure(rounds, emit, |_| {}, |_| "no sink".to_owned()))
}

pub fn measure_null(rounds: usize, _: &Session) -> Result<Measured, String> {
    let null = std::fs::File::options().write(true).open("/dev/null").map_err(|error| error.to_string())?;
    set(tracing_subscriber::fmt().with_writer(Mutex::new(null)).with_ansi(false).finish())?;
    Ok(crate::measure(rounds, emit, |_| {}, |_| "written to /dev/null".to_owned()))
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

pub fn measure_lines(rounds: usize, _: &Session) -> Result<Measured, String> {
    let (writer, _guard) = NonBlockingBuilder::default().finish(Counter);
    set(tracing_subscriber::fmt().with_writer(writer).with_ansi(false).finish())?;
    Ok(crate::measure(rounds, emit, |issued| RECEIVED.wait_for(issued), |issued| RECEIVED.describe(issued)))
}
