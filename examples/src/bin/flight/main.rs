//! A flight recorder: a message broker keeps its newest events in memory and is killed by a signal
//! that it cannot catch. Its last events are recovered.
//!
//! ```text
//! cargo run -p ringtrace-examples --bin flight [FOLDER]
//! ```
//!
//! The program starts itself a second time as the broker (`broker.rs`), which reports each
//! completed message. It kills the broker with SIGKILL, and recovers a trace, as `ringtrace
//! recover` does. Then it compares the trace with the reports.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod broker;
mod recovery;

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};

/// The broker is killed after this many messages.
const MESSAGES: usize = 30_000;

const HELP: &str = "\
usage: flight [FOLDER]

Runs a message broker as a flight recorder, kills it, recovers its last events into FOLDER, and
compares them with what the broker had reported. By default, FOLDER is a new temporary folder.";

fn main() -> ExitCode {
    let ended = match std::env::args_os().nth(1) {
        Some(word) if word == "broker" => broker::run().map(|()| ExitCode::SUCCESS),
        Some(word) if word.as_encoded_bytes().starts_with(b"-") => {
            println!("{HELP}");
            let is_help = word == "--help" || word == "-h";
            Ok(if is_help { ExitCode::SUCCESS } else { ExitCode::from(2) })
        }
        folder => watch(folder.map(PathBuf::from)),
    };
    ended.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}

/// Runs the broker, kills it, and recovers its trace.
fn watch(folder: Option<PathBuf>) -> Result<ExitCode, Box<dyn Error>> {
    let name = format!("ringtrace-flight-{}", std::process::id());
    let folder = folder.unwrap_or_else(|| std::env::temp_dir().join(name));
    std::fs::create_dir_all(&folder)?;
    let folder = folder.canonicalize()?;

    // Commas in values are doubled.
    let path = folder.display().to_string().replace(',', ",,");
    let option = format!("*,policy=overwrite,buffer=128K,threads=8,dir={path},file={path}/broker.trace");
    println!("$ flight broker --trace '{option}'");
    let mut broker = Command::new(std::env::current_exe()?)
        .args(["broker", "--trace", &option])
        .stdout(Stdio::piped())
        .spawn()?;
    let reported = kill_after_reports(&mut broker)?;
    let last: Vec<String> = reported.iter().map(|(topic, number)| format!("{number} of {topic}")).collect();
    println!("Process {} was killed. The last completed messages: {}.", broker.id(), last.join(", "));

    let trace = folder.join("flight.trace");
    println!("\n$ ringtrace recover {} -o {} --remove", folder.display(), trace.display());
    println!("{}", recovery::recover(&folder, &trace)?);

    println!(
        "\n$ ringtrace print --style log --time relative --tail {} {}",
        recovery::LINES,
        trace.display()
    );
    let seen = recovery::read(&trace)?;
    print!("{}", seen.lines);

    println!();
    let agrees = agree(&reported, &seen.acknowledged);
    println!("More commands for this trace:");
    println!("  ringtrace info {}", trace.display());
    println!("  ringtrace stat {} --pair msg_deliver:msg_ack:topic,msg", trace.display());
    Ok(if agrees { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Kills the broker after [`MESSAGES`] messages. Returns the last message that it reported for each
/// topic.
fn kill_after_reports(broker: &mut Child) -> Result<BTreeMap<String, u64>, Box<dyn Error>> {
    let mut reported = BTreeMap::new();
    let lines = BufReader::new(broker.stdout.take().ok_or("the broker has no standard output")?).lines();
    // Read to the end, because the pipe may contain more reports.
    for (count, line) in lines.enumerate() {
        if count == MESSAGES {
            broker.kill()?;
        }
        let line = line?;
        let (topic, number) = line.split_once(' ').ok_or("the broker printed an invalid line")?;
        reported.insert(topic.to_owned(), number.parse()?);
    }
    let status = broker.wait()?;
    if status.success() || reported.len() != broker::TOPICS.len() {
        return Err(
            format!("the broker exited with {status} after messages on {} topics", reported.len()).into()
        );
    }
    Ok(reported)
}

/// Returns whether the trace contains the last reported message of each topic. It may contain one
/// more message, if the broker was killed after tracing it and before reporting it.
fn agree(reported: &BTreeMap<String, u64>, acknowledged: &BTreeMap<String, u64>) -> bool {
    let mut agrees = reported.len() == acknowledged.len();
    for (topic, &last) in reported {
        let traced = acknowledged.get(topic).copied().unwrap_or(0);
        let verdict = match traced.checked_sub(last) {
            Some(0) => "the last message reported",
            Some(1) => "one more than reported",
            _ => "WRONG",
        };
        agrees &= verdict != "WRONG";
        println!("{topic}: the trace ends with msg_ack of {traced}, {verdict} ({last})");
    }
    println!("{}", if agrees { "No event is missing at the end.\n" } else { "The trace is wrong.\n" });
    agrees
}
