//! A signal handler, forks and a thousand short-lived threads, all tracing.

ringtrace::include_trace!("life");

fn main() {
    trace::life_begin(0);
}
