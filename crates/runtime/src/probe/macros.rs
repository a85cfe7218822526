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
