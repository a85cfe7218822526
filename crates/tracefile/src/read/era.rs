//! QEMU's readers through the years: the records that each reader accepted, and its output format.

use ringtrace_events::ctype::StringRule;
use ringtrace_events::parse::Dialect;
use ringtrace_wire::simpletrace::Version;

/// A reader that QEMU shipped, named after its year or release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Era {
    /// The first reader, for v0, without support for dropped records.
    Y2010,
    /// The second reader, for v0.
    Y2011,
    /// The reader for v2.
    Y2012,
    /// The reader for v2 and v3.
    Y2014,
    /// The reader for v3 and v4.
    Y2016,
    /// The first reader in Python 3, for v4.
    Y2021,
    /// The reader since QEMU 10.2, for v4.
    Q10_2,
}

/// The method of dividing nanoseconds by 1000. Results differ above 2^53 ns (104 days).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Division {
    /// Convert the difference to a double, then divide: two roundings (`delta / 1000.0` in Python).
    OfDouble,
    /// Convert the exact quotient to a double: one rounding (`delta / 1000` in Python 3).
    Exact,
}

/// The properties of an era. [`ERAS`] lists all eras.
#[derive(Debug, Clone, Copy)]
pub struct EraInfo {
    /// The era.
    pub era: Era,
    /// The name of the era in `--compat`.
    pub name: &'static str,
    /// The versions that the reader supports.
    pub reads: &'static [Version],
    /// Whether a string is printed as a Python bytes literal (`b'..'`) instead of raw bytes.
    pub bytes_literals: bool,
    /// Whether a blank follows an event without arguments.
    pub trailing_blank: bool,
    /// Whether the length field of a record determines where it ends, instead of the declared
    /// arguments.
    pub by_length: bool,
    /// The method of dividing time differences.
    pub division: Division,
}

const FIRST: EraInfo = EraInfo {
    era: Era::Y2010,
    name: "2010",
    reads: &[Version::V0],
    bytes_literals: false,
    trailing_blank: false,
    by_length: false,
    division: Division::OfDouble,
};

/// All eras, oldest first.
pub const ERAS: &[EraInfo] = &[
    EraInfo { by_length: true, ..FIRST },
    EraInfo { era: Era::Y2011, name: "2011", by_length: true, ..FIRST },
    EraInfo { era: Era::Y2012, name: "2012", reads: &[Version::V2], ..FIRST },
    EraInfo { era: Era::Y2014, name: "2014", reads: &[Version::V2, Version::V3], ..FIRST },
    EraInfo { era: Era::Y2016, name: "2016", reads: &[Version::V3, Version::V4, Version::Rfc2011], ..FIRST },
    EraInfo { era: Era::Y2021, name: "2021", reads: &[Version::V4], bytes_literals: true, ..FIRST },
    EraInfo {
        era: Era::Q10_2,
        name: "10.2",
        reads: &[Version::V4],
        bytes_literals: true,
        trailing_blank: true,
        by_length: true,
        division: Division::Exact,
    },
];

impl Era {
    /// Returns the properties of the era.
    pub fn info(self) -> &'static EraInfo {
        ERAS.iter().find(|info| info.era == self).unwrap_or(&ERAS[0])
    }

    /// Returns the era with the name `name`.
    pub fn from_name(name: &str) -> Option<Era> {
        ERAS.iter().find(|info| info.name == name).map(|info| info.era)
    }

    /// Returns the last reader that supports `version`.
    pub fn newest(version: Version) -> Era {
        ERAS.iter().rev().find(|info| info.reads.contains(&version)).map_or(Era::Q10_2, |info| info.era)
    }

    /// Returns the rule by which this reader determines the string arguments in files of `version`.
    pub fn string_rule(self, version: Version) -> StringRule {
        match (version, self) {
            (Version::V0, _) => StringRule::Never,
            (Version::V4, Era::Y2021 | Era::Q10_2) => StringRule::OneStar,
            _ => StringRule::AnyStars,
        }
    }

    /// Returns the dialect of declarations that this reader parsed.
    pub fn dialect(self) -> Dialect {
        match self {
            Era::Y2010 => Dialect::Reader2010,
            Era::Y2011 => Dialect::Reader2011,
            _ => Dialect::Read,
        }
    }
}
