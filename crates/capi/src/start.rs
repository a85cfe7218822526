//! When tracing begins: options, backends and the trace file come in any order, as a program of QEMU's kind calls for them.
//!
//! Nothing starts before `trace_init_backends`, because a program may fork before that to become a daemon. The trace file is
//! opened then if options were given, and else when `trace_init_file` finds some or the program switches it on.

use std::ffi::{CStr, OsStr, c_char};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ringtrace::start::{self, report_error};
use ringtrace::{Backends, Guard, Options, Settings, StartError, Switch, ffi, session};

use crate::groups::groups;
use crate::{fork, text};

/// What the program has asked for so far.
#[derive(Debug)]
pub(crate) struct Asked {
    /// `None`: no option was given.
    options: Option<Options>,
    /// By a call, that comes after all options: `Some(None)` is the default file.
    file: Option<Option<PathBuf>>,
    /// Whether the trace file is wanted, by a call that comes after all options.
    recording: Option<bool>,
    /// `trace_init_backends` was called, or `ringtrace_start`.
    is_ready: bool,
    /// The first options came after that, and wait for `trace_init_file`.
    is_late: bool,
    /// What was started, which ends with the process, or before, by `ringtrace_stop`.
    running: Option<Guard>,
}

const NOTHING: Asked =
    Asked { options: None, file: None, recording: None, is_ready: false, is_late: false, running: None };

static ASKED: Mutex<Asked> = Mutex::new(NOTHING);

pub(crate) fn asked() -> MutexGuard<'static, Asked> {
    ASKED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the C side does next. `answer.h` has the same numbers.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Nothing.
    Done,
    /// It prints the list of events, and ends the program.
    List,
    /// It ends the program, for which standard error says why, or tells its caller.
    Bad,
}

/// # Safety
/// NULL, or a string.
unsafe fn string<'t>(at: *const c_char) -> Option<&'t OsStr> {
    // SAFETY: the caller's promise.
    (!at.is_null()).then(|| OsStr::from_bytes(unsafe { CStr::from_ptr(at) }.to_bytes()))
}

/// # Safety
/// A string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_options_parse(at: *const c_char) -> Answer {
    // SAFETY: the caller's promise.
    let given = match Options::parse(unsafe { string(at) }.unwrap_or_default()) {
        Ok(given) => given,
        Err(error) => {
            report_error(&error);
            return Answer::Bad;
        }
    };
    let answer = switch(&given);
    let mut asked = asked();
    asked.is_late |= asked.is_ready && asked.options.is_none();
    asked.options.get_or_insert_default().extend(given);
    answer
}

/// # Safety
/// A string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_options_enable(at: *const c_char) -> Answer {
    // SAFETY: the caller's promise.
    let line = unsafe { string(at) }.unwrap_or_default().to_string_lossy();
    let word = line.trim_end_matches(['\n', '\r']);
    match word {
        "" => Answer::Done,
        "help" | "?" => Answer::List,
        _ => match word.strip_prefix('-') {
            Some(word) => switch(&Options::new().disable(word)),
            None => switch(&Options::new().enable(word)),
        },
    }
}

/// Switches events as options ask.
pub(crate) fn switch(options: &Options) -> Answer {
    if options.asks_for_list() {
        return Answer::List;
    }
    if ffi::is_guest() {
        options.switches().for_each(switch_own);
    } else {
        options.switch_events();
    }
    Answer::Done
}

/// Switches events of ours, where the others are not ours to switch.
fn switch_own(switch: &Switch) {
    let groups = groups();
    for (_, event) in groups.events().filter(|(_, event)| switch.pattern.matches(event.name())) {
        let _ = ffi::set_enabled(event, switch.enable);
    }
}

impl Asked {
    /// What a session is to be started with.
    fn settings(&self) -> Result<Settings, StartError> {
        let mut options = Options::new().backends(groups().default_backends());
        if let Some(given) = &self.options {
            options.extend(given.clone());
        }
        let mut settings = options.settings()?;
        if let Some(file) = &self.file {
            settings.file.clone_from(file);
        }
        match self.recording {
            Some(true) => settings.backends |= Backends::SIMPLE,
            None if self.options.is_some() => {}
            _ => settings.backends = settings.backends.without(Backends::SIMPLE),
        }
        Ok(settings)
    }

    fn start(&mut self) -> Result<(), StartError> {
        if groups().has_syslog() {
            // SAFETY: no name is given that would have to stay: the C library takes the program's.
            unsafe { libc::openlog(std::ptr::null(), libc::LOG_PID, libc::LOG_DAEMON) };
        }
        let settings = self.settings()?;
        let has_log = settings.backends.contains(Backends::LOG);
        self.running = Some(start::begin(settings)?);
        fork::hold_locks();
        text::show_marker();
        if has_log {
            // While no event is on, nobody else would say so.
            text::log_levels().fetch_or(ffi::LOG_TRACE, Ordering::Relaxed);
        }
        self.is_ready = true;
        Ok(())
    }
}

/// `ringtrace_start`: all at once.
///
/// # Errors
/// As [`Options::start`].
pub(crate) fn start(given: Options) -> Result<Answer, StartError> {
    if given.asks_for_list() {
        return Ok(Answer::List);
    }
    let mut asked = asked();
    if asked.is_ready {
        return Err(StartError::Running);
    }
    if given.is_empty() {
        return Ok(Answer::Done);
    }
    switch(&given);
    if ffi::is_guest() {
        return Ok(Answer::Done);
    }
    let before = asked.options.clone();
    asked.options.get_or_insert_default().extend(given);
    asked.start().inspect_err(|_| asked.options = before).map(|()| Answer::Done)
}

/// `ringtrace_stop`: as if nothing had been asked.
pub(crate) fn stop() {
    let running = {
        let mut asked = asked();
        std::mem::replace(&mut *asked, NOTHING).running
    };
    // Waits for the writer thread.
    drop(running);
}

/// `trace_init_backends`, once groups are registered. `false`: standard error says why.
#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_backends_init() -> bool {
    let mut asked = asked();
    if asked.is_ready || ffi::is_guest() {
        return true;
    }
    match asked.start() {
        // `Running`: another part of the program has started it, by its own options.
        Ok(()) => {}
        Err(StartError::Running) => asked.is_ready = true,
        Err(error) => report_error(&error),
    }
    asked.is_ready
}

/// `trace_init_file`.
#[unsafe(no_mangle)]
pub extern "C" fn ringtrace_file_init() -> Answer {
    let mut asked = asked();
    // What was named before is open already, and a file that the program has closed stays so: opened again, it would be emptied.
    if !std::mem::take(&mut asked.is_late) || session::is_recording() {
        return Answer::Done;
    }
    let begun = match asked.running.take() {
        Some(running) => {
            // Nothing is recorded: it can begin anew, with all that options say of how.
            drop(running);
            asked.start()
        }
        // Another part of the program has started it.
        None => asked.settings().and_then(|settings| {
            session::set_trace_file(settings.file.as_deref())?;
            session::set_recording(settings.backends.contains(Backends::SIMPLE)).map(drop)
        }),
    };
    match begun {
        Ok(()) => Answer::Done,
        Err(error) => {
            report_error(&error);
            Answer::Bad
        }
    }
}

/// Begins or stops to write, and gives what was so before.
#[unsafe(no_mangle)]
pub extern "C" fn st_set_trace_file_enabled(enable: bool) -> bool {
    let mut asked = asked();
    if ffi::is_guest() {
        return false;
    }
    if !asked.is_ready {
        let before = asked.recording.unwrap_or(asked.options.is_some());
        asked.recording = Some(enable);
        return before;
    }
    session::set_recording(enable).unwrap_or_else(|error| {
        report_error(&error);
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
    let path = unsafe { string(path) }.map(PathBuf::from);
    let mut asked = asked();
    if asked.is_ready
        && let Err(error) = session::set_trace_file(path.as_deref())
    {
        report_error(&error);
    }
    asked.file = Some(path);
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
    let asked = asked();
    let named = || asked.settings().ok().and_then(|settings| settings.file);
    let default = || format!("trace-{}", std::process::id()).into();
    let path = session::trace_file().or_else(named).unwrap_or_else(default);
    let path = std::ffi::CString::new(path.into_os_string().into_vec());
    path.map_or(std::ptr::null_mut(), std::ffi::CString::into_raw)
}

/// Takes a name back.
///
/// # Safety
/// [`ringtrace_file_status`] has given it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringtrace_file_free(path: *mut c_char) {
    if !path.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { std::ffi::CString::from_raw(path) });
    }
}
