//! `ringtrace.h`: what the library has beyond QEMU's functions. What they do, the header says.

use std::cell::RefCell;
use std::ffi::{CStr, CString, OsStr, c_char, c_int};
use std::fmt::Display;
use std::os::unix::ffi::OsStrExt;

use ringtrace::{Backends, Options, Pattern, StartError, lent, session};

use crate::arguments::Arguments;
use crate::groups::groups;
use crate::start::{self, Answer};

thread_local! {
    /// What went wrong last.
    static ERROR: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// Keeps what went wrong, for `ringtrace_error`.
pub(crate) fn failed(error: &dyn Display) {
    let text = error.to_string().replace('\0', "\\0");
    ERROR.set(CString::new(text).ok());
}

fn answer(done: Result<Answer, StartError>) -> Answer {
    done.unwrap_or_else(|error| {
        failed(&error);
        Answer::Bad
    })
}

/// # Safety
/// NULL, or a string.
pub(crate) unsafe fn string<'t>(at: *const c_char) -> &'t OsStr {
    if at.is_null() {
        return OsStr::new("");
    }
    // SAFETY: the caller's promise.
    OsStr::from_bytes(unsafe { CStr::from_ptr(at) }.to_bytes())
}

#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_error() -> *const c_char {
    ERROR.with_borrow(|text| text.as_deref().unwrap_or(c"").as_ptr())
}

/// # Safety
/// NULL, or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_begin(options: *const c_char) -> Answer {
    // SAFETY: the caller's promise.
    let options = Options::parse_variable("options", unsafe { string(options) });
    answer(options.map_err(StartError::from).and_then(start::start))
}

/// # Safety
/// NULL, or what main() got.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_begin_with_args(argc: *mut c_int, argv: *mut *mut c_char) -> Answer {
    // SAFETY: the caller's promise.
    let arguments = unsafe { Arguments::of(argc, argv) };
    answer(begin_with_args(arguments.as_ref()))
}

fn begin_with_args(arguments: Option<&Arguments>) -> Result<Answer, StartError> {
    let mut options = Options::from_env()?;
    let Some(arguments) = arguments else { return start::start(options) };
    let (given, left) = arguments.taken(Options::from_args)?;
    options.extend(given);
    let answer = start::start(options)?;
    arguments.leave(&left);
    Ok(answer)
}

#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_stop() {
    start::stop();
}

#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_flush() -> bool {
    session::flush()
}

/// # Safety
/// A string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_snapshot(path: *const c_char) -> i64 {
    // SAFETY: the caller's promise.
    let path = unsafe { string(path) };
    match ringtrace::snapshot(path) {
        Ok(events) => events.cast_signed(),
        Err(error) => {
            failed(&format_args!("{}: {error}", path.display()));
            -1
        }
    }
}

/// # Safety
/// A string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_set_enabled(pattern: *const c_char, enabled: bool) -> c_int {
    // SAFETY: the caller's promise.
    let text = unsafe { string(pattern) };
    let Some(pattern) = text.to_str() else {
        failed(&format_args!("'{}' is not UTF-8", text.display()));
        return -1;
    };
    if !lent::is_guest() {
        return ringtrace::set_enabled(pattern, enabled).matched.try_into().unwrap_or(c_int::MAX);
    }
    let pattern = Pattern::of_option(pattern);
    let ours: Vec<_> = groups().events().map(|(_, event)| event).collect();
    let meant = ours.into_iter().filter(|event| pattern.matches(event.name()));
    meant.map(|event| c_int::from(lent::set_enabled(event, enabled).is_ok())).sum()
}

/// # Safety
/// A string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_switch_backends(backends: *const c_char) -> c_int {
    // SAFETY: the caller's promise.
    let names = unsafe { string(backends) }.to_string_lossy();
    let parsed = names.parse::<Backends>().inspect_err(|unknown| failed(unknown));
    let switched = parsed
        .is_ok_and(|backends| session::switch_backends(backends).inspect_err(|error| failed(error)).is_ok());
    if switched { 0 } else { -1 }
}

#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_never_block(never: bool) {
    lent::set_never_block(never);
}
