//! `log`: lines of text in the program's log.

use ringtrace_events::{Diagnostic, Event};

use super::{Backend, C_IS_ON, CParts};
use crate::probe::unprintable;
use crate::{RustProbe, SourceWriter, Template};

const RS_CALL: &str = "
    if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
        bindings::qemu_log({arguments});
    }
";

const C: CParts = CParts {
    head: r#"
        #include "qemu/log-for-trace.h"
    "#,
    is_wanted: C_IS_ON,
    call: r#"
        if (qemu_loglevel_mask(LOG_TRACE)) {
            #line {line} {file}
            qemu_log("{event} "{and_format} "\n"{and_printed});
            #line {next_line} {output}
        }
    "#,
    ..CParts::NOTHING
};

#[derive(Debug)]
pub(super) struct Log;

impl Backend for Log {
    fn name(&self) -> &'static str {
        "log"
    }

    fn about(&self) -> &'static str {
        "the program's log, as lines of text"
    }

    fn c(&self) -> &'static CParts {
        &C
    }

    fn rs_diagnostics(&self, event: &Event) -> Vec<Diagnostic> {
        unprintable(event)
    }

    fn rs_call(&self, probe: &RustProbe<'_>, out: &mut SourceWriter) {
        out.block(&Template::new(RS_CALL), &[("arguments", &probe.print_arguments("\n"))]);
    }
}
