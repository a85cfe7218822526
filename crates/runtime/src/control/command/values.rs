//! Checked arguments of a call.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::control) enum ArgumentValue {
    /// A word or a string.
    Text(String),
    Flag(bool),
    /// A number. Its value is ignored.
    Integer,
    Texts(Vec<String>),
}

#[derive(Debug, Clone, Default)]
pub(in crate::control) struct Arguments(Vec<(&'static str, ArgumentValue)>);

impl Arguments {
    pub(in crate::control) fn add(&mut self, name: &'static str, value: ArgumentValue) {
        self.0.push((name, value));
    }

    fn find(&self, name: &str) -> Option<&ArgumentValue> {
        self.0.iter().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// A word or a string, if present.
    pub(in crate::control) fn text(&self, name: &str) -> Option<&str> {
        match self.find(name) {
            Some(ArgumentValue::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub(in crate::control) fn flag(&self, name: &str) -> Option<bool> {
        match self.find(name) {
            Some(ArgumentValue::Flag(flag)) => Some(*flag),
            _ => None,
        }
    }

    /// An array of strings; empty if absent.
    pub(in crate::control) fn texts(&self, name: &str) -> &[String] {
        match self.find(name) {
            Some(ArgumentValue::Texts(texts)) => texts,
            _ => &[],
        }
    }
}
