//! Event schemas: declarations prepared for decoding.

use std::collections::HashMap;
use std::sync::Arc;

use ringtrace_events::ctype::StringRule;
use ringtrace_events::format::Value;
use ringtrace_events::{CType, Declarations, Enumeration, Text};
use ringtrace_wire::Little;
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{ArgumentKind, Layout as _};

use super::key::Key;

/// The schema of an event.
#[derive(Debug, Clone)]
pub struct Schema {
    /// The event's name.
    pub name: Text,
    /// The event's arguments.
    pub arguments: Vec<SchemaArgument>,
    /// The encoding of each argument.
    pub kinds: Vec<ArgumentKind>,
    /// The total size of the arguments in v2, v3 and v4, in bytes, if all are integers.
    pub integer_bytes: Option<usize>,
    /// The format string, as C source code.
    pub format: Option<Text>,
    /// The text before the format.
    pub format_prefix: &'static str,
    /// Whether the event is declared with `disable`.
    pub disabled: bool,
    /// The declaration as it appears in the source, after those of the enumerations that it uses.
    pub declaration: Text,
    /// Whether only the name is known, but not the arguments.
    pub is_opaque: bool,
}

/// An argument of a [`Schema`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaArgument {
    /// The argument's name.
    pub name: Text,
    /// The argument's type.
    pub ctype: CType,
    /// The enumeration that is the declared type, with names for values.
    pub enumeration: Option<Arc<Enumeration>>,
}

impl SchemaArgument {
    /// Returns the name of `value`, if the argument's type is an enumeration that has one for it.
    pub fn constant(&self, value: Value<'_>) -> Option<&str> {
        match value {
            Value::Integer(bits) => self.enumeration.as_ref()?.name_of(bits),
            Value::Str(_) => None,
        }
    }

    /// Returns the length of the longest name that a value can have.
    pub(crate) fn longest_constant(&self) -> usize {
        let constants = self.enumeration.iter().flat_map(|enumeration| &enumeration.constants);
        constants.map(|constant| constant.name.len()).max().unwrap_or(0)
    }

    /// Returns the key of `value`: its name, if the argument's type is an enumeration.
    pub fn key(&self, value: Value<'_>) -> Key {
        match self.constant(value) {
            Some(name) => Key::new(Value::Str(name.as_bytes()), self.ctype),
            None => Key::new(value, self.ctype),
        }
    }
}

impl Schema {
    /// The index of the schema of dropped records in every [`Schemas`].
    pub const DROPPED: u32 = 0;

    /// The event name of dropped records.
    pub const DROPPED_NAME: &str = "Dropped_Event";

    pub(crate) fn dropped() -> Schema {
        Schema {
            name: Text::from(Schema::DROPPED_NAME),
            arguments: vec![SchemaArgument {
                name: Text::from("num_events_dropped"),
                ctype: CType::Integer { bytes: 8, signed: false },
                enumeration: None,
            }],
            kinds: vec![ArgumentKind::Integer { signed: false }],
            integer_bytes: Some(8),
            format: None,
            format_prefix: "",
            disabled: false,
            declaration: Text::from(""),
            is_opaque: false,
        }
    }

    /// Creates the schema of an event that is known only by its name.
    fn opaque(name: &str) -> Schema {
        Schema {
            name: Text::from(name),
            arguments: Vec::new(),
            kinds: Vec::new(),
            integer_bytes: None,
            is_opaque: true,
            ..Schema::dropped()
        }
    }

    fn new(event: &ringtrace_events::Event, rule: StringRule) -> Schema {
        let kinds: Vec<ArgumentKind> = event
            .arguments
            .iter()
            .map(|argument| match argument.ctype {
                ctype if ctype.is_string(rule) => ArgumentKind::Str,
                CType::Integer { signed, .. } => ArgumentKind::Integer { signed },
                _ => ArgumentKind::Integer { signed: false },
            })
            .collect();
        let all_integers = !kinds.contains(&ArgumentKind::Str);
        Schema {
            name: event.name.clone(),
            arguments: event
                .arguments
                .iter()
                .map(|argument| SchemaArgument {
                    name: argument.name.clone(),
                    ctype: argument.ctype,
                    enumeration: argument.enumeration.clone(),
                })
                .collect(),
            integer_bytes: all_integers.then_some(8 * kinds.len()),
            kinds,
            format: event.format.clone(),
            format_prefix: event.format_prefix,
            disabled: event.disabled,
            declaration: event.whole_declaration(),
            is_opaque: false,
        }
    }

    /// Returns whether `payload`, of a little-endian v4 record, consists of exactly the arguments, or the
    /// arguments are unknown.
    #[inline(always)]
    pub fn fits(&self, payload: &[u8]) -> bool {
        match self.integer_bytes {
            Some(bytes) => payload.len() == bytes,
            None => self.is_opaque || fits_kinds(&self.kinds, payload),
        }
    }

    /// Returns the index of the argument `name`.
    pub fn argument(&self, name: &str) -> Option<usize> {
        self.arguments.iter().position(|argument| &*argument.name == name)
    }
}

/// Returns whether `payload`, of a little-endian v4 record, consists of exactly the arguments `kinds`.
pub(crate) fn fits_kinds(kinds: &[ArgumentKind], payload: &[u8]) -> bool {
    let mut rest = payload;
    let whole = kinds.iter().all(|kind| match kind {
        ArgumentKind::Integer { signed } => V4::<Little>::integer(&mut rest, *signed).is_some(),
        ArgumentKind::Str => {
            V4::<Little>::string(&mut rest).is_some_and(|string| string.bytes.len() as u64 == string.length)
        }
    });
    whole && rest.is_empty()
}

/// All schemas of a reader. Index 0 is the schema of dropped records. It is followed by the user's
/// declarations in their order, and then by the events that the trace itself declares.
#[derive(Debug, Clone)]
pub struct Schemas {
    list: Vec<Arc<Schema>>,
    by_name: HashMap<Text, u32>,
    declared: u32,
    rule: StringRule,
}

impl Schemas {
    /// Creates the schemas of `declarations`. `rule` determines which arguments are strings. If
    /// several events have the same name, the last declaration applies, as in QEMU's readers.
    pub fn new(declarations: &Declarations, rule: StringRule) -> Schemas {
        let mut list = Vec::with_capacity(1 + declarations.events.len());
        list.push(Arc::new(Schema::dropped()));
        let mut by_name = HashMap::with_capacity(declarations.events.len());
        for (event, index) in declarations.events.iter().zip(1..) {
            list.push(Arc::new(Schema::new(event, rule)));
            by_name.insert(event.name.clone(), index);
        }
        Schemas { declared: list.len() as u32 - 1, list, by_name, rule }
    }

    /// Adds declarations from the trace, except for events that the user declared.
    pub(crate) fn add(&mut self, declarations: &Declarations) {
        for event in &declarations.events {
            match self.find(&event.name) {
                Some(index) if self.get(index).is_opaque => {
                    self.list[index as usize] = Arc::new(Schema::new(event, self.rule));
                }
                Some(_) => {}
                None => self.push(Schema::new(event, self.rule)),
            }
        }
    }

    /// Adds the event `name` without arguments, unless it exists already.
    pub(crate) fn add_name(&mut self, name: &str) {
        if self.find(name).is_none() {
            self.push(Schema::opaque(name));
        }
    }

    fn push(&mut self, schema: Schema) {
        self.by_name.insert(schema.name.clone(), self.list.len() as u32);
        self.list.push(Arc::new(schema));
    }

    /// Returns the events of `declarations` that differ from the user's declarations, each with the
    /// schema that the user declared.
    pub(crate) fn contradicted<'d>(
        &'d self,
        declarations: &'d Declarations,
    ) -> impl Iterator<Item = (&'d ringtrace_events::Event, &'d Schema)> {
        declarations.events.iter().filter_map(|event| {
            let index = self.find(&event.name).filter(|&index| index <= self.declared)?;
            let given = &**self.get(index);
            let same =
                given.format == event.format && given.arguments == Schema::new(event, self.rule).arguments;
            (!same).then_some((event, given))
        })
    }

    /// Returns the schema at `index`, or the schema of dropped records if there is none.
    pub fn get(&self, index: u32) -> &Arc<Schema> {
        self.list.get(index as usize).unwrap_or(&self.list[0])
    }

    /// Returns the index of the event `name`.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// Returns the events that the user declared, in order of declaration, with their indexes.
    pub fn declared(&self) -> impl Iterator<Item = (u32, &Schema)> {
        (1..=self.declared).map(|index| (index, &**self.get(index)))
    }

    /// Returns all schemas except the schema of dropped records.
    pub fn all(&self) -> impl Iterator<Item = (u32, &Schema)> {
        (1..).zip(self.list.iter().skip(1)).map(|(index, schema)| (index, &**schema))
    }

    pub(crate) fn added_count(&self) -> usize {
        self.list.len() - 1 - self.declared as usize
    }

    /// Returns the number of schemas, including the schema of dropped records.
    pub fn count(&self) -> usize {
        self.list.len()
    }
}
