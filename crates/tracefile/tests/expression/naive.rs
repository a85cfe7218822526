//! Random expressions, as trees that can be formatted or evaluated directly.

use proptest::prelude::*;
use proptest::sample::select;
use ringtrace_events::CType;
use ringtrace_events::format::Value;
use ringtrace_tracefile::expression::Subject as _;

use super::Record;

/// An expression tree. Operators are strings.
#[derive(Debug, Clone)]
pub enum Tree {
    /// A literal or a name: its text and its value.
    Leaf(String, Leaf),
    Unary(&'static str, Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    /// Redundant parentheses.
    Parentheses(Box<Tree>),
}

#[derive(Debug, Clone)]
pub enum Leaf {
    Number(i128),
    Text(String),
    Letter(char),
    Argument(&'static str),
    Name,
    Pid,
    Tid,
    Thread,
    Time,
}

/// The value of a tree for a record.
#[derive(Debug, Clone, PartialEq)]
enum Evaluated {
    Number(i128),
    Text(Vec<u8>),
    Letter(char),
    /// A truth value: 0 is false, 1 is neither, 2 is true. `&&` is then the minimum, `||` the
    /// maximum, and `!` subtracts from 2.
    Truth(u8),
    Missing,
}

const LEVELS: [(&[&str], u8); 6] = [
    (&["||"], 1),
    (&["&&"], 2),
    (&["==", "!=", "<", "<=", ">", ">=", "~", "!~"], 3),
    (&["&"], 4),
    (&["+", "-"], 5),
    (&["*", "/", "%"], 6),
];

impl Tree {
    /// Returns the text of the expression.
    pub fn source(&self) -> String {
        match self {
            Tree::Leaf(text, _) => text.clone(),
            Tree::Unary(operator, part) => format!("{operator}{}", part.within(7)),
            Tree::Binary(operator, left, right) => {
                let level = self.level();
                // Comparisons do not associate; all other operators associate to the left.
                let left = left.within(if level == 3 { 4 } else { level });
                format!("{left} {operator} {}", right.within(level + 1))
            }
            Tree::Parentheses(part) => format!("( {} )", part.source()),
        }
    }

    fn within(&self, least: u8) -> String {
        if self.level() < least { format!("({})", self.source()) } else { self.source() }
    }

    fn level(&self) -> u8 {
        match self {
            Tree::Binary(operator, ..) => {
                LEVELS.iter().find(|(operators, _)| operators.contains(operator)).unwrap().1
            }
            _ => 7,
        }
    }

    /// Returns the result of the expression for `record`.
    pub fn evaluate(&self, record: &Record) -> Option<bool> {
        match truth(&self.value(record)) {
            0 => Some(false),
            1 => None,
            _ => Some(true),
        }
    }

    fn value(&self, record: &Record) -> Evaluated {
        match self {
            Tree::Leaf(_, leaf) => leaf.value(record),
            Tree::Parentheses(part) => part.value(record),
            Tree::Unary("!", part) => Evaluated::Truth(2 - truth(&part.value(record))),
            Tree::Unary(_, part) => number(&part.value(record))
                .and_then(i128::checked_neg)
                .map_or(Evaluated::Missing, Evaluated::Number),
            Tree::Binary(operator, left, right) => {
                let (left, right) = (left.value(record), right.value(record));
                match *operator {
                    "&&" => Evaluated::Truth(truth(&left).min(truth(&right))),
                    "||" => Evaluated::Truth(truth(&left).max(truth(&right))),
                    "&" | "+" | "-" | "*" | "/" | "%" => compute(operator, &left, &right),
                    "~" | "!~" => Evaluated::Truth(match (text(&left), text(&right)) {
                        (Some(left), Some(right)) => 2 * u8::from(like(&right, &left) == (*operator == "~")),
                        _ => 1,
                    }),
                    _ => compare(operator, &left, &right),
                }
            }
        }
    }
}

impl Leaf {
    fn value(&self, record: &Record) -> Evaluated {
        let number = |number: Option<u32>| {
            number.map_or(Evaluated::Missing, |number| Evaluated::Number(number.into()))
        };
        match self {
            Leaf::Number(number) => Evaluated::Number(*number),
            Leaf::Text(text) => Evaluated::Text(text.clone().into()),
            Leaf::Letter(letter) => Evaluated::Letter(*letter),
            Leaf::Name => Evaluated::Text(record.event_name().into()),
            Leaf::Pid => number(record.pid()),
            Leaf::Tid => number(record.tid()),
            Leaf::Thread => {
                record.thread_name().map_or(Evaluated::Missing, |name| Evaluated::Text(name.into()))
            }
            Leaf::Time => Evaluated::Number(record.time_ns),
            Leaf::Argument(name) => match record.arguments.iter().find(|argument| argument.0 == *name) {
                Some((_, ctype, Some(Value::Integer(bits)))) => Evaluated::Number(match ctype {
                    CType::Integer { bytes: 4, signed: true } => i128::from(*bits as i32),
                    CType::Integer { bytes: 8, signed: true } => i128::from(*bits as i64),
                    CType::Integer { bytes: 1, signed: false } => i128::from(*bits as u8),
                    _ => i128::from(*bits),
                }),
                Some((_, _, Some(Value::Str(text)))) => Evaluated::Text(text.to_vec()),
                _ => Evaluated::Missing,
            },
        }
    }
}

fn number(value: &Evaluated) -> Option<i128> {
    match value {
        Evaluated::Number(number) => Some(*number),
        Evaluated::Letter(letter) => Some(i128::from(u32::from(*letter))),
        _ => None,
    }
}

fn text(value: &Evaluated) -> Option<Vec<u8>> {
    match value {
        Evaluated::Text(text) => Some(text.clone()),
        Evaluated::Letter(letter) => Some(letter.to_string().into()),
        _ => None,
    }
}

fn truth(value: &Evaluated) -> u8 {
    match value {
        Evaluated::Truth(truth) => *truth,
        Evaluated::Number(number) => 2 * u8::from(*number != 0),
        _ => 1,
    }
}

fn compare(operator: &str, left: &Evaluated, right: &Evaluated) -> Evaluated {
    let ordering = match (left, right) {
        (Evaluated::Letter(_), Evaluated::Letter(_)) => text(left).zip(text(right)).map(|(a, b)| a.cmp(&b)),
        _ => {
            let numbers = number(left).zip(number(right)).map(|(a, b)| a.cmp(&b));
            numbers.or_else(|| text(left).zip(text(right)).map(|(a, b)| a.cmp(&b)))
        }
    };
    let Some(ordering) = ordering else { return Evaluated::Truth(1) };
    Evaluated::Truth(
        2 * u8::from(match operator {
            "==" => ordering.is_eq(),
            "!=" => ordering.is_ne(),
            "<" => ordering.is_lt(),
            "<=" => ordering.is_le(),
            ">" => ordering.is_gt(),
            _ => ordering.is_ge(),
        }),
    )
}

fn compute(operator: &str, left: &Evaluated, right: &Evaluated) -> Evaluated {
    let Some((left, right)) = number(left).zip(number(right)) else { return Evaluated::Missing };
    let result = match operator {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        _ => Some(left & right),
    };
    result.map_or(Evaluated::Missing, Evaluated::Number)
}

/// Returns whether `text` matches `pattern`, by trying all possibilities.
fn like(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some((b'*', rest)) => (0..=text.len()).any(|skipped| like(rest, &text[skipped..])),
        Some((b'?', rest)) => !text.is_empty() && like(rest, &text[1..]),
        Some((byte, rest)) => text.first() == Some(byte) && like(rest, &text[1..]),
    }
}

/// Generates recorded bits. Interesting values are more frequent.
pub fn bits() -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(0),
        1..300u64,
        (1..300i64).prop_map(|number| (-number).cast_unsigned()),
        select(&[1 << 31, (1 << 32) - 1, 1 << 32, 1 << 63, u64::MAX][..]),
        any::<u64>(),
    ]
}

fn leaf(text: impl Into<String>, leaf: Leaf) -> Tree {
    Tree::Leaf(text.into(), leaf)
}

fn number_leaf() -> impl Strategy<Value = Tree> {
    let written = (bits(), 0..5u8).prop_map(|(bits, style)| {
        let text = match style {
            0 => format!("{bits:#x}"),
            1 => format!("0{bits:o}"),
            2 if bits.is_multiple_of(1024) => format!("{}K", bits / 1024),
            3 => format!("{bits:#b}"),
            _ => bits.to_string(),
        };
        leaf(text, Leaf::Number(bits.into()))
    });
    prop_oneof![
        3 => written,
        1 => select(&[("pid", Leaf::Pid), ("tid", Leaf::Tid)][..]).prop_map(|(name, value)| leaf(name, value)),
        1 => letter_leaf(),
        4 => argument_leaf(),
    ]
}

fn argument_leaf() -> impl Strategy<Value = Tree> {
    let names = [
        ("a", "a"),
        ("arg.b", "b"),
        ("c", "c"),
        ("arg.pid", "pid"),
        ("text", "text"),
        ("cut", "cut"),
        ("none", "none"),
    ];
    select(names.to_vec()).prop_map(|(text, name)| leaf(text, Leaf::Argument(name)))
}

fn letter_leaf() -> impl Strategy<Value = Tree> {
    select(&['a', 'x', '*', '?', '\u{7}', '0'][..]).prop_map(|letter| {
        let text = if letter == '\u{7}' { "'\\a'".to_owned() } else { format!("'{letter}'") };
        leaf(text, Leaf::Letter(letter))
    })
}

fn text_leaf() -> impl Strategy<Value = Tree> {
    let texts = ["", "abc", "a*", "*.qcow?", "?", "**", "blk_write", "\u{e9}", "it's", "\"", "\\", "\t"];
    let written = (select(texts.to_vec()), any::<bool>()).prop_map(|(value, single)| {
        let escaped =
            value.replace('\\', "\\\\").replace('\t', "\\t").replace('"', "\\\"").replace('\'', "\\'");
        // A single character in single quotes would be a character literal.
        let quote = if single && value.chars().count() != 1 { '\'' } else { '"' };
        leaf(format!("{quote}{escaped}{quote}"), Leaf::Text(value.to_owned()))
    });
    let names = select(&[("name", Leaf::Name), ("thread", Leaf::Thread)][..])
        .prop_map(|(name, value)| leaf(name, value));
    prop_oneof![3 => written, 2 => names, 1 => letter_leaf(), 2 => argument_leaf()]
}

fn time_leaf() -> impl Strategy<Value = Tree> {
    let written = (0..10_000u32, 0..4u8).prop_map(|(number, style)| {
        let (text, unit_ns) = match style {
            0 => (format!("{number}us"), 1_000),
            1 => (format!("{number}ms"), 1_000_000),
            2 => (format!("{}.{:03}", number / 1000, number % 1000), 1_000_000),
            _ => (format!("{number}ns"), 1),
        };
        leaf(text, Leaf::Number(i128::from(number) * unit_ns))
    });
    prop_oneof![1 => written, 1 => Just(leaf("time", Leaf::Time))]
}

fn binary(operator: &'static str, left: Tree, right: Tree) -> Tree {
    Tree::Binary(operator, Box::new(left), Box::new(right))
}

/// Generates trees in which `part`s are joined by `operators`, negated, or in parentheses.
fn computed(
    part: impl Strategy<Value = Tree> + 'static,
    operators: &'static [&'static str],
) -> impl Strategy<Value = Tree> {
    part.prop_recursive(3, 8, 2, move |inner| {
        prop_oneof![
            3 => (select(operators), inner.clone(), inner.clone())
                .prop_map(|(operator, left, right)| binary(operator, left, right)),
            1 => inner.clone().prop_map(|part| Tree::Unary("-", Box::new(part))),
            1 => inner.prop_map(|part| Tree::Parentheses(Box::new(part))),
        ]
    })
}

/// Generates a random condition with valid types.
pub fn condition() -> impl Strategy<Value = Tree> {
    const COMPARISONS: &[&str] = &["==", "!=", "<", "<=", ">", ">="];
    let number = computed(number_leaf(), &["+", "-", "*", "/", "%", "&"]).boxed();
    let time = computed(time_leaf(), &["+", "-", "%"]).boxed();
    let compare =
        |left: BoxedStrategy<Tree>, right: BoxedStrategy<Tree>, operators: &'static [&'static str]| {
            (select(operators), left, right).prop_map(|(operator, left, right)| binary(operator, left, right))
        };
    let text = text_leaf().boxed();
    let seconds = (0..10u32)
        .prop_map(|number| leaf(number.to_string(), Leaf::Number(i128::from(number) * 1_000_000_000)));
    let part = prop_oneof![
        4 => compare(number.clone(), number.clone(), COMPARISONS),
        2 => compare(text.clone(), text.clone(), COMPARISONS),
        2 => compare(text.clone(), text, &["~", "!~"]),
        1 => compare(time.clone(), time.clone(), COMPARISONS),
        1 => compare(time, seconds.boxed(), COMPARISONS),
        1 => argument_leaf(),
        1 => compare(number.clone(), number, &["&", "-"]),
    ];
    part.prop_recursive(4, 24, 2, |inner| {
        prop_oneof![
            4 => (select(&["&&", "||"][..]), inner.clone(), inner.clone())
                .prop_map(|(operator, left, right)| binary(operator, left, right)),
            1 => inner.clone().prop_map(|part| Tree::Unary("!", Box::new(part))),
            1 => inner.prop_map(|part| Tree::Parentheses(Box::new(part))),
        ]
    })
}
