//! Generates the C source of a provider's library: a state and a function for each tracepoint.

use std::fmt::Write;

use ringtrace_events::ctype::StringRule;
use ringtrace_events::{CType, Event};

use crate::format::ust_events_h::Provider;
use crate::{SourceWriter, Template};

const HEAD: &str = r#"
/*
 * The tracepoints of the LTTng-UST provider {provider}, with symbols for Rust.
 * {origin}
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

/* GCC predefines these macros, but events and arguments may have these names. */
#undef linux
#undef unix

#define TRACEPOINT_DEFINE
#define TRACEPOINT_CREATE_PROBES

#include "trace-ust-{provider}.h"

/* Tracepoints, and the list of them. LTTng-UST 2.13 renamed them. */
#ifdef lttng_ust_tracepoint_enabled
#define TRACEPOINT "lttng_ust_tracepoint_{provider}___"
#define STATE_OFFSET offsetof(struct lttng_ust_tracepoint, state)
#define LISTED(name) (&lttng_ust_tracepoint_ptr_{provider}___##name)
#else
#define TRACEPOINT "__tracepoint_{provider}___"
#define STATE_OFFSET offsetof(struct tracepoint, state)
#define LISTED(name) (&__tracepoint_ptr_{provider}___##name)
#endif

/* Names the state that tracepoint_enabled() reads, so that Rust reads it with one load, as C does. */
#define NAME_STATE(name) \
    __asm__ volatile(".globl ringtrace_ust_state_{provider}___" name "\n\t" \
                     ".set ringtrace_ust_state_{provider}___" name ", " TRACEPOINT name " + %c0" \
                     : : "i"(STATE_OFFSET))

/* The only instruction refers to the list. LTTng finds the list by its section, and linkers drop
   sections without references (--gc-sections, which rustc uses). */
static __attribute__((constructor, noinline)) void keep_and_name(void)
{
    __asm__ volatile("" : : "r"(LISTED({first})));
    {states}
}

/* A Rust string, without a NUL. The pointer may be NULL. */
struct text {
    const char *bytes;
    size_t length;
};

/* Longer strings are truncated, because copies are on the stack, which may be small. */
#define MAX_TEXT_BYTES 4095

#define TERMINATED(copy, text) \
    const size_t copy##_length = text.length < MAX_TEXT_BYTES ? text.length : MAX_TEXT_BYTES; \
    char copy[copy##_length + 1]; \
    if (text.bytes != NULL) \
        memcpy(copy, text.bytes, copy##_length); \
    copy[copy##_length] = '\0'
"#;

const EVENT: &str = "

void ringtrace_ust_fire_{provider}___{name}({parameters});
void ringtrace_ust_fire_{provider}___{name}({parameters})
{
    {copies}tracepoint({provider}, {name}{values});
}
";

/// Writes the source file. The provider's header is written next to it.
pub fn generate(provider: &Provider<'_>, out: &mut SourceWriter) {
    let first = provider.active().next().map_or("", |event| &*event.name);
    let states: Vec<String> =
        provider.active().map(|event| format!("NAME_STATE(\"{}\");", event.name)).collect();
    let head = [
        ("provider", provider.name),
        ("origin", &provider.group.origin()),
        ("first", first),
        ("states", &states.join("\n")),
    ];
    out.block(&Template::new(HEAD), &head);
    let template = Template::new(EVENT);
    for event in provider.active() {
        let Function { parameters, copies, values } = Function::of(event);
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        let values = [
            ("provider", provider.name),
            ("name", &*event.name),
            ("parameters", &parameters),
            ("copies", &copies),
            ("values", &values),
        ];
        out.block(&template, &values);
    }
}

/// The parts of the function that receives an event's values. Arguments are renamed, so that macros
/// cannot replace their names.
#[derive(Default)]
struct Function {
    parameters: Vec<String>,
    copies: String,
    /// The values passed to the tracepoint, each preceded by a comma.
    values: String,
}

impl Function {
    fn of(event: &Event) -> Function {
        let mut function = Function::default();
        for (index, argument) in event.arguments.iter().enumerate() {
            let ctype = &argument.ctype_text;
            let parameter = match argument.ctype {
                ctype if ctype.is_string(StringRule::OneStar) => {
                    let _ = writeln!(function.copies, "TERMINATED(s{index}, a{index});");
                    let _ = write!(function.values, ", a{index}.bytes != NULL ? s{index} : NULL");
                    "struct text"
                }
                CType::Pointer | CType::StrStar => {
                    let _ = write!(function.values, ", ({ctype})(uintptr_t)a{index}");
                    "uint64_t"
                }
                _ => {
                    let _ = write!(function.values, ", a{index}");
                    &**ctype
                }
            };
            function.parameters.push(format!("{parameter} a{index}"));
        }
        function
    }
}
