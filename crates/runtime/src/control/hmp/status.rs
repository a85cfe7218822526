//! The recording status, rendered for people.

use std::fmt::{self, Write};

use super::words::harmless;
use crate::control::command::Report;
use crate::options::Policy;

/// Writes the totals, a table of rings, and a table of events.
pub(super) fn write(text: &mut String, report: &Report) -> fmt::Result {
    let status = &report.status;
    writeln!(text, "{}, process {}", harmless(&report.program), std::process::id())?;
    match &status.file {
        None => writeln!(text, "tracing was not started")?,
        Some(file) => {
            let state = if status.recording { "on" } else { "off" };
            write!(text, "trace file \"{}\" {state}", harmless(&file.to_string_lossy()))?;
            if let Some(paused_ns) = status.paused_ns {
                write!(text, " for {}.{:03} s", paused_ns / 1_000_000_000, paused_ns / 1_000_000 % 1000)?;
            }
            write!(text, ", {} bytes written", status.written_bytes)?;
            if let Some(compression) = status.format.compression() {
                let bytes = status.uncompressed_bytes;
                write!(text, ", compressed with {compression} from {bytes} bytes")?;
            }
            writeln!(text)?;
        }
    }
    if let Some(error) = &status.file_error {
        writeln!(text, "error: {}", harmless(error))?;
    }
    let full = match status.policy {
        Policy::Discard => "new records are dropped",
        Policy::Block { .. } => "threads wait",
        Policy::Overwrite => "the oldest records are overwritten",
    };
    writeln!(text, "backends {}; when a ring is full, {full}", status.backends)?;
    write!(text, "recorded {}, dropped {}", status.recorded, status.dropped)?;
    match status.policy {
        Policy::Overwrite => writeln!(text, ", overwritten {}", status.overwritten)?,
        _ => writeln!(text)?,
    }
    let rings = status.rings.iter().map(|ring| {
        let percent = ring.used_bytes * 100 / ring.size_bytes.max(1);
        [ring.name.clone(), ring.tid.to_string(), ring.dropped.to_string(), format!("{percent}%")]
    });
    table(text, ["ring", "thread", "dropped", "full"], rings.collect())?;
    let events = report.events.iter().map(|event| {
        let recorded = event.recorded.map_or_else(|| "?".to_owned(), |recorded| recorded.to_string());
        [event.name.clone(), event.state.to_string(), recorded, event.dropped.to_string()]
    });
    table(text, ["event", "state", "recorded", "dropped"], events.collect())
}

/// Writes a table with aligned columns: the first is left-aligned, the others are right-aligned.
/// Writes nothing if there are no rows.
fn table(text: &mut String, head: [&str; 4], rows: Vec<[String; 4]>) -> fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    let head = head.map(str::to_owned);
    let rows: Vec<_> = rows.into_iter().map(|row| row.map(|cell| harmless(&cell).into_owned())).collect();
    let all = || std::iter::once(&head).chain(&rows);
    let width = |column: usize| all().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let [first, second, third, fourth] = [0, 1, 2, 3].map(width);
    writeln!(text)?;
    all().try_for_each(|[a, b, c, d]| writeln!(text, "{a:first$}  {b:>second$}  {c:>third$}  {d:>fourth$}"))
}

#[cfg(test)]
mod tests {
    use super::write;
    use crate::control::command::Report;
    use crate::event::EventState;
    use crate::options::{Backends, FileFormat, Policy};
    use crate::session::status::{EventCounts, RingLevel, Status, status};

    #[test]
    fn compression_is_shown() {
        let status = Status {
            file: Some("/tmp/a.trace".into()),
            recording: true,
            format: FileFormat::CompactZstd,
            written_bytes: 4096,
            uncompressed_bytes: 9000,
            ..status()
        };
        let report = Report { program: "engine".to_owned(), status, events: Vec::new() };
        let mut text = String::new();
        write(&mut text, &report).unwrap();
        let expected = "on, 4096 bytes written, compressed with zstd from 9000 bytes";
        assert!(text.lines().nth(1).unwrap().ends_with(expected), "{text}");
    }

    #[test]
    fn columns_are_aligned() {
        let ring = |name: &str, tid, used_bytes, dropped| RingLevel {
            tid,
            name: name.to_owned(),
            used_bytes,
            size_bytes: 1 << 20,
            dropped,
        };
        let counts = |name: &str, state, recorded, dropped| EventCounts {
            name: name.to_owned(),
            group: "test".to_owned(),
            id: 1,
            state,
            recorded,
            dropped,
        };
        let status = Status {
            file: Some("/tmp/a.trace".into()),
            recording: false,
            paused_ns: Some(61_005_000_000),
            backends: Backends::LOG,
            policy: Policy::Overwrite,
            written_bytes: 4096,
            recorded: 12_345,
            dropped: 7,
            overwritten: 1,
            file_error: Some("No space left on device".to_owned()),
            rings: vec![ring("worker-0", 4711, 1 << 19, 0), ring("\u{1b}[2J", 12, 0, 1_000_000)],
            ..status()
        };
        let events = vec![
            counts("blk_read", EventState::Enabled, Some(12_345), 0),
            counts("blk_old", EventState::Unavailable, None, 7),
        ];
        let report = Report { program: "engine".to_owned(), status, events };
        let mut text = String::new();
        write(&mut text, &report).unwrap();
        let (first, rest) = text.split_once('\n').unwrap();
        assert_eq!(first, format!("engine, process {}", std::process::id()));
        assert_eq!(
            rest,
            "\
trace file \"/tmp/a.trace\" off for 61.005 s, 4096 bytes written
error: No space left on device
backends log; when a ring is full, the oldest records are overwritten
recorded 12345, dropped 7, overwritten 1

ring       thread  dropped  full
worker-0     4711        0   50%
\\u{1b}[2J      12  1000000    0%

event           state  recorded  dropped
blk_read      enabled     12345        0
blk_old   unavailable         ?        7
"
        );
    }
}
