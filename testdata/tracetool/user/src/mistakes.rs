//! Wrong calls of probes. A test compares the compiler's messages with `mistakes.out`.

mod span {
    ringtrace::include_trace!("span");
}

use core::time::Duration;
use span::trace;

struct Job {
    name: &'static str,
}

fn integers(job: &Job, req: i64) {
    trace::disk_begin!(req, 0);
    trace::disk_begin!(job.name, 0);
    trace::disk_begin!(0, job);
    trace::disk_begin!(0, 0.5);
    trace::disk_begin!(Some(1), 0);
    trace::disk_end!(0, 1_u64);
    trace::disk_end!(0, Duration::ZERO);
}

fn strings(job: &Job) {
    trace::job_begin!(job, job);
    trace::job_begin(job, 7);
}

fn counts() {
    trace::disk_begin!(1);
    trace::disk_end!(1, 2, 3);
    trace::tick!(1);
}

fn spans(job: &Job, req: i64) {
    let _span = trace::span!(disk_begin(1, 2) => disk_end(req, 0));
    let _span = trace::span!(disk_begin(1, 2) => disk_end(1));
    let _span = trace::span!(disk_begin(1) => disk_end(1, 0));
    let _span = trace::span!(disk_begin(1, 2), disk_end(1, 0));
    let _span = trace::span!(job_begin(job, job.name) => job_end(job, job, 0, true));
}
