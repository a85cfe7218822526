//! Functions of `ringtrace.h` beyond QEMU's interface. The header documents them.

use std::ffi::{c_char, c_int};

use ringtrace::{Backends, Options, Pattern, StartError, ffi, session};

use crate::groups::groups;
use crate::interop::{Arguments, last_error, set_last_error, string};
use crate::start::{self, Outcome};

fn outcome(done: Result<Outcome, StartError>) -> Outcome {
    done.unwrap_or_else(|error| {
        set_last_error(&error);
        Outcome::Bad
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_error() -> *const c_char {
    last_error()
}

/// # Safety
/// `options` must be NULL or a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_begin(options: *const c_char) -> Outcome {
    // SAFETY: guaranteed by the caller.
    let options = Options::parse_variable("options", unsafe { string(options) });
    outcome(options.map_err(StartError::from).and_then(start::start))
}

/// # Safety
/// The pointers must be NULL, or refer to the arguments of main().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_begin_with_args(argc: *mut c_int, argv: *mut *mut c_char) -> Outcome {
    // SAFETY: guaranteed by the caller.
    let arguments = unsafe { Arguments::of(argc, argv) };
    outcome(begin_with_args(arguments.as_ref()))
}

fn begin_with_args(arguments: Option<&Arguments>) -> Result<Outcome, StartError> {
    let mut options = Options::from_env()?;
    let Some(arguments) = arguments else { return start::start(options) };
    let (given, left) = arguments.taken(Options::from_args)?;
    options.extend(given);
    let outcome = start::start(options)?;
    arguments.leave(&left);
    Ok(outcome)
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
/// `path` must be a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_snapshot(path: *const c_char) -> i64 {
    // SAFETY: guaranteed by the caller.
    let path = unsafe { string(path) };
    match ringtrace::snapshot(path) {
        Ok(events) => events.cast_signed(),
        Err(error) => {
            let text = error.to_string();
            let reason = text.split(" (os error ").next().unwrap_or_default();
            set_last_error(&format_args!("{}: {reason}", path.display()));
            -1
        }
    }
}

/// # Safety
/// `pattern` must be a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_set_enabled(pattern: *const c_char, enabled: bool) -> c_int {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { string(pattern) };
    let Some(pattern) = text.to_str() else {
        set_last_error(&format_args!("'{}' is not UTF-8", text.display()));
        return -1;
    };
    if !ffi::is_guest() {
        return ringtrace::set_enabled(pattern, enabled).matched.try_into().unwrap_or(c_int::MAX);
    }
    let pattern = Pattern::of_option(pattern);
    let ours: Vec<_> = groups().events().map(|(_, event)| event).collect();
    let matching = ours.into_iter().filter(|event| pattern.matches(event.name()));
    matching.map(|event| c_int::from(ffi::set_enabled(event, enabled).is_ok())).sum()
}

/// # Safety
/// `backends` must be a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_switch_backends(backends: *const c_char) -> c_int {
    // SAFETY: guaranteed by the caller.
    let names = unsafe { string(backends) }.to_string_lossy();
    let parsed = names.parse::<Backends>().inspect_err(|unknown| set_last_error(unknown));
    let switched = parsed.is_ok_and(|backends| {
        session::switch_backends(backends).inspect_err(|error| set_last_error(error)).is_ok()
    });
    if switched { 0 } else { -1 }
}

#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_never_block(never: bool) {
    ffi::set_never_block(never);
}
