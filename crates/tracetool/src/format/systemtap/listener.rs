//! A stand-alone script that listens to a program's probes, without a tapset.

use ringtrace_events::Event;

use super::{Printf, Strings, literal, names, texts};
use crate::{SourceWriter, Template};

/// A USDT probe of a program.
#[derive(Debug, Clone, Copy)]
pub struct StapProbe<'a> {
    /// The absolute path of the program.
    pub binary: &'a str,
    /// The probe's provider.
    pub provider: &'a str,
    /// The probe's name.
    pub mark: &'a str,
    /// The declaration that describes the arguments.
    pub event: &'a Event,
}

const PROBE: &str = r#"
probe process({binary}).provider({provider}).mark({mark})
{
    {arguments}
    {strings}
    printf("%d@%d {name} {format}\n", {values})
}
"#;

/// Returns a SystemTap script that prints each hit of `probes` as a line, in the format of
/// `log-stap`.
pub fn stap_listener(probes: &[StapProbe<'_>]) -> String {
    let template = Template::new(PROBE);
    let mut out = SourceWriter::new();
    for StapProbe { binary, provider, mark, event } in probes {
        let names = names(event);
        let texts = texts(event);
        let strings = Strings::new(&names, texts.into_iter());
        let printf = Printf::new(event, &names, &strings);
        let process_and_time = ["pid()".to_owned(), "gettimeofday_ns()".to_owned()];
        let arguments: Vec<String> =
            std::iter::zip(&names, 1..).map(|(name, position)| format!("{name} = $arg{position}")).collect();
        let values = [
            ("binary", &*literal(binary.as_bytes())),
            ("provider", &literal(provider.as_bytes())),
            ("mark", &literal(mark.as_bytes())),
            ("arguments", &arguments.join("\n")),
            ("strings", &strings.statements(false)),
            ("name", &event.name),
            ("format", &printf.format),
            ("values", &[&process_and_time[..], &printf.values].concat().join(", ")),
        ];
        if out.line() > 1 {
            out.text("\n\n"); // an empty line
        }
        out.block(&template, &values);
    }
    out.finish()
}
