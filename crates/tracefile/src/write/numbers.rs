//! Event ids in the output file.

use std::collections::HashMap;
use std::sync::Arc;

use ringtrace_events::Text;
use ringtrace_events::ctype::StringRule;
use ringtrace_wire::simpletrace::{Numbering, Version};

use crate::entry::{Schema, Schemas};
use crate::read::era::Era;

/// Assigns event ids according to the version of the file.
#[derive(Debug)]
pub(super) struct EventNumbers {
    /// The declarations that readers of the file may use.
    declared: Arc<Schemas>,
    /// The rule by which these readers determine which arguments are strings.
    rule: StringRule,
    scheme: IdScheme,
}

#[derive(Debug)]
enum IdScheme {
    /// Ids are assigned in order of first use, and have mapping records.
    Names { known: HashMap<Text, Numbered> },
    /// Ids are positions in the declarations. For each name, the map contains the id and the
    /// schema index of each event.
    Positions { places: HashMap<Text, Vec<(u32, u32)>> },
}

#[derive(Debug, Clone)]
pub(super) struct Numbered {
    pub(super) number: u32,
    /// Whether readers treat each argument as a string.
    pub(super) strings: Vec<bool>,
}

impl EventNumbers {
    pub(super) fn new(version: Version, declared: Arc<Schemas>) -> EventNumbers {
        let scheme = match version.info().numbering {
            Numbering::Mapping => IdScheme::Names { known: HashMap::new() },
            Numbering::Position { count_disabled } => {
                let mut places: HashMap<Text, Vec<(u32, u32)>> = HashMap::new();
                let counted = declared.declared().filter(|(_, schema)| count_disabled || !schema.disabled);
                for (number, (index, schema)) in (0..).zip(counted) {
                    places.entry(schema.name.clone()).or_default().push((number, index));
                }
                IdScheme::Positions { places }
            }
        };
        EventNumbers { declared, rule: Era::newest(version).string_rule(version), scheme }
    }

    /// Returns the id and string arguments of the event that `schema` describes, or `None` if the
    /// file cannot contain the event.
    pub(super) fn number(&mut self, schema: &Schema) -> Option<Numbered> {
        let strings = strings_of(schema, self.rule);
        match &mut self.scheme {
            IdScheme::Names { known } => {
                // If several events have the same name, readers use only the last declaration.
                if let Some(index) = self.declared.find(&schema.name)
                    && strings_of(self.declared.get(index), self.rule) != strings
                {
                    return None;
                }
                let number = known.len() as u32;
                let known = known
                    .entry(schema.name.clone())
                    .or_insert_with(|| Numbered { number, strings: strings.clone() });
                (known.strings == strings).then(|| known.clone())
            }
            IdScheme::Positions { places } => {
                let places = places.get(&schema.name)?;
                let is_same = |index: u32| self.declared.get(index).declaration == schema.declaration;
                let (number, index) = places.iter().find(|(_, index)| is_same(*index)).or(places.last())?;
                let there = strings_of(self.declared.get(*index), self.rule);
                (there.len() == strings.len()).then_some(Numbered { number: *number, strings: there })
            }
        }
    }
}

fn strings_of(schema: &Schema, rule: StringRule) -> Vec<bool> {
    schema.arguments.iter().map(|argument| argument.ctype.is_string(rule)).collect()
}

#[cfg(test)]
mod tests {
    use ringtrace_events::SourceFile;
    use ringtrace_events::parse::Dialect;

    use super::*;
    use crate::read::options::DeclaredCache;

    /// Returns the ids of the events in `declarations`, in their order.
    fn numbers(version: Version, declarations: &str) -> Vec<Option<u32>> {
        let rule = Era::newest(version).string_rule(version);
        let sources = [SourceFile::new("declarations", declarations)];
        let declared = Arc::clone(&DeclaredCache::default().get(&sources, Dialect::Read, rule).schemas);
        let mut numbers = EventNumbers::new(version, Arc::clone(&declared));
        declared
            .declared()
            .map(|(_, schema)| numbers.number(schema).map(|numbered| numbered.number))
            .collect()
    }

    #[test]
    fn positions_are_those_of_the_version() {
        let declarations = "a(int x)\ndisable b(int x)\nc(int x)\n";
        assert_eq!(numbers(Version::V0, declarations), [Some(0), Some(1), Some(2)]);
        assert_eq!(numbers(Version::V2, declarations), [Some(0), None, Some(1)]);
        assert_eq!(numbers(Version::V3, declarations), [Some(0), Some(1), Some(2)]);
        assert_eq!(numbers(Version::V4, declarations), [Some(0), Some(1), Some(2)]);
    }

    #[test]
    fn v4_has_only_the_last_event_of_a_name() {
        let declarations = "a(int x)\nb(int x)\na(const char *s)\n";
        assert_eq!(numbers(Version::V3, declarations), [Some(0), Some(1), Some(2)]);
        assert_eq!(numbers(Version::V4, declarations), [None, Some(0), Some(1)]);
        assert_eq!(numbers(Version::V4, "a(int x)\na(long y)\n"), [Some(0), Some(0)]);
    }
}
