//! The identities of the machine, of its boot, and of this process's trace.

use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Mutex;

use super::{fork, lock};

/// The id of this process's trace, or of that of a parent process.
static TRACE: Mutex<Option<u64>> = Mutex::new(None);

/// The message that is hashed with the machine's id.
const MACHINE_MESSAGE: &[u8] = b"ringtrace machine";

/// Returns the kernel's id of this boot.
pub(crate) fn boot() -> Option<String> {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned()).filter(|id| !id.is_empty())
}

/// Returns a hash of the machine's id, in hex.
///
/// The id must not leave the machine: according to machine-id(5), it is confidential, because it
/// would identify the machine to everyone who gets a trace. The hash is a keyed one, with the id as
/// its key, so the id cannot be derived from it, and other programs' hashes of the id differ.
pub(crate) fn machine() -> Option<String> {
    let id = fs::read_to_string("/etc/machine-id").ok()?;
    machine_of(id.trim())
}

fn machine_of(id: &str) -> Option<String> {
    let id = u128::from_str_radix(id, 16).ok().filter(|&id| id != 0 && id != u128::MAX)?;
    #[expect(deprecated, reason = "the standard library has no other keyed hash with a known algorithm")]
    let mut hasher = std::hash::SipHasher::new_with_keys((id >> 64) as u64, id as u64);
    hasher.write(MACHINE_MESSAGE);
    Some(format!("{:016x}", hasher.finish()))
}

/// Returns the id of this process's trace, in hex. It is random, and the same for all files that
/// the process writes. A forked child that records has another id.
pub(crate) fn trace() -> String {
    let mut id = lock(&TRACE);
    if !fork::has_own() {
        *id = None;
    }
    let new = || {
        // A forked child has a copy of the random keys, but it starts to record at another time.
        let now = (std::process::id(), std::time::SystemTime::now());
        RandomState::new().hash_one(now)
    };
    format!("{:016x}", *id.get_or_insert_with(new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_a_machine_id_is_stable_and_depends_on_every_digit() {
        let hash = |id: &str| machine_of(id);
        let id = "0123456789abcdef0123456789abcdef";
        // The value is in recorded traces, so it must not change with the standard library.
        assert_eq!(hash(id).as_deref(), Some("cae4e81a094488c9"));
        for at in 0..id.len() {
            let mut other = id.to_owned();
            other.replace_range(at..=at, if &id[at..=at] == "0" { "1" } else { "0" });
            assert_ne!(hash(&other), hash(id), "{other}");
        }
        for odd in ["", "uninitialized", "00000000000000000000000000000000"] {
            assert_eq!(hash(odd), None, "{odd}");
        }
    }

    #[test]
    fn the_standard_library_computes_siphash_2_4() {
        // The example in the appendix of the paper by Aumasson and Bernstein.
        #[expect(deprecated, reason = "see `machine_of`")]
        let mut hasher = std::hash::SipHasher::new_with_keys(0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908);
        hasher.write(&std::array::from_fn::<u8, 15, _>(|at| at as u8));
        assert_eq!(hasher.finish(), 0xa129_ca61_49be_45e5);
    }
}
