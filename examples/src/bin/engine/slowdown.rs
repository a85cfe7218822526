//! Makes one kind of request slower on purpose.

use std::time::Instant;

use crate::random::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum RequestKind {
    Get,
    Put,
    Delete,
    Read,
    Write,
    Flush,
}

/// A kind of request, and its slowdown.
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

    /// Returns the slowed-down duration of a request of `kind` that would normally take `takes`.
    /// Rounds up or down at random.
    pub fn stretch(self, kind: RequestKind, takes: u64, random: &mut Random) -> u64 {
        if kind != self.kind {
            return takes;
        }
        let hundredths = takes * (100 + u64::from(self.percent));
        hundredths / 100 + u64::from(random.below(100) < hundredths % 100)
    }

    /// Returns the current time if `kind` is slowed down.
    pub fn begin(self, kind: RequestKind) -> Option<Instant> {
        (kind == self.kind && self.percent > 0).then(Instant::now)
    }

    /// Keeps the processor busy in proportion to the time since `start`.
    pub fn linger(self, start: Option<Instant>) {
        let Some(start) = start else { return };
        let until = start.elapsed() * (100 + self.percent) / 100;
        while start.elapsed() < until {
            std::hint::spin_loop();
        }
    }
}

/// No slowdown.
impl Default for Slowdown {
    fn default() -> Slowdown {
        Slowdown { kind: RequestKind::Get, percent: 0 }
    }
}
