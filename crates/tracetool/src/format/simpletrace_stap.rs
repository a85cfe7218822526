//! `simpletrace-stap`: SystemTap prints the records that the simple backend writes.
//!
//! What stands where in a record is known to `wire`; a test decodes what these scripts print.

use ringtrace_events::Diagnostic;
use ringtrace_events::ctype::StringRule;

use super::origin::origin;
use super::refusal::have_words;
use super::systemtap::{Strings, active, literal, local, names};
use super::{Format, Needs};
use crate::{Request, SourceWriter, StapMode, Template};

pub(super) const FORMAT: Format = Format {
    name: "simpletrace-stap",
    about: "SystemTap, probes that print records of a binary trace",
    denied_lints: &[],
    needs: Needs { binary: false, probe_prefix: true },
    generate,
};

const HEAD: &str = "
/*
 * Prints events as records of a binary trace. Wants the output of the format `stap` beside it.
 * {how_to_read}
 * {origin}
 */
";

/// Records of a whole trace name their event by a number that is given when it first happens.
const WHOLE_TRACE: &str = r#"

global {ids}[{events}]
global {next_id}

/* The header of a trace. */
probe begin
{
    printf("%8b%8b%8b", 0xffffffffffffffff, 0xf2b177cb0aa429b4, 4)
}

/* The id of an event. Before its first record stands another one that says whose id it is. */
function {id_of}(name)
{
    if (!([name] in {ids})) {
        {ids}[name] = {next_id}++
        printf("%8b%8b%4b%.*s", 0, {ids}[name], strlen(name), strlen(name), name)
    }
    return {ids}[name]
}
"#;

const PROBE: &str = r#"

probe {prefix}.simpletrace.{name} = {prefix}.{name} ?
{
    {strings}
    {find_id}
    printf("{conversions}", {values})
}
"#;

/// Bytes of a record before its arguments, without its type.
const HEADER_BYTES: usize = 24;

fn generate(request: &Request<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
    have_words(active(request).map(|(_, event)| event), "SystemTap")?;
    let manner = request.stap_mode;
    let how_to_read = match manner {
        StapMode::Dynamic => "What it prints is a whole trace.",
        StapMode::Static | StapMode::Version3 => {
            "What it prints has no header, and ids that are positions in the declarations: read it with --no-header."
        }
    };
    let head = [("how_to_read", how_to_read), ("origin", &*origin(&request.group))];
    out.block(&Template::new(HEAD), &head);
    let private = private_name(request.probe_prefix);
    let id_of = format!("{private}_id");
    if manner == StapMode::Dynamic {
        // SystemTap has no room for more keys than it is told, or for 2048.
        let events = active(request).count().max(1).to_string();
        let values = [
            ("ids", &*format!("{private}_ids")),
            ("next_id", &format!("{private}_next_id")),
            ("id_of", &id_of),
            ("events", &events),
        ];
        out.block(&Template::new(WHOLE_TRACE), &values);
    }
    // Readers of version 3 know as strings what its writers did.
    let rule = if manner == StapMode::Version3 { StringRule::AnyStars } else { StringRule::OneStar };
    let template = Template::new(PROBE);
    for (position, event) in active(request) {
        let names = names(event);
        let is_string = |index: &usize| event.arguments[*index].ctype.is_string(rule);
        let strings = Strings::new(&names, (0..event.arguments.len()).filter(is_string));
        let (id, find_id) = match manner {
            StapMode::Static | StapMode::Version3 => (position.to_string(), String::new()),
            StapMode::Dynamic => {
                let id = local("event_id".to_owned(), &names);
                let find_id = format!("{id} = {id_of}({})", literal(event.name.as_bytes()));
                (id, find_id)
            }
        };
        let record = record(manner, &id, &names, &strings);
        let values = [
            ("prefix", request.probe_prefix),
            ("name", &event.name),
            ("strings", &strings.statements(true)),
            ("find_id", &find_id),
            ("conversions", &record.conversions),
            ("values", &record.values.join(", ")),
        ];
        out.block(&template, &values);
    }
    Ok(())
}

/// What one `printf` prints.
#[derive(Default)]
struct Record {
    conversions: String,
    values: Vec<String>,
}

impl Record {
    fn put(&mut self, conversion: &str, values: impl IntoIterator<Item = String>) {
        self.conversions.push_str(conversion);
        self.values.extend(values);
    }
}

/// A record of the event `id`, whose arguments are called `names`.
fn record(manner: StapMode, id: &str, names: &[impl AsRef<str>], strings: &Strings<'_>) -> Record {
    let mut arguments = Record::default();
    let mut bytes = HEADER_BYTES;
    let mut lengths = String::new();
    for (index, name) in names.iter().enumerate() {
        match (strings.text(index), strings.length(index)) {
            (Some(text), Some(length)) => {
                bytes += 4;
                lengths.extend([" + ", &length]);
                arguments.put("%4b%.*s", [length.clone(), length, text]);
            }
            _ => {
                bytes += 8;
                arguments.put("%8b", [name.as_ref().to_owned()]);
            }
        }
    }
    let mut record = Record::default();
    if manner != StapMode::Version3 {
        record.put("%8b", ["1".to_owned()]);
    }
    record.put("%8b%8b", [id.to_owned(), "gettimeofday_ns()".to_owned()]);
    record.put("%4b%4b", [format!("{bytes}{lengths}"), "pid()".to_owned()]);
    record.put(&arguments.conversions, arguments.values);
    record
}

/// What the names of a script begin with that are not meant for others. Several can be loaded together: so it is made of
/// the prefix of the probes, with `_` doubled to be told from the `.` between its words.
fn private_name(prefix: &str) -> String {
    let word = |c: char| match c {
        '_' => "__".to_owned(),
        _ if c.is_ascii_alphanumeric() => c.to_string(),
        _ => "_".to_owned(),
    };
    format!("simpletrace_{}", prefix.chars().map(word).collect::<String>())
}
