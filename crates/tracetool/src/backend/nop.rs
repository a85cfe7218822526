//! `nop`: nowhere: probes are empty.

use super::Backend;

#[derive(Debug)]
pub(super) struct Nop;

impl Backend for Nop {
    fn name(&self) -> &'static str {
        "nop"
    }

    fn about(&self) -> &'static str {
        "nowhere: probes are empty"
    }
}
