//! A program that emits events as requested by its arguments, for tests of the text backends. At
//! the end it prints the backends' counts.
//!
//! ```text
//! speaker [--trace OPTION] [--syslog SOCKET] [--marker FILE] DEED...
//! ```

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a program for tests"
)]

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ringtrace::probe::emit;
use ringtrace::{Argument, ArgumentKind, Backends, Declaration, Event, Options};

static SAID: Event = Event::new(Declaration {
    name: "said",
    group: "speaker",
    arguments: &[
        Argument { name: "who", ctype: "int", kind: ArgumentKind::Integer },
        Argument { name: "number", ctype: "uint64_t", kind: ArgumentKind::Integer },
        Argument { name: "what", ctype: "const char *", kind: ArgumentKind::Str },
    ],
    format: Some("\"who=%d number=%\" PRIu64 \" what='%s'\""),
    text: "said(int who, uint64_t number, const char *what) \"who=%d number=%\" PRIu64 \" what='%s'\"",
    traceable: true,
});

static QUIET: Event = Event::new(Declaration {
    name: "quiet",
    group: "speaker",
    arguments: &[],
    format: None,
    text: "quiet(void)",
    traceable: true,
});

ringtrace::group! { name: "speaker", events: [&SAID, &QUIET] }

fn say(who: u64, number: u64, what: &[u8]) {
    if SAID.is_enabled() {
        emit(&SAID, (who, number, what));
    }
}

/// The string that threads and handlers emit. It is so long that a torn write would be noticed.
const LONG: &[u8] = &[b'w'; 300];

static INTERRUPTIONS: AtomicU64 = AtomicU64::new(0);

extern "C" fn interrupt(_: libc::c_int) {
    let number = INTERRUPTIONS.fetch_add(1, Ordering::Relaxed);
    say(u64::MAX, number, LONG);
}

fn set_handler(signal: libc::c_int, handler: libc::sighandler_t) {
    // SAFETY: the handlers only call probes and atomics.
    unsafe { libc::signal(signal, handler) };
}

fn threads(count: u64, lines: u64) {
    std::thread::scope(|scope| {
        for who in 0..count {
            scope.spawn(move || (0..lines).for_each(|number| say(who, number, LONG)));
        }
    });
}

/// Emits events in one thread. A signal handler constantly interrupts the thread and also emits
/// events.
fn nested(lines: u64) {
    set_handler(libc::SIGUSR1, interrupt as *const () as libc::sighandler_t);
    // SAFETY: the function has no preconditions.
    let speaker = unsafe { libc::pthread_self() };
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                // SAFETY: the thread is running: it waits for this one.
                unsafe { libc::pthread_kill(speaker, libc::SIGUSR1) };
                std::thread::sleep(Duration::from_micros(20));
            }
        });
        (0..lines).for_each(|number| say(0, number, LONG));
        done.store(true, Ordering::Relaxed);
    });
}

/// Emits events in children, forked while other threads of the parent emit events.
fn forks(count: u64) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    say(0, 0, LONG);
                }
            });
        }
        for number in 0..count {
            // SAFETY: the child only calls a probe and exits.
            let child = unsafe { libc::fork() };
            if child == 0 {
                say(1, number, b"child");
                // SAFETY: the function has no preconditions.
                unsafe { libc::_exit(0) };
            }
            let start = Instant::now();
            // SAFETY: `child` is a child of this process.
            while unsafe { libc::waitpid(child, std::ptr::null_mut(), libc::WNOHANG) } == 0 {
                if start.elapsed() > Duration::from_secs(10) {
                    println!("child {number} hangs");
                    // SAFETY: `child` is a child of this process.
                    unsafe { libc::kill(child, libc::SIGKILL) };
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        done.store(true, Ordering::Relaxed);
    });
}

fn limit(bytes: u64) {
    // SAFETY: the structure is valid.
    unsafe {
        libc::setrlimit(libc::RLIMIT_FSIZE, &libc::rlimit { rlim_cur: bytes, rlim_max: libc::RLIM_INFINITY })
    };
}

fn perform(deed: &str) {
    let (verb, object) = deed.split_once(':').unwrap_or((deed, ""));
    let number = |text: &str| text.parse::<u64>().unwrap();
    match verb {
        "say" => say(0, 0, object.as_bytes()),
        "quiet" => emit(&QUIET, ()),
        "times" => (0..number(object)).for_each(|at| say(0, at, LONG)),
        "threads" => {
            let (count, lines) = object.split_once('x').unwrap();
            threads(number(count), number(lines));
        }
        "nested" => nested(number(object)),
        "forks" => forks(number(object)),
        "limit" => limit(number(object)),
        "no-limit" => limit(libc::RLIM_INFINITY),
        // Rust programs ignore this signal by default; programs in other languages do not.
        "sigpipe" => set_handler(libc::SIGPIPE, libc::SIG_DFL),
        "switch" => {
            let backends: Backends = object.parse().unwrap();
            match ringtrace::switch_backends(backends) {
                Ok(before) => println!("from {before} to {backends}"),
                Err(error) => println!("{error}"),
            }
        }
        "measure" => {
            let count = number(object);
            let start = Instant::now();
            (0..count).for_each(|at| say(0, at, b"how long does it take"));
            println!("{} ns", start.elapsed().as_nanos() / u128::from(count));
        }
        "control" => say(0, 0, &[0x1b; 600]),
        // Creates a file that the test waits for.
        "touch" => drop(std::fs::File::create(object).unwrap()),
        "await" => {
            while !std::path::Path::new(object).exists() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        "sleep" => std::thread::sleep(Duration::from_millis(number(object))),
        _ => println!("unknown deed `{verb}`"),
    }
}

fn main() -> Result<(), ringtrace::StartError> {
    let (mut options, words) = Options::from_args(std::env::args_os().skip(1))?;
    let mut words = words.into_iter().map(|word| word.into_string().unwrap());
    let mut deeds = Vec::new();
    while let Some(word) = words.next() {
        let mut path = || PathBuf::from(words.next().unwrap());
        match &*word {
            "--syslog" => options = options.syslog_socket(path()),
            "--marker" => options = options.ftrace_marker(path()),
            _ => deeds.push(word),
        }
    }
    let guard = options.start()?;
    deeds.iter().for_each(|deed| perform(deed));
    drop(guard);
    for backend in [Backends::LOG, Backends::SYSLOG, Backends::FTRACE] {
        let counts = ringtrace::text_counts(backend);
        if counts != ringtrace::TextCounts::default() {
            println!("{backend}: {} written, {} cut, {} lost", counts.written, counts.cut, counts.lost);
        }
    }
    let interruptions = INTERRUPTIONS.load(Ordering::Relaxed);
    if interruptions > 0 {
        println!("{interruptions} interruptions, {} refused", ringtrace::text_refused());
    }
    Ok(())
}
