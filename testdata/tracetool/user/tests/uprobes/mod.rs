//! Kernel features that bpftrace needs.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Returns whether bpftrace can work on this machine. If not, prints the reason.
pub fn are_there() -> bool {
    let is_root = Path::new("/proc/self").metadata().is_ok_and(|own| own.uid() == 0);
    let has = |path: &str| Path::new(path).exists();
    let able = is_root
        && has("/sys/bus/event_source/devices/uprobe/format/ref_ctr_offset")
        && has("/proc/sys/kernel/unprivileged_bpf_disabled");
    if !able {
        eprintln!("SKIPPED: no uprobes and BPF that we may use");
    }
    able
}
