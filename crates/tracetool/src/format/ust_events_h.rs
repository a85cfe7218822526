//! `ust-events-h`: the provider of LTTng-UST.
//!
//! LTTng includes the header a dozen times with different macros. The guard therefore allows
//! repeated inclusion, and the content must not change.

use ringtrace_events::ctype::StringRule;
use ringtrace_events::format::Outline;
use ringtrace_events::lint::Language;
use ringtrace_events::{Argument, CType, Diagnostic, Event};

use crate::probe::argument_names;
use crate::probe::is_taken;
use crate::probe::unsupported::{at_most_arguments, have_types, have_words};
use crate::{Group, Request, SourceWriter, Template};

/// The maximum number of arguments that LTTng's macros support.
const MAX_ARGUMENTS: usize = 10;

const HEAD: &str = r#"
/*
 * The events of {group} for LTTng-UST.
 * {origin}
 */

#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER {provider}

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "{itself}"

#if !defined({guard}) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define {guard}

#include <lttng/tracepoint.h>

/* LTTng 2.0 has no TP_ARGS(void), for events without arguments. */
#ifndef _TP_EXPROTO1
#define _TP_EXPROTO1(a) void
#endif
#ifndef _TP_EXDATA_PROTO1
#define _TP_EXDATA_PROTO1(a) void *__tp_data
#endif
#ifndef _TP_EXDATA_VAR1
#define _TP_EXDATA_VAR1(a) __tp_data
#endif
#ifndef _TP_EXVAR1
#define _TP_EXVAR1(a)
#endif
"#;

const EVENT: &str = "

TRACEPOINT_EVENT(
    {provider},
    {name},
    TP_ARGS({arguments}),
    TP_FIELDS({fields})
)
";

const FOOT: &str = "

#endif /* {guard} */

/* Outside of the guard, because it includes this header again. */
#include <lttng/tracepoint-event.h>
";

pub(super) fn generate(request: &Request<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
    let group = &request.group;
    // The header for all events includes itself. Other headers are included only once, but LTTng
    // requires a name for them too.
    let itself = if group.name == "all" { "./trace-ust-all.h" } else { "./trace-ust.h" };
    Provider { name: "qemu", group, itself }.header(out)
}

/// The events of an LTTng provider.
pub(crate) struct Provider<'a> {
    /// The provider's name, a C identifier. For C code it is always `qemu`, which is part of QEMU's
    /// interface.
    pub name: &'a str,
    pub group: &'a Group<'a>,
    /// The name by which the header includes itself.
    pub itself: &'a str,
}

impl Provider<'_> {
    /// The events that are not disabled.
    pub fn active(&self) -> impl Iterator<Item = &Event> {
        self.group.events.iter().copied().filter(|event| !event.disabled)
    }

    /// Writes the header.
    ///
    /// # Errors
    /// Returns diagnostics of events that LTTng does not support.
    pub fn header(&self, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
        let Provider { name: provider, group, itself } = *self;
        have_words(self.active(), "LTTng-UST")?;
        have_types(self.active(), "LTTng-UST")?;
        at_most_arguments(self.active(), MAX_ARGUMENTS)?;
        let guard = format!("TRACE_{}_GENERATED_UST_H", group.name.to_ascii_uppercase());
        let head = [
            ("group", group.name),
            ("origin", &group.origin()),
            ("provider", provider),
            ("itself", itself),
            ("guard", &guard),
        ];
        out.block(&Template::new(HEAD), &head);
        let template = Template::new(EVENT);
        for event in self.active() {
            let names = argument_names(event, Language::C, is_taken);
            let arguments: Vec<String> = std::iter::zip(&event.arguments, &names)
                .map(|(argument, name)| format!("{}, {name}", argument.ctype_text))
                .collect();
            let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") };
            let fields = fields(event, &names);
            let values = [
                ("provider", provider),
                ("name", &*event.name),
                ("arguments", &arguments),
                ("fields", &fields),
            ];
            out.block(&template, &values);
        }
        out.block(&Template::new(FOOT), &[("guard", &guard)]);
        Ok(())
    }
}

/// Returns a field for each argument, one per line. The event's format only determines which
/// integers are shown in hex.
fn fields(event: &Event, names: &[impl AsRef<str>]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let hex = printed_in_hex(event);
    let mut lines = "\n".to_owned();
    for (index, (argument, name)) in std::iter::zip(&event.arguments, names).enumerate() {
        let field = field(argument, name.as_ref(), hex.contains(&index));
        lines.extend(["    ", &field, "\n"]);
    }
    lines
}

fn field(argument: &Argument, name: &str, is_hex: bool) -> String {
    let ctype = &argument.ctype_text;
    match argument.ctype {
        ctype if ctype.is_string(StringRule::OneStar) => format!("ctf_string({name}, {name})"),
        CType::Double | CType::Float => format!("ctf_float({ctype}, {name}, {name})"),
        CType::Pointer | CType::StrStar => format!("ctf_integer_hex({ctype}, {name}, {name})"),
        // `uintptr_t` and `ptrdiff_t`.
        _ if is_hex || ctype.contains("ptr") => format!("ctf_integer_hex({ctype}, {name}, {name})"),
        _ => format!("ctf_integer({ctype}, {name}, {name})"),
    }
}

/// Returns the indexes of the arguments that the format prints in hex.
fn printed_in_hex(event: &Event) -> Vec<usize> {
    let format = event.format.as_deref().unwrap_or_default();
    let outline = Outline::parse_prefixed(event.format_prefix, format);
    let is_hex = |letter| matches!(letter, 'x' | 'X' | 'p');
    outline
        .conversions
        .iter()
        .filter(|found| is_hex(found.letter))
        .filter_map(|found| found.argument)
        .collect()
}
