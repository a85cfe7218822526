//! Patterns that select events.

use std::fmt;

use ringtrace_events::glob;

/// A pattern that selects events by QEMU's rules.
///
/// A word that contains a `*` is a glob and selects every matching event. In a glob, `*` matches
/// any sequence of characters, and `?` matches one character. Words without `*` have different
/// meanings in options and in monitors: see [`Pattern::of_option`] and [`Pattern::of_monitor`].
/// In all words, `::` means `__`, as in the names of [dynamic events](crate::dynamic).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    word: String,
    /// The word, with `__` for `::`, and with each run of `*` reduced to one, which bounds the time of
    /// a comparison.
    glob: String,
    reach: Reach,
}

/// How a word is compared with event names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// A glob that selects every matching event.
    Every,
    /// A glob that selects the first matching event.
    First,
    /// An exact name. Events in several groups can have the same name.
    Name,
}

impl Pattern {
    /// Creates a pattern with the syntax of options and events files: a word with `?` but no `*`
    /// selects the first matching event.
    pub fn of_option(word: impl Into<String>) -> Pattern {
        let word = word.into();
        let reach = match () {
            () if glob::is_pattern(&word) => Reach::Every,
            () if word.contains('?') => Reach::First,
            () => Reach::Name,
        };
        Pattern::new(word, reach)
    }

    /// Creates a pattern with the syntax of HMP and QMP: a word without `*` is a plain name, even
    /// if it contains `?`.
    pub fn of_monitor(word: impl Into<String>) -> Pattern {
        let word = word.into();
        let reach = if glob::is_pattern(&word) { Reach::Every } else { Reach::Name };
        Pattern::new(word, reach)
    }

    fn new(word: String, reach: Reach) -> Pattern {
        let mut glob = glob::event_pattern(&word);
        let mut before = ' ';
        glob.retain(|c| std::mem::replace(&mut before, c) != '*' || c != '*');
        Pattern { word, glob, reach }
    }

    /// The text of the pattern.
    pub fn as_str(&self) -> &str {
        &self.word
    }

    /// Whether the pattern contains a `*`. If so, it is not an error if no event matches.
    pub fn is_glob(&self) -> bool {
        self.reach == Reach::Every
    }

    /// Whether the pattern matches a name. If the pattern selects only the first matching event,
    /// this is still true for all matching events.
    pub fn matches(&self, name: &str) -> bool {
        match self.reach {
            // Do not read the names: they are scattered over memory.
            Reach::Every if self.glob == "*" => true,
            Reach::Every | Reach::First => glob::matches(self.glob.as_bytes(), name.as_bytes()),
            Reach::Name => self.glob == name,
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

/// A request to enable or disable the events that a pattern selects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// The pattern that selects the events.
    pub pattern: Pattern,
    /// Whether to enable or disable them.
    pub enable: bool,
}

impl Switch {
    /// Parses a pattern of an option or an events file; a leading `-` disables its events.
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
