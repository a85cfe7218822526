//! The readers of the years: what each took for a record, and how it printed one.

use ringtrace_events::ctype::StringRule;
use ringtrace_events::parse::Dialect;
use ringtrace_wire::simpletrace::Version;

/// A reader that QEMU shipped, by the year (or release) it is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Era {
    /// The first, for v0; knows no dropped records.
    Y2010,
    /// v0.
    Y2011,
    /// v2.
    Y2012,
    /// v2 and v3.
    Y2014,
    /// v3 and v4.
    Y2016,
    /// v4; the first for Python 3.
    Y2021,
    /// v4; that of QEMU 10.2.
    Q10_2,
}

/// How a reader divides nanoseconds by 1000. It shows in differences beyond 2^53 ns, 104 days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Division {
    /// The difference becomes a double, then that is divided: rounded twice (`delta / 1000.0` in Python).
    OfDouble,
    /// The exact quotient becomes a double: rounded once (`delta / 1000` in Python 3).
    Exact,
}

/// What is known of an era. [`ERAS`] lists all, oldest first.
#[derive(Debug, Clone, Copy)]
pub struct EraInfo {
    /// Which.
    pub era: Era,
    /// What `--compat` calls it.
    pub name: &'static str,
    /// The versions its reader takes.
    pub reads: &'static [Version],
    /// Whether a string prints as a Python bytes literal (`b'..'`), else as its raw bytes.
    pub bytes_literals: bool,
    /// Whether an event without arguments ends in a blank.
    pub trailing_blank: bool,
    /// Whether the length field of a record decides where it ends, else its declared arguments.
    pub by_length: bool,
    /// How it divides time differences.
    pub division: Division,
}

/// The fields that most readers share.
const FIRST: EraInfo = EraInfo {
    era: Era::Y2010,
    name: "2010",
    reads: &[Version::V0],
    bytes_literals: false,
    trailing_blank: false,
    by_length: false,
    division: Division::OfDouble,
};

/// All eras.
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
    /// What is known of it.
    pub fn info(self) -> &'static EraInfo {
        ERAS.iter().find(|info| info.era == self).unwrap_or(&ERAS[0])
    }

    /// The era that `--compat` calls `name`.
    pub fn from_name(name: &str) -> Option<Era> {
        ERAS.iter().find(|info| info.name == name).map(|info| info.era)
    }

    /// The last reader that took files of `version`.
    pub fn newest(version: Version) -> Era {
        ERAS.iter().rev().find(|info| info.reads.contains(&version)).map_or(Era::Q10_2, |info| info.era)
    }

    /// Which arguments are strings in files of `version`, for this reader.
    pub fn string_rule(self, version: Version) -> StringRule {
        match (version, self) {
            (Version::V0, _) => StringRule::Never,
            (Version::V4, Era::Y2021 | Era::Q10_2) => StringRule::OneStar,
            _ => StringRule::AnyStars,
        }
    }

    /// How it understood declarations, when its own text is asked for.
    pub fn dialect(self) -> Dialect {
        match self {
            Era::Y2010 => Dialect::Reader2010,
            Era::Y2011 => Dialect::Reader2011,
            _ => Dialect::Read,
        }
    }
}
