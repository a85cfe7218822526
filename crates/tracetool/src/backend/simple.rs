//! `simple`: to a binary trace file.

use super::Backend;
use crate::{RustProbe, SourceWriter, Template};

const RS_FOREIGN: &str = "
    fn _simple_trace_{event}({parameters});
";

const RS_CALL: &str = "
    _simple_trace_{event}({arguments});
";

#[derive(Debug)]
pub(super) struct Simple;

impl Backend for Simple {
    fn name(&self) -> &'static str {
        "simple"
    }

    fn about(&self) -> &'static str {
        "to a binary trace file"
    }

    fn rs_foreign(&self, probe: &RustProbe<'_>, out: &mut SourceWriter) {
        let values = [("event", &*probe.event().name), ("parameters", &probe.foreign_parameters())];
        out.block(&Template::new(RS_FOREIGN), &values);
    }

    fn rs_call(&self, probe: &RustProbe<'_>, out: &mut SourceWriter) {
        let values = [("event", &*probe.event().name), ("arguments", &probe.foreign_arguments())];
        out.block(&Template::new(RS_CALL), &values);
    }
}
