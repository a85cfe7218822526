//! Conditions of a query that limit the records to decode.
//!
//! DataFusion still checks each condition, so the limits may select too many rows, but not too few.

use std::fmt;

use datafusion::common::ScalarValue;
use datafusion::logical_expr::{Between, BinaryExpr, Cast, Expr, Operator, TryCast};
use ringtrace_events::glob;
use ringtrace_tracefile::FilterOptions;
use ringtrace_tracefile::metadata::Anchor;

/// The columns whose conditions a table can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usable {
    /// The columns of records: `event`, `time_ns`, `wall_ns`, `time`, `pid` and `tid`.
    Records,
    /// Only `pair`, because spans are matched before their times are compared.
    Spans,
    /// No columns.
    Nothing,
}

/// A range of times. Both ends are included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Range {
    since: Option<i64>,
    until: Option<i64>,
}

impl Range {
    fn limit(&mut self, since: Option<i64>, until: Option<i64>) {
        self.since = self.since.max(since);
        self.until = self.until.into_iter().chain(until).min();
    }

    fn is_all(self) -> bool {
        self == Range::default()
    }
}

/// The limits that follow from the conditions of a query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    events: Option<Vec<String>>,
    pairs: Option<Vec<String>>,
    pids: Option<Vec<u32>>,
    tids: Option<Vec<u32>>,
    time_ns: Range,
    wall_ns: Range,
}

impl Limits {
    /// Returns the limits that follow from all of `conditions`.
    pub fn of<'e>(conditions: impl IntoIterator<Item = &'e Expr>, usable: Usable) -> Limits {
        let mut limits = Limits::default();
        for condition in conditions {
            limits.add(condition, usable);
        }
        limits
    }

    /// Returns the limit to the records of an event.
    pub fn event(name: &str) -> Limits {
        Limits { events: Some(vec![name.to_owned()]), ..Limits::default() }
    }

    /// Returns whether any records can be skipped because of `condition`.
    pub fn can_use(condition: &Expr, usable: Usable) -> bool {
        Limits::of([condition], usable) != Limits::default()
    }

    fn add(&mut self, condition: &Expr, usable: Usable) {
        match condition {
            Expr::BinaryExpr(BinaryExpr { left, op: Operator::And, right }) => {
                self.add(left, usable);
                self.add(right, usable);
            }
            Expr::Between(Between { expr, negated: false, low, high }) => {
                let Some(column) = column(expr) else { return };
                for (operator, value) in [(Operator::GtEq, low), (Operator::LtEq, high)] {
                    if let Expr::Literal(value, _) = &**value {
                        self.compare(column, operator, value, usable);
                    }
                }
            }
            _ => {
                if let Some((column, values)) = values(condition) {
                    self.choose(column, &values, usable);
                } else if let Some((column, operator, value)) = comparison(condition) {
                    self.compare(column, operator, value, usable);
                }
            }
        }
    }

    /// Limits a column to one of `values`.
    fn choose(&mut self, column: &str, values: &[&ScalarValue], usable: Usable) {
        let texts = || values.iter().map(|value| text(value)).collect::<Option<Vec<String>>>();
        let ids = || {
            // An id that is not a number of 32 bits matches no record.
            let numbers: Option<Vec<i128>> = values.iter().map(|value| number(value)).collect();
            numbers.map(|numbers| numbers.into_iter().filter_map(|id| u32::try_from(id).ok()).collect())
        };
        match (usable, column) {
            (Usable::Records, "event") => intersect(&mut self.events, texts()),
            (Usable::Spans, "pair") => intersect(&mut self.pairs, texts()),
            (Usable::Records, "pid") => intersect(&mut self.pids, ids()),
            (Usable::Records, "tid") => intersect(&mut self.tids, ids()),
            _ => {
                if let [value] = values {
                    self.compare(column, Operator::Eq, value, usable);
                }
            }
        }
    }

    fn compare(&mut self, column: &str, operator: Operator, value: &ScalarValue, usable: Usable) {
        let (range, value) = match (usable, column) {
            (Usable::Records, "time_ns") => (&mut self.time_ns, number(value)),
            (Usable::Records, "wall_ns") => (&mut self.wall_ns, number(value)),
            (Usable::Records, "time") => (&mut self.wall_ns, nanoseconds(value)),
            _ => return,
        };
        let Some(value) = value else { return };
        let clamped = |ns: i128| Some(ns.clamp(i64::MIN.into(), i64::MAX.into()) as i64);
        match operator {
            Operator::Eq => range.limit(clamped(value), clamped(value)),
            // A condition on a rounded time is stricter by less than the rounding.
            Operator::Gt | Operator::GtEq => range.limit(clamped(value), None),
            Operator::Lt | Operator::LtEq => range.limit(None, clamped(value)),
            _ => {}
        }
    }

    /// Returns the names of the pairs to match, or `None` for all.
    pub fn pairs(&self) -> Option<&[String]> {
        self.pairs.as_deref()
    }

    /// Adds the limits to `filter`. Returns false if no record can match. `anchor` is that of the
    /// common clock; `has_several` is whether several traces can have different relations to the
    /// wall clock.
    pub fn apply(&self, filter: &mut FilterOptions, anchor: Option<Anchor>, has_several: bool) -> bool {
        if let Some(events) = &self.events {
            let is_selected = |name: &&String| {
                filter.include.is_empty()
                    || filter.include.iter().any(|pattern| glob::matches_event(pattern, name))
            };
            filter.include = events.iter().filter(is_selected).cloned().collect();
            if filter.include.is_empty() {
                return false;
            }
        }
        for (ids, limits) in [(&mut filter.pids, &self.pids), (&mut filter.tids, &self.tids)] {
            let Some(limits) = limits else { continue };
            let is_selected = |id: &&u32| ids.is_empty() || ids.contains(id);
            // Threads can also be selected by their names.
            let selected: Vec<u32> = limits.iter().filter(is_selected).copied().collect();
            if selected.is_empty() {
                return false;
            }
            *ids = selected;
        }
        let mut range = self.time_ns;
        if !self.wall_ns.is_all() {
            // Without an anchor, all dates are null.
            let Some(anchor) = anchor else { return false };
            let zero_ns = anchor.realtime_ns(0);
            let on_clock = |ns: Option<i64>| ns.map(|ns| i128::from(ns) - zero_ns);
            let (since, until) = (on_clock(self.wall_ns.since), on_clock(self.wall_ns.until));
            if has_several {
                let known = filter.dated_ns.clone().unwrap_or(i128::MIN..=i128::MAX);
                let since = since.unwrap_or(i128::MIN).max(*known.start());
                filter.dated_ns = Some(since..=until.unwrap_or(i128::MAX).min(*known.end()));
            } else {
                let clamped = |ns: i128| ns.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
                range.limit(since.map(clamped), until.map(clamped));
            }
        }
        let unsigned = |ns: i64| u64::try_from(ns).unwrap_or(0);
        filter.since_ns = filter.since_ns.max(range.since.map(unsigned));
        filter.until_ns = filter.until_ns.into_iter().chain(range.until.map(unsigned)).min();
        true
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, name: &str, values: &Option<Vec<String>>| match values {
            Some(values) => write!(f, ", {name}=[{}]", values.join(", ")),
            None => Ok(()),
        };
        let words = |ids: &Option<Vec<u32>>| {
            ids.as_ref().map(|ids| ids.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        list(f, "event", &self.events)?;
        list(f, "pair", &self.pairs)?;
        list(f, "pid", &words(&self.pids))?;
        list(f, "tid", &words(&self.tids))?;
        for (name, range) in [("time_ns", self.time_ns), ("wall_ns", self.wall_ns)] {
            if !range.is_all() {
                let end = |ns: Option<i64>| ns.map(|ns| ns.to_string()).unwrap_or_default();
                write!(f, ", {name}={}..={}", end(range.since), end(range.until))?;
            }
        }
        Ok(())
    }
}

fn intersect<T: PartialEq>(known: &mut Option<Vec<T>>, values: Option<Vec<T>>) {
    let Some(values) = values else { return };
    match known {
        Some(known) => known.retain(|value| values.contains(value)),
        None => *known = Some(values),
    }
}

fn column(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Column(column) => Some(&column.name),
        Expr::Cast(Cast { expr, field }) if field.data_type().is_string() => column(expr),
        Expr::TryCast(TryCast { expr, field }) if field.data_type().is_string() => column(expr),
        _ => None,
    }
}

/// Returns the column and the values of a condition that the column has one of these values.
pub(crate) fn values(condition: &Expr) -> Option<(&str, Vec<&ScalarValue>)> {
    match condition {
        Expr::InList(list) if !list.negated => {
            Some((column(&list.expr)?, list.list.iter().map(literal).collect::<Option<_>>()?))
        }
        // Short lists become alternatives.
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Or, right }) => {
            let (name, mut all) = values(left)?;
            let (other, more) = values(right)?;
            all.extend(more);
            (name == other).then_some((name, all))
        }
        _ => match comparison(condition)? {
            (column, Operator::Eq, value) => Some((column, vec![value])),
            _ => None,
        },
    }
}

fn literal(expression: &Expr) -> Option<&ScalarValue> {
    match expression {
        Expr::Literal(value, _) => Some(value),
        _ => None,
    }
}

/// Returns the parts of a comparison of a column with a literal.
fn comparison(condition: &Expr) -> Option<(&str, Operator, &ScalarValue)> {
    let Expr::BinaryExpr(BinaryExpr { left, op, right }) = condition else { return None };
    match (&**left, &**right) {
        (of, Expr::Literal(value, _)) => Some((column(of)?, *op, value)),
        (Expr::Literal(value, _), of) => Some((column(of)?, op.swap()?, value)),
        _ => None,
    }
}

fn text(value: &ScalarValue) -> Option<String> {
    value.try_as_str()?.map(ToOwned::to_owned)
}

/// Returns the value of an integer.
fn number(value: &ScalarValue) -> Option<i128> {
    Some(match value {
        ScalarValue::Int8(Some(number)) => (*number).into(),
        ScalarValue::Int16(Some(number)) => (*number).into(),
        ScalarValue::Int32(Some(number)) => (*number).into(),
        ScalarValue::Int64(Some(number)) => (*number).into(),
        ScalarValue::UInt8(Some(number)) => (*number).into(),
        ScalarValue::UInt16(Some(number)) => (*number).into(),
        ScalarValue::UInt32(Some(number)) => (*number).into(),
        ScalarValue::UInt64(Some(number)) => (*number).into(),
        _ => return None,
    })
}

/// Returns the value of a timestamp, in nanoseconds since 1970.
fn nanoseconds(value: &ScalarValue) -> Option<i128> {
    Some(match value {
        ScalarValue::TimestampNanosecond(Some(time), _) => i128::from(*time),
        ScalarValue::TimestampMicrosecond(Some(time), _) => i128::from(*time) * 1_000,
        ScalarValue::TimestampMillisecond(Some(time), _) => i128::from(*time) * 1_000_000,
        ScalarValue::TimestampSecond(Some(time), _) => i128::from(*time) * 1_000_000_000,
        _ => return None,
    })
}
