//! The program: its name, its time zone, and its privileges.

#![expect(unsafe_code, reason = "C library calls")]

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

unsafe extern "C" {
    /// The last part of the program's name, as it was called. glibc and musl have it, and syslog(3) uses it.
    static program_invocation_short_name: *const c_char;
}

/// The program's name.
pub(crate) fn name() -> &'static [u8] {
    // SAFETY: the C library sets it before `main`, to a part of the first argument or to a constant.
    let name = unsafe { program_invocation_short_name };
    if name.is_null() {
        return b"";
    }
    // SAFETY: it is a string of C, and the first argument stays where it is. A program that changes it while it runs changes
    // bytes of a string, not its end.
    unsafe { CStr::from_ptr(name) }.to_bytes()
}

/// How many seconds the local time zone is east of Greenwich at a moment, in seconds since 1970. Reads files: not for signal
/// handlers.
pub(crate) fn zone_offset_s(seconds: i64) -> i32 {
    let mut local = MaybeUninit::zeroed();
    // SAFETY: the time is valid, and there is room for the answer; zeros are a valid one, too.
    let local = unsafe {
        libc::localtime_r(&seconds, local.as_mut_ptr());
        local.assume_init()
    };
    i32::try_from(local.tm_gmtoff).unwrap_or(0)
}

/// Whether the process may do what who started it may not: set-user-ID and set-group-ID programs, and those whose file has capabilities.
pub(crate) fn has_elevated_privileges() -> bool {
    use rustix::process::{getegid, geteuid, getgid, getuid};
    // SAFETY: it looks at what the kernel gave the process at its start.
    let is_secure = unsafe { libc::getauxval(libc::AT_SECURE) } != 0;
    is_secure || getuid() != geteuid() || getgid() != getegid()
}
