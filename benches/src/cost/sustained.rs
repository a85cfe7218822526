//! Sustained lossless recording, compared with the handwritten pipeline. Each run is in a process
//! of its own.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ringtrace::{FileFormat, Policy};
use ringtrace_benches::recording::by_hand::pipeline;
use ringtrace_benches::recording::stopwatch::process_cpu_ns;
use ringtrace_wire::compact::BlockHeader;
use rustix::fs::{FallocateFlags, fallocate};

use crate::recorder::{Recorder, RecorderOptions, TWO_BYTES, memory_folder};
use crate::{probes, turn};

const EVENTS: u64 = 5_000_000;
const NULL: &str = "/dev/null";

/// The destination of the events.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Output {
    Null,
    /// A v4 file in memory, if possible, whose space is allocated before it is written.
    File,
    /// Like `File`, but compact.
    Compact,
    /// Like `File`, but compact and compressed with zstd.
    Compressed,
}

/// The quantity that is compared.
#[derive(Clone, Copy)]
pub enum Measure {
    /// Time from the first event until the last is written.
    Time,
    /// Processor time of all threads.
    Cpu,
}

/// Measures the runtime and the pipeline alternately.
///
/// # Errors
/// Fails if one of them cannot be measured or loses events.
pub fn turns(rounds: usize, output: Output, measure: Measure) -> Result<(), String> {
    let folder = tempfile::Builder::new().prefix("ringtrace-bench-").tempdir_in(memory_folder());
    let folder = folder.map_err(|error| error.to_string())?;
    let path = match output {
        Output::Null => PathBuf::from(NULL),
        Output::File | Output::Compact | Output::Compressed => folder.path().join("trace"),
    };
    let path_text = path.to_str().ok_or("the path of the folder for temporary files is not UTF-8")?;
    let ours_side = match output {
        Output::Null | Output::File => "ours",
        Output::Compact => "compact",
        Output::Compressed => "compressed",
    };
    let events = EVENTS.to_string();
    let mut file_bytes = 0;
    for number in 0..rounds {
        let mut of = |side| -> Result<f64, String> {
            let [ns, cpu_ns] = turn::numbers(&["sustained", side, path_text, &events])?;
            if side == ours_side {
                file_bytes = std::fs::metadata(&path).map_err(|error| error.to_string())?.len();
            }
            Ok(match measure {
                Measure::Time => ns,
                Measure::Cpu => cpu_ns,
            })
        };
        let (ours, theirs) = if number % 2 == 0 {
            let ours = of(ours_side)?;
            (ours, of("hand")?)
        } else {
            let theirs = of("hand")?;
            (of(ours_side)?, theirs)
        };
        println!("round {ours:.4} {theirs:.4} {:.4}", ours / theirs);
    }
    let file = match output {
        Output::Null => NULL.to_owned(),
        Output::File | Output::Compact | Output::Compressed => {
            format!("a preallocated file in {}", memory_folder().display())
        }
    };
    println!("note {EVENTS} events in each run to {file}, all recorded and written");
    if matches!(output, Output::Compact | Output::Compressed) {
        println!("note {:.1} bytes in the file for each event", file_bytes as f64 / EVENTS as f64);
    }
    Ok(())
}

/// Measures one side, in a process of its own.
///
/// # Errors
/// Fails if the side cannot be measured or loses events.
pub fn turn(side: &str, output: &str, events: &str) -> Result<(), String> {
    let events: u64 = events.parse().map_err(|_| format!("expected a number, got `{events}`"))?;
    let (ns, cpu_ns) = match side {
        "hand" => by_hand(Path::new(output), events),
        "ours" => ours(Path::new(output), events, FileFormat::V4),
        "compact" => ours(Path::new(output), events, FileFormat::Compact),
        "compressed" => ours(Path::new(output), events, FileFormat::CompactZstd),
        _ => Err(format!("unknown side `{side}`")),
    }?;
    println!("{ns} {cpu_ns}");
    Ok(())
}

/// Allocates the file's space in advance, so that the measurement does not include allocation.
fn preallocate(output: &Path, events: u64) -> Result<(), String> {
    const METADATA_BYTES: u64 = 1 << 20;
    if output == Path::new(NULL) {
        return Ok(());
    }
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", output.display());
    let file = File::options().write(true).open(output).map_err(|error| named(&error))?;
    let bytes = events * pipeline::RECORD_BYTES + METADATA_BYTES;
    fallocate(&file, FallocateFlags::KEEP_SIZE, 0, bytes).map_err(|error| named(&error))
}

fn by_hand(output: &Path, events: u64) -> Result<(f64, f64), String> {
    let named = |error| format!("{}: {error}", output.display());
    // The runtime opens its file in the same way.
    let file = File::create(output).map_err(named)?;
    preallocate(output, events)?;
    let run = pipeline::run(&file, events).map_err(named)?;
    let expected = events * pipeline::RECORD_BYTES;
    if run.bytes != expected {
        return Err(format!("the pipeline wrote {} bytes instead of {expected}", run.bytes));
    }
    Ok((run.ns, run.cpu_ns))
}

fn ours(output: &Path, events: u64, format: FileFormat) -> Result<(f64, f64), String> {
    let emit = match format {
        FileFormat::V4 => probes::two,
        // If the second number increased steadily, records would take only half the space.
        FileFormat::Compact => probes::scattered,
        // The differences of the scattered numbers are equal, so they could be compressed.
        FileFormat::CompactZstd => probes::random,
    };
    let policy = Policy::Block { timeout: None };
    let options = RecorderOptions {
        file: output.to_path_buf(),
        format,
        policy,
        buffer_bytes: 1 << 20,
        ..RecorderOptions::default()
    };
    let mut recorder = Recorder::start(&options)?;
    preallocate(output, events)?;
    // Attaches the thread to its ring, as in the pipeline.
    emit(1);
    recorder.start_counting()?;
    let (start, cpu_start) = (Instant::now(), process_cpu_ns());
    emit(events);
    let counts = recorder.counts()?;
    let ns = start.elapsed().as_nanos() as f64 / events as f64;
    let cpu_ns = (process_cpu_ns() - cpu_start) / events as f64;
    recorder.stop();
    if format != FileFormat::V4 {
        if counts.dropped + counts.overwritten > 0 {
            return Err(format!("events were lost: {counts:?}"));
        }
        let recorded = compact_records(output)?;
        if recorded != events + 1 {
            return Err(format!("{} events were emitted, {recorded} recorded", events + 1));
        }
        return Ok((ns, cpu_ns));
    }
    counts.are_all(events, TWO_BYTES)?;
    if output != Path::new(NULL) {
        let bytes = std::fs::metadata(output).map_err(|error| error.to_string())?.len();
        if bytes < events * TWO_BYTES {
            return Err(format!("the trace of {events} events has {bytes} bytes"));
        }
    }
    Ok((ns, cpu_ns))
}

/// Returns the number of records in a compact trace.
fn compact_records(path: &Path) -> Result<u64, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let (mut rest, mut records) = (&*bytes, 0);
    while !rest.is_empty() {
        let header = BlockHeader::parse(rest).map_err(|error| format!("{}: {error}", path.display()))?;
        records += u64::from(header.records);
        rest = rest.get(header.block_bytes()..).ok_or("the last block is incomplete")?;
    }
    Ok(records)
}
