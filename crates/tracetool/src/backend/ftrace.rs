//! `ftrace`: lines of text in the kernel's trace.

use super::{Backend, C_IS_ON, CParts, RsParts};

pub(super) static FTRACE: Backend = Backend {
    name: "ftrace",
    about: "the kernel's trace, as lines of text",
    c: CParts {
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
    },
    rs: RsParts {
        // QEMU 10.2 has the function but no binding for it, so Rust cannot call it by name. A name from
        // the glob import hides an outer declaration, so this code compiles without the binding, and
        // uses it if it exists.
        head: r#"

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
"#,
        call: "
            ftrace_write!({printed_line});
        ",
        prints: true,
        ..RsParts::NOTHING
    },
    ..Backend::NOTHING
};
