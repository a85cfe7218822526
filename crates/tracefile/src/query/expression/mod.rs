//! Conditions on records, as in `--where 'size >= 4096 && filename ~ "*.qcow2"'`.
//!
//! An [`Expression`] is parsed once, checked once against all declarations, and bound once to each
//! event's arguments. It is then evaluated for each record without allocation.
//! `docs/expressions.md` is the reference for users.
//!
//! Logic has three values. A comparison with a missing value is neither true nor false, and neither
//! is its negation. These values are missing: an argument that the event does not declare, a pid in
//! a version without pids, and the result of a division by zero. `&&` and `||` are true or false if
//! their known sides determine the result.

mod build;
mod error;
mod parse;
mod token;
mod tree;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use ringtrace_events::CType;
use ringtrace_events::nearest::nearest;
use ringtrace_wire::simpletrace::ArgumentKind;

use crate::entry::Schema;

pub use error::ExpressionError;
use error::quoted;
pub use tree::Subject;
use tree::{Condition, Place};

/// The maximum length of an expression, in bytes.
pub const MAX_BYTES: usize = 64 * 1024;

/// The maximum depth of nested operations. The limit exists because evaluation is recursive. A
/// chain of `&&` or of `||` counts as one operation. Parentheses do not count.
pub const MAX_DEPTH: usize = 100;

/// Names that every record has. All other names are arguments.
const BUILT_IN_NAMES: [&str; 5] = ["name", "pid", "tid", "thread", "time"];

/// A parsed expression.
#[derive(Debug, Clone)]
pub struct Expression {
    source: String,
    condition: Arc<Condition>,
    /// The names of the arguments, without duplicates.
    names: Vec<String>,
    mentions: Vec<ParameterUse>,
    uses_time: bool,
    uses_thread: bool,
}

#[derive(Debug, Clone)]
struct ParameterUse {
    /// Index into [`Expression::names`].
    name: usize,
    span: Range<usize>,
    /// The required type of the argument, if the expression determines it.
    kind: Option<ParameterKind>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ParameterKind {
    Number,
    /// A floating-point value.
    Double,
    Text,
}

/// An argument of a declared event.
#[derive(Debug, Clone, Copy)]
pub struct Parameter<'a> {
    /// The argument's name.
    pub name: &'a str,
    /// True if the argument is recorded as bytes.
    pub is_string: bool,
    /// True if the argument is a floating-point value.
    pub is_double: bool,
}

impl Expression {
    /// Parses `source`.
    ///
    /// # Errors
    /// Returns the first error in `source`.
    pub fn parse(source: &str) -> Result<Expression, ExpressionError> {
        parse::parse(source)
    }

    /// Returns the source text of the expression.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the strings with which the expression compares event names, and whether each is a
    /// pattern.
    pub fn event_names(&self) -> Vec<(String, bool)> {
        let mut names = Vec::new();
        self.condition.event_names(&mut names);
        names
    }

    /// Returns true if the expression uses [`Subject::time_ns`]. If so, the caller must determine
    /// the smallest time of the trace.
    pub fn uses_time(&self) -> bool {
        self.uses_time
    }

    /// Returns true if the expression uses [`Subject::thread_name`].
    pub fn uses_thread(&self) -> bool {
        self.uses_thread
    }

    /// Checks the names against the arguments and enumerations of `schemas`, which are those of all events that
    /// can occur. If there are none, every name is accepted.
    ///
    /// # Errors
    /// See [`Expression::check`].
    pub fn check_schemas<'s>(
        &self,
        schemas: impl IntoIterator<Item = &'s Schema>,
    ) -> Result<(), ExpressionError> {
        let mut schemas = schemas.into_iter().peekable();
        if schemas.peek().is_none() {
            return Ok(());
        }
        self.check(schemas.flat_map(|schema| {
            let arguments = schema.arguments.iter().zip(&schema.kinds).map(|(argument, kind)| Parameter {
                name: &argument.name,
                is_string: *kind == ArgumentKind::Str,
                is_double: argument.ctype == CType::Double,
            });
            let enumerations = schema.arguments.iter().filter_map(|argument| argument.enumeration.as_ref());
            let constants = enumerations.flat_map(|enumeration| &enumeration.constants);
            let constants = constants.map(|constant| Parameter {
                name: &constant.name,
                is_string: false,
                is_double: false,
            });
            arguments.chain(constants)
        }))
    }

    /// Checks the names against the arguments of all events that can occur.
    ///
    /// # Errors
    /// Returns an error for a name that no event has. Also returns an error if the expression uses
    /// an argument as text but every event with this argument declares it as a number, and vice
    /// versa.
    pub fn check<'a>(
        &self,
        parameters: impl IntoIterator<Item = Parameter<'a>>,
    ) -> Result<(), ExpressionError> {
        // For each name, whether an event declares it as a number, and whether one declares it as
        // text.
        let mut declared: HashMap<&str, (bool, bool)> = HashMap::new();
        let mut doubles: HashSet<&str> = HashSet::new();
        for parameter in parameters {
            let (number, text) = declared.entry(parameter.name).or_default();
            *if parameter.is_string { text } else { number } = true;
            if parameter.is_double {
                doubles.insert(parameter.name);
            }
        }
        for mention in &self.mentions {
            let name = self.names[mention.name].as_str();
            let quoted = quoted(name);
            let error = |message| ExpressionError::new(&self.source, mention.span.clone(), message);
            match (declared.get(name), mention.kind) {
                (None, kind) => {
                    let error = error(format!("no event has an argument {quoted}"));
                    // Sort, because the order of a map is random.
                    let mut candidates: Vec<&str> = declared.keys().copied().chain(BUILT_IN_NAMES).collect();
                    candidates.sort_unstable();
                    let is_name = ["event", "eventname", "event_name"].contains(&name);
                    return Err(match nearest(name, candidates).or(is_name.then_some("name")) {
                        Some(meant) => error.label(format!("did you mean {}?", error::quoted(meant))),
                        None if !matches!(kind, Some(ParameterKind::Number | ParameterKind::Double))
                            && name.len() < 40 =>
                        {
                            error.help(format!("write text in quotes: \"{name}\""))
                        }
                        None => error,
                    });
                }
                (Some((_, false)), Some(ParameterKind::Text)) => {
                    return Err(error(format!("{quoted} is a number but is used as text"))
                        .label("every event with this argument declares it as a number")
                        .help("write numbers without quotes"));
                }
                (Some((true, _)), Some(ParameterKind::Double)) if !doubles.contains(name) => {
                    return Err(error(format!("{quoted} is a whole number but is compared with a fraction"))
                        .label("every event with this argument declares it as an integer")
                        .help(error::NO_UNIT));
                }
                (Some((false, _)), Some(ParameterKind::Number | ParameterKind::Double)) => {
                    return Err(error(format!("{quoted} is text but is used as a number"))
                        .label("every event with this argument declares it as a string")
                        .help("compare it with text in quotes"));
                }
                (Some(_), _) => {}
            }
        }
        Ok(())
    }

    /// Binds the expression to an event. `find` returns the index and type of an argument by name.
    pub fn bind(&self, find: impl FnMut(&str) -> Option<(usize, CType)>) -> Bound {
        self.bind_with_constants(find, |_| None)
    }

    /// Binds the expression to an event. A name that is not an argument may be a constant: `constant`
    /// returns its value.
    pub fn bind_with_constants(
        &self,
        mut find: impl FnMut(&str) -> Option<(usize, CType)>,
        mut constant: impl FnMut(&str) -> Option<i32>,
    ) -> Bound {
        let places = self.names.iter().map(|name| match find(name) {
            Some((index, ctype)) => Some(Place::Argument { index, ctype }),
            None => Some(Place::Constant(constant(name)?.into())),
        });
        Bound { condition: Arc::clone(&self.condition), places: places.collect() }
    }
}

/// An expression bound to one event.
#[derive(Debug, Clone)]
pub struct Bound {
    condition: Arc<Condition>,
    /// The event's arguments, in the order of [`Expression::names`].
    places: Box<[Option<Place>]>,
}

impl Bound {
    /// Returns true if the expression is true for `subject`, a record of the bound event.
    pub fn matches(&self, subject: &impl Subject) -> bool {
        self.evaluate(subject) == Some(true)
    }

    /// Evaluates the expression for `subject`. Returns `None` if the result depends on a missing
    /// value.
    pub fn evaluate(&self, subject: &impl Subject) -> Option<bool> {
        self.condition.evaluate(&self.places, subject)
    }
}
