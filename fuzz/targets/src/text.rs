//! Checks the printed lines of entries.

use ringtrace_tracefile::parallel::render_pieces;
use ringtrace_tracefile::text::{
    JsonText, LineOptions, LineStyle, LineText, Render, SimpletraceText, TextBuffer, TimeMode, ValueStyle,
};
use ringtrace_tracefile::{
    Entry, Error as TraceError, Filter, Flow, OrdinaryRecords, Reader, Times, Visitor,
};
use ringtrace_wire::simpletrace::Version;

use crate::transcript::{Transcript, anomalies};

/// Checks that a second pass, which uses the fast path for ordinary records, prints the same text.
pub(crate) fn check_again(reader: Result<Reader, TraceError>, transcript: &Transcript) {
    struct Print {
        text: SimpletraceText,
        out: TextBuffer,
    }
    impl Visitor for Print {
        fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
            self.text.render_fast(records, &mut self.out);
            Flow::Continue
        }
        fn entry(&mut self, entry: &Entry<'_>) -> Flow {
            self.text.render(entry, &mut self.out);
            Flow::Continue
        }
    }
    let Some(mut again) = reader.ok().and_then(|reader| reader.again()) else { return };
    let mut print =
        Print { text: SimpletraceText::new(again.era()).with_threads(), out: TextBuffer::with_capacity(0) };
    let failed = again.for_each_mut(&mut print).err();
    assert_eq!(failed, transcript.failed);
    assert_eq!(print.out.as_bytes().escape_ascii().to_string(), transcript.text.escape_ascii().to_string());
}

/// Checks that two threads, which guess where records start, print the same text as one thread.
pub(crate) fn check_parallel(
    reader: Result<Reader, TraceError>,
    piece_bytes: usize,
    transcript: &Transcript,
) {
    let Ok(mut reader) = reader else { return };
    if !reader.is_by_length() || reader.version() != Version::V4 || reader.mapped().is_none() {
        return;
    }
    let (mut text, mut out) = (SimpletraceText::new(reader.era()).with_threads(), Vec::new());
    let write = |bytes: &[u8]| {
        out.extend_from_slice(bytes);
        Ok(())
    };
    let rendered = render_pieces(&mut reader, &Filter::default(), &mut text, 2, piece_bytes, write);
    let result = rendered.expect("writing does not fail").read;
    let mut rest = TextBuffer::default();
    let result = result.and_then(|()| {
        reader.for_each(|entry: &Entry<'_>| {
            text.render(entry, &mut rest);
            Flow::Continue
        })
    });
    assert_eq!(result.err(), transcript.failed);
    out.extend_from_slice(rest.as_bytes());
    assert_eq!(out.escape_ascii().to_string(), transcript.text.escape_ascii().to_string());
    assert_eq!(anomalies(&reader), transcript.anomalies);
}

/// The output styles. `None` is JSON.
const LOOKS: [Option<(LineStyle, ValueStyle)>; 7] = [
    Some((LineStyle::Simpletrace, ValueStyle::Hex)),
    Some((LineStyle::Simpletrace, ValueStyle::Typed)),
    Some((LineStyle::Simpletrace, ValueStyle::Format)),
    Some((LineStyle::Log, ValueStyle::Hex)),
    Some((LineStyle::LogTime, ValueStyle::Hex)),
    Some((LineStyle::LogPid, ValueStyle::Hex)),
    None,
];

const TIMES: [Option<TimeMode>; 4] =
    [None, Some(TimeMode::Delta), Some(TimeMode::Relative), Some(TimeMode::Absolute)];

/// Checks other styles: every entry ends with a line end, and JSON objects are one line each.
pub(crate) fn check_look(reader: Result<Reader, TraceError>, chosen: u8) {
    let Ok(mut reader) = reader else { return };
    let times = Times { origin_ns: Some(1_000_000), anchor: reader.anchor() };
    match LOOKS[usize::from(chosen & 15) % LOOKS.len()] {
        Some((style, values)) => {
            let time = TIMES[usize::from(chosen >> 4 & 3)];
            let (colour, harmless) = (chosen & 64 != 0, chosen & 128 != 0);
            let look = LineOptions { style, values, time, colour, raw_strings: colour, harmless };
            check_lines(&mut reader, LineText::new(look, times), |_| {});
        }
        None => check_lines(&mut reader, JsonText::new(times), |line| {
            assert!(std::str::from_utf8(line).is_ok(), "{}", line.escape_ascii());
            assert!(!line.iter().any(u8::is_ascii_control), "{}", line.escape_ascii());
        }),
    }
}

fn check_lines(reader: &mut Reader, mut text: impl Render, check: impl Fn(&[u8])) {
    let mut out = TextBuffer::with_capacity(0);
    let _ = reader.for_each(|entry: &Entry<'_>| {
        out.clear();
        text.render(entry, &mut out);
        check(out.as_bytes().strip_suffix(b"\n").expect("an entry ends with a line end"));
        Flow::Continue
    });
}
