//! Tests of each backend together with its destination.

use std::fs;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::pipe::{PipeFlags, pipe_with};

use super::super::ftrace::Ftrace;
use super::super::health::WAIT_LIMIT_NS;
use super::super::line::TextLine;
use super::super::log::Log;
use super::super::syslog::Syslog;
use super::super::{TextBackend, TextCounts};
use crate::event::Value;
use crate::event::format::ParsedFormat;
use crate::{LogLine, Settings};

const TIMEOUT: Duration = Duration::from_nanos(WAIT_LIMIT_NS);

fn line(text: &str) -> TextLine {
    let format = ParsedFormat::new(Some("\"%s\""), ["const char *"].into_iter());
    let mut line = TextLine::empty();
    line.render("said", &format, &[Value::Str(text.as_bytes())]);
    line
}

fn write_text(backend: &dyn TextBackend, text: &str) {
    backend.write(&mut line(text));
}

fn counts(written: u64, cut: u64, lost: u64) -> TextCounts {
    TextCounts { written, cut, lost }
}

fn log_to(path: &Path) -> Settings {
    Settings { log_file: Some(path.to_owned()), ..Settings::default() }
}

#[test]
fn opening_a_log_empties_it_and_restricts_it_to_its_owner() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.log");
    let log = Log::new();
    for round in ["first", "second"] {
        log.open(&log_to(&path)).unwrap();
        write_text(&log, round);
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("said {round}\n"));
    }
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(log.health().counts(), counts(2, 0, 0));
}

#[test]
fn a_log_can_change_its_file_and_style() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "%d"].map(|name| folder.path().join(name));
    let log = Log::new();
    log.open(&log_to(&one)).unwrap();
    write_text(&log, "1");
    log.open(&Settings { log_line: LogLine::Thread, ..log_to(&two) }).unwrap();
    write_text(&log, "2");
    assert_eq!(fs::read_to_string(one).unwrap(), "said 1\n");
    let text = fs::read_to_string(folder.path().join(std::process::id().to_string())).unwrap();
    let (thread, rest) = text.split_once('@').unwrap();
    let (seconds, said) = rest.split_once(':').unwrap();
    assert_eq!(thread, rustix::thread::gettid().to_string());
    assert!(seconds.parse::<f64>().unwrap() > 1.7e9, "{text}");
    assert_eq!(said, "said 2\n");
}

#[test]
fn a_failed_change_keeps_the_previous_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.log");
    let log = Log::new();
    log.open(&log_to(&path)).unwrap();
    let error = log.open(&log_to(Path::new("/nowhere/a.log"))).unwrap_err();
    assert_eq!(error.to_string(), "backend log: `/nowhere/a.log`: No such file or directory");
    let error = log.open(&log_to(Path::new("a%s"))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "backend log: `a%s`: not a valid file name for a log\n  help: it may contain one `%d`, which stands for the process id, and no other `%`"
    );
    write_text(&log, "still here");
    assert_eq!(fs::read_to_string(path).unwrap(), "said still here\n");
}

#[test]
fn a_full_disk_only_loses_lines() {
    let log = Log::new();
    log.open(&log_to(Path::new("/dev/full"))).unwrap();
    (0..100).for_each(|_| write_text(&log, "in vain"));
    assert_eq!(log.health().counts(), counts(0, 0, 100));
}

/// Redirects the log to a full nonblocking pipe.
fn full_pipe(log: &Log) -> fs::File {
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK).unwrap();
    log.file.put(writer).unwrap();
    log.to_file.store(true, std::sync::atomic::Ordering::Relaxed);
    let writer = log.file.get().unwrap();
    while rustix::io::write(writer, &[b'.'; 4096]).is_ok() {}
    while rustix::io::write(writer, b".").is_ok() {}
    fs::File::from(reader)
}

#[test]
fn a_stuck_reader_delays_only_once() {
    let log = Log::new();
    let mut reader = full_pipe(&log);
    let start = Instant::now();
    (0..50).for_each(|_| write_text(&log, "in vain"));
    let waited = start.elapsed();
    assert!((TIMEOUT..TIMEOUT * 3).contains(&waited), "{waited:?}");
    assert_eq!(log.health().counts(), counts(0, 0, 50));
    // After the pipe was emptied, lines are written again.
    let mut text = String::new();
    let _ = reader.read_to_string(&mut text);
    write_text(&log, "again");
    text.clear();
    let _ = reader.read_to_string(&mut text);
    assert_eq!(text, "said again\n");
    assert_eq!(log.health().counts(), counts(1, 0, 50));
}

#[test]
fn a_slow_reader_receives_all_lines() {
    let log = Log::new();
    let mut reader = full_pipe(&log);
    let reading = std::thread::spawn(move || {
        let mut all = Vec::new();
        let mut some = [0; 10_000];
        loop {
            match reader.read(&mut some) {
                Ok(0) => panic!("the log has closed its end of the pipe"),
                Ok(bytes) => all.extend_from_slice(&some[..bytes]),
                Err(_) if all.ends_with(b"said the end\n") => return all,
                Err(_) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    });
    (0..20_000).for_each(|n| write_text(&log, &n.to_string()));
    write_text(&log, "the end");
    let all = String::from_utf8(reading.join().unwrap()).unwrap();
    let expected: String = (0..20_000).map(|n| format!("said {n}\n")).collect();
    assert_eq!(all.trim_start_matches('.'), expected + "said the end\n");
    assert_eq!(log.health().counts(), counts(20_001, 0, 0));
}

/// Creates a log daemon's socket, and the settings that connect to it.
fn daemon(folder: &Path) -> (UnixDatagram, Settings) {
    let path: PathBuf = folder.join("log");
    let _ = fs::remove_file(&path);
    let socket = UnixDatagram::bind(&path).unwrap();
    (socket, Settings { syslog_socket: Some(path), ..Settings::default() })
}

fn receive(socket: &UnixDatagram) -> String {
    let mut message = [0; 8192];
    let length = socket.recv(&mut message).unwrap();
    String::from_utf8(message[..length].to_vec()).unwrap()
}

#[test]
fn messages_have_the_format_of_syslog() {
    let folder = tempfile::tempdir().unwrap();
    let (socket, settings) = daemon(folder.path());
    let syslog = Syslog::new();
    syslog.open(&settings).unwrap();
    write_text(&syslog, "two\nlines");
    let message = receive(&socket);
    // The message has the form `<30>Nov 20 12:54:11 ringtrace_...[4711]: said two\nlines`.
    let (head, said) = message.split_once("]: ").unwrap();
    assert_eq!(said, "said two\\nlines");
    let (head, pid) = head.rsplit_once('[').unwrap();
    assert_eq!(pid, std::process::id().to_string());
    let (time, ident) = (&head[..19], &head[20..]);
    assert!(time.starts_with("<30>") && time.as_bytes()[7] == b' ', "{message}");
    assert!(ident.starts_with("ringtrace-"), "{message}");
    // The output of `date` has the same format and, except for the seconds, the same time.
    let ours = time[4..].to_owned();
    let now = std::process::Command::new("date").arg("+%b %e %H:%M:%S").output().unwrap();
    let theirs = String::from_utf8(now.stdout).unwrap();
    assert_eq!(ours[..13], theirs.trim_end()[..13], "{ours} and {theirs}");
}

#[test]
fn a_restarted_daemon_is_found_and_losses_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let (socket, settings) = daemon(folder.path());
    let syslog = Syslog::new();
    syslog.open(&settings).unwrap();
    write_text(&syslog, "before");
    assert!(receive(&socket).ends_with("said before"));
    drop(socket);
    write_text(&syslog, "while it is gone");
    write_text(&syslog, "while it is still gone");
    assert_eq!(syslog.health().counts(), counts(1, 0, 2));
    let (socket, _) = daemon(folder.path());
    std::thread::sleep(Duration::from_millis(110));
    write_text(&syslog, "behind");
    assert!(receive(&socket).ends_with("said behind"));
    assert_eq!(syslog.health().counts(), counts(2, 0, 2));
}

#[test]
fn a_stuck_daemon_delays_only_once() {
    let folder = tempfile::tempdir().unwrap();
    let (socket, settings) = daemon(folder.path());
    let syslog = Syslog::new();
    syslog.open(&settings).unwrap();
    let start = Instant::now();
    // Send more datagrams than any queue can hold.
    (0..2000).for_each(|n| write_text(&syslog, &n.to_string()));
    let waited = start.elapsed();
    assert!((TIMEOUT..TIMEOUT * 3).contains(&waited), "{waited:?}");
    let TextCounts { written, lost, .. } = syslog.health().counts();
    assert_eq!(written + lost, 2000);
    assert!(lost > 0);
    for n in 0..written {
        assert!(receive(&socket).ends_with(&format!("said {n}")));
    }
    write_text(&syslog, "again");
    assert!(receive(&socket).ends_with("said again"));
}

#[test]
fn a_missing_daemon_is_an_error_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let settings = Settings { syslog_socket: Some(path.clone()), ..Settings::default() };
    let error = Syslog::new().open(&settings).unwrap_err().to_string();
    let help = "no log daemon listens there; start one (rsyslogd, systemd-journald)";
    assert_eq!(
        error,
        format!("backend syslog: `{}`: No such file or directory\n  help: {help}", path.display())
    );
    drop(UnixDatagram::bind(&path).unwrap());
    let error = Syslog::new().open(&settings).unwrap_err().to_string();
    assert_eq!(error, format!("backend syslog: `{}`: Connection refused\n  help: {help}", path.display()));
}

#[test]
fn a_line_is_one_write_to_the_marker() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace_marker");
    let settings = Settings { ftrace_marker: Some(path.clone()), ..Settings::default() };
    let error = Ftrace::new().open(&settings).unwrap_err().to_string();
    let help = "tracefs is not mounted: `mount -t tracefs none /sys/kernel/tracing`, as root";
    assert_eq!(
        error,
        format!("backend ftrace: `{}`: No such file or directory\n  help: {help}", path.display())
    );
    // Datagrams show how the text is divided among writes.
    let (ours, theirs) = UnixDatagram::pair().unwrap();
    let ftrace = Ftrace::new();
    ftrace.marker.put(OwnedFd::from(ours).as_fd().try_clone_to_owned().unwrap()).unwrap();
    write_text(&ftrace, "one");
    write_text(&ftrace, &"long ".repeat(1000));
    assert_eq!(receive(&theirs), "said one\n");
    assert_eq!(receive(&theirs).len(), 511 + 1);
    assert_eq!(ftrace.health().counts(), counts(2, 1, 0));
}
