//! How much memory a process takes, seen from outside while it runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// The most that was seen of a process's memory, in KiB.
#[derive(Debug, Clone, Copy, Default)]
pub struct Peak {
    /// Memory of its own: what is not a page of a file.
    pub own_kib: u64,
    /// How often it was looked at.
    pub looks: u64,
}

impl Peak {
    /// Memory of its own in MiB.
    pub fn own_mib(&self) -> f64 {
        self.own_kib as f64 / 1024.0
    }
}

const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Looks at a process until it is told to stop.
pub struct Watch {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Peak>,
}

impl Watch {
    /// Starts to look at process `pid`.
    pub fn start(pid: u32) -> Watch {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let path = format!("/proc/{pid}/status");
            let mut peak = Peak::default();
            while !stopped.load(Ordering::Relaxed) {
                if let Ok(status) = std::fs::read_to_string(&path) {
                    look(&status, &mut peak);
                }
                std::thread::sleep(LOOK_EVERY);
            }
            peak
        });
        Watch { stop, thread }
    }

    /// What it saw.
    pub fn stop(self) -> Peak {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or_default()
    }
}

fn look(status: &str, peak: &mut Peak) {
    let kib = |field: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(field))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    // A process that has ended but was not waited for has no such lines.
    if let Some(anonymous) = kib("RssAnon:") {
        peak.own_kib = peak.own_kib.max(anonymous + kib("RssShmem:").unwrap_or(0));
        peak.looks += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_values_stay() {
        let mut peak = Peak::default();
        look(
            "VmHWM:\t    9000 kB\nRssAnon:\t    500 kB\nRssFile:\t  8000 kB\nRssShmem:\t  20 kB\n",
            &mut peak,
        );
        look("VmHWM:\t    9100 kB\nRssAnon:\t    400 kB\nRssShmem:\t  0 kB\n", &mut peak);
        look("Name:\tended\n", &mut peak);
        assert_eq!((peak.own_kib, peak.looks), (520, 2));
    }

    #[test]
    fn a_process_that_takes_memory_is_seen_to() {
        let watch = Watch::start(std::process::id());
        let memory = vec![1_u8; 32 << 20];
        std::thread::sleep(Duration::from_millis(100));
        let peak = watch.stop();
        assert!(memory.iter().all(|&byte| byte == 1));
        assert!(peak.own_kib >= 32 << 10, "{peak:?}");
    }
}
