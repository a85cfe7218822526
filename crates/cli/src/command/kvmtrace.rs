//! `ringtrace kvmtrace`: prints trace streams that KVM wrote from 2008 to 2010.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use ringtrace_tracefile::compressed::decompressed;

use crate::kvmtrace_text::{PrintError, SHOWN_PROBLEMS, print_records, read_definitions, stream_error};
use crate::output::print;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use ringtrace_kvmtrace::{
    Clock, DefinitionSet, Definitions, EventCounts, Key, SETS, Stream, StreamOptions, definition_set,
};
use ringtrace_kvmtrace::{Layout, Variant, WideRecords};
use ringtrace_wire::ByteOrder;

use super::{Command, parse_arguments};
use crate::exit::{CliError, Exit};
use crate::quantity;
use crate::terminal::Terminal;
use ringtrace_display::Table;

pub const COMMAND: Command = Command {
    name: "kvmtrace",
    about: "Print the text of a kvmtrace stream (KVM, 2008 to 2010)",
    configure: |command| {
        Arguments::augment_args(command)
            .override_usage("ringtrace kvmtrace [OPTIONS] [DEFINITIONS] < STREAM")
            .after_long_help(after_help())
    },
    run: |matches, terminal| run(&parse_arguments(matches)?, terminal),
};

#[derive(Args)]
struct Arguments {
    /// File that defines what to print for each event, with lines `ID FORMAT`
    definitions: Option<PathBuf>,
    /// Read the stream from a file instead of standard input
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// The frequency of the traced CPU: print `tsc` in seconds instead of cycles
    #[arg(short, long = "clock", value_name = "MHZ", allow_negative_numbers = true, value_parser = parse_mhz)]
    clock_mhz: Option<f64>,
    /// At the end, print how often each event occurred
    #[arg(short, long)]
    statistics: bool,
    /// Use these built-in definitions [default: depends on the unit of time in the stream]
    #[arg(long, conflicts_with = "definitions", value_parser = PossibleValuesParser::new(SETS.iter().map(|set| set.name)))]
    set: Option<String>,
    /// Format of the records [default: detect from the first bytes]
    #[arg(long, value_name = "VARIANT")]
    variant: Option<VariantName>,
    /// Byte order of a stream of variant k1 [default: detect from the first bytes]
    #[arg(long, value_name = "ORDER")]
    byte_order: Option<OrderName>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum VariantName {
    /// The first kernels: no magic word, time in cycles
    K1,
    /// Mid 2008: magic word, C bit fields, time in cycles
    K2,
    /// Since July 2008: magic word, time in nanoseconds
    K3,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum OrderName {
    /// Least significant byte first (x86)
    Little,
    /// Most significant byte first (s390x, PowerPC)
    Big,
}

fn parse_mhz(text: &str) -> Result<f64, String> {
    let mhz = text.parse().ok().filter(|mhz: &f64| mhz.is_finite());
    mhz.ok_or_else(|| "expected a number of MHz, such as 2400".to_owned())
}

fn after_help() -> String {
    let mut text = String::from("Built-in definitions, for streams without definitions:\n");
    for set in SETS {
        text.push_str(&format!("  {:<6} {}\n", set.name, set.about));
    }
    text.push_str(
        "Without --set, 2009 is used for streams in nanoseconds (k3), and 2008 for streams in cycles and with -c.\n\n\
         A definition is an event's id and text with Python's % conversions, such as\n  \
         0x00010002  %(ts)d (+%(relts)12d)  VMEXIT vcpu=%(vcpu)d code=0x%(1)08x\n\
         The keys are tsc and reltsc (or ts and relts), event, vcpu, pid, and 1 to 5 for the values. Id 0 is for all other events.",
    );
    text
}

/// Returns the stream properties that the options specify.
fn expected(arguments: &Arguments) -> StreamOptions {
    StreamOptions {
        variant: arguments.variant.map(|name| match name {
            VariantName::K1 => Variant::K1,
            VariantName::K2 => Variant::K2,
            VariantName::K3 => Variant::K3,
        }),
        order: arguments.byte_order.map(|name| match name {
            OrderName::Little => ByteOrder::Little,
            OrderName::Big => ByteOrder::Big,
        }),
        wide_records: WideRecords::Read,
    }
}

fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Exit, CliError> {
    let given = arguments.definitions.as_deref().map(|path| read_definitions(path, terminal)).transpose()?;
    let (name, input) = open(arguments.input.as_deref())?;
    let mut stream = Stream::open(input, expected(arguments)).map_err(|error| stream_error(&name, &error))?;
    let definitions = given.unwrap_or_else(|| built_in(arguments, stream.layout()));
    for problem in definitions.diagnostics().iter().take(SHOWN_PROBLEMS) {
        terminal.warn(&problem.to_string(), problem.help);
    }
    if arguments.clock_mhz.is_some() && !definitions.uses(Key::Tsc) {
        terminal.warn("-c has no effect: the definitions do not print `tsc`", None);
    }

    let mut statistics = EventCounts::default();
    let mut clock = Clock::new(arguments.clock_mhz, definitions.time_names());
    let layout = stream.layout();
    let mut joined = false;
    let mut out = io::stdout();
    let printed = print_records(&mut stream, &definitions, &mut clock, &mut out, |place, record| {
        if arguments.statistics {
            statistics.count(record.event);
        }
        if layout.is_start_of_another(record) && !std::mem::replace(&mut joined, true) {
            terminal.warn(
                &format!("{name}: {place}: another stream seems to start here; the rest is decoded wrongly"),
                Some("concatenated streams of several CPUs cannot be read: print them one by one"),
            );
        }
    });
    // After an error, the statistics cover the records before it.
    if arguments.statistics && !matches!(printed, Err(PrintError::Output(_))) {
        print(table(&statistics, &definitions, terminal))?;
    }
    printed.map(|()| Exit::Done).map_err(|error| error.into_error(&name))
}

/// Renders the number of events for each id, after an empty line.
fn table(statistics: &EventCounts, definitions: &Definitions, terminal: &Terminal) -> String {
    let counts = statistics.sorted();
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    let rows = || counts.iter().map(|(_, count)| *count).chain([total]);
    let ids = counts.iter().map(|(event, _)| format!("{event:#010x}"));
    let names = counts.iter().map(|(event, _)| definitions.event_name(*event).unwrap_or_default());

    let mut table = Table::new("EVENT");
    table.column("COUNT", 0, rows().map(quantity::count));
    table.column("%", 0, rows().map(|count| format!("{:.1}", count as f64 * 100.0 / total.max(1) as f64)));
    table.column("ID", 0, ids.chain([String::new()]));
    table.names(names.chain(["(all)".to_owned()]));
    let mut text = "\n".to_owned();
    terminal.table(&table, &mut text);
    text
}

fn built_in(arguments: &Arguments, layout: Layout) -> Definitions {
    let in_cycles = layout.variant != Variant::K3 || arguments.clock_mhz.is_some();
    let default = if in_cycles { "2008" } else { "2009" };
    definition_set(arguments.set.as_deref().unwrap_or(default))
        .map_or_else(Definitions::empty, DefinitionSet::definitions)
}

fn open(path: Option<&Path>) -> Result<(String, Box<dyn Read>), CliError> {
    match path {
        Some(path) => {
            let name = path.display().to_string();
            let file = File::open(path).and_then(|file| decompressed(Box::new(file)));
            let file = file.map_err(|error| CliError::system(&name, &error))?;
            Ok((name, file))
        }
        None if io::stdin().is_terminal() => Err(CliError::usage("standard input is a terminal")
            .help("ringtrace kvmtrace < STREAM, or ringtrace kvmtrace -i STREAM")),
        None => {
            let name = "standard input".to_owned();
            let input = decompressed(Box::new(io::stdin()));
            let input = input.map_err(|error| CliError::system(&name, &error))?;
            Ok((name, input))
        }
    }
}
