//! `ftrace`: to the kernel's trace, as lines of text.

use super::Backend;

#[derive(Debug)]
pub(super) struct Ftrace;

impl Backend for Ftrace {
    fn name(&self) -> &'static str {
        "ftrace"
    }

    fn about(&self) -> &'static str {
        "to the kernel's trace, as lines of text"
    }
}
