//! The one table of everything that can be wrong with a declaration.
//!
//! `ringtrace explain`, the names that `--allow` and `--deny` take, and the documentation are derived from [`CODES`].

/// A kind of problem.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `E0005` for an error; for a lint, its name.
    pub code: &'static str,
    /// What it is called: lower case, words joined by `-`.
    pub name: &'static str,
    /// What it is, in one line.
    pub title: &'static str,
    /// Why it is a problem and what to do, in paragraphs.
    pub explanation: &'static str,
    /// A declaration (or several lines) that has it.
    pub bad: &'static str,
    /// The same without.
    pub good: &'static str,
}

impl Code {
    /// Whether it is a lint: a warning unless denied, silent when allowed.
    pub fn is_lint(&self) -> bool {
        self.code == self.name
    }
}

/// All of them: errors by number, then lints.
pub static CODES: &[&Code] = &[
    &NOT_UTF8,
    &NOT_A_DECLARATION,
    &UNCLOSED_ARGUMENTS,
    &UNKNOWN_PROPERTY,
    &TYPE_NOT_ALLOWED,
    &EMPTY_ARGUMENT,
    &MISSING_ARGUMENT_NAME,
    &BAD_ARGUMENT_NAME,
    &TOO_MANY_ARGUMENTS,
    &BAD_EVENT_NAME,
    &UNTERMINATED_STRING,
    &UNEXPECTED_IN_FORMAT,
    &PERCENT_M,
    &NEWLINE_IN_FORMAT,
    &CONVERSION_NOT_ALLOWED,
    &TWO_FORMATS,
    &TCG_NEEDS_TWO_FORMATS,
    &DERIVED_PROPERTY,
    &LEGACY_PROPERTY,
    &SOURCE_TOO_LARGE,
    &FORMAT_COUNT,
    &FORMAT_TYPE,
    &DUPLICATE_EVENT,
    &DUPLICATE_ARGUMENT,
    &UNUSED_ARGUMENT,
    &KEYWORD_NAME,
    &NO_NEWLINE_AT_END,
    &IGNORED_TEXT,
    &FORMAT_COMMENT,
    &UNKNOWN_MACRO,
    &UNKNOWN_ESCAPE,
    &IMPOSSIBLE_TYPE,
    &BYTE_ORDER_MARK,
    &UNUSED_EVENT,
];

pub(crate) static NOT_UTF8: Code =
    Code { code: "E0001", name: "not-utf8", title: "", explanation: "", bad: "", good: "" };

pub(crate) static NOT_A_DECLARATION: Code =
    Code { code: "E0002", name: "not-a-declaration", title: "", explanation: "", bad: "", good: "" };

pub(crate) static UNCLOSED_ARGUMENTS: Code =
    Code { code: "E0003", name: "unclosed-arguments", title: "", explanation: "", bad: "", good: "" };

pub(crate) static UNKNOWN_PROPERTY: Code =
    Code { code: "E0004", name: "unknown-property", title: "", explanation: "", bad: "", good: "" };

pub(crate) static TYPE_NOT_ALLOWED: Code =
    Code { code: "E0005", name: "type-not-allowed", title: "", explanation: "", bad: "", good: "" };

pub(crate) static EMPTY_ARGUMENT: Code =
    Code { code: "E0006", name: "empty-argument", title: "", explanation: "", bad: "", good: "" };

pub(crate) static MISSING_ARGUMENT_NAME: Code =
    Code { code: "E0007", name: "missing-argument-name", title: "", explanation: "", bad: "", good: "" };

pub(crate) static BAD_ARGUMENT_NAME: Code =
    Code { code: "E0008", name: "bad-argument-name", title: "", explanation: "", bad: "", good: "" };

pub(crate) static TOO_MANY_ARGUMENTS: Code =
    Code { code: "E0009", name: "too-many-arguments", title: "", explanation: "", bad: "", good: "" };

pub(crate) static BAD_EVENT_NAME: Code =
    Code { code: "E0010", name: "bad-event-name", title: "", explanation: "", bad: "", good: "" };

pub(crate) static UNTERMINATED_STRING: Code =
    Code { code: "E0011", name: "unterminated-string", title: "", explanation: "", bad: "", good: "" };

pub(crate) static UNEXPECTED_IN_FORMAT: Code =
    Code { code: "E0012", name: "unexpected-in-format", title: "", explanation: "", bad: "", good: "" };

pub(crate) static PERCENT_M: Code =
    Code { code: "E0013", name: "percent-m", title: "", explanation: "", bad: "", good: "" };

pub(crate) static NEWLINE_IN_FORMAT: Code =
    Code { code: "E0014", name: "newline-in-format", title: "", explanation: "", bad: "", good: "" };

pub(crate) static CONVERSION_NOT_ALLOWED: Code =
    Code { code: "E0015", name: "conversion-not-allowed", title: "", explanation: "", bad: "", good: "" };

pub(crate) static TWO_FORMATS: Code =
    Code { code: "E0016", name: "two-formats", title: "", explanation: "", bad: "", good: "" };

pub(crate) static TCG_NEEDS_TWO_FORMATS: Code =
    Code { code: "E0017", name: "tcg-needs-two-formats", title: "", explanation: "", bad: "", good: "" };

pub(crate) static DERIVED_PROPERTY: Code =
    Code { code: "E0018", name: "derived-property", title: "", explanation: "", bad: "", good: "" };

pub(crate) static LEGACY_PROPERTY: Code =
    Code { code: "E0019", name: "legacy-property", title: "", explanation: "", bad: "", good: "" };

pub(crate) static SOURCE_TOO_LARGE: Code =
    Code { code: "E0020", name: "source-too-large", title: "", explanation: "", bad: "", good: "" };

pub(crate) static FORMAT_COUNT: Code =
    Code { code: "format-count", name: "format-count", title: "", explanation: "", bad: "", good: "" };

pub(crate) static FORMAT_TYPE: Code =
    Code { code: "format-type", name: "format-type", title: "", explanation: "", bad: "", good: "" };

pub(crate) static DUPLICATE_EVENT: Code =
    Code { code: "duplicate-event", name: "duplicate-event", title: "", explanation: "", bad: "", good: "" };

pub(crate) static DUPLICATE_ARGUMENT: Code = Code {
    code: "duplicate-argument",
    name: "duplicate-argument",
    title: "",
    explanation: "",
    bad: "",
    good: "",
};

pub(crate) static UNUSED_ARGUMENT: Code =
    Code { code: "unused-argument", name: "unused-argument", title: "", explanation: "", bad: "", good: "" };

pub(crate) static KEYWORD_NAME: Code =
    Code { code: "keyword-name", name: "keyword-name", title: "", explanation: "", bad: "", good: "" };

pub(crate) static NO_NEWLINE_AT_END: Code = Code {
    code: "no-newline-at-end",
    name: "no-newline-at-end",
    title: "",
    explanation: "",
    bad: "",
    good: "",
};

pub(crate) static IGNORED_TEXT: Code =
    Code { code: "ignored-text", name: "ignored-text", title: "", explanation: "", bad: "", good: "" };

pub(crate) static FORMAT_COMMENT: Code =
    Code { code: "format-comment", name: "format-comment", title: "", explanation: "", bad: "", good: "" };

pub(crate) static UNKNOWN_MACRO: Code =
    Code { code: "unknown-macro", name: "unknown-macro", title: "", explanation: "", bad: "", good: "" };

pub(crate) static UNKNOWN_ESCAPE: Code =
    Code { code: "unknown-escape", name: "unknown-escape", title: "", explanation: "", bad: "", good: "" };

pub(crate) static IMPOSSIBLE_TYPE: Code =
    Code { code: "impossible-type", name: "impossible-type", title: "", explanation: "", bad: "", good: "" };

pub(crate) static BYTE_ORDER_MARK: Code =
    Code { code: "byte-order-mark", name: "byte-order-mark", title: "", explanation: "", bad: "", good: "" };

pub(crate) static UNUSED_EVENT: Code =
    Code { code: "unused-event", name: "unused-event", title: "", explanation: "", bad: "", good: "" };
