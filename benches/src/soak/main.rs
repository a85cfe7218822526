//! Runs a traced program for a long time, with rotation, clients of the monitor, and threads that come
//! and go. Checks that no event is missing, and that the program does not use more and more memory,
//! descriptors or mappings.
//!
//! ```text
//! cargo xtask soak --minutes 30
//! ```

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod clients;
mod folder;
mod process;
mod traced;

use std::error::Error;
use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use folder::Folder;
use process::{COLUMNS, Sample};

const USAGE: &str = "usage: cargo xtask soak [--minutes N] [--format v4|compact]";

/// Interval of the samples.
const INTERVAL: Duration = Duration::from_millis(250);
/// Number of lines in the table.
const LINES: u32 = 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["traced", ..] => traced::run(),
        words => match parse(words) {
            Some((minutes, format)) => soak(minutes, format),
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse<'w>(mut words: &[&'w str]) -> Option<(f64, &'w str)> {
    let (mut minutes, mut format) = (30.0, "compact");
    while let [name, value, rest @ ..] = words {
        match (*name, *value) {
            ("--minutes", value) => minutes = value.parse().ok().filter(|&minutes: &f64| minutes > 0.0)?,
            ("--format", "v4" | "compact") => format = value,
            _ => return None,
        }
        words = rest;
    }
    words.is_empty().then_some((minutes, format))
}

fn soak(minutes: f64, format: &str) -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::Builder::new().prefix("ringtrace-soak-").tempdir()?;
    let path = |name: &str| temporary.path().join(name);
    let (traces, socket) = (path("traces"), path("monitor"));
    let memory = Path::new("/dev/shm");
    let memory = if memory.is_dir() { memory } else { temporary.path() };
    let rings = tempfile::Builder::new().prefix("ringtrace-soak-").tempdir_in(memory)?;
    let trace = format!(
        "soak_*,policy=block,format={format},file={},rotate=4M,rotate=2s,keep=20,dir={}",
        traces.display(),
        rings.path().display()
    );
    let mut program = Command::new(std::env::current_exe()?)
        .args(["traced", "--trace", &trace, "--monitor"])
        .arg(format!("unix:{},files={}", socket.display(), temporary.path().display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    while !socket.exists() {
        if let Some(status) = program.try_wait()? {
            return Err(format!("the traced program ended: {status}").into());
        }
        thread::sleep(Duration::from_millis(10));
    }

    let (ends, commands) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut folder = Folder::default();
    let pid = program.id();
    let snapshot = path("snapshot");
    let samples = thread::scope(|scope| {
        let clients = scope.spawn(|| clients::run(&socket, &snapshot, &ends, &commands));
        let length = Duration::from_secs_f64(minutes * 60.0);
        let samples = observe(pid, rings.path(), &traces, length, &mut folder, &commands);
        ends.store(true, Ordering::Relaxed);
        match clients.join() {
            Ok(result) => result.map_err(|error| error.to_string())?,
            Err(_) => return Err("a client panicked".to_string()),
        }
        samples
    });

    drop(program.stdin.take());
    let mut workers = String::new();
    program.stdout.take().ok_or("no output")?.read_to_string(&mut workers)?;
    let status = program.wait()?;
    let samples = samples?;
    if !status.success() {
        return Err(format!("the traced program ended: {status}").into());
    }
    folder.read_complete(&traces, true)?;
    folder.is_complete(workers.trim().parse()?)?;
    let folder::Totals { files, events, workers, .. } = folder.totals;
    println!("\n{events} events of {workers} threads in {files} files, none missing.");
    compare(&samples)
}

/// Takes samples and reads the complete files, for `length`.
fn observe(
    pid: u32,
    rings: &Path,
    traces: &Path,
    length: Duration,
    folder: &mut Folder,
    commands: &AtomicU64,
) -> Result<Vec<Sample>, String> {
    let start = Instant::now();
    let mut samples = Vec::new();
    let mut title = format!("{:>7} {:>6} {:>12} {:>9}", "MINUTES", "FILES", "EVENTS", "COMMANDS");
    COLUMNS.iter().for_each(|column| _ = write!(title, " {:>13}", column.name));
    println!("{title}");
    let mut shown = 0;
    while start.elapsed() < length {
        thread::sleep(INTERVAL);
        let sample = process::sample(pid, rings).map_err(|error| format!("the traced program: {error}"))?;
        samples.push(sample);
        folder.read_complete(traces, false)?;
        if start.elapsed() >= length * shown / LINES {
            shown += 1;
            let minutes = start.elapsed().as_secs_f64() / 60.0;
            let (totals, commands) = (folder.totals, commands.load(Ordering::Relaxed));
            let mut line = format!("{minutes:>7.1} {:>6} {:>12} {commands:>9}", totals.files, totals.events);
            sample.iter().for_each(|value| _ = write!(line, " {value:>13}"));
            println!("{line}");
        }
    }
    Ok(samples)
}

/// Compares the medians of the second and of the last fifth of the samples. In runs of less than some
/// minutes, the second fifth is too early: threads use more and more pages of the rings.
fn compare(samples: &[Sample]) -> Result<(), Box<dyn Error>> {
    let fifth = samples.len() / 5;
    let early = process::medians(&samples[fifth..2 * fifth]);
    let late = process::medians(&samples[samples.len() - fifth..]);
    let mut grown = Vec::new();
    for ((column, early), late) in COLUMNS.iter().zip(early).zip(late) {
        println!("{:<13} {early:>9} -> {late:>9}", column.name);
        if late > early + column.allowed {
            grown.push(format!("{} by {}", column.name, late - early));
        }
    }
    if grown.is_empty() { Ok(()) } else { Err(format!("the program grew: {}", grown.join(", ")).into()) }
}
