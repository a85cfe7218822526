//! Trace files that cannot be written, because the disk is full, a pipe has no reader, or the file
//! was removed. The program continues, losses are reported, and the file can be read.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

mod ledger;
mod numbered;
mod small_disk;

use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ringtrace::session::start;
use ringtrace::{FileFormat, Guard, Policy, Settings};
use ringtrace_tracefile::recover::{ArenaFile, find_arenas, gather};

use ledger::{FORMATS, Thread, read};
use numbered::{TURN, check, record};
use small_disk::SmallDisk;

/// More events than a ring holds.
const RING_EVENTS: u64 = 10_000;

fn begin(format: FileFormat, file: &Path, rings: &Path, policy: Policy) -> Guard {
    let settings = Settings {
        file: Some(file.to_path_buf()),
        format,
        directory: Some(rings.to_path_buf()),
        policy,
        buffer_bytes: 1 << 17,
        threads: 4,
        ..Settings::default()
    };
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("numbered", true);
    guard
}

fn each(policies: [Policy; 2]) -> impl Iterator<Item = (FileFormat, Policy)> {
    FORMATS.into_iter().flat_map(move |format| policies.map(|policy| (format, policy)))
}

fn on_worker(work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().name("worker".to_owned());
        worker.spawn_scoped(scope, work).unwrap().join().unwrap();
    });
}

fn worker(threads: &[Thread]) -> &Thread {
    threads.iter().find(|thread| thread.name.as_deref() == Some("worker")).unwrap()
}

#[test]
fn a_disk_that_fills_up_and_gets_space_again() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    let Some(_mounted) = SmallDisk::mounted_at(&disk, "size=512k") else { return };
    let (file, ballast) = (disk.join("trace"), disk.join("ballast"));
    for (format, policy) in each([Policy::Discard, Policy::Block { timeout: None }]) {
        // Compressed, these events take half a byte to a byte.
        let (at_once, ballast_kib) = match format {
            FileFormat::V4 => (500, 200),
            FileFormat::Compact => (2_000, 200),
            FileFormat::CompactZstd => (4_000, 480),
        };
        std::fs::write(&ballast, vec![1; ballast_kib << 10]).unwrap();
        let guard = begin(format, &file, folder.path(), policy);
        let mut next = 0;
        on_worker(|| {
            let mut record_some = |count| {
                (next..next + count).for_each(record);
                next += count;
            };
            // Record more than the disk and the ring can hold.
            for _ in 0..40 {
                record_some(at_once);
                ringtrace::flush();
            }
            assert!(!ringtrace::flush(), "not everything can be written");
            // The disk may have been full only since the last of them, which then fit into the ring.
            record_some(RING_EVENTS);
            // The file can be read while the disk is full, without torn records.
            let threads = read(&std::fs::read(&file).unwrap(), check);
            let numbers = &worker(&threads).numbers;
            assert!(numbers.len() > 1_000 && numbers.len() < 40 * at_once as usize, "{}", numbers.len());
            std::fs::remove_file(&ballast).unwrap();
            let give_up = Instant::now() + Duration::from_secs(10);
            while !ringtrace::flush() {
                assert!(Instant::now() < give_up, "the disk has space, but writing does not continue");
                std::thread::sleep(Duration::from_millis(10));
            }
            record_some(100);
        });
        drop(guard);
        let threads = read(&std::fs::read(&file).unwrap(), check);
        let thread = worker(&threads);
        thread.assert_accounted(next);
        assert!(thread.total.unwrap().dropped > 0);
        assert_eq!(thread.numbers.last(), Some(&(next - 1)));
        std::fs::remove_file(&file).unwrap();
    }
}

/// Creates a named pipe, and opens its read end.
fn pipe(folder: &Path) -> (PathBuf, std::fs::File) {
    let path = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let options = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::NONBLOCK;
    let reader = rustix::fs::open(&path, options, rustix::fs::Mode::empty()).unwrap();
    let flags = rustix::fs::fcntl_getfl(&reader).unwrap();
    rustix::fs::fcntl_setfl(&reader, flags - rustix::fs::OFlags::NONBLOCK).unwrap();
    (path, reader.into())
}

#[test]
fn a_pipe_that_is_not_read_for_a_while() {
    let _turn = TURN.lock();
    let timeouts = [Policy::Discard, Policy::Block { timeout: Some(Duration::from_micros(100)) }];
    for (format, policy) in each(timeouts) {
        let folder = tempfile::tempdir().unwrap();
        let (path, mut reader) = pipe(folder.path());
        let guard = begin(format, &path, folder.path(), policy);
        if format == FileFormat::CompactZstd {
            // Otherwise, all compressed events would fit into the pipe.
            rustix::pipe::fcntl_setpipe_size(&reader, 4096).unwrap();
        }
        on_worker(|| (0..20_000).for_each(record));
        let reading = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes).unwrap();
            bytes
        });
        drop(guard);
        let threads = read(&reading.join().unwrap(), check);
        worker(&threads).assert_accounted(20_000);
        assert!(worker(&threads).total.unwrap().dropped > 1_000);
    }
}

#[test]
fn the_end_does_not_wait_for_a_pipe_that_is_never_read() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let (path, reader) = pipe(folder.path());
    let policy = Policy::Block { timeout: Some(Duration::from_micros(100)) };
    let guard = begin(FileFormat::V4, &path, folder.path(), policy);
    on_worker(|| (0..10_000).for_each(record));
    let began = Instant::now();
    drop(guard);
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    // Unwritten records are available for a recovery.
    let rings = find_arenas(folder.path()).unwrap();
    let rings = rings.iter().map(|path| ArenaFile::open(path).unwrap()).collect();
    let processes = gather(rings).unwrap();
    let recovered = processes[0].recover(|_| Ok(())).unwrap();
    let lost: u64 = recovered.lost.iter().map(|(_, count)| count).sum();
    // The pipe contained some records. Records that were written to it are not written again.
    let through = 10_000 - recovered.ring_records - lost;
    assert!(recovered.ring_records > 2_000 && through < 3_000, "{recovered:?}");
    drop(reader);
}

#[test]
fn a_pipe_whose_reader_exits() {
    let _turn = TURN.lock();
    FORMATS.into_iter().for_each(record_until_the_reader_exits);
}

fn record_until_the_reader_exits(format: FileFormat) {
    let folder = tempfile::tempdir().unwrap();
    let (path, reader) = pipe(folder.path());
    let guard = begin(format, &path, folder.path(), Policy::Block { timeout: None });
    on_worker(|| {
        (0..100).for_each(record);
        assert!(ringtrace::flush());
        drop(reader);
        // Threads do not wait for a reader that no longer exists.
        (100..20_000).for_each(record);
        assert!(!ringtrace::flush());
    });
    drop(guard);
}

#[test]
fn a_flight_recorder_without_a_reader_reports_no_losses() {
    let _turn = TURN.lock();
    FORMATS.into_iter().for_each(record_a_flight_without_a_reader);
}

fn record_a_flight_without_a_reader(format: FileFormat) {
    let folder = tempfile::tempdir().unwrap();
    let (path, reader) = pipe(folder.path());
    let guard = begin(format, &path, folder.path(), Policy::Overwrite);
    // Record more than the ring holds, so that its pages are not in order.
    on_worker(|| (0..20_000).for_each(record));
    drop(reader);
    drop(guard);
    assert_eq!(ringtrace::status::status().dropped, 0);
}

#[test]
fn a_file_that_is_renamed_or_removed() {
    let _turn = TURN.lock();
    FORMATS.into_iter().for_each(rename_and_remove);
}

fn rename_and_remove(format: FileFormat) {
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (folder.path().join("trace"), folder.path().join("other"));
    let guard = begin(format, &file, folder.path(), Policy::Block { timeout: None });
    on_worker(|| {
        (0..1_000).for_each(record);
        assert!(ringtrace::flush());
        std::fs::rename(&file, &other).unwrap();
        (1_000..2_000).for_each(record);
    });
    drop(guard);
    worker(&read(&std::fs::read(&other).unwrap(), check)).assert_accounted(2_000);
    let guard = begin(format, &file, folder.path(), Policy::Block { timeout: None });
    on_worker(|| {
        std::fs::remove_file(&file).unwrap();
        (0..1_000).for_each(record);
        assert!(ringtrace::flush());
    });
    drop(guard);
}

#[test]
fn a_truncated_file_is_restarted() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    for (format, policy) in each([Policy::Block { timeout: None }, Policy::Discard]) {
        let guard = begin(format, &file, folder.path(), policy);
        on_worker(|| {
            let mut next = 0;
            // Truncate the file to zero, as `> trace` does, and to a length within a record.
            for length in [0, 1_001, 0] {
                (next..next + 10_000).for_each(record);
                next += 10_000;
                assert!(ringtrace::flush());
                std::fs::File::options().write(true).open(&file).unwrap().set_len(length).unwrap();
            }
            (next..next + 1_000).for_each(record);
        });
        drop(guard);
        let threads = read(&std::fs::read(&file).unwrap(), check);
        worker(&threads).assert_accounted(31_000);
        assert_eq!(worker(&threads).numbers.first(), Some(&30_000));
    }
}

/// A name that does not fit into a block of a compact trace. The file ends before it, and the rings
/// keep the events after it, as for any file that cannot be written.
#[test]
fn a_declaration_that_is_too_large_for_a_block() {
    let Some(format) = std::env::var_os("RINGTRACE_TEST_CHILD") else {
        for format in [FileFormat::Compact, FileFormat::CompactZstd] {
            // The name stays declared until the process ends.
            let stderr = run_again("a_declaration_that_is_too_large_for_a_block", &format!("{format:?}"));
            let reported = stderr.lines().find(|line| line.starts_with("ringtrace: trace file "));
            assert!(
                reported.is_some_and(|line| line.contains("is not a record of at most 16 MiB")),
                "{stderr}"
            );
        }
        return;
    };
    let format = if format == *"Compact" { FileFormat::Compact } else { FileFormat::CompactZstd };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    let guard = begin(format, &path, folder.path(), Policy::Discard);
    on_worker(|| {
        (0..1_000).for_each(record);
        assert!(ringtrace::flush());
        let name = "x".repeat(16 << 20);
        ringtrace::dynamic::DynamicEvent::declare(&name, None, &[]);
        (1_000..1_500).for_each(record);
        assert!(!ringtrace::flush());
        let error = ringtrace::status::status().file_error.unwrap();
        assert!(error.contains("is not a record of at most 16 MiB"), "{error}");
    });
    drop(guard);
    assert_eq!(worker(&read(&std::fs::read(&path).unwrap(), check)).numbers.len(), 1_000);
    let arenas = find_arenas(folder.path()).unwrap();
    let arenas = arenas.iter().map(|path| ArenaFile::open(path).unwrap()).collect();
    let [process] = &gather(arenas).unwrap()[..] else { panic!("one process") };
    let (recovered, outcome) = ledger::recover(process);
    assert!(!outcome.unwrap().is_doubtful);
    assert_eq!(worker(&read(&recovered, check)).numbers, (0..1_500).collect::<Vec<_>>());
}

/// Runs a test in another process, which finds `word` in a variable. Returns its standard error.
fn run_again(test: &str, word: &str) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env("RINGTRACE_TEST_CHILD", word);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let child = {
        // Until the child executes the program, it has the descriptors of the test that runs beside this one:
        // a removed file would still take space, and a pipe without a reader would still have one.
        let _turn = TURN.lock();
        command.spawn().unwrap()
    };
    let ended = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.success(), "{stderr}");
    stderr
}

/// A program that traces to a device that is always full reports the error once.
#[test]
fn an_error_is_reported_once() {
    if std::env::var_os("RINGTRACE_TEST_CHILD").is_some() {
        let folder = tempfile::tempdir().unwrap();
        let guard = begin(FileFormat::V4, Path::new("/dev/full"), folder.path(), Policy::Discard);
        on_worker(|| {
            for _ in 0..5 {
                (0..5_000).for_each(record);
                assert!(!ringtrace::flush());
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        drop(guard);
        return;
    }
    let stderr = run_again("an_error_is_reported_once", "yes");
    let lines: Vec<&str> = stderr.lines().filter(|line| line.starts_with("ringtrace: ")).collect();
    assert_eq!(lines.len(), 2, "{stderr}");
    assert!(lines[0].contains("/dev/full: No space left on device"), "{stderr}");
    assert!(
        lines[1].contains("the file is incomplete; ") && lines[1].contains("`ringtrace recover "),
        "{stderr}"
    );
}

/// A daemon may close all descriptors, and the next file that it opens gets the number of the trace file.
#[test]
fn a_file_whose_descriptor_was_closed_is_opened_again() {
    const TEST: &str = "a_file_whose_descriptor_was_closed_is_opened_again";
    if std::env::var_os("RINGTRACE_TEST_CHILD").is_none() {
        let stderr = run_again(TEST, "1");
        let told = stderr.matches("its descriptor was closed by this program; it is opened again");
        assert_eq!(told.count(), FORMATS.len(), "{stderr}");
        return;
    }
    for format in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("trace");
        let guard = begin(format, &file, folder.path(), Policy::Block { timeout: None });
        let mut other = None;
        on_worker(|| {
            (0..1_000).for_each(record);
            assert!(ringtrace::flush());
            let links = std::fs::read_dir("/proc/self/fd").unwrap().map(|link| link.unwrap().path());
            let is_trace = |link: &PathBuf| std::fs::read_link(link).is_ok_and(|target| target == file);
            let link = links.into_iter().find(is_trace).unwrap();
            let descriptor: i32 = link.file_name().unwrap().to_str().unwrap().parse().unwrap();
            // SAFETY: this is what the test is about. Only the trace file uses the descriptor.
            assert_eq!(unsafe { libc::close(descriptor) }, 0);
            let opened = std::fs::File::create(folder.path().join("other")).unwrap();
            assert_eq!(opened.as_raw_fd(), descriptor);
            other = Some(opened);
            (1_000..2_000).for_each(record);
            assert!(ringtrace::flush());
        });
        drop(guard);
        let mut other = other.unwrap();
        assert_eq!(other.metadata().unwrap().len(), 0);
        other.write_all(b"not closed").unwrap();
        worker(&read(&std::fs::read(&file).unwrap(), check)).assert_accounted(2_000);
    }
}
