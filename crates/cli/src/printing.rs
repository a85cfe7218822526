//! Fast conversion of traces to text, for `print` and the program name `simpletrace`.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::path::Path;

use ringtrace_tracefile::parallel;
use ringtrace_tracefile::text::{Render, TextBuffer};
use ringtrace_tracefile::{Dropped, Entry, Error as TraceError, Flow, OrdinaryRecords, Traces, Visitor};

use crate::exit::CliError;
use crate::output::{Overwrite, STDOUT};
use crate::reading::ReadOutcome;
use crate::values::thread_count;

/// Limits on the printed lines and on the threads.
#[derive(Debug, Clone, Copy, Default)]
pub struct LineLimits {
    pub head: Option<u64>,
    pub tail: Option<usize>,
    /// The number of threads that render; by default one for each core.
    pub threads: Option<u16>,
}

/// Renders `traces` with `text`, and writes the lines to `output`.
pub fn print<R: Render + Clone + Send>(
    traces: &mut Traces,
    mut text: R,
    limits: LineLimits,
    mut output: TextOutput,
) -> Result<ReadOutcome, CliError> {
    let is_limited = limits.head.is_some() || limits.tail.is_some();
    let threads = thread_count(limits.threads);
    traces.decode_ahead(threads > 1);
    let (dropped, read) = parallel::each_file(traces, threads, |reader, filter| {
        let write = |bytes: &[u8]| output.file.write_all(bytes);
        (!is_limited).then(|| parallel::render(reader, filter, &mut text, threads, write))
    })
    .map_err(|error| CliError::system(&output.name, &error))?;
    if let Err(error) = read {
        return Ok(ReadOutcome { failed: vec![error], dropped, is_partial: false });
    }
    let is_partial = limits.head.is_some();
    let mut printer = Printer::new(text, limits, output);
    printer.dropped = dropped;
    let failed = if printer.left == 0 {
        // With a limit of zero lines, nothing is read. It is unknown whether any event matches, so
        // prevent the note that none does.
        traces.set_has_matched();
        Vec::new()
    } else {
        traces.for_each(&mut printer).err().unwrap_or_default()
    };
    if let Some(tail) = printer.tail.take() {
        printer.out.clear();
        printer.out.push(&tail.text());
    }
    printer.flush();
    match printer.write_error {
        Some(error) => Err(CliError::system(printer.output.name, &error)),
        None => Ok(ReadOutcome { failed, dropped: printer.dropped, is_partial }),
    }
}

/// Prints traces that become available one after another. Each is printed as far as it has been
/// written. `next` returns the next trace. `done` is called after each trace, with the errors that
/// ended its reading early. Returns the number of lost events and the number of written lines.
pub fn print_each<R: Render>(
    mut next: impl FnMut() -> Result<Option<Traces>, CliError>,
    mut done: impl FnMut(&Traces, Vec<TraceError>),
    text: R,
    head: Option<u64>,
    output: TextOutput,
) -> Result<(Dropped, u64), CliError> {
    // Always set a limit: the number of written lines is computed from what remains of it.
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

const FLUSH_BYTES: usize = 1 << 18;

/// Spare capacity beyond [`FLUSH_BYTES`]. The longest line on the fast path needs less.
const SPARE_BYTES: usize = 1 << 15;

/// The destination of the text.
#[derive(Debug)]
pub struct TextOutput {
    file: File,
    name: String,
}

impl TextOutput {
    /// Opens the file at `path`, or standard output if `path` is `None`.
    pub fn open(path: Option<&Path>, overwrite: Overwrite) -> Result<TextOutput, CliError> {
        let (file, name) = match path {
            Some(path) => {
                overwrite.check(path)?;
                (File::create(path), path.display().to_string())
            }
            // Use the file descriptor: the standard library's handle is line-buffered.
            None => (io::stdout().as_fd().try_clone_to_owned().map(File::from), STDOUT.to_owned()),
        };
        match file {
            Ok(file) => Ok(TextOutput { file, name }),
            Err(error) => Err(CliError::system(name, &error)),
        }
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.file.write_all(bytes).map_err(|error| CliError::system(&self.name, &error))
    }
}

/// Renders entries, and writes the text when enough has accumulated.
struct Printer<R> {
    text: R,
    out: TextBuffer,
    output: TextOutput,
    write_error: Option<io::Error>,
    /// Number of lines still to print.
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

/// The minimum size of surplus text that is removed at once.
const TAIL_SURPLUS_BYTES: usize = 1 << 18;

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
        // Remove at least as many bytes as have to be moved, so that each byte is moved once on
        // average.
        let (_, cut) = self.surplus();
        if cut >= TAIL_SURPLUS_BYTES && cut >= self.text.len() / 2 {
            self.forget();
        }
    }

    /// Returns the number of surplus lines, which are not among the last `wanted` lines, and their
    /// size in bytes.
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
    fn a_tail_holds_the_last_lines_and_limited_surplus() {
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
