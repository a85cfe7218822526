//! Conditions on records: parses them, checks them against declarations, binds them to each event,
//! and evaluates them.
//!
//! An input is a line with the expression, declarations up to a zero byte, then the values of a
//! record.

use ringtrace_events::ctype::StringRule;
use ringtrace_events::format::Value;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::{CType, Event, SourceFile};
use ringtrace_tracefile::expression::{Expression, ExpressionError, MAX_BYTES, Parameter, Subject};

use crate::Target;
use crate::choices::Choices;

pub(crate) const TARGET: Target = Target {
    name: "expression",
    about: "errors have a span; brackets, negation and repetition are evaluated correctly",
    max_bytes: 1024,
    run,
};

fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    let line = String::from_utf8_lossy(choices.until(b'\n'));
    let declarations = SourceFile::from_bytes("fuzz", choices.until(0));
    let events = parse(vec![declarations], Dialect::Read).declarations.events;

    let expression = match Expression::parse(&line) {
        Ok(expression) => expression,
        Err(error) => return check_error(&error, &line),
    };
    let parameters = events.iter().flat_map(|event| &event.arguments).map(|argument| Parameter {
        name: &argument.name,
        is_string: argument.ctype.is_string(StringRule::OneStar),
        is_double: argument.ctype == CType::Double,
    });
    if let Err(error) = expression.check(parameters) {
        check_error(&error, &line);
    }
    let relatives = Relatives::new(&line);
    for event in events.iter().take(8) {
        relatives.check(&expression, &Record::new(event, choices), event);
    }
}

fn check_error(error: &ExpressionError, line: &str) {
    assert_eq!(error.source, line);
    assert!(line.get(error.span.clone()).is_some(), "{error:?}");
    let shown = error.to_string();
    assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
}

/// Expressions whose value follows from the value of the original. They may be too long or too
/// deeply nested to be parsed.
struct Relatives {
    same: Vec<Expression>,
    opposite: Option<Expression>,
}

impl Relatives {
    fn new(line: &str) -> Relatives {
        let in_brackets = Expression::parse(&format!("({line})"));
        assert!(in_brackets.is_ok() || line.len() + 2 > MAX_BYTES, "{line:?} in brackets: {in_brackets:?}");
        let twice =
            ["&&", "||"].map(|operator| Expression::parse(&format!("({line}) {operator} ({line})")).ok());
        Relatives {
            same: in_brackets.into_iter().chain(twice.into_iter().flatten()).collect(),
            opposite: Expression::parse(&format!("!({line})")).ok(),
        }
    }

    fn check(&self, expression: &Expression, record: &Record<'_>, event: &Event) {
        let find = |name: &str| {
            let index = event.arguments.iter().position(|argument| *argument.name == *name)?;
            Some((index, event.arguments[index].ctype))
        };
        let truth = expression.bind(find).evaluate(record);
        for same in &self.same {
            assert_eq!(same.bind(find).evaluate(record), truth, "{}", same.source());
        }
        if let Some(opposite) = &self.opposite {
            assert_eq!(
                opposite.bind(find).evaluate(record),
                truth.map(|truth| !truth),
                "{}",
                opposite.source()
            );
        }
    }
}

struct Record<'a> {
    name: &'a str,
    pid: Option<u32>,
    tid: Option<u32>,
    time_ns: i128,
    values: Vec<Value<'a>>,
}

impl<'a> Record<'a> {
    fn new(event: &'a Event, mut choices: Choices<'a>) -> Record<'a> {
        let shape = choices.byte();
        let count = event.arguments.len().saturating_sub(usize::from(shape >> 6));
        let values = event.arguments.iter().take(count).map(|argument| {
            if argument.ctype.is_string(StringRule::OneStar) {
                let length = choices.byte();
                Value::Str(choices.bytes(length.into()))
            } else {
                Value::Integer(choices.u64())
            }
        });
        let values = values.collect();
        Record {
            name: &event.name,
            pid: (shape & 1 != 0).then(|| choices.u32()),
            tid: (shape & 2 != 0).then(|| choices.u32()),
            // The time may be negative, because clocks may go back.
            time_ns: i128::from(choices.u64()) - i128::from(choices.u64()),
            values,
        }
    }
}

impl Subject for Record<'_> {
    fn event_name(&self) -> &str {
        self.name
    }
    fn pid(&self) -> Option<u32> {
        self.pid
    }
    fn tid(&self) -> Option<u32> {
        self.tid
    }
    fn thread_name(&self) -> Option<&str> {
        None
    }
    fn time_ns(&self) -> Option<i128> {
        Some(self.time_ns)
    }
    fn argument(&self, index: usize) -> Option<Value<'_>> {
        self.values.get(index).copied()
    }
}
