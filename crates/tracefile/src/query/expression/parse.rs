//! The parser: operators and their precedence.

use std::ops::Range;
use std::sync::Arc;

use super::build::{Builder, Operator, Sign, Term, Type};
use super::error::{ExpressionError, quoted};
use super::token::{Lexer, Token};
use super::tree::{Arithmetic, Comparison, Operand};
use super::{Expression, MAX_BYTES};

pub(super) fn parse(source: &str) -> Result<Expression, ExpressionError> {
    if source.len() > MAX_BYTES {
        let message = format!("expression is too long: {} bytes (limit {MAX_BYTES})", source.len());
        return Err(ExpressionError::new(source, 0..0, message));
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
    let condition = Arc::new(parser.builder.condition(term)?);
    let Builder { names, mentions, uses_time, uses_thread, .. } = parser.builder;
    Ok(Expression { source: source.to_owned(), condition, names, mentions, uses_time, uses_thread })
}

/// Operators and their precedence. `&` binds tighter than comparisons, as in Rust and unlike C.
const OPERATORS: [(&str, Operator, u8); 16] = [
    ("||", Operator::Or, 1),
    ("&&", Operator::And, 2),
    ("==", Operator::Compare(Comparison::Equal), COMPARISON_LEVEL),
    ("!=", Operator::Compare(Comparison::NotEqual), COMPARISON_LEVEL),
    ("<", Operator::Compare(Comparison::Less), COMPARISON_LEVEL),
    ("<=", Operator::Compare(Comparison::LessEqual), COMPARISON_LEVEL),
    (">", Operator::Compare(Comparison::Greater), COMPARISON_LEVEL),
    (">=", Operator::Compare(Comparison::GreaterEqual), COMPARISON_LEVEL),
    ("~", Operator::Matches, COMPARISON_LEVEL),
    ("!~", Operator::MatchesNot, COMPARISON_LEVEL),
    ("&", Operator::Compute(Arithmetic::BitAnd), 4),
    ("+", Operator::Compute(Arithmetic::Add), 5),
    ("-", Operator::Compute(Arithmetic::Subtract), 5),
    ("*", Operator::Compute(Arithmetic::Multiply), 6),
    ("/", Operator::Compute(Arithmetic::Divide), 6),
    ("%", Operator::Compute(Arithmetic::Remainder), 6),
];

const COMPARISON_LEVEL: u8 = 3;

/// A parser without recursion. Operators that wait for their right side are on an explicit stack,
/// so that deeply nested parentheses cannot overflow the call stack.
struct Parser<'a> {
    source: &'a str,
    lexer: Lexer<'a>,
    token: Token<'a>,
    span: Range<usize>,
    pending: Vec<Pending>,
    /// The left sides of the pending operators, and the last term.
    terms: Vec<Term>,
    builder: Builder<'a>,
}

/// An element that waits for its right side, with its position.
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

    /// Returns the next token as a binary operator, with its precedence.
    fn operator(&self) -> Option<(Operator, u8)> {
        let Token::Symbol(found) = self.token else { return None };
        let operator = OPERATORS.iter().find(|(symbol, ..)| *symbol == found);
        operator.map(|&(_, operator, level)| (operator, level))
    }

    /// Returns a description of the next token for messages.
    fn found(&self) -> String {
        match &self.token {
            Token::End => "the end".to_owned(),
            _ => quoted(self.source.get(self.span.clone()).unwrap_or_default()),
        }
    }

    fn expected_value(&self) -> ExpressionError {
        let message = format!("expected a value, found {}", self.found());
        let error = self.builder.error(self.span.clone(), message);
        error.label("such as an argument's name, a number, or text in quotes")
    }

    fn expected_operator(&self) -> ExpressionError {
        let message = format!("expected an operator, found {}", self.found());
        let error = self.builder.error(self.span.clone(), message);
        match &self.token {
            Token::Name("and" | "AND") => error.label("write `&&`"),
            Token::Name("or" | "OR") => error.label("write `||`"),
            Token::Name("is" | "eq") => error.label("write `==`"),
            Token::Name("like" | "LIKE" | "matches") => error.label("write `~`"),
            Token::Symbol(")") => error.label("no matching `(`"),
            _ => error.label("such as `==`, `<`, `~`, `&&`, `||`"),
        }
    }

    fn run(&mut self) -> Result<Term, ExpressionError> {
        loop {
            self.value()?;
            while self.token == Token::Symbol(")") {
                self.close()?;
            }
            match self.operator() {
                Some((operator, level)) => self.binary(operator, level)?,
                None if self.token == Token::End => return self.end(),
                None => return Err(self.expected_operator()),
            }
        }
    }

    /// Parses signs and opening parentheses, and the value that follows them.
    fn value(&mut self) -> Result<(), ExpressionError> {
        loop {
            let place = self.span.clone();
            self.pending.push(match self.token {
                Token::Symbol("!") => Pending::Sign(Sign::Not, place),
                Token::Symbol("-") => Pending::Sign(Sign::Minus, place),
                Token::Symbol("(") => Pending::Open(place),
                _ => break,
            });
            self.advance()?;
        }
        let term = self.primary()?;
        self.terms.push(term);
        Ok(())
    }

    /// Handles a closing parenthesis: completes the expression inside.
    fn close(&mut self) -> Result<(), ExpressionError> {
        self.complete(0)?;
        let Some(Pending::Open(opening)) = self.pending.pop() else { return Err(self.expected_operator()) };
        if let Some(term) = self.terms.last_mut() {
            term.span = opening.start..self.span.end;
        }
        self.advance()
    }

    /// Handles a binary operator: completes its left side.
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

    fn end(&mut self) -> Result<Term, ExpressionError> {
        self.complete(0)?;
        if let Some(Pending::Open(opening)) = self.pending.pop() {
            let error = self.builder.error(opening, "unclosed parenthesis");
            return Err(error.label("the closing `)` is missing"));
        }
        self.last_term()
    }

    fn last_term(&mut self) -> Result<Term, ExpressionError> {
        self.terms.pop().ok_or_else(|| self.expected_value())
    }

    /// Returns the precedence of the last pending element. Returns `None` at a parenthesis and at
    /// the start.
    fn pending_level(&self) -> Option<u8> {
        match self.pending.last()? {
            Pending::Open(_) => None,
            Pending::Sign(..) => Some(u8::MAX),
            Pending::Operator(_, level, _) => Some(*level),
        }
    }

    /// Joins the last terms while the pending element has at least the precedence `least`.
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

    fn primary(&mut self) -> Result<Term, ExpressionError> {
        let span = self.span.clone();
        let (operand, operand_type) = match std::mem::replace(&mut self.token, Token::End) {
            Token::Number(number) => (Operand::Number(number), Type::Number),
            Token::Duration(ns) => (Operand::Number(ns), Type::Duration),
            Token::Decimal(decimal) => (Operand::Decimal(decimal), Type::Decimal),
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

    /// Parses the rest of a name, which is the current token.
    fn name(&mut self, name: &'a str, mut span: Range<usize>) -> Result<Term, ExpressionError> {
        self.advance()?;
        let mut name = name;
        let is_qualified = name == "arg" && self.token == Token::Symbol(".");
        if is_qualified {
            self.advance()?;
            let Token::Name(argument) = self.token else {
                let message = format!("expected an argument's name after `arg.`, found {}", self.found());
                return Err(self.builder.error(self.span.clone(), message));
            };
            (name, span) = (argument, span.start..self.span.end);
            self.advance()?;
        }
        Ok(self.builder.name(name, is_qualified, span))
    }
}
