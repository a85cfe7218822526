//! The contents of an export, as read by the trace processor.

use std::collections::HashMap;
use std::path::Path;

use ringtrace_peers::perfetto::{ERRORS, query};
use serde_json::Value;

use crate::Format;
use crate::expected::{All, Slice};

const SLICES: &str = "\
select s.ts, s.dur, s.name, s.category, s.arg_set_id, p.pid, th.tid
from slice s
left join thread_track tt on tt.id = s.track_id
left join thread th on th.utid = tt.utid
left join process_track pt on pt.id = s.track_id
left join process p on p.upid = coalesce(th.upid, pt.upid)";

const ARGUMENTS: &str = "select arg_set_id, key, value_type, int_value, string_value, real_value, cast(real_value as text) from args";

const FLOWS: &str = "\
select a.name, b.name from flow
join slice a on a.id = flow.slice_out
join slice b on b.id = flow.slice_in";

const COUNTERS: &str =
    "select t.name, c.ts, c.value from counter c join counter_track t on t.id = c.track_id";

// In Chrome's format the first two threads are the tracks for dropped events and pauses.
const THREADS: &str = "select tid, name from thread where tid > 2 and name is not null";

/// Returns the contents, and the results of the queries `more`. Checks that the trace processor
/// reports no errors. Returns `None` if the trace processor is not available.
#[track_caller]
pub fn find(export: &Path, format: Format, more: &[&str]) -> Option<(All, Vec<Vec<Vec<Value>>>)> {
    let asked = [&[ERRORS, SLICES, ARGUMENTS, FLOWS, COUNTERS, THREADS], more].concat();
    let mut answers = query(export, &asked)?;
    let rest = answers.split_off(6);
    let [errors, slices, arguments, flows, counters, threads] = answers.try_into().unwrap();
    assert!(errors.is_empty(), "{errors:?}");

    let mut sets: HashMap<String, Vec<String>> = HashMap::new();
    for row in &arguments {
        let prefix = if format == Format::Perfetto { "debug." } else { "args." };
        let Some(name) = text(&row[1]).strip_prefix(prefix) else { continue };
        let value = match (text(&row[2]), &row[3]) {
            ("string", _) => text(&row[4]).to_owned(),
            ("bool", number) => (text(number) != "0").to_string(),
            ("uint", number) => integer(number).cast_unsigned().to_string(),
            ("real", _) => match (row[5].as_f64(), row[6].as_str()) {
                (Some(number), _) => format!("{number:?}"),
                // JSON has no infinite numbers.
                (None, Some("Inf")) => "inf".to_owned(),
                (None, Some("-Inf")) => "-inf".to_owned(),
                (None, _) => "NaN".to_owned(),
            },
            ("pointer", number) => format!("{:#x}", integer(number)),
            (_, number) => text(number).to_owned(),
        };
        sets.entry(text(&row[0]).to_owned()).or_default().push(format!("{name}={}:{value}", text(&row[2])));
    }
    let slices = slices.iter().map(|row| {
        let mut arguments = sets.get(text(&row[4])).cloned().unwrap_or_default();
        arguments.sort_unstable();
        let category = text(&row[3]);
        let is_apart = !category.is_empty() || text(&row[2]).starts_with("recording");
        let tid = if row[6].is_null() { String::new() } else { format!("/{}", text(&row[6])) };
        Slice {
            time_ns: integer(&row[0]).cast_unsigned(),
            duration_ns: integer(&row[1]),
            name: text(&row[2]).to_owned(),
            category: category.to_owned(),
            place: if is_apart { String::new() } else { format!("{}{tid}", text(&row[5])) },
            arguments,
        }
    });
    let mut slices: Vec<Slice> = slices.collect();
    slices.sort_unstable();
    let pair = |row: &Vec<Value>| (text(&row[0]).to_owned(), text(&row[1]).to_owned());
    let value = |row: &Vec<Value>| {
        let value = row[2].as_f64().unwrap() as i128;
        // A counter can have several values in Chrome's format, so the trace processor appends the
        // value's name to the counter's name.
        (text(&row[0]).trim_end_matches(" value").to_owned(), integer(&row[1]).cast_unsigned(), value)
    };
    let all = All {
        slices,
        threads: threads.iter().map(|row| (integer(&row[0]) as u32, text(&row[1]).to_owned())).collect(),
        flows: flows.iter().map(pair).collect(),
        values: counters.iter().map(value).collect(),
    };
    Some((all, rest))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

#[track_caller]
fn integer(value: &Value) -> i64 {
    text(value).parse().unwrap()
}
