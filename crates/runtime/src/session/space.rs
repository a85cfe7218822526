//! Fits the rings into the free space of their folder.
//!
//! A program must not fail to start because its folder is small, as `/dev/shm` is in containers, or
//! because killed programs have left arenas there. If there is less space than the options request,
//! tracing starts with fewer rings, then with smaller ones, and finally with rings in private
//! memory, which do not outlive the process.

use std::io;

use ringtrace_wire::arena::{Header, MAX_SLOTS};

use crate::options::Settings;
use crate::os;
use crate::ring::arena_file::{free_bytes, initial_bytes};
use crate::ring::directory::Directory;

/// With this number of rings or fewer, rings are made smaller before their number is reduced
/// further.
const FEW_RINGS: usize = 4;

/// The rings of a recording at its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rings {
    pub(super) count: usize,
    pub(super) bytes: u64,
    /// Whether the rings are in private memory, because nothing fits into the folder.
    pub(super) is_private: bool,
}

impl Rings {
    /// Returns the rings of `settings`, without regard to space.
    pub(super) fn of(settings: &Settings) -> Rings {
        let (least, most) = (*Settings::BUFFER_BYTES.start(), *Settings::BUFFER_BYTES.end());
        let bytes = settings.buffer_bytes.clamp(least, most).next_power_of_two() as u64;
        Rings { count: settings.threads.max(1), bytes, is_private: false }
    }

    /// Returns the header of the first arena.
    pub(super) fn header(self, other: Header) -> Header {
        Header { slots: self.count.clamp(1, MAX_SLOTS) as u32, ring_bytes: self.bytes, ..other }
    }

    fn file_bytes(self, other: Header) -> u64 {
        let fixed = initial_bytes(&self.header(other));
        self.bytes.saturating_mul(self.count as u64).saturating_add(fixed)
    }

    /// Returns the rings to start with if `free` bytes are free.
    fn fit(self, other: Header, free: u64) -> Rings {
        let least = *Settings::BUFFER_BYTES.start() as u64;
        let mut rings = self;
        while rings.file_bytes(other) > free {
            if rings.count > FEW_RINGS {
                rings.count = (rings.count / 2).max(FEW_RINGS);
            } else if rings.bytes > least {
                rings.bytes /= 2;
            } else if rings.count > 1 {
                rings.count /= 2;
            } else {
                return Rings { is_private: true, ..self };
            }
        }
        rings
    }

    /// Returns the rings to start with in `directory`.
    ///
    /// # Errors
    /// Fails if the file system does not report its free space.
    pub(super) fn fit_into(self, directory: &Directory, other: Header) -> io::Result<Rings> {
        Ok(free_bytes(directory)?.map_or(self, |free| self.fit(other, free)))
    }

    /// Reports that there are fewer or smaller rings than `wanted`. With default options, a smaller
    /// number is not reported, because more rings are added when threads need them.
    pub(super) fn report(self, wanted: Rings, directory: &Directory) {
        let folder = directory.path().display();
        let is_default = wanted == Rings::of(&Settings::default());
        let outcome = if self.is_private {
            "the buffers are in private memory, and are lost if the program is killed".to_owned()
        } else if self.bytes < wanted.bytes || (self.count < wanted.count && !is_default) {
            format!("tracing starts with {self} instead of {wanted}")
        } else {
            return;
        };
        os::print_error(&format!(
            "ringtrace: warning: no space for {wanted} in {folder}: {outcome}; `ringtrace list` lists what \
             killed programs have left behind\n"
        ));
    }
}

impl std::fmt::Display for Rings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plural = if self.count == 1 { "" } else { "s" };
        write!(f, "{} buffer{plural} of {} KiB", self.count, self.bytes >> 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringtrace_wire::arena::{FullPolicy, StampUnit};

    #[test]
    fn rings_become_fewer_then_smaller_then_private() {
        let header = Header {
            pid: 1,
            full: FullPolicy::Discard,
            segment: 0,
            slots: 1,
            ring_bytes: 4096,
            metadata_capacity: 256 << 10,
            started_ns: 0,
            stamps: StampUnit::Ns,
        };
        let wanted = Rings::of(&Settings::default());
        for (free_kib, count, kib) in [
            (64 << 10, 32, 1024),
            (33 << 10, 32, 1024),
            (32 << 10, 16, 1024),
            (17 << 10, 16, 1024),
            (8 << 10, 4, 1024),
            (4 << 10, 4, 512),
            (1 << 10, 4, 128),
            (600, 2, 128),
        ] {
            let rings = wanted.fit(header, free_kib << 10);
            assert_eq!((rings.count, rings.bytes >> 10, rings.is_private), (count, kib, false), "{free_kib}");
            assert!(rings.file_bytes(header) <= free_kib << 10);
        }
        assert_eq!(wanted.fit(header, 100 << 10), Rings { is_private: true, ..wanted });
        let few = Rings { count: 3, ..wanted };
        assert_eq!(few.fit(header, 3 << 20), Rings { bytes: 512 << 10, ..few });
    }
}
