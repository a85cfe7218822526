//! Values passed between C and Rust: strings, the arguments of `main()`, and the last error.

use std::cell::RefCell;
use std::ffi::{CStr, CString, OsStr, OsString, c_char, c_int};
use std::fmt::Display;
use std::os::unix::ffi::OsStrExt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ringtrace::{Options, OptionsError};

/// Locks `mutex`. Ignores poisoning: a panic in an `extern "C"` function ends the process, so no
/// other thread sees data that a panic left inconsistent.
pub(crate) fn lock<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

thread_local! {
    static LAST_ERROR: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// Stores `error` as this thread's last error, for `ringtrace_error`.
pub(crate) fn set_last_error(error: &dyn Display) {
    let text = error.to_string().replace('\0', "\\0");
    LAST_ERROR.set(CString::new(text).ok());
}

/// Returns the message of this thread's last error. It is valid until the next error.
pub(crate) fn last_error() -> *const c_char {
    LAST_ERROR.with_borrow(|text| text.as_deref().unwrap_or(c"").as_ptr())
}

/// Returns the string at `at`, or `None` for NULL.
///
/// # Safety
/// `at` must be NULL or a NUL-terminated string that outlives `'t`.
pub(crate) unsafe fn optional_string<'t>(at: *const c_char) -> Option<&'t OsStr> {
    // SAFETY: guaranteed by the caller.
    (!at.is_null()).then(|| OsStr::from_bytes(unsafe { CStr::from_ptr(at) }.to_bytes()))
}

/// Returns the string at `at`, or an empty string for NULL.
///
/// # Safety
/// The requirements are those of [`optional_string`].
pub(crate) unsafe fn string<'t>(at: *const c_char) -> &'t OsStr {
    // SAFETY: guaranteed by the caller.
    unsafe { optional_string(at) }.unwrap_or_default()
}

pub(crate) struct Arguments {
    count: *mut c_int,
    first: *mut *mut c_char,
}

impl Arguments {
    /// Returns `None` if a pointer is NULL.
    ///
    /// # Safety
    /// The pointers must be NULL, or refer to the arguments of main(), which outlive the result.
    pub(crate) unsafe fn of(argc: *mut c_int, argv: *mut *mut c_char) -> Option<Arguments> {
        (!argc.is_null() && !argv.is_null()).then_some(Arguments { count: argc, first: argv })
    }

    /// Calls `parse` with the arguments. Returns the parsed options and the arguments that it did
    /// not use.
    pub(crate) fn taken(
        &self,
        parse: impl FnOnce(Vec<OsString>) -> Result<(Options, Vec<OsString>), OptionsError>,
    ) -> Result<(Options, Vec<*mut c_char>), OptionsError> {
        // SAFETY: the caller of [`Arguments::of`] guarantees an array of `count` strings.
        let all: Vec<*mut c_char> =
            unsafe { (0..*self.count as usize).map(|at| *self.first.add(at)).collect() };
        // SAFETY: the caller of [`Arguments::of`] guarantees that each element is a string.
        let text = |at: &*mut c_char| -> &OsStr { unsafe { string(*at) } };
        let (options, rest) = parse(all.iter().map(|at| text(at).to_owned()).collect())?;
        // The unused arguments are in their original order, so look for each after the previous
        // one.
        let mut all = all.iter();
        let find = |wanted: &OsString| all.find(|at| text(at) == wanted).copied();
        Ok((options, rest.iter().filter_map(find).collect()))
    }

    /// Replaces the arguments of `main()` with `left`.
    pub(crate) fn leave(&self, left: &[*mut c_char]) {
        // SAFETY: there are no more arguments than before, and there is space for the final NULL.
        unsafe {
            for (at, argument) in left.iter().enumerate() {
                *self.first.add(at) = *argument;
            }
            *self.first.add(left.len()) = std::ptr::null_mut();
            *self.count = left.len() as c_int;
        }
    }
}
