//! Messages of `log`, which `tracing-log` passes to `tracing`.
//!
//! All messages of a level have the same metadata. Their call sites are in fields, so that each
//! call site is still an event of its own.

use std::fmt::Debug;

use ringtrace::dynamic::{Argument, Level, Site, SourceLocation, Values};
use tracing_core::field::Visit;
use tracing_core::{Event, Field, Metadata};

use crate::places::{SPAN, SPAN_INDEX};

/// The maximum size of a target or a file's path. The rest is ignored.
const TEXT_BYTES: usize = 256;

/// Returns whether events with this metadata are messages of `log`.
pub(crate) fn are_messages(metadata: &Metadata<'_>) -> bool {
    metadata.name() == "log event" && metadata.fields().field("log.target").is_some()
}

/// Emits a message that occurred in the span `span`, if its event is on.
#[cold]
pub(crate) fn emit(event: &Event<'_>, span: u64) {
    let mut fields = LocationFields::default();
    event.record(&mut fields);
    let level = match *event.metadata().level() {
        tracing_core::Level::ERROR => Level::Error,
        tracing_core::Level::WARN => Level::Warn,
        tracing_core::Level::INFO => Level::Info,
        tracing_core::Level::DEBUG => Level::Debug,
        tracing_core::Level::TRACE => Level::Trace,
    };
    let site = fields.site(level);
    if site.is_enabled() {
        let mut values = Values::new();
        event.record(&mut MessageField(&mut values));
        values.skip_to(SPAN_INDEX);
        values.u64(span);
        site.emit(&values, |index, kind| match index {
            SPAN_INDEX => SPAN.hidden(),
            _ => Argument::new("message", kind).bare(),
        });
    }
}

/// A copy of a string. Probes must not allocate memory.
#[derive(Debug)]
struct Text {
    bytes: [u8; TEXT_BYTES],
    length: usize,
}

impl Text {
    fn set(&mut self, text: &str) {
        let mut end = text.len().min(TEXT_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.bytes[..end].copy_from_slice(&text.as_bytes()[..end]);
        self.length = end;
    }

    fn get(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl Default for Text {
    fn default() -> Text {
        Text { bytes: [0; TEXT_BYTES], length: 0 }
    }
}

/// The fields that contain the call site.
#[derive(Debug, Default)]
struct LocationFields {
    target: Text,
    /// Whether the target is the path of the module.
    is_module: bool,
    file: Option<Text>,
    line: u32,
}

impl LocationFields {
    fn site(&self, level: Level) -> &'static Site {
        let file = self.file.as_ref().map(Text::get);
        let target = self.target.get();
        let module = Some(target).filter(|_| self.is_module);
        SourceLocation { level, target, module, file, line: self.line }.site()
    }
}

impl Visit for LocationFields {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "log.target" => self.target.set(value),
            // The target precedes the module.
            "log.module_path" => self.is_module = value == self.target.get(),
            "log.file" => self.file.get_or_insert_default().set(value),
            _ => {}
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "log.line" {
            self.line = u32::try_from(value).unwrap_or(0);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// The field that contains the message.
struct MessageField<'v>(&'v mut Values);

impl Visit for MessageField<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            self.0.display(format_args!("{value:?}"));
        }
    }
}
