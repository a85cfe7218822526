//! `ust`: to LTTng-UST.

use super::Backend;

#[derive(Debug)]
pub(super) struct Ust;

impl Backend for Ust {
    fn name(&self) -> &'static str {
        "ust"
    }

    fn about(&self) -> &'static str {
        "to LTTng-UST"
    }
}
