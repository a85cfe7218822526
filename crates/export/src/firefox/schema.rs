//! Firefox Profiler's marker schemas, which describe the fields of markers.

use std::collections::HashSet;

use crate::shared::json;
use crate::shared::value::TypedValue;

/// Fields of a marker's data that have a special meaning in the profiler.
const TAKEN: [&str; 10] = [
    "type",
    "cause",
    "stack",
    "category",
    "innerWindowID",
    "startTime",
    "endTime",
    "fetchStart",
    "__proto__",
    "constructor",
];

/// Marker types that the profiler interprets specially.
const TAKEN_NAMES: [&str; 9] =
    ["CompositorScreenshot", "FileIO", "GCMajor", "IPC", "Jank", "Log", "Network", "Text", "tracing"];

#[derive(Debug, Default)]
pub struct MarkerSchemas {
    list: Vec<MarkerSchema>,
    names: HashSet<String>,
}

impl MarkerSchemas {
    /// Adds a schema for markers called `name`, and returns its index. If the name is taken, the
    /// schema gets a number.
    pub fn add(&mut self, name: &str) -> usize {
        let mut own = name.to_owned();
        let mut number = 1;
        while TAKEN_NAMES.contains(&&*own) || !self.names.insert(own.clone()) {
            number += 1;
            own = format!("{name} ({number})");
        }
        self.list.push(MarkerSchema { name: own, fields: Vec::new(), next: 0 });
        self.list.len() - 1
    }

    pub fn get(&mut self, index: usize) -> &mut MarkerSchema {
        &mut self.list[index]
    }

    pub fn iter(&self) -> impl Iterator<Item = &MarkerSchema> {
        self.list.iter()
    }
}

#[derive(Debug)]
pub struct MarkerSchema {
    name: String,
    fields: Vec<Field>,
    /// Index of the next field, if all markers have the same fields.
    next: usize,
}

/// The origin of a field. Fields of different origins can have the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldGroup {
    /// Additional data, such as a span's number and threads. It is not shown in the marker table.
    Own,
    /// An argument of the record. For a span, this is the record that began it.
    Argument,
    End,
}

#[derive(Debug)]
struct Field {
    group: FieldGroup,
    name: String,
    key: String,
}

impl MarkerSchema {
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn append(&mut self, group: FieldGroup, name: &str, value: TypedValue<'_>, data: &mut Vec<u8>) {
        let is_it = |field: &Field| field.group == group && field.name == name;
        let index = match self.fields.get(self.next) {
            Some(field) if is_it(field) => self.next,
            _ => self.fields.iter().position(is_it).unwrap_or_else(|| self.add(group, name)),
        };
        self.next = index + 1;
        if data.last() != Some(&b'{') {
            data.push(b',');
        }
        json::string(&self.fields[index].key, data);
        data.push(b':');
        json::value(value, data, |bytes, data| json::string(&crate::shared::text::utf8(bytes), data));
    }

    /// Adds a field with a unique key, and returns its index.
    fn add(&mut self, group: FieldGroup, name: &str) -> usize {
        let mut key = if group == FieldGroup::End { format!("end_{name}") } else { name.to_owned() };
        while TAKEN.contains(&&*key) || self.fields.iter().any(|field| field.key == key) {
            key.push('_');
        }
        self.fields.push(Field { group, name: name.to_owned(), key });
        self.fields.len() - 1
    }

    /// Appends the schema in the profiler's format.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"name\":");
        json::string(&self.name, out);
        out.extend_from_slice(
            b",\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],\"tableLabel\":",
        );
        let shown = self.fields.iter().filter(|field| field.group != FieldGroup::Own);
        let shown = shown.map(|field| format!("{}={{marker.data.{}}}", field.label(), field.key));
        json::string(&shown.collect::<Vec<_>>().join(" "), out);
        out.extend_from_slice(b",\"fields\":[");
        for (index, field) in self.fields.iter().enumerate() {
            out.extend_from_slice(if index == 0 { b"{\"key\":" } else { b",{\"key\":" });
            json::string(&field.key, out);
            out.extend_from_slice(b",\"label\":");
            json::string(&field.label(), out);
            // The profiler's other formats accept only numbers, and group their digits.
            out.extend_from_slice(b",\"format\":\"string\"}");
        }
        out.extend_from_slice(b"]}");
    }
}

impl Field {
    fn label(&self) -> String {
        match self.group {
            FieldGroup::End => format!("end {}", self.name),
            FieldGroup::Own | FieldGroup::Argument => self.name.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut schemas = MarkerSchemas::default();
        for (name, expected) in [
            ("request", "request"),
            ("request", "request (2)"),
            ("request", "request (3)"),
            ("Log", "Log (2)"),
        ] {
            let index = schemas.add(name);
            assert_eq!(schemas.get(index).name(), expected);
        }
    }

    #[test]
    fn values_are_exact_for_json_readers() {
        let mut schemas = MarkerSchemas::default();
        let schema = schemas.add("event");
        let mut data = b"{".to_vec();
        let exact = 1 << 53;
        for (group, name, value) in [
            (FieldGroup::Own, "span", TypedValue::Unsigned(1)),
            (FieldGroup::Argument, "span", TypedValue::Unsigned(exact)),
            (FieldGroup::Argument, "type", TypedValue::Unsigned(exact + 1)),
            (FieldGroup::Argument, "least", TypedValue::Signed(i64::MIN)),
            (FieldGroup::End, "least", TypedValue::Signed(-1)),
            (FieldGroup::Argument, "end_least", TypedValue::Bool(true)),
            (FieldGroup::Argument, "text", TypedValue::Text(b"\"\xff")),
            (FieldGroup::Argument, "pointer", TypedValue::Pointer(u64::MAX)),
        ] {
            schemas.get(schema).append(group, name, value, &mut data);
        }
        data.push(b'}');
        let expected = serde_json::json!({
            "span": 1, "span_": exact, "type_": "9007199254740993", "least": "-9223372036854775808", "end_least": -1,
            "end_least_": true, "text": "\"\\xff", "pointer": "0xffffffffffffffff",
        });
        assert_eq!(serde_json::from_slice::<serde_json::Value>(&data).unwrap(), expected);
        let mut text = Vec::new();
        schemas.get(schema).encode(&mut text);
        let schema: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let fields = schema["fields"].as_array().unwrap();
        let field =
            |index: usize| (fields[index]["key"].as_str().unwrap(), fields[index]["label"].as_str().unwrap());
        assert_eq!(
            [field(1), field(2), field(4)],
            [("span_", "span"), ("type_", "type"), ("end_least", "end least")]
        );
    }
}
