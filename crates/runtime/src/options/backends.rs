//! Sets of backends, stored as one byte.

use std::fmt;
use std::ops::{BitOr, BitOrAssign};
use std::str::FromStr;

use ringtrace_events::nearest::nearest;

/// A set of backends. Its bits have the same meaning as in an event's `dstate`.
///
/// In text, names are joined by `+`, as in `simple+log`, and `none` is the empty set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Backends(u8);

/// A backend.
#[derive(Debug)]
pub struct Backend {
    /// The name in options.
    pub name: &'static str,
    /// The set that contains only this backend.
    pub alone: Backends,
    /// A short description, for help texts.
    pub about: &'static str,
}

/// All backends, in the order in which help and messages list them.
pub static BACKENDS: &[Backend] = &[
    Backend { name: "simple", alone: Backends::SIMPLE, about: "a trace file, binary" },
    Backend { name: "log", alone: Backends::LOG, about: "lines on standard error or in a file" },
    Backend { name: "syslog", alone: Backends::SYSLOG, about: "the system log" },
    Backend { name: "ftrace", alone: Backends::FTRACE, about: "the kernel's trace buffer" },
];

impl Backends {
    /// No backend.
    pub const NONE: Backends = Backends(0);
    /// The trace file.
    pub const SIMPLE: Backends = Backends(1);
    /// Lines on standard error or in a file.
    pub const LOG: Backends = Backends(2);
    /// The system log.
    pub const SYSLOG: Backends = Backends(4);
    /// The kernel's trace buffer.
    pub const FTRACE: Backends = Backends(8);

    /// The bits of the backends that receive text.
    pub(crate) const TEXT: u8 = Self::LOG.0 | Self::SYSLOG.0 | Self::FTRACE.0;

    /// Returns the set as the bits of a `dstate`.
    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Creates a set from the bits of a `dstate`. Bits without a backend are ignored.
    pub const fn from_bits(bits: u8) -> Backends {
        Backends(bits & 15)
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether every backend of `other` is in the set.
    pub const fn contains(self, other: Backends) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the set without the backends of `other`.
    #[must_use]
    pub const fn without(self, other: Backends) -> Backends {
        Backends(self.0 & !other.0)
    }

    /// Returns the backends of the set, in the order of [`BACKENDS`].
    pub fn iter(self) -> impl Iterator<Item = &'static Backend> {
        BACKENDS.iter().filter(move |backend| self.contains(backend.alone))
    }
}

impl BitOr for Backends {
    type Output = Backends;

    fn bitor(self, other: Backends) -> Backends {
        Backends(self.0 | other.0)
    }
}

impl BitOrAssign for Backends {
    fn bitor_assign(&mut self, other: Backends) {
        self.0 |= other.0;
    }
}

impl fmt::Display for Backends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        for (i, backend) in self.iter().enumerate() {
            let joint = if i == 0 { "" } else { "+" };
            write!(f, "{joint}{}", backend.name)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Backends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Backends({self})")
    }
}

/// A word that is not the name of a backend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownBackend {
    /// The word.
    pub word: String,
}

impl fmt::Display for UnknownBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown backend '{}'", self.word.escape_debug())?;
        if let Some(near) = nearest(&self.word, BACKENDS.iter().map(|backend| backend.name)) {
            return write!(f, "; did you mean `{near}`?");
        }
        let names: Vec<&str> = BACKENDS.iter().map(|backend| backend.name).collect();
        write!(f, "; expected {}, joined by `+`", names.join(", "))
    }
}

impl std::error::Error for UnknownBackend {}

impl FromStr for Backends {
    type Err = UnknownBackend;

    fn from_str(text: &str) -> Result<Backends, UnknownBackend> {
        if text == "none" {
            return Ok(Backends::NONE);
        }
        let mut set = Backends::NONE;
        for word in text.split('+') {
            let Some(backend) = BACKENDS.iter().find(|backend| backend.name == word) else {
                return Err(UnknownBackend { word: word.to_owned() });
            };
            set |= backend.alone;
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::{BACKENDS, Backends};

    #[test]
    fn sets_are_parsed_and_printed() {
        for (text, shown) in [
            ("simple", Ok("simple")),
            ("log+simple", Ok("simple+log")),
            ("simple+simple", Ok("simple")),
            ("none", Ok("none")),
            ("ftrace+syslog+log+simple", Ok("simple+log+syslog+ftrace")),
            ("simpel", Err("unknown backend 'simpel'; did you mean `simple`?")),
            ("", Err("unknown backend ''; expected simple, log, syslog, ftrace, joined by `+`")),
            (
                "log,ust",
                Err("unknown backend 'log,ust'; expected simple, log, syslog, ftrace, joined by `+`"),
            ),
        ] {
            let set = text.parse::<Backends>().map(|set| set.to_string()).map_err(|e| e.to_string());
            assert_eq!(set, shown.map(str::to_owned).map_err(str::to_owned), "{text}");
        }
    }

    #[test]
    fn every_bit_is_a_backend_and_every_backend_a_bit() {
        let all = BACKENDS.iter().fold(Backends::NONE, |all, backend| all | backend.alone);
        assert_eq!(all, Backends::from_bits(u8::MAX));
        for backend in BACKENDS {
            assert_eq!(backend.alone.bits().count_ones(), 1, "{}", backend.name);
            assert_eq!(backend.name.parse(), Ok(backend.alone));
        }
    }
}
