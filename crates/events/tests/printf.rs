//! Compares rendering with the C library's `snprintf`, byte for byte.
//!
//! Each case is one conversion with random flags, width, precision and length, and a random value
//! of a random declared type. C receives what a compiler would pass: the value narrowed to its
//! declared type, then cast to the type that the conversion reads.

// The tests need glibc and a 64-bit `long`.
#![cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
#![allow(clippy::unwrap_used, reason = "allowed in tests, but clippy also checks their helpers")]

use std::ffi::{CString, c_char, c_int, c_long, c_void};
use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use ringtrace_events::CType;
use ringtrace_events::format::{Format, MAX_PADDING, Outline, Value};

unsafe extern "C" {
    fn snprintf(buffer: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
}

/// A conversion, its `*` arguments, and its value.
#[derive(Debug, Clone)]
struct Case {
    /// The conversion's text, such as `%-*.3lx`.
    conversion: String,
    /// Values of `*`, in order.
    stars: Vec<c_int>,
    ctype: CType,
    recorded: Recorded,
    passed: Passed,
}

#[derive(Debug, Clone)]
enum Recorded {
    Bits(u64),
    Text(Vec<u8>),
}

#[derive(Debug, Clone)]
enum Passed {
    Int(c_int),
    Long(c_long),
    Double(f64),
    Pointer(u64),
    Text(CString),
}

impl Case {
    fn types(&self) -> Vec<CType> {
        let int = CType::Integer { bytes: 4, signed: true };
        self.stars.iter().map(|_| int).chain([self.ctype]).collect()
    }

    fn values(&self) -> Vec<Value<'_>> {
        // A recorded `int` is sign-extended.
        let stars = self.stars.iter().map(|&star| Value::Integer(i64::from(star).cast_unsigned()));
        let printed = match &self.recorded {
            Recorded::Bits(bits) => Value::Integer(*bits),
            Recorded::Text(text) => Value::Str(text),
        };
        stars.chain([printed]).collect()
    }

    fn rendered(&self) -> Vec<u8> {
        let mut out = Vec::new();
        Format::parse(&format!("\"{}\"", self.conversion)).render(&self.types(), &self.values(), &mut out);
        out
    }

    fn printed(&self) -> Vec<u8> {
        let format = CString::new(self.conversion.as_str()).unwrap();
        let mut buffer = [0u8; 512];
        let (out, size) = (buffer.as_mut_ptr().cast(), buffer.len());
        macro_rules! print {
            ($($argument:expr),*) => {
                // SAFETY: `out` has space for `size` bytes. `format` and strings are
                // NUL-terminated. The only conversion in `format` reads exactly these arguments,
                // which have C's promoted types.
                unsafe { snprintf(out, size, format.as_ptr(), $($argument),*) }
            };
        }
        macro_rules! print_behind_stars {
            ($argument:expr) => {
                match self.stars[..] {
                    [] => print!($argument),
                    [one] => print!(one, $argument),
                    [width, precision] => print!(width, precision, $argument),
                    _ => unreachable!("a conversion contains at most two `*`"),
                }
            };
        }
        let length = match &self.passed {
            Passed::Int(value) => print_behind_stars!(*value),
            Passed::Long(value) => print_behind_stars!(*value),
            Passed::Double(value) => print_behind_stars!(*value),
            Passed::Pointer(address) => print_behind_stars!(*address as *const c_void),
            Passed::Text(text) => print_behind_stars!(text.as_ptr()),
        };
        let length = usize::try_from(length).expect("printf accepts the conversion");
        assert!(length < size, "the buffer is too small");
        buffer[..length].to_vec()
    }

    fn check(&self) -> Result<(), TestCaseError> {
        prop_assert_eq!(
            self.rendered().escape_ascii().to_string(),
            self.printed().escape_ascii().to_string()
        );
        Ok(())
    }
}

/// Computes the value of `bits` declared as `ctype`, independently of the code under test.
fn narrowed(bits: u64, ctype: CType) -> i128 {
    match ctype {
        CType::Integer { bytes: 1, signed: true } => i128::from(bits as i8),
        CType::Integer { bytes: 1, signed: false } => i128::from(bits as u8),
        CType::Integer { bytes: 2, signed: true } => i128::from(bits as i16),
        CType::Integer { bytes: 2, signed: false } => i128::from(bits as u16),
        CType::Integer { bytes: 4, signed: true } => i128::from(bits as i32),
        CType::Integer { bytes: 4, signed: false } => i128::from(bits as u32),
        CType::Integer { signed: true, .. } => i128::from(bits as i64),
        CType::Bool => i128::from(bits != 0),
        _ => i128::from(bits),
    }
}

fn bits() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        0..300u64,
        (0..64u32, -1..=1i64).prop_map(|(shift, off)| (1u64 << shift).wrapping_add_signed(off)),
        (1..300i64).prop_map(|number| (-number).cast_unsigned()),
    ]
}

fn integer_type() -> impl Strategy<Value = CType> {
    let integer = (select(&[1u8, 2, 4, 8][..]), any::<bool>());
    prop_oneof![
        8 => integer.prop_map(|(bytes, signed)| CType::Integer { bytes, signed }),
        1 => select(&[CType::Bool, CType::Pointer, CType::Unknown, CType::StrStar, CType::Float][..]),
    ]
}

/// Generates flags, width and precision as text, and the values of their `*`.
fn layout() -> impl Strategy<Value = (String, Vec<c_int>)> {
    #[derive(Debug, Clone)]
    enum Amount {
        None,
        Empty,
        Fixed(u32),
        Star(c_int),
    }
    let flags = proptest::collection::vec(select(&b"-+ #0'"[..]), 0..4);
    let width =
        prop_oneof![Just(Amount::None), (1..40u32).prop_map(Amount::Fixed), (-40..40).prop_map(Amount::Star)];
    let precision = prop_oneof![
        2 => Just(Amount::None),
        1 => Just(Amount::Empty),
        2 => (0..30u32).prop_map(Amount::Fixed),
        1 => (-3..30).prop_map(Amount::Star),
    ];
    (flags, width, precision).prop_map(|(flags, width, precision)| {
        let mut text = String::from_utf8(flags).unwrap();
        let mut stars = Vec::new();
        for (dot, amount) in [("", width), (".", precision)] {
            match amount {
                Amount::None => {}
                Amount::Empty => text.push_str(dot),
                Amount::Fixed(number) => write!(text, "{dot}{number}").unwrap(),
                Amount::Star(value) => {
                    write!(text, "{dot}*").unwrap();
                    stars.push(value);
                }
            }
        }
        (text, stars)
    })
}

fn integer_case() -> impl Strategy<Value = Case> {
    let lengths = &["", "hh", "h", "l", "ll", "z", "t", "j", "q", "L"][..];
    (layout(), select(lengths), select(&b"diouxX"[..]), integer_type(), bits()).prop_map(
        |((layout, stars), length, letter, ctype, bits)| {
            let value = narrowed(bits, ctype);
            let passed = match length {
                "" | "h" | "hh" => Passed::Int(value as c_int),
                _ => Passed::Long(value as c_long),
            };
            let conversion = format!("%{layout}{length}{}", char::from(letter));
            Case { conversion, stars, ctype, recorded: Recorded::Bits(bits), passed }
        },
    )
}

fn character_case() -> impl Strategy<Value = Case> {
    (layout(), integer_type(), bits()).prop_map(|((layout, stars), ctype, bits)| Case {
        conversion: format!("%{layout}c"),
        stars,
        ctype,
        recorded: Recorded::Bits(bits),
        passed: Passed::Int(narrowed(bits, ctype) as c_int),
    })
}

fn pointer_case() -> impl Strategy<Value = Case> {
    (layout(), prop_oneof![3 => bits(), 1 => Just(0)]).prop_map(|((layout, stars), bits)| Case {
        conversion: format!("%{layout}p"),
        stars,
        ctype: CType::Pointer,
        recorded: Recorded::Bits(bits),
        passed: Passed::Pointer(bits),
    })
}

fn text_case() -> impl Strategy<Value = Case> {
    (layout(), proptest::collection::vec(1..=255u8, 0..50)).prop_map(|((layout, stars), text)| Case {
        conversion: format!("%{layout}s"),
        stars,
        ctype: CType::Str,
        passed: Passed::Text(CString::new(text.clone()).unwrap()),
        recorded: Recorded::Text(text),
    })
}

/// Generates any bits, decimal numbers of people, ties of rounding, and numbers next to a power of ten.
fn double() -> impl Strategy<Value = f64> {
    prop_oneof![
        2 => any::<u64>().prop_map(f64::from_bits),
        2 => (-1_000_000..1_000_000i64, -12..12i32).prop_map(|(n, e)| n as f64 * 10f64.powi(e)),
        2 => (-100_000..100_000i64, 0..20i32).prop_map(|(n, e)| n as f64 / 2f64.powi(e)),
        2 => (-330..309i32, -2..=2i64).prop_map(|(e, off)| {
            let power: f64 = format!("1e{e}").parse().unwrap();
            f64::from_bits(power.to_bits().wrapping_add_signed(off))
        }),
        1 => select(&[0.0, -0.0, 1.0, 0.5, 9.5, 99.95, f64::MAX, f64::MIN_POSITIVE, 5e-324, f64::NAN, -f64::NAN,
            f64::INFINITY, f64::NEG_INFINITY][..]),
    ]
}

fn double_case() -> impl Strategy<Value = Case> {
    (layout(), select(&["", "l"][..]), select(&b"aAeEfFgG"[..]), double()).prop_map(
        |((layout, stars), length, letter, value)| Case {
            conversion: format!("%{layout}{length}{}", char::from(letter)),
            stars,
            ctype: CType::Double,
            recorded: Recorded::Bits(value.to_bits()),
            passed: Passed::Double(value),
        },
    )
}

/// Whether glibc may omit a zero: it prints 99.95 as `1.e+02` with `%#.2g`, but C requires `1.0e+02`.
fn is_wrong_in_glibc(case: &Case) -> bool {
    let (Passed::Double(value), true) = (&case.passed, case.conversion.contains('#')) else { return false };
    let digits = (0..32).map(|decimals| format!("{:.decimals$e}", value.abs()));
    let is_rounded_up = |digits: String| {
        let (mantissa, _) = digits.split_once('e')?;
        Some(mantissa.trim_end_matches(['0', '.']) == "1" && digits.parse() != Ok(value.abs()))
    };
    case.conversion.ends_with(['g', 'G'])
        && digits.into_iter().any(|digits| is_rounded_up(digits) == Some(true))
}

fn any_case() -> impl Strategy<Value = Case> {
    prop_oneof![
        8 => integer_case(),
        1 => character_case(),
        1 => pointer_case(),
        1 => text_case(),
        2 => double_case().prop_filter("glibc is wrong", |case| !is_wrong_in_glibc(case)),
    ]
}

/// Sets the number of cases. Failures are not written to files, because the message contains the
/// whole case.
fn cases(count: u32) -> ProptestConfig {
    ProptestConfig { cases: count, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(100_000))]

    #[test]
    fn integers_as_printf(case in integer_case()) {
        case.check()?;
    }

    #[test]
    fn doubles_as_printf(case in double_case()) {
        if !is_wrong_in_glibc(&case) {
            case.check()?;
        }
    }
}

proptest! {
    #![proptest_config(cases(10_000))]

    #[test]
    fn characters_as_printf(case in character_case()) {
        case.check()?;
    }

    #[test]
    fn pointers_as_printf(case in pointer_case()) {
        case.check()?;
    }

    #[test]
    fn strings_as_printf(case in text_case()) {
        case.check()?;
    }
}

proptest! {
    #![proptest_config(cases(5_000))]

    /// Adjacent conversions take their arguments in order, so the text of a format is the text of
    /// its parts.
    #[test]
    fn conversions_in_a_row(
        parts in proptest::collection::vec((any_case(), "[ a-z:=%]{0,6}"), 0..6),
        cut in any::<Index>(),
    ) {
        let mut source = String::from("\"");
        let (mut types, mut values, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        for (case, text) in &parts {
            // A string literal may end within a conversion, and the next literal may continue it.
            let (head, tail) = case.conversion.split_at(cut.index(case.conversion.len() + 1));
            write!(source, "{}{head}\" \"{tail}", text.replace('%', "%%")).unwrap();
            types.extend(case.types());
            values.extend(case.values());
            expected.extend_from_slice(text.as_bytes());
            expected.extend(case.printed());
        }
        source.push('"');
        let mut out = Vec::new();
        Format::parse(&source).render(&types, &values, &mut out);
        prop_assert_eq!(out.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{}", source);
    }

    /// For any format and values, rendering does not panic, the output is bounded as documented,
    /// and no span splits a character.
    #[test]
    fn any_source_renders_bounded(
        source in "[\"%*.0-9a-zA-Z#+ '\\\\/-]{0,60}|\\PC{0,40}",
        prefix in "[%*.0-9a-z ]{0,10}",
        types in proptest::collection::vec(integer_type(), 0..5),
        numbers in proptest::collection::vec(bits(), 0..5),
    ) {
        let values: Vec<_> = numbers.iter().map(|&bits| Value::Integer(bits)).collect();
        let mut out = Vec::new();
        Format::parse_prefixed(&prefix, &source).render(&types, &values, &mut out);
        let limit = prefix.len() + source.len() + values.len() * 2 * usize::from(MAX_PADDING);
        prop_assert!(out.len() <= limit, "{} > {}", out.len(), limit);

        let outline = Outline::parse_prefixed(&prefix, &source);
        let conversions = outline.conversions.iter().map(|found| found.span.clone());
        for span in conversions.chain(outline.errors.iter().map(|fault| fault.span.clone())) {
            prop_assert!(source.get(span.clone()).is_some(), "{:?} in {:?}", span, source);
        }
    }
}
