//! Builds the tree of an expression, and checks types as far as possible before the event is known.

use std::ops::Range;

use super::error::{ExpressionError, NO_UNIT, not_a_time};
use super::token::NS_PER_SECOND;
use super::tree::{Arithmetic, Comparison, Condition, Operand, letter_code};
use super::{MAX_DEPTH, ParameterKind, ParameterUse};

/// A part of an expression: its tree, its position, and the height of the tree.
pub(super) struct Term {
    pub node: Node,
    pub span: Range<usize>,
    pub height: usize,
}

pub(super) enum Node {
    Condition(Condition),
    Operand(Operand, Type),
}

/// The type of an operand, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Number,
    /// A time, in nanoseconds.
    Duration,
    /// A literal such as `1.5`: a floating-point value if it is compared with an argument, otherwise
    /// a time in seconds.
    Decimal,
    Text,
    /// A character: usable as a number or as text.
    Letter,
    /// An argument, which is a number or text depending on its declaration. The value is an index
    /// into [`Builder::mentions`].
    Argument(usize),
}

impl Type {
    fn name(self) -> &'static str {
        match self {
            Type::Number => "a number",
            Type::Duration | Type::Decimal => "a time",
            Type::Text => "text",
            Type::Letter => "a character",
            Type::Argument(_) => "an argument",
        }
    }
}

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

/// Builds terms and records the arguments that they use.
pub(super) struct Builder<'a> {
    source: &'a str,
    /// The names of the arguments, without duplicates.
    pub names: Vec<String>,
    /// Every use of an argument, in order.
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

    pub(super) fn literal(&self, operand: Operand, operand_type: Type, span: Range<usize>) -> Term {
        Term { node: Node::Operand(operand, operand_type), span, height: 1 }
    }

    /// Builds a name. A name after `arg.` is always an argument.
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
                // A folded constant is a leaf.
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

    /// Builds `a || b || c` as one node with three conditions, so that a long chain is not a deep tree.
    fn chain(&mut self, left: Term, operator: Operator, right: Term) -> Result<Term, ExpressionError> {
        let span = left.span.start..right.span.end;
        let (left_height, right_height) = (left.height, right.height);
        let left = self.condition(left)?;
        let right = self.condition(right)?;
        let (mut conditions, height) = match (operator, left) {
            (Operator::Or, Condition::Any(conditions)) | (Operator::And, Condition::All(conditions)) => {
                (conditions, left_height.max(right_height + 1))
            }
            (_, left) => (vec![left], left_height.max(right_height) + 1),
        };
        conditions.push(right);
        let is_or = operator == Operator::Or;
        let condition = if is_or { Condition::Any(conditions) } else { Condition::All(conditions) };
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
        let (mut left, mut left_type) = self.operand(left)?;
        let (mut right, mut right_type) = self.operand(right)?;
        match (left_type, right_type) {
            (Type::Argument(mention), Type::Decimal) | (Type::Decimal, Type::Argument(mention)) => {
                self.need(mention, ParameterKind::Double);
                return Ok(Condition::Compare(comparison, left, right));
            }
            // The result of a computation may be a floating-point number.
            (Type::Number, Type::Decimal) if !matches!(left, Operand::Number(_)) => {
                return Ok(Condition::Compare(comparison, left, right));
            }
            (Type::Decimal, Type::Number) if !matches!(right, Operand::Number(_)) => {
                return Ok(Condition::Compare(comparison, left, right));
            }
            _ => {}
        }
        (left, left_type) = self.time(left, left_type, &spans.0)?;
        (right, right_type) = self.time(right, right_type, &spans.1)?;
        match (left_type, right_type) {
            (Type::Duration, Type::Duration) => {}
            (Type::Duration, Type::Number) if seconds(&mut right) => {}
            (Type::Number, Type::Duration) if seconds(&mut left) => {}
            (Type::Duration, other) => return Err(self.no_time(spans.1, other)),
            (other, Type::Duration) => return Err(self.no_time(spans.0, other)),
            (Type::Number, Type::Text) | (Type::Text, Type::Number) => {
                let error = self.error(operator.clone(), "cannot compare a number with text");
                let (left, right) = (left_type.name(), right_type.name());
                return Err(error.label(format!("{left} on the left, {right} on the right")));
            }
            (Type::Letter, Type::Number) => self.letter(&left, spans.0)?,
            (Type::Number, Type::Letter) => self.letter(&right, spans.1)?,
            (Type::Argument(mention), Type::Number) | (Type::Number, Type::Argument(mention)) => {
                self.need(mention, ParameterKind::Number);
            }
            (Type::Argument(mention), Type::Text) | (Type::Text, Type::Argument(mention)) => {
                self.need(mention, ParameterKind::Text);
            }
            (Type::Number, Type::Number)
            | (Type::Text | Type::Letter | Type::Argument(_) | Type::Decimal, _)
            | (_, Type::Decimal) => {}
        }
        Ok(Condition::Compare(comparison, left, right))
    }

    /// Creates the error for the operand at `span`, which is not a time although the other operand
    /// is one.
    fn no_time(&self, span: Range<usize>, found: Type) -> ExpressionError {
        let error = not_a_time(self.source, span, found.name());
        match found {
            Type::Argument(_) | Type::Number => error.help(NO_UNIT),
            _ => error,
        }
    }

    /// Converts a literal such as `1.5` to a time. Returns other operands unchanged.
    fn time(
        &self,
        operand: Operand,
        operand_type: Type,
        span: &Range<usize>,
    ) -> Result<(Operand, Type), ExpressionError> {
        let Operand::Decimal(decimal) = operand else { return Ok((operand, operand_type)) };
        match decimal.ns {
            Some(ns) => Ok((Operand::Number(ns), Type::Duration)),
            None if self.source.get(span.clone()).is_some_and(|text| text.contains(['e', 'E'])) => {
                let error = self.error(span.clone(), "a time cannot have an exponent");
                Err(error.label("write it as `1.5` (seconds) or `10ms`"))
            }
            None => {
                let error = self.error(span.clone(), "the time is too precise");
                Err(error.label("the smallest unit is 1 ns"))
            }
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
                Type::Number | Type::Duration | Type::Decimal => {
                    let message = format!("expected text, found {}", operand_type.name());
                    let error = self.error(span, message);
                    return Err(error.label("`~` matches text against a pattern: `name ~ \"blk_*\"`"));
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
                    format!("`{text}` cannot be used with {} and {}", left_type.name(), right_type.name());
                let error = self.error(operator.clone(), message);
                return Err(match arithmetic {
                    BitAnd => error.label("`&` needs whole numbers"),
                    Add | Subtract | Remainder => error.label("expected two times, as in `time - 1.5`"),
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
            Sign::Minus if matches!(part.node, Node::Operand(Operand::Decimal(_), _)) => {
                height = 1;
                match self.operand(part)? {
                    (Operand::Decimal(decimal), operand_type) => {
                        Node::Operand(Operand::Decimal(decimal.negative()), operand_type)
                    }
                    (operand, operand_type) => Node::Operand(operand, operand_type),
                }
            }
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
        self.error(span, "the number is too large").label("the limit is 127 bits")
    }

    fn term(&self, node: Node, span: Range<usize>, height: usize) -> Result<Term, ExpressionError> {
        if height > MAX_DEPTH {
            return Err(self.error(span, format!("expression is nested too deeply (limit {MAX_DEPTH})")));
        }
        Ok(Term { node, span, height })
    }

    pub(super) fn condition(&mut self, term: Term) -> Result<Condition, ExpressionError> {
        let (operand, operand_type) = match term.node {
            Node::Condition(condition) => return Ok(condition),
            Node::Operand(operand, operand_type) => (operand, operand_type),
        };
        match operand_type {
            Type::Number => {}
            Type::Argument(mention) => self.need(mention, ParameterKind::Number),
            Type::Duration | Type::Decimal | Type::Text | Type::Letter => {
                let message = format!("expected a condition, found {}", operand_type.name());
                return Err(self.error(term.span, message).label("compare it with a value"));
            }
        }
        Ok(Condition::Nonzero(operand))
    }

    /// Returns the value of a term, which must not be a condition.
    fn operand(&self, term: Term) -> Result<(Operand, Type), ExpressionError> {
        match term.node {
            Node::Operand(operand, operand_type) => Ok((operand, operand_type)),
            Node::Condition(condition) => {
                let error = self.error(term.span, "expected a value, found a condition");
                let error = error.label("this is true or false");
                Err(match condition {
                    Condition::Not(_) => {
                        error.help("`!` binds more tightly than a comparison: write `!(a == b)`")
                    }
                    _ => error,
                })
            }
        }
    }

    /// Returns the value of a term that must be a number or a time.
    fn number(&mut self, term: Term) -> Result<(Operand, Type), ExpressionError> {
        let span = term.span.clone();
        let (operand, operand_type) = self.operand(term)?;
        let (operand, operand_type) = self.time(operand, operand_type, &span)?;
        match operand_type {
            Type::Number | Type::Duration | Type::Decimal => return Ok((operand, operand_type)),
            Type::Argument(mention) => self.need(mention, ParameterKind::Number),
            Type::Letter => self.letter(&operand, span)?,
            Type::Text => return Err(self.error(span, "expected a number, found text")),
        }
        match operand {
            Operand::Letter(text) => Ok((Operand::Number(letter_code(&text).unwrap_or(0)), Type::Number)),
            operand => Ok((operand, Type::Number)),
        }
    }

    /// Checks that a character used as a number is a single byte.
    fn letter(&self, operand: &Operand, span: Range<usize>) -> Result<(), ExpressionError> {
        match operand {
            Operand::Letter(text) if letter_code(text).is_none() => {
                Err(self.error(span, "expected a number, found a multi-byte character"))
            }
            _ => Ok(()),
        }
    }
}

/// Converts `operand` from seconds to nanoseconds, because the other operand is a time. Returns
/// false if `operand` is not a constant, or if the result is too large.
fn seconds(operand: &mut Operand) -> bool {
    let Operand::Number(number) = operand else { return false };
    let Some(ns) = number.checked_mul(i128::from(NS_PER_SECOND)) else { return false };
    *number = ns;
    true
}
