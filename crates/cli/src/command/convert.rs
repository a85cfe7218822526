//! `ringtrace convert`: converts traces to one trace of any version.

use std::path::PathBuf;

use clap::Args;
use ringtrace_events::parse::Dialect;
use ringtrace_tracefile::metadata::{self, Metadata};
use ringtrace_tracefile::write::{self, CompactWriter, Target, TraceWriter};
use ringtrace_tracefile::{
    Dropped, Entry, Era, Error as TraceError, Flow, Needs, Options, OrdinaryRecords, Reader, Traces, Visitor,
};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::compact::CAN_COMPRESS;
use ringtrace_wire::simpletrace::{DROPPED_ID, Numbering, Version};

use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::output::{Output, Overwrite, check_binary, is_compressed};
use crate::progress::Progress;
use crate::quantity::count;
use crate::reading::{
    ReadArguments, ReadOutcome, conclude, note_empty, order_from_name, report_dropped, version_names,
};
use crate::terminal::Terminal;

pub const COMMAND: Command = Command {
    name: "convert",
    about: "Convert traces to one trace of any version and byte order, or to a compact one",
    configure: |command| {
        Arguments::augment_args(command)
            .mut_arg("traces", |traces| {
                traces.help(
                    "Input traces, then the output file (compressed if its name ends with .zst); `-` is standard input or output. Several traces are merged by time",
                )
            })
            .override_usage(USAGE)
            .after_help(EXAMPLES)
    },
    run: |matches, terminal| run(parse_arguments(matches)?, terminal),
};

const USAGE: &str = "\
ringtrace convert [OPTIONS] <TRACE>... <OUT>
       ringtrace convert [OPTIONS] --output <OUT> <TRACE>...";

const EXAMPLES: &str = "\
Examples:
  ringtrace convert --events trace-events-all trace-4711 described.trace
  ringtrace convert --to v3 --to-order big -e trace-events trace-4711 old.trace
  ringtrace convert --event 'virtio_*' --until 2 trace-4711 part.trace.zst
  ringtrace convert --to compact trace-4711 small.trace
  ringtrace convert --sort host.trace guest.trace both.trace";

#[derive(Args, Debug)]
struct Arguments {
    #[command(flatten)]
    read: ReadArguments,

    /// Format to write: a version of simpletrace (v0, rfc2011, v2, v3 or v4), or compact
    #[arg(long, value_name = "FORMAT", default_value = "v4", value_parser = format_from_name, help_heading = "Output")]
    to: Format,

    /// Byte order to write: little or big [default: as in the first trace]
    #[arg(long, value_name = "ORDER", value_parser = order_from_name, help_heading = "Output")]
    to_order: Option<ByteOrder>,

    /// Compress the blocks of a compact trace: zstd or none
    #[arg(long, value_name = "NAME", default_value = "none", hide_default_value = true, value_parser = compression_from_name, help_heading = "Output")]
    compress: Compress,

    /// Write v4 like QEMU, without declarations, clock and threads
    #[arg(long, help_heading = "Output")]
    plain: bool,

    /// Warn about events that the version cannot represent or that cannot be read, and write the rest
    #[arg(long, help_heading = "Output")]
    lossy: bool,

    /// The file to write, compressed if it ends with `.zst`; all other names are traces
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    overwrite: Overwrite,
}

/// The format of the output.
#[derive(Debug, Clone, Copy)]
struct Format {
    /// The version; for compact traces, v4.
    version: Version,
    is_compact: bool,
}

/// Whether the blocks of a compact trace are compressed with zstd.
#[derive(Debug, Clone, Copy)]
struct Compress(bool);

fn compression_from_name(name: &str) -> Result<Compress, String> {
    match name {
        "zstd" => Ok(Compress(true)),
        "none" => Ok(Compress(false)),
        _ => Err("no such compression: expected zstd or none".to_owned()),
    }
}

const COMPACT: &str = "compact";

fn format_from_name(name: &str) -> Result<Format, String> {
    let is_compact = name == COMPACT;
    let version = if is_compact { Some(Version::V4) } else { Version::from_name(name) };
    let known = || format!("no such format: expected one of {}, {COMPACT}", version_names());
    version.map(|version| Format { version, is_compact }).ok_or_else(known)
}

fn run(mut arguments: Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let out = match arguments.output.take() {
        Some(out) => out,
        None => last_trace(&mut arguments.read)?,
    };
    check_binary(&out)?;
    let is_compressed = is_compressed(&out)?;
    if out.as_os_str() != "-" {
        arguments.read.check_output(&out, arguments.overwrite)?;
    }
    let options = arguments.read.options()?;
    let Format { version, is_compact: to_compact } = arguments.to;
    let names = version.info().numbering == Numbering::Mapping;
    if !names && arguments.read.events.is_empty() {
        let message = format!("{version} stores ids instead of names, so it needs the declarations");
        return Err(
            CliError::usage(message).help("add --events FILE; reading the result needs the same file")
        );
    }
    if to_compact && (arguments.to_order == Some(ByteOrder::Big) || arguments.plain) {
        let option = if arguments.plain { "--plain" } else { "--to-order big" };
        return Err(CliError::usage(format!("a compact trace cannot be written with {option}"))
            .help("compact traces describe themselves, and are always little-endian"));
    }
    let Compress(compresses) = arguments.compress;
    if compresses && !to_compact {
        return Err(CliError::usage("only the blocks of compact traces are compressed")
            .help("add --to compact; to compress another file as a whole, add .zst to its name"));
    }
    if compresses && is_compressed {
        return Err(CliError::usage("the output would be compressed twice")
            .help("omit --compress zstd, or choose a name that does not end with .zst"));
    }
    let mut compact = match compresses {
        false => to_compact.then(CompactWriter::default),
        true => Some(CompactWriter::compressed().ok_or_else(cannot_compress)?),
    };
    let create = || {
        let output = Output::create(&out, arguments.overwrite)?;
        Ok(if is_compressed { output.compressed() } else { output })
    };
    let mut open = arguments.read.open(&options, terminal)?;
    if !arguments.lossy && !open.failed.is_empty() {
        let message = "nothing was written: some of the traces cannot be read";
        return Err(CliError::input(message).exit(open.exit()).help("--lossy writes the others"));
    }
    if let [reader] = open.readers.as_slice()
        && arguments.may_copy(reader)
        && let Some(again) = open.again()
    {
        let traces = arguments.read.gather(open, Needs::default())?;
        match copy(traces, compact, create, arguments.read.format.strict, terminal)? {
            Ok(exit) => return Ok(exit),
            Err(unused) => compact = unused,
        }
        open = again;
    }
    let order = arguments
        .to_order
        .or(to_compact.then_some(ByteOrder::Little))
        .or(open.readers.first().map(Reader::order))
        .unwrap_or(ByteOrder::NATIVE);
    let describes_itself = names && !arguments.plain;
    let traces = arguments.read.gather(open, Needs { anchor: describes_itself, ..Needs::default() })?;
    let target = target(&arguments, order, &options, &traces);
    let writer = TraceWriter::new(target).map_err(CliError::from)?;
    let output = create()?;
    let converter = Converter {
        writer,
        bytes: Vec::with_capacity(2 * WRITE_BYTES),
        compact,
        output,
        is_stdout: out.as_os_str() == "-",
        lossy: arguments.lossy,
        refused: None,
        dropped: Dropped::default(),
    };
    converter.convert(traces, &arguments, terminal)
}

impl Arguments {
    /// Returns whether the options and the trace's version permit a copy of the trace as the
    /// output.
    fn may_copy(&self, reader: &Reader) -> bool {
        let Format { version, .. } = self.to;
        (reader.version(), reader.order()) == (Version::V4, ByteOrder::Little)
            && (version, self.to_order.unwrap_or(ByteOrder::Little)) == (Version::V4, ByteOrder::Little)
            && !self.plain
            && !self.read.sort
            && self.read.format.compat.is_none()
            && self.read.events.is_empty()
            && self.read.wanted.epoch.is_empty()
            && reader.files().is_none()
    }
}

/// The error for `--compress zstd` if blocks cannot be compressed.
fn cannot_compress() -> CliError {
    if CAN_COMPRESS {
        return CliError::system("--compress zstd", &std::io::ErrorKind::OutOfMemory.into());
    }
    CliError::usage("this program was built without --compress zstd").help(
        "build it with the feature `zstd`, or add .zst to the name of the output to compress the whole file",
    )
}

/// Reads a trace and copies it to a new output, so that its bytes as v4 stay the same. Returns `compact`
/// without creating the output if the trace must be converted instead.
fn copy(
    mut traces: Traces,
    mut compact: Option<CompactWriter>,
    output: impl FnOnce() -> Result<Output, CliError>,
    is_strict: bool,
    terminal: &Terminal,
) -> Result<Result<Exit, Option<CompactWriter>>, CliError> {
    if !traces.filter().is_everything() {
        return Ok(Err(compact));
    }
    let progress = Progress::watch(traces.readers(), false, terminal);
    let mut losses = Losses::default();
    let is_read = traces.for_each(&mut losses).is_ok();
    drop(progress);
    let readers = traces.readers();
    let [reader] = readers.as_slice() else { return Ok(Err(compact)) };
    if !is_read || !write::is_canonical(reader) {
        return Ok(Err(compact));
    }
    let mut output = output()?;
    write::copy(reader, compact.as_mut(), |bytes| output.write(bytes)).map_err(CliError::from)??;
    let exit = report_read(&traces, Vec::new(), losses.0, is_strict, terminal);
    output.keep()?;
    Ok(Ok(exit))
}

/// Reports everything about `traces` after reading. Returns the exit status. The losses are in the output, too, whose
/// readers report them, so they are reported only if they determine the exit status.
fn report_read(
    traces: &Traces,
    failed: Vec<TraceError>,
    dropped: Dropped,
    is_strict: bool,
    terminal: &Terminal,
) -> Exit {
    let exit = conclude(traces, ReadOutcome { failed, dropped, is_partial: false }, is_strict, terminal);
    if is_strict {
        report_dropped(dropped, terminal);
    }
    exit
}

/// Counts the lost events of a trace, and skips the others.
#[derive(Default)]
struct Losses(Dropped);

impl Visitor for Losses {
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        records.skip_while(|record, _| record.id != DROPPED_ID);
        Flow::Continue
    }

    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.0.count(entry);
        Flow::Continue
    }
}

/// Removes the last name from the traces and returns it: without `--output`, it is the output file.
fn last_trace(read: &mut ReadArguments) -> Result<PathBuf, CliError> {
    match read.traces.pop() {
        Some(out) if !read.traces.is_empty() => Ok(out),
        _ => Err(CliError::usage("the output file is missing")
            .help("name it after the traces, or with --output; `-` is standard output")),
    }
}

fn target(arguments: &Arguments, order: ByteOrder, options: &Options, traces: &Traces) -> Target {
    let version = arguments.to.version;
    let rule = Era::newest(version).string_rule(version);
    let declared = options.declared.get(&options.sources, Dialect::Read, rule);
    let plain = arguments.plain;
    Target { version, order, plain, declared, anchor: traces.times().anchor }
}

/// Returns the names of threads that have totals. Each file of a folder contains only those of the
/// threads that it contains.
fn thread_names(reader: &Reader) -> impl Iterator<Item = Metadata> {
    reader.metadata_of_files().filter(|_| reader.files().is_some()).filter_map(|metadata| {
        let Metadata::Total(total) = metadata else { return None };
        let name = reader.threads().name(total.tid)?;
        Some(Metadata::Thread(total.tid, name.to_owned()))
    })
}

/// The metadata value that marks a trace as incomplete.
const SELECTED_BY: &[u8] = b"by ringtrace convert";

const WRITE_BYTES: usize = 1 << 18;

/// Writes entries until one cannot be represented. From then on, without `--lossy`, it writes
/// nothing and only counts losses.
struct Converter {
    writer: TraceWriter,
    /// Bytes of simpletrace that are not in the output yet.
    bytes: Vec<u8>,
    /// Encodes them, for a compact trace.
    compact: Option<CompactWriter>,
    output: Output,
    /// Whether the output is standard output. A program may read it while it is written.
    is_stdout: bool,
    lossy: bool,
    refused: Option<CliError>,
    dropped: Dropped,
}

impl Visitor for Converter {
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        let changes = records.thread_changes();
        records.skip_while(|record, schema_index| {
            self.bytes.len() < WRITE_BYTES
                && self.writer.write_fast(record, schema_index, changes, &mut self.bytes)
        });
        self.flush_if_enough()
    }

    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self.dropped.count(entry);
        self.writer.write(entry, &mut self.bytes);
        self.flush_if_enough()
    }

    fn idle(&mut self) {
        self.flush(self.is_stdout);
    }
}

impl Converter {
    fn flush_if_enough(&mut self) -> Flow {
        if self.bytes.len() < WRITE_BYTES { Flow::Continue } else { self.flush(false) }
    }

    /// Writes the converted records. If `all` is false, the last block of a compact trace may
    /// remain in memory.
    #[cold]
    fn flush(&mut self, all: bool) -> Flow {
        if let Some(compact) = &mut self.compact {
            let mut blocks = Vec::new();
            compact.write(&self.bytes, &self.writer, &mut blocks);
            if all {
                compact.finish(&mut blocks);
            }
            self.bytes = blocks;
        }
        if self.refused.is_none() && self.may_keep() {
            self.refused = self.output.write(&self.bytes).err();
        }
        self.bytes.clear();
        if self.refused.is_none() { Flow::Continue } else { Flow::Stop }
    }

    fn may_keep(&self) -> bool {
        self.lossy || self.writer.losses().is_empty()
    }

    fn convert(
        mut self,
        mut traces: Traces,
        arguments: &Arguments,
        terminal: &Terminal,
    ) -> Result<Exit, CliError> {
        let progress = Progress::watch(traces.readers(), false, terminal);
        let failed: Vec<TraceError> = traces.for_each(&mut self).err().unwrap_or_default();
        drop(progress);
        let is_damaged = !failed.is_empty()
            || traces.missing().is_some()
            || traces.readers().into_iter().any(Reader::is_incomplete);
        if self.refused.is_none() {
            self.flush(false);
            // If records are missing, the totals of the original trace are wrong.
            let is_all = !is_damaged && traces.filter().is_everything() && self.writer.losses().is_empty();
            let readers = traces.readers();
            let metadata = || readers.iter().flat_map(|reader| reader.metadata_of_files());
            let has_totals = metadata().any(|metadata| matches!(metadata, Metadata::Total(_)));
            let is_marked = !is_all && has_totals && arguments.to.version == Version::V4;
            let names: Vec<Metadata> = readers.iter().flat_map(|reader| thread_names(reader)).collect();
            let selected = Metadata::Other(metadata::SELECTED.to_owned(), SELECTED_BY.to_vec());
            self.writer.finish(
                names.iter().chain(metadata()).chain(is_marked.then_some(&selected)),
                &mut self.bytes,
            );
            self.flush(true);
        }
        if let Some(refused) = self.refused {
            return Err(refused);
        }
        let is_strict = arguments.read.format.strict;
        let exit = report_read(&traces, failed, self.dropped, is_strict, terminal);
        if !is_damaged {
            note_empty(&traces, terminal);
        }
        let to = arguments.to.version;
        for (loss, times) in self.writer.losses().iter() {
            let message =
                format!("{}: {} {} {}", loss.name(), count(times), loss.unit(times), loss.describe(to));
            terminal.warn(&message, Some(loss.advice(to)));
        }
        let is_lost = !self.writer.losses().is_empty();
        if !self.lossy && is_lost {
            return Err(CliError::input(format!("nothing was written: {to} cannot represent all events"))
                .help("--lossy writes what it can represent"));
        }
        if !self.lossy && is_damaged {
            return Err(CliError {
                exit,
                ..CliError::input("nothing was written: part of the input cannot be read")
            }
            .help("--lossy writes the part before the damage; --lossy --keep-going also writes what can be read after it"));
        }
        self.output.keep()?;
        Ok(if exit == Exit::Done && is_lost && is_strict { Exit::Lost } else { exit })
    }
}
