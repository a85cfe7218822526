//! Reads options from the environment and the command line.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use super::Options;
use super::error::{OptionsError, OptionsErrorKind};
use crate::os::program::has_elevated_privileges;

/// The environment variable for options.
pub const VARIABLE: &str = "RINGTRACE";

const OPTION: &str = "--trace";

impl Options {
    /// Reads the environment variable `RINGTRACE`, in the syntax of [`Options::parse_variable`].
    ///
    /// The variable is ignored if the program is set-user-ID or set-group-ID, or its file has
    /// capabilities. Otherwise its caller could make it write to files of other users.
    ///
    /// # Errors
    /// Fails if an option is invalid, or an events file cannot be read.
    pub fn from_env() -> Result<Options, OptionsError> {
        variable(VARIABLE).map_or(Ok(Options::new()), |text| Options::parse_variable(VARIABLE, text))
    }

    /// Parses the value of a variable: options, separated by line breaks or `;`. Within an option,
    /// `;;` stands for a semicolon. Empty options are ignored, because variables are often set to
    /// an empty value instead of being unset.
    ///
    /// # Errors
    /// Fails if an option is invalid, or an events file cannot be read. The message includes the
    /// variable's name.
    pub fn parse_variable(name: &str, value: impl AsRef<OsStr>) -> Result<Options, OptionsError> {
        let mut options = Options::new();
        for option in values(value.as_ref()) {
            options.extend(Options::of(format!("{name}={}", quoted(&option)), &option)?);
        }
        Ok(options)
    }

    /// Parses the options among arguments. Also returns the other arguments in order, for the
    /// program's own parser.
    ///
    /// ```
    /// let arguments = ["prog", "--trace", "blk_*", "disk", "--", "--trace"];
    /// let (options, rest) = ringtrace::Options::from_args(arguments)?;
    /// assert!(!options.is_empty());
    /// assert_eq!(rest, ["prog", "disk", "--", "--trace"]);
    /// # Ok::<(), ringtrace::OptionsError>(())
    /// ```
    ///
    /// # Errors
    /// Fails if an option is invalid or lacks its value, or an events file cannot be read.
    pub fn from_args<A: Into<OsString>>(
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<(Options, Vec<OsString>), OptionsError> {
        let (values, rest) = take(OPTION, "'*' for all events", arguments)?;
        let mut options = Options::new();
        for value in values {
            options.extend(Options::of(format!("{OPTION} {}", quoted(&value)), &value)?);
        }
        Ok((options, rest))
    }
}

/// Removes each `OPTION VALUE` and `OPTION=VALUE` before a `--` from the arguments. Returns the
/// values and the other arguments.
pub(super) fn take<A: Into<OsString>>(
    option: &str,
    such_as: &'static str,
    arguments: impl IntoIterator<Item = A>,
) -> Result<(Vec<OsString>, Vec<OsString>), OptionsError> {
    let (mut values, mut rest) = (Vec::new(), Vec::new());
    let mut arguments = arguments.into_iter().map(Into::into);
    while let Some(argument) = arguments.next() {
        if argument == "--" {
            rest.push(argument);
            rest.extend(arguments);
            break;
        }
        match argument.as_bytes().strip_prefix(option.as_bytes()) {
            Some([]) => {
                let missing = || OptionsError::new(option.to_owned(), OptionsErrorKind::Missing { such_as });
                values.push(arguments.next().ok_or_else(missing)?);
            }
            Some([b'=', value @ ..]) => values.push(OsStr::from_bytes(value).to_owned()),
            _ => rest.push(argument),
        }
    }
    Ok((values, rest))
}

#[expect(clippy::disallowed_methods, reason = "a traced program's arguments may contain --trace")]
pub(crate) fn of_program() -> std::env::ArgsOs {
    std::env::args_os()
}

/// Returns the value of an environment variable. Always returns `None` if the program has more
/// privileges than its caller.
#[expect(clippy::disallowed_methods, reason = "RINGTRACE and RINGTRACE_MONITOR contain options")]
pub(super) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|_| !has_elevated_privileges())
}

/// Splits a variable's value, and drops empty parts.
pub(super) fn values(text: &OsStr) -> impl Iterator<Item = OsString> {
    split(text.as_bytes()).into_iter().filter(|value| !value.is_empty())
}

/// Splits a string at line breaks and single semicolons.
fn split(text: &[u8]) -> Vec<OsString> {
    let mut options = vec![Vec::new()];
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let ends = byte == b'\n' || byte == b';' && bytes.next_if_eq(&b';').is_none();
        match options.last_mut() {
            Some(option) if !ends => option.push(byte),
            _ => options.push(Vec::new()),
        }
    }
    options.into_iter().map(OsString::from_vec).collect()
}

pub(crate) fn quoted(text: &OsStr) -> String {
    let shown = text.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=,.:/%@".contains(c);
    if !shown.is_empty() && shown.chars().all(plain) {
        return shown.into_owned();
    }
    let mut quoted = "'".to_owned();
    for c in shown.chars() {
        match c {
            '\'' => quoted.push_str("'\\''"),
            '"' | '\\' => quoted.push(c),
            c => quoted.extend(c.escape_debug()),
        }
    }
    quoted + "'"
}

#[cfg(test)]
mod tests {
    use super::{OsStr, quoted, split};

    #[test]
    fn options_are_quoted_for_a_shell() {
        for (text, shown) in [
            ("blk_*,file=x", "'blk_*,file=x'"),
            ("file=a/b-1.trace", "file=a/b-1.trace"),
            ("it's", "'it'\\''s'"),
            ("", "''"),
            ("two\nlines", "'two\\nlines'"),
            ("a\\b", "'a\\b'"),
        ] {
            assert_eq!(quoted(OsStr::new(text)), shown);
        }
    }

    #[test]
    fn a_variable_is_split_at_line_breaks_and_single_semicolons() {
        let cases: [(&str, &[&str]); 6] = [
            ("", &[""]),
            ("a", &["a"]),
            ("a;b\nc", &["a", "b", "c"]),
            ("file=a;;b;c", &["file=a;b", "c"]),
            (";;;", &[";", ""]),
            ("a\n\nb\n", &["a", "", "b", ""]),
        ];
        for (text, options) in cases {
            assert_eq!(
                split(text.as_bytes()),
                options.iter().map(OsStr::new).collect::<Vec<_>>(),
                "{text:?}"
            );
        }
    }
}
