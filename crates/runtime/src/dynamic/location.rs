//! Call sites that are identified by their location in the source code, such as those of `log`.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::Site;

/// The level of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of `log`")]
pub enum Level {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

impl Level {
    fn as_str(self) -> &'static str {
        match self {
            Level::Error => "ERROR",
            Level::Warn => "WARN",
            Level::Info => "INFO",
            Level::Debug => "DEBUG",
            Level::Trace => "TRACE",
        }
    }
}

/// The location of a call of a macro of `log`.
#[derive(Debug, Clone, Copy)]
pub struct SourceLocation<'l> {
    /// The level of the message.
    pub level: Level,
    /// The target of the message.
    pub target: &'l str,
    /// The path of the module.
    pub module: Option<&'l str>,
    /// The path of the file.
    pub file: Option<&'l str>,
    /// The line, or 0 if it is unknown.
    pub line: u32,
}

/// A call site. Its name contains the file unless the target is the module, because several files
/// can use the same target.
#[derive(Debug)]
struct Place {
    target: String,
    file: String,
    line: u32,
    level: Level,
    site: Site,
    next: OnceLock<&'static Place>,
}

const BUCKETS: usize = 1024;

/// Call sites by the hash of their locations. They are never removed, so readers need no lock.
static PLACES: [OnceLock<&'static Place>; BUCKETS] = [const { OnceLock::new() }; BUCKETS];

/// Held while a call site is added.
static ADDING: Mutex<()> = Mutex::new(());

impl SourceLocation<'_> {
    /// Returns the call site at this location, and declares it if it is new.
    #[inline]
    pub fn site(&self) -> &'static Site {
        // The line numbers nearly always differ, so there is no need to hash the strings
        // themselves.
        let file_bytes = self.file.map_or(0, str::len);
        let hash = (u64::from(self.line) << 20 | (file_bytes << 10 ^ self.target.len()) as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let bucket = &PLACES[(hash >> (64 - BUCKETS.ilog2())) as usize];
        self.find(bucket).unwrap_or_else(|| self.add(bucket))
    }

    #[inline]
    fn find(&self, bucket: &'static OnceLock<&'static Place>) -> Option<&'static Site> {
        let mut next = bucket.get();
        while let Some(place) = next {
            if place.line == self.line
                && place.level == self.level
                && place.target == self.target
                && place.file == self.file.unwrap_or_default()
            {
                return Some(&place.site);
            }
            next = place.next.get();
        }
        None
    }

    #[cold]
    fn add(&self, bucket: &'static OnceLock<&'static Place>) -> &'static Site {
        let _adding = ADDING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(site) = self.find(bucket) {
            return site;
        }
        let &SourceLocation { level, target, line, .. } = self;
        let file = self.file.unwrap_or("?");
        let lower = level.as_str().to_ascii_lowercase();
        let name = match self.module == Some(target) {
            true => format!("{target}::{lower}_{line}"),
            false => {
                let file = file.rsplit('/').next().unwrap_or_default();
                format!("{target}::{file}_{lower}_{line}")
            }
        };
        let remark = format!("{} {target} {file}:{line}", level.as_str());
        let place: &'static Place = Box::leak(Box::new(Place {
            target: target.to_owned(),
            file: self.file.unwrap_or_default().to_owned(),
            line,
            level,
            site: Site::new(&name, Some(&remark)),
            next: OnceLock::new(),
        }));
        let mut end = bucket;
        while let Some(place) = end.get() {
            end = &place.next;
        }
        // `end` is still empty, because this thread holds the lock.
        let _ = end.set(place);
        &place.site
    }
}
