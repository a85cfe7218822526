//! Starts tracing. Programs like QEMU set options, backends and the trace file in any order.
//!
//! Nothing starts before `trace_init_backends`, because a program may fork before that call to
//! become a daemon. If options were given, that call opens the trace file. Otherwise the file is
//! opened when `trace_init_file` finds options, or when the program switches recording on.

use std::ffi::{CString, c_char};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use ringtrace::{Backends, Options, StartError, Switch, ffi, session};

use crate::fork;
use crate::groups::groups;
use crate::host::{report_error, report_warnings};
use crate::interop::{optional_string, string};
use crate::state::{INITIAL, SessionState, session_state};

/// The action that the C code must take next. `outcome.h` defines the same numbers.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// The program must print the list of events and exit.
    List,
    /// An error has been printed. The program must exit, or the function must return an error.
    Bad,
}

/// # Safety
/// `at` must be a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_options_parse(at: *const c_char) -> Outcome {
    // SAFETY: guaranteed by the caller.
    let given = match Options::parse(unsafe { string(at) }) {
        Ok(given) => given,
        Err(error) => {
            report_error(&error);
            return Outcome::Bad;
        }
    };
    let mut state = session_state();
    let environment = read_environment(&mut state);
    if environment != Outcome::Done {
        return environment;
    }
    let outcome = switch_events(&given);
    state.is_late |= state.is_ready && state.options.is_none();
    state.options.get_or_insert_default().extend(given);
    outcome
}

/// # Safety
/// `at` must be a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_options_enable(at: *const c_char) -> Outcome {
    // SAFETY: guaranteed by the caller.
    let line = unsafe { string(at) }.to_string_lossy();
    let word = line.trim_end_matches(['\n', '\r']);
    match word {
        "" => Outcome::Done,
        "help" | "?" => Outcome::List,
        _ => match word.strip_prefix('-') {
            Some(word) => switch_events(&Options::new().disable(word)),
            None => switch_events(&Options::new().enable(word)),
        },
    }
}

/// Switches events on and off according to the options.
pub(crate) fn switch_events(options: &Options) -> Outcome {
    if options.asks_for_list() {
        return Outcome::List;
    }
    if ffi::is_guest() {
        options.switches().for_each(switch_own);
    } else {
        report_warnings(&options.switch_events());
    }
    Outcome::Done
}

/// Applies `switch` to this library's events only. Used if the program contains another copy of the
/// runtime.
fn switch_own(switch: &Switch) {
    let groups = groups();
    for (_, event) in groups.events().filter(|(_, event)| switch.pattern.matches(event.name())) {
        let _ = ffi::set_enabled(event, switch.enable);
    }
}

/// Starts the session that `state` describes. From then on, forks wait for this library's locks.
fn start_session(state: &mut SessionState) -> Result<(), StartError> {
    state.start().inspect(|()| fork::hold_locks())
}

/// Implements `ringtrace_start`: sets options and starts tracing.
///
/// # Errors
/// Returns the same errors as [`Options::start`].
pub(crate) fn start(given: Options) -> Result<Outcome, StartError> {
    if given.asks_for_list() {
        return Ok(Outcome::List);
    }
    let mut state = session_state();
    if state.is_ready {
        return Err(StartError::Running);
    }
    if given.is_empty() {
        return Ok(Outcome::Done);
    }
    switch_events(&given);
    if ffi::is_guest() {
        return Ok(Outcome::Done);
    }
    let before = state.options.clone();
    state.options.get_or_insert_default().extend(given);
    start_session(&mut state).inspect_err(|_| state.options = before).map(|()| Outcome::Done)
}

/// Implements `ringtrace_stop`: stops tracing and resets all state.
pub(crate) fn stop() {
    let running = {
        let mut state = session_state();
        std::mem::replace(&mut *state, INITIAL).running
    };
    // Dropping the session waits for the writer thread.
    drop(running);
}

/// Adds the options of the variable `RINGTRACE`, before those of the command line. Later calls have
/// no effect.
///
/// QEMU has no such variable. The functions read it, so that `ringtrace record` works for programs
/// that use only QEMU's functions.
fn read_environment(state: &mut SessionState) -> Outcome {
    if std::mem::replace(&mut state.has_read_environment, true) || ffi::is_guest() {
        return Outcome::Done;
    }
    let given = match Options::from_env() {
        Ok(given) => given,
        Err(error) => {
            report_error(&error);
            return Outcome::Bad;
        }
    };
    if given.is_empty() {
        return Outcome::Done;
    }
    let outcome = switch_events(&given);
    state.options.get_or_insert_default().extend(given);
    outcome
}

/// Implements `trace_init_backends`, after groups have been registered.
#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_backends_init() -> Outcome {
    let mut state = session_state();
    if state.is_ready || ffi::is_guest() {
        return Outcome::Done;
    }
    let environment = read_environment(&mut state);
    if environment != Outcome::Done {
        return environment;
    }
    match start_session(&mut state) {
        // `Running` means that another part of the program has already started tracing, with its
        // own options.
        Ok(()) => {}
        Err(StartError::Running) => state.is_ready = true,
        Err(error) => {
            report_error(&error);
            return Outcome::Bad;
        }
    }
    Outcome::Done
}

/// Returns the file that `trace_init_file` opens for QEMU's log, or NULL if there is none. Pass the
/// name to [`ringtrace_file_free`].
#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_log_file_of_host() -> *mut c_char {
    let mut state = session_state();
    let file = state.log_file_of_host();
    // QEMU would empty the file if it were opened again.
    if ffi::is_guest() || file == state.opened_log_file {
        return std::ptr::null_mut();
    }
    state.opened_log_file.clone_from(&file);
    file.map_or(std::ptr::null_mut(), name_for_c)
}

/// Converts a file name to a string for [`ringtrace_file_free`].
fn name_for_c(path: PathBuf) -> *mut c_char {
    let path = CString::new(path.into_os_string().into_vec());
    path.map_or(std::ptr::null_mut(), CString::into_raw)
}

/// Implements `trace_init_file`.
#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_file_init() -> Outcome {
    let mut state = session_state();
    // A file given earlier is already open. A file that the program closed stays closed, because
    // opening it would truncate it.
    if !std::mem::take(&mut state.is_late) || session::is_recording() {
        return Outcome::Done;
    }
    let begun = match state.running.take() {
        Some(running) => {
            // Nothing is recorded yet, so restart with all options.
            drop(running);
            start_session(&mut state)
        }
        // Another part of the program started the session.
        None => state.settings().and_then(|settings| {
            session::set_trace_file(settings.file.as_deref())?;
            session::set_recording(settings.backends.contains(Backends::SIMPLE)).map(drop)
        }),
    };
    match begun {
        Ok(()) => Outcome::Done,
        Err(error) => {
            report_error(&error);
            Outcome::Bad
        }
    }
}

/// Switches recording on or off. Returns the previous state.
#[unsafe(no_mangle)]
pub extern "C" fn st_set_trace_file_enabled(enable: bool) -> bool {
    let mut state = session_state();
    if ffi::is_guest() {
        return false;
    }
    if !state.is_ready {
        let before = state.recording.unwrap_or(state.options.is_some());
        state.recording = Some(enable);
        return before;
    }
    session::set_recording(enable).unwrap_or_else(|error| {
        report_error(&error);
        session::is_recording()
    })
}

/// Continues the trace in another file.
///
/// # Safety
/// `path` must be NULL or a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn st_set_trace_file(path: *const c_char) {
    // SAFETY: guaranteed by the caller.
    let path = unsafe { optional_string(path) }.map(PathBuf::from);
    let mut state = session_state();
    if state.is_ready
        && let Err(error) = session::set_trace_file(path.as_deref())
    {
        report_error(&error);
    }
    state.file = Some(path);
}

/// Waits until all recorded events are in the file.
#[unsafe(no_mangle)]
pub extern "C" fn st_flush_trace_buffer() {
    session::flush();
}

/// Returns the name of the trace file, and stores whether recording is on. Pass the name to
/// [`ringtrace_file_free`].
///
/// # Safety
/// `is_on` must be writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_file_status(is_on: *mut bool) -> *mut c_char {
    // SAFETY: guaranteed by the caller.
    unsafe { is_on.write(session::is_recording()) };
    let state = session_state();
    let named = || state.settings().ok().and_then(|settings| settings.file);
    let default = || format!("trace-{}", std::process::id()).into();
    name_for_c(session::trace_file().or_else(named).unwrap_or_else(default))
}

/// Frees a file name.
///
/// # Safety
/// `path` must have been returned by one of the functions above, and must not have been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_file_free(path: *mut c_char) {
    if !path.is_null() {
        // SAFETY: guaranteed by the caller.
        drop(unsafe { CString::from_raw(path) });
    }
}
