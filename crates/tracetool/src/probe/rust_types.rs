//! C types in QEMU's Rust code.

use ringtrace_events::{Argument, CType};

/// The Rust type of a C argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RustType {
    /// `const char *`, in exactly this spelling.
    CStr,
    /// Any other pointer, in Rust's notation.
    Pointer(String),
    /// An integer type, by name.
    Integer(&'static str),
}

impl RustType {
    /// Returns the Rust type of `argument`, if there is one.
    pub fn of(argument: &Argument) -> Option<RustType> {
        let text = argument.ctype_text.as_str();
        let Some((pointee, behind)) = text.split_once('*') else {
            return Some(RustType::Integer(integer(argument.ctype, text)?));
        };
        Some(if text == "const char *" {
            RustType::CStr
        } else if behind.contains('*') {
            RustType::Pointer("*mut ()".to_owned())
        } else {
            let constness =
                if pointee.split_ascii_whitespace().any(|word| word == "const") { "const" } else { "mut" };
            // Pointers to types without a Rust counterpart become pointers to `()`.
            let pointee = integer(CType::parse(pointee.trim_end()), pointee).unwrap_or("()");
            RustType::Pointer(format!("*{constness} {pointee}"))
        })
    }

    /// The type of a probe's parameter.
    pub fn parameter(&self) -> &str {
        match self {
            RustType::CStr => "&CStr",
            RustType::Pointer(name) => name,
            RustType::Integer(name) => name,
        }
    }

    /// The type of a C function's parameter.
    pub fn foreign(&self) -> &str {
        match self {
            RustType::CStr => "*const c_char",
            RustType::Pointer(_) | RustType::Integer(_) => self.parameter(),
        }
    }

    /// Converts the parameter `name` to an argument of a C function.
    pub fn value(&self, name: &str) -> String {
        match self {
            RustType::CStr => format!("{name}.as_ptr()"),
            RustType::Pointer(_) | RustType::Integer(_) => name.to_owned(),
        }
    }

    /// Converts the parameter `name` to a variadic argument of a C function. C widens small
    /// integers automatically, and Rust does not.
    pub fn variadic_value(&self, name: &str) -> String {
        match self {
            RustType::Integer("bool" | "i8" | "u8" | "i16" | "u16" | "c_char" | "c_short" | "c_ushort") => {
                format!("{name} as c_int")
            }
            _ => self.value(name),
        }
    }
}

/// Returns the integer type for the C type `text`, which is parsed as `ctype`.
fn integer(ctype: CType, text: &str) -> Option<&'static str> {
    let CType::Integer { bytes, signed } = ctype else {
        return (ctype == CType::Bool).then_some("bool");
    };
    let words = || text.split_ascii_whitespace();
    let longs = words().filter(|word| *word == "long").count();
    let name = words().find(|word| !matches!(*word, "const" | "volatile"))?;
    Some(match name {
        "size_t" | "uintptr_t" => "usize",
        "ssize_t" | "ptrdiff_t" | "intptr_t" => "isize",
        "int8_t" => "i8",
        "int16_t" => "i16",
        "int32_t" => "i32",
        "int64_t" | "intmax_t" => "i64",
        "uint8_t" => "u8",
        "uint16_t" => "u16",
        "uint32_t" => "u32",
        "uint64_t" | "uintmax_t" => "u64",
        // C keywords, in any order.
        _ => match (bytes, signed, longs) {
            (1, true, _) => "c_char",
            (1, false, _) => "u8",
            (2, true, _) => "c_short",
            (2, false, _) => "c_ushort",
            (4, true, _) => "c_int",
            (4, false, _) => "c_uint",
            (_, true, 1) => "c_long",
            (_, false, 1) => "c_ulong",
            (_, true, _) => "c_longlong",
            (_, false, _) => "c_ulonglong",
        },
    })
}

#[cfg(test)]
mod tests {
    use super::RustType;
    use ringtrace_events::{Argument, CType, Text};

    fn rust_type(text: &str) -> Option<String> {
        let argument = Argument {
            ctype_text: Text::from(text),
            ctype: CType::parse(text),
            name: Text::from("x"),
            tcg_type: None,
            enumeration: None,
        };
        RustType::of(&argument).map(|found| found.parameter().to_owned())
    }

    #[test]
    fn counterparts() {
        for (c, rust) in [
            ("int", "c_int"),
            ("signed", "c_int"),
            ("const int", "c_int"),
            ("signed int", "c_int"),
            ("unsigned", "c_uint"),
            ("unsigned int", "c_uint"),
            ("long", "c_long"),
            ("long int", "c_long"),
            ("unsigned long", "c_ulong"),
            ("long unsigned int", "c_ulong"),
            ("long long", "c_longlong"),
            ("signed long long int", "c_longlong"),
            ("unsigned long long", "c_ulonglong"),
            ("long unsigned long", "c_ulonglong"),
            ("short", "c_short"),
            ("unsigned short int", "c_ushort"),
            ("char", "c_char"),
            ("signed char", "c_char"),
            ("unsigned char", "u8"),
            ("bool", "bool"),
            ("int8_t", "i8"),
            ("uint16_t", "u16"),
            ("int32_t", "i32"),
            ("uint64_t", "u64"),
            ("size_t", "usize"),
            ("uintptr_t", "usize"),
            ("ssize_t", "isize"),
            ("ptrdiff_t", "isize"),
            ("const char *", "&CStr"),
            ("const char*", "*const c_char"),
            ("const  char *", "*const c_char"),
            ("char const *", "*const c_char"),
            ("char *", "*mut c_char"),
            ("void *", "*mut ()"),
            ("const void *", "*const ()"),
            ("uint8_t*", "*mut u8"),
            ("const unsigned long *", "*const c_ulong"),
            ("struct disk *", "*mut ()"),
            ("void **", "*mut ()"),
            ("const char **", "*mut ()"),
            ("void *const *", "*mut ()"),
        ] {
            assert_eq!(rust_type(c).as_deref(), Some(rust), "{c}");
        }
        for c in ["void", "double", "hwaddr", "unsigned bool", "short long"] {
            assert_eq!(rust_type(c), None, "{c}");
        }
    }
}
