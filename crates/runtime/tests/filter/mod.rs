//! Reads the tables of docs/PLATFORM.md, and installs a filter that allows only the system calls in
//! these tables.

#![allow(dead_code, reason = "not every test uses all functions")]

use std::collections::BTreeSet;
use std::path::Path;

/// Returns the rows of the table in PLATFORM.md whose first line starts with `heading`.
pub fn table(heading: &str) -> Vec<Vec<String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/PLATFORM.md");
    let text = std::fs::read_to_string(page).unwrap();
    let mut lines = text.lines().skip_while(|line| !line.starts_with(heading));
    assert!(lines.next().is_some(), "PLATFORM.md has no table {heading}");
    let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
    rows.map(|row| row.split('|').skip(1).map(|cell| cell.trim().to_owned()).collect()).collect()
}

pub fn calls(times: &[&str]) -> BTreeSet<String> {
    calls_in("| call | when |", times)
}

pub fn calls_for_text(times: &[&str]) -> BTreeSet<String> {
    calls_in("| call for text | when |", times)
}

pub fn calls_for_monitor(times: &[&str]) -> BTreeSet<String> {
    calls_in("| call for a monitor | when |", times)
}

fn calls_in(heading: &str, times: &[&str]) -> BTreeSet<String> {
    let rows = table(heading).into_iter();
    let rows = rows.filter(|row| row[1].split(", ").any(|when| times.contains(&when)));
    rows.map(|row| row[0].trim_matches('`').to_owned()).collect()
}

const NUMBERS: &[(&str, i64)] = &[
    ("accept4", libc::SYS_accept4),
    ("access", libc::SYS_access),
    ("bind", libc::SYS_bind),
    ("brk", libc::SYS_brk),
    ("clock_gettime", libc::SYS_clock_gettime),
    ("clock_nanosleep", libc::SYS_clock_nanosleep),
    ("clone", libc::SYS_clone),
    ("clone3", libc::SYS_clone3),
    ("close", libc::SYS_close),
    ("connect", libc::SYS_connect),
    ("dup2", libc::SYS_dup2),
    ("dup3", libc::SYS_dup3),
    ("eventfd2", libc::SYS_eventfd2),
    ("exit", libc::SYS_exit),
    ("exit_group", libc::SYS_exit_group),
    ("fallocate", libc::SYS_fallocate),
    ("fchmod", libc::SYS_fchmod),
    ("fchmodat", libc::SYS_fchmodat),
    ("fcntl", libc::SYS_fcntl),
    ("flock", libc::SYS_flock),
    ("fstat", libc::SYS_fstat),
    ("fstatfs", libc::SYS_fstatfs),
    ("fsync", libc::SYS_fsync),
    ("ftruncate", libc::SYS_ftruncate),
    ("futex", libc::SYS_futex),
    ("getcwd", libc::SYS_getcwd),
    ("getdents64", libc::SYS_getdents64),
    ("geteuid", libc::SYS_geteuid),
    ("getpid", libc::SYS_getpid),
    ("getrandom", libc::SYS_getrandom),
    ("getsockopt", libc::SYS_getsockopt),
    ("gettid", libc::SYS_gettid),
    ("getuid", libc::SYS_getuid),
    ("ioctl", libc::SYS_ioctl),
    ("kill", libc::SYS_kill),
    ("linkat", libc::SYS_linkat),
    ("listen", libc::SYS_listen),
    ("lseek", libc::SYS_lseek),
    ("lstat", libc::SYS_lstat),
    ("madvise", libc::SYS_madvise),
    ("membarrier", libc::SYS_membarrier),
    ("memfd_create", libc::SYS_memfd_create),
    ("mkdir", libc::SYS_mkdir),
    ("mmap", libc::SYS_mmap),
    ("mprotect", libc::SYS_mprotect),
    ("mremap", libc::SYS_mremap),
    ("munmap", libc::SYS_munmap),
    ("nanosleep", libc::SYS_nanosleep),
    ("newfstatat", libc::SYS_newfstatat),
    ("open", libc::SYS_open),
    ("openat", libc::SYS_openat),
    ("poll", libc::SYS_poll),
    ("ppoll", libc::SYS_ppoll),
    ("prctl", libc::SYS_prctl),
    ("pread64", libc::SYS_pread64),
    ("prlimit64", libc::SYS_prlimit64),
    ("pwrite64", libc::SYS_pwrite64),
    ("read", libc::SYS_read),
    ("readlink", libc::SYS_readlink),
    ("recvfrom", libc::SYS_recvfrom),
    ("rmdir", libc::SYS_rmdir),
    ("rseq", libc::SYS_rseq),
    ("rt_sigaction", libc::SYS_rt_sigaction),
    ("rt_sigprocmask", libc::SYS_rt_sigprocmask),
    ("rt_sigreturn", libc::SYS_rt_sigreturn),
    ("rt_sigtimedwait", libc::SYS_rt_sigtimedwait),
    ("sched_getaffinity", libc::SYS_sched_getaffinity),
    ("sched_yield", libc::SYS_sched_yield),
    ("sendmsg", libc::SYS_sendmsg),
    ("sendto", libc::SYS_sendto),
    ("set_robust_list", libc::SYS_set_robust_list),
    ("sigaltstack", libc::SYS_sigaltstack),
    ("socket", libc::SYS_socket),
    ("stat", libc::SYS_stat),
    ("statx", libc::SYS_statx),
    ("sysinfo", libc::SYS_sysinfo),
    ("tgkill", libc::SYS_tgkill),
    ("umask", libc::SYS_umask),
    ("uname", libc::SYS_uname),
    ("unlink", libc::SYS_unlink),
    ("unlinkat", libc::SYS_unlinkat),
    ("wait4", libc::SYS_wait4),
    ("write", libc::SYS_write),
    ("writev", libc::SYS_writev),
];

/// System calls of the program itself: the C library and Rust's standard library make them to start
/// and end threads and the process.
pub const OWN: [&str; 18] = [
    "brk",
    "clone3",
    "exit",
    "exit_group",
    "futex",
    "gettid",
    "madvise",
    "mmap",
    "mprotect",
    "munmap",
    "prctl",
    "rseq",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sched_getaffinity",
    "sched_yield",
    "set_robust_list",
    "sigaltstack",
];

/// Returns the number of a system call.
pub fn number(name: &str) -> u32 {
    let known = NUMBERS.iter().find(|(known, _)| *known == name);
    known.unwrap_or_else(|| panic!("{name} has no number here")).1 as u32
}

/// Restricts all threads of the process to these calls. Any other call prints its name and ends the
/// process.
pub fn allow(names: &BTreeSet<String>) {
    extern "C" fn refused(_: i32, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: in the `siginfo_t` of a SIGSYS, the number of the call is at offset 24, after the
        // header of 16 bytes and an address. A signal handler may call `write` and `_exit`, and the
        // filter allows both.
        unsafe {
            let number = info.cast::<u8>().add(24).cast::<i32>().read();
            let name =
                NUMBERS.iter().find(|(_, known)| *known == i64::from(number)).map_or("?", |(name, _)| name);
            let mut text = *b"not in PLATFORM.md: call                     \n";
            text[25..25 + name.len()].copy_from_slice(name.as_bytes());
            let mut rest = number;
            for at in (41..44).rev() {
                text[at] = b'0' + (rest % 10) as u8;
                rest /= 10;
            }
            libc::write(2, text.as_ptr().cast(), text.len());
            libc::_exit(1);
        }
    }
    let mut allowed: Vec<u32> = names.iter().map(|name| number(name)).collect();
    allowed.extend(["write", "exit_group"].map(number));
    let code = |code: u32, jt: u8, jf: u8, k: u32| libc::sock_filter { code: code as u16, jt, jf, k };
    let mut filter = vec![code(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0)];
    for (at, number) in allowed.iter().enumerate() {
        let to_end = (allowed.len() - at) as u8;
        filter.push(code(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, to_end, 0, *number));
    }
    filter.push(code(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_TRAP));
    filter.push(code(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW));
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: the handler is a valid function, and the filter outlives the call.
    unsafe {
        // Otherwise, new threads would make the C library query the number of processors.
        libc::mallopt(libc::M_ARENA_MAX, 1);
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = refused as extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_NODEFER;
        libc::sigaction(libc::SIGSYS, &raw const action, std::ptr::null_mut());
        assert_eq!(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
        let answer = libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_TSYNC,
            &raw const program,
        );
        assert_eq!(answer, 0, "{}", std::io::Error::last_os_error());
    }
}
