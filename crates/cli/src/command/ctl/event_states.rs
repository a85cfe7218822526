//! The states of a program's events: queries them, and formats them in columns.

use std::collections::BTreeMap;

use ringtrace_events::message::visible;
use serde_json::{Value, json};

use crate::monitor::{Client, MonitorError, Protocol};
use crate::quantity;
use crate::terminal::Terminal;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventState {
    pub name: String,
    pub is_enabled: bool,
}

/// More events than this are summarized by family, unless the user gives a pattern.
const MANY: usize = 200;

/// The space between two columns.
const GUTTER: usize = 2;

/// Queries all events of the program.
pub fn query(client: &mut Client) -> Result<Vec<EventState>, MonitorError> {
    if client.protocol() == Protocol::Hmp {
        let said = client.human("info trace-events")?;
        return Ok(parse(&said).unwrap_or_default());
    }
    let Value::Array(states) = client.execute("trace-event-get-state", json!({ "name": "*" }))? else {
        return Ok(Vec::new());
    };
    let states = states.iter().filter_map(|state| {
        Some(EventState { name: state["name"].as_str()?.to_owned(), is_enabled: state["state"] == "enabled" })
    });
    Ok(states.collect())
}

/// Parses the output of `info trace-events`, with lines `NAME : state 0`. Returns `None` if the
/// text has another format.
pub fn parse(said: &str) -> Option<Vec<EventState>> {
    said.lines()
        .map(|line| {
            let (name, state) = line.rsplit_once(" : state ")?;
            Some(EventState { name: name.to_owned(), is_enabled: state == "1" })
        })
        .collect()
}

/// Formats `states` in columns, and marks enabled events. If `all` is set, events are not
/// summarized by family.
pub fn render(states: &[EventState], all: bool, terminal: &Terminal) -> String {
    let enabled = states.iter().filter(|state| state.is_enabled).count();
    let mut text = String::new();
    let families = families(states);
    let shows_families = !all && states.len() > MANY && families.len() < states.len() / 2;
    let cells: Vec<Cell> = match shows_families {
        true => families.into_iter().map(|(name, family)| family.cell(name)).collect(),
        false => states
            .iter()
            .map(|state| Family { events: 1, enabled: state.is_enabled.into() }.cell(&state.name))
            .collect(),
    };
    columns(&cells, terminal, &mut text);
    let hint = if shows_families { "; to list them, use `info trace-events PATTERN`" } else { "" };
    let (enabled, all) = (quantity::count(enabled as u64), quantity::count(states.len() as u64));
    text.push_str(&terminal.fold(&format!("{enabled} of {all} events enabled{hint}")));
    text
}

/// A cell of the table.
struct Cell {
    text: String,
    is_marked: bool,
}

/// Counts of the events whose names share a prefix.
#[derive(Default)]
struct Family {
    events: usize,
    enabled: usize,
}

impl Family {
    fn cell(&self, name: &str) -> Cell {
        let name = visible::text(name);
        let text = match (self.events, self.enabled) {
            (1, _) => name,
            (events, 0) => format!("{name}* {events}"),
            (events, enabled) if events == enabled => format!("{name}* {events}, all enabled"),
            (events, enabled) => format!("{name}* {events}, {enabled} enabled"),
        };
        Cell { text, is_marked: self.enabled > 0 }
    }
}

/// Groups events by the prefix up to the first `_`. The key of a group with a single event is the
/// event's full name.
fn families(states: &[EventState]) -> BTreeMap<&str, Family> {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    let prefix = |name: &'_ str| name.find('_').map_or(name.len(), |end| end + 1);
    for state in states {
        *sizes.entry(&state.name[..prefix(&state.name)]).or_default() += 1;
    }
    let mut families: BTreeMap<&str, Family> = BTreeMap::new();
    for state in states {
        let start = &state.name[..prefix(&state.name)];
        let name = if sizes[start] == 1 { &state.name } else { start };
        let family = families.entry(name).or_default();
        family.events += 1;
        family.enabled += usize::from(state.is_enabled);
    }
    families
}

/// Appends cells in columns, filled downwards as by `ls`.
fn columns(cells: &[Cell], terminal: &Terminal, out: &mut String) {
    let mark = if terminal.unicode { "\u{25cf} " } else { "* " };
    let width = |cell: &Cell| cell.text.chars().count() + 2;
    let widest = cells.iter().map(width).max().unwrap_or(0);
    let per_row = ((terminal.width + GUTTER) / (widest + GUTTER)).max(1);
    let rows = cells.len().div_ceil(per_row);
    for row in 0..rows {
        let mut line = String::new();
        for cell in cells.iter().skip(row).step_by(rows) {
            let text = format!("{}{}", if cell.is_marked { mark } else { "  " }, cell.text);
            let gap = widest + GUTTER - width(cell);
            line.push_str(&if cell.is_marked { terminal.paint("32", &text) } else { text });
            line.push_str(&" ".repeat(gap));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(names: &[&str]) -> Vec<EventState> {
        let state = |name: &&str| EventState {
            name: name.trim_start_matches('+').to_owned(),
            is_enabled: name.starts_with('+'),
        };
        names.iter().map(state).collect()
    }

    #[test]
    fn lines_are_parsed_and_anything_else_is_left_alone() {
        let said = "blk_read : state 1\nblk_write : state 0\n";
        assert_eq!(parse(said), Some(states(&["+blk_read", "blk_write"])));
        assert_eq!(parse("unknown event \"x\"\n"), None);
        assert_eq!(parse(""), Some(vec![]));
    }

    #[test]
    fn columns_are_read_downwards() {
        let expected = "\
* a            long_name
  b          * c
2 of 4 events enabled
";
        let few = states(&["+a", "b", "long_name", "+c"]);
        assert_eq!(render(&few, false, &Terminal::plain(30)), expected);
        assert_eq!(render(&few, false, &Terminal::plain(1)).lines().count(), 4 + 5);
        assert_eq!(render(&[], false, &Terminal::plain(80)), "0 of 0 events enabled\n");
    }

    #[test]
    fn many_are_shown_as_families() {
        let names: Vec<String> = (0..300).map(|i| format!("{}_{i}", ["blk", "nvme"][i % 2])).collect();
        let mut many = states(&names.iter().map(String::as_str).collect::<Vec<_>>());
        many.push(EventState { name: "lonely_event".to_owned(), is_enabled: false });
        many[1].is_enabled = true;
        let expected = "  \
  blk_* 150                lonely_event           * nvme_* 150, 1 enabled
1 of 301 events enabled; to list them, use `info trace-events PATTERN`
";
        assert_eq!(render(&many, false, &Terminal::plain(80)), expected);
        assert_eq!(render(&many, true, &Terminal::plain(80)).lines().count(), 301_usize.div_ceil(5) + 1);
    }
}
