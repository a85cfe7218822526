//! Which numbers events have in the file that is written.

use std::collections::HashMap;
use std::sync::Arc;

use ringtrace_events::Text;
use ringtrace_events::ctype::StringRule;
use ringtrace_wire::simpletrace::{ArgumentKind, Numbering, Version};

use crate::schema::{Schema, Schemas};

/// Numbers events as a version does.
#[derive(Debug)]
pub(super) enum Numbers {
    /// In the order in which they come; mapping records tell of them.
    ByName { rule: StringRule, known: HashMap<Text, (u32, Vec<ArgumentKind>)> },
    /// By position in the declarations that readers of the file will have.
    ByPosition { declared: Arc<Schemas>, positions: HashMap<Text, Vec<(u32, u32)>> },
}

/// An event in the file that is written.
pub(super) struct Numbered {
    pub(super) number: u32,
    /// What readers will take its arguments for.
    pub(super) kinds: Vec<ArgumentKind>,
}

impl Numbers {
    pub(super) fn new(version: Version, rule: StringRule, declared: Arc<Schemas>) -> Numbers {
        let Numbering::Position { count_disabled } = version.info().numbering else {
            return Numbers::ByName { rule, known: HashMap::new() };
        };
        let mut positions: HashMap<Text, Vec<(u32, u32)>> = HashMap::new();
        let counted = declared.declared().filter(|(_, schema)| count_disabled || !schema.disabled);
        for (position, (index, schema)) in (0..).zip(counted) {
            positions.entry(schema.name.clone()).or_default().push((position, index));
        }
        Numbers::ByPosition { declared, positions }
    }

    /// The number of the event of `schema`; `None` when there is none.
    pub(super) fn number(&mut self, schema: &Schema) -> Option<Numbered> {
        match self {
            Numbers::ByName { rule, known } => {
                let kinds: Vec<ArgumentKind> =
                    schema.arguments.iter().map(|argument| kind(argument.ctype.is_string(*rule))).collect();
                let next = known.len() as u32;
                let (number, first_kinds) =
                    known.entry(schema.name.clone()).or_insert_with(|| (next, kinds.clone()));
                // Of two events of one name readers know only one.
                (*first_kinds == kinds).then_some(Numbered { number: *number, kinds })
            }
            Numbers::ByPosition { declared, positions } => {
                let places = positions.get(&schema.name)?;
                let same = |(_, index): &&(u32, u32)| declared.get(*index).declaration == schema.declaration;
                let (number, index) = places.iter().find(same).or(places.last())?;
                let kinds = declared.get(*index).kinds.clone();
                (kinds.len() == schema.kinds.len()).then_some(Numbered { number: *number, kinds })
            }
        }
    }
}

fn kind(is_string: bool) -> ArgumentKind {
    if is_string { ArgumentKind::Str } else { ArgumentKind::Integer { signed: false } }
}
