//! The processor's counter, and the check whether it is a reliable clock.

#![expect(unsafe_code, reason = "the instruction that reads the counter")]

use std::fmt;

#[derive(Debug)]
pub(super) enum CounterError {
    /// This processor has no known counter.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    Absent,
    /// The counter stops, or changes its rate. On aarch64 the architecture rules that out.
    #[cfg(target_arch = "x86_64")]
    Variant,
    /// The kernel uses another clocksource, so it does not trust the counter. `None` if the
    /// clocksource is unknown.
    Clocksource(Option<String>),
}

impl fmt::Display for CounterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
            CounterError::Absent => write!(f, "this processor has no readable counter"),
            #[cfg(target_arch = "x86_64")]
            CounterError::Variant => write!(f, "the counter's rate is not constant"),
            CounterError::Clocksource(Some(name)) => {
                write!(f, "the kernel's clocksource is {name}, not {NAME}")
            }
            CounterError::Clocksource(None) => write!(f, "{CURRENT} cannot be read"),
        }
    }
}

const CURRENT: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";

/// Checks that the counter can serve as a clock.
///
/// The processor reports whether the counter has a constant rate. Only the kernel knows whether the
/// counters of all processors agree, and whether a hypervisor changes them: it monitors them, and
/// stops using the counter if they disagree. In a guest, the clocksource may be the hypervisor's
/// page (kvm-clock, hyperv). This means that the counter may change when the guest moves to another
/// machine, so the counter is not used there. If the counter is not affected by such a move, the
/// hypervisor reports it as invariant, and Linux makes it the clocksource.
pub(super) fn check() -> Result<(), CounterError> {
    invariant()?;
    let current = std::fs::read_to_string(CURRENT).map_err(|_| CounterError::Clocksource(None))?;
    let current = current.trim();
    if current == CLOCKSOURCE { Ok(()) } else { Err(CounterError::Clocksource(Some(current.to_owned()))) }
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use std::arch::x86_64::{__cpuid, _rdtsc};

    use super::CounterError;

    pub(in crate::clock) const NAME: &str = "tsc";
    pub(super) const CLOCKSOURCE: &str = "tsc";

    #[inline(always)]
    pub(in crate::clock) fn read() -> u64 {
        // SAFETY: every x86-64 processor has the instruction. If it is forbidden for the process
        // (PR_SET_TSC), it raises SIGSEGV, which is not undefined behaviour.
        unsafe { _rdtsc() }
    }

    pub(super) fn invariant() -> Result<(), CounterError> {
        const POWER: u32 = 0x8000_0007;
        const INVARIANT: u32 = 1 << 8;
        if __cpuid(0x8000_0000).eax >= POWER && __cpuid(POWER).edx & INVARIANT != 0 {
            Ok(())
        } else {
            Err(CounterError::Variant)
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod arch {
    use super::CounterError;

    pub(in crate::clock) const NAME: &str = "cntvct";
    pub(super) const CLOCKSOURCE: &str = "arch_sys_counter";

    #[inline(always)]
    pub(in crate::clock) fn read() -> u64 {
        let count: u64;
        // SAFETY: Linux allows every process to read the virtual counter, and nothing else is
        // accessed.
        unsafe {
            std::arch::asm!("mrs {}, cntvct_el0", out(reg) count, options(nomem, nostack, preserves_flags));
        }
        count
    }

    pub(super) fn invariant() -> Result<(), CounterError> {
        Ok(()) // by the architecture
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod arch {
    use super::CounterError;

    pub(in crate::clock) const NAME: &str = "counter";
    pub(super) const CLOCKSOURCE: &str = "none";

    /// Never called, because [`invariant`] returns an error.
    #[inline(always)]
    pub(in crate::clock) fn read() -> u64 {
        0
    }

    pub(super) fn invariant() -> Result<(), CounterError> {
        Err(CounterError::Absent)
    }
}

use arch::{CLOCKSOURCE, invariant};
pub(super) use arch::{NAME, read};
