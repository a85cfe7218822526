//! One conversion of C's printf in SystemTap's, which knows numbers of 64 bits only, so no lengths, and takes one flag.

use ringtrace_events::format::Flags;

/// What C has between the `%` and the length.
pub(super) struct Written {
    pub flags: Flags,
    pub width: Option<Count>,
    pub precision: Option<Count>,
}

/// A width or a precision.
#[derive(Clone)]
pub(super) enum Count {
    Number(u16),
    /// An expression, for `*`.
    Variable(String),
}

/// A conversion, and what stands for it behind the literal.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Directive {
    pub format: String,
    pub values: Vec<String>,
}

impl Written {
    /// A text: of the flags only `-` means something.
    pub fn text(self, value: String) -> Directive {
        let left = if self.flags.left { "-" } else { "" };
        Directive::new(left, self.width, self.precision, 's', value)
    }

    /// Bits in hex, behind `0x`.
    pub fn bits(self, value: String) -> Directive {
        let left = if self.flags.left { "-" } else { "" };
        Directive::new(left, self.width, None, 'p', value)
    }

    /// A number, character or address.
    pub fn number(self, letter: char, value: String) -> Directive {
        let Written { flags, width, precision } = self;
        let zeros = flags.zero && !flags.left && precision.is_none();
        let (prefix, prefix_columns) = match letter {
            'd' | 'i' if flags.plus => ("+", 1),
            'd' | 'i' if flags.space => (" ", 1),
            'x' | 'X' if flags.alternate => ("#", 2),
            // Zeros up to a width begin with one as well.
            'o' if flags.alternate && !(zeros && width.is_some()) => ("#", 0),
            _ => ("", 0),
        };
        match width {
            Some(width) if flags.left && !prefix.is_empty() => {
                let Directive { format, values } = Directive::new(prefix, None, precision, letter, value);
                let number = format!("sprintf(\"{format}\", {})", values.join(", "));
                Directive::new("-", Some(width), None, 's', number)
            }
            Some(width) if zeros && !prefix.is_empty() => {
                // Up to that many columns, also digits make zeros.
                Directive::new(prefix, None, Some(width.less(prefix_columns)), letter, value)
            }
            width if zeros => Directive::new("0", width, None, letter, value),
            width if flags.left => Directive::new("-", width, precision, letter, value),
            width => Directive::new(prefix, width, precision, letter, value),
        }
    }
}

impl Directive {
    fn new(
        flag: &str,
        width: Option<Count>,
        precision: Option<Count>,
        letter: char,
        value: String,
    ) -> Directive {
        let mut directive = Directive { format: format!("%{flag}"), values: Vec::new() };
        if let Some(width) = width {
            directive.count(width);
        }
        if let Some(precision) = precision {
            directive.format.push('.');
            directive.count(precision);
        }
        directive.format.push(letter);
        directive.values.push(value);
        directive
    }

    fn count(&mut self, count: Count) {
        match count {
            Count::Number(number) => self.format.push_str(&number.to_string()),
            Count::Variable(name) => {
                self.format.push('*');
                self.values.push(name);
            }
        }
    }
}

impl Count {
    fn less(self, columns: u16) -> Count {
        match self {
            Count::Number(number) => Count::Number(number.saturating_sub(columns)),
            Count::Variable(name) => Count::Variable(format!("{name} - {columns}")),
        }
    }
}
