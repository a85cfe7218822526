//! Probes with strings and paths of the standard library.

use std::ffi::OsString;
use std::path::Path;
use std::string::String;
use std::sync::Arc;
use std::time::Duration;

use crate::blk::{Request, trace};

/// Passes owned strings, paths and durations.
pub fn all_kinds(request: &Request, path: &Path, name: &OsString, shared: &Arc<str>, timeout: Duration) {
    trace::blk_read(request, 0, 0, path);
    trace::blk_read!(request, timeout, 0, name);
    trace::blk_read(request, 0, 0, shared);
    trace::blk_read!(request, 0, 0, String::from("owned"));
}
