//! A job for qemu-io, and the checks of its trace.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::build::Build;
use super::tree::at;

/// The number of commands in the job that the checks run. It records some 30,000 events.
const COMMANDS: usize = 400;

/// The disk image's size in blocks of [`BLOCK`] bytes.
const BLOCKS: usize = 1024;

const BLOCK: usize = 64 << 10;

/// A shell script that runs its arguments, and writes the processor time that they used to a file.
const TIMED: &str = r#""$@"; status=$?; times > times; exit $status"#;

/// The maximum number of events before the first line of the log. QEMU enables its log after its
/// trace.
const MAX_BEFORE_LOG: usize = 64;

/// A finished run of qemu-io.
pub struct Run {
    pub wall: Duration,
    /// Processor time of all threads, if it was measured.
    pub cpu: Option<Duration>,
    /// The lines that the log backend wrote, and all other messages.
    pub log: String,
}

/// The event counts of a trace, according to `ringtrace info`.
#[derive(Debug, PartialEq, Eq)]
pub struct Counts {
    pub recorded: u64,
    pub lost: u64,
}

/// A folder for a disk image, traces and outputs.
pub struct Job<'a> {
    pub folder: &'a Path,
    /// The folder with the installed tools.
    pub installed: &'a Path,
}

/// Returns commands for qemu-io. Every block is written before it is read, and reads verify it.
pub fn script(commands: usize) -> String {
    let mut script = String::new();
    // The steps are not multiples of each other, so that the order looks random.
    let block = |number: usize| number * 389 % BLOCKS;
    let line = |name: &str, block: usize| {
        let (pattern, offset) = (block % 250 + 1, block * BLOCK);
        format!("{name} -q -P {pattern} {offset} 4k\n")
    };
    for number in 0..commands {
        let written = number / 2;
        let command = match number % 4 {
            0 => line("aio_write", block(written)),
            1 => line("read", block(written.saturating_sub(64))),
            2 => line("write", block(written)),
            _ => line("aio_read", block(written.saturating_sub(64))),
        };
        // The job reads only after it has written the first blocks.
        if number % 2 == 0 || written > 64 {
            script += &command;
        }
        if number % 64 == 63 {
            script += "aio_flush\n";
        }
    }
    script + "aio_flush\nflush\nquit\n"
}

impl Job<'_> {
    /// Creates a new disk image, and runs `script` on it with `options` for `--trace`.
    ///
    /// # Errors
    /// Fails if a program fails, or if the disk returns data that differs from what was written.
    pub fn run(&self, build: &Build, script: &str, options: Option<&str>) -> Result<Run, String> {
        let disk = self.folder.join("disk.qcow2");
        let mut create = Command::new(build.program("qemu-img"));
        output_of(create.args(["create", "-q", "-f", "qcow2"]).arg(&disk).arg((BLOCKS * BLOCK).to_string()))?;
        let mut command = Command::new("sh");
        command.env("LC_ALL", "C").args(["-c", TIMED, "sh"]).arg(build.program("qemu-io"));
        // The cache mode `unsafe` does not wait for the disk, which other programs use too.
        command.args(["-t", "unsafe", "-f", "qcow2"]).arg(&disk);
        let run = self.qemu_io(command, script, options)?;
        Ok(Run { cpu: children(&read_lossy(&self.folder.join("times"))?), ..run })
    }

    /// Starts qemu-io, which exits immediately.
    ///
    /// # Errors
    /// Fails if qemu-io fails.
    pub fn start(&self, build: &Build, options: Option<&str>) -> Result<Run, String> {
        self.qemu_io(Command::new(build.program("qemu-io")), "quit\n", options)
    }

    fn qemu_io(&self, mut command: Command, script: &str, options: Option<&str>) -> Result<Run, String> {
        let file = |name: &str| self.folder.join(name);
        let create = |path: PathBuf| File::create(&path).map_err(|error| at(&path, &error));
        fs::write(file("script"), script).map_err(|error| at(&file("script"), &error))?;
        let script = File::open(file("script")).map_err(|error| at(&file("script"), &error))?;
        let (output, log) = (create(file("output"))?, create(file("log"))?);
        if let Some(options) = options {
            command.arg("--trace").arg(options);
        }
        command.stdin(script).stdout(output).stderr(log).current_dir(self.folder);
        let start = Instant::now();
        let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
        let wall = start.elapsed();
        let log = read_lossy(&file("log"))?;
        let output = read_lossy(&file("output"))?;
        // qemu-io continues after a failed command, and its exit status is 0.
        let wrong = output.lines().find(|line| line.contains("failed") || line.contains("error"));
        if !status.success() || wrong.is_some() {
            let last = wrong.or(log.lines().last()).unwrap_or_default();
            return Err(format!("{command:?}: {status}: {last}"));
        }
        Ok(Run { wall, cpu: None, log })
    }

    /// Returns the event counts of a trace.
    ///
    /// # Errors
    /// Fails if the trace cannot be read.
    pub fn counts(&self, build: &Build, trace: &Path) -> Result<Counts, String> {
        let mut info = Command::new(self.installed.join("bin/ringtrace"));
        let text = output_of(info.args(["info", "--json", "-e"]).arg(build.declarations()).arg(trace))?;
        counts(&text).ok_or_else(|| format!("{}: `ringtrace info --json` printed no counts", trace.display()))
    }

    /// Runs the checks, and calls `report` with the name and the result of each.
    ///
    /// # Errors
    /// Fails if a run fails, so that nothing can be checked.
    pub fn check(
        &self,
        build: &Build,
        tree: &Path,
        python: &str,
        report: &mut dyn FnMut(&str, Result<String, String>),
    ) -> Result<(), String> {
        let trace = self.folder.join("checked.trace");
        let run =
            self.run(build, &script(COMMANDS), Some(&format!("*,file={},policy=block", name(&trace))))?;
        let counts = self.counts(build, &trace)?;
        report("qemu-io runs with every event enabled", Ok(format!("{} events", counts.recorded)));
        report("`policy=block` loses nothing", nothing_lost(&counts));

        let mut print = self.tool("print", &trace);
        let lines = output_of(print.args(["--style", "log"]))?;
        report("the trace contains the events in QEMU's log", same_events(&lines, &run.log));

        let mut theirs = Command::new(python);
        theirs.env("PYTHONDONTWRITEBYTECODE", "1").arg(tree.join("scripts/simpletrace.py"));
        let theirs = output_of(theirs.arg(build.declarations()).arg(&trace));
        let ours = output_of(self.tool("print", &trace).args(["--compat", "10.2"]))?;
        let result = theirs.and_then(|theirs| same_lines(&ours, &theirs));
        report("scripts/simpletrace.py prints the same text as ringtrace", result);

        // Run without the log, which would slow the threads down, and with small rings, so that
        // threads have to wait for space.
        let small = self.folder.join("small.trace");
        let options = format!("*,file={},policy=block,buffer=128K,backend=simple", name(&small));
        self.run(build, &script(20 * COMMANDS), Some(&options))?;
        let counts = self.counts(build, &small)?;
        let result = nothing_lost(&counts).map(|_| format!("{} events", counts.recorded));
        report("with `policy=block`, nothing is lost even in rings of 128 KiB", result);
        Ok(())
    }

    /// Returns a command of the tool for a trace.
    fn tool(&self, command: &str, trace: &Path) -> Command {
        let mut tool = Command::new(self.installed.join("bin/ringtrace"));
        tool.arg(command).arg(trace);
        tool
    }
}

/// Returns a file's name. Traces are named relative to the folder in which qemu-io runs, because a
/// comma in a full path would end the option.
fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn read_lossy(path: &Path) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|error| at(path, &error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Runs a program and returns its output.
fn output_of(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: {}: {}", output.status, message.trim_end()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the processor time of child processes from the output of the shell's `times`. The second
/// of its two lines, such as `0m0.00s 0m0.01s`, is for the children.
fn children(times: &str) -> Option<Duration> {
    let time = |word: &str| {
        let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
        Some(Duration::from_secs_f64(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?))
    };
    times.lines().nth(1)?.split(' ').map(time).sum()
}

/// Finds the counts in a line of `ringtrace info --json`. They precede all lists.
fn counts(json: &str) -> Option<Counts> {
    let number = |text: &str, name: &str| {
        let (_, after) = text.split_once(&format!("\"{name}\":"))?;
        after.split(|end: char| !end.is_ascii_digit()).next()?.parse().ok()
    };
    let (_, dropped) = json.split_once("\"dropped\":{")?;
    Some(Counts { recorded: number(json, "records")?, lost: number(dropped, "events")? })
}

fn nothing_lost(counts: &Counts) -> Result<String, String> {
    match counts.lost {
        0 => Ok(String::new()),
        lost => Err(format!("{lost} of {} events were lost", lost + counts.recorded)),
    }
}

/// Compares the lines of a trace with those of the log. Threads may write to the log in a different
/// order, so only the number of times that each line occurs is compared. Events at the start of the
/// trace may be missing from the log.
fn same_events(trace: &str, log: &str) -> Result<String, String> {
    let mut unmatched: BTreeMap<&str, usize> = BTreeMap::new();
    for line in log.lines() {
        *unmatched.entry(line).or_default() += 1;
    }
    let mut only_traced = Vec::new();
    // Go backwards, so that if a line occurs more often in the trace than in the log, its first
    // occurrences count as missing.
    for (number, line) in trace.lines().enumerate().collect::<Vec<_>>().into_iter().rev() {
        match unmatched.get_mut(line) {
            Some(count) if *count > 0 => *count -= 1,
            _ => only_traced.push((number, line)),
        }
    }
    if let Some((line, count)) = unmatched.iter().find(|(_, count)| **count > 0) {
        return Err(format!("in the log {}, but not in the trace: {line}", counted(*count, "time")));
    }
    let before = only_traced.len();
    if let Some((number, line)) = only_traced.first().filter(|(number, _)| *number >= before) {
        return Err(format!("not in the log, but line {} of the trace: {line}", number + 1));
    }
    if before > MAX_BEFORE_LOG {
        return Err(format!("the first {before} events of the trace are not in the log"));
    }
    let logged = log.lines().count();
    if logged == 0 {
        return Err("the log is empty".to_owned());
    }
    Ok(format!("{}; {} before the log's first line", counted(logged, "line"), counted(before, "event")))
}

/// Returns text such as `1 line` or `2 lines`.
fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn same_lines(ours: &str, theirs: &str) -> Result<String, String> {
    if ours == theirs && !ours.is_empty() {
        return Ok(counted(ours.lines().count(), "line"));
    }
    let pairs = ours.lines().zip(theirs.lines()).enumerate();
    let difference = pairs.into_iter().find(|(_, (ours, theirs))| ours != theirs);
    Err(match difference {
        Some((number, (ours, theirs))) => {
            format!("line {} differs:\n    ringtrace       {ours}\n    simpletrace.py  {theirs}", number + 1)
        }
        None => format!(
            "{} and {}",
            counted(ours.lines().count(), "line"),
            counted(theirs.lines().count(), "line")
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_written_before_they_are_read() {
        let script = script(3000);
        let mut written = std::collections::BTreeSet::new();
        let mut pending = Vec::new();
        let mut reads = 0;
        for line in script.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["aio_write", "-q", "-P", pattern, offset, "4k"] => pending.push((offset, pattern)),
                ["write", "-q", "-P", pattern, offset, "4k"] => _ = written.insert((offset, pattern)),
                ["aio_flush"] => written.extend(pending.drain(..)),
                ["read" | "aio_read", "-q", "-P", pattern, offset, "4k"] => {
                    assert!(written.contains(&(offset, pattern)), "{line}");
                    reads += 1;
                }
                _ => assert!(["flush", "quit"].contains(&line), "{line}"),
            }
        }
        assert!(reads > 1000 && script.ends_with("aio_flush\nflush\nquit\n"), "{reads}");
    }

    #[test]
    fn counts_are_found_in_the_summary() {
        let json =
            r#"{"file":"x","records":833,"dropped":{"events":7,"records":2},"threads":[{"records":5}]}"#;
        assert_eq!(counts(json), Some(Counts { recorded: 833, lost: 7 }));
        assert_eq!(counts("{}"), None);
    }

    #[test]
    fn processor_time_is_that_of_the_children() {
        let times = children("0m0.500000s 0m0.000000s\n1m1.250000s 0m0.500000s\n");
        assert_eq!(times, Some(Duration::from_millis(61_750)));
        assert_eq!(children("0m0.5s 0m0s\n"), None);
    }

    #[test]
    fn events_are_compared_without_their_order() {
        assert_eq!(
            same_events("a\nb\nc\n", "c\nb\n").unwrap(),
            "2 lines; 1 event before the log's first line"
        );
        assert_eq!(
            same_events("a\na\nb\n", "b\na\n").unwrap(),
            "2 lines; 1 event before the log's first line"
        );
        assert_eq!(
            same_events("a\n", "a\nb\nb\n").unwrap_err(),
            "in the log 2 times, but not in the trace: b"
        );
        assert_eq!(
            same_events("a\nb\nc\n", "a\nb\n").unwrap_err(),
            "not in the log, but line 3 of the trace: c"
        );
        assert_eq!(same_events("a\n", "").unwrap_err(), "the log is empty");
        let many = "x\n".repeat(MAX_BEFORE_LOG + 1) + "a\n";
        assert!(same_events(&many, "a\n").unwrap_err().contains("are not in the log"));
    }

    #[test]
    fn the_first_line_that_differs_is_reported() {
        assert_eq!(same_lines("a\nb\n", "a\nb\n").unwrap(), "2 lines");
        assert!(same_lines("a\nb\n", "a\nc\n").unwrap_err().starts_with("line 2 differs"));
        assert_eq!(same_lines("a\n", "a\nb\n").unwrap_err(), "1 line and 2 lines");
        assert!(same_lines("", "").is_err(), "a comparison without events fails");
    }
}
