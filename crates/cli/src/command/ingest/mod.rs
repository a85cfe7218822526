//! `ringtrace ingest`: adds traces to a dataset.

mod store;

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;

use clap::Args;
use ringtrace_events::message::visible;
use ringtrace_export::dataset::{Identity, Ingested};
use ringtrace_export::{Dataset, Error};
use ringtrace_tracefile::{Needs, Reader};

pub use self::store::url as store_url;
use self::store::{Published, Store};
use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::output::{on_signal, print};
use crate::pair_arguments::PairArguments;
use crate::progress::Progress;
use crate::quantity::counted;
use crate::reading::{FormatArguments, ReadArguments, ReadOutcome, WantedArguments, finish};
use crate::terminal::Terminal;
use crate::values::thread_count;

pub const COMMAND: Command = Command {
    name: "ingest",
    about: "Add traces to a dataset: Parquet files for SQL over many traces",
    configure: |command| Arguments::augment_args(command).after_help(EXAMPLES),
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

const EXAMPLES: &str = "\
Examples:
  ringtrace ingest fleet host-1.trace host-2.trace
  ringtrace ingest fleet /var/log/engine.trace.d
  ringtrace ingest fleet -e trace-events-all --epoch 2026-11-23 qemu.trace
  ringtrace ingest --signed --pair read:done:req spark-fleet *.trace
  ringtrace ingest s3://bucket/fleet host-1.trace

For object stores (s3://, gs://, az://), the command runs the program
`ringtrace-sql`, which must be in the folder of this tool or in PATH.";

#[derive(Args, Debug)]
struct Arguments {
    /// Folder of the dataset, which is created if it does not exist, or its URL in an object store
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,

    /// Traces, which may be compressed (gzip, zstd, xz), or folders of rotated traces; `-` is standard input
    #[arg(value_name = "TRACE", required = true)]
    traces: Vec<PathBuf>,

    /// Store unsigned 64-bit integers as signed ones, with the same bits, in a new dataset: Spark reads these faster
    #[arg(long)]
    signed: bool,

    /// Declarations of the program that wrote the traces (QEMU: trace-events-all); for several files, repeat the option in the order used by the build
    #[arg(short, long, value_name = "FILE")]
    events: Vec<PathBuf>,

    /// Replace a trace even if the dataset has earlier rows of it from files that do not exist any more
    #[arg(long)]
    replace: bool,

    /// Sort each trace by time (stable)
    #[arg(long)]
    sort: bool,

    #[command(flatten)]
    pairs: PairArguments,

    #[command(flatten)]
    wanted: WantedArguments,

    #[command(flatten)]
    format: FormatArguments,
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let read = ReadArguments {
        traces: arguments.traces.clone(),
        events: arguments.events.clone(),
        sort: arguments.sort,
        unaligned: false,
        join_traces: false,
        wanted: arguments.wanted.clone(),
        format: arguments.format.clone(),
    };
    // The message names the file.
    let failed = |error: io::Error| CliError::lines(Exit::System, error.to_string());
    let options = read.options()?;
    let open = read.open(&options, terminal)?;
    let (mut exit, mut readers) = (open.exit(), open.readers);
    // The ids of traces and the declarations must be known now.
    for stream in readers.iter_mut().filter(|reader| !reader.is_rereadable()) {
        stream.read_head()?;
    }
    let requested = arguments.pairs.description_of_any(&readers)?;
    let (store, dataset) = match store_url(&arguments.dataset) {
        Some(url) => {
            let (store, dataset) = Store::open(url, arguments.signed)?;
            (Some(store), dataset)
        }
        None => (None, Dataset::open(&arguments.dataset, arguments.signed).map_err(failed)?),
    };
    // A file that cannot be opened has not vanished.
    let dataset = dataset.replacing_vanished(arguments.replace && exit == Exit::Done);
    on_signal(ringtrace_export::remove_unfinished);
    let _progress = Progress::watch(&readers, true, terminal);
    let mut todo = VecDeque::from(traces(readers)?);
    while let Some(Trace { name, identity, readers }) = todo.pop_front() {
        let mut traces = read.gather_with(readers, Needs { anchor: true, ..Needs::default() }, true)?;
        // Another thread encodes the tables.
        traces.decode_ahead(thread_count(None) > 2);
        let tracker = arguments.pairs.span_tracker_of_one(requested.as_ref(), &traces, terminal)?;
        let mut tracker = tracker.keep_begins(true);
        let mut ingested =
            dataset.ingest(&mut traces, &mut tracker, &identity).map_err(|error| match error {
                Error::Write(error) => failed(error),
                Error::Pair(error) => error.into(),
            })?;
        if !ingested.vanished.is_empty() {
            terminal.report(&vanished(&name, &identity, &ingested.vanished));
            exit = exit.worse(Exit::Input);
        }
        if let (Some(store), true) = (&store, ingested.is_added) {
            let published = store.publish(&identity.id)?;
            if published == Published::OtherColumns {
                let again = self::traces(read.open_each(&options)?.readers)?;
                todo.extend(again.into_iter().filter(|trace| trace.identity.id == identity.id));
                continue;
            }
            ingested.is_unchanged = published == Published::Unchanged;
        }
        if ingested.is_added {
            print(line(&name, &identity, &ingested))?;
        }
        let Ingested { read_errors, dropped, .. } = ingested;
        let outcome = ReadOutcome { failed: read_errors, dropped, is_partial: false };
        exit = exit.worse(finish(&traces, outcome, read.format.strict, terminal));
    }
    Ok(exit)
}

/// A trace, with the readers of its files.
struct Trace {
    name: String,
    identity: Identity,
    readers: Vec<Reader>,
}

/// Groups readers by trace. Files with the same id are one trace.
fn traces(readers: Vec<Reader>) -> Result<Vec<Trace>, CliError> {
    let mut traces: Vec<Trace> = Vec::new();
    for reader in readers {
        let Some(identity) = Identity::of(&reader) else {
            let message =
                format!("{}: the trace has no id, and a stream cannot be read twice", reader.name());
            return Err(CliError::usage(message).help("write it to a file, and ingest the file"));
        };
        match traces.iter_mut().find(|trace| trace.identity.id == identity.id) {
            Some(trace) => trace.readers.push(reader),
            None => {
                let name = reader.name().to_owned();
                traces.push(Trace { name, identity, readers: vec![reader] });
            }
        }
    }
    Ok(traces)
}

/// Returns the error that the dataset contains rows of files that are gone.
fn vanished(name: &str, identity: &Identity, files: &[String]) -> CliError {
    const SHOWN: usize = 3;
    let mut list: Vec<String> = files.iter().take(SHOWN).map(|file| visible::text(file)).collect();
    if files.len() > SHOWN {
        list.push(format!("{} more", files.len() - SHOWN));
    }
    let message = format!(
        "{}: the dataset has earlier rows of the trace {}, from files that were not read now: {}; the trace remains as it was",
        visible::text(name),
        identity.id,
        list.join(", ")
    );
    CliError::input(message)
        .help("name all files of the trace together; if the earlier rows may be deleted, use --replace")
}

/// Returns a line about a trace that is in the dataset.
fn line(name: &str, identity: &Identity, ingested: &Ingested) -> String {
    let Ingested { records, spans, parts, is_unchanged, renamed, .. } = ingested;
    let mut line = format!(
        "{}: {} and {} in {}, as trace {}{}\n",
        visible::text(name),
        counted(*records, "record", "records"),
        counted(*spans, "span", "spans"),
        counted(*parts as u64, "file", "files"),
        identity.id,
        if *is_unchanged { " (already there)" } else { "" },
    );
    for (table, argument, column) in renamed {
        line += &visible::text(&format!(
            "  {table}: `{argument}` is in the column `{column}`, because earlier traces declare another type"
        ));
        line.push('\n');
    }
    line
}
