//! Built-in definitions, for streams without a definitions file.

use crate::definitions::Definitions;

/// A built-in set of definitions.
#[derive(Debug, Clone, Copy)]
pub struct DefinitionSet {
    /// The name, as in `--set`.
    pub name: &'static str,
    /// The streams for which the set is intended.
    pub about: &'static str,
    /// The definitions, as in a file.
    pub text: &'static str,
}

/// All sets, oldest first.
pub const SETS: &[DefinitionSet] = &[
    DefinitionSet {
        name: "seed",
        about: "the events of March 2008",
        text: include_str!("sets/seed.formats"),
    },
    DefinitionSet {
        name: "2008",
        about: "since April 2008: REDELIVER_EVT shifts later ids by 1; time in cycles",
        text: include_str!("sets/2008.formats"),
    },
    DefinitionSet {
        name: "2009",
        about: "like 2008, but with more ids for PowerPC; time in nanoseconds",
        text: include_str!("sets/2009.formats"),
    },
];

/// Returns the set called `name`.
pub fn definition_set(name: &str) -> Option<&'static DefinitionSet> {
    SETS.iter().find(|set| set.name == name)
}

impl DefinitionSet {
    /// Returns the parsed definitions.
    pub fn definitions(&self) -> Definitions {
        // The fallback is never used: a test parses every set.
        let name = format!("built-in set {}", self.name);
        Definitions::parse(&name, self.text.as_bytes()).unwrap_or_else(|_| Definitions::empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_without_errors() {
        for set in SETS {
            let definitions = Definitions::parse(set.name, set.text.as_bytes()).expect(set.name);
            assert_eq!(definitions.diagnostics(), [], "{}", set.name);
            assert!(definitions.of(0x0001_0001).is_some(), "{}", set.name);
        }
    }
}
