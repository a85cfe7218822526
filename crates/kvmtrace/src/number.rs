//! Numbers as Python 2 prints them.
//!
//! Python's two integer types differ in their limits: an `int` is formatted by C's printf into a
//! buffer of fixed size, but a `long` is not. Floats print as in C, except for `%s` and `%r`.

use std::io::Write;

use crate::arguments::Value;
use crate::format::{Conversion, ConversionError, FormatErrorKind, Spec};

/// The number of digits that fit into the buffer that Python 2 uses to format an `int`.
pub const MAX_INT_PRECISION: usize = 116;

/// All digits of a double beyond this many are zero.
const MAX_FLOAT_DIGITS: usize = 1100;

/// The default precision of `%e`, `%f` and `%g`.
const DEFAULT_PRECISION: usize = 6;

/// The maximum number of digits that `%s` prints for a float.
const STR_DIGITS: usize = 12;

/// With this many digits or more before the decimal point, `%r` prints an exponent.
const REPR_DIGITS: usize = 17;

pub(super) fn render(
    value: Value,
    conversion: Conversion,
    spec: &Spec,
    out: &mut Vec<u8>,
) -> Result<(), ConversionError> {
    match conversion {
        Conversion::Decimal | Conversion::Octal | Conversion::Hex { .. } => {
            let value = match value {
                // `as` rounds toward zero, as Python does. Seconds always fit.
                Value::Float(value) => Value::Int(value as i64),
                value => value,
            };
            return render_integer(value, conversion, spec, out);
        }
        Conversion::Fixed | Conversion::Exponent { .. } | Conversion::General { .. } => {
            let value = match value {
                Value::Int(value) => value as f64,
                Value::Long(value) => value as f64,
                Value::Float(value) => value,
            };
            let mut digits = String::new();
            float_digits(value.abs(), conversion, spec, &mut digits);
            lay_out(value.is_sign_negative(), "", digits.as_bytes(), spec, out);
        }
        Conversion::Byte => match value {
            Value::Float(_) => return Err(ConversionError::Mistyped),
            Value::Int(value) => render_byte(value.into(), spec, out)?,
            Value::Long(value) => render_byte(value, spec, out)?,
        },
        Conversion::Str => {
            let mut text = Vec::new();
            render_str(value, &mut text);
            render_text(&text, spec, out);
        }
        Conversion::Repr => {
            let mut text = Vec::new();
            render_repr(value, &mut text);
            render_text(&text, spec, out);
        }
    }
    Ok(())
}

/// Appends text, truncated to the precision and padded with blanks to the width.
pub(super) fn render_text(text: &[u8], spec: &Spec, out: &mut Vec<u8>) {
    let length = spec.precision.map_or(text.len(), |precision| precision.min(text.len()));
    let padding = spec.width.saturating_sub(length);
    if !spec.left {
        out.resize(out.len() + padding, b' ');
    }
    out.extend_from_slice(&text[..length]);
    if spec.left {
        out.resize(out.len() + padding, b' ');
    }
}

fn render_byte(value: i128, spec: &Spec, out: &mut Vec<u8>) -> Result<(), ConversionError> {
    let byte = u8::try_from(value).map_err(|_| ConversionError::Format(FormatErrorKind::NoByte(value)))?;
    render_text(&[byte], &Spec { precision: None, ..*spec }, out);
    Ok(())
}

pub(super) fn render_repr(value: Value, out: &mut Vec<u8>) {
    match value {
        Value::Float(value) => {
            let (digits, exponent) = split(&format!("{:e}", value.abs()));
            render_float(value, digits.trim_end_matches('0'), exponent, REPR_DIGITS, out);
        }
        value => {
            render_str(value, out);
            if matches!(value, Value::Long(_)) {
                out.push(b'L');
            }
        }
    }
}

fn render_str(value: Value, out: &mut Vec<u8>) {
    // Writing to a Vec cannot fail.
    let _ = match value {
        Value::Int(value) => write!(out, "{value}"),
        Value::Long(value) => write!(out, "{value}"),
        Value::Float(value) => {
            let (digits, exponent) = rounded(value.abs(), STR_DIGITS);
            render_float(value, &digits, exponent, STR_DIGITS, out);
            Ok(())
        }
    };
}

/// Appends a float, given its digits and the exponent of the first digit. The result always has a
/// point or an exponent. A number with `limit` or more digits before the point has an exponent.
fn render_float(value: f64, digits: &str, exponent: i32, limit: usize, out: &mut Vec<u8>) {
    let digits = if digits.is_empty() { "0" } else { digits };
    let mut text = String::new();
    if exponent < -4 || exponent >= limit as i32 - 1 {
        exponent_form(digits, exponent, false, false, &mut text);
    } else {
        point_form(digits, exponent, &mut text);
        if !text.contains('.') {
            text.push_str(".0");
        }
    }
    if value.is_sign_negative() {
        out.push(b'-');
    }
    out.extend_from_slice(text.as_bytes());
}

fn render_integer(
    value: Value,
    conversion: Conversion,
    spec: &Spec,
    out: &mut Vec<u8>,
) -> Result<(), ConversionError> {
    let (value, is_int) = match value {
        Value::Int(value) => (i128::from(value), true),
        Value::Long(value) => (value, false),
        Value::Float(_) => return Err(ConversionError::Mistyped),
    };
    let precision = spec.precision.unwrap_or(1);
    if is_int && precision > MAX_INT_PRECISION {
        return Err(ConversionError::Format(FormatErrorKind::Precision(precision)));
    }
    let mut buffer = [0; 48];
    let digits = match conversion {
        Conversion::Octal => digits_of(value.unsigned_abs(), 8, false, &mut buffer),
        Conversion::Hex { upper } => digits_of(value.unsigned_abs(), 16, upper, &mut buffer),
        _ => digits_of(value.unsigned_abs(), 10, false, &mut buffer),
    };
    // C prints no digits for zero with a precision of zero.
    let digits = if is_int && precision == 0 && value == 0 { &[] } else { digits };
    let prefix = match conversion {
        Conversion::Hex { upper: false } if spec.alternate => "0x",
        Conversion::Hex { upper: true } if spec.alternate => "0X",
        Conversion::Octal if spec.alternate && digits.first() != Some(&b'0') && precision <= digits.len() => {
            "0"
        }
        _ => "",
    };
    if precision <= digits.len() {
        lay_out(value < 0, prefix, digits, spec, out);
    } else {
        let mut padded = vec![b'0'; precision - digits.len()];
        padded.extend_from_slice(digits);
        lay_out(value < 0, prefix, &padded, spec, out);
    }
    Ok(())
}

/// Writes the digits of `value`, at least one, to the end of `buffer` and returns them.
fn digits_of(mut value: u128, radix: u32, upper: bool, buffer: &mut [u8; 48]) -> &[u8] {
    let radix = u128::from(radix);
    let mut start = buffer.len();
    loop {
        start -= 1;
        // The cast cannot truncate: a digit is less than 16.
        let digit = (value % radix) as u8;
        buffer[start] = match digit {
            0..=9 => b'0' + digit,
            _ if upper => b'A' + digit - 10,
            _ => b'a' + digit - 10,
        };
        value /= radix;
        if value == 0 || start == 0 {
            return &buffer[start..];
        }
    }
}

/// Appends sign, prefix and digits, padded to the width. The padding is blanks before the sign,
/// zeros after the prefix, or blanks at the end.
fn lay_out(negative: bool, prefix: &str, digits: &[u8], spec: &Spec, out: &mut Vec<u8>) {
    let sign = match spec {
        _ if negative => "-",
        Spec { plus: true, .. } => "+",
        Spec { blank: true, .. } => " ",
        _ => "",
    };
    let padding = spec.width.saturating_sub(sign.len() + prefix.len() + digits.len());
    let end = out.len() + padding;
    if !spec.left && !spec.zero {
        out.resize(end, b' ');
    }
    out.extend_from_slice(sign.as_bytes());
    out.extend_from_slice(prefix.as_bytes());
    if !spec.left && spec.zero {
        out.resize(end + sign.len() + prefix.len(), b'0');
    }
    out.extend_from_slice(digits);
    if spec.left {
        out.resize(end + sign.len() + prefix.len() + digits.len(), b' ');
    }
}

/// Appends the digits of a positive float as C's printf does.
fn float_digits(value: f64, conversion: Conversion, spec: &Spec, text: &mut String) {
    let precision = spec.precision.unwrap_or(DEFAULT_PRECISION);
    match conversion {
        Conversion::Exponent { upper } => {
            let scientific = format!("{value:.*e}", precision.min(MAX_FLOAT_DIGITS));
            let (mut mantissa, exponent) = split(&scientific);
            fill(&mut mantissa, precision + 1);
            exponent_form(&mantissa, exponent, upper, spec.alternate, text);
        }
        Conversion::General { upper } => {
            let precision = precision.max(1);
            let (mut mantissa, exponent) = rounded(value, precision);
            if spec.alternate {
                fill(&mut mantissa, precision);
            }
            // The cast cannot truncate: the precision is at most the length of a line.
            if exponent < -4 || exponent >= precision as i32 {
                exponent_form(&mantissa, exponent, upper, spec.alternate, text);
            } else {
                point_form(&mantissa, exponent, text);
                if spec.alternate && !text.contains('.') {
                    text.push('.');
                }
            }
        }
        _ => {
            let digits = precision.min(MAX_FLOAT_DIGITS);
            text.push_str(&format!("{value:.digits$}"));
            fill(text, text.len() + precision - digits);
            if spec.alternate && precision == 0 {
                text.push('.');
            }
        }
    }
}

/// Returns the digits of `value`, rounded to `count` digits, and the exponent of the first digit.
/// Trailing zeros after the first digit are removed. Like CPython 2.7, keeps them in whole numbers
/// that were rounded down from exactly halfway.
fn rounded(value: f64, count: usize) -> (String, i32) {
    let (mut digits, exponent) = split(&format!("{value:.*e}", (count - 1).min(MAX_FLOAT_DIGITS)));
    let cut = usize::try_from(exponent).ok().and_then(|exponent| (exponent + 1).checked_sub(count));
    let forgotten = match cut.and_then(|cut| 10u64.checked_pow(u32::try_from(cut).ok()?)) {
        // The cast cannot truncate: the value is below 2^50.
        Some(unit) if value < 1e15 && value.fract() == 0.0 => {
            let whole = value as u64;
            whole % unit * 2 == unit && (whole / unit).is_multiple_of(2)
        }
        _ => false,
    };
    if !forgotten {
        digits.truncate(digits.trim_end_matches('0').len().max(1));
    }
    (digits, exponent)
}

/// Returns all digits of a number in Rust's exponent notation, and the exponent of the first digit.
fn split(scientific: &str) -> (String, i32) {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let digits = mantissa.chars().filter(char::is_ascii_digit).collect();
    (digits, exponent.parse().unwrap_or(0))
}

fn fill(digits: &mut String, length: usize) {
    let missing = length.saturating_sub(digits.len());
    digits.extend(std::iter::repeat_n('0', missing));
}

/// `d.ddde+xx`
fn exponent_form(digits: &str, exponent: i32, upper: bool, point: bool, text: &mut String) {
    let (first, rest) = digits.split_at(1.min(digits.len()));
    let point = if point || !rest.is_empty() { "." } else { "" };
    let letter = if upper { 'E' } else { 'e' };
    let sign = if exponent < 0 { '-' } else { '+' };
    text.push_str(&format!("{first}{point}{rest}{letter}{sign}{:02}", exponent.unsigned_abs()));
}

/// Appends `ddd.ddd`, without the point if no digit follows it.
fn point_form(digits: &str, exponent: i32, text: &mut String) {
    let whole = usize::try_from(exponent + 1).unwrap_or(0);
    if whole == 0 {
        text.push('0');
    }
    let (before, after) = digits.split_at(whole.min(digits.len()));
    text.push_str(before);
    text.extend(std::iter::repeat_n('0', whole - before.len()));
    if !after.is_empty() {
        text.push('.');
        text.extend(std::iter::repeat_n('0', usize::try_from(-exponent - 1).unwrap_or(0)));
        text.push_str(after);
    }
}
