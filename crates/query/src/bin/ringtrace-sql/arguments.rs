//! The command line.

use std::path::{Path, PathBuf};

use clap::Parser;
use ringtrace_events::SourceFile;
use ringtrace_query::workers::{ReadOptions, Token};
use ringtrace_query::{Error, Opening, Pairs, Wanted, declarations};
use ringtrace_tracefile::align::Alignment;
use ringtrace_tracefile::moment::{Epoch, Moment};
use ringtrace_tracefile::pair::PairSpec;
use ringtrace_tracefile::{Era, FilterOptions, Options, era};

use crate::output::Format;

/// Run SQL queries on traces
///
/// Tables: events (all records), one table for each event with its arguments, spans, one table for
/// each pair ("BEGIN:END:KEY"), drops, pauses, steps, counters, threads, traces. `show tables`
/// lists them, and `describe TABLE` their columns. Without a QUERY, a shell starts.
#[derive(Parser, Debug)]
#[command(name = "ringtrace sql", bin_name = "ringtrace sql", version, after_help = EXAMPLES)]
pub struct Arguments {
    /// Traces, folders of rotated traces, or a dataset (a folder or a URL), and the query. Several traces are merged by
    /// time
    #[arg(value_name = "TRACE... [QUERY]", required_unless_present_any = ["list", "fetch", "fetch_signed", "publish"])]
    words: Vec<String>,

    /// Read the query from FILE; `-` is standard input
    #[arg(short, long, value_name = "FILE", conflicts_with = "ready")]
    pub file: Option<PathBuf>,

    /// Run the ready query NAME
    #[arg(long, value_name = "NAME")]
    pub ready: Option<String>,

    /// Value of the parameter $NAME of the query; for several, repeat the option
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,

    /// List the ready queries
    #[arg(long)]
    pub list: bool,

    /// Format of the result [default: by the name of the output file, otherwise table]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Write the result to FILE
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Replace FILE if it exists
    #[arg(long, requires = "output")]
    pub force: bool,

    /// Number of threads that decode traces, and of threads that process rows [default: one for
    /// each processor]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,

    /// Limit for the memory of sorting, grouping and joining, in MiB. Beyond it, rows are stored in
    /// temporary files where possible
    #[arg(long = "memory", value_name = "MIB", default_value_t = 4096)]
    pub memory_mib: usize,

    /// Declarations of the program that wrote the trace (QEMU: trace-events-all); for several
    /// files, repeat the option in the order used by the build
    #[arg(short, long, value_name = "FILE", help_heading = "Traces")]
    events: Vec<PathBuf>,

    /// Sort each trace by time (stable)
    #[arg(long, help_heading = "Traces")]
    sort: bool,

    /// Merge traces of different machines or boots by their own clocks instead of the wall clock
    #[arg(long, help_heading = "Traces")]
    unaligned: bool,

    /// Match pairs that begin in one trace and end in another
    #[arg(long, help_heading = "Traces")]
    join_traces: bool,

    /// Wall-clock time of zero on the traces' clock: a date, or seconds since 1970; FILE=DATE is
    /// for one of the traces, and can be repeated
    #[arg(long, value_name = "[FILE=]DATE", value_parser = Epoch::parse, help_heading = "Traces")]
    epoch: Vec<Epoch>,

    /// Behave like QEMU's reader of ERA: 2010, 2011, 2012, 2014, 2016, 2021 or 10.2 [default: the
    /// newest reader of the version]
    #[arg(long, value_name = "ERA", value_parser = era_from_name, help_heading = "Traces")]
    compat: Option<Era>,

    /// Skip unreadable parts and continue; still exit with status 1
    #[arg(long, help_heading = "Traces")]
    keep_going: bool,

    /// Treat anomalies in the trace as errors, not warnings; exit with status 3 if events were dropped
    #[arg(long, help_heading = "Traces")]
    pub strict: bool,

    /// Only events that match GLOB (`*`, `?`); for several, use A,B or repeat the option
    #[arg(long, value_name = "GLOB", value_delimiter = ',', help_heading = "Filters")]
    event: Vec<String>,

    /// Only events from TIME on: seconds after the earliest event (1.5, 20ms, 2min), or a date
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = Moment::parse, help_heading = "Filters")]
    since: Option<Moment>,

    /// Only events up to TIME
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = Moment::parse, help_heading = "Filters")]
    until: Option<Moment>,

    /// Match event BEGIN with the event END that has the same KEY; for several pairs, repeat the
    /// option
    #[arg(long, value_name = "BEGIN:END[:KEY]", value_parser = pair, help_heading = "Pairs")]
    pair: Vec<PairSpec>,

    /// Read pairs and counters from FILE. `qemu` means the built-in ones for QEMU, and `none` means
    /// no pairs
    #[arg(long, value_name = "FILE", help_heading = "Pairs")]
    pairs: Vec<String>,

    /// Run the query on the machines with the traces, where `ringtrace-worker` must be running. The
    /// paths are those on these machines
    #[arg(
        long,
        value_name = "HOST:PORT",
        value_delimiter = ',',
        requires = "worker_certificate",
        help_heading = "Workers"
    )]
    pub workers: Vec<String>,

    /// The certificates of the workers, in PEM. Others are not trusted
    #[arg(long, value_name = "FILE", requires = "workers", help_heading = "Workers")]
    pub worker_certificate: Option<PathBuf>,

    /// The token of the workers. Other users must not be able to read the file [default: the
    /// variable RINGTRACE_TOKEN]
    #[arg(long, value_name = "FILE", requires = "workers", help_heading = "Workers")]
    token_file: Option<PathBuf>,

    /// All workers have the same files, so one that cannot be reached is not needed
    #[arg(long, requires = "workers", help_heading = "Workers")]
    pub shared: bool,

    /// For `ringtrace ingest URL`: copies the settings of a dataset to a folder
    #[arg(long, value_names = ["URL", "FOLDER"], num_args = 2, hide = true, exclusive = true)]
    pub fetch: Vec<String>,

    /// For `ringtrace ingest --signed URL`
    #[arg(long, value_names = ["URL", "FOLDER"], num_args = 2, hide = true, exclusive = true)]
    pub fetch_signed: Vec<String>,

    /// For `ringtrace ingest URL`: adds a trace in a folder to a dataset
    #[arg(long, value_names = ["URL", "FOLDER", "TRACE"], num_args = 3, hide = true, exclusive = true)]
    pub publish: Vec<String>,
}

/// The variable with the token of the workers.
const TOKEN: &str = "RINGTRACE_TOKEN";

const EXAMPLES: &str = "\
Examples:
  ringtrace sql trace-4711 'select event, count(*) from events group by 1'
  ringtrace sql trace-4711 --ready latency --set pair='disk%'
  ringtrace sql trace-4711 'select * from disk_read' -o reads.parquet
  ringtrace sql a.trace b.trace --ready compare
  ringtrace sql s3://bucket/fleet --ready drops
  ringtrace sql trace-4711";

fn pair(text: &str) -> Result<PairSpec, String> {
    PairSpec::parse(text).map_err(|error| format!("{error}; {}", error.help))
}

fn era_from_name(name: &str) -> Result<Era, String> {
    let known: Vec<&str> = era::ERAS.iter().map(|info| info.name).collect();
    Era::from_name(name).ok_or_else(|| format!("no such era: expected one of {}", known.join(", ")))
}

impl Arguments {
    /// Returns the traces, and the query if there is one: the last argument, if it contains a blank
    /// and is not a file.
    pub fn traces_and_query(&self) -> Result<(Vec<PathBuf>, Option<String>), Error> {
        let is_query = |word: &String| word.contains(char::is_whitespace) && !Path::new(word).exists();
        let (words, query) = match self.words.split_last() {
            Some((last, words)) if is_query(last) => (words, Some(last.clone())),
            _ => (self.words.as_slice(), None),
        };
        if words.is_empty() {
            return Err(Error::usage("no trace is given").help("ringtrace sql TRACE... 'QUERY'"));
        }
        let (has_file, has_ready) = (self.file.is_some(), self.ready.is_some());
        if query.is_some() && (has_file || has_ready) {
            let option = if has_file { "--file" } else { "--ready" };
            return Err(Error::usage(format!("a query and {option} are given; choose one")));
        }
        Ok((words.iter().map(PathBuf::from).collect(), query))
    }

    /// Checks that no options are given that determine how traces are read.
    pub fn check_dataset(&self) -> Result<(), Error> {
        let options = [
            ("--events", !self.events.is_empty()),
            ("--sort", self.sort),
            ("--unaligned", self.unaligned),
            ("--join-traces", self.join_traces),
            ("--epoch", !self.epoch.is_empty()),
            ("--compat", self.compat.is_some()),
            ("--keep-going", self.keep_going),
            ("--event", !self.event.is_empty()),
            ("--since", self.since.is_some()),
            ("--until", self.until.is_some()),
            ("--pair", !self.pair.is_empty()),
            ("--pairs", !self.pairs.is_empty()),
        ];
        match options.iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => {
                let error = Error::usage(format!("{name} is for traces, and this is a dataset"));
                Err(error.help("use `where` in the query; `ringtrace ingest` determines how traces are read"))
            }
            None => Ok(()),
        }
    }

    /// Returns how workers read traces. Reads the declarations.
    pub fn read_options(&self) -> Result<ReadOptions, Error> {
        let unavailable = [
            ("--sort", self.sort),
            ("--unaligned", self.unaligned),
            ("--join-traces", self.join_traces),
            ("--epoch", !self.epoch.is_empty()),
            ("--compat", self.compat.is_some()),
            ("--since", self.since.is_some()),
            ("--until", self.until.is_some()),
            ("--pairs", !self.pairs.is_empty()),
        ];
        if let Some((name, _)) = unavailable.iter().find(|(_, is_given)| *is_given) {
            return Err(Error::usage(format!("{name} cannot be used with --workers"))
                .help("use `where` in the query, or `ringtrace ingest` on the machine with the trace"));
        }
        let sources: Vec<SourceFile> =
            self.events.iter().map(|path| declarations(path)).collect::<Result<_, _>>()?;
        Ok(ReadOptions {
            declarations: sources
                .iter()
                .map(|source| (source.name().to_owned(), source.text().to_owned()))
                .collect(),
            pairs: self.pair.iter().map(ToString::to_string).collect(),
            events: self.event.clone(),
            keep_going: self.keep_going,
            strict: self.strict,
        })
    }

    /// Returns the token of the workers.
    #[expect(clippy::disallowed_methods, reason = "the token can be given as a variable")]
    pub fn token(&self) -> Result<Token, Error> {
        match (&self.token_file, std::env::var(TOKEN)) {
            (Some(path), _) => Token::read(path),
            (None, Ok(token)) => Token::new(&token)
                .map_err(|error| Error { message: format!("{TOKEN}: {}", error.message), ..error }),
            (None, Err(_)) => Err(Error::usage("no token of the workers is given")
                .help(format!("specify --token-file FILE, or set {TOKEN}"))),
        }
    }

    /// Returns the values of parameters.
    pub fn given(&self) -> Result<Vec<(String, String)>, Error> {
        let split = |text: &String| {
            let (name, value) = text.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        };
        let split =
            |text| split(text).ok_or_else(|| Error::usage(format!("--set {text}: expected NAME=VALUE")));
        self.set.iter().map(split).collect()
    }

    /// Returns how to open the traces. Reads the declarations.
    pub fn opening(&self, paths: Vec<PathBuf>) -> Result<Opening, Error> {
        for trace in self.epoch.iter().filter_map(|epoch| epoch.trace.as_ref()) {
            if !paths.contains(trace) {
                return Err(Error::usage(format!("--epoch: {} is not one of the traces", trace.display())));
            }
        }
        let sources: Vec<SourceFile> =
            self.events.iter().map(|path| declarations(path)).collect::<Result<_, _>>()?;
        let options = Options {
            sources,
            era: self.compat,
            strict: self.strict,
            keep_going: self.keep_going,
            spool: self.sort,
            ..Options::default()
        };
        let alignment = Alignment { unaligned: self.unaligned, joined: self.join_traces };
        Ok(Opening { paths, options, alignment, epochs: self.epoch.clone() })
    }

    /// Returns the records that queries see.
    pub fn wanted(&self) -> Wanted {
        let filter = FilterOptions { include: self.event.clone(), ..FilterOptions::default() };
        Wanted { filter, since: self.since, until: self.until }
    }

    /// Returns the selected pairs.
    pub fn pairs(&self) -> Pairs {
        Pairs { pairs: self.pair.clone(), files: self.pairs.clone() }
    }

    /// Returns the format of the result.
    pub fn format(&self) -> Format {
        let by_name = || {
            let ending = self.output.as_ref()?.extension()?.to_str()?;
            <Format as clap::ValueEnum>::from_str(ending, true).ok()
        };
        self.format.or_else(by_name).unwrap_or(Format::Table)
    }
}
