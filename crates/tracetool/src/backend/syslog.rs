//! `syslog`: to the system's log, as lines of text.

use super::Backend;

#[derive(Debug)]
pub(super) struct Syslog;

impl Backend for Syslog {
    fn name(&self) -> &'static str {
        "syslog"
    }

    fn about(&self) -> &'static str {
        "to the system's log, as lines of text"
    }
}
