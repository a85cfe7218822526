//! What the fields of markers are: Firefox Profiler's marker schemas.

use crate::json;
use crate::value::Typed;

/// Members of a marker's data that mean something to the profiler already.
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

/// Integers beyond are kept as digits: a reader of JSON would round them.
const MOST_IN_A_DOUBLE: u64 = 1 << 53;

/// All markers of a kind: what stands in them.
#[derive(Debug)]
pub struct MarkerSchema {
    name: String,
    fields: Vec<Field>,
    /// The field that comes next, if markers are alike.
    next: usize,
}

/// Whose a field is, for names that several have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// What is ours: a span's number, its threads. Not shown in a line of the marker table.
    Own,
    /// An argument, of a span's begin if it is about one.
    Argument,
    /// An argument of the record that ended the span.
    End,
}

#[derive(Debug)]
struct Field {
    side: Side,
    name: String,
    key: String,
}

impl MarkerSchema {
    /// Without fields as yet.
    pub fn new(name: String) -> MarkerSchema {
        MarkerSchema { name, fields: Vec::new(), next: 0 }
    }

    /// What the markers' data say they are.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Appends a field with its value to a marker's data.
    pub fn append(&mut self, side: Side, name: &str, value: Typed<'_>, data: &mut Vec<u8>) {
        let is_it = |field: &Field| field.side == side && field.name == name;
        let index = match self.fields.get(self.next) {
            Some(field) if is_it(field) => self.next,
            _ => self.fields.iter().position(is_it).unwrap_or_else(|| self.add(side, name)),
        };
        self.next = index + 1;
        if data.last() != Some(&b'{') {
            data.push(b',');
        }
        json::string(&self.fields[index].key, data);
        data.push(b':');
        match value {
            Typed::Signed(number) if number.unsigned_abs() <= MOST_IN_A_DOUBLE => json::plain(number, data),
            Typed::Unsigned(number) if number <= MOST_IN_A_DOUBLE => json::plain(number, data),
            Typed::Signed(number) => json::string(&number.to_string(), data),
            Typed::Unsigned(number) => json::string(&number.to_string(), data),
            Typed::Bool(truth) => json::plain(truth, data),
            Typed::Pointer(bits) => json::string(&format!("{bits:#x}"), data),
            Typed::Text(bytes) => json::string(&crate::utf8(bytes), data),
        }
    }

    /// Adds a field, and gives its index. Its key is one that no other field has.
    fn add(&mut self, side: Side, name: &str) -> usize {
        let mut key = if side == Side::End { format!("end_{name}") } else { name.to_owned() };
        while TAKEN.contains(&&*key) || self.fields.iter().any(|field| field.key == key) {
            key.push('_');
        }
        self.fields.push(Field { side, name: name.to_owned(), key });
        self.fields.len() - 1
    }

    /// Appends it as the profiler wants to have it.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"name\":");
        json::string(&self.name, out);
        out.extend_from_slice(
            b",\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],\"tableLabel\":",
        );
        let shown = self.fields.iter().filter(|field| field.side != Side::Own);
        let shown = shown.map(|field| format!("{}={{marker.data.{}}}", field.label(), field.key));
        json::string(&shown.collect::<Vec<_>>().join(" "), out);
        out.extend_from_slice(b",\"fields\":[");
        for (index, field) in self.fields.iter().enumerate() {
            out.extend_from_slice(if index == 0 { b"{\"key\":" } else { b",{\"key\":" });
            json::string(&field.key, out);
            out.extend_from_slice(b",\"label\":");
            json::string(&field.label(), out);
            // The other formats take numbers alone, and group their digits.
            out.extend_from_slice(b",\"format\":\"string\"}");
        }
        out.extend_from_slice(b"]}");
    }
}

impl Field {
    /// What people read.
    fn label(&self) -> String {
        match self.side {
            Side::End => format!("end {}", self.name),
            Side::Own | Side::Argument => self.name.clone(),
        }
    }
}
