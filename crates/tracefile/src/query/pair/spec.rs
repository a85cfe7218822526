//! The specification of a pair on the command line: `--pair BEGIN:END:KEY`.

use std::fmt;

use super::description::SourceLocation;

/// Two events, and the keys that match their records.
///
/// ```text
/// BEGIN:END                    by the single pointer or integer argument that both events have
/// BEGIN:END:KEY                by the argument KEY of both; `pid` and `tid` are the record's
/// BEGIN:END:KEY=ENDKEY         by the argument KEY of BEGIN and the argument ENDKEY of END
/// BEGIN:END:KEY,KEY2=ENDKEY2   by both keys
/// BEGIN:END:arg.pid            by an argument that is called `pid`
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairSpec {
    /// The event that begins a span.
    pub begin: String,
    /// The event that ends the span.
    pub end: String,
    /// The keys. If empty, the single argument that both events have is the key.
    pub keys: Vec<KeySpec>,
}

/// A value that must be equal in both records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySpec {
    /// The source of the value in the begin event's record.
    pub begin: KeySource,
    /// The source of the value in the end event's record.
    pub end: KeySource,
}

/// The source of a value in a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// The argument with this name.
    Argument(String),
    /// The record's process.
    Pid,
    /// The record's thread.
    Tid,
}

/// An error in a pair's specification, or the error for a pair that cannot be matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairError {
    /// The error message.
    pub message: String,
    /// Advice for the user.
    pub help: String,
}

impl fmt::Display for PairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PairError {}

impl PairError {
    pub(super) fn at(self, location: Option<&SourceLocation>) -> PairError {
        match location {
            Some(location) => PairError { message: format!("{location}: {}", self.message), ..self },
            None => self,
        }
    }
}

impl PairSpec {
    /// Parses `BEGIN:END[:KEY[=ENDKEY][,...]]`.
    ///
    /// # Errors
    /// Returns an error if `text` does not have this form.
    pub fn parse(text: &str) -> Result<PairSpec, PairError> {
        let mut parts = text.split(':');
        let (Some(begin), Some(end), keys, None) = (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            let found = match text.matches(':').count() + 1 {
                1 => "one part".to_owned(),
                many => format!("{many} parts"),
            };
            return Err(malformed(text, &format!("expected BEGIN:END[:KEY], found {found}")));
        };
        for (event, which) in [(begin, "BEGIN"), (end, "END")] {
            if !is_name(event) {
                let what = format!("expected an event's name for {which}, found {}", quoted(event));
                return Err(malformed(text, &what));
            }
        }
        let keys = match keys {
            Some(keys) => keys.split(',').map(|key| KeySpec::parse(key, text)).collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        Ok(PairSpec { begin: begin.to_owned(), end: end.to_owned(), keys })
    }
}

impl KeySpec {
    fn parse(key: &str, text: &str) -> Result<KeySpec, PairError> {
        let (begin, end) = key.split_once('=').unwrap_or((key, key));
        let source = |name: &str| {
            KeySource::parse(name).ok_or_else(|| {
                malformed(text, &format!("expected an argument's name for KEY, found {}", quoted(name)))
            })
        };
        Ok(KeySpec { begin: source(begin)?, end: source(end)? })
    }
}

impl KeySource {
    /// Parses `pid`, `tid`, the name of an argument, or `arg.` followed by the name of an argument.
    pub fn parse(name: &str) -> Option<KeySource> {
        let argument = name.strip_prefix("arg.").unwrap_or(name);
        match name {
            "pid" => Some(KeySource::Pid),
            "tid" => Some(KeySource::Tid),
            _ => is_name(argument).then(|| KeySource::Argument(argument.to_owned())),
        }
    }
}

pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

pub(super) fn quoted(found: &str) -> String {
    if found.is_empty() { "nothing".to_owned() } else { format!("`{found}`") }
}

fn malformed(text: &str, what: &str) -> PairError {
    PairError {
        message: format!("pair `{text}`: {what}"),
        help: "use a form such as `alloc:release:ptr`, or `alloc:release:result=ptr` if the events use different names"
            .to_owned(),
    }
}

impl fmt::Display for PairSpec {
    /// Prints the form that [`PairSpec::parse`] accepts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.begin, self.end)?;
        for (index, key) in self.keys.iter().enumerate() {
            write!(f, "{}{key}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

impl fmt::Display for KeySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.begin == self.end {
            write!(f, "{}", self.begin)
        } else {
            write!(f, "{}={}", self.begin, self.end)
        }
    }
}

impl fmt::Display for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeySource::Argument(name) if matches!(name.as_str(), "pid" | "tid") => write!(f, "arg.{name}"),
            KeySource::Argument(name) => f.write_str(name),
            KeySource::Pid => f.write_str("pid"),
            KeySource::Tid => f.write_str("tid"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_specs_are_parsed_back() {
        for text in
            ["a:b", "a:a:x", "a:b:x=y", "a:b:x,pid", "malloc:free:pid,result=ptr,tid", "a:b:arg.pid=pid"]
        {
            assert_eq!(PairSpec::parse(text).unwrap().to_string(), text);
        }
        let same = PairSpec::parse("a:b:x=x,pid=pid").unwrap();
        assert_eq!(same.to_string(), "a:b:x,pid");
        assert_eq!(same.keys[1], KeySpec { begin: KeySource::Pid, end: KeySource::Pid });
    }

    #[test]
    fn malformed_specs_are_errors() {
        for (text, expected) in [
            ("", "pair ``: expected BEGIN:END[:KEY], found one part"),
            ("malloc", "pair `malloc`: expected BEGIN:END[:KEY], found one part"),
            ("a:b:c:d", "pair `a:b:c:d`: expected BEGIN:END[:KEY], found 4 parts"),
            (":b", "pair `:b`: expected an event's name for BEGIN, found nothing"),
            ("a:b*", "pair `a:b*`: expected an event's name for END, found `b*`"),
            ("a:b:", "pair `a:b:`: expected an argument's name for KEY, found nothing"),
            ("a:b:x,", "pair `a:b:x,`: expected an argument's name for KEY, found nothing"),
            ("a:b:x=", "pair `a:b:x=`: expected an argument's name for KEY, found nothing"),
            ("a:b:x=y=z", "pair `a:b:x=y=z`: expected an argument's name for KEY, found `y=z`"),
        ] {
            assert_eq!(PairSpec::parse(text).unwrap_err().to_string(), expected);
        }
    }
}
