//! Monitor functions of `ringtrace.h`. The header documents them.

use std::ffi::{c_char, c_int};
use std::path::PathBuf;

use ringtrace::{Options, StartError, ffi};

use crate::fork;
use crate::interop::{Arguments, optional_string, set_last_error, string};
use crate::state::monitors;

fn serve(options: Options) -> Result<(), StartError> {
    // The program's copy of the runtime has its own monitors.
    if ffi::is_guest() {
        return Ok(());
    }
    let (may_quit, directory) = {
        let monitors = monitors();
        (monitors.may_quit, monitors.directory.clone())
    };
    let serving = options.start_with(|monitor| {
        let monitor = monitor.allow_quit(may_quit);
        match &directory {
            Some(directory) => monitor.directory(directory),
            None => monitor,
        }
    })?;
    // This must follow the start of the runtime's service, which registers its own fork handlers.
    fork::hold_locks();
    monitors().serving.push(serving);
    Ok(())
}

fn result_of(done: Result<(), StartError>) -> c_int {
    done.inspect_err(|error| set_last_error(error)).map_or(-1, |()| 0)
}

/// # Safety
/// `addresses` must be NULL or a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_monitor_begin(addresses: *const c_char) -> c_int {
    let options = if addresses.is_null() {
        Options::monitor_from_env()
    } else {
        // SAFETY: guaranteed by the caller.
        Options::parse_monitor_variable("monitor", unsafe { string(addresses) })
    };
    result_of(options.map_err(StartError::from).and_then(serve))
}

/// # Safety
/// The pointers must be NULL, or refer to the arguments of main().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_monitor_begin_with_args(
    argc: *mut c_int,
    argv: *mut *mut c_char,
) -> c_int {
    // SAFETY: guaranteed by the caller.
    let arguments = unsafe { Arguments::of(argc, argv) };
    result_of(begin_with_args(arguments.as_ref()))
}

fn begin_with_args(arguments: Option<&Arguments>) -> Result<(), StartError> {
    let Some(arguments) = arguments else { return serve(Options::monitor_from_env()?) };
    let (given, left) = arguments.taken(Options::monitor_from_args)?;
    serve(given.or_monitor_from_env()?)?;
    arguments.leave(&left);
    Ok(())
}

#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_monitor_stop() {
    let serving = std::mem::take(&mut monitors().serving);
    // Dropping the service waits for the monitors' threads.
    drop(serving);
}

#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_monitor_allow_quit(allow: bool) {
    monitors().may_quit = allow;
}

/// # Safety
/// `path` must be NULL or a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_monitor_directory(path: *const c_char) {
    // SAFETY: guaranteed by the caller.
    let path = unsafe { optional_string(path) }.map(PathBuf::from);
    monitors().directory = path;
}
