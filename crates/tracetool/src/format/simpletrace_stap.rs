//! `simpletrace-stap`: a SystemTap script that prints records of the simple backend.
//!
//! The crate `wire` defines the layout of records. A test decodes the output of these scripts.

use ringtrace_events::Diagnostic;
use ringtrace_events::ctype::StringRule;

use super::systemtap::{Strings, active, literal, local, names};
use crate::probe::unsupported::{have_no_doubles, have_words};
use crate::{Request, SourceWriter, StapMode, Template};

const HEAD: &str = "
/*
 * Prints events as records of a binary trace. Requires the output of the format `stap`.
 * {how_to_read}
 * {origin}
 */
";

/// The code for a whole trace, in which an event gets its id when it first occurs.
const WHOLE_TRACE: &str = r#"

global {ids}[{events}]
global {next_id}

/* The header of a trace. */
probe begin
{
    printf("%8b%8b%8b", 0xffffffffffffffff, 0xf2b177cb0aa429b4, 4)
}

/* Returns the id of an event. The first time, prints a record that maps the id to the name. */
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

/// Size in bytes of a record's header, without the record type.
const HEADER_BYTES: usize = 24;

pub(super) fn generate(request: &Request<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
    have_words(active(request).map(|(_, event)| event), "SystemTap")?;
    have_no_doubles(active(request).map(|(_, event)| event), "SystemTap")?;
    let mode = request.stap_mode;
    let how_to_read = match mode {
        StapMode::Dynamic => "The output is a whole trace.",
        StapMode::Static | StapMode::Version3 => {
            "The output has no header, and ids are positions in the declarations. Read it with --no-header."
        }
    };
    let head = [("how_to_read", how_to_read), ("origin", &*request.group.origin())];
    out.block(&Template::new(HEAD), &head);
    let private = private_name(request.probe_prefix);
    let id_of = format!("{private}_id");
    if mode == StapMode::Dynamic {
        // SystemTap allocates 2048 keys unless the script specifies a number.
        let events = active(request).count().max(1).to_string();
        let values = [
            ("ids", &*format!("{private}_ids")),
            ("next_id", &format!("{private}_next_id")),
            ("id_of", &id_of),
            ("events", &events),
        ];
        out.block(&Template::new(WHOLE_TRACE), &values);
    }
    // Format v3 treats `char *` with any number of stars as a string, later formats only `char *`.
    let rule = if mode == StapMode::Version3 { StringRule::AnyStars } else { StringRule::OneStar };
    let template = Template::new(PROBE);
    for (position, event) in active(request) {
        let names = names(event);
        let is_string = |index: &usize| event.arguments[*index].ctype.is_string(rule);
        let strings = Strings::new(&names, (0..event.arguments.len()).filter(is_string));
        let (id, find_id) = match mode {
            StapMode::Static | StapMode::Version3 => (position.to_string(), String::new()),
            StapMode::Dynamic => {
                let id = local("event_id".to_owned(), &names);
                let find_id = format!("{id} = {id_of}({})", literal(event.name.as_bytes()));
                (id, find_id)
            }
        };
        let record = record(mode, &id, &names, &strings);
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

/// Returns the code for a record of the event `id`, with the given argument names.
fn record(mode: StapMode, id: &str, names: &[impl AsRef<str>], strings: &Strings<'_>) -> Record {
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
    if mode != StapMode::Version3 {
        record.put("%8b", ["1".to_owned()]);
    }
    record.put("%8b%8b", [id.to_owned(), "gettimeofday_ns()".to_owned()]);
    record.put("%4b%4b", [format!("{bytes}{lengths}"), "pid()".to_owned()]);
    record.put(&arguments.conversions, arguments.values);
    record
}

/// Returns the prefix for a script's private names. It contains the probes' prefix, so that several
/// scripts can be loaded together. `_` is doubled to distinguish it from the `_` that replaces a
/// `.`.
fn private_name(prefix: &str) -> String {
    let word = |c: char| match c {
        '_' => "__".to_owned(),
        _ if c.is_ascii_alphanumeric() => c.to_string(),
        _ => "_".to_owned(),
    };
    format!("simpletrace_{}", prefix.chars().map(word).collect::<String>())
}
