//! The JSON writer. Like QEMU, it writes one line in ASCII, with a blank after every `,` and `:`.

use super::Value;

/// Appends JSON values to a string, with the necessary separators.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    text: String,
    needs_comma: bool,
}

impl Writer {
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    fn separate(&mut self) {
        if std::mem::replace(&mut self.needs_comma, true) {
            self.text.push_str(", ");
        }
    }

    pub(crate) fn object(&mut self, members: impl FnOnce(&mut Writer)) {
        self.bracket('{', '}', members);
    }

    pub(crate) fn list(&mut self, values: impl FnOnce(&mut Writer)) {
        self.bracket('[', ']', values);
    }

    fn bracket(&mut self, open: char, close: char, inside: impl FnOnce(&mut Writer)) {
        self.separate();
        self.text.push(open);
        self.needs_comma = false;
        inside(self);
        self.text.push(close);
        self.needs_comma = true;
    }

    /// Writes the name of a member. Its value must follow.
    pub(crate) fn name(&mut self, name: &str) -> &mut Writer {
        self.text(name);
        self.text.push_str(": ");
        self.needs_comma = false;
        self
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.separate();
        self.text.push('"');
        for c in text.chars() {
            match c {
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                '\u{8}' => self.text.push_str("\\b"),
                '\u{c}' => self.text.push_str("\\f"),
                '\n' => self.text.push_str("\\n"),
                '\r' => self.text.push_str("\\r"),
                '\t' => self.text.push_str("\\t"),
                ' '..='~' => self.text.push(c),
                _ => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        self.text.push_str(&format!("\\u{unit:04X}"));
                    }
                }
            }
        }
        self.text.push('"');
    }

    pub(crate) fn number(&mut self, number: u64) {
        self.written(&number.to_string());
    }

    pub(crate) fn flag(&mut self, flag: bool) {
        self.written(if flag { "true" } else { "false" });
    }

    /// Appends a value that is already encoded as JSON.
    pub(crate) fn written(&mut self, value: &str) {
        self.separate();
        self.text.push_str(value);
    }

    pub(crate) fn value(&mut self, value: &Value<'_>) {
        match value {
            Value::Null => self.written("null"),
            Value::Flag(flag) => self.flag(*flag),
            Value::Number(number) => self.written(number),
            Value::Text(text) => self.text(text),
            Value::List(values) => self.list(|writer| values.iter().for_each(|value| writer.value(value))),
            Value::Object(members) => self.object(|writer| {
                members.iter().for_each(|(name, value)| writer.name(name).value(value));
            }),
        }
    }
}
