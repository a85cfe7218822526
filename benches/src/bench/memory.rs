//! Watches the memory of a process while it runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// The peak memory of a process.
#[derive(Debug, Clone, Copy, Default)]
pub struct Peak {
    /// Anonymous and shared memory, excluding file-backed pages.
    pub own_kib: u64,
    pub samples: u64,
}

impl Peak {
    /// Returns [`Peak::own_kib`] in MiB.
    pub fn own_mib(&self) -> f64 {
        self.own_kib as f64 / 1024.0
    }
}

const INTERVAL: Duration = Duration::from_millis(1);

/// A thread that samples the memory of a process.
pub struct Watch {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Peak>,
}

impl Watch {
    pub fn start(pid: u32) -> Watch {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let path = format!("/proc/{pid}/status");
            let mut peak = Peak::default();
            while !stopped.load(Ordering::Relaxed) {
                if let Ok(status) = std::fs::read_to_string(&path) {
                    sample(&status, &mut peak);
                }
                std::thread::sleep(INTERVAL);
            }
            peak
        });
        Watch { stop, thread }
    }

    /// Stops watching. Returns the peak.
    pub fn stop(self) -> Peak {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap_or_default()
    }
}

fn sample(status: &str, peak: &mut Peak) {
    let kib = |field: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(field))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    // A zombie process does not have these lines.
    if let Some(anonymous) = kib("RssAnon:") {
        peak.own_kib = peak.own_kib.max(anonymous + kib("RssShmem:").unwrap_or(0));
        peak.samples += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_values_are_kept() {
        let mut peak = Peak::default();
        sample(
            "VmHWM:\t    9000 kB\nRssAnon:\t    500 kB\nRssFile:\t  8000 kB\nRssShmem:\t  20 kB\n",
            &mut peak,
        );
        sample("VmHWM:\t    9100 kB\nRssAnon:\t    400 kB\nRssShmem:\t  0 kB\n", &mut peak);
        sample("Name:\tended\n", &mut peak);
        assert_eq!((peak.own_kib, peak.samples), (520, 2));
    }

    #[test]
    fn memory_of_a_process_is_measured() {
        let watch = Watch::start(std::process::id());
        let memory = vec![1_u8; 32 << 20];
        std::thread::sleep(Duration::from_millis(100));
        let peak = watch.stop();
        assert!(memory.iter().all(|&byte| byte == 1));
        assert!(peak.own_kib >= 32 << 10, "{peak:?}");
    }
}
