//! `ftrace`: lines of text in the kernel's trace.

use ringtrace_events::{Diagnostic, Event};

use super::{Backend, C_IS_ON, CParts};
use crate::probe::unprintable;
use crate::{RustProbe, SourceWriter, Template};

/// QEMU 10.2 has the function but no binding for it, so Rust cannot call it by name. A name from
/// the glob import hides an outer declaration, so this compiles without the binding and uses it
/// once there is one.
const RS_HEAD: &str = r#"

    // Calls `bindings::ftrace_write(...)`, or the C function if there is no binding.
    #[allow(unused_macros)]
    macro_rules! ftrace_write {
        ($($arguments:tt)+) => {{
            let write = {
                #[allow(unused_imports)]
                use util::bindings::*;
                ftrace_write
            };
            write($($arguments)+)
        }};
    }

    #[allow(dead_code)]
    unsafe extern "C" {
        fn ftrace_write(format: *const c_char, ...);
    }
"#;

const RS_CALL: &str = "
    ftrace_write!({arguments});
";

const C: CParts = CParts {
    head: r#"
        #include "trace/ftrace.h"
    "#,
    is_wanted: C_IS_ON,
    call: r#"
        #line {line} {file}
        ftrace_write("{event} "{and_format} "\n"{and_printed});
        #line {next_line} {output}
    "#,
    ..CParts::NOTHING
};

#[derive(Debug)]
pub(super) struct Ftrace;

impl Backend for Ftrace {
    fn name(&self) -> &'static str {
        "ftrace"
    }

    fn about(&self) -> &'static str {
        "the kernel's trace, as lines of text"
    }

    fn c(&self) -> &'static CParts {
        &C
    }

    fn rs_diagnostics(&self, event: &Event) -> Vec<Diagnostic> {
        unprintable(event)
    }

    fn rs_head(&self, out: &mut SourceWriter) {
        out.text(RS_HEAD);
    }

    fn rs_call(&self, probe: &RustProbe<'_>, out: &mut SourceWriter) {
        out.block(&Template::new(RS_CALL), &[("arguments", &probe.print_arguments("\n"))]);
    }
}
