//! Traces in, text out, as fast as it goes: what `print` and the face `simpletrace` have in common.

use std::fs::File;
use std::io::{self, Write};
use std::num::NonZero;
use std::os::fd::AsFd;
use std::path::Path;

use ringtrace_tracefile::parallel;
use ringtrace_tracefile::text::{Render, TextBuffer};
use ringtrace_tracefile::{Dropped, Entry, Error as TraceError, Flow, OrdinaryRecords, Traces, Visitor};

use crate::exit::CliError;
use crate::output::STDOUT;
use crate::reading::ReadOutcome;

/// How much is printed, and how.
#[derive(Debug, Clone, Copy, Default)]
pub struct LineLimits {
    pub head: Option<u64>,
    pub tail: Option<usize>,
    /// Threads that render; one for each core if it is not said.
    pub threads: Option<u16>,
}

/// Writes the lines that `text` makes of `traces` to `sink`.
pub fn print<R: Render + Clone + Send>(
    traces: &mut Traces,
    mut text: R,
    limits: LineLimits,
    mut output: TextOutput,
) -> Result<ReadOutcome, CliError> {
    let is_limited = limits.head.is_some() || limits.tail.is_some();
    let threads = match limits.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, NonZero::get),
    };
    let mut dropped = Dropped::default();
    let filter = traces.filter().clone();
    if threads > 1
        && !is_limited
        && let Some(reader) = traces.single()
        && parallel::is_worthwhile(reader)
    {
        let write = |bytes: &[u8]| output.file.write_all(bytes);
        let (counted, result) = parallel::render(reader, &filter, &mut text, threads, write)
            .map_err(|error| CliError::system(&output.name, &error))?;
        dropped = counted;
        if let Err(complaint) = result {
            return Ok(ReadOutcome { failed: vec![complaint], dropped });
        }
    }
    let mut printer = Printer::new(text, limits, output);
    printer.dropped = dropped;
    let failed =
        if printer.left == 0 { Vec::new() } else { traces.for_each(&mut printer).err().unwrap_or_default() };
    if let Some(tail) = printer.tail.take() {
        printer.out.clear();
        printer.out.push(&tail.text());
    }
    printer.flush();
    match printer.write_error {
        Some(error) => Err(CliError::system(printer.output.name, &error)),
        None => Ok(ReadOutcome { failed, dropped: printer.dropped }),
    }
}

/// The same for traces that come one after the other, as far as they have come: `next` gives them, and `done` gets each, with why the rest of it could
/// not be read. Returns what was lost while recording, and how many lines were written.
pub fn print_each<R: Render>(
    mut next: impl FnMut() -> Result<Option<Traces>, CliError>,
    mut done: impl FnMut(&Traces, Vec<TraceError>),
    text: R,
    head: Option<u64>,
    output: TextOutput,
) -> Result<(Dropped, u64), CliError> {
    // Lines are counted.
    let head = head.unwrap_or(u64::MAX);
    let mut printer = Printer::new(text, LineLimits { head: Some(head), ..LineLimits::default() }, output);
    while printer.left > 0
        && printer.write_error.is_none()
        && let Some(mut traces) = next()?
    {
        let failed = traces.for_each(&mut printer).err().unwrap_or_default();
        printer.flush();
        done(&traces, failed);
    }
    match printer.write_error {
        Some(error) => Err(CliError::system(printer.output.name, &error)),
        None => Ok((printer.dropped, head - printer.left)),
    }
}

/// How much text is written at once.
const FLUSH_BYTES: usize = 1 << 18;

/// Room beyond that: the longest lines that are rendered quickly take less.
const SPARE_BYTES: usize = 1 << 15;

/// Where the text goes.
#[derive(Debug)]
pub struct TextOutput {
    file: File,
    name: String,
}

impl TextOutput {
    /// The file at `path`, standard output without one.
    pub fn open(path: Option<&Path>) -> Result<TextOutput, CliError> {
        let (file, name) = match path {
            Some(path) => (File::create(path), path.display().to_string()),
            // The file itself, not the line-buffered face that the standard library gives it.
            None => (io::stdout().as_fd().try_clone_to_owned().map(File::from), STDOUT.to_owned()),
        };
        match file {
            Ok(file) => Ok(TextOutput { file, name }),
            Err(error) => Err(CliError::system(name, &error)),
        }
    }
}

/// Renders entries, and writes the text when there is enough of it.
struct Printer<R> {
    text: R,
    out: TextBuffer,
    output: TextOutput,
    write_error: Option<io::Error>,
    /// Lines to go.
    left: u64,
    limited: bool,
    tail: Option<Tail>,
    dropped: Dropped,
}

impl<R: Render> Visitor for Printer<R> {
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        if !self.limited {
            self.text.render_fast(records, &mut self.out);
        }
        self.flush_if_enough()
    }

    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.dropped.count(entry);
        self.text.render(entry, &mut self.out);
        self.left -= 1;
        if let Some(tail) = &mut self.tail {
            tail.push(self.out.as_bytes());
            self.out.clear();
        }
        if self.left == 0 {
            return Flow::Stop;
        }
        self.flush_if_enough()
    }

    fn idle(&mut self) {
        self.flush();
    }
}

impl<R> Printer<R> {
    fn new(text: R, limits: LineLimits, output: TextOutput) -> Printer<R> {
        Printer {
            text,
            out: TextBuffer::with_capacity(FLUSH_BYTES + SPARE_BYTES),
            output,
            write_error: None,
            left: limits.head.unwrap_or(u64::MAX),
            limited: limits.head.is_some() || limits.tail.is_some(),
            tail: limits.tail.map(Tail::new),
            dropped: Dropped::default(),
        }
    }

    fn flush_if_enough(&mut self) -> Flow {
        if self.out.len() < FLUSH_BYTES { Flow::Continue } else { self.flush() }
    }

    #[cold]
    fn flush(&mut self) -> Flow {
        if self.write_error.is_none() {
            self.write_error = self.output.file.write_all(self.out.as_bytes()).err();
        }
        self.out.clear();
        if self.write_error.is_none() { Flow::Continue } else { Flow::Stop }
    }
}

/// Lines that are not among the last are kept up to this size, and up to that of the last ones.
const TAIL_SURPLUS_BYTES: usize = 1 << 18;

/// The last lines of a text.
struct Tail {
    wanted: usize,
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Tail {
    fn new(wanted: usize) -> Tail {
        Tail { wanted, text: Vec::new(), ends: Vec::new() }
    }

    fn push(&mut self, line: &[u8]) {
        self.text.extend_from_slice(line);
        self.ends.push(self.text.len());
        // As much is given up as is moved, at least: in all, each byte is moved once.
        let (_, cut) = self.surplus();
        if cut >= TAIL_SURPLUS_BYTES && cut >= self.text.len() / 2 {
            self.forget();
        }
    }

    /// The lines that are not among the last, and their bytes.
    fn surplus(&self) -> (usize, usize) {
        let lines = self.ends.len().saturating_sub(self.wanted);
        (lines, lines.checked_sub(1).map_or(0, |last| self.ends[last]))
    }

    fn forget(&mut self) {
        let (lines, cut) = self.surplus();
        self.text.drain(..cut);
        self.ends.drain(..lines);
        self.ends.iter_mut().for_each(|end| *end -= cut);
    }

    fn text(mut self) -> Vec<u8> {
        self.forget();
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_holds_the_last_lines_and_not_much_more() {
        for wanted in [0, 1, 2, 700, 5000, usize::MAX] {
            let lines: Vec<String> =
                (0..3000).map(|n| format!("{n} {}\n", "x".repeat(n * 7919 % 1000))).collect();
            let mut tail = Tail::new(wanted);
            for line in &lines {
                tail.push(line.as_bytes());
                let (_, surplus) = tail.surplus();
                assert!(surplus <= TAIL_SURPLUS_BYTES.max(tail.text.len() / 2) + line.len());
            }
            let expected = lines[lines.len().saturating_sub(wanted)..].concat();
            assert_eq!(String::from_utf8(tail.text()).unwrap(), expected, "{wanted}");
        }
    }
}
