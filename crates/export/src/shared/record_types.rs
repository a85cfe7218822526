//! The types of a trace's records, numbered, for formats that describe each type once.

use std::collections::HashMap;
use std::ptr;
use std::sync::Arc;

use ringtrace_events::{Enumeration, Text};
use ringtrace_tracefile::{Entry, Schema, Value};

use crate::shared::synthetic::SyntheticRecord;
use crate::shared::value::{TypedValue, ValueKind};

/// The properties that all records of a type share. An event has several types if some of its
/// records are truncated or contain more values than were declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecordType {
    pub(crate) name: Text,
    pub(crate) fields: Vec<Field>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) kind: ValueKind,
    /// Names of the values, which are integers.
    pub(crate) enumeration: Option<Arc<Enumeration>>,
}

/// All types seen so far. Their numbers start at 0.
#[derive(Debug, Default)]
pub(crate) struct RecordTypes {
    list: Vec<RecordType>,
    by_name: HashMap<Text, Vec<usize>>,
    /// The types seen so far, by schema index. If several traces are read together, each can have
    /// its own schema with the same index.
    seen: Vec<Vec<Seen>>,
    /// The types of synthetic records: name, kinds of the values, and number. There are only a few.
    own: Vec<(&'static str, Vec<ValueKind>, usize)>,
}

#[derive(Debug)]
struct Seen {
    schema: *const Schema,
    present: usize,
    surplus: Vec<ValueKind>,
    has_cause: bool,
    number: usize,
}

impl RecordTypes {
    pub(crate) fn all(&self) -> &[RecordType] {
        &self.list
    }

    pub(crate) fn number(&mut self, entry: &Entry<'_>) -> usize {
        let index = entry.schema_index as usize;
        let present = entry.values().count();
        let surplus: Vec<ValueKind> = entry.surplus().map(of_undeclared).collect();
        let has_cause = entry.lost.is_some();
        let seen = self.seen.get(index).into_iter().flatten().find(|seen| {
            // The address of a schema does not change while its trace is read.
            ptr::eq(seen.schema, entry.schema)
                && self.list[seen.number].name == entry.schema.name
                && (seen.present, seen.has_cause) == (present, has_cause)
                && seen.surplus == surplus
        });
        if let Some(seen) = seen {
            return seen.number;
        }
        let number = self.add(RecordType::of(entry.schema, present, &surplus, has_cause));
        slot(&mut self.seen, index).push(Seen { schema: entry.schema, present, surplus, has_cause, number });
        number
    }

    /// Returns the type number of a synthetic record. The type's name gets the prefix `prefix`.
    pub(crate) fn number_of_own(&mut self, record: &SyntheticRecord<'_>, prefix: &str) -> usize {
        let kinds = || record.values.iter().map(|(_, value)| value.kind());
        let is_this = |(name, known, _): &&(_, Vec<ValueKind>, _)| {
            *name == record.name && known.iter().copied().eq(kinds())
        };
        if let Some((.., number)) = self.own.iter().find(is_this) {
            return *number;
        }
        let field = |(name, value): &(&str, TypedValue<'_>)| Field {
            name: (*name).to_owned(),
            kind: value.kind(),
            enumeration: None,
        };
        let name = Text::from(format!("{prefix}{}", record.name));
        let number = self.add(RecordType { name, fields: record.values.iter().map(field).collect() });
        self.own.push((record.name, kinds().collect(), number));
        number
    }

    /// Returns the number of `record_type`, which is added if it is new.
    fn add(&mut self, record_type: RecordType) -> usize {
        let of_name = self.by_name.entry(record_type.name.clone()).or_default();
        if let Some(&number) = of_name.iter().find(|&&number| self.list[number] == record_type) {
            return number;
        }
        of_name.push(self.list.len());
        self.list.push(record_type);
        self.list.len() - 1
    }
}

impl RecordType {
    fn of(schema: &Schema, present: usize, surplus: &[ValueKind], has_cause: bool) -> RecordType {
        let mut fields: Vec<Field> = Vec::new();
        let mut push = |name: &str, kind, enumeration: Option<&Arc<Enumeration>>| {
            let name = unused(word(name), |name| fields.iter().any(|field| field.name == name));
            fields.push(Field { name, kind, enumeration: enumeration.cloned() });
        };
        for (argument, kind) in schema.arguments.iter().zip(&schema.kinds).take(present) {
            push(&argument.name, ValueKind::of(argument.ctype, *kind), argument.enumeration.as_ref());
        }
        for (number, &kind) in (schema.kinds.len() + 1..).zip(surplus) {
            push(&format!("arg{number}"), kind, None);
        }
        if has_cause {
            push("cause", ValueKind::Text, None);
        }
        RecordType { name: schema.name.clone(), fields }
    }
}

pub(crate) fn slot<T: Default>(list: &mut Vec<T>, index: usize) -> &mut T {
    if list.len() <= index {
        list.resize_with(index + 1, T::default);
    }
    &mut list[index]
}

fn of_undeclared(value: Value<'_>) -> ValueKind {
    match value {
        Value::Integer(_) => ValueKind::Unsigned(8),
        Value::Str(_) => ValueKind::Text,
    }
}

pub(crate) fn word(name: &str) -> String {
    let mut word: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        word.insert(0, '_');
    }
    word
}

/// Returns `name`, with a number as a suffix if that name is already used.
fn unused(name: String, is_used: impl Fn(&str) -> bool) -> String {
    if !is_used(&name) {
        return name;
    }
    (2..).map(|number| format!("{name}_{number}")).find(|name| !is_used(name)).unwrap_or(name)
}

/// Returns the names of `fields`. `change` is called with each name and all names. If it returns another
/// name, the field gets that one, with a number as a suffix if there is a name that is `alike`.
pub(crate) fn changed_names(
    fields: &[Field],
    change: impl Fn(&str, &[String]) -> Option<String>,
    alike: impl Fn(&str, &str) -> bool,
) -> Vec<String> {
    let mut names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
    for at in 0..names.len() {
        if let Some(changed) = change(&names[at], &names) {
            names[at] = unused(changed, |name| names.iter().any(|used| alike(used, name)));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{unused, word};

    #[test]
    fn names_become_unique_identifiers() {
        for (name, expected) in
            [("size", "size"), ("_x", "_x"), ("*p", "_p"), ("9", "_9"), ("", "_"), ("é", "_")]
        {
            assert_eq!(word(name), expected);
        }
        let is_used = |name: &str| ["a", "a_2", "b"].contains(&name);
        assert_eq!(["a", "b", "c"].map(|name| unused(name.to_owned(), is_used)), ["a_3", "b_2", "c"]);
    }
}
