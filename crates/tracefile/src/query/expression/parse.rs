//! From words to terms: what binds how tightly.

use std::ops::Range;

use super::build::{Builder, Operator, Sign, Term, Type};
use super::error::{ExpressionError, quoted};
use super::token::{Lexer, Symbol, Token};
use super::tree::{Arithmetic, Comparison, Condition, Operand};
use super::{MAX_BYTES, ParameterUse};

/// What parsing gives.
pub(super) struct Parsed {
    pub condition: Condition,
    /// The arguments' names, each once.
    pub names: Vec<String>,
    /// Every place that names an argument, in order.
    pub mentions: Vec<ParameterUse>,
    pub uses_time: bool,
    pub uses_thread: bool,
}

pub(super) fn parse(source: &str) -> Result<Parsed, ExpressionError> {
    if source.len() > MAX_BYTES {
        let message = format!("the expression is too long: {} bytes", source.len());
        return Err(ExpressionError::new(source, 0..0, message).label(format!("at most {MAX_BYTES}")));
    }
    let mut parser = Parser {
        source,
        lexer: Lexer::new(source),
        token: Token::End,
        span: 0..0,
        pending: Vec::new(),
        terms: Vec::new(),
        builder: Builder::new(source),
    };
    parser.advance()?;
    if parser.token == Token::End {
        let error = parser.builder.error(0..0, "the expression is empty");
        return Err(error.label("expected a condition such as `size >= 4096`"));
    }
    let term = parser.run()?;
    let condition = parser.builder.condition(term)?;
    let Builder { names, mentions, uses_time, uses_thread, .. } = parser.builder;
    Ok(Parsed { condition, names, mentions, uses_time, uses_thread })
}

/// The operators and how tightly they bind. `&` binds as in Rust, not as in C: before comparisons.
const OPERATORS: [(Symbol, Operator, u8); 16] = [
    (Symbol::Or, Operator::Or, 1),
    (Symbol::And, Operator::And, 2),
    (Symbol::Equal, Operator::Compare(Comparison::Equal), COMPARISON_LEVEL),
    (Symbol::NotEqual, Operator::Compare(Comparison::NotEqual), COMPARISON_LEVEL),
    (Symbol::Less, Operator::Compare(Comparison::Less), COMPARISON_LEVEL),
    (Symbol::LessEqual, Operator::Compare(Comparison::LessEqual), COMPARISON_LEVEL),
    (Symbol::Greater, Operator::Compare(Comparison::Greater), COMPARISON_LEVEL),
    (Symbol::GreaterEqual, Operator::Compare(Comparison::GreaterEqual), COMPARISON_LEVEL),
    (Symbol::Matches, Operator::Matches, COMPARISON_LEVEL),
    (Symbol::MatchesNot, Operator::MatchesNot, COMPARISON_LEVEL),
    (Symbol::BitAnd, Operator::Compute(Arithmetic::BitAnd), 4),
    (Symbol::Plus, Operator::Compute(Arithmetic::Add), 5),
    (Symbol::Minus, Operator::Compute(Arithmetic::Subtract), 5),
    (Symbol::Times, Operator::Compute(Arithmetic::Multiply), 6),
    (Symbol::Divide, Operator::Compute(Arithmetic::Divide), 6),
    (Symbol::Remainder, Operator::Compute(Arithmetic::Remainder), 6),
];

const COMPARISON_LEVEL: u8 = 3;

/// Parses without recursion: what waits for its right side is on a stack of its own, so that no nesting of
/// parentheses, however deep, needs the machine's.
struct Parser<'a> {
    source: &'a str,
    lexer: Lexer<'a>,
    /// The word to be looked at next, and where it stands.
    token: Token<'a>,
    span: Range<usize>,
    pending: Vec<Pending>,
    /// The values that the pending operators wait with on their left, and the last one.
    terms: Vec<Term>,
    builder: Builder<'a>,
}

/// What has been read and waits for what comes behind it, and where it stands.
enum Pending {
    Open(Range<usize>),
    Sign(Sign, Range<usize>),
    Operator(Operator, u8, Range<usize>),
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> Result<(), ExpressionError> {
        (self.token, self.span) = self.lexer.next()?;
        Ok(())
    }

    /// The next word as an operator between two terms, and how tightly it binds.
    fn operator(&self) -> Option<(Operator, u8)> {
        let Token::Symbol(found) = self.token else { return None };
        let operator = OPERATORS.iter().find(|(symbol, ..)| *symbol == found);
        operator.map(|&(_, operator, level)| (operator, level))
    }

    /// How the next word is called in a message.
    fn found(&self) -> String {
        match &self.token {
            Token::End => "the end".to_owned(),
            _ => quoted(self.source.get(self.span.clone()).unwrap_or_default()),
        }
    }

    fn expected_value(&self) -> ExpressionError {
        let message = format!("expected a value, found {}", self.found());
        let error = self.builder.error(self.span.clone(), message);
        error.label("such as an argument's name, a number, or a text in quotes")
    }

    fn expected_operator(&self) -> ExpressionError {
        let message = format!("expected an operator, found {}", self.found());
        let error = self.builder.error(self.span.clone(), message);
        match &self.token {
            Token::Name("and" | "AND") => error.label("write `&&`"),
            Token::Name("or" | "OR") => error.label("write `||`"),
            Token::Name("is" | "eq") => error.label("write `==`"),
            Token::Name("like" | "LIKE" | "matches") => error.label("write `~`"),
            Token::Symbol(Symbol::Close) => error.label("nothing is open here"),
            _ => error.label("such as `==`, `<`, `~`, `&&`, `||`"),
        }
    }

    /// The whole expression as one term.
    fn run(&mut self) -> Result<Term, ExpressionError> {
        loop {
            self.value()?;
            while self.token == Token::Symbol(Symbol::Close) {
                self.close()?;
            }
            match self.operator() {
                Some((operator, level)) => self.binary(operator, level)?,
                None if self.token == Token::End => return self.end(),
                None => return Err(self.expected_operator()),
            }
        }
    }

    /// Signs, opening parentheses, and the value behind them.
    fn value(&mut self) -> Result<(), ExpressionError> {
        loop {
            let place = self.span.clone();
            self.pending.push(match self.token {
                Token::Symbol(Symbol::Not) => Pending::Sign(Sign::Not, place),
                Token::Symbol(Symbol::Minus) => Pending::Sign(Sign::Minus, place),
                Token::Symbol(Symbol::Open) => Pending::Open(place),
                _ => break,
            });
            self.advance()?;
        }
        let term = self.primary()?;
        self.terms.push(term);
        Ok(())
    }

    /// A closing parenthesis: what is within is complete.
    fn close(&mut self) -> Result<(), ExpressionError> {
        self.complete(0)?;
        let Some(Pending::Open(opening)) = self.pending.pop() else { return Err(self.expected_operator()) };
        if let Some(term) = self.terms.last_mut() {
            term.span = opening.start..self.span.end;
        }
        self.advance()
    }

    /// An operator between two terms: the left one is complete.
    fn binary(&mut self, operator: Operator, level: u8) -> Result<(), ExpressionError> {
        self.complete(level + 1)?;
        if level == COMPARISON_LEVEL && self.pending_level() == Some(level) {
            let error = self.builder.error(self.span.clone(), "comparisons cannot be chained");
            return Err(error.label("join two with `&&`: `1 < size && size < 9`"));
        }
        self.complete(level)?;
        self.pending.push(Pending::Operator(operator, level, self.span.clone()));
        self.advance()
    }

    /// The end: everything is complete.
    fn end(&mut self) -> Result<Term, ExpressionError> {
        self.complete(0)?;
        if let Some(Pending::Open(opening)) = self.pending.pop() {
            let error = self.builder.error(opening, "a parenthesis without an end");
            return Err(error.label("`)` is missing"));
        }
        self.last_term()
    }

    fn last_term(&mut self) -> Result<Term, ExpressionError> {
        self.terms.pop().ok_or_else(|| self.expected_value())
    }

    /// How tightly the last thing that waits binds; `None` at a parenthesis and at the start.
    fn pending_level(&self) -> Option<u8> {
        match self.pending.last()? {
            Pending::Open(_) => None,
            Pending::Sign(..) => Some(u8::MAX),
            Pending::Operator(_, level, _) => Some(*level),
        }
    }

    /// Joins the last terms as long as what waits for the last one binds at least as tightly as `least`.
    fn complete(&mut self, least: u8) -> Result<(), ExpressionError> {
        while self.pending_level().is_some_and(|level| level >= least) {
            let right = self.last_term()?;
            let term = match self.pending.pop() {
                Some(Pending::Sign(sign, place)) => self.builder.sign(sign, &place, right)?,
                Some(Pending::Operator(operator, _, place)) => {
                    let left = self.last_term()?;
                    self.builder.join(left, operator, &place, right)?
                }
                Some(Pending::Open(_)) | None => right,
            };
            self.terms.push(term);
        }
        Ok(())
    }

    /// A literal or a name.
    fn primary(&mut self) -> Result<Term, ExpressionError> {
        let span = self.span.clone();
        let (operand, operand_type) = match std::mem::replace(&mut self.token, Token::End) {
            Token::Number(number) => (Operand::Number(number), Type::Number),
            Token::Duration(ns) => (Operand::Number(ns), Type::Duration),
            Token::Text(text) => (Operand::Text(text), Type::Text),
            Token::Letter(text) => (Operand::Letter(text), Type::Letter),
            Token::Name(name) => return self.name(name, span),
            other => {
                self.token = other;
                return Err(self.expected_value());
            }
        };
        self.advance()?;
        Ok(self.builder.literal(operand, operand_type, span))
    }

    /// A name, which the parser stands behind in `span`, not having stepped over it.
    fn name(&mut self, name: &'a str, mut span: Range<usize>) -> Result<Term, ExpressionError> {
        self.advance()?;
        let mut name = name;
        let is_qualified = name == "arg" && self.token == Token::Symbol(Symbol::Dot);
        if is_qualified {
            self.advance()?;
            let Token::Name(argument) = self.token else {
                let message = format!("expected an argument's name behind `arg.`, found {}", self.found());
                return Err(self.builder.error(self.span.clone(), message));
            };
            (name, span) = (argument, span.start..self.span.end);
            self.advance()?;
        }
        Ok(self.builder.name(name, is_qualified, span))
    }
}
