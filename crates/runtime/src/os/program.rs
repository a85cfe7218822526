//! The program's name, time zone and privileges.

#![expect(unsafe_code, reason = "C library calls")]

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

unsafe extern "C" {
    /// The last component of the program's `argv[0]`. glibc and musl define it, and syslog(3) uses
    /// it.
    static program_invocation_short_name: *const c_char;
}

pub(crate) fn name() -> &'static [u8] {
    // SAFETY: the C library sets it before `main`, to a part of `argv[0]` or to a constant.
    let name = unsafe { program_invocation_short_name };
    if name.is_null() {
        return b"";
    }
    // SAFETY: it is a C string, and `argv[0]` is never freed. A program that overwrites it while it
    // runs changes bytes of the string, but not its end.
    unsafe { CStr::from_ptr(name) }.to_bytes()
}

/// Returns the local time zone's offset from UTC in seconds, at a time in seconds since 1970. This
/// reads files, so it must not be called in a signal handler.
pub(crate) fn zone_offset_s(seconds: i64) -> i32 {
    let mut local = MaybeUninit::zeroed();
    // SAFETY: the time is valid, `local` has room for the result, and zeros are a valid value.
    let local = unsafe {
        libc::localtime_r(&seconds, local.as_mut_ptr());
        local.assume_init()
    };
    i32::try_from(local.tm_gmtoff).unwrap_or(0)
}

/// Returns whether the process has privileges that its caller does not have. This is the case for
/// set-user-ID and set-group-ID programs, and for programs with file capabilities.
pub(crate) fn has_elevated_privileges() -> bool {
    use rustix::process::{getegid, geteuid, getgid, getuid};
    // SAFETY: the call only reads the auxiliary vector, which the kernel passed at process start.
    let is_secure = unsafe { libc::getauxval(libc::AT_SECURE) } != 0;
    is_secure || getuid() != geteuid() || getgid() != getegid()
}
