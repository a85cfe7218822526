//! What is not the language. Numbers are never used again for something else.

use super::Code;

pub(crate) static NOT_UTF8: Code = Code {
    code: "E0001",
    name: "not-utf8",
    title: "the file is not UTF-8",
    explanation: "Declarations are text in UTF-8. The message names the first byte that does not belong, which is \
        mostly a letter with an accent in a comment, saved in an older encoding.\n\n\
        Everything behind that byte is checked all the same.",
    bad: "",
    good: "# café\ncoffee_ready(int cups) \"cups=%d\"\n",
};

pub(crate) static NOT_A_DECLARATION: Code = Code {
    code: "E0002",
    name: "not-a-declaration",
    title: "a line is neither a declaration nor a comment",
    explanation: "A line is blank, or a comment that begins with `#`, or one whole declaration: properties if any, the \
        event's name, directly behind it the arguments in parentheses, then the format. A declaration \
        cannot go on on the next line.",
    bad: "my_event (int x) \"x=%d\"\n",
    good: "my_event(int x) \"x=%d\"\n",
};

pub(crate) static UNCLOSED_ARGUMENTS: Code = Code {
    code: "E0003",
    name: "unclosed-arguments",
    title: "the argument list is not closed",
    explanation: "The arguments stand between `(` and `)`, all on the declaration's line.",
    bad: "my_event(int x \"x=%d\"\n",
    good: "my_event(int x) \"x=%d\"\n",
};

pub(crate) static UNKNOWN_PROPERTY: Code = Code {
    code: "E0004",
    name: "unknown-property",
    title: "a word before the event's name is no property",
    explanation: "The words before an event's name are its properties. There is one: `disable`, which compiles the event \
        to nothing. A declaration has no return type and no storage class.",
    bad: "void my_event(int x) \"x=%d\"\n",
    good: "disable my_event(int x) \"x=%d\"\n",
};

pub(crate) static TYPE_NOT_ALLOWED: Code = Code {
    code: "E0005",
    name: "type-not-allowed",
    title: "an argument has a type that not every backend knows",
    explanation: "Generated code is included where the headers of a struct or typedef are not, and most backends record \
        every value as 64 bits. So types are made of these words only: int long short char bool unsigned \
        signed, int8_t to int64_t, uint8_t to uint64_t, size_t ssize_t uintptr_t ptrdiff_t, void, const, \
        and `*`.\n\n\
        Declare a pointer to anything else as `void *`, and an enum or a typedef of an integer as an integer of \
        its size. There is no floating point: pass a scaled integer.\n\n\
        --legacy-types accepts other words, for files from before 2018.",
    bad: "my_event(struct bar *b) \"bar=%p\"\n",
    good: "my_event(void *b) \"bar=%p\"\n",
};

pub(crate) static EMPTY_ARGUMENT: Code = Code {
    code: "E0006",
    name: "empty-argument",
    title: "nothing stands where an argument is expected",
    explanation: "Between two commas, or between a comma and a parenthesis, stands a type and a name. An event without \
        arguments has the word `void` between its parentheses, as in C.",
    bad: "my_event() \"happened\"\n",
    good: "my_event(void) \"happened\"\n",
};

pub(crate) static MISSING_ARGUMENT_NAME: Code = Code {
    code: "E0007",
    name: "missing-argument-name",
    title: "an argument has a type and no name",
    explanation: "Readers of traces show arguments by name, so every argument has one. The last word, or what stands behind \
        the last `*`, is the name; the rest is the type.",
    bad: "my_event(unsigned) \"x=%u\"\n",
    good: "my_event(unsigned x) \"x=%u\"\n",
};

pub(crate) static BAD_ARGUMENT_NAME: Code = Code {
    code: "E0008",
    name: "bad-argument-name",
    title: "the name of an argument is no C identifier",
    explanation: "Everything behind the last `*` is taken for the argument's name, else the last word. A `const` behind the \
        star, or brackets behind the name, would become part of the name, and generated code would not \
        compile. (QEMU accepts the declaration and generates that code.)",
    bad: "my_event(const char *const s) \"s=%s\"\n",
    good: "my_event(const char *s) \"s=%s\"\n",
};

pub(crate) static TOO_MANY_ARGUMENTS: Code = Code {
    code: "E0009",
    name: "too-many-arguments",
    title: "an event has more than 10 arguments",
    explanation: "Ten is what every backend can take. Files of format v0, before 2012, could only hold six.",
    bad: "my_event(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k) \
        \"%d %d %d %d %d %d %d %d %d %d %d\"\n",
    good: "my_event(int a, int b, int c, int d, int e) \"%d %d %d %d %d\"\n\
        my_event_more(int f, int g, int h, int i, int j, int k) \"%d %d %d %d %d %d\"\n",
};

pub(crate) static BAD_EVENT_NAME: Code = Code {
    code: "E0010",
    name: "bad-event-name",
    title: "the name of an event has a character that no name can have",
    explanation: "The name becomes part of C functions and macros (`trace_NAME`, `TRACE_NAME_ENABLED`): letters of ASCII, \
        digits and `_`.",
    bad: "disk-read(int sector) \"sector=%d\"\n",
    good: "disk_read(int sector) \"sector=%d\"\n",
};

pub(crate) static UNTERMINATED_STRING: Code = Code {
    code: "E0011",
    name: "unterminated-string",
    title: "a string of the format has no closing quote",
    explanation: "A format is made of C strings, and a string ends on its line. A quote within one is written `\\\"`; a \
        backslash `\\\\`.",
    bad: "my_event(int x) \"x=%d\n",
    good: "my_event(int x) \"x=%d\"\n",
};

pub(crate) static UNEXPECTED_IN_FORMAT: Code = Code {
    code: "E0012",
    name: "unexpected-in-format",
    title: "a format is no sequence of strings and macros",
    explanation: "Everything from the first quote to the end of the line is the format: C strings and the macros of \
        <inttypes.h>, joined as a C compiler joins them. A comment does not belong there, nor do arguments.",
    bad: "my_event(int x) \"x=%d\" # how many\n",
    good: "# how many\nmy_event(int x) \"x=%d\"\n",
};

pub(crate) static PERCENT_M: Code = Code {
    code: "E0013",
    name: "percent-m",
    title: "`%m` in a format",
    explanation: "`%m` prints the text for errno as it is when the line is printed, which for a recorded event is minutes \
        later in another process. Pass the error as an argument.\n\n\
        Like QEMU we look for the two characters `%m`, so that `%%m` is an error too.",
    bad: "open_failed(const char *path) \"path=%s: %m\"\n",
    good: "open_failed(const char *path, int err) \"path=%s errno=%d\"\n",
};

pub(crate) static NEWLINE_IN_FORMAT: Code = Code {
    code: "E0014",
    name: "newline-in-format",
    title: "a format contains `\\n`",
    explanation: "Every event is one line. Backends that print add the newline, the others must not have one.\n\n\
        Like QEMU we look for the two characters `\\n`, so that an escaped backslash before an n is an error too.",
    bad: "my_event(int x) \"x=%d\\n\"\n",
    good: "my_event(int x) \"x=%d\"\n",
};

pub(crate) static CONVERSION_NOT_ALLOWED: Code = Code {
    code: "E0015",
    name: "conversion-not-allowed",
    title: "a conversion that no event can have",
    explanation: "The conversions are %d %i %u %x %X %o %c %s %p and %%, with the flags, widths, precisions and lengths of \
        C, and the PRI macros. Floating-point values and wide characters cannot be recorded, and %n writes to \
        memory. A percent sign is written `%%`.\n\n\
        --legacy-types accepts floating-point conversions, which then show the value's bits.",
    bad: "my_event(int percent) \"done: %d%\"\n",
    good: "my_event(int percent) \"done: %d%%\"\n",
};

pub(crate) static TWO_FORMATS: Code = Code {
    code: "E0016",
    name: "two-formats",
    title: "an event that is not `tcg` has two formats",
    explanation: "A comma between strings separates two formats, which only `tcg` events had. Strings that belong together \
        stand side by side without a comma.",
    bad: "my_event(int x, int y) \"x=%d\", \"y=%d\"\n",
    good: "my_event(int x, int y) \"x=%d\" \" y=%d\"\n",
};

pub(crate) static TCG_NEEDS_TWO_FORMATS: Code = Code {
    code: "E0017",
    name: "tcg-needs-two-formats",
    title: "a `tcg` event has only one format",
    explanation: "A `tcg` event (QEMU 2.1 to 6.2, here with --legacy-types) stands for two: one when guest code is \
        translated, one when it is executed. Each has its format, the first without the arguments that have \
        TCG types.",
    bad: "tcg guest_load(TCGv addr, uint8_t size) \"addr=0x%\"PRIx64\" size=%u\"\n",
    good: "tcg guest_load(TCGv addr, uint8_t size) \"size=%u\", \"addr=0x%\"PRIx64\" size=%u\"\n",
};

pub(crate) static DERIVED_PROPERTY: Code = Code {
    code: "E0018",
    name: "derived-property",
    title: "a property that cannot be written",
    explanation: "`tcg-trans` and `tcg-exec` are what the two events have that a `tcg` declaration stands for. Declare the \
        event with `tcg` (and --legacy-types), or as an ordinary one.",
    bad: "tcg-exec guest_load(uint64_t addr) \"addr=0x%\"PRIx64\n",
    good: "guest_load(uint64_t addr) \"addr=0x%\"PRIx64\n",
};

pub(crate) static LEGACY_PROPERTY: Code = Code {
    code: "E0019",
    name: "legacy-property",
    title: "a property of old files",
    explanation: "`tcg` (QEMU 2.1 to 6.2) made two events of a declaration, for the translation and the execution of guest \
        code; `vcpu` (2.6 to 8.0) added a CPU to the arguments. New files have neither. --legacy-types accepts \
        both.",
    bad: "vcpu guest_reset(void) \"reset\"\n",
    good: "guest_reset(int cpu_index) \"cpu=%d reset\"\n",
};

pub(crate) static SOURCE_TOO_LARGE: Code = Code {
    code: "E0020",
    name: "source-too-large",
    title: "the file is larger than 8 MiB",
    explanation: "All of QEMU declares its events in half a megabyte. A file fifteen times larger is another one, most \
        likely the trace itself.",
    bad: "",
    good: "",
};

pub(crate) static LINE_TOO_LONG: Code = Code {
    code: "E0021",
    name: "line-too-long",
    title: "a line is longer than 16 KiB",
    explanation: "A declaration has ten arguments at most, and its format is one line of text for people. The line is left \
        out; comments may have any length.",
    bad: "",
    good: "",
};
