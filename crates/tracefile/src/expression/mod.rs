//! Conditions on records, as in `--where 'size >= 4096 && filename ~ "*.qcow2"'`.
//!
//! An [`Expression`] is parsed once, checked once against all declarations, bound once to each event's
//! arguments, and then evaluated for each record, without allocation. `docs/expressions.md` tells users what
//! can be written.
//!
//! Truth has three values: a comparison with something that a record does not have (an argument that its event
//! does not declare, a pid in a version without, a division by zero) is neither true nor false, and neither is
//! its negation. `&&` and `||` are as true or false as what is known allows.

mod build;
mod mistake;
mod parse;
mod token;
mod tree;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use ringtrace_events::CType;
use ringtrace_events::nearest::nearest;

pub use mistake::Mistake;
use mistake::quoted;
pub use tree::Subject;
use tree::{Condition, Place};

/// An expression longer than this is refused.
pub const MAX_BYTES: usize = 64 * 1024;

/// An expression with more operations than this within one another is refused: evaluation is recursive.
/// A chain of `&&` or of `||` counts once, whatever its length; parentheses do not count.
pub const MAX_DEPTH: usize = 100;

/// What every record has; the other names are arguments.
const BUILT_IN_NAMES: [&str; 5] = ["name", "pid", "tid", "thread", "time"];

/// A parsed expression.
#[derive(Debug, Clone)]
pub struct Expression {
    source: String,
    condition: Arc<Condition>,
    /// The arguments that it names, each once.
    names: Vec<String>,
    mentions: Vec<Mention>,
    uses_time: bool,
    uses_thread: bool,
}

/// A place of an expression that names an argument.
#[derive(Debug, Clone)]
struct Mention {
    /// Index into [`Expression::names`].
    name: usize,
    span: Range<usize>,
    /// What the argument must be there, where that can be told.
    kind: Option<Kind>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Text,
}

/// An argument of some declared event.
#[derive(Debug, Clone, Copy)]
pub struct Parameter<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether it is recorded as bytes.
    pub is_string: bool,
}

impl Expression {
    /// Parses `source`. The mistake, if there is one, is the first.
    pub fn parse(source: &str) -> Result<Expression, Mistake> {
        let parse::Parsed { condition, names, mentions, uses_time, uses_thread } = parse::parse(source)?;
        Ok(Expression {
            source: source.to_owned(),
            condition: Arc::new(condition),
            names,
            mentions,
            uses_time,
            uses_thread,
        })
    }

    /// The text it was parsed from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether it asks for [`Subject::time_ns`], so that the smallest time must be known.
    pub fn uses_time(&self) -> bool {
        self.uses_time
    }

    /// Whether it asks for [`Subject::thread_name`].
    pub fn uses_thread(&self) -> bool {
        self.uses_thread
    }

    /// Whether its names can be meant, given the arguments of all events that can occur: a name that no event
    /// has is a mistake, and so is a text where every event that has the argument has a number.
    pub fn check<'a>(&self, parameters: impl IntoIterator<Item = Parameter<'a>>) -> Result<(), Mistake> {
        #[derive(Clone, Copy, Default)]
        struct Seen {
            number: bool,
            text: bool,
        }
        let mut declared: HashMap<&str, Seen> = HashMap::new();
        for parameter in parameters {
            let seen = declared.entry(parameter.name).or_default();
            *if parameter.is_string { &mut seen.text } else { &mut seen.number } = true;
        }
        for mention in &self.mentions {
            let name = self.names[mention.name].as_str();
            let quoted = quoted(name);
            let mistake = |message| Mistake::new(&self.source, mention.span.clone(), message);
            match (declared.get(name), mention.kind) {
                (None, kind) => {
                    let mistake = mistake(format!("no event has an argument {quoted}"));
                    // The order of a map is random; that of the answer must not be.
                    let mut candidates: Vec<&str> = declared.keys().copied().chain(BUILT_IN_NAMES).collect();
                    candidates.sort_unstable();
                    let is_name = ["event", "eventname", "event_name"].contains(&name);
                    return Err(match nearest(name, candidates).or(is_name.then_some("name")) {
                        Some(meant) => mistake.label(format!("did you mean {}?", mistake::quoted(meant))),
                        None if kind != Some(Kind::Number) && name.len() < 40 => {
                            mistake.help(format!("a text stands in quotes: \"{name}\""))
                        }
                        None => mistake,
                    });
                }
                (Some(seen), Some(Kind::Text)) if !seen.text => {
                    return Err(mistake(format!("{quoted} is a number, and is used as a text"))
                        .label("every event that has it declares a number")
                        .help("numbers stand without quotes"));
                }
                (Some(seen), Some(Kind::Number)) if !seen.number => {
                    return Err(mistake(format!("{quoted} is a text, and is used as a number"))
                        .label("every event that has it declares a string")
                        .help("compare it with a text in quotes"));
                }
                (Some(_), _) => {}
            }
        }
        Ok(())
    }

    /// Binds it to an event. `find` gives index and type of the event's argument of a name, if it has one.
    pub fn bind(&self, mut find: impl FnMut(&str) -> Option<(usize, CType)>) -> Bound {
        let places = self.names.iter().map(|name| {
            let (index, ctype) = find(name)?;
            Some(Place { index, ctype })
        });
        Bound { condition: Arc::clone(&self.condition), places: places.collect() }
    }
}

/// An expression for the records of one event.
#[derive(Debug, Clone)]
pub struct Bound {
    condition: Arc<Condition>,
    /// Where the event has the arguments that the expression names.
    places: Box<[Option<Place>]>,
}

impl Bound {
    /// Whether the expression is true for `subject`, a record of the event it is bound to.
    pub fn matches(&self, subject: &impl Subject) -> bool {
        self.evaluate(subject) == Some(true)
    }

    /// Whether the expression is true or false for `subject`; `None` when something it needs is missing.
    pub fn evaluate(&self, subject: &impl Subject) -> Option<bool> {
        self.condition.evaluate(&self.places, subject)
    }
}
