//! Sums, percentiles and histograms of the values of arguments.

use std::cmp::Reverse;

use ringtrace_display::Table;
use ringtrace_events::CType;
use ringtrace_tracefile::Traces;
use ringtrace_tracefile::statistics::{Group, GroupBy, Number, Numbers, Statistics};
use ringtrace_wire::simpletrace::ArgumentKind;
use serde::Serialize;
use serde_json::Value;

use super::groups::{DEFAULT_TOP, check_known, heading, label_text};
use super::{Arguments, Order, error_percent};
use crate::exit::CliError;
use crate::histogram;
use crate::pair_arguments::known;
use crate::quantity::{self, counted};
use crate::terminal::Terminal;

/// The number of histograms per argument if `--top` is not given.
const DEFAULT_TOP_HISTOGRAMS: usize = 10;

/// The arguments that `--sum`, `--percentiles` and `--hist` select.
pub struct MeasuredArguments {
    /// The options in the order of the output, each with its argument's position in `names`.
    shown: Vec<(Measure, usize)>,
    names: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Sum,
    Percentiles,
    Histogram,
}

impl Measure {
    fn option(self) -> &'static str {
        match self {
            Measure::Sum => "--sum",
            Measure::Percentiles => "--percentiles",
            Measure::Histogram => "--hist",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Measure::Sum => "sum",
            Measure::Percentiles => "percentiles",
            Measure::Histogram => "histogram",
        }
    }
}

impl MeasuredArguments {
    pub fn new(arguments: &Arguments) -> MeasuredArguments {
        let mut measured = MeasuredArguments { shown: Vec::new(), names: Vec::new() };
        for (measure, names) in [
            (Measure::Sum, &arguments.sum),
            (Measure::Percentiles, &arguments.percentiles),
            (Measure::Histogram, &arguments.hist),
        ] {
            for name in names {
                let index = measured.names.iter().position(|known| known == name).unwrap_or_else(|| {
                    measured.names.push(name.clone());
                    measured.names.len() - 1
                });
                if !measured.shown.contains(&(measure, index)) {
                    measured.shown.push((measure, index));
                }
            }
        }
        measured
    }

    /// Returns the names of the arguments, each once.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Fails if an argument does not exist, or is not a number in any event.
    pub fn check(&self, traces: &Traces) -> Result<(), CliError> {
        for (measure, index) in &self.shown {
            let (option, name) = (measure.option(), &self.names[*index]);
            check_known(option, name, traces)?;
            let schemas = known(traces);
            let schemas = || schemas.iter().flat_map(|schemas| schemas.all()).map(|(_, schema)| schema);
            let types = || {
                schemas().filter_map(|schema| {
                    let index = schema.argument(name)?;
                    Some((schema.arguments.get(index)?.ctype, *schema.kinds.get(index)?))
                })
            };
            let is_string = |kind: ArgumentKind| kind == ArgumentKind::Str;
            if types().all(|(_, kind)| is_string(kind)) {
                return Err(CliError::usage(format!("{option} {name}: `{name}` is a string"))
                    .help(format!("to count the events of each value, use `--by {name}`")));
            }
            // `double` and `float` are `CType::Double`.
            if types().all(|(ctype, kind)| is_string(kind) || ctype == CType::Float) {
                return Err(CliError::usage(format!(
                    "{option} {name}: `{name}` is a floating-point value of unknown encoding"
                ))
                .help("the types that can be measured are integers, pointers, `double` and `float`"));
            }
        }
        Ok(())
    }

    /// Appends a section for each option. `rows` are in the order of `--order`.
    pub fn render(
        &self,
        statistics: &Statistics,
        rows: &[&Group],
        arguments: &Arguments,
        traces: &Traces,
        terminal: &Terminal,
        out: &mut String,
    ) {
        let mut is_approximate = false;
        for &(measure, index) in &self.shown {
            let name = &self.names[index];
            let sum = |group: &Group| group.numbers()[index].sum();
            let mut rows: Vec<&Group> =
                rows.iter().copied().filter(|group| group.numbers()[index].count() > 0).collect();
            match arguments.order {
                None if measure == Measure::Sum => rows.sort_by(|a, b| sum(b).total_cmp(sum(a))),
                None | Some(Order::Count) => {
                    rows.sort_by_key(|group| Reverse(group.numbers()[index].count()));
                }
                Some(_) => {}
            }
            let all_rows = rows.len();
            let default = if measure == Measure::Histogram { DEFAULT_TOP_HISTOGRAMS } else { DEFAULT_TOP };
            match arguments.top.unwrap_or(default) {
                0 => {}
                top => rows.truncate(top),
            }
            let hidden = (all_rows - rows.len()) as u64;
            if statistics.other().numbers()[index].count() > 0 {
                rows.push(statistics.other());
            }
            let all = &statistics.all().numbers()[index];
            let values = all.count();
            out.push('\n');
            if values == 0 && all.nan() + all.infinite() > 0 {
                out.push_str(&format!("No value of `{name}` is finite.\n"));
                continue;
            }
            if rows.is_empty() {
                let also = match statistics.by() {
                    _ if values == 0 => String::new(),
                    GroupBy::Argument(by) => format!(" and an argument `{by}`"),
                    by => format!(" and a {by}"),
                };
                out.push_str(&format!("No event has a numeric argument `{name}`{also}.\n"));
                continue;
            }
            is_approximate |=
                measure != Measure::Sum && rows.iter().any(|group| !group.numbers()[index].is_exact());
            match measure {
                Measure::Histogram => {
                    histograms(&rows, index, name, statistics.by(), traces, terminal, out);
                }
                _ => {
                    if all_rows > 1 {
                        rows.push(statistics.all());
                    }
                    let title = terminal.paint("1;4", &format!("{name}: {}", measure.title()));
                    out.push_str(&format!("{title}\n\n"));
                    table(measure, &rows, index, statistics, traces, terminal, out);
                }
            }
            if hidden > 0 {
                let what = match measure {
                    Measure::Histogram => counted(hidden, "histogram", "histograms"),
                    _ => counted(hidden, "row", "rows"),
                };
                out.push_str(&format!("\n{what} not shown: --top 0 shows all.\n"));
            }
        }
        out.push('\n');
        for (index, name) in self.names.iter().enumerate() {
            let all = &statistics.all().numbers()[index];
            if let Some(not_finite) = not_finite(name, all) {
                out.push_str(&terminal.fold(&not_finite));
            }
            let values = all.count() + all.nan() + all.infinite();
            let without = statistics.all().count() - values;
            if without > 0 && values > 0 {
                let events = counted(without, "event has", "events have");
                out.push_str(&format!("{events} no numeric argument `{name}`.\n"));
            }
        }
        if statistics.other().count() > 0 {
            let kept = quantity::count(statistics.max_groups() as u64);
            out.push_str(&terminal.fold(&format!(
                "(other): events that belong to none of the first {kept} rows; --max-groups keeps more rows."
            )));
        }
        if out.ends_with("\n\n") && !is_approximate {
            out.pop();
        }
        if is_approximate {
            out.push_str(&terminal.fold(&format!(
                "Percentiles and rows of histograms are within {}; all else is exact.",
                error_percent()
            )));
        }
    }

    /// Returns the measurements of a row, for JSON.
    pub fn documents(&self, group: &Group) -> Vec<NumbersDocument> {
        self.names
            .iter()
            .zip(group.numbers())
            .map(|(name, numbers)| NumbersDocument::new(name, numbers))
            .collect()
    }
}

/// Returns a sentence about the values that are not measured, if there are any.
fn not_finite(name: &str, numbers: &Numbers) -> Option<String> {
    let counts = [(numbers.nan(), "NaN"), (numbers.infinite(), "infinite")];
    let counts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", quantity::count(*count)))
        .collect();
    (!counts.is_empty()).then(|| format!("Values of `{name}` that are not included: {}.", counts.join(", ")))
}

fn table(
    measure: Measure,
    rows: &[&Group],
    index: usize,
    statistics: &Statistics,
    traces: &Traces,
    terminal: &Terminal,
    out: &mut String,
) {
    let numbers = || rows.iter().map(|group| &group.numbers()[index]);
    let all = &statistics.all().numbers()[index];
    let mut table = Table::new(heading(statistics.by()));
    table.column("COUNT", 0, numbers().map(|numbers| quantity::count(numbers.count())));
    let number = |value: Option<Number>| value.map_or("-".to_owned(), number_text);
    let mean = |numbers: &Numbers| match (numbers, numbers.mean()) {
        (_, None) => "-".to_owned(),
        // A floating-point value has fewer digits than the table shows.
        (Numbers::Integers(integers), Some(mean)) if mean.abs() >= 999.5 => {
            integers.rounded_mean().map_or("-".to_owned(), quantity::integer)
        }
        (Numbers::Integers(_), Some(mean)) => quantity::mean(mean),
        (Numbers::Doubles(_), Some(mean)) => double_text(mean),
    };
    match measure {
        Measure::Sum => {
            table.column("SUM", 0, numbers().map(|numbers| number_text(numbers.sum())));
            // Shares are meaningless if some values are negative.
            if all.min().is_some_and(|min| min.as_f64() >= 0.0) && all.sum().as_f64() > 0.0 {
                let share = |numbers: &Numbers| numbers.sum().as_f64() * 100.0 / all.sum().as_f64();
                table.column("%", 2, numbers().map(|numbers| format!("{:.1}", share(numbers))));
            }
            let span_ns = statistics.all().span_ns();
            let per_second = numbers().map(|numbers| {
                let rate = numbers.sum().as_f64() * 1e9 / span_ns as f64;
                match numbers {
                    _ if rate < 0.0 || span_ns == 0 => "-".to_owned(),
                    Numbers::Doubles(_) if !(0.01..1e12).contains(&rate) => {
                        quantity::double(rate, RATE_DIGITS)
                    }
                    _ => quantity::per_second(rate),
                }
            });
            table.column("PER S", 1, per_second);
            table.column("MEAN", 3, numbers().map(mean));
        }
        Measure::Percentiles | Measure::Histogram => {
            table.column("MIN", 1, numbers().map(|numbers| number(numbers.min())));
            for (heading, rank, hundredths) in
                [("P50", 0, 5000), ("P90", 2, 9000), ("P99", 0, 9900), ("P99.9", 4, 9990)]
            {
                let percentile = |numbers: &Numbers| number(numbers.percentile(hundredths));
                table.column(heading, rank, numbers().map(percentile));
            }
            table.column("MAX", 0, numbers().map(|numbers| number(numbers.max())));
            table.column("MEAN", 3, numbers().map(mean));
        }
    }
    table.names(rows.iter().map(|group| label_text(group.label(), traces)));
    terminal.table(&table, out);
}

/// The number of significant digits of floating-point values in tables.
const DIGITS: usize = 6;
const RATE_DIGITS: usize = 3;

fn double_text(value: f64) -> String {
    quantity::double(value, DIGITS)
}

fn number_text(number: Number) -> String {
    match number {
        Number::Integer(number) => quantity::integer(number),
        Number::Double(number) => double_text(number),
    }
}

fn histograms(
    rows: &[&Group],
    index: usize,
    name: &str,
    by: &GroupBy,
    traces: &Traces,
    terminal: &Terminal,
    out: &mut String,
) {
    for (number, group) in rows.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let label = label_text(group.label(), traces);
        let of = match by {
            GroupBy::Event => format!("in {label}"),
            by => format!("with {by} {label}"),
        };
        let title = terminal.paint("1;4", &format!("{name} {of}"));
        out.push_str(&format!("{title}\n\n"));
        histogram::render_numbers(&group.numbers()[index], "VALUE", terminal, out);
    }
}

/// The values of an argument, in JSON. `docs/stat.md` describes the fields.
#[derive(Serialize)]
pub struct NumbersDocument {
    argument: String,
    count: u64,
    sum: Value,
    min: Value,
    mean: Option<f64>,
    p50: Value,
    p90: Value,
    p99: Value,
    p99_9: Value,
    max: Value,
    /// The counts of values that the other members do not include. Only floating-point values have
    /// these members.
    #[serde(skip_serializing_if = "Option::is_none")]
    nan: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    infinite: Option<u64>,
    is_exact: bool,
    histogram: Vec<NumberBucket>,
}

#[derive(Serialize)]
struct NumberBucket {
    from: Value,
    to: Value,
    count: u64,
}

impl NumbersDocument {
    fn new(name: &str, numbers: &Numbers) -> NumbersDocument {
        let value = |value: Option<Number>| value.map_or(Value::Null, json_number);
        let bucket = |(from, to, count)| NumberBucket { from: json_number(from), to: json_number(to), count };
        let is_double = matches!(numbers, Numbers::Doubles(_));
        NumbersDocument {
            argument: name.to_owned(),
            count: numbers.count(),
            sum: json_number(numbers.sum()),
            min: value(numbers.min()),
            mean: numbers.mean(),
            p50: value(numbers.percentile(5000)),
            p90: value(numbers.percentile(9000)),
            p99: value(numbers.percentile(9900)),
            p99_9: value(numbers.percentile(9990)),
            max: value(numbers.max()),
            nan: is_double.then(|| numbers.nan()),
            infinite: is_double.then(|| numbers.infinite()),
            is_exact: numbers.is_exact(),
            histogram: numbers.buckets().into_iter().map(bucket).collect(),
        }
    }
}

/// Converts a number to JSON. A sum that is an integer beyond 64 bits, or infinite, becomes a string.
fn json_number(number: Number) -> Value {
    match number {
        Number::Integer(number) => match (i64::try_from(number), u64::try_from(number)) {
            (Ok(number), _) => Value::from(number),
            (_, Ok(number)) => Value::from(number),
            _ => Value::from(number.to_string()),
        },
        Number::Double(number) if number.is_finite() => Value::from(number),
        Number::Double(number) => Value::from(number.to_string()),
    }
}
