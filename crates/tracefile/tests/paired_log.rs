//! Compares lines rendered from a trace with the lines that the log backend printed in the same
//! run.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ringtrace_events::format::{Format, Value};
use ringtrace_events::{CType, SourceFile};
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader};

/// Returns the folder of files that QEMU wrote, if it exists.
fn corpus() -> Option<PathBuf> {
    ringtrace_corpus::find_or_skip("")
}

/// Returns the lines that the log backend would have printed for the records of `trace`.
fn log_lines(trace: &Path, declarations: &Path) -> Vec<u8> {
    let source = SourceFile::new("trace-events", std::fs::read_to_string(declarations).unwrap());
    let options = Options { sources: vec![source], ..Options::default() };
    let mut reader = Reader::new("trace", Input::open(trace).unwrap(), &options).unwrap();
    let mut formats: HashMap<u32, (Format, Vec<CType>)> = HashMap::new();
    let mut out = Vec::new();
    let finished = reader.for_each(|entry: &Entry<'_>| {
        let schema = entry.schema;
        let (format, types) = formats.entry(entry.schema_index).or_insert_with(|| {
            let source = schema.format.as_deref().unwrap_or_default();
            let types = schema.arguments.iter().map(|argument| argument.ctype).collect();
            (Format::parse_prefixed(schema.format_prefix, source), types)
        });
        out.extend_from_slice(format!("{} ", schema.name).as_bytes());
        format.render(types, &entry.values().collect::<Vec<Value<'_>>>(), &mut out);
        out.push(b'\n');
        Flow::Continue
    });
    finished.unwrap();
    out
}

fn lines(text: &[u8]) -> Vec<Cow<'_, str>> {
    text.split(|&byte| byte == b'\n').map(String::from_utf8_lossy).collect()
}

#[test]
fn rendered_lines_equal_those_of_the_log_backend() {
    let Some(folder) = corpus().map(|corpus| corpus.join("qemu")) else { return };
    let rendered = log_lines(&folder.join("paired-boot.bin"), &folder.join("trace-events-all"));
    let printed = std::fs::read(folder.join("paired-boot.log")).unwrap();
    let (rendered, printed) = (lines(&rendered), lines(&printed));
    assert!(printed.len() > 17_000);

    // The log was opened later, so it lacks the first records.
    let early = rendered.len() - printed.len();
    assert!(early < 20, "{early} records are not in the log");
    for (number, (rendered, printed)) in rendered[early..].iter().zip(&printed).enumerate() {
        // NULL is recorded as an empty string.
        assert_eq!(*rendered, printed.replace("(null)", ""), "line {}", number + 1);
    }
}
