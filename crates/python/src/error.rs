//! Errors of this package.

use pyo3::PyErr;
use pyo3::exceptions::PyException;
use ringtrace_tracefile::Error;
use ringtrace_tracefile::pair::PairError;

pyo3::create_exception!(
    ringtrace,
    TraceError,
    PyException,
    "A trace is damaged or cannot be read, or a request does not match it."
);

/// Options of the tool, and the arguments of `open` that do the same.
const OPTIONS: [(&str, &str); 6] = [
    ("--epoch FILE=DATE", "epoch={FILE: DATE}"),
    ("--keep-going", "keep_going=True"),
    ("--events", "events="),
    ("--unaligned", "unaligned=True"),
    ("--sort", "sort=True"),
    ("--compat", "compat="),
];

/// The text of an error: the message that the tool `ringtrace` prints, and its advice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message(pub String);

impl Message {
    /// Creates a message. `help` is advice.
    pub fn new(message: impl AsRef<str>, help: Option<&str>) -> Message {
        let message = message.as_ref();
        let Some(help) = help else { return Message(message.to_owned()) };
        let mut help = help.to_owned();
        for (option, argument) in OPTIONS {
            help = help.replace(option, argument);
        }
        Message(format!("{message}\n  help: {help}"))
    }

    /// Combines the errors of several traces; `None` if there are none.
    pub fn of_all(errors: &[Error]) -> Option<Message> {
        let texts: Vec<String> = errors.iter().map(|error| Message::from(error).0).collect();
        (!texts.is_empty()).then(|| Message(texts.join("\n")))
    }
}

impl From<&Error> for Message {
    fn from(error: &Error) -> Message {
        Message::new(error.to_string(), error.help.as_deref())
    }
}

impl From<Error> for Message {
    fn from(error: Error) -> Message {
        Message::from(&error)
    }
}

impl From<PairError> for Message {
    fn from(error: PairError) -> Message {
        Message::new(&error.message, Some(&error.help).filter(|help| !help.is_empty()).map(String::as_str))
    }
}

impl From<Message> for PyErr {
    fn from(message: Message) -> PyErr {
        TraceError::new_err(message.0)
    }
}
