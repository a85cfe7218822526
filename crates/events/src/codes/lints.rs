//! What is legal and likely not meant.

use super::Code;

pub(crate) static FORMAT_COUNT: Code = Code {
    code: "format-count",
    name: "format-count",
    title: "a format prints more values than the event has arguments",
    explanation: "Every conversion takes the next argument, and a `*` takes one too. Where there is none, printing reads \
        whatever is in memory. C compilers warn of this in some backends only.",
    bad: "my_event(int x) \"x=%d y=%d\"\n",
    good: "my_event(int x, int y) \"x=%d y=%d\"\n",
};

pub(crate) static FORMAT_TYPE: Code = Code {
    code: "format-type",
    name: "format-type",
    title: "a conversion does not fit the argument's type",
    explanation: "A conversion reads a value of a certain size and kind: %d and %x an int of 4 bytes, %ld and the macros for \
        64 bits one of 8, %s a string, %p a pointer. With another type, a line shows half of the value, and on \
        some machines the values behind it are wrong as well.\n\n\
        Only `const char *` and `char *` are strings, in exactly this spelling (or without the blank); every \
        other pointer is recorded as an address, and %s would have nothing to print. Sizes are those of \
        64-bit machines; uint64_t and int64_t want a PRI macro, size_t wants %zu.",
    bad: "my_event(uint64_t addr, void *name) \"addr=0x%x name=%s\"\n",
    good: "my_event(uint64_t addr, const char *name) \"addr=0x%\" PRIx64 \" name=%s\"\n",
};

pub(crate) static DUPLICATE_EVENT: Code = Code {
    code: "duplicate-event",
    name: "duplicate-event",
    title: "two events of the files given have the same name",
    explanation: "Names of events are those of functions and macros, for the whole program. Two that differ in case only \
        share the macro TRACE_NAME_ENABLED. All files given to one call of `check` count as one build.",
    bad: "my_event(int x) \"x=%d\"\nmy_event(int y) \"y=%d\"\n",
    good: "my_event(int x) \"x=%d\"\nmy_event_done(int y) \"y=%d\"\n",
};

pub(crate) static PROBE_CLASH: Code = Code {
    code: "probe-clash",
    name: "probe-clash",
    title: "two events need a function of the same name in Rust",
    explanation: "In generated Rust an event `disk` has the functions `disk` and `disk_enabled`, so that no other event can be \
        called `disk_enabled`. Neither can two differ only in what is done to names that Rust cannot have: `self` becomes \
        `self_`, and `9p` becomes `_9p`. C has no such problem.",
    bad: "disk(int sector) \"sector=%d\"\ndisk_enabled(int on) \"on=%d\"\n",
    good: "disk(int sector) \"sector=%d\"\ndisk_switched(int on) \"on=%d\"\n",
};

pub(crate) static DUPLICATE_ARGUMENT: Code = Code {
    code: "duplicate-argument",
    name: "duplicate-argument",
    title: "two arguments of an event have the same name",
    explanation: "The arguments are parameters of generated functions, which do not compile when two have the same name.",
    bad: "copy(void *p, void *p) \"%p %p\"\n",
    good: "copy(void *to, void *from) \"%p %p\"\n",
};

pub(crate) static UNUSED_ARGUMENT: Code = Code {
    code: "unused-argument",
    name: "unused-argument",
    title: "an argument is never printed",
    explanation: "The format has fewer conversions than the event has arguments. The last ones are recorded, and shown by \
        readers that show values by name, but by no backend that prints text.",
    bad: "my_event(int x, int y) \"x=%d\"\n",
    good: "my_event(int x, int y) \"x=%d y=%d\"\n",
};

pub(crate) static KEYWORD_NAME: Code = Code {
    code: "keyword-name",
    name: "keyword-name",
    title: "a name is a keyword of a language that code is generated for",
    explanation: "A C keyword as the name of an argument does not compile. Keywords of D and SystemTap are renamed by \
        appending `_`, so that scripts must use another name than the declaration has. In Rust such a name must \
        be escaped wherever it is used.",
    bad: "walk(void *next) \"next=%p\"\n",
    good: "walk(void *next_entry) \"next=%p\"\n",
};

pub(crate) static NO_NEWLINE_AT_END: Code = Code {
    code: "no-newline-at-end",
    name: "no-newline-at-end",
    title: "the last line does not end in a newline",
    explanation: "QEMU rejects such a file: concatenated with others, its last line would run into the next file's first. \
        --strict makes an error of it; `ringtrace fmt` adds the newline.",
    bad: "my_event(int x) \"x=%d\"",
    good: "my_event(int x) \"x=%d\"\n",
};

pub(crate) static IGNORED_TEXT: Code = Code {
    code: "ignored-text",
    name: "ignored-text",
    title: "text behind the arguments that is no format",
    explanation: "What stands between the `)` and the end of the line and does not begin with a quote is ignored, as QEMU \
        does: the event has no format, even if one follows later on the line.",
    bad: "my_event(int x): \"x=%d\"\n",
    good: "my_event(int x) \"x=%d\"\n",
};

pub(crate) static FORMAT_COMMENT: Code = Code {
    code: "format-comment",
    name: "format-comment",
    title: "a C comment within a declaration",
    explanation: "QEMU takes everything behind the first quote for the format, and pastes it into C. There a `/* comment */` \
        does no harm (`//` does, and is an error); other languages reject it.",
    bad: "my_event(int x) \"x=%d\" /* how many */\n",
    good: "# how many\nmy_event(int x) \"x=%d\"\n",
};

pub(crate) static UNKNOWN_MACRO: Code = Code {
    code: "unknown-macro",
    name: "unknown-macro",
    title: "a macro that only generated C can know",
    explanation: "Every backend and every reader knows PRI, then one of d i u x X o, then 8 16 32 64 PTR or MAX. Another \
        word in a format is pasted into C and may compile there; Rust, SystemTap and readers of traces cannot \
        know what it means.",
    bad: "my_event(uint64_t addr) \"addr=0x%\" HWADDR_PRIx\n",
    good: "my_event(uint64_t addr) \"addr=0x%\" PRIx64\n",
};

pub(crate) static STRAY_MACRO: Code = Code {
    code: "stray-macro",
    name: "stray-macro",
    title: "a PRI macro without a `%` before it",
    explanation: "A macro such as PRIx64 stands for the letters behind a `%`, which belongs into the string before it. \
        Without one the letters themselves are printed.",
    bad: "my_event(uint64_t addr) \"addr=0x\" PRIx64\n",
    good: "my_event(uint64_t addr) \"addr=0x%\" PRIx64\n",
};

pub(crate) static UNKNOWN_ESCAPE: Code = Code {
    code: "unknown-escape",
    name: "unknown-escape",
    title: "an escape that not every backend understands",
    explanation: "Formats are also pasted into Rust and SystemTap. All of them understand \\\\ \\\" \\a \\b \\f \\r \\t and \\xHH with \
        two digits. A quote `'` needs no backslash; a `\\0` would end the format.",
    bad: "my_event(const char *s) \"s=\\'%s\\'\"\n",
    good: "my_event(const char *s) \"s='%s'\"\n",
};

pub(crate) static IMPOSSIBLE_TYPE: Code = Code {
    code: "impossible-type",
    name: "impossible-type",
    title: "the words of a type are allowed but make no C type together",
    explanation: "Each word is checked by itself, as in QEMU, so that `unsigned bool` and a plain `void` get through. No C \
        compiler accepts what is generated from them.",
    bad: "my_event(unsigned bool flag) \"flag=%d\"\n",
    good: "my_event(bool flag) \"flag=%d\"\n",
};

pub(crate) static TCG_ARGUMENT_TYPE: Code = Code {
    code: "tcg-argument-type",
    name: "tcg-argument-type",
    title: "an argument of a `tcg` event cannot be passed into translated code",
    explanation: "The values of a `tcg` event (QEMU 2.1 to 6.2, here with --legacy-types) are those of the guest's \
        registers, in the types TCGv TCGv_i32 TCGv_i64 TCGv_ptr, or constants that the translator puts into the code: \
        uint8_t uint16_t uint32_t uint64_t and `void *`. It has no constants of other types, and the kinds of output \
        for it, tcg-h and the like, are refused. An event with `disable` may have any argument.",
    bad: "tcg guest_load(TCGv addr, bool aligned) \"aligned=%d\", \"addr=0x%\"PRIx64\" aligned=%d\"\n",
    good: "tcg guest_load(TCGv addr, uint8_t aligned) \"aligned=%u\", \"addr=0x%\"PRIx64\" aligned=%u\"\n",
};

pub(crate) static BYTE_ORDER_MARK: Code = Code {
    code: "byte-order-mark",
    name: "byte-order-mark",
    title: "the file begins with a byte order mark",
    explanation: "Some editors put the bytes EF BB BF before a file in UTF-8. QEMU takes them for part of the first line and \
        stops there, even if it is a comment. --strict makes an error of it; `ringtrace fmt` removes the mark.",
    bad: "\u{feff}# events of the disk\ndisk_read(int sector) \"sector=%d\"\n",
    good: "# events of the disk\ndisk_read(int sector) \"sector=%d\"\n",
};

pub(crate) static UNUSED_EVENT: Code = Code {
    code: "unused-event",
    name: "unused-event",
    title: "an event is declared and never used",
    explanation: "With --sources, the files *.c, *.h and *.rs below the folders given are searched for the word trace_NAME of \
        every event. One that is nowhere was likely forgotten when its last call was removed.",
    bad: "forgotten(int x) \"x=%d\"\n",
    good: "",
};
