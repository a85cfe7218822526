//! When tracing begins: options, backends and the trace file come in any order, as a program of QEMU's kind calls for them.
//!
//! Nothing starts before `trace_init_backends`, because a program may fork before that to become a daemon. The trace file is
//! opened then if options were given, and else when `trace_init_file` finds some or the program switches it on.

use std::ffi::{CString, c_char};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use ringtrace::options::complain;
use ringtrace::{Backends, Options, StartError, Switch, lent, session};

use crate::fork;
use crate::groups::groups;
use crate::interop::{optional_string, string};
use crate::state::{INITIAL, SessionState, session_state};

/// What the C side does next. `outcome.h` has the same numbers.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing.
    Done,
    /// It prints the list of events, and ends the program.
    List,
    /// It ends the program, for which standard error says why, or tells its caller.
    Bad,
}

/// # Safety
/// A string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_options_parse(at: *const c_char) -> Outcome {
    // SAFETY: the caller's promise.
    let given = match Options::parse(unsafe { string(at) }) {
        Ok(given) => given,
        Err(error) => {
            complain(&error);
            return Outcome::Bad;
        }
    };
    let outcome = switch_events(&given);
    let mut state = session_state();
    state.is_late |= state.is_ready && state.options.is_none();
    state.options.get_or_insert_default().extend(given);
    outcome
}

/// # Safety
/// A string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_options_enable(at: *const c_char) -> Outcome {
    // SAFETY: the caller's promise.
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

/// Switches events as options ask.
pub(crate) fn switch_events(options: &Options) -> Outcome {
    if options.asks_for_list() {
        return Outcome::List;
    }
    if lent::is_guest() {
        options.switches().for_each(switch_own);
    } else {
        options.switch_events();
    }
    Outcome::Done
}

/// Switches events of ours, where the others are not ours to switch.
fn switch_own(switch: &Switch) {
    let groups = groups();
    for (_, event) in groups.events().filter(|(_, event)| switch.pattern.matches(event.name())) {
        let _ = lent::set_enabled(event, switch.enable);
    }
}

/// Starts what `state` requests. From then on forks wait for this library's locks.
fn start_session(state: &mut SessionState) -> Result<(), StartError> {
    state.start().inspect(|()| fork::hold_locks())
}

/// `ringtrace_start`: all at once.
///
/// # Errors
/// As [`Options::start`].
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
    if lent::is_guest() {
        return Ok(Outcome::Done);
    }
    let before = state.options.clone();
    state.options.get_or_insert_default().extend(given);
    start_session(&mut state).inspect_err(|_| state.options = before).map(|()| Outcome::Done)
}

/// `ringtrace_stop`: as if nothing had been state.
pub(crate) fn stop() {
    let running = {
        let mut state = session_state();
        std::mem::replace(&mut *state, INITIAL).running
    };
    // Waits for the writer thread.
    drop(running);
}

/// `trace_init_backends`, once groups are registered. `false`: standard error says why.
#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_backends_init() -> bool {
    let mut state = session_state();
    if state.is_ready || lent::is_guest() {
        return true;
    }
    match start_session(&mut state) {
        // `Running`: another part of the program has started it, by its own options.
        Ok(()) => {}
        Err(StartError::Running) => state.is_ready = true,
        Err(error) => complain(&error),
    }
    state.is_ready
}

/// `trace_init_file`.
#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_file_init() -> Outcome {
    let mut state = session_state();
    // What was named before is open already, and a file that the program has closed stays so: opened again, it would be emptied.
    if !std::mem::take(&mut state.is_late) || session::is_recording() {
        return Outcome::Done;
    }
    let begun = match state.running.take() {
        Some(running) => {
            // Nothing is recorded: it can begin anew, with all that options say of how.
            drop(running);
            start_session(&mut state)
        }
        // Another part of the program has started it.
        None => state.settings().and_then(|settings| {
            session::set_trace_file(settings.file.as_deref())?;
            session::set_recording(settings.backends.contains(Backends::SIMPLE)).map(drop)
        }),
    };
    match begun {
        Ok(()) => Outcome::Done,
        Err(error) => {
            complain(&error);
            Outcome::Bad
        }
    }
}

/// Begins or stops to write, and gives what was so before.
#[unsafe(no_mangle)]
pub extern "C" fn st_set_trace_file_enabled(enable: bool) -> bool {
    let mut state = session_state();
    if lent::is_guest() {
        return false;
    }
    if !state.is_ready {
        let before = state.recording.unwrap_or(state.options.is_some());
        state.recording = Some(enable);
        return before;
    }
    session::set_recording(enable).unwrap_or_else(|error| {
        complain(&error);
        session::is_recording()
    })
}

/// Goes on in another file.
///
/// # Safety
/// NULL, or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn st_set_trace_file(path: *const c_char) {
    // SAFETY: the caller's promise.
    let path = unsafe { optional_string(path) }.map(PathBuf::from);
    let mut state = session_state();
    if state.is_ready
        && let Err(error) = session::set_trace_file(path.as_deref())
    {
        complain(&error);
    }
    state.file = Some(path);
}

/// Waits until all that was recorded so far is in the file.
#[unsafe(no_mangle)]
pub extern "C" fn st_flush_trace_buffer() {
    session::flush();
}

/// For `st_print_trace_file_status`: gives the file's name, which is to be given back to [`ringtrace_file_free`], and whether it is written.
///
/// # Safety
/// `is_on` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_file_status(is_on: *mut bool) -> *mut c_char {
    // SAFETY: the caller's promise.
    unsafe { is_on.write(session::is_recording()) };
    let state = session_state();
    let named = || state.settings().ok().and_then(|settings| settings.file);
    let default = || format!("trace-{}", std::process::id()).into();
    let path = session::trace_file().or_else(named).unwrap_or_else(default);
    let path = CString::new(path.into_os_string().into_vec());
    path.map_or(std::ptr::null_mut(), CString::into_raw)
}

/// Takes a name back.
///
/// # Safety
/// [`ringtrace_file_status`] has given it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_file_free(path: *mut c_char) {
    if !path.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { CString::from_raw(path) });
    }
}
