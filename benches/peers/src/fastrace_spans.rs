//! Measures fastrace. It records numbers only as text, so this measures a span without properties.

use fastrace::Span;
use fastrace::collector::{Config, Reporter, SpanContext, SpanRecord};
use fastrace::local::LocalSpan;
use ringtrace_benches::burst;

use crate::ringtrace_probe::Session;
use crate::{Measured, Received};

static RECEIVED: Received = Received::none();

struct Counter;

impl Reporter for Counter {
    fn report(&mut self, spans: Vec<SpanRecord>) {
        RECEIVED.add(spans.iter().filter(|span| span.name == "two").count() as u64);
    }
}

burst! {
    fn spans(|_number| drop(LocalSpan::enter_with_local_parent("two")));
}

pub fn measure(rounds: usize, _: &Session) -> Result<Measured, String> {
    fastrace::set_reporter(Counter, Config::default());
    let emit = |events| {
        let root = Span::root("burst", SpanContext::random());
        let _here = root.set_local_parent();
        spans(events);
    };
    Ok(crate::measure(rounds, emit, |_| fastrace::flush(), |issued| RECEIVED.describe(issued)))
}
