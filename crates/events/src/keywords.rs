//! Keywords of the languages that code is generated for.

/// A language that code is generated for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// C, up to C23.
    C,
    /// DTrace's provider definitions. Clashing names get a `_` appended.
    D,
    /// SystemTap. Clashing names get a `_` appended.
    SystemTap,
    /// Rust, edition 2024.
    Rust,
}

impl Language {
    /// All languages. Those in which a clash has the worst effect come first.
    pub const ALL: [Language; 4] = [Language::C, Language::D, Language::SystemTap, Language::Rust];

    /// The language's name.
    pub fn name(self) -> &'static str {
        match self {
            Language::C => "C",
            Language::D => "D",
            Language::SystemTap => "SystemTap",
            Language::Rust => "Rust",
        }
    }

    /// The keywords, sorted.
    pub fn keywords(self) -> &'static [&'static str] {
        match self {
            Language::C => &C,
            Language::D => &D,
            Language::SystemTap => &SYSTEMTAP,
            Language::Rust => &RUST,
        }
    }
}

/// Returns the languages in which `word` is a keyword.
pub fn keyword_of(word: &str) -> impl Iterator<Item = Language> {
    Language::ALL.into_iter().filter(move |language| language.keywords().binary_search(&word).is_ok())
}

/// Keywords of C23, including the spellings of C99 and C11 with `_`.
#[rustfmt::skip]
static C: [&str; 60] = [
    "_Alignas", "_Alignof", "_Atomic", "_BitInt", "_Bool", "_Complex", "_Decimal128", "_Decimal32",
    "_Decimal64", "_Generic", "_Imaginary", "_Noreturn", "_Static_assert", "_Thread_local", "alignas",
    "alignof", "asm", "auto", "bool", "break", "case", "char", "const", "constexpr", "continue", "default",
    "do", "double", "else", "enum", "extern", "false", "float", "for", "goto", "if", "inline", "int",
    "long", "nullptr", "register", "restrict", "return", "short", "signed", "sizeof", "static",
    "static_assert", "struct", "switch", "thread_local", "true", "typedef", "typeof", "typeof_unqual",
    "union", "unsigned", "void", "volatile", "while",
];

/// Reserved by the dtrace compiler.
#[rustfmt::skip]
static D: [&str; 45] = [
    "auto", "break", "case", "char", "const", "continue", "counter", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "import", "inline", "int", "long", "offsetof", "probe",
    "provider", "register", "restrict", "return", "self", "short", "signed", "sizeof", "static", "string",
    "stringof", "struct", "switch", "this", "translator", "typedef", "union", "unsigned", "void",
    "volatile", "while", "xlate",
];

/// Reserved by stap.
#[rustfmt::skip]
static SYSTEMTAP: [&str; 21] = [
    "break", "catch", "continue", "delete", "else", "for", "foreach", "function", "global", "if", "in",
    "limit", "long", "next", "private", "probe", "return", "self", "string", "try", "while",
];

/// Strict and reserved keywords of edition 2024.
#[rustfmt::skip]
static RUST: [&str; 52] = [
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self",
    "static", "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Names of events whose C function `trace_NAME` would clash with the library's headers or with
/// generated code. Sorted.
#[rustfmt::skip]
pub static RESERVED_NAMES: [&str; 31] = [
    "enable_events", "event_get_id", "event_get_name", "event_get_state", "event_get_state_backends",
    "event_get_state_dynamic", "event_get_state_dynamic_by_id", "event_get_state_static",
    "event_get_vcpu_state", "event_is_pattern", "event_iter_init_all", "event_iter_init_group",
    "event_iter_init_pattern", "event_iter_next", "event_name", "event_register_group",
    "event_set_state_dynamic", "event_set_state_dynamic_init", "events_enabled_count",
    "get_vcpu_event_count", "init", "init_backends", "init_file", "list_events", "marker_fd",
    "opt_parse", "record_finish", "record_start", "record_start_fast", "record_write_str",
    "record_write_u64",
];

#[cfg(test)]
mod tests {
    use super::{Language, RESERVED_NAMES, keyword_of};

    #[test]
    fn tables_are_sorted_for_searching() {
        for language in Language::ALL {
            assert!(language.keywords().is_sorted(), "{language:?}");
        }
        assert!(RESERVED_NAMES.is_sorted());
    }

    #[test]
    fn languages_of_a_word() {
        for (word, languages) in
            [("next", "SystemTap"), ("if", "C D SystemTap Rust"), ("type", "Rust"), ("size", "")]
        {
            let names: Vec<&str> = keyword_of(word).map(Language::name).collect();
            assert_eq!(names.join(" "), languages, "{word}");
        }
    }
}
