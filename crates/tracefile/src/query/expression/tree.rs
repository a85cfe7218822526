//! The tree of a parsed expression, and its evaluation.

use std::cmp::Ordering;

use ringtrace_events::format::Value;
use ringtrace_events::{CType, glob};

use super::token::Decimal;

/// A record, through the interface that expressions use.
pub trait Subject {
    /// The name of the event.
    fn event_name(&self) -> &str;
    /// The process, if the trace contains it.
    fn pid(&self) -> Option<u32>;
    /// The thread, if the trace contains it.
    fn tid(&self) -> Option<u32>;
    /// The name of the thread, if it is known.
    fn thread_name(&self) -> Option<&str>;
    /// Nanoseconds since the smallest time of the trace, if known.
    fn time_ns(&self) -> Option<i128>;
    /// The value of the argument at `index` of the event's declaration, if the record contains it.
    fn argument(&self, index: usize) -> Option<Value<'_>>;
}

/// The meaning of a name for the records of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Argument {
        index: usize,
        ctype: CType,
    },
    /// A constant of the enumeration of an argument.
    Constant(i128),
}

/// A part of an expression that is true, false, or neither.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Condition {
    Any(Vec<Condition>),
    All(Vec<Condition>),
    Not(Box<Condition>),
    Compare(Comparison, Operand, Operand),
    /// The text on the left matches the pattern on the right.
    Matches(Operand, Operand),
    /// A number that is not 0.
    Nonzero(Operand),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Operand {
    /// A number, or a time in nanoseconds.
    Number(i128),
    /// A floating-point number.
    Decimal(Decimal),
    Text(Vec<u8>),
    /// A character in single quotes, usable as text. A single-byte character is also usable as a
    /// number: the value of that byte.
    Letter(Vec<u8>),
    /// An argument, as an index into the names of the expression's arguments.
    Argument(usize),
    Name,
    Pid,
    Tid,
    Thread,
    Time,
    Arithmetic(Arithmetic, Box<(Operand, Operand)>),
    Negative(Box<Operand>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    BitAnd,
}

/// The value of an operand for a record.
#[derive(Debug, Clone, Copy)]
enum Result<'a> {
    Number(i128),
    Double(f64),
    Text(&'a [u8]),
    Letter(&'a [u8]),
    /// No value: no such argument, no pid, division by zero, or a number beyond 128 bits.
    Missing,
}

impl Condition {
    /// Returns the truth value, or `None` if it depends on a missing value.
    pub(super) fn evaluate(&self, places: &[Option<Place>], subject: &impl Subject) -> Option<bool> {
        match self {
            Condition::Any(conditions) => decide(true, conditions, places, subject),
            Condition::All(conditions) => decide(false, conditions, places, subject),
            Condition::Not(condition) => condition.evaluate(places, subject).map(|holds| !holds),
            Condition::Compare(comparison, left, right) => {
                let left = left.evaluate(places, subject);
                let ordering = left.compare(right.evaluate(places, subject))?;
                Some(comparison.holds(ordering))
            }
            Condition::Matches(text, pattern) => {
                let text = text.evaluate(places, subject).text()?;
                Some(glob::matches(pattern.evaluate(places, subject).text()?, text))
            }
            Condition::Nonzero(operand) => match operand.evaluate(places, subject) {
                Result::Double(number) if !number.is_nan() => Some(number != 0.0),
                result => Some(result.number()? != 0),
            },
        }
    }
}

impl Condition {
    /// Adds the strings that are compared with the name of the event, and whether each is a
    /// pattern.
    pub(super) fn event_names(&self, names: &mut Vec<(String, bool)>) {
        let mut add = |text: &[u8], is_pattern| {
            names.push((String::from_utf8_lossy(text).into_owned(), is_pattern));
        };
        match self {
            Condition::Any(all) | Condition::All(all) => all.iter().for_each(|one| one.event_names(names)),
            Condition::Not(condition) => condition.event_names(names),
            Condition::Compare(
                Comparison::Equal | Comparison::NotEqual,
                Operand::Name,
                Operand::Text(text),
            )
            | Condition::Compare(
                Comparison::Equal | Comparison::NotEqual,
                Operand::Text(text),
                Operand::Name,
            ) => {
                add(text, false);
            }
            Condition::Matches(Operand::Name, Operand::Text(pattern)) => add(pattern, true),
            Condition::Compare(..) | Condition::Matches(..) | Condition::Nonzero(_) => {}
        }
    }
}

/// Returns `decisive` if any condition has that value, and the opposite if all conditions have the
/// opposite value.
fn decide(
    decisive: bool,
    conditions: &[Condition],
    places: &[Option<Place>],
    subject: &impl Subject,
) -> Option<bool> {
    let mut all_known = true;
    for condition in conditions {
        match condition.evaluate(places, subject) {
            Some(value) if value == decisive => return Some(decisive),
            value => all_known &= value.is_some(),
        }
    }
    all_known.then_some(!decisive)
}

impl Comparison {
    fn holds(self, ordering: Ordering) -> bool {
        match self {
            Comparison::Equal => ordering.is_eq(),
            Comparison::NotEqual => ordering.is_ne(),
            Comparison::Less => ordering.is_lt(),
            Comparison::LessEqual => ordering.is_le(),
            Comparison::Greater => ordering.is_gt(),
            Comparison::GreaterEqual => ordering.is_ge(),
        }
    }
}

impl Operand {
    #[inline]
    fn evaluate<'a>(&'a self, places: &[Option<Place>], subject: &'a impl Subject) -> Result<'a> {
        let number =
            |number: Option<u32>| number.map_or(Result::Missing, |number| Result::Number(number.into()));
        match self {
            Operand::Number(number) => Result::Number(*number),
            Operand::Decimal(decimal) => Result::Double(decimal.value()),
            Operand::Text(text) => Result::Text(text),
            Operand::Letter(text) => Result::Letter(text),
            Operand::Argument(named) => {
                let (index, ctype) = match places.get(*named).copied().flatten() {
                    Some(Place::Argument { index, ctype }) => (index, ctype),
                    Some(Place::Constant(number)) => return Result::Number(number),
                    None => return Result::Missing,
                };
                match subject.argument(index) {
                    Some(Value::Integer(bits)) if ctype == CType::Double => {
                        Result::Double(f64::from_bits(bits))
                    }
                    Some(Value::Integer(bits)) => Result::Number(ctype.number(bits)),
                    Some(Value::Str(bytes)) => Result::Text(bytes),
                    None => Result::Missing,
                }
            }
            Operand::Name => Result::Text(subject.event_name().as_bytes()),
            Operand::Pid => number(subject.pid()),
            Operand::Tid => number(subject.tid()),
            Operand::Thread => {
                subject.thread_name().map_or(Result::Missing, |name| Result::Text(name.as_bytes()))
            }
            Operand::Time => subject.time_ns().map_or(Result::Missing, Result::Number),
            Operand::Arithmetic(arithmetic, operands) => {
                let left = operands.0.evaluate(places, subject);
                let right = operands.1.evaluate(places, subject);
                if let (Result::Double(_), _) | (_, Result::Double(_)) = (left, right) {
                    let both = left.double().zip(right.double());
                    let result = both.and_then(|(left, right)| arithmetic.apply_to_doubles(left, right));
                    return result.map_or(Result::Missing, Result::Double);
                }
                let both = left.number().zip(right.number());
                let result = both.and_then(|(left, right)| arithmetic.apply(left, right));
                result.map_or(Result::Missing, Result::Number)
            }
            Operand::Negative(operand) => match operand.evaluate(places, subject) {
                Result::Double(number) => Result::Double(-number),
                result => {
                    let negative = result.number().and_then(i128::checked_neg);
                    negative.map_or(Result::Missing, Result::Number)
                }
            },
        }
    }
}

impl Arithmetic {
    /// Computes as in C, but without overflow. Returns `None` if the operation has no result.
    pub(super) fn apply(self, left: i128, right: i128) -> Option<i128> {
        match self {
            Arithmetic::Add => left.checked_add(right),
            Arithmetic::Subtract => left.checked_sub(right),
            Arithmetic::Multiply => left.checked_mul(right),
            Arithmetic::Divide => left.checked_div(right),
            Arithmetic::Remainder => left.checked_rem(right),
            Arithmetic::BitAnd => Some(left & right),
        }
    }

    /// Computes as in C. Returns `None` if the operation has no result.
    fn apply_to_doubles(self, left: f64, right: f64) -> Option<f64> {
        let result = match self {
            Arithmetic::Add => left + right,
            Arithmetic::Subtract => left - right,
            Arithmetic::Multiply => left * right,
            Arithmetic::Divide | Arithmetic::Remainder if right == 0.0 => return None,
            Arithmetic::Divide => left / right,
            Arithmetic::Remainder => left % right,
            Arithmetic::BitAnd => return None,
        };
        Some(result)
    }
}

/// Compares a floating-point number with an integer, exactly.
fn compare_double(double: f64, integer: i128) -> Option<Ordering> {
    if double.is_nan() {
        return None;
    }
    // A double beyond the range of integers is compared correctly, because the conversion saturates
    // and no argument has such a value.
    let whole = double.trunc();
    let fraction = if double.is_infinite() { 0.0 } else { double - whole };
    Some((whole as i128).cmp(&integer).then(fraction.total_cmp(&0.0)))
}

/// Returns the code of a character that is a single byte.
pub(super) fn letter_code(text: &[u8]) -> Option<i128> {
    match text {
        [byte] => Some(i128::from(*byte)),
        _ => None,
    }
}

impl<'a> Result<'a> {
    fn number(self) -> Option<i128> {
        match self {
            Result::Number(number) => Some(number),
            Result::Letter(text) => letter_code(text),
            Result::Double(_) | Result::Text(_) | Result::Missing => None,
        }
    }

    fn double(self) -> Option<f64> {
        match self {
            Result::Double(number) => Some(number),
            _ => Some(self.number()? as f64),
        }
    }

    fn text(self) -> Option<&'a [u8]> {
        match self {
            Result::Text(text) | Result::Letter(text) => Some(text),
            Result::Number(_) | Result::Double(_) | Result::Missing => None,
        }
    }

    /// Compares numbers by value, and strings byte by byte. A number and a string are not ordered.
    #[inline]
    fn compare(self, other: Result<'_>) -> Option<Ordering> {
        match (self, other) {
            (Result::Double(left), Result::Double(right)) => left.partial_cmp(&right),
            (Result::Double(left), _) => compare_double(left, other.number()?),
            (_, Result::Double(right)) => compare_double(right, self.number()?).map(Ordering::reverse),
            (Result::Number(_), _) | (_, Result::Number(_)) => Some(self.number()?.cmp(&other.number()?)),
            _ => Some(self.text()?.cmp(other.text()?)),
        }
    }
}
