//! Which events a word means.

use std::fmt;

use ringtrace_events::glob;

/// Which events a word means, by QEMU's rules.
///
/// A word with a `*` is a glob and means every event that matches it; in a glob, `*` is any run of characters and `?` any one. Of
/// a word without `*`, options and monitors think differently: see [`Pattern::of_option`] and [`Pattern::of_monitor`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    word: String,
    /// The word with one `*` for each run of them: so that comparing takes no longer than names are, whatever a client says.
    glob: String,
    reach: Reach,
}

/// How a word is compared with names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// A glob; every event that matches.
    Every,
    /// A glob; the first event that matches.
    First,
    /// A name, equal in every character. Events of several groups may have it.
    Name,
}

impl Pattern {
    /// As options and events files take it: a word with `?` and without `*` means the first event that matches.
    pub fn of_option(word: impl Into<String>) -> Pattern {
        let word = word.into();
        let reach = match () {
            () if glob::is_pattern(&word) => Reach::Every,
            () if word.contains('?') => Reach::First,
            () => Reach::Name,
        };
        Pattern::new(word, reach)
    }

    /// As HMP and QMP take it: a word without `*` is a plain name, even with `?` in it.
    pub fn of_monitor(word: impl Into<String>) -> Pattern {
        let word = word.into();
        let reach = if glob::is_pattern(&word) { Reach::Every } else { Reach::Name };
        Pattern::new(word, reach)
    }

    fn new(word: String, reach: Reach) -> Pattern {
        let mut glob = word.clone();
        let mut before = ' ';
        glob.retain(|c| std::mem::replace(&mut before, c) != '*' || c != '*');
        Pattern { word, glob, reach }
    }

    /// The word.
    pub fn as_str(&self) -> &str {
        &self.word
    }

    /// Whether it has a `*`: then that nothing matches it is no mistake of a name.
    pub fn is_glob(&self) -> bool {
        self.reach == Reach::Every
    }

    /// Whether the word matches a name. That only the first may be meant is not looked at.
    pub fn matches(&self, name: &str) -> bool {
        match self.reach {
            // Names are not looked at then, which are all over the memory.
            Reach::Every if self.glob == "*" => true,
            Reach::Every | Reach::First => glob::matches(self.glob.as_bytes(), name.as_bytes()),
            Reach::Name => self.word == name,
        }
    }

    pub(crate) fn reach(&self) -> Reach {
        self.reach
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.word)
    }
}

/// A pattern, and what becomes of the events that it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// Which events.
    pub pattern: Pattern,
    /// Whether they are switched on, or off.
    pub enable: bool,
}

impl Switch {
    /// As options and events files write it: a pattern, with a leading `-` for off.
    pub fn parse(text: &str) -> Switch {
        match text.strip_prefix('-') {
            Some(word) => Switch { pattern: Pattern::of_option(word), enable: false },
            None => Switch { pattern: Pattern::of_option(text), enable: true },
        }
    }
}

impl fmt::Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.enable { "" } else { "-" };
        write!(f, "{sign}{}", self.pattern)
    }
}
