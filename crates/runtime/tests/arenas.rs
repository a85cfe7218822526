//! The life of arenas. They appear when they are complete and disappear when tracing ends. Only the
//! arenas of killed processes remain.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

mod scenario;
mod small_disk;

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use ringtrace::session::start;
use ringtrace::{Guard, Policy, Settings};
use ringtrace_tracefile::recover::{ArenaFile, find_arenas};
use ringtrace_wire::arena::{Header, Start};
use scenario::{fork, number, numbers, run, wait};
use small_disk::SmallDisk;

fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.parent().unwrap().with_file_name("examples").join("traced");
    assert!(path.exists(), "{} is missing: run `cargo build -p ringtrace --examples`", path.display());
    path
}

fn traced_in(folder: &Path, options: &str) -> Command {
    let mut command = Command::new(program());
    command.args(["--trace", options]).current_dir(folder).env("RINGTRACE_DIR", folder);
    command.stdout(Stdio::null());
    command
}

/// The number of programs that are killed while they start. Each allocates half a gigabyte.
const KILLS: u32 = 40;

/// Kills programs at random moments while they create arenas.
#[test]
fn a_kill_during_creation_leaves_nothing_without_a_header() {
    let options = "blk_read,file=trace,buffer=8M,threads=64";
    let folder = || tempfile::tempdir_in("/dev/shm").unwrap();
    let (first, started) = (folder(), Instant::now());
    let output = traced_in(first.path(), options).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    if !output.stderr.is_empty() {
        // Tracing has started with fewer or smaller rings.
        eprintln!("SKIPPED: no space for large arenas");
        return;
    }
    let whole = started.elapsed();
    let (mut random, mut arenas, mut unfinished) = (0x5eed_u64, 0, Vec::new());
    for _ in 0..KILLS {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let delay = whole.mul_f64((random >> 32) as f64 / f64::from(u32::MAX));
        let folder = folder();
        let mut child = traced_in(folder.path(), options).spawn().unwrap();
        std::thread::sleep(delay);
        child.kill().unwrap();
        child.wait().unwrap();
        for path in find_arenas(folder.path()).unwrap() {
            arenas += 1;
            unfinished.extend(ArenaFile::open(&path).err().map(|error| format!("{delay:?}: {error}")));
        }
    }
    eprintln!("{arenas} arenas remain after {KILLS} kills within {whole:?}");
    assert_eq!(unfinished, [""; 0]);
}

fn traced(policy: Policy) -> Guard {
    let settings = Settings { file: Some("t.trace".into()), policy, threads: 8, ..Settings::default() };
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("*", true);
    guard
}

/// The timeout ends the test if threads wait for rings that cannot be created.
const BLOCK: Policy = Policy::Block { timeout: Some(Duration::from_secs(20)) };

/// The unprivileged user `nobody`, which has this id on every system.
const NOBODY: u32 = 65534;

/// Returns whether this process may change its user and its root folder. Prints a message if not.
fn is_root() -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        eprintln!("SKIPPED: only root may change its user and its root");
    }
    is_root
}

fn become_nobody() {
    // SAFETY: the call has no preconditions. It changes the user of all threads.
    assert_eq!(unsafe { libc::setuid(NOBODY) }, 0);
}

/// Returns the sizes of the arenas in `folder`.
fn sizes(folder: &Path) -> Vec<u64> {
    let arenas = find_arenas(folder).unwrap();
    arenas.iter().map(|path| std::fs::symlink_metadata(path).unwrap().len()).collect()
}

#[test]
fn a_process_that_changes_its_user_leaves_no_memory() {
    if !is_root() {
        return;
    }
    const NAME: &str = "a_process_that_changes_its_user_leaves_no_memory";
    let is_program = std::env::var_os("RINGTRACE_TEST_MODE").is_some();
    // In a sticky folder, only owners may remove files.
    for mode in ["700", "1777"] {
        if !is_program {
            // SAFETY: no other thread of this process reads the environment at the same time.
            unsafe { std::env::set_var("RINGTRACE_TEST_MODE", mode) };
        }
        let ran = run(NAME, || {
            let mode = u32::from_str_radix(&std::env::var("RINGTRACE_TEST_MODE").unwrap(), 8).unwrap();
            std::fs::set_permissions("arenas", Permissions::from_mode(mode)).unwrap();
            let guard = traced(Policy::Discard);
            numbers(0..10);
            become_nobody();
            numbers(10..20);
            drop(guard);
        });
        assert_eq!(ran.trace().all(), Vec::from_iter(0..20), "{mode}");
        let arenas = ran.folder().join("arenas");
        assert_eq!(sizes(&arenas), [0], "{mode}: the arena is empty, because the program may not remove it");
        // A later program of the arena's owner removes it.
        let next = traced_in(ran.folder(), "blk_read,file=next").env("RINGTRACE_DIR", &arenas).output();
        assert_eq!(String::from_utf8(next.unwrap().stderr).unwrap(), "");
        assert_eq!(ran.arenas(), [""; 0]);
    }
}

#[test]
fn a_child_does_not_empty_its_parents_arena() {
    if !is_root() {
        return;
    }
    let ran = run("a_child_does_not_empty_its_parents_arena", || {
        let guard = traced(Policy::Discard);
        numbers(0..10);
        become_nobody();
        let whole = sizes(Path::new("arenas"));
        assert!(whole.len() == 1 && whole[0] > 0);
        // These children end like the parent. The first child records nothing, and the second child
        // records an event.
        wait(fork(|| ()));
        wait(fork(|| number(100)));
        assert_eq!(sizes(Path::new("arenas")), whole);
        numbers(10..20);
        drop(guard);
    });
    assert_eq!(ran.trace().all(), Vec::from_iter(0..20));
    assert_eq!(sizes(&ran.folder().join("arenas")), [0]);
}

#[test]
fn a_process_that_changes_its_root_leaves_nothing() {
    if !is_root() {
        return;
    }
    let ran = run("a_process_that_changes_its_root_leaves_nothing", || {
        let guard = traced(BLOCK);
        numbers(0..10);
        std::fs::create_dir("root").unwrap();
        std::os::unix::fs::chroot("root").unwrap();
        std::env::set_current_dir("/").unwrap();
        // The threads need more slots than the first arena has, so another arena is created.
        let barrier = Arc::new(Barrier::new(40));
        let threads: Vec<_> = (0..40)
            .map(|thread: u64| {
                let barrier = Arc::clone(&barrier);
                std::thread::spawn(move || {
                    number(1000 + thread);
                    barrier.wait();
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        drop(guard);
    });
    let trace = ran.trace();
    trace.check();
    assert_eq!(trace.all(), Vec::from_iter((0..10).chain(1000..1040)), "{}", ran.stderr());
    assert_eq!(ran.arenas(), [""; 0]);
}

/// If a child kept its parent's arena open, the memory would stay allocated.
#[test]
fn a_child_closes_its_parents_arena() {
    let ran = run("a_child_closes_its_parents_arena", || {
        let guard = traced(Policy::Discard);
        numbers(0..10);
        let open = || {
            let arenas = find_arenas(Path::new("arenas")).unwrap().into_iter();
            let inodes: Vec<u64> = arenas.map(|path| std::fs::metadata(path).unwrap().ino()).collect();
            let files = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
            let files = files.filter_map(|entry| std::fs::metadata(entry.path()).ok());
            files.filter(|file| inodes.contains(&file.ino())).count()
        };
        assert_eq!(open(), 1);
        // A failed assertion would only end the child's thread.
        let expect_open = |count| {
            if open() != count {
                std::process::abort()
            }
        };
        wait(fork(|| expect_open(0)));
        wait(fork(|| {
            number(100);
            expect_open(1);
        }));
        numbers(10..20);
        drop(guard);
    });
    assert_eq!(ran.traces().len(), 2, "{}", ran.stderr());
    assert_eq!(ran.arenas(), [""; 0]);
}

/// A program does not change the files that it finds in the folder of its arenas. It does not wait
/// for named pipes or follow links.
#[test]
fn a_hostile_folder_does_not_affect_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let victim = path("victim");
    std::fs::write(&victim, "mine").unwrap();
    let ids = [1, 2, 4, 1 << 30, u32::MAX];
    for pid in ids {
        std::os::unix::fs::symlink(&victim, path(&format!("{pid}-0.arena"))).unwrap();
        std::os::unix::fs::symlink("/dev/zero", path(&format!("{pid}-1.arena"))).unwrap();
        std::fs::create_dir(path(&format!("{pid}-2.arena"))).unwrap();
        let pipe = path(&format!("{pid}-3.arena"));
        rustix::fs::mknodat(rustix::fs::CWD, pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        // A sparse file that claims 64 rings of 512 MiB.
        let sparse = std::fs::File::create(path(&format!("{pid}-4.arena"))).unwrap();
        sparse.set_len(64 << 29).unwrap();
        std::os::unix::fs::FileExt::write_all_at(&sparse, b"ringtrace arena\0", 0).unwrap();
    }
    let before = find_arenas(folder.path()).unwrap();
    let ran = traced_in(folder.path(), "blk_read,file=next").output().unwrap();
    assert_eq!(String::from_utf8(ran.stderr).unwrap(), "");
    assert!(ran.status.success());
    assert_eq!(find_arenas(folder.path()).unwrap(), before);
    assert_eq!(std::fs::read(victim).unwrap(), b"mine");
}

/// Only `ringtrace list` and `ringtrace recover` report killed programs. Other programs print
/// nothing about them.
#[test]
fn arenas_of_killed_programs_are_not_changed_by_a_start() {
    let folder = tempfile::tempdir().unwrap();
    let killed = folder.path().join(format!("{}-0.arena", 1 << 30));
    let header = Header {
        pid: 1 << 30,
        full: ringtrace_wire::arena::FullPolicy::Discard,
        segment: 0,
        slots: 1,
        ring_bytes: 4096,
        metadata_capacity: 4096,
        started_ns: 0,
        stamps: ringtrace_wire::arena::StampUnit::Ns,
    };
    let mut bytes = header.encode().to_vec();
    bytes.resize(header.file_bytes(), 0);
    std::fs::write(&killed, &bytes).unwrap();
    let before = std::fs::metadata(&killed).unwrap().permissions();
    let ran = traced_in(folder.path(), "blk_read,file=next").output().unwrap();
    assert_eq!(String::from_utf8(ran.stderr).unwrap(), "");
    assert_eq!(std::fs::read(&killed).unwrap(), bytes);
    assert_eq!(std::fs::metadata(&killed).unwrap().permissions(), before);
}

/// Starts a program that must succeed, and returns its messages.
fn messages(folder: &Path, options: &str) -> String {
    let ran = traced_in(folder, options).output().unwrap();
    let messages = String::from_utf8(ran.stderr).unwrap();
    assert!(ran.status.success(), "{messages}");
    assert_eq!(find_arenas(folder).unwrap(), [""; 0].map(PathBuf::from));
    messages
}

/// A small `/dev/shm`, as in containers, which killed programs have partly or completely filled.
#[test]
fn a_full_folder_does_not_prevent_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let Some(_mounted) = SmallDisk::mounted_at(path, "size=64m") else { return };
    assert_eq!(messages(path, "blk_read,file=/dev/null"), "");
    let fill = |bytes: u64| {
        let file = std::fs::File::create(path.join("killed")).unwrap();
        rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, bytes).unwrap();
    };
    fill(40 << 20);
    assert_eq!(messages(path, "blk_read,file=/dev/null"), "");
    let start = format!("ringtrace: warning: no space for 64 buffers of 1024 KiB in {}: ", path.display());
    let end = "; `ringtrace list` lists what killed programs have left behind\n";
    let fewer = "tracing starts with 16 buffers of 1024 KiB instead of 64 buffers of 1024 KiB";
    assert_eq!(messages(path, "blk_read,file=/dev/null,threads=64"), format!("{start}{fewer}{end}"));
    fill(64 << 20);
    let start = start.replace("64 buffers", "32 buffers");
    let lost = "the buffers are in private memory, and are lost if the program is killed";
    assert_eq!(messages(path, "blk_read,file=/dev/null"), format!("{start}{lost}{end}"));
}

const CROWD: u64 = 12;

/// Records the numbers `thread << 32..` in 12 threads at the same time, in a small folder. The rings
/// of a few threads fit.
fn crowd(policy: Policy, count: u64) {
    let _mounted = SmallDisk::mounted_at(Path::new("arenas"), "size=4m").unwrap();
    let guard = traced(policy);
    let barrier = Barrier::new(CROWD as usize);
    std::thread::scope(|scope| {
        for thread in 0..CROWD {
            let barrier = &barrier;
            scope.spawn(move || {
                number(thread << 32);
                // Until the writer thread has provided more rings, threads may have none.
                std::thread::sleep(Duration::from_millis(200));
                barrier.wait();
                numbers((thread << 32) + 1..(thread << 32) + count);
                barrier.wait();
            });
        }
    });
    // A recovery learns that there are further rings.
    let arena = find_arenas(Path::new("arenas")).unwrap().remove(0);
    let has_private_rings = || {
        let page = std::fs::read(&arena).unwrap();
        Start::decode(&Header::decode(&page).unwrap(), &page).has_private_rings
    };
    while !has_private_rings() {
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(guard);
}

/// Returns whether this process may mount file systems. Prints a message if not.
fn may_mount() -> bool {
    let folder = tempfile::tempdir().unwrap();
    SmallDisk::mounted_at(folder.path(), "size=4m").is_some()
}

/// Checks the messages of [`crowd`].
fn assert_crowd_is_reported(ran: &scenario::Ran) {
    let folder = ran.folder().join("arenas");
    let smaller = format!(
        "ringtrace: warning: no space for 8 buffers of 1024 KiB in {}: tracing starts with 4 buffers of 512 KiB \
         instead of 8 buffers of 1024 KiB; `ringtrace list` lists what killed programs have left behind\n",
        folder.display(),
    );
    let private = format!(
        "ringtrace: trace file {}: no space for the buffers of more threads in {}: they are in private memory, and \
         are lost if the program is killed; `ringtrace list` lists what killed programs have left behind\n",
        ran.folder().join("t.trace").display(),
        folder.display(),
    );
    assert_eq!(ran.stderr(), smaller + &private);
}

const CROWD_EACH: u64 = 50_000;

/// More threads trace than rings fit into the folder. The others have rings in private memory, so
/// `block` loses nothing.
#[test]
fn block_loses_nothing_in_a_small_folder() {
    if !may_mount() {
        return;
    }
    let ran = run("block_loses_nothing_in_a_small_folder", || crowd(BLOCK, CROWD_EACH));
    let trace = ran.trace();
    trace.check();
    let numbers = |thread: u64| (thread << 32)..(thread << 32) + CROWD_EACH;
    assert!(trace.all().into_iter().eq((0..CROWD).flat_map(numbers)), "{:?}", trace.totals);
    assert_crowd_is_reported(&ran);
}

#[test]
fn discard_accounts_for_all_events_in_a_small_folder() {
    if !may_mount() {
        return;
    }
    let ran = run("discard_accounts_for_all_events_in_a_small_folder", || {
        crowd(Policy::Discard, CROWD_EACH);
    });
    let trace = ran.trace();
    trace.check();
    assert_eq!(trace.totals.len() as u64, CROWD);
    for total in trace.totals.values() {
        assert_eq!(total.issued, CROWD_EACH, "{total:?}");
        assert_eq!(trace.dropped.get(&total.tid).copied().unwrap_or(0), total.dropped, "{total:?}");
    }
    assert_crowd_is_reported(&ran);
}
