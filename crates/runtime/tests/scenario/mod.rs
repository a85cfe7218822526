//! Runs traced programs as separate processes, and reads their traces.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]
#![allow(dead_code, reason = "not every test uses all functions")]

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};

use ringtrace::probe::emit;
use ringtrace::{Argument, ArgumentKind, Declaration, Event};
use ringtrace_tracefile::metadata::{Metadata, Total};
use ringtrace_tracefile::{Entry, Input, Options, Reader, Value};

static NUMBER: Event = Event::new(Declaration {
    name: "number",
    group: "scenario",
    arguments: &[Argument { name: "n", ctype: "uint64_t", kind: ArgumentKind::Integer }],
    format: Some("\"%\" PRIu64"),
    text: "number(uint64_t n) \"%\" PRIu64",
    traceable: true,
});

ringtrace::group! { name: "scenario", events: [&NUMBER] }

#[inline(never)]
pub fn number(n: u64) {
    if NUMBER.is_enabled() {
        emit(&NUMBER, (n,));
    }
}

pub fn numbers(range: std::ops::Range<u64>) {
    range.for_each(number);
}

const VARIABLE: &str = "RINGTRACE_TEST_SCENARIO";

/// The folder and the output of a program that has run.
pub struct Ran {
    folder: tempfile::TempDir,
    pub output: Output,
}

/// Runs `program` in a separate process, in its own folder. The process executes this test program
/// again, and runs only the calling test function, whose name is `test`.
pub fn run(test: &str, program: fn()) -> Ran {
    if std::env::var_os(VARIABLE).is_some_and(|wanted| wanted == test) {
        program();
        // Exit here, because the test harness has threads of its own.
        std::process::exit(0);
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("arenas")).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(VARIABLE, test)
        .env("RINGTRACE_DIR", folder.path().join("arenas"))
        .current_dir(folder.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{:?} {:?}: {stderr}", output.status.code(), output.status.signal());
    Ran { folder, output }
}

impl Ran {
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// The names of the files in the folder, sorted.
    pub fn files(&self) -> Vec<String> {
        names(self.folder())
    }

    pub fn arenas(&self) -> Vec<String> {
        names(&self.folder().join("arenas"))
    }

    pub fn traces(&self) -> BTreeMap<String, Trace> {
        let names = self.files().into_iter();
        names.map(|name| (name.clone(), Trace::read(&self.folder().join(&name)))).collect()
    }

    pub fn trace(&self) -> Trace {
        let mut traces = self.traces();
        assert_eq!(traces.len(), 1, "{:?}", self.files());
        traces.pop_first().unwrap().1
    }
}

fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let files = files.filter(|entry| entry.file_type().unwrap().is_file());
    let mut names: Vec<String> = files.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

const NOTHING: Total = Total { tid: 0, issued: 0, recorded: 0, dropped: 0, overwritten: 0, refused: 0 };

#[derive(Debug, Default)]
pub struct Trace {
    pub pid: u32,
    /// The numbers that each thread recorded, in the order of the file.
    pub numbers: BTreeMap<u32, Vec<u64>>,
    /// The number of dropped events by thread, from the records of drops.
    pub dropped: BTreeMap<u32, u64>,
    /// The totals at the end, summed over threads with the same id.
    pub totals: BTreeMap<u32, Total>,
}

impl Trace {
    pub fn read(path: &Path) -> Trace {
        let file = path.display().to_string();
        let mut reader = Reader::new(&file, Input::open(path).unwrap(), &Options::default())
            .unwrap_or_else(|c| panic!("{c:?}"));
        let mut trace = Trace::default();
        let flow = reader.for_each(|entry: &Entry<'_>| {
            trace.see(entry);
            ringtrace_tracefile::Flow::Continue
        });
        flow.unwrap_or_else(|complaint| panic!("{file}: {complaint:?}"));
        assert!(reader.anomalies().is_empty(), "{file}: {:?}", reader.anomalies());
        for piece in reader.metadata() {
            let Metadata::Total(total) = piece else { continue };
            let sum = trace.totals.entry(total.tid).or_insert(Total { tid: total.tid, ..NOTHING });
            sum.issued += total.issued;
            sum.recorded += total.recorded;
            sum.dropped += total.dropped;
            sum.overwritten += total.overwritten;
            sum.refused += total.refused;
        }
        trace
    }

    fn see(&mut self, entry: &Entry<'_>) {
        assert!(self.pid == 0 || self.pid == entry.pid, "a trace contains two processes");
        self.pid = entry.pid;
        let tid = entry.tid().unwrap_or(0);
        if let Some(count) = entry.dropped() {
            *self.dropped.entry(tid).or_default() += count;
        } else {
            assert_eq!(entry.schema.name.to_string(), "number");
            let Some(Value::Integer(n)) = entry.value(0) else { panic!("the record has no number") };
            self.numbers.entry(tid).or_default().push(n);
        }
    }

    pub fn all(&self) -> Vec<u64> {
        let mut all: Vec<u64> = self.numbers.values().flatten().copied().collect();
        all.sort_unstable();
        all
    }

    /// Checks that every thread's totals agree with its records, and that its numbers are in order.
    pub fn check(&self) {
        for (tid, total) in &self.totals {
            let numbers = self.numbers.get(tid).map_or(0, Vec::len) as u64;
            assert_eq!(total.recorded, numbers, "{total:?}");
            assert_eq!(total.issued, total.recorded + total.dropped + total.overwritten + total.refused);
        }
        for (tid, numbers) in &self.numbers {
            assert!(self.totals.contains_key(tid), "thread {tid} has no total: {:?}", self.totals);
            assert!(numbers.is_sorted(), "thread {tid}: {numbers:?}");
        }
    }
}

/// Forks. The child calls `child` and exits normally, or with status 101 if that panics.
pub fn fork(child: impl FnOnce()) -> i32 {
    // SAFETY: the child only uses what the C library and Rust's standard library support after a
    // fork.
    match unsafe { libc::fork() } {
        -1 => panic!("{}", std::io::Error::last_os_error()),
        0 => {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(child));
            // Without this, only the thread would end. The process would then end with status 0.
            std::process::exit(if result.is_ok() { 0 } else { 101 });
        }
        pid => pid,
    }
}

/// Waits for a child, which must have exited with 0.
pub fn wait(pid: i32) {
    let mut status = 0;
    // SAFETY: the call initializes `status`.
    let answer = unsafe { libc::waitpid(pid, &raw mut status, 0) };
    assert_eq!(answer, pid);
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "child {pid}: status {status:#x}");
}

pub fn kill(pid: i32) {
    let mut status = 0;
    // SAFETY: the first call sends a signal, the second initializes `status`.
    unsafe {
        assert_eq!(libc::kill(pid, libc::SIGKILL), 0);
        assert_eq!(libc::waitpid(pid, &raw mut status, 0), pid);
    }
}
