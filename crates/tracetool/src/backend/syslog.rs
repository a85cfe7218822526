//! `syslog`: lines of text in the system's log.

use ringtrace_events::{Diagnostic, Event};

use super::{Backend, C_IS_ON, CParts};
use crate::probe::unprintable;
use crate::{RustProbe, SourceWriter, Template};

const RS_CALL: &str = "
    ::trace::syslog(::trace::LOG_INFO, {arguments});
";

const C: CParts = CParts {
    head: "
        #include <syslog.h>
    ",
    is_wanted: C_IS_ON,
    call: r#"
        #line {line} {file}
        syslog(LOG_INFO, "{event} "{and_format}{and_printed});
        #line {next_line} {output}
    "#,
    ..CParts::NOTHING
};

#[derive(Debug)]
pub(super) struct Syslog;

impl Backend for Syslog {
    fn name(&self) -> &'static str {
        "syslog"
    }

    fn about(&self) -> &'static str {
        "the system's log, as lines of text"
    }

    fn c(&self) -> &'static CParts {
        &C
    }

    fn rs_diagnostics(&self, event: &Event) -> Vec<Diagnostic> {
        unprintable(event)
    }

    fn rs_call(&self, probe: &RustProbe<'_>, out: &mut SourceWriter) {
        out.block(&Template::new(RS_CALL), &[("arguments", &probe.print_arguments(""))]);
    }
}
