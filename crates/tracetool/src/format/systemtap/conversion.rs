//! Converts C's printf conversions to SystemTap's. SystemTap has only 64-bit numbers, no length
//! modifiers, and one flag per conversion.

use ringtrace_events::format::Flags;

/// The part of a C conversion between `%` and the length modifier.
pub(super) struct Written {
    pub flags: Flags,
    pub width: Option<Count>,
    pub precision: Option<Count>,
}

#[derive(Clone)]
pub(super) enum Count {
    Number(u16),
    /// An expression, for `*`.
    Variable(String),
}

/// A SystemTap conversion and its values.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Directive {
    pub format: String,
    pub values: Vec<String>,
}

impl Written {
    /// A string. Only the flag `-` has an effect.
    pub fn text(self, value: String) -> Directive {
        let left = if self.flags.left { "-" } else { "" };
        Directive::new(left, self.width, self.precision, 's', value)
    }

    /// The value in hex, after `0x`.
    pub fn bits(self, value: String) -> Directive {
        let left = if self.flags.left { "-" } else { "" };
        Directive::new(left, self.width, None, 'p', value)
    }

    /// A number, character or address.
    pub fn number(self, letter: char, value: String) -> Directive {
        let Written { flags, width, precision } = self;
        // Without a width, there is nothing to pad.
        let left = flags.left && width.is_some();
        let zeros = flags.zero && width.is_some() && !left && precision.is_none();
        let flag = match letter {
            'd' | 'i' if flags.plus => "+",
            'd' | 'i' if flags.space => " ",
            'x' | 'X' | 'o' if flags.alternate => "#",
            _ => "",
        };
        match (left, zeros) {
            (true, _) if flag.is_empty() => Directive::new("-", width, precision, letter, value),
            (true, _) => {
                let Directive { format, values } = Directive::new(flag, None, precision, letter, value);
                let number = format!("sprintf(\"{format}\", {})", values.join(", "));
                Directive::new("-", width, None, 's', number)
            }
            (false, true) if flag.is_empty() => Directive::new("0", width, None, letter, value),
            // The zeros go between the sign or the prefix and the digits.
            (false, true) => {
                let less = |columns| width.map(|width| width.less(columns));
                match letter {
                    'x' => Directive::new("0", less(2), None, letter, value).behind("0x"),
                    'X' => Directive::new("0", less(2), None, letter, value).behind("0X"),
                    'o' => Directive::new("0", less(1), None, letter, value).behind("0"),
                    // A precision also pads with zeros. It does not count the sign, so it is one
                    // less than the width.
                    _ => Directive::new(flag, None, less(1), letter, value),
                }
            }
            (false, false) => Directive::new(flag, width, precision, letter, value),
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

    fn behind(self, text: &str) -> Directive {
        Directive { format: format!("{text}{}", self.format), ..self }
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
