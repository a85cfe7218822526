//! `log`: lines of text in the program's log.

use super::{Backend, C_IS_ON, CParts, RsParts};

pub(super) static LOG: Backend = Backend {
    name: "log",
    about: "the program's log, as lines of text",
    c: CParts {
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
    },
    rs: RsParts {
        call: "
            if (bindings::qemu_loglevel & bindings::LOG_TRACE) != 0 {
                bindings::qemu_log({printed_line});
            }
        ",
        prints: true,
        ..RsParts::NOTHING
    },
    ..Backend::NOTHING
};
