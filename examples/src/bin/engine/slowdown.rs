//! One kind of request takes longer than it must: something for others to find.

use std::time::Instant;

use crate::random::Random;

/// What can be slower.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum RequestKind {
    Get,
    Put,
    Delete,
    Read,
    Write,
    Flush,
}

/// A kind of request, and by how much it is slower.
#[derive(Debug, Clone, Copy)]
pub struct Slowdown {
    kind: RequestKind,
    percent: u32,
}

impl Slowdown {
    /// Parses `KIND=+N%`.
    pub fn parse(text: &str) -> Result<Slowdown, String> {
        let expected =
            || "expected KIND=+N%, where KIND is get, put, delete, read, write or flush".to_owned();
        let (kind, more) = text.split_once('=').ok_or_else(expected)?;
        let kind = <RequestKind as clap::ValueEnum>::from_str(kind, false).map_err(|_| expected())?;
        let percent = more.strip_prefix('+').and_then(|more| more.strip_suffix('%'));
        let percent = percent.and_then(|percent| percent.parse().ok()).ok_or_else(expected)?;
        Ok(Slowdown { kind, percent })
    }

    /// How long something of `kind` takes that would take `takes`: where that is no whole number, by random one more.
    pub fn stretch(self, kind: RequestKind, takes: u64, random: &mut Random) -> u64 {
        if kind != self.kind {
            return takes;
        }
        let hundredths = takes * (100 + u64::from(self.percent));
        hundredths / 100 + u64::from(random.below(100) < hundredths % 100)
    }

    /// When work of `kind` begins, if it is to be slower.
    pub fn begin(self, kind: RequestKind) -> Option<Instant> {
        (kind == self.kind && self.percent > 0).then(Instant::now)
    }

    /// Keeps the processor busy for its part of the time since `begun`.
    pub fn linger(self, begun: Option<Instant>) {
        let Some(begun) = begun else { return };
        let until = begun.elapsed() * (100 + self.percent) / 100;
        while begun.elapsed() < until {
            std::hint::spin_loop();
        }
    }
}

/// Nothing is slower.
impl Default for Slowdown {
    fn default() -> Slowdown {
        Slowdown { kind: RequestKind::Get, percent: 0 }
    }
}
