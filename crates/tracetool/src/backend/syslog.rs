//! `syslog`: lines of text in the system's log.

use super::{Backend, C_IS_ON, CParts, RsParts};

pub(super) static SYSLOG: Backend = Backend {
    name: "syslog",
    about: "the system's log, as lines of text",
    c: CParts {
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
    },
    rs: RsParts {
        call: "
            ::trace::syslog(::trace::LOG_INFO, {printed});
        ",
        prints: true,
        ..RsParts::NOTHING
    },
    ..Backend::NOTHING
};
