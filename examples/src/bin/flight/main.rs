//! A flight recorder: a message broker keeps the newest of its events in memory, is killed in mid-flight by a signal that no
//! program can catch, and what it did last is told all the same.
//!
//! ```text
//! cargo run -p ringtrace-examples --bin flight [FOLDER]
//! ```
//!
//! The program starts itself once more as the broker (`broker.rs`), hears of each message that is done with, kills it (SIGKILL), and
//! makes a trace of what it left, as `ringtrace recover` does. Then it holds the trace against what it heard.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a person at a terminal prints")]

mod broker;
mod recovery;

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};

/// The broker is killed when it is done with so many messages.
const MESSAGES: usize = 30_000;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    match std::env::args_os().nth(1) {
        Some(word) if word == "broker" => broker::run().map(|()| ExitCode::SUCCESS),
        folder => watch(folder.map(PathBuf::from)),
    }
}

/// Runs the broker, kills it, and looks at what it left.
fn watch(folder: Option<PathBuf>) -> Result<ExitCode, Box<dyn Error>> {
    let name = format!("ringtrace-flight-{}", std::process::id());
    let folder = folder.unwrap_or_else(|| std::env::temp_dir().join(name));
    std::fs::create_dir_all(&folder)?;
    let folder = folder.canonicalize()?;

    // A comma in a value is written twice.
    let path = folder.display().to_string().replace(',', ",,");
    let option = format!("*,policy=overwrite,buffer=128K,threads=8,dir={path},file={path}/broker.trace");
    println!("$ flight broker --trace '{option}'");
    let mut broker = Command::new(std::env::current_exe()?)
        .args(["broker", "--trace", &option])
        .stdout(Stdio::piped())
        .spawn()?;
    let heard = listen_and_kill(&mut broker)?;
    let last: Vec<String> = heard.iter().map(|(topic, number)| format!("{number} of {topic}")).collect();
    println!("Process {} was killed. The last messages it was done with: {}.", broker.id(), last.join(", "));

    let trace = folder.join("flight.trace");
    println!("\n$ ringtrace recover {} -o {} --remove", folder.display(), trace.display());
    println!("{}", recovery::recover(&folder, &trace)?);

    println!("\n$ ringtrace print --style log --time relative --tail {} {}", recovery::LINES, trace.display());
    let seen = recovery::read(&trace)?;
    print!("{}", seen.lines);

    println!();
    let agrees = agree(&heard, &seen.acknowledged);
    println!("More of it:");
    println!("  ringtrace info {}", trace.display());
    println!("  ringtrace stat {} --pair msg_deliver:msg_ack:topic,msg", trace.display());
    Ok(if agrees { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Kills the broker when it has said enough. Returns the last message of each topic that it said.
fn listen_and_kill(broker: &mut Child) -> Result<BTreeMap<String, u64>, Box<dyn Error>> {
    let mut heard = BTreeMap::new();
    let lines = BufReader::new(broker.stdout.take().ok_or("the broker has no voice")?).lines();
    // What is in the pipe when it dies was said, too: so this goes on to the end.
    for (count, line) in lines.enumerate() {
        if count == MESSAGES {
            broker.kill()?;
        }
        let line = line?;
        let (topic, number) = line.split_once(' ').ok_or("the broker stammers")?;
        heard.insert(topic.to_owned(), number.parse()?);
    }
    let status = broker.wait()?;
    if status.success() || heard.len() != broker::TOPICS.len() {
        return Err(format!("the broker: {status}, after messages of {} topics", heard.len()).into());
    }
    Ok(heard)
}

/// Whether the trace goes as far as what was heard: to the same message of each topic or, where death came between
/// tracing and saying, to the one behind it.
fn agree(heard: &BTreeMap<String, u64>, acknowledged: &BTreeMap<String, u64>) -> bool {
    let mut agrees = heard.len() == acknowledged.len();
    for (topic, &said) in heard {
        let traced = acknowledged.get(topic).copied().unwrap_or(0);
        let verdict = match traced.checked_sub(said) {
            Some(0) => "the last one it said",
            Some(1) => "one that it could not say any more",
            _ => "WRONG",
        };
        agrees &= verdict != "WRONG";
        println!("{topic}: the trace ends with msg_ack of {traced}, {verdict} ({said})");
    }
    println!("{}", if agrees { "Nothing that happened last is missing.\n" } else { "The trace is wrong.\n" });
    agrees
}
