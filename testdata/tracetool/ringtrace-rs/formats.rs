// Probes of the group `formats`, generated from formats.events. Make changes there.

pub(crate) use ::ringtrace::span;

/// Records the event declared in formats.events:
///
/// ```text
/// without(int x)
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn without(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        ::ringtrace::probe::emit_seen(&events::without, seen, (i64::from(x).cast_unsigned(),));
    }
    let seen = events::without.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `without` is on.
#[inline(always)]
pub fn without_enabled() -> bool {
    events::without.is_enabled()
}

pub(crate) use macros::__without as without;

/// Records the event declared in formats.events:
///
/// ```text
/// empty(int x) ""
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn empty(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        ::ringtrace::probe::emit_seen(&events::empty, seen, (i64::from(x).cast_unsigned(),));
    }
    let seen = events::empty.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `empty` is on.
#[inline(always)]
pub fn empty_enabled() -> bool {
    events::empty.is_enabled()
}

pub(crate) use macros::__empty as empty;

/// Records the event declared in formats.events:
///
/// ```text
/// macros_only(uint64_t x) "%" PRIx64
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn macros_only(x: u64) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: u64) {
        ::ringtrace::probe::emit_seen(&events::macros_only, seen, (x,));
    }
    let seen = events::macros_only.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `macros_only` is on.
#[inline(always)]
pub fn macros_only_enabled() -> bool {
    events::macros_only.is_enabled()
}

pub(crate) use macros::__macros_only as macros_only;

/// Records the event declared in formats.events:
///
/// ```text
/// no_blanks(uint64_t x, int y) "%"PRIu64"%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn no_blanks(x: u64, y: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: u64, y: i32) {
        ::ringtrace::probe::emit_seen(&events::no_blanks, seen, (x, i64::from(y).cast_unsigned()));
    }
    let seen = events::no_blanks.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, x, y);
    }
}

/// Whether `no_blanks` is on.
#[inline(always)]
pub fn no_blanks_enabled() -> bool {
    events::no_blanks.is_enabled()
}

pub(crate) use macros::__no_blanks as no_blanks;

/// Records the event declared in formats.events:
///
/// ```text
/// quoted(const char *s) "say \"%s\"#"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn quoted(s: impl ::ringtrace::probe::ToBytes) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, s: &[u8]) {
        ::ringtrace::probe::emit_seen(&events::quoted, seen, (s,));
    }
    let seen = events::quoted.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, s.to_bytes());
    }
}

/// Whether `quoted` is on.
#[inline(always)]
pub fn quoted_enabled() -> bool {
    events::quoted.is_enabled()
}

pub(crate) use macros::__quoted as quoted;

/// Records the event declared in formats.events:
///
/// ```text
/// hashes(const char *s) "r\"#%s\"##"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn hashes(s: impl ::ringtrace::probe::ToBytes) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, s: &[u8]) {
        ::ringtrace::probe::emit_seen(&events::hashes, seen, (s,));
    }
    let seen = events::hashes.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, s.to_bytes());
    }
}

/// Whether `hashes` is on.
#[inline(always)]
pub fn hashes_enabled() -> bool {
    events::hashes.is_enabled()
}

pub(crate) use macros::__hashes as hashes;

/// Records the event declared in formats.events:
///
/// ```text
/// backslash(int x) "c:\\%d\\"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn backslash(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        ::ringtrace::probe::emit_seen(&events::backslash, seen, (i64::from(x).cast_unsigned(),));
    }
    let seen = events::backslash.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `backslash` is on.
#[inline(always)]
pub fn backslash_enabled() -> bool {
    events::backslash.is_enabled()
}

pub(crate) use macros::__backslash as backslash;

/// Records the event declared in formats.events:
///
/// ```text
/// escapes(int x) "\a\b\f\r\t\x41 %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn escapes(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        ::ringtrace::probe::emit_seen(&events::escapes, seen, (i64::from(x).cast_unsigned(),));
    }
    let seen = events::escapes.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `escapes` is on.
#[inline(always)]
pub fn escapes_enabled() -> bool {
    events::escapes.is_enabled()
}

pub(crate) use macros::__escapes as escapes;

/// Records the event declared in formats.events:
///
/// ```text
/// backticks(int x) "`%d` ``` ~~~ */ /* // //! {x} {name} {declaration} $x <b>&amp; [link](x)"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn backticks(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        ::ringtrace::probe::emit_seen(&events::backticks, seen, (i64::from(x).cast_unsigned(),));
    }
    let seen = events::backticks.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `backticks` is on.
#[inline(always)]
pub fn backticks_enabled() -> bool {
    events::backticks.is_enabled()
}

pub(crate) use macros::__backticks as backticks;

/// Records the event declared in formats.events:
///
/// ```text
/// percent(int x) "%d%% done"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn percent(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        ::ringtrace::probe::emit_seen(&events::percent, seen, (i64::from(x).cast_unsigned(),));
    }
    let seen = events::percent.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `percent` is on.
#[inline(always)]
pub fn percent_enabled() -> bool {
    events::percent.is_enabled()
}

pub(crate) use macros::__percent as percent;

/// Records the event declared in formats.events:
///
/// ```text
/// letters(int x) "größe=%d 日本"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn letters(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        ::ringtrace::probe::emit_seen(&events::letters, seen, (i64::from(x).cast_unsigned(),));
    }
    let seen = events::letters.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `letters` is on.
#[inline(always)]
pub fn letters_enabled() -> bool {
    events::letters.is_enabled()
}

pub(crate) use macros::__letters as letters;

/// Records the event declared in formats.events:
///
/// ```text
/// signs(int x) "→ %d… \u{202e} \u{200b}"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn signs(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        ::ringtrace::probe::emit_seen(&events::signs, seen, (i64::from(x).cast_unsigned(),));
    }
    let seen = events::signs.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `signs` is on.
#[inline(always)]
pub fn signs_enabled() -> bool {
    events::signs.is_enabled()
}

pub(crate) use macros::__signs as signs;

/// Records the event declared in formats.events:
///
/// ```text
/// braces(int x) "{}{{x}} %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn braces(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        ::ringtrace::probe::emit_seen(&events::braces, seen, (i64::from(x).cast_unsigned(),));
    }
    let seen = events::braces.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `braces` is on.
#[inline(always)]
pub fn braces_enabled() -> bool {
    events::braces.is_enabled()
}

pub(crate) use macros::__braces as braces;

/// Records the event declared in formats.events:
///
/// ```text
/// tabs(int x)    "    %d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn tabs(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        ::ringtrace::probe::emit_seen(&events::tabs, seen, (i64::from(x).cast_unsigned(),));
    }
    let seen = events::tabs.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `tabs` is on.
#[inline(always)]
pub fn tabs_enabled() -> bool {
    events::tabs.is_enabled()
}

pub(crate) use macros::__tabs as tabs;

/// Records the event declared in formats.events:
///
/// ```text
/// width(int w, uint64_t v, const char *s) "%0*" PRIx64 " %-10.3s"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn width(w: i32, v: u64, s: impl ::ringtrace::probe::ToBytes) {
    #[inline(never)]
    fn emit(seen: ::ringtrace::probe::Seen, w: i32, v: u64, s: &[u8]) {
        ::ringtrace::probe::emit_seen(&events::width, seen, (i64::from(w).cast_unsigned(), v, s));
    }
    let seen = events::width.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, w, v, s.to_bytes());
    }
}

/// Whether `width` is on.
#[inline(always)]
pub fn width_enabled() -> bool {
    events::width.is_enabled()
}

pub(crate) use macros::__width as width;

/// Records the event declared in formats.events:
///
/// ```text
/// ignored(int x): "%d"
/// ```
///
/// The macro of the same name evaluates its arguments only while the event is on, and converts
/// narrower integers.
#[inline(always)]
pub fn ignored(x: i32) {
    #[inline(always)]
    fn emit(seen: ::ringtrace::probe::Seen, x: i32) {
        ::ringtrace::probe::emit_seen(&events::ignored, seen, (i64::from(x).cast_unsigned(),));
    }
    let seen = events::ignored.see();
    if seen.is_enabled() {
        ::core::hint::cold_path();
        emit(seen, x);
    }
}

/// Whether `ignored` is on.
#[inline(always)]
pub fn ignored_enabled() -> bool {
    events::ignored.is_enabled()
}

pub(crate) use macros::__ignored as ignored;

mod macros {
    macro_rules! __without {
        (@is_on) => {
            trace::without_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::without, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::without_enabled() {
                ::core::hint::cold_path();
                trace::without(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `without(x)`")
        };
    }
    pub(crate) use __without;
    macro_rules! __empty {
        (@is_on) => {
            trace::empty_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::empty, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::empty_enabled() {
                ::core::hint::cold_path();
                trace::empty(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `empty(x)`")
        };
    }
    pub(crate) use __empty;
    macro_rules! __macros_only {
        (@is_on) => {
            trace::macros_only_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::macros_only, x = ::ringtrace::probe::Integer::<u64>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::macros_only_enabled() {
                ::core::hint::cold_path();
                trace::macros_only(::ringtrace::probe::Integer::<u64>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `macros_only(x)`")
        };
    }
    pub(crate) use __macros_only;
    macro_rules! __no_blanks {
        (@is_on) => {
            trace::no_blanks_enabled()
        };
        (@end $x:expr, $y:expr$(,)?) => {
            ::ringtrace::span_end!(trace::no_blanks, x = ::ringtrace::probe::Integer::<u64>::of($x).value(), y = ::ringtrace::probe::Integer::<i32>::of($y).value())
        };
        ($x:expr, $y:expr$(,)?) => {
            if trace::no_blanks_enabled() {
                ::core::hint::cold_path();
                trace::no_blanks(::ringtrace::probe::Integer::<u64>::of($x).value(), ::ringtrace::probe::Integer::<i32>::of($y).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `no_blanks(x, y)`")
        };
    }
    pub(crate) use __no_blanks;
    macro_rules! __quoted {
        (@is_on) => {
            trace::quoted_enabled()
        };
        (@end $s:expr$(,)?) => {
            ::ringtrace::span_end!(trace::quoted, s = ::ringtrace::probe::string($s))
        };
        ($s:expr$(,)?) => {
            if trace::quoted_enabled() {
                ::core::hint::cold_path();
                trace::quoted($s);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `quoted(s)`")
        };
    }
    pub(crate) use __quoted;
    macro_rules! __hashes {
        (@is_on) => {
            trace::hashes_enabled()
        };
        (@end $s:expr$(,)?) => {
            ::ringtrace::span_end!(trace::hashes, s = ::ringtrace::probe::string($s))
        };
        ($s:expr$(,)?) => {
            if trace::hashes_enabled() {
                ::core::hint::cold_path();
                trace::hashes($s);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `hashes(s)`")
        };
    }
    pub(crate) use __hashes;
    macro_rules! __backslash {
        (@is_on) => {
            trace::backslash_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::backslash, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::backslash_enabled() {
                ::core::hint::cold_path();
                trace::backslash(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `backslash(x)`")
        };
    }
    pub(crate) use __backslash;
    macro_rules! __escapes {
        (@is_on) => {
            trace::escapes_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::escapes, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::escapes_enabled() {
                ::core::hint::cold_path();
                trace::escapes(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `escapes(x)`")
        };
    }
    pub(crate) use __escapes;
    macro_rules! __backticks {
        (@is_on) => {
            trace::backticks_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::backticks, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::backticks_enabled() {
                ::core::hint::cold_path();
                trace::backticks(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `backticks(x)`")
        };
    }
    pub(crate) use __backticks;
    macro_rules! __percent {
        (@is_on) => {
            trace::percent_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::percent, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::percent_enabled() {
                ::core::hint::cold_path();
                trace::percent(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `percent(x)`")
        };
    }
    pub(crate) use __percent;
    macro_rules! __letters {
        (@is_on) => {
            trace::letters_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::letters, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::letters_enabled() {
                ::core::hint::cold_path();
                trace::letters(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `letters(x)`")
        };
    }
    pub(crate) use __letters;
    macro_rules! __signs {
        (@is_on) => {
            trace::signs_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::signs, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::signs_enabled() {
                ::core::hint::cold_path();
                trace::signs(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `signs(x)`")
        };
    }
    pub(crate) use __signs;
    macro_rules! __braces {
        (@is_on) => {
            trace::braces_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::braces, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::braces_enabled() {
                ::core::hint::cold_path();
                trace::braces(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `braces(x)`")
        };
    }
    pub(crate) use __braces;
    macro_rules! __tabs {
        (@is_on) => {
            trace::tabs_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::tabs, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::tabs_enabled() {
                ::core::hint::cold_path();
                trace::tabs(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `tabs(x)`")
        };
    }
    pub(crate) use __tabs;
    macro_rules! __width {
        (@is_on) => {
            trace::width_enabled()
        };
        (@end $w:expr, $v:expr, $s:expr$(,)?) => {
            ::ringtrace::span_end!(trace::width, w = ::ringtrace::probe::Integer::<i32>::of($w).value(), v = ::ringtrace::probe::Integer::<u64>::of($v).value(), s = ::ringtrace::probe::string($s))
        };
        ($w:expr, $v:expr, $s:expr$(,)?) => {
            if trace::width_enabled() {
                ::core::hint::cold_path();
                trace::width(::ringtrace::probe::Integer::<i32>::of($w).value(), ::ringtrace::probe::Integer::<u64>::of($v).value(), $s);
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `width(w, v, s)`")
        };
    }
    pub(crate) use __width;
    macro_rules! __ignored {
        (@is_on) => {
            trace::ignored_enabled()
        };
        (@end $x:expr$(,)?) => {
            ::ringtrace::span_end!(trace::ignored, x = ::ringtrace::probe::Integer::<i32>::of($x).value())
        };
        ($x:expr$(,)?) => {
            if trace::ignored_enabled() {
                ::core::hint::cold_path();
                trace::ignored(::ringtrace::probe::Integer::<i32>::of($x).value());
            }
        };
        ($($other:tt)*) => {
            ::core::compile_error!("expected the arguments of the event: `ignored(x)`")
        };
    }
    pub(crate) use __ignored;
}

#[allow(non_upper_case_globals)]
mod events {
    use ::ringtrace::{Argument, ArgumentKind, Declaration, Event};

    pub(super) static without: Event = Event::new(Declaration {
        name: "without",
        group: "formats",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: None,
        text: ::ringtrace::noted!("formats", "without(int x)"),
        traceable: true,
    });
    pub(super) static empty: Event = Event::new(Declaration {
        name: "empty",
        group: "formats",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""""#),
        text: ::ringtrace::noted!("formats", r#"empty(int x) """#),
        traceable: true,
    });
    pub(super) static macros_only: Event = Event::new(Declaration {
        name: "macros_only",
        group: "formats",
        arguments: &[
            Argument { name: "x", ctype: "uint64_t", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%" PRIx64"#),
        text: ::ringtrace::noted!("formats", r#"macros_only(uint64_t x) "%" PRIx64"#),
        traceable: true,
    });
    pub(super) static no_blanks: Event = Event::new(Declaration {
        name: "no_blanks",
        group: "formats",
        arguments: &[
            Argument { name: "x", ctype: "uint64_t", kind: ArgumentKind::Integer },
            Argument { name: "y", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%"PRIu64"%d""#),
        text: ::ringtrace::noted!("formats", r#"no_blanks(uint64_t x, int y) "%"PRIu64"%d""#),
        traceable: true,
    });
    pub(super) static quoted: Event = Event::new(Declaration {
        name: "quoted",
        group: "formats",
        arguments: &[
            Argument { name: "s", ctype: "const char *", kind: ArgumentKind::Str },
        ],
        format: Some(r##""say \"%s\"#""##),
        text: ::ringtrace::noted!("formats", r##"quoted(const char *s) "say \"%s\"#""##),
        traceable: true,
    });
    pub(super) static hashes: Event = Event::new(Declaration {
        name: "hashes",
        group: "formats",
        arguments: &[
            Argument { name: "s", ctype: "const char *", kind: ArgumentKind::Str },
        ],
        format: Some(r###""r\"#%s\"##""###),
        text: ::ringtrace::noted!("formats", r###"hashes(const char *s) "r\"#%s\"##""###),
        traceable: true,
    });
    pub(super) static backslash: Event = Event::new(Declaration {
        name: "backslash",
        group: "formats",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""c:\\%d\\""#),
        text: ::ringtrace::noted!("formats", r#"backslash(int x) "c:\\%d\\""#),
        traceable: true,
    });
    pub(super) static escapes: Event = Event::new(Declaration {
        name: "escapes",
        group: "formats",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""\a\b\f\r\t\x41 %d""#),
        text: ::ringtrace::noted!("formats", r#"escapes(int x) "\a\b\f\r\t\x41 %d""#),
        traceable: true,
    });
    pub(super) static backticks: Event = Event::new(Declaration {
        name: "backticks",
        group: "formats",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""`%d` ``` ~~~ */ /* // //! {x} {name} {declaration} $x <b>&amp; [link](x)""#),
        text: ::ringtrace::noted!("formats", r#"backticks(int x) "`%d` ``` ~~~ */ /* // //! {x} {name} {declaration} $x <b>&amp; [link](x)""#),
        traceable: true,
    });
    pub(super) static percent: Event = Event::new(Declaration {
        name: "percent",
        group: "formats",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""%d%% done""#),
        text: ::ringtrace::noted!("formats", r#"percent(int x) "%d%% done""#),
        traceable: true,
    });
    pub(super) static letters: Event = Event::new(Declaration {
        name: "letters",
        group: "formats",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""größe=%d 日本""#),
        text: ::ringtrace::noted!("formats", r#"letters(int x) "größe=%d 日本""#),
        traceable: true,
    });
    pub(super) static signs: Event = Event::new(Declaration {
        name: "signs",
        group: "formats",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some("\"\u{2192} %d\u{2026} \u{202e} \u{200b}\""),
        text: ::ringtrace::noted!("formats", "signs(int x) \"\u{2192} %d\u{2026} \u{202e} \u{200b}\""),
        traceable: true,
    });
    pub(super) static braces: Event = Event::new(Declaration {
        name: "braces",
        group: "formats",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some(r#""{}{{x}} %d""#),
        text: ::ringtrace::noted!("formats", r#"braces(int x) "{}{{x}} %d""#),
        traceable: true,
    });
    pub(super) static tabs: Event = Event::new(Declaration {
        name: "tabs",
        group: "formats",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: Some("\"\t%d\""),
        text: ::ringtrace::noted!("formats", "tabs(int x)\t\"\t%d\""),
        traceable: true,
    });
    pub(super) static width: Event = Event::new(Declaration {
        name: "width",
        group: "formats",
        arguments: &[
            Argument { name: "w", ctype: "int", kind: ArgumentKind::Integer },
            Argument { name: "v", ctype: "uint64_t", kind: ArgumentKind::Integer },
            Argument { name: "s", ctype: "const char *", kind: ArgumentKind::Str },
        ],
        format: Some(r#""%0*" PRIx64 " %-10.3s""#),
        text: ::ringtrace::noted!("formats", r#"width(int w, uint64_t v, const char *s) "%0*" PRIx64 " %-10.3s""#),
        traceable: true,
    });
    pub(super) static ignored: Event = Event::new(Declaration {
        name: "ignored",
        group: "formats",
        arguments: &[
            Argument { name: "x", ctype: "int", kind: ArgumentKind::Integer },
        ],
        format: None,
        text: ::ringtrace::noted!("formats", r#"ignored(int x): "%d""#),
        traceable: true,
    });
}

mod group {
    use super::events;

    ::ringtrace::group! { name: "formats", events: [
        &events::without,
        &events::empty,
        &events::macros_only,
        &events::no_blanks,
        &events::quoted,
        &events::hashes,
        &events::backslash,
        &events::escapes,
        &events::backticks,
        &events::percent,
        &events::letters,
        &events::signs,
        &events::braces,
        &events::tabs,
        &events::width,
        &events::ignored,
    ] }
}
