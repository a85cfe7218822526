//! Interprets the part of SystemTap's language that `simpletrace-stap` scripts use. The tests
//! cannot run the scripts with SystemTap itself, which would have to insert probes into the kernel.

use std::collections::HashMap;

/// A value in a script.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Integer(u64),
    Text(Vec<u8>),
    /// The address of an unreadable string.
    Null,
}

/// The process id in all probes.
pub const PID: u32 = 0x1234_5678;
pub const TIME_NS: u64 = 0x1122_3344_5566_7788;

/// A running script.
pub struct Script<'a> {
    text: &'a str,
    /// The output of the format `stap`, which defines the names of the arguments.
    names: &'a str,
    /// The output so far.
    pub printed: Vec<u8>,
    /// The events that already have an id, in the order of their ids.
    seen: Vec<String>,
}

type Variables = HashMap<String, Value>;

impl<'a> Script<'a> {
    /// Starts the script `text` with the aliases `names`.
    pub fn begin(text: &'a str, names: &'a str) -> Script<'a> {
        let mut script = Script { text, names, printed: Vec::new(), seen: Vec::new() };
        for line in block(text, "probe begin").unwrap_or_default() {
            script.print(line, &Variables::new());
        }
        script
    }

    /// Runs the probe of `event`.
    pub fn fire(&mut self, event: &str, arguments: &[Value]) {
        let named = block(self.names, &format!("probe program.{event} = ")).unwrap();
        let mut variables = Variables::new();
        for line in named {
            let (name, number) = line.split_once(" = $arg").unwrap();
            variables.insert(name.to_owned(), arguments[number.parse::<usize>().unwrap() - 1].clone());
        }
        assert_eq!(variables.len(), arguments.len());
        let opening = format!("probe program.simpletrace.{event} = program.{event} ?");
        for line in block(self.text, &opening).unwrap() {
            self.statement(line, &mut variables);
        }
    }

    fn statement(&mut self, line: &str, variables: &mut Variables) {
        if matches!(line, "try {" | "} catch {}") {
            return;
        }
        if line.starts_with("printf(") {
            return self.print(line, variables);
        }
        let (name, expression) = line.split_once(" = ").unwrap();
        let value = if let Some((condition, texts)) = expression.split_once(" ? ") {
            assert_eq!(texts, format!("user_string_n({condition}, 512) : \"<null>\""));
            match &variables[condition] {
                Value::Null => Value::Text(b"<null>".to_vec()),
                text => text.clone(),
            }
        } else if let Some((function, event)) = expression.split_once("(\"") {
            self.id(function, event.strip_suffix("\")").unwrap())
        } else {
            Value::Integer(sum(expression, variables))
        };
        assert_eq!(variables.insert(name.to_owned(), value), None, "{name} was an argument");
    }

    /// Returns the result of `function` for `event`.
    fn id(&mut self, function: &str, event: &str) -> Value {
        let body = block(self.text, &format!("function {function}(name)")).unwrap();
        let ids = function.strip_suffix("_id").unwrap();
        let known = self.seen.iter().position(|seen| seen == event);
        let id = Value::Integer(known.unwrap_or(self.seen.len()) as u64);
        if known.is_none() {
            self.seen.push(event.to_owned());
            let name = ("name".to_owned(), Value::Text(event.as_bytes().to_vec()));
            let variables = Variables::from([name, (format!("{ids}_ids[name]"), id.clone())]);
            let printing = body.iter().find(|line| line.starts_with("printf(")).unwrap();
            self.print(printing, &variables);
        }
        id
    }

    /// Runs `printf("CONVERSIONS", VALUES)`.
    fn print(&mut self, line: &str, variables: &Variables) {
        let inside = line.strip_prefix("printf(\"").and_then(|line| line.strip_suffix(')')).unwrap();
        let (conversions, values) = inside.split_once("\", ").unwrap();
        let mut values = values.split(", ");
        for conversion in conversions.split('%').skip(1) {
            let mut next = || values.next().unwrap();
            match conversion {
                "8b" => self.printed.extend(sum(next(), variables).to_le_bytes()),
                "4b" => self.printed.extend(&sum(next(), variables).to_le_bytes()[..4]),
                ".*s" => {
                    let length = sum(next(), variables) as usize;
                    let Value::Text(text) = &variables[next()] else { panic!("{line}: not a string") };
                    self.printed.extend(&text[..length]);
                }
                other => panic!("{line}: %{other}"),
            }
        }
        assert_eq!(values.next(), None, "{line}: not all values are printed");
    }
}

fn sum(expression: &str, variables: &Variables) -> u64 {
    expression.split(" + ").map(|term| integer(term, variables)).sum()
}

fn integer(term: &str, variables: &Variables) -> u64 {
    match term {
        "pid()" => return PID.into(),
        "gettimeofday_ns()" => return TIME_NS,
        _ => {}
    }
    if let Some(hex) = term.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).unwrap();
    }
    if let Some(name) = term.strip_prefix("strlen(").and_then(|term| term.strip_suffix(')')) {
        let Value::Text(text) = &variables[name] else { panic!("{term}: not a string") };
        return text.len() as u64;
    }
    if let Ok(number) = term.parse() {
        return number;
    }
    match variables.get(term).unwrap_or_else(|| panic!("no variable {term}")) {
        Value::Integer(value) => *value,
        Value::Null => 0,
        Value::Text(_) => panic!("{term}: not a number"),
    }
}

/// Returns the lines between the braces of the block that begins with `opening`.
fn block<'a>(script: &'a str, opening: &str) -> Option<Vec<&'a str>> {
    let mut lines = script.lines().skip_while(|line| !line.starts_with(opening));
    lines.next()?;
    assert_eq!(lines.next(), Some("{"));
    Some(lines.take_while(|line| *line != "}").map(str::trim).collect())
}
