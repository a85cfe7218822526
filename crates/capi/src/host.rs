//! Functions of QEMU, which this library calls if the program defines them. `src/c/host.c` refers to
//! them.

use std::ffi::{CString, c_char};
use std::fmt::Display;

use ringtrace::start::{self, Warning};

unsafe extern "C" {
    fn ringtrace_host_report(is_warning: bool, text: *const c_char) -> bool;
    safe fn ringtrace_host_has_log_file() -> bool;
}

/// Reports an error to the client of QEMU's current monitor, or else on standard error.
pub(crate) fn report_error(error: &dyn Display) {
    if !report(false, error) {
        start::report_error(error);
    }
}

/// Reports warnings to the client of QEMU's current monitor, or else on standard error.
pub(crate) fn report_warnings(warnings: &[Warning]) {
    if !warnings.iter().all(|warning| report(true, warning)) {
        start::report_warnings(warnings);
    }
}

/// Reports a message through QEMU's functions. Returns false if the program is not QEMU.
fn report(is_warning: bool, text: &dyn Display) -> bool {
    let text = CString::new(text.to_string().replace('\0', "\\0")).unwrap_or_default();
    // SAFETY: the pointer points to a NUL-terminated string that lives until the call returns.
    unsafe { ringtrace_host_report(is_warning, text.as_ptr()) }
}

/// Reports a warning to the client of QEMU's current monitor, or else on standard error.
pub(crate) fn report_warning(warning: &str) {
    if !report(true, &warning) {
        start::report_error(&format_args!("warning: {warning}"));
    }
}

/// Returns whether the program has QEMU's log, and this library can set the log's file.
pub(crate) fn has_log_file() -> bool {
    ringtrace_host_has_log_file()
}
