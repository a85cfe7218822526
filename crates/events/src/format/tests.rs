use super::{Format, MAX_PADDING, Value};
use crate::CType;

const INT: CType = CType::Integer { bytes: 4, signed: true };
const UINT: CType = CType::Integer { bytes: 4, signed: false };
const I8: CType = CType::Integer { bytes: 1, signed: true };
const U8: CType = CType::Integer { bytes: 1, signed: false };
const I64: CType = CType::Integer { bytes: 8, signed: true };
const U64: CType = CType::Integer { bytes: 8, signed: false };
const MINUS_ONE: u64 = u64::MAX;

/// Renders a format whose C source is `"text"`. `text` contains no escapes.
fn render(text: &str, arguments: &[(CType, Value<'_>)]) -> String {
    let (types, values): (Vec<_>, Vec<_>) = arguments.iter().copied().unzip();
    let mut out = Vec::new();
    Format::parse(&format!("\"{text}\"")).render(&types, &values, &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn one_integer() {
    for (text, ctype, bits, expected) in [
        ("%d", INT, MINUS_ONE, "-1"),
        ("%d", INT, 0xffff_ffff, "-1"),
        ("%u", INT, MINUS_ONE, "4294967295"),
        ("%x", INT, MINUS_ONE, "ffffffff"),
        ("%lx", INT, MINUS_ONE, "ffffffffffffffff"),
        ("%lx", UINT, MINUS_ONE, "ffffffff"),
        ("%d", UINT, 0xffff_ffff, "-1"),
        ("%x", U8, MINUS_ONE, "ff"),
        ("%d", U8, MINUS_ONE, "255"),
        ("%x", I8, MINUS_ONE, "ffffffff"),
        ("%hhx", I8, MINUS_ONE, "ff"),
        ("%d", I8, 0x1_80, "-128"),
        ("%hhd", INT, 300, "44"),
        ("%hd", INT, 0x1_8000, "-32768"),
        ("%d", U64, 0x1_0000_0002, "2"),
        ("%ld", I64, i64::MIN as u64, "-9223372036854775808"),
        ("%llu", U64, u64::MAX, "18446744073709551615"),
        ("%zo", U64, u64::MAX, "1777777777777777777777"),
        ("%d", CType::Bool, 7, "1"),
        ("%+d", INT, 5, "+5"),
        ("%+d", INT, 0, "+0"),
        ("% d", INT, 5, " 5"),
        ("%+ d", INT, 5, "+5"),
        ("%+u", INT, 5, "5"),
        ("%-08d|", INT, 5, "5       |"),
        ("%08d", INT, -5i64 as u64, "-0000005"),
        ("%08.3d", INT, 5, "     005"),
        ("%.0d", INT, 0, ""),
        ("%.d", INT, 0, ""),
        ("%+.0d", INT, 0, "+"),
        ("%5.0d|", INT, 0, "     |"),
        ("%#x", INT, 0, "0"),
        ("%#.0x", INT, 0, ""),
        ("%#x", INT, 255, "0xff"),
        ("%#X", INT, 255, "0XFF"),
        ("%#010x", INT, 255, "0x000000ff"),
        ("%#10.4x", INT, 255, "    0x00ff"),
        ("%#o", INT, 0, "0"),
        ("%#.0o", INT, 0, "0"),
        ("%#o", INT, 8, "010"),
        ("%#.3o", INT, 8, "010"),
        ("%#.4o", INT, 8, "0010"),
        ("%'d", INT, 1_234_567, "1234567"),
        ("%c", INT, 0x141, "A"),
        ("%3c|%%", INT, 0x41, "  A|%"),
        ("%-3c|", INT, 0x41, "A  |"),
        ("%f", CType::Double, 1.5_f64.to_bits(), "1.500000"),
        ("%08.2f|%%", CType::Double, (-2.125_f64).to_bits(), "-0002.12|%"),
        ("%g", CType::Double, 0.0001_f64.to_bits(), "0.0001"),
        ("%G", CType::Double, 1e-5_f64.to_bits(), "1E-05"),
        ("%#.3g", CType::Double, 100_f64.to_bits(), "100."),
        ("%+.1e", CType::Double, 0, "+0.0e+00"),
        ("%a", CType::Double, 0.1_f64.to_bits(), "0x1.999999999999ap-4"),
        ("%05f|", CType::Double, f64::INFINITY.to_bits(), "  inf|"),
        ("%.4096f", CType::Double, 0.25_f64.to_bits(), &format!("0.25{:04094}", 0)),
        ("%p", CType::Pointer, 0, "(nil)"),
        ("%p", CType::Pointer, 0x7fff_0000, "0x7fff0000"),
        ("%5p", CType::Pointer, 0, "(nil)"),
        ("%08p", CType::Pointer, 0, "   (nil)"),
        ("%-20p|", CType::Pointer, 0x1234, "0x1234              |"),
        ("%020p|", CType::Pointer, 0x1234, "0x000000000000001234|"),
        ("%+p", CType::Pointer, 0x12, "+0x12"),
        ("%.8p", CType::Pointer, 0x12, "0x00000012"),
        // C defines no result for these.
        ("%s", CType::Str, 0x7f00_1234, "0x7f001234"),
        ("%s", CType::Str, 0, "0x0"),
        ("%10.1s|", CType::Pointer, 0x12, "      0x12|"),
        ("%-10s|", CType::Pointer, 0x12, "0x12      |"),
        ("%f", CType::Float, 0x3ff8_0000_0000_0000, "0x3ff8000000000000"),
        ("%5.1f|", CType::Float, 0, "  0x0|"),
        ("%lx", CType::Double, 1_f64.to_bits(), "3ff0000000000000"),
        ("%s", CType::Double, 1_f64.to_bits(), "0x3ff0000000000000"),
        ("%lc and %d", INT, 65, "%lc and "),
        ("%n%m%y%", INT, 65, "%n%m%y%"),
        ("%.-3d", INT, 65, "%.-3d"),
        ("100%", INT, 65, "100%"),
        ("%d %d %s", INT, 65, "65  "),
        ("%99999d", INT, 65, &format!("{:>4096}", 65)),
        ("%.99999d", INT, 65, &format!("{:04096}", 65)),
    ] {
        assert_eq!(render(text, &[(ctype, Value::Integer(bits))]), expected, "{text} of {ctype:?} {bits:#x}");
    }
}

#[test]
fn one_string() {
    for (text, expected) in [
        ("%s", "hello"),
        ("'%s'", "'hello'"),
        ("%.3s", "hel"),
        ("%.0s", ""),
        ("%.s", ""),
        ("%8s|", "   hello|"),
        ("%-8.2s|", "he      |"),
        ("%08s|", "   hello|"),
        ("%2s", "hello"),
        ("%.99999s", "hello"),
        // C defines no result for these.
        ("%d", "hello"),
        ("%08.3x|", "   hello|"),
        ("%-8p|", "hello   |"),
        ("%c", "hello"),
        ("%f", "hello"),
    ] {
        assert_eq!(render(text, &[(CType::Str, Value::Str(b"hello"))]), expected, "{text}");
    }
}

#[test]
fn stars_take_arguments() {
    let int = |number: i64| (INT, Value::Integer(number as u64));
    let text = (CType::Str, Value::Str(b"hello"));
    for (format, arguments, expected) in [
        ("%*d|", &[int(5), int(42)][..], "   42|"),
        ("%*d|", &[int(-5), int(42)], "42   |"),
        ("%0*d|", &[int(-5), int(42)], "42   |"),
        ("%.*d|", &[int(4), int(42)], "0042|"),
        ("%.*d|", &[int(-4), int(0)], "0|"),
        ("%05.*d|", &[int(-4), int(42)], "00042|"),
        ("%*.*d|", &[int(6), int(4), int(42)], "  0042|"),
        ("%.*s|", &[int(2), text], "he|"),
        ("%.*s|", &[int(-2), text], "hello|"),
        ("%*s %d", &[int(6), text, int(1)], " hello 1"),
        ("%*%%d", &[int(6), int(1)], "%1"),
        ("%*d", &[int(6)], ""),
        ("%*d", &[text, int(6)], "6"),
        ("%*lc%d", &[int(6), int(1), int(2)], "%*lc2"),
        ("%d %d", &[int(1), int(2), int(3)], "1 2"),
        ("%d", &[], ""),
    ] {
        assert_eq!(render(format, arguments), expected, "{format}");
    }
    let widest = render("%*d", &[int(i64::from(i32::MIN)), int(1)]);
    assert_eq!(widest.len(), usize::from(MAX_PADDING));
}

#[test]
fn from_c_source() {
    let values = [Value::Integer(0xabc), Value::Str(b"x")];
    for (source, expected) in [
        (r#""v %"PRIx64" s '%s'""#, "v abc s 'x'"),
        (r#""v %08" PRIX32 "%%\t\"%s\"""#, "v 00000ABC%\t\"x\""),
        (r#""%"PRIo8"#, "5274"),
        (r#""a\0 %d""#, "a"),
        (r#""%"FOO"""#, "%FOO"),
        ("", ""),
    ] {
        let mut out = Vec::new();
        Format::parse(source).render(&[U64, CType::Str], &values, &mut out);
        assert_eq!(String::from_utf8_lossy(&out), expected, "{source}");
    }
    let mut out = Vec::new();
    let format = Format::parse_prefixed("cpu=%p ", r#""n=%d""#);
    format.render(&[CType::Pointer, INT], &[Value::Integer(0x10), Value::Integer(MINUS_ONE)], &mut out);
    assert_eq!(out, b"cpu=0x10 n=-1");
}
