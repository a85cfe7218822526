//! The macros for programs, and the macros with which generated code registers its events.

/// Includes the probes that the build script generated for a group, as a module `trace` in the
/// calling module.
///
/// ```text
/// ringtrace::include_trace!("blk");
///
/// fn read(request: &Request) {
///     trace::blk_read(request, request.offset);            // arguments are always evaluated
///     trace::blk_read!(request, expensive(request));       // only while the event is on
/// }
/// ```
///
/// `trace::span!` is [`span!`](crate::span), unless the group has an event `span`.
#[macro_export]
macro_rules! include_trace {
    ($group:literal) => {
        // A program need not use every probe, and the names come from the declarations.
        #[allow(dead_code, unused_imports, unused_macros, non_snake_case, unreachable_pub)]
        #[allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        pub(crate) mod trace {
            // Check that the build script sets this variable: the file may be left over from a
            // group that was renamed or removed.
            const _: &::core::primitive::str = ::core::env!(
                ::core::concat!("RINGTRACE_GROUP_", $group),
                "build.rs generates no probes for this group: add it with `ringtrace_tracetool::Builder::group`"
            );
            // Use full paths, because an event may have the same name as an item here.
            ::core::include!(::core::concat!(
                ::core::env!(
                    "OUT_DIR",
                    "`include_trace!` needs a build.rs that generates probes: see `ringtrace_tracetool::Builder`"
                ),
                "/ringtrace/trace-",
                $group,
                ".rs"
            ));
        }
    };
}

/// Records the begin of a span, and its end when the returned guard is dropped, also on unwinding.
///
/// ```
/// # mod trace {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/tracetool/ringtrace-rs/span.rs"));
/// # }
/// fn read(req: u64, offset: u64) -> std::io::Result<usize> {
///     let mut span = trace::span!(disk_begin(req, offset) => disk_end(req, -1));
///     let bytes = fill(offset)?; // an error or a panic records `disk_end` with -1
///     span.set(|end| end.ret = bytes as i32);
///     Ok(bytes)
/// }
/// # fn fill(_: u64) -> std::io::Result<usize> { Ok(7) }
/// # read(1, 2).unwrap();
/// ```
///
/// Arguments are converted as by the events' own macros, and evaluated only if one of the two
/// events is on when the span begins. The guard contains the values of the end event. Integers and
/// addresses are copied; strings are moved or borrowed. [`Span::set`](crate::probe::Span::set)
/// changes values.
///
/// If both events are off when the span begins, nothing is recorded, even if the end event is on
/// later. Otherwise the end is recorded if its event is on when the guard is dropped.
///
/// Like the events' macros, this one finds events in the module that is called `trace`.
#[macro_export]
macro_rules! span {
    ($begin:ident($($begin_argument:tt)*) => $end:ident($($end_argument:tt)*) $(,)?) => {
        $crate::probe::Span::new(if trace::$begin!(@is_on) | trace::$end!(@is_on) {
            ::core::hint::cold_path();
            trace::$begin!($($begin_argument)*);
            ::core::option::Option::Some(trace::$end!(@end $($end_argument)*))
        } else {
            ::core::option::Option::None
        })
    };
    ($($other:tt)*) => {
        ::core::compile_error!("expected `span!(begin_event(arguments) => end_event(arguments))`")
    };
}

/// The values of a span's end event, and the closure that records them. The fields have the names
/// of the event's arguments.
#[doc(hidden)]
#[macro_export]
macro_rules! span_end {
    ($probe:path $(, $argument:ident = $value:expr)*) => {{
        #[allow(non_camel_case_types, non_snake_case)]
        struct SpanEnd<$($argument),*> {
            $($argument: $argument,)*
        }
        // A pattern with the names of the arguments could refer to constants of the caller.
        $crate::probe::at_end(SpanEnd { $($argument: $value,)* }, |end| $probe($(end.$argument),*))
    }};
}

/// Lists the events of a file, and registers them before `main` or when the library is loaded.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "runtime")]
macro_rules! group {
    { name: $name:literal, events: [$($event:expr),* $(,)?] } => {
        static GROUP: $crate::Group = $crate::Group::new($name, &[$($event),*]);
        const _: () = {
            extern "C" fn enter() {
                $crate::probe::register(&GROUP);
            }
            extern "C" fn leave() {
                $crate::probe::unregister(&GROUP);
            }
            #[used]
            #[unsafe(link_section = ".init_array")]
            static ENTER: extern "C" fn() = enter;
            #[used]
            #[unsafe(link_section = ".fini_array")]
            static LEAVE: extern "C" fn() = leave;
        };
    };
}

/// Expands to nothing, because the feature `runtime` is off.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "runtime"))]
macro_rules! group {
    { name: $name:literal, events: [$($event:expr),* $(,)?] } => {};
}

/// A declaration's source text. It exists only in a note of the executable, where `ringtrace
/// probes` finds it.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "runtime")]
macro_rules! noted {
    ($group:literal, $declaration:literal) => {{
        #[used]
        #[unsafe(link_section = ".note.ringtrace")]
        static NOTE: $crate::probe::Declared<{ $group.len() }, { $declaration.len() }> =
            $crate::probe::Declared::new($group, $declaration);
        // SAFETY: the text was created from a `str`.
        unsafe { ::core::str::from_utf8_unchecked(NOTE.text()) }
    }};
}

/// Expands to the text alone, because the feature `runtime` is off.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "runtime"))]
macro_rules! noted {
    ($group:literal, $declaration:literal) => {
        $declaration
    };
}
