//! `simple`: to a binary trace file.

use super::Backend;

#[derive(Debug)]
pub(super) struct Simple;

impl Backend for Simple {
    fn name(&self) -> &'static str {
        "simple"
    }

    fn about(&self) -> &'static str {
        "to a binary trace file"
    }
}
