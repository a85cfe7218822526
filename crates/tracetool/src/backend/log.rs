//! `log`: to the program's log, as lines of text.

use super::Backend;

#[derive(Debug)]
pub(super) struct Log;

impl Backend for Log {
    fn name(&self) -> &'static str {
        "log"
    }

    fn about(&self) -> &'static str {
        "to the program's log, as lines of text"
    }
}
