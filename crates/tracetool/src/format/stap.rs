//! `stap`: SystemTap aliases for a program's probes and their arguments.

use ringtrace_events::Diagnostic;

use super::systemtap::{active, literal, names};
use crate::probe::unsupported::{have_no_doubles, have_words};
use crate::{Request, SourceWriter, Template};

const HEAD: &str = "
/*
 * Names for the probes of a program and their arguments.
 * {origin}
 */
";

const PROBE: &str = "

probe {prefix}.{name} = process({binary}).mark({mark})
{
    {arguments}
}
";

pub(super) fn generate(request: &Request<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
    have_words(active(request).map(|(_, event)| event), "SystemTap")?;
    have_no_doubles(active(request).map(|(_, event)| event), "SystemTap")?;
    let origin = request.group.origin();
    out.block(&Template::new(HEAD), &[("origin", &origin)]);
    let binary = literal(request.binary.as_bytes());
    let template = Template::new(PROBE);
    for (_, event) in active(request) {
        let arguments: Vec<String> = std::iter::zip(names(event), 1..)
            .map(|(name, position)| format!("{name} = $arg{position}"))
            .collect();
        let values = [
            ("prefix", request.probe_prefix),
            ("name", &event.name),
            ("binary", &binary),
            ("mark", &literal(event.name.as_bytes())),
            ("arguments", &arguments.join("\n")),
        ];
        out.block(&template, &values);
    }
    Ok(())
}
