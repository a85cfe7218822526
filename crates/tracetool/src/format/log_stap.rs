//! `log-stap`: a SystemTap script that prints the lines of the log backend.

use ringtrace_events::Diagnostic;

use super::systemtap::{Printf, Strings, active, names, texts};
use crate::probe::unsupported::{have_known_macros, have_no_doubles, have_no_enumerations, have_words};
use crate::{Request, SourceWriter, Template};

const HEAD: &str = "
/*
 * Prints events as lines of text. Requires the output of the format `stap`.
 * {origin}
 */
";

const PROBE: &str = r#"

probe {prefix}.log.{name} = {prefix}.{name} ?
{
    {strings}
    printf("%d@%d {name} {format}\n", {values})
}
"#;

pub(super) fn generate(request: &Request<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
    have_words(active(request).map(|(_, event)| event), "SystemTap")?;
    have_no_doubles(active(request).map(|(_, event)| event), "SystemTap")?;
    have_no_enumerations(active(request).map(|(_, event)| event), "SystemTap")?;
    have_known_macros(active(request).map(|(_, event)| event), "SystemTap")?;
    out.block(&Template::new(HEAD), &[("origin", &request.group.origin())]);
    let template = Template::new(PROBE);
    for (_, event) in active(request) {
        let names = names(event);
        let strings = Strings::new(&names, texts(event).into_iter());
        let printf = Printf::new(event, &names, &strings);
        let process_and_time = ["pid()".to_owned(), "gettimeofday_ns()".to_owned()];
        let values = [
            ("prefix", request.probe_prefix),
            ("name", &event.name),
            ("strings", &strings.statements(false)),
            ("format", &printf.format),
            ("values", &[&process_and_time[..], &printf.values].concat().join(", ")),
        ];
        out.block(&template, &values);
    }
    Ok(())
}
