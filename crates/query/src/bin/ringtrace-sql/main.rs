//! The program `ringtrace-sql`, which `ringtrace sql` runs.

#![deny(unsafe_code)]

mod arguments;
mod output;
mod shell;
mod terminal;

use std::collections::HashMap;
use std::fs;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::LogicalPlan;
use futures::StreamExt;
use ringtrace_query::store::{self, Published};
use ringtrace_query::workers::{Client, Fleet};
use ringtrace_query::{
    Dataset, Error, ErrorKind, READY, Resources, Rows, Session, Source, Tables, collect, parameters, ready,
};

use crate::arguments::Arguments;
use crate::output::{Format, Output};
use crate::terminal::{say, warn};

/// The exit status, as for all commands of `ringtrace`: the most severe one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Done,
    Lost,
    Input,
    Usage,
    System,
}

impl Exit {
    fn status(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Input => 1,
            Exit::Usage => 2,
            Exit::Lost => 3,
            Exit::System => 4,
        }
    }

    fn worse(self, other: Exit) -> Exit {
        let severe = [Exit::System, Exit::Usage, Exit::Input, Exit::Lost];
        severe.into_iter().find(|&exit| self == exit || other == exit).unwrap_or(self)
    }
}

impl From<ErrorKind> for Exit {
    fn from(kind: ErrorKind) -> Exit {
        match kind {
            ErrorKind::Usage => Exit::Usage,
            ErrorKind::Input => Exit::Input,
            ErrorKind::System => Exit::System,
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let exit = match run(&arguments) {
        Ok(exit) => exit,
        // The reader closed the output early.
        Err(error) if error.message.is_empty() => Exit::Done,
        Err(error) => {
            report(&error);
            error.kind.into()
        }
    };
    ExitCode::from(exit.status())
}

fn report(error: &Error) {
    say("error", &error.message, error.help.as_deref());
}

fn run(arguments: &Arguments) -> Result<Exit, Error> {
    if arguments.list {
        print(&list())?;
        return Ok(Exit::Done);
    }
    if let Some(task) = StoreTask::of(arguments) {
        let runtime = runtime(1)?;
        return runtime.block_on(task.run());
    }
    let (traces, query) = arguments.traces_and_query()?;
    let given = arguments.given()?;
    let (query, values) = match (&arguments.ready, &arguments.file) {
        (Some(name), _) => {
            let ready = ready(name)?;
            (Some(ready.sql.to_owned()), parameters(Some(ready), &given)?)
        }
        (None, Some(path)) => (Some(text_of(path)?), parameters(None, &given)?),
        (None, None) => (query, parameters(None, &given)?),
    };
    let query = match query {
        None if !io::stdin().is_terminal() => Some(text_of("-".as_ref())?),
        query => query,
    };
    let threads =
        arguments.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
    let resources = Resources { threads, memory_bytes: arguments.memory_mib << 20 };
    let runtime = runtime(threads)?;
    let tables: Tables = match traces.as_slice() {
        _ if !arguments.workers.is_empty() => runtime.block_on(fleet(arguments, &traces))?.into(),
        [path] if path.to_str().is_some_and(store::is_url) => {
            arguments.check_dataset()?;
            runtime.block_on(Dataset::open_url(path.to_str().unwrap_or_default()))?.into()
        }
        [path] if Dataset::is_at(path) => {
            arguments.check_dataset()?;
            Dataset::open(path)?.into()
        }
        paths => {
            if let Some(url) = paths.iter().filter_map(|path| path.to_str()).find(|path| store::is_url(path))
            {
                let error = Error::usage(format!("{url} is a dataset, and cannot be combined with traces"));
                return Err(error.help("`ringtrace ingest` adds traces to it"));
            }
            let source = Source::open(arguments.opening(traces)?, arguments.wanted(), arguments.pairs())?;
            source.with_threads(threads).into()
        }
    };
    let session = Session::new(tables, resources)?;
    match query {
        Some(sql) => {
            let output = Output { format: arguments.format(), path: arguments.output.as_deref() };
            output.check(arguments.force)?;
            runtime.block_on(execute(&session, &sql, &values, &output, arguments.strict))
        }
        None => shell::run(&session, &runtime, arguments.strict),
    }
}

/// Connects to the workers.
async fn fleet(arguments: &Arguments, traces: &[std::path::PathBuf]) -> Result<Fleet, Error> {
    let certificate = arguments.worker_certificate.clone().unwrap_or_default();
    let client = Client::new(&certificate, arguments.token()?)?;
    let paths: Vec<String> = traces.iter().map(|path| path.display().to_string()).collect();
    let (workers, options) = (arguments.workers.clone(), arguments.read_options()?);
    Fleet::open(client, workers, &paths, options, arguments.shared).await
}

fn runtime(threads: usize) -> Result<tokio::runtime::Runtime, Error> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads.max(1))
        .enable_all()
        .build()
        .map_err(|error| Error::system("a thread", &error))
}

/// A task for `ringtrace ingest`, which has no client of object stores.
enum StoreTask<'a> {
    Fetch { url: &'a str, folder: &'a Path, is_signed: bool },
    Publish { url: &'a str, folder: &'a Path, trace: &'a str },
}

impl StoreTask<'_> {
    fn of(arguments: &Arguments) -> Option<StoreTask<'_>> {
        let [fetch, signed] = [&arguments.fetch, &arguments.fetch_signed];
        if let [url, folder] = fetch.as_slice() {
            return Some(StoreTask::Fetch { url, folder: Path::new(folder), is_signed: false });
        }
        if let [url, folder] = signed.as_slice() {
            return Some(StoreTask::Fetch { url, folder: Path::new(folder), is_signed: true });
        }
        let [url, folder, trace] = arguments.publish.as_slice() else { return None };
        Some(StoreTask::Publish { url, folder: Path::new(folder), trace })
    }

    /// Runs the task. Prints the result of `publish` in one word.
    async fn run(self) -> Result<Exit, Error> {
        let (url, folder, trace) = match self {
            StoreTask::Fetch { url, folder, is_signed } => {
                return store::fetch(url, folder, is_signed).await.map(|()| Exit::Done);
            }
            StoreTask::Publish { url, folder, trace } => (url, folder, trace),
        };
        let word = match store::publish(url, folder, trace).await? {
            Published::Changed => "changed",
            Published::Unchanged => "unchanged",
            Published::OtherColumns => "columns",
        };
        print(word).map(|()| Exit::Done)
    }
}

/// Runs all statements of `sql`, and reports what was noticed while the traces were read.
async fn execute(
    session: &Session,
    sql: &str,
    parameters: &HashMap<String, ScalarValue>,
    output: &Output<'_>,
    is_strict: bool,
) -> Result<Exit, Error> {
    let statements = session.parse(sql)?;
    if output.format == Format::Parquet && statements.len() > 1 {
        return Err(Error::usage("a Parquet file can contain the result of only one statement"));
    }
    let mut writer = output.start()?;
    for statement in statements {
        let result = match session.tables() {
            // The query may have to be run again, so rows are written when all have arrived.
            Tables::Fleet(_) => match collect(session, &statement, sql, parameters).await {
                Ok(rows) => write_rows(&rows, &mut writer),
                Err(error) => Err(error),
            },
            Tables::Traces(_) | Tables::Dataset(_) => match session.plan(statement, sql, parameters).await {
                Ok(frame) => write(frame, &mut writer, sql).await,
                Err(error) => Err(error),
            },
        };
        if let Err(error) = result {
            // Lost workers are part of the reason.
            if let Tables::Fleet(fleet) = session.tables() {
                fleet.losses_since().iter().for_each(|message| warn(message, None));
            }
            // The rows before the error are printed, but no file is created.
            let _ = writer.flush();
            return Err(error);
        }
    }
    writer.finish()?;
    Ok(conclude(session, is_strict).await)
}

async fn write(
    frame: datafusion::dataframe::DataFrame,
    writer: &mut output::Writer<'_>,
    sql: &str,
) -> Result<(), Error> {
    let failed = |error| ringtrace_query::failed(&error, sql);
    let is_plan = matches!(frame.logical_plan(), LogicalPlan::Explain(_) | LogicalPlan::Analyze(_));
    let mut rows = frame.execute_stream().await.map_err(failed)?;
    writer.begin(&rows.schema())?;
    while let Some(batch) = rows.next().await {
        let batch = batch.map_err(failed)?;
        if is_plan { writer.write_plan(&batch) } else { writer.write(&batch) }?;
    }
    writer.end()
}

fn is_of_traces(tables: &Tables) -> bool {
    match tables {
        Tables::Traces(_) => true,
        Tables::Dataset(_) => false,
        Tables::Fleet(fleet) => !fleet.has_datasets(),
    }
}

fn write_rows(rows: &Rows, writer: &mut output::Writer<'_>) -> Result<(), Error> {
    writer.begin(&rows.schema)?;
    for batch in &rows.batches {
        if rows.is_plan { writer.write_plan(batch) } else { writer.write(batch) }?;
    }
    writer.end()
}

/// Reports damage and lost events, as all commands that read traces do.
async fn conclude(session: &Session, is_strict: bool) -> Exit {
    let findings = session.findings().await;
    for (message, help) in &findings.warnings {
        warn(message, help.as_deref());
    }
    let mut exit = if findings.is_damaged { Exit::Input } else { Exit::Done };
    for error in &findings.errors {
        report(error);
        exit = exit.worse(error.kind.into());
    }
    if !findings.errors.is_empty() && is_of_traces(session.tables()) {
        say(
            "note",
            "the result contains only the rows before the damage; --keep-going skips damaged parts",
            None,
        );
    }
    if let Some(lost) = findings.lost() {
        warn(&lost, None);
        exit = if is_strict { exit.worse(Exit::Lost) } else { exit };
    }
    exit
}

/// Reads a file; `-` is standard input.
fn text_of(path: &Path) -> Result<String, Error> {
    let mut text = String::new();
    let read = match path.as_os_str() == "-" {
        true => io::stdin().lock().read_to_string(&mut text).map(|_| ()),
        false => fs::read_to_string(path).map(|read| text = read),
    };
    read.map_err(|error| Error::system(path.display(), &error))?;
    Ok(text)
}

/// Describes the ready queries.
fn list() -> String {
    let mut text = String::new();
    for query in READY {
        text.push_str(&format!("{:<10}{}\n", query.name, query.about));
        for parameter in query.parameters {
            let default = if parameter.default.is_empty() {
                String::new()
            } else {
                format!(" [default: {}]", parameter.default)
            };
            text.push_str(&format!("{:10}{}: {}{default}\n", "", parameter.name, parameter.about));
        }
    }
    text.push_str("\nringtrace sql TRACE --ready NAME --set PARAMETER=VALUE\n");
    text
}

/// Prints to standard output. A closed pipe is no error.
fn print(text: &str) -> Result<(), Error> {
    use std::io::Write as _;
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::system("standard output", &error))
        }
        _ => Ok(()),
    }
}
