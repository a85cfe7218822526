//! The arguments of a call, checked.

/// An argument's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::monitor) enum Datum {
    /// A word or a string.
    Text(String),
    /// On or off.
    Flag(bool),
    /// A number, which nothing asks for.
    Integer,
    /// Strings.
    Texts(Vec<String>),
}

/// The arguments of a call, by their names.
#[derive(Debug, Clone, Default)]
pub(in crate::monitor) struct Values(Vec<(&'static str, Datum)>);

impl Values {
    /// Adds one.
    pub(in crate::monitor) fn add(&mut self, name: &'static str, value: Datum) {
        self.0.push((name, value));
    }

    fn find(&self, name: &str) -> Option<&Datum> {
        self.0.iter().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// A word or a string, if it was given.
    pub(in crate::monitor) fn text(&self, name: &str) -> Option<&str> {
        match self.find(name) {
            Some(Datum::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// On or off, if it was given.
    pub(in crate::monitor) fn flag(&self, name: &str) -> Option<bool> {
        match self.find(name) {
            Some(Datum::Flag(flag)) => Some(*flag),
            _ => None,
        }
    }

    /// Strings; none when they were not given.
    pub(in crate::monitor) fn texts(&self, name: &str) -> &[String] {
        match self.find(name) {
            Some(Datum::Texts(texts)) => texts,
            _ => &[],
        }
    }
}
