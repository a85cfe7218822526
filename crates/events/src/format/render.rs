//! Renders one conversion.

use super::digits::Digits;
use super::float::{FloatText, Notation};
use super::{Amount, Conversion, Flags, MAX_PADDING, Output, Reads, Value};
use crate::CType;
use crate::ctype::{sign_extend, zero_extend};

/// The parts of a conversion that rendering needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Directive {
    kind: RenderKind,
    /// Whether there are no flags, width or precision. Most conversions are plain and need no
    /// padding.
    plain: bool,
    argument: u16,
    flags: Flags,
    width: Option<Amount>,
    precision: Option<Amount>,
}

#[derive(Debug, Clone, Copy)]
enum RenderKind {
    /// A number in base 10, read as a signed integer of this many bits.
    Signed(u8),
    /// A number in this base, read as an unsigned integer of this many bits.
    Unsigned(Base, u8),
    Character,
    Text,
    Pointer,
    /// A floating-point number. If the encoding is unknown, `0x` and 64 bits in hex.
    Float(Notation),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Base {
    Octal,
    Decimal,
    LowerHex,
    UpperHex,
}

impl Directive {
    /// Returns `None` for conversions that are printed as text: `%%`, and those of arguments that a
    /// trace cannot contain.
    pub(super) fn new(conversion: &Conversion) -> Option<Directive> {
        let kind = match conversion.reads() {
            Reads::Nothing | Reads::Unprintable => return None,
            Reads::Integer { bytes, signed: true } => RenderKind::Signed(bytes * 8),
            Reads::Integer { bytes, signed: false } => {
                let base = match conversion.letter {
                    'o' => Base::Octal,
                    'x' => Base::LowerHex,
                    'X' => Base::UpperHex,
                    _ => Base::Decimal,
                };
                RenderKind::Unsigned(base, bytes * 8)
            }
            Reads::Character => RenderKind::Character,
            Reads::Text => RenderKind::Text,
            Reads::Pointer => RenderKind::Pointer,
            Reads::Float => RenderKind::Float(Notation::of(conversion.letter)),
        };
        let Conversion { flags, width, precision, argument, .. } = *conversion;
        let plain = flags == Flags::default() && width.is_none() && precision.is_none();
        // Events have at most a few thousand arguments. Larger indexes are treated as missing
        // arguments.
        let argument = u16::try_from(argument?).unwrap_or(u16::MAX);
        Some(Directive { kind, plain, argument, flags, width, precision })
    }

    /// Appends the value of the argument, if there is one.
    #[inline]
    pub(super) fn render(&self, types: &[CType], values: &[Value<'_>], out: &mut impl Output) {
        let index = usize::from(self.argument);
        let Some(&value) = values.get(index) else { return };
        match value {
            Value::Integer(bits) => {
                let ctype = types.get(index).copied().unwrap_or(CType::Unknown);
                let bits = ctype.narrow(bits);
                if let (RenderKind::Float(notation), CType::Double) = (self.kind, ctype) {
                    let layout = Layout::resolve(self, types, values);
                    layout.put_float(f64::from_bits(bits), notation, out);
                } else if self.plain {
                    self.render_plain(bits, out);
                } else {
                    let layout = Layout::resolve(self, types, values);
                    self.render_integer(bits, layout, out);
                }
            }
            Value::Str(bytes) if self.plain => out.push_bytes(bytes),
            Value::Str(bytes) => {
                let layout = Layout::resolve(self, types, values);
                let is_text = matches!(self.kind, RenderKind::Text);
                let shown = if is_text { layout.cut(bytes) } else { bytes };
                layout.put_text(shown, out);
            }
        }
    }

    /// The index of the argument, if it is printed as a string.
    pub(super) fn text_argument(&self) -> Option<usize> {
        matches!(self.kind, RenderKind::Text).then_some(usize::from(self.argument))
    }

    /// Appends the value `bits` of an enumeration: its name, or the number if it has none.
    pub(super) fn render_constant(
        &self,
        name: Option<&str>,
        bits: u64,
        types: &[CType],
        values: &[Value<'_>],
        out: &mut impl Output,
    ) {
        let layout = Layout::resolve(self, types, values);
        match name {
            Some(name) => layout.put_text(layout.cut(name.as_bytes()), out),
            None => {
                let number = sign_extend(bits, 32);
                let sign: &[u8] = if number < 0 { b"-" } else { b"" };
                let layout = Layout { precision: None, ..layout };
                layout.put_number(sign, b"", Digits::decimal(number.unsigned_abs()).as_slice(), out);
            }
        }
    }

    #[inline]
    fn render_plain(&self, bits: u64, out: &mut impl Output) {
        match self.kind {
            RenderKind::Signed(size) => {
                let number = sign_extend(bits, size);
                if number < 0 {
                    out.push_byte(b'-');
                }
                Digits::decimal(number.unsigned_abs()).append_to(out);
            }
            RenderKind::Unsigned(base, size) => {
                digits(zero_extend(bits, size), base).append_to(out);
            }
            RenderKind::Character => out.push_byte(bits.to_le_bytes()[0]),
            RenderKind::Pointer if bits == 0 => out.push_bytes(b"(nil)"),
            RenderKind::Pointer | RenderKind::Text | RenderKind::Float(_) => {
                out.push_bytes(b"0x");
                Digits::hex(bits, false).append_to(out);
            }
        }
    }

    fn render_integer(&self, bits: u64, layout: Layout, out: &mut impl Output) {
        let flags = layout.flags;
        let sign: &[u8] = match () {
            () if flags.plus => b"+",
            () if flags.space => b" ",
            () => b"",
        };
        match self.kind {
            RenderKind::Signed(size) => {
                let number = sign_extend(bits, size);
                let sign = if number < 0 { b"-" } else { sign };
                let digits = layout.digits(number.unsigned_abs(), Base::Decimal);
                layout.put_number(sign, b"", digits.as_slice(), out);
            }
            RenderKind::Unsigned(base, size) => {
                let number = zero_extend(bits, size);
                let digits = layout.digits(number, base);
                let digits = digits.as_slice();
                let prefix: &[u8] = match base {
                    Base::LowerHex if flags.alternate && number != 0 => b"0x",
                    Base::UpperHex if flags.alternate && number != 0 => b"0X",
                    // In C, `#` increases the precision so that the first digit is a zero.
                    Base::Octal if flags.alternate => {
                        let has_zero = digits.first() == Some(&b'0') || layout.zeros_of_precision(digits) > 0;
                        if has_zero { b"" } else { b"0" }
                    }
                    _ => b"",
                };
                layout.put_number(b"", prefix, digits, out);
            }
            RenderKind::Character => layout.put_text(&bits.to_le_bytes()[..1], out),
            RenderKind::Pointer if bits == 0 => layout.put_text(b"(nil)", out),
            // glibc prints a pointer like a number with the flag `#`, and honours sign flags.
            RenderKind::Pointer => layout.put_number(sign, b"0x", Digits::hex(bits, false).as_slice(), out),
            RenderKind::Text | RenderKind::Float(_) => {
                let layout = Layout { precision: None, ..layout };
                layout.put_number(b"", b"0x", Digits::hex(bits, false).as_slice(), out);
            }
        }
    }
}

#[inline]
fn digits(number: u64, base: Base) -> Digits {
    match base {
        Base::Octal => Digits::octal(number),
        Base::Decimal => Digits::decimal(number),
        Base::LowerHex => Digits::hex(number, false),
        Base::UpperHex => Digits::hex(number, true),
    }
}

/// Flags, width and precision. Each `*` has been replaced by its value.
#[derive(Clone, Copy)]
struct Layout {
    flags: Flags,
    width: usize,
    precision: Option<usize>,
}

impl Layout {
    fn resolve(directive: &Directive, types: &[CType], values: &[Value<'_>]) -> Layout {
        let read = |amount| match amount {
            Amount::Fixed(fixed) => i64::from(fixed),
            Amount::Argument(argument) => {
                let index = usize::from(argument);
                let ctype = types.get(index).copied().unwrap_or(CType::Unknown);
                match values.get(index) {
                    Some(&Value::Integer(bits)) => sign_extend(ctype.narrow(bits), 32),
                    Some(Value::Str(_)) | None => 0,
                }
            }
        };
        let width = directive.width.map_or(0, read);
        let mut flags = directive.flags;
        flags.left |= width < 0;
        Layout {
            flags,
            width: clamp(width.unsigned_abs()),
            // A negative precision is ignored.
            precision: directive
                .precision
                .map(read)
                .filter(|&value| value >= 0)
                .map(|value| clamp(value.unsigned_abs())),
        }
    }

    /// Returns the digits of `number`. As in C, there are none for 0 with precision 0.
    fn digits(&self, number: u64, base: Base) -> Digits {
        if number == 0 && self.precision == Some(0) { Digits::none() } else { digits(number, base) }
    }

    fn zeros_of_precision(&self, digits: &[u8]) -> usize {
        self.precision.unwrap_or(0).saturating_sub(digits.len())
    }

    /// Truncates a string to the precision.
    fn cut<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        match self.precision {
            // A precision that was clamped does not truncate strings.
            Some(precision) if precision < usize::from(MAX_PADDING) => &text[..precision.min(text.len())],
            _ => text,
        }
    }

    fn put_text(&self, text: &[u8], out: &mut impl Output) {
        let padding = self.width.saturating_sub(text.len());
        if !self.flags.left {
            out.push_repeated(b' ', padding);
        }
        out.push_bytes(text);
        if self.flags.left {
            out.push_repeated(b' ', padding);
        }
    }

    fn put_float(&self, value: f64, notation: Notation, out: &mut impl Output) {
        let sign: &[u8] = match () {
            () if value.is_sign_negative() => b"-",
            () if self.flags.plus => b"+",
            () if self.flags.space => b" ",
            () => b"",
        };
        let text = FloatText::new(value.abs(), notation, self.precision, self.flags.alternate);
        let padding = self.width.saturating_sub(sign.len() + text.length());
        let zero = self.flags.zero && !self.flags.left && value.is_finite();
        if !zero && !self.flags.left {
            out.push_repeated(b' ', padding);
        }
        out.push_bytes(sign);
        out.push_bytes(text.prefix());
        out.push_repeated(b'0', if zero { padding } else { 0 });
        text.append_to(out);
        out.push_repeated(b' ', if self.flags.left { padding } else { 0 });
    }

    fn put_number(&self, sign: &[u8], prefix: &[u8], digits: &[u8], out: &mut impl Output) {
        let zeros = self.zeros_of_precision(digits);
        let padding = self.width.saturating_sub(sign.len() + prefix.len() + zeros + digits.len());
        let (before, zeros, behind) = if self.flags.left {
            (0, zeros, padding)
        } else if self.flags.zero && self.precision.is_none() {
            (0, padding, 0)
        } else {
            (padding, zeros, 0)
        };
        out.push_repeated(b' ', before);
        out.push_bytes(sign);
        out.push_bytes(prefix);
        out.push_repeated(b'0', zeros);
        out.push_bytes(digits);
        out.push_repeated(b' ', behind);
    }
}

fn clamp(amount: u64) -> usize {
    usize::try_from(amount).unwrap_or(usize::MAX).min(usize::from(MAX_PADDING))
}
