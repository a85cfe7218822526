//! From parts of an expression to larger ones, with what can be said about types before any event is known.

use std::ops::Range;

use super::error::ExpressionError;
use super::token::NS_PER_SECOND;
use super::tree::{Arithmetic, Comparison, Condition, Operand, letter_code};
use super::{MAX_DEPTH, ParameterKind, ParameterUse};

/// A part of an expression: its tree, where it stands, and how high the tree is.
pub(super) struct Term {
    pub node: Node,
    pub span: Range<usize>,
    pub height: usize,
}

pub(super) enum Node {
    Condition(Condition),
    Operand(Operand, Type),
}

/// What is known of an operand's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Number,
    /// A time, in nanoseconds.
    Duration,
    Text,
    /// A character: a number or a text.
    Letter,
    /// A number or a text, as the event declares it; index of the mention.
    Argument(usize),
}

impl Type {
    fn name(self) -> &'static str {
        match self {
            Type::Number => "a number",
            Type::Duration => "a time",
            Type::Text => "a text",
            Type::Letter => "a character",
            Type::Argument(_) => "an argument",
        }
    }
}

/// What an operator between two terms does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Compare(Comparison),
    Matches,
    MatchesNot,
    Compute(Arithmetic),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Not,
    Minus,
}

/// Makes terms, and remembers what they mention.
pub(super) struct Builder<'a> {
    source: &'a str,
    /// The arguments' names, each once.
    pub names: Vec<String>,
    /// Every place that names an argument, in order.
    pub mentions: Vec<ParameterUse>,
    pub uses_time: bool,
    pub uses_thread: bool,
}

impl<'a> Builder<'a> {
    pub(super) fn new(source: &'a str) -> Builder<'a> {
        Builder { source, names: Vec::new(), mentions: Vec::new(), uses_time: false, uses_thread: false }
    }

    pub(super) fn error(&self, span: Range<usize>, message: impl Into<String>) -> ExpressionError {
        ExpressionError::new(self.source, span, message)
    }

    /// A literal.
    pub(super) fn literal(&self, operand: Operand, operand_type: Type, span: Range<usize>) -> Term {
        Term { node: Node::Operand(operand, operand_type), span, height: 1 }
    }

    /// A name; one behind `arg.` is an argument's, whatever it is.
    pub(super) fn name(&mut self, name: &str, is_qualified: bool, span: Range<usize>) -> Term {
        let (operand, operand_type) = match name {
            _ if is_qualified => self.argument(name, &span),
            "name" => (Operand::Name, Type::Text),
            "pid" => (Operand::Pid, Type::Number),
            "tid" => (Operand::Tid, Type::Number),
            "thread" => {
                self.uses_thread = true;
                (Operand::Thread, Type::Text)
            }
            "time" => {
                self.uses_time = true;
                (Operand::Time, Type::Duration)
            }
            "true" => (Operand::Number(1), Type::Number),
            "false" => (Operand::Number(0), Type::Number),
            _ => self.argument(name, &span),
        };
        self.literal(operand, operand_type, span)
    }

    fn argument(&mut self, name: &str, span: &Range<usize>) -> (Operand, Type) {
        let index = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        self.mentions.push(ParameterUse { name: index, span: span.clone(), kind: None });
        (Operand::Argument(index), Type::Argument(self.mentions.len() - 1))
    }

    /// Two terms with an operator, which stands at `place`, between them.
    pub(super) fn join(
        &mut self,
        left: Term,
        operator: Operator,
        place: &Range<usize>,
        right: Term,
    ) -> Result<Term, ExpressionError> {
        let span = left.span.start..right.span.end;
        let height = left.height.max(right.height) + 1;
        let condition = match operator {
            Operator::Compute(arithmetic) => {
                let (operand, operand_type) = self.compute(arithmetic, place, left, right)?;
                // A folded constant is a leaf, whatever it was made of.
                let height = if matches!(operand, Operand::Number(_)) { 1 } else { height };
                return self.term(Node::Operand(operand, operand_type), span, height);
            }
            Operator::Compare(comparison) => self.compare(comparison, place, left, right)?,
            Operator::Matches => self.matches(left, right)?,
            Operator::MatchesNot => Condition::Not(Box::new(self.matches(left, right)?)),
            Operator::Or | Operator::And => return self.chain(left, operator, right),
        };
        self.term(Node::Condition(condition), span, height)
    }

    /// `a || b || c` is one node of three, so that a long chain is no deep tree.
    fn chain(&mut self, left: Term, operator: Operator, right: Term) -> Result<Term, ExpressionError> {
        let span = left.span.start..right.span.end;
        let (left_height, right_height) = (left.height, right.height);
        let left = self.condition(left)?;
        let right = self.condition(right)?;
        let (condition, height) = match (operator, left) {
            (Operator::Or, Condition::Any(mut conditions)) => {
                conditions.push(right);
                (Condition::Any(conditions), left_height.max(right_height + 1))
            }
            (Operator::And, Condition::All(mut conditions)) => {
                conditions.push(right);
                (Condition::All(conditions), left_height.max(right_height + 1))
            }
            (Operator::Or, left) => (Condition::Any(vec![left, right]), left_height.max(right_height) + 1),
            (_, left) => (Condition::All(vec![left, right]), left_height.max(right_height) + 1),
        };
        self.term(Node::Condition(condition), span, height)
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        operator: &Range<usize>,
        left: Term,
        right: Term,
    ) -> Result<Condition, ExpressionError> {
        let spans = (left.span.clone(), right.span.clone());
        let (mut left, left_type) = self.operand(left)?;
        let (mut right, right_type) = self.operand(right)?;
        match (left_type, right_type) {
            (Type::Duration, Type::Duration) => {}
            (Type::Duration, Type::Number) if seconds(&mut right) => {}
            (Type::Number, Type::Duration) if seconds(&mut left) => {}
            (Type::Duration, other) => return Err(self.no_time(spans.1, other)),
            (other, Type::Duration) => return Err(self.no_time(spans.0, other)),
            (Type::Number, Type::Text) | (Type::Text, Type::Number) => {
                let message = "a number and a text cannot be compared";
                return Err(self.types_differ(operator, message, left_type, right_type));
            }
            (Type::Letter, Type::Number) => self.letter(&left, spans.0)?,
            (Type::Number, Type::Letter) => self.letter(&right, spans.1)?,
            (Type::Argument(mention), Type::Number) | (Type::Number, Type::Argument(mention)) => {
                self.need(mention, ParameterKind::Number);
            }
            (Type::Argument(mention), Type::Text) | (Type::Text, Type::Argument(mention)) => {
                self.need(mention, ParameterKind::Text);
            }
            (Type::Number, Type::Number) | (Type::Text | Type::Letter | Type::Argument(_), _) => {}
        }
        Ok(Condition::Compare(comparison, left, right))
    }

    fn types_differ(
        &self,
        operator: &Range<usize>,
        message: &str,
        left: Type,
        right: Type,
    ) -> ExpressionError {
        let label = format!("{} on the left, {} on the right", left.name(), right.name());
        self.error(operator.clone(), message).label(label)
    }

    /// Something at `span` meets a time and is none.
    fn no_time(&self, span: Range<usize>, found: Type) -> ExpressionError {
        let message = format!("expected a time, found {}", found.name());
        let error = self.error(span, message).label("a time is written as `1.5` (seconds) or `10ms`");
        match found {
            Type::Argument(_) | Type::Number => {
                error.help("arguments have no unit: compare them with whole numbers without a unit")
            }
            _ => error,
        }
    }

    /// `text ~ pattern`
    fn matches(&mut self, text: Term, pattern: Term) -> Result<Condition, ExpressionError> {
        let mut take = |term: Term| {
            let span = term.span.clone();
            let (operand, operand_type) = self.operand(term)?;
            match operand_type {
                Type::Text | Type::Letter => {}
                Type::Argument(mention) => self.need(mention, ParameterKind::Text),
                Type::Number | Type::Duration => {
                    let message = format!("expected a text, found {}", operand_type.name());
                    let error = self.error(span, message);
                    return Err(error.label("`~` compares a text with a pattern: `name ~ \"blk_*\"`"));
                }
            }
            Ok(operand)
        };
        Ok(Condition::Matches(take(text)?, take(pattern)?))
    }

    fn compute(
        &mut self,
        arithmetic: Arithmetic,
        operator: &Range<usize>,
        left: Term,
        right: Term,
    ) -> Result<(Operand, Type), ExpressionError> {
        use Arithmetic::{Add, BitAnd, Divide, Multiply, Remainder, Subtract};
        let span = left.span.start..right.span.end;
        let right_span = right.span.clone();
        let (mut left, left_type) = self.number(left)?;
        let (mut right, right_type) = self.number(right)?;
        let result = match (arithmetic, left_type, right_type) {
            (_, Type::Number, Type::Number) => Type::Number,
            (Add | Subtract | Remainder, Type::Duration, Type::Duration) => Type::Duration,
            (Add | Subtract | Remainder, Type::Duration, _) if seconds(&mut right) => Type::Duration,
            (Add | Subtract | Remainder, _, Type::Duration) if seconds(&mut left) => Type::Duration,
            (Divide, Type::Duration, Type::Duration) => Type::Number,
            (Divide, Type::Duration, _) => Type::Duration,
            (Multiply, Type::Duration, Type::Number) | (Multiply, Type::Number, Type::Duration) => {
                Type::Duration
            }
            _ => {
                let text = self.source.get(operator.clone()).unwrap_or_default();
                let message =
                    format!("`{text}` does not work on {} and {}", left_type.name(), right_type.name());
                let error = self.error(operator.clone(), message);
                return Err(match arithmetic {
                    BitAnd => error.label("`&` is for whole numbers"),
                    Add | Subtract | Remainder => error.label("expected two times, such as `time - 1.5`"),
                    Multiply | Divide => error,
                });
            }
        };
        if matches!(arithmetic, Divide | Remainder) && right == Operand::Number(0) {
            return Err(self.error(right_span, "division by zero"));
        }
        let operand = match (&left, &right) {
            (Operand::Number(left), Operand::Number(right)) => match arithmetic.apply(*left, *right) {
                Some(number) => Operand::Number(number),
                None => return Err(self.too_large(span)),
            },
            _ => Operand::Arithmetic(arithmetic, Box::new((left, right))),
        };
        Ok((operand, result))
    }

    /// `!a` or `-a`
    pub(super) fn sign(
        &mut self,
        sign: Sign,
        place: &Range<usize>,
        part: Term,
    ) -> Result<Term, ExpressionError> {
        let span = place.start..part.span.end;
        let mut height = part.height + 1;
        let node = match sign {
            Sign::Not => Node::Condition(Condition::Not(Box::new(self.condition(part)?))),
            Sign::Minus => match self.number(part)? {
                (Operand::Number(number), operand_type) => match number.checked_neg() {
                    Some(negative) => {
                        height = 1;
                        Node::Operand(Operand::Number(negative), operand_type)
                    }
                    None => return Err(self.too_large(span)),
                },
                (operand, operand_type) => Node::Operand(Operand::Negative(Box::new(operand)), operand_type),
            },
        };
        self.term(node, span, height)
    }

    fn need(&mut self, mention: usize, kind: ParameterKind) {
        if let Some(mention) = self.mentions.get_mut(mention) {
            mention.kind = Some(kind);
        }
    }

    fn too_large(&self, span: Range<usize>) -> ExpressionError {
        self.error(span, "the number is too large").label("at most 127 bits")
    }

    fn too_deep(&self, span: Range<usize>) -> ExpressionError {
        let error = self.error(span, "the expression is nested too deeply");
        error.label(format!("at most {MAX_DEPTH} operations within one another"))
    }

    fn term(&self, node: Node, span: Range<usize>, height: usize) -> Result<Term, ExpressionError> {
        if height > MAX_DEPTH { Err(self.too_deep(span)) } else { Ok(Term { node, span, height }) }
    }

    /// A term where something true or false is asked for.
    pub(super) fn condition(&mut self, term: Term) -> Result<Condition, ExpressionError> {
        let (operand, operand_type) = match term.node {
            Node::Condition(condition) => return Ok(condition),
            Node::Operand(operand, operand_type) => (operand, operand_type),
        };
        match operand_type {
            Type::Number => {}
            Type::Argument(mention) => self.need(mention, ParameterKind::Number),
            Type::Duration | Type::Text | Type::Letter => {
                let message = format!("expected a condition, found {}", operand_type.name());
                return Err(self.error(term.span, message).label("compare it with something"));
            }
        }
        Ok(Condition::Nonzero(operand))
    }

    /// A term where something with a value is asked for.
    fn operand(&self, term: Term) -> Result<(Operand, Type), ExpressionError> {
        match term.node {
            Node::Operand(operand, operand_type) => Ok((operand, operand_type)),
            Node::Condition(condition) => {
                let error = self.error(term.span, "expected a value, found a condition");
                let error = error.label("this is true or false");
                Err(match condition {
                    Condition::Not(_) => error.help("`!` binds tighter than a comparison: write `!(a == b)`"),
                    _ => error,
                })
            }
        }
    }

    /// A term where a number or a time is asked for.
    fn number(&mut self, term: Term) -> Result<(Operand, Type), ExpressionError> {
        let span = term.span.clone();
        let (operand, operand_type) = self.operand(term)?;
        match operand_type {
            Type::Number | Type::Duration => return Ok((operand, operand_type)),
            Type::Argument(mention) => self.need(mention, ParameterKind::Number),
            Type::Letter => self.letter(&operand, span)?,
            Type::Text => return Err(self.error(span, "expected a number, found a text")),
        }
        match operand {
            Operand::Letter(text) => Ok((Operand::Number(letter_code(&text).unwrap_or(0)), Type::Number)),
            operand => Ok((operand, Type::Number)),
        }
    }

    /// A character is used as a number: it must be one byte.
    fn letter(&self, operand: &Operand, span: Range<usize>) -> Result<(), ExpressionError> {
        match operand {
            Operand::Letter(text) if letter_code(text).is_none() => {
                Err(self.error(span, "expected a number, found a character of several bytes"))
            }
            _ => Ok(()),
        }
    }
}

/// Makes a whole number that meets a time a time: it is in seconds. Only a constant can be meant so.
fn seconds(operand: &mut Operand) -> bool {
    match operand {
        Operand::Number(number) => match number.checked_mul(i128::from(NS_PER_SECOND)) {
            Some(ns) => {
                *number = ns;
                true
            }
            None => false,
        },
        _ => false,
    }
}
