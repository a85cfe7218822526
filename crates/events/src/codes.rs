//! Every error and lint for declarations, in one table.
//!
//! `ringtrace explain`, the names that `--allow` and `--deny` accept, and the documentation are
//! derived from [`CODES`].

/// An error or a lint.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `E0005` for an error. A lint's code is its name.
    pub code: &'static str,
    /// The name: lower case, words joined by `-`.
    pub name: &'static str,
    /// A one-line summary.
    pub title: &'static str,
    /// The reason for the error or warning, and how to fix it, in paragraphs.
    pub explanation: &'static str,
    /// One or more lines of declarations that cause this error or warning.
    pub bad: &'static str,
    /// The corrected declaration.
    pub good: &'static str,
}

impl Code {
    /// Whether this is a lint: a warning by default, an error if denied, nothing if allowed.
    pub fn is_lint(&self) -> bool {
        self.code == self.name
    }
}

/// Finds an entry of [`CODES`] by code or name, ignoring case.
pub fn find(word: &str) -> Option<&'static Code> {
    let is = |known: &str| known.eq_ignore_ascii_case(word);
    CODES.iter().copied().find(|code| is(code.code) || is(code.name))
}

/// Defines a static for each code, and the list of all of them.
macro_rules! codes {
    ($($id:ident: $code:literal, $name:literal, $title:literal, $explanation:literal, $bad:literal, $good:literal;)*) => {
        $(pub(crate) static $id: Code = Code {
            code: $code,
            name: $name,
            title: $title,
            explanation: $explanation,
            bad: $bad,
            good: $good,
        };)*

        /// All codes: errors by number, then lints.
        pub static CODES: &[&Code] = &[$(&$id),*];
    };
}

// Errors: declarations that are not valid. The number of a removed error is never reused.
codes! {
    NOT_UTF8: "E0001", "not-utf8", "the file is not UTF-8",
        "Declarations files are UTF-8 text. The message names the first invalid byte, which is usually an \
        accented letter in a comment that was saved in an older encoding.\n\n\
        The rest of the file is checked as usual.",
        "",
        "# café\ncoffee_ready(int cups) \"cups=%d\"\n";

    NOT_A_DECLARATION: "E0002", "not-a-declaration", "a line is neither a declaration nor a comment",
        "A line must be blank, a comment that begins with `#`, or a whole declaration: optional properties, the \
        event's name, the arguments in parentheses immediately after it, then the format. A declaration \
        cannot continue on the next line.",
        "my_event (int x) \"x=%d\"\n",
        "my_event(int x) \"x=%d\"\n";

    UNCLOSED_ARGUMENTS: "E0003", "unclosed-arguments", "the argument list is not closed",
        "Arguments are written between `(` and `)`, all on the line of the declaration.",
        "my_event(int x \"x=%d\"\n",
        "my_event(int x) \"x=%d\"\n";

    UNKNOWN_PROPERTY: "E0004", "unknown-property", "an unknown property precedes the event's name",
        "The words before an event's name are its properties. The only property is `disable`, which removes \
        the event's probes from the program. A declaration has no return type and no storage class.",
        "void my_event(int x) \"x=%d\"\n",
        "disable my_event(int x) \"x=%d\"\n";

    TYPE_NOT_ALLOWED: "E0005", "type-not-allowed", "an argument has a type that not every backend knows",
        "Generated code is also compiled where the headers of structs and typedefs are not included, and most \
        backends record every value as 64 bits. Therefore types consist of these words only: int long short \
        char bool unsigned signed, int8_t to int64_t, uint8_t to uint64_t, size_t ssize_t uintptr_t \
        ptrdiff_t, void, const, and `*`.\n\n\
        Declare any other pointer as `void *`, and an enum or a typedef of an integer as an integer of its \
        size. QEMU has no floating point: pass a scaled integer there.\n\n\
        --legacy-types accepts other words, for files from before 2018. --extended-types accepts `double` \
        and `float`, for programs other than QEMU.",
        "my_event(struct bar *b) \"bar=%p\"\n",
        "my_event(void *b) \"bar=%p\"\n";

    EMPTY_ARGUMENT: "E0006", "empty-argument", "an argument is empty",
        "Every argument needs a type and a name. An event without arguments has the word `void` between its \
        parentheses, as in C.",
        "my_event() \"happened\"\n",
        "my_event(void) \"happened\"\n";

    MISSING_ARGUMENT_NAME: "E0007", "missing-argument-name", "an argument has a type but no name",
        "Trace readers show arguments by name, so every argument needs one. The name is what follows the last \
        `*`, or else the last word. The rest is the type.",
        "my_event(unsigned) \"x=%u\"\n",
        "my_event(unsigned x) \"x=%u\"\n";

    BAD_ARGUMENT_NAME: "E0008", "bad-argument-name", "the name of an argument is not a C identifier",
        "The name of an argument is what follows the last `*`, or else the last word. A `const` after the \
        star or brackets after the name would become part of the name, and generated code would not \
        compile. (QEMU accepts the declaration and generates that code.)",
        "my_event(const char *const s) \"s=%s\"\n",
        "my_event(const char *s) \"s=%s\"\n";

    TOO_MANY_ARGUMENTS: "E0009", "too-many-arguments", "an event has more than 10 arguments",
        "Every backend supports ten arguments. Trace files of format v0 (before 2012) hold at most six.",
        "my_event(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k) \
        \"%d %d %d %d %d %d %d %d %d %d %d\"\n",
        "my_event(int a, int b, int c, int d, int e) \"%d %d %d %d %d\"\n\
        my_event_more(int f, int g, int h, int i, int j, int k) \"%d %d %d %d %d %d\"\n";

    BAD_EVENT_NAME: "E0010", "bad-event-name", "the name of an event has an invalid character",
        "The name becomes part of C functions and macros (`trace_NAME`, `TRACE_NAME_ENABLED`). It consists of \
        ASCII letters, digits and `_`.",
        "disk-read(int sector) \"sector=%d\"\n",
        "disk_read(int sector) \"sector=%d\"\n";

    UNTERMINATED_STRING: "E0011", "unterminated-string", "a string in the format has no closing quote",
        "A format consists of C strings, and a string ends on its line. Write a quote in a string as `\\\"`, \
        and a backslash as `\\\\`.",
        "my_event(int x) \"x=%d\n",
        "my_event(int x) \"x=%d\"\n";

    UNEXPECTED_IN_FORMAT: "E0012", "unexpected-in-format", "the format must be string literals and PRI macros",
        "Everything from the first quote to the end of the line is the format: C strings and the macros of \
        <inttypes.h>, which are joined as in C. Comments and arguments are not allowed there.",
        "my_event(int x) \"x=%d\" # how many\n",
        "# how many\nmy_event(int x) \"x=%d\"\n";

    PERCENT_M: "E0013", "percent-m", "`%m` in a format",
        "`%m` prints the message for the current value of errno. A recorded event is printed minutes later, \
        in another process. Pass the error as an argument.\n\n\
        As in QEMU, the two characters `%m` are forbidden anywhere, so `%%m` is an error too.",
        "open_failed(const char *path) \"path=%s: %m\"\n",
        "open_failed(const char *path, int err) \"path=%s errno=%d\"\n";

    NEWLINE_IN_FORMAT: "E0014", "newline-in-format", "a format contains `\\n`",
        "Every event is printed on one line. Backends that print lines add the newline, and other backends \
        must not get one.\n\n\
        As in QEMU, the two characters `\\n` are forbidden anywhere, so an escaped backslash before an n is \
        an error too.",
        "my_event(int x) \"x=%d\\n\"\n",
        "my_event(int x) \"x=%d\"\n";

    CONVERSION_NOT_ALLOWED: "E0015", "conversion-not-allowed", "a conversion is not allowed in formats",
        "The conversions are %d %i %u %x %X %o %c %s %p and %%, with the flags, widths, precisions and length \
        modifiers of C, and the PRI macros. QEMU cannot record floating-point values, wide characters cannot be recorded at \
        all, and %n writes to memory. Write a percent sign as `%%`.\n\n\
        --extended-types accepts %a %e %f %g for a `double`, for programs other than QEMU. --legacy-types \
        accepts them too, but they then print the raw bits of the value.",
        "my_event(int percent) \"done: %d%\"\n",
        "my_event(int percent) \"done: %d%%\"\n";

    TWO_FORMATS: "E0016", "two-formats", "an event that is not `tcg` has two formats",
        "A comma between strings separates two formats, and only `tcg` events have two. Write the strings of \
        one format side by side, without a comma.",
        "my_event(int x, int y) \"x=%d\", \"y=%d\"\n",
        "my_event(int x, int y) \"x=%d\" \" y=%d\"\n";

    TCG_NEEDS_TWO_FORMATS: "E0017", "tcg-needs-two-formats", "a `tcg` event has only one format",
        "A `tcg` declaration (QEMU 2.1 to 6.2, here with --legacy-types) declares two events: one occurs when \
        guest code is translated, the other when it is executed. Each has its own format. The first one \
        does not print arguments of TCG types.",
        "tcg guest_load(TCGv addr, uint8_t size) \"addr=0x%\"PRIx64\" size=%u\"\n",
        "tcg guest_load(TCGv addr, uint8_t size) \"size=%u\", \"addr=0x%\"PRIx64\" size=%u\"\n";

    DERIVED_PROPERTY: "E0018", "derived-property", "a property is reserved for derived events",
        "A `tcg` declaration declares two events, which have the properties `tcg-trans` and `tcg-exec`. \
        Declare the event with `tcg` (and --legacy-types), or as an ordinary event.",
        "tcg-exec guest_load(uint64_t addr) \"addr=0x%\"PRIx64\n",
        "guest_load(uint64_t addr) \"addr=0x%\"PRIx64\n";

    LEGACY_PROPERTY: "E0019", "legacy-property", "a property is allowed only in old files",
        "`tcg` (QEMU 2.1 to 6.2) declared two events, for the translation and the execution of guest code. \
        `vcpu` (2.6 to 8.0) added a CPU to the arguments. New files have neither. --legacy-types accepts \
        both.",
        "vcpu guest_reset(void) \"reset\"\n",
        "guest_reset(int cpu_index) \"cpu=%d reset\"\n";

    SOURCE_TOO_LARGE: "E0020", "source-too-large", "the file is larger than 8 MiB",
        "All of QEMU's declarations together are half a megabyte. A file fifteen times larger is probably \
        not a declarations file but, for example, the trace itself.",
        "",
        "";

    LINE_TOO_LONG: "E0021", "line-too-long", "a line is longer than 16 KiB",
        "A declaration has at most ten arguments, and its format is one line of text. The line is ignored. \
        Comments may have any length.",
        "",
        "";

    ENUMERATION: "E0022", "bad-enumeration", "an enumeration is not valid",
        "An enumeration gives names to the values of integer arguments. It is one line: `enum`, its name, and \
        its constants in braces. Each constant has a value, as in C: a decimal or hexadecimal number of 32 \
        bits, or one more than the constant before it. Names and values of constants must differ. The \
        enumeration must precede its first use in the file.\n\n\
        Enumerations are for programs other than QEMU: --extended-types accepts them.",
        "enum disk_state { IDLE = 0, BUSY = 1 }\n",
        "disk_changed(int state) \"state=%d\"\n";

    // Lints: legal declarations that are probably mistakes.

    FORMAT_COUNT: "format-count", "format-count", "a format prints more values than the event has arguments",
        "Every conversion takes the next argument, and each `*` takes one too. Without an argument, printing \
        reads whatever is in memory. C compilers warn about this only for some backends.",
        "my_event(int x) \"x=%d y=%d\"\n",
        "my_event(int x, int y) \"x=%d y=%d\"\n";

    FORMAT_TYPE: "format-type", "format-type", "a conversion does not match the argument's type",
        "A conversion reads a value of a certain size and kind: %d and %x read a 4-byte int, %ld and the \
        64-bit macros read an 8-byte integer, %s reads a string, and %p a pointer. If the type differs, the \
        line may show only half of the value, and on some machines the following values are wrong too.\n\n\
        Only `const char *` and `char *` are strings, in exactly this spelling (or without the blank). Every \
        other pointer is recorded as an address, which %s cannot print. Sizes are those of 64-bit machines. \
        Use a PRI macro for uint64_t and int64_t, and %zu for size_t.",
        "my_event(uint64_t addr, void *name) \"addr=0x%x name=%s\"\n",
        "my_event(uint64_t addr, const char *name) \"addr=0x%\" PRIx64 \" name=%s\"\n";

    DUPLICATE_EVENT: "duplicate-event", "duplicate-event", "two events have the same name",
        "Event names become functions and macros of the whole program. Names that differ only in case share \
        the macro TRACE_NAME_ENABLED. All files given to one `check` command count as one build.",
        "my_event(int x) \"x=%d\"\nmy_event(int y) \"y=%d\"\n",
        "my_event(int x) \"x=%d\"\nmy_event_done(int y) \"y=%d\"\n";

    PROBE_CLASH: "probe-clash", "probe-clash", "two events need a function of the same name in Rust",
        "In generated Rust an event `disk` has the functions `disk` and `disk_enabled`, so no other event can \
        be named `disk_enabled`. Names that Rust does not allow are changed (`self` becomes `self_`, `9p` \
        becomes `_9p`), so no other event can have the changed name. C has no such restriction.",
        "disk(int sector) \"sector=%d\"\ndisk_enabled(int on) \"on=%d\"\n",
        "disk(int sector) \"sector=%d\"\ndisk_switched(int on) \"on=%d\"\n";

    DUPLICATE_ARGUMENT: "duplicate-argument", "duplicate-argument", "two arguments of an event have the same name",
        "Arguments are parameters of generated functions. Two parameters of the same name do not compile.",
        "copy(void *p, void *p) \"%p %p\"\n",
        "copy(void *to, void *from) \"%p %p\"\n";

    UNUSED_ARGUMENT: "unused-argument", "unused-argument", "an argument is never printed",
        "The format has fewer conversions than the event has arguments. The last arguments are recorded, and \
        readers that show values by name show them, but backends that print text do not.",
        "my_event(int x, int y) \"x=%d\"\n",
        "my_event(int x, int y) \"x=%d y=%d\"\n";

    KEYWORD_NAME: "keyword-name", "keyword-name", "a name is a keyword of a target language",
        "An argument whose name is a C keyword does not compile. Keywords of D and SystemTap get a `_` \
        appended, and scripts must use this name instead of the declared one. In Rust, code that uses such \
        a name must escape it.",
        "walk(void *next) \"next=%p\"\n",
        "walk(void *next_entry) \"next=%p\"\n";

    RESERVED_NAME: "reserved-name", "reserved-name", "the C function of an event has a name that the library uses",
        "In generated C, an event `start` has the function `trace_start`. The headers of the tracing library \
        declare functions and macros such as `trace_init` and `trace_event_name`, so events named `init` or \
        `event_name` do not compile. tracetool rejects them in the formats `h` and `c`.\n\n\
        Rust has no such restriction: for programs without C probes, use --allow reserved-name.",
        "init(int version) \"version=%d\"\n",
        "init_done(int version) \"version=%d\"\n";

    NO_NEWLINE_AT_END: "no-newline-at-end", "no-newline-at-end", "the last line does not end in a newline",
        "QEMU rejects such a file: if files are concatenated, its last line would be joined with the first \
        line of the next file. --strict reports this as an error. `ringtrace fmt` adds the newline.",
        "my_event(int x) \"x=%d\"",
        "my_event(int x) \"x=%d\"\n";

    IGNORED_TEXT: "ignored-text", "ignored-text", "text after the arguments is not a format",
        "Text between the `)` and the end of the line is ignored unless it begins with a quote, as in QEMU. \
        The event has no format, even if one follows later on the line.",
        "my_event(int x): \"x=%d\"\n",
        "my_event(int x) \"x=%d\"\n";

    FORMAT_COMMENT: "format-comment", "format-comment", "a declaration contains a C comment",
        "QEMU treats everything after the first quote as the format and pastes it into C. There a \
        `/* comment */` is harmless (a `//` comment is not, and is an error). Other languages reject it.",
        "my_event(int x) \"x=%d\" /* how many */\n",
        "# how many\nmy_event(int x) \"x=%d\"\n";

    UNKNOWN_MACRO: "unknown-macro", "unknown-macro", "only generated C can use the macro",
        "Every backend and every reader knows PRI followed by one of d i u x X o and one of 8 16 32 64 PTR \
        MAX. Any other word in a format is pasted into C and may compile there. Rust, SystemTap and trace \
        readers do not know its meaning.",
        "my_event(uint64_t addr) \"addr=0x%\" HWADDR_PRIx\n",
        "my_event(uint64_t addr) \"addr=0x%\" PRIx64\n";

    STRAY_MACRO: "stray-macro", "stray-macro", "a PRI macro has no `%` before it",
        "A macro such as PRIx64 expands to the letters after a `%`, and the string before it must end in that \
        `%`. Without the `%`, the letters themselves are printed.",
        "my_event(uint64_t addr) \"addr=0x\" PRIx64\n",
        "my_event(uint64_t addr) \"addr=0x%\" PRIx64\n";

    UNKNOWN_ESCAPE: "unknown-escape", "unknown-escape", "not every backend supports the escape",
        "Formats are also pasted into Rust and SystemTap. All languages understand \\\\ \\\" \\a \\b \\f \\r \
        \\t and \\xHH with two digits. A quote `'` needs no backslash. `\\0` would end the format.",
        "my_event(const char *s) \"s=\\'%s\\'\"\n",
        "my_event(const char *s) \"s='%s'\"\n";

    IMPOSSIBLE_TYPE: "impossible-type", "impossible-type", "a type consists of allowed words but is not a C type",
        "Each word is checked separately, as in QEMU, so `unsigned bool` and a plain `void` are accepted. No \
        C compiler accepts the code generated from them.",
        "my_event(unsigned bool flag) \"flag=%d\"\n",
        "my_event(bool flag) \"flag=%d\"\n";

    TCG_ARGUMENT_TYPE: "tcg-argument-type", "tcg-argument-type",
        "an argument of a `tcg` event cannot be passed to translated code",
        "The values of a `tcg` event (QEMU 2.1 to 6.2, here with --legacy-types) are guest registers, of the \
        types TCGv TCGv_i32 TCGv_i64 TCGv_ptr, or constants that the translator embeds in the code: uint8_t \
        uint16_t uint32_t uint64_t and `void *`. There are no constants of other types, and the tcg-* output \
        formats reject the event. An event with `disable` may have any argument.",
        "tcg guest_load(TCGv addr, bool aligned) \"aligned=%d\", \"addr=0x%\"PRIx64\" aligned=%d\"\n",
        "tcg guest_load(TCGv addr, uint8_t aligned) \"aligned=%u\", \"addr=0x%\"PRIx64\" aligned=%u\"\n";

    BYTE_ORDER_MARK: "byte-order-mark", "byte-order-mark", "the file begins with a byte order mark",
        "Some editors write the bytes EF BB BF at the start of UTF-8 files. QEMU treats them as part of the \
        first line and fails, even if that line is a comment. --strict reports this as an error. `ringtrace \
        fmt` removes the mark.",
        "\u{feff}# events of the disk\ndisk_read(int sector) \"sector=%d\"\n",
        "# events of the disk\ndisk_read(int sector) \"sector=%d\"\n";

    UNUSED_EVENT: "unused-event", "unused-event", "an event is declared but never used",
        "With --sources, the files *.c, *.h and *.rs in the given folders are searched for the word \
        trace_NAME of every event. An event that is not found was probably left over when its last call was \
        removed.",
        "forgotten(int x) \"x=%d\"\n",
        "";
}
