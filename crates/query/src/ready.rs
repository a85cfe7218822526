//! Ready queries, which `ringtrace sql --ready NAME` runs.

use std::collections::HashMap;

use datafusion::common::ScalarValue;
use ringtrace_events::nearest::nearest;
use ringtrace_tracefile::moment::parse_span;

use crate::error::Error;

/// A query with parameters.
#[derive(Debug)]
pub struct ReadyQuery {
    /// The name.
    pub name: &'static str,
    /// A description of the result.
    pub about: &'static str,
    /// The parameters, which the query contains as `$name`.
    pub parameters: &'static [Parameter],
    /// The query.
    pub sql: &'static str,
}

/// A parameter of a query.
#[derive(Debug)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// The type of the value.
    pub kind: ParameterKind,
    /// The value that is used if the user specifies none.
    pub default: &'static str,
    /// The meaning of the value.
    pub about: &'static str,
}

/// The type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// A string.
    Text,
    /// An integer.
    Integer,
    /// A time, such as `100ms`, which the query contains in nanoseconds.
    Time,
}

const ROWS: Parameter = Parameter {
    name: "rows",
    kind: ParameterKind::Integer,
    default: "10",
    about: "the largest number of rows",
};
const EVENT: Parameter = Parameter {
    name: "event",
    kind: ParameterKind::Text,
    default: "%",
    about: "a pattern of event names, in which % stands for any text",
};
const PAIR: Parameter = Parameter {
    name: "pair",
    kind: ParameterKind::Text,
    default: "%",
    about: "a pattern of pair names, in which % stands for any text",
};

/// All ready queries, in the order of `--list`.
pub const READY: &[ReadyQuery] = &[
    ReadyQuery {
        name: "events",
        about: "how often each event occurred, and when it first and last did",
        parameters: &[EVENT],
        sql: "\
select event, count(*) as records, min(time_ns) as first_ns, max(time_ns) as last_ns
from events
where event like $event
group by event
order by records desc, event",
    },
    ReadyQuery {
        name: "latency",
        about: "number of spans and percentiles of their latency, by pair",
        parameters: &[PAIR],
        sql: "\
select pair, count(latency_ns) as spans, min(latency_ns) as min_ns,
    cast(percentile_cont(latency_ns, 0.5) as bigint) as p50_ns,
    cast(percentile_cont(latency_ns, 0.99) as bigint) as p99_ns,
    max(latency_ns) as max_ns
from spans
where pair like $pair
group by pair
order by p99_ns desc, pair",
    },
    ReadyQuery {
        name: "slowest",
        about: "the spans with the largest latency",
        parameters: &[PAIR, ROWS],
        sql: "\
select pair, span, begin_ns, latency_ns, outcome, track, thread
from spans
where pair like $pair and latency_ns is not null
order by latency_ns desc, begin_ns
limit $rows",
    },
    ReadyQuery {
        name: "rates",
        about: "the number of records of each event over time, in seconds after the first bucket",
        parameters: &[
            EVENT,
            Parameter {
                name: "bucket",
                kind: ParameterKind::Time,
                default: "1s",
                about: "the length of a bucket, such as 100ms",
            },
        ],
        sql: "\
select (bucket - min(bucket) over ()) / 1e9 as seconds, event, records
from (
    select time_ns / $bucket * $bucket as bucket, event, count(*) as records
    from events
    where event like $event
    group by 1, 2
)
order by 1, 2",
    },
    ReadyQuery {
        name: "top",
        about: "the threads with the most records, and their shares in percent",
        parameters: &[EVENT, ROWS],
        sql: "\
select host, trace, pid, tid, thread, count(*) as records,
    round(100.0 * count(*) / sum(count(*)) over (), 1) as percent
from events
where event like $event
group by host, trace, pid, tid, thread
order by records desc, pid, tid
limit $rows",
    },
    ReadyQuery {
        name: "gaps",
        about: "the longest times without a record of a trace, and the records after them",
        parameters: &[EVENT, ROWS],
        sql: "\
select gap_ns, time_ns, event, pid, tid, thread
from (
    select time_ns - lag(time_ns) over (partition by trace order by time_ns) as gap_ns,
        time_ns, event, pid, tid, thread
    from events
    where event like $event
)
where gap_ns is not null
order by gap_ns desc, time_ns
limit $rows",
    },
    ReadyQuery {
        name: "drops",
        about: "the events that were lost while recording, by thread and cause",
        parameters: &[],
        sql: "\
select host, trace, pid, tid, thread, cause, sum(dropped) as events, count(*) as records,
    min(time_ns) as first_ns, max(time_ns) as last_ns
from drops
group by host, trace, pid, tid, thread, cause
order by events desc, tid, cause",
    },
    ReadyQuery {
        name: "compare",
        about: "the records of each event, and the latency of each pair, in two traces, hosts or dates",
        parameters: &[
            Parameter {
                name: "by",
                kind: ParameterKind::Text,
                default: "trace",
                about: "what is compared: trace, host or date",
            },
            Parameter {
                name: "one",
                kind: ParameterKind::Text,
                default: "",
                about: "a trace, host or date, such as 2026-11-23 (default: the first in alphabetical order)",
            },
            Parameter {
                name: "other",
                kind: ParameterKind::Text,
                default: "",
                about: "another one (default: the last one)",
            },
        ],
        sql: "\
with all_events as (
    select event, case $by when 'host' then host when 'date' then to_char(time, '%Y-%m-%d') else trace end as side
    from events
), names as (
    select case when $one = '' then min(side) else $one end as first_side,
        case when $other = '' then max(side) else $other end as second_side
    from all_events
), counts as (
    select event, count(*) filter (where side = first_side) as one,
        count(*) filter (where side = second_side) as other
    from all_events cross join names
    group by event
), all_spans as (
    select pair, latency_ns,
        case $by when 'host' then host when 'date' then to_char(time, '%Y-%m-%d') else trace end as side
    from spans
), latencies as (
    select pair, count(latency_ns) filter (where side = first_side) as one,
        count(latency_ns) filter (where side = second_side) as other,
        cast(percentile_cont(latency_ns, 0.5) filter (where side = first_side) as bigint) as one_p50_ns,
        cast(percentile_cont(latency_ns, 0.5) filter (where side = second_side) as bigint) as other_p50_ns,
        cast(percentile_cont(latency_ns, 0.99) filter (where side = first_side) as bigint) as one_p99_ns,
        cast(percentile_cont(latency_ns, 0.99) filter (where side = second_side) as bigint) as other_p99_ns
    from all_spans cross join names
    group by pair
)
select kind, name, one, other, other - one as change, one_p50_ns, other_p50_ns, one_p99_ns, other_p99_ns
from (
    select 'event' as kind, event as name, one, other, cast(null as bigint) as one_p50_ns,
        cast(null as bigint) as other_p50_ns, cast(null as bigint) as one_p99_ns,
        cast(null as bigint) as other_p99_ns
    from counts
    union all
    select 'pair', pair, one, other, one_p50_ns, other_p50_ns, one_p99_ns, other_p99_ns from latencies
)
where one + other > 0
order by kind, abs(other - one) desc, name",
    },
];

/// Returns the ready query `name`.
///
/// # Errors
/// There is no such query.
pub fn ready(name: &str) -> Result<&'static ReadyQuery, Error> {
    READY.iter().find(|query| query.name == name).ok_or_else(|| {
        let help = nearest(name, READY.iter().map(|query| query.name));
        let help = help
            .map_or("--list shows the ready queries".to_owned(), |near| format!("did you mean `{near}`?"));
        Error::usage(format!("no ready query is called `{name}`")).help(help)
    })
}

/// Returns the values of parameters, each given as `NAME=VALUE`. Without `query`, they are those of
/// the user's own query, and are integers if they look like one.
///
/// # Errors
/// The query has no such parameter, or the value has another type.
pub fn parameters(
    query: Option<&ReadyQuery>,
    given: &[(String, String)],
) -> Result<HashMap<String, ScalarValue>, Error> {
    let mut values = HashMap::new();
    let text = |value: &str| ScalarValue::Utf8(Some(value.to_owned()));
    let integer = |value: Option<i64>| value.map(|value| ScalarValue::Int64(Some(value)));
    let known = query.map_or(&[][..], |query| query.parameters);
    for parameter in known {
        let value =
            given.iter().rev().find(|(name, _)| name == parameter.name).map(|(_, value)| value.as_str());
        let value = value.unwrap_or(parameter.default);
        let (scalar, expected) = match parameter.kind {
            ParameterKind::Text => (Some(text(value)), ""),
            ParameterKind::Integer => (integer(value.parse().ok()), "an integer"),
            ParameterKind::Time => {
                let ns = parse_span(value).and_then(|ns| i64::try_from(ns).ok()).filter(|&ns| ns > 0);
                (integer(ns), "a time such as 100ms")
            }
        };
        let Some(scalar) = scalar else {
            return Err(Error::usage(format!("--set {}={value}: expected {expected}", parameter.name)));
        };
        values.insert(parameter.name.to_owned(), scalar);
    }
    for (name, value) in given {
        if let Some(query) = query {
            if known.iter().all(|parameter| parameter.name != name) {
                let names: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
                let help = match names.as_slice() {
                    [] => "it has no parameters".to_owned(),
                    names => format!("its parameters are {}", names.join(", ")),
                };
                return Err(
                    Error::usage(format!("--set: `{}` has no parameter `{name}`", query.name)).help(help)
                );
            }
        } else {
            let scalar = integer(value.parse().ok()).unwrap_or_else(|| text(value));
            values.insert(name.clone(), scalar);
        }
    }
    Ok(values)
}
