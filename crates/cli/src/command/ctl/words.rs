//! Converts command-line words to commands: a line for HMP, or a name and arguments for QMP.

use serde_json::{Map, Value};

use crate::exit::CliError;

/// Joins `words` into an HMP line. A single word is already a complete line, as in other HMP
/// clients.
pub fn line(words: &[String]) -> String {
    match words {
        [line] => line.clone(),
        _ => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    }
}

/// Quotes `word` for HMP if it contains spaces.
pub fn quoted(word: &str) -> String {
    let is_plain = !word.is_empty() && !word.starts_with('"') && !word.contains(|c: char| c.is_whitespace());
    if is_plain {
        return word.to_owned();
    }
    let mut text = String::from("\"");
    for c in word.chars() {
        match c {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '"' | '\\' => text.extend(['\\', c]),
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

#[derive(Debug, PartialEq)]
pub struct QmpCommand {
    pub command: String,
    /// An object, or null.
    pub arguments: Value,
}

/// Parses a QMP command: either `NAME KEY=VALUE...`, or one JSON object in QMP's format.
pub fn execute(words: &[String]) -> Result<QmpCommand, CliError> {
    let (name, rest) = words.split_first().ok_or_else(|| CliError::usage("--json needs a command"))?;
    if name.starts_with('{') {
        return from_object(&words.join(" "));
    }
    let mut arguments = Map::new();
    for word in rest {
        let Some((key, text)) = word.split_once('=') else {
            let message = format!("`{word}`: expected KEY=VALUE");
            return Err(CliError::usage(message)
                .help("with --json, commands are QMP commands; `--json query-commands` lists them"));
        };
        arguments.insert(key.to_owned(), value(key, text)?);
    }
    let arguments = if arguments.is_empty() { Value::Null } else { Value::Object(arguments) };
    Ok(QmpCommand { command: name.clone(), arguments })
}

/// Parses `text` as JSON. Text that is not JSON becomes a string.
fn value(key: &str, text: &str) -> Result<Value, CliError> {
    let begins_as_json = text.starts_with(['{', '[', '"']);
    match serde_json::from_str(text) {
        Ok(value) => Ok(value),
        Err(error) if begins_as_json => Err(CliError::usage(format!("{key}={text}: {error}"))),
        Err(_) => Ok(Value::String(text.to_owned())),
    }
}

fn from_object(text: &str) -> Result<QmpCommand, CliError> {
    let expected = || {
        CliError::usage("expected {\"execute\": NAME, \"arguments\": {...}}")
            .help("or, shorter, NAME KEY=VALUE...")
    };
    let object: Map<String, Value> = serde_json::from_str(text)
        .map_err(|error| CliError::usage(format!("the command is not valid JSON: {error}")))?;
    let Some(command) = object.get("execute").and_then(Value::as_str) else { return Err(expected()) };
    // The `id` is allowed but ignored: the client numbers its messages itself.
    if object.keys().any(|key| !matches!(key.as_str(), "execute" | "arguments" | "id")) {
        return Err(expected());
    }
    let arguments = object.get("arguments").cloned().unwrap_or_default();
    Ok(QmpCommand { command: command.to_owned(), arguments })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn words(text: &[&str]) -> Vec<String> {
        text.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn words_arrive_as_they_were_given() {
        for (given, expected) in [
            (&["trace-event blk_* on"][..], "trace-event blk_* on"),
            (&["trace-event", "blk_*", "on"], "trace-event blk_* on"),
            (&["trace-file", "set", "with space.bin"], "trace-file set \"with space.bin\""),
            (&["trace-file", "set", "a\"b"], "trace-file set a\"b"),
            (&["trace-file", "set", "\"a\" \\b\n"], "trace-file set \"\\\"a\\\" \\\\b\\n\""),
            (&["log", ""], "log \"\""),
            (&["trace-event", "-x", "on"], "trace-event -x on"),
        ] {
            assert_eq!(line(&words(given)), expected);
        }
    }

    #[test]
    fn values_are_json_where_they_look_like_it() {
        for (given, expected) in [
            (&["query-name"][..], json!(null)),
            (&["x", "name=blk_*", "enable=true"], json!({"name": "blk_*", "enable": true})),
            (&["x", "n=5", "s=\"5\"", "o={\"a\": [1]}"], json!({"n": 5, "s": "5", "o": {"a": [1]}})),
            (&["x", "name=", "line=a=b"], json!({"name": "", "line": "a=b"})),
        ] {
            assert_eq!(execute(&words(given)).unwrap().arguments, expected);
        }
        let message = words(&["{\"execute\": \"x\",", "\"arguments\": {\"a\": 1}}"]);
        let expected = QmpCommand { command: "x".to_owned(), arguments: json!({"a": 1}) };
        assert_eq!(execute(&message).unwrap(), expected);
    }

    #[test]
    fn malformed_qmp_commands_are_refused() {
        for (given, expected) in [
            (&["trace-event", "blk_*", "on"][..], "`blk_*`: expected KEY=VALUE"),
            (&["x", "a=[1"], "a=[1: EOF while parsing a list at line 1 column 2"),
            (&["{\"execute\": 1}"], "expected {\"execute\": NAME, \"arguments\": {...}}"),
            (
                &["{\"execute\": \"x\", \"argument\": 1}"],
                "expected {\"execute\": NAME, \"arguments\": {...}}",
            ),
            (&["{"], "the command is not valid JSON: EOF while parsing an object at line 1 column 1"),
        ] {
            assert_eq!(execute(&words(given)).unwrap_err().message, expected);
        }
    }
}
