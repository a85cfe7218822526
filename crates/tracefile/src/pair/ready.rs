//! Descriptions that come with the program.

use ringtrace_events::Source;

use super::binding::bind;
use super::description::{Description, EventKeys, PairDescription};
use super::parse::parse;
use crate::schema::{Schema, Schemas};

/// A description that comes with the program.
#[derive(Debug)]
pub struct Ready {
    /// What `--pairs` calls it.
    pub name: &'static str,
    /// Its text, in the language of such files.
    pub text: &'static str,
}

/// All of them.
pub const READY: &[Ready] = &[Ready { name: "qemu", text: include_str!("qemu.pairs") }];

impl Ready {
    /// What it describes.
    pub fn description(&self) -> Description {
        let mut description = parse(&Source::new(self.name, self.text)).0;
        for pair in &mut description.pairs {
            pair.is_ready = true;
        }
        description
    }
}

impl Description {
    /// What is left without the events that none of `traces` knows, and without pairs that then lack a begin or an end:
    /// of a description that is for any version of a program, what concerns these traces.
    #[must_use]
    pub fn known_to(mut self, traces: &[&Schemas]) -> Description {
        self.pairs.retain_mut(|pair| is_left(pair, traces));
        self.counters.retain_mut(|counter| {
            let track = &counter.track;
            counter.values.retain(|value| {
                is_in(&value.event, traces, |schema| {
                    schema.argument(&value.argument).is_some() && bind(track, schema).is_ok()
                })
            });
            !counter.values.is_empty()
        });
        self
    }
}

fn is_left(pair: &mut PairDescription, traces: &[&Schemas]) -> bool {
    let track = &pair.track;
    pair.begins.retain(|begin| {
        let fits = |schema: &Schema| bind(&begin.keys, schema).is_ok() && bind(track, schema).is_ok();
        is_in(&begin.event, traces, fits)
    });
    let fits = |event: &EventKeys| is_in(&event.event, traces, |schema| bind(&event.keys, schema).is_ok());
    pair.ends.retain(fits);
    pair.steps.retain(fits);
    !pair.begins.is_empty() && !pair.ends.is_empty()
}

/// Whether any of `traces` knows `event`, and as something that `fits` wherever it is known.
fn is_in(event: &str, traces: &[&Schemas], fits: impl Fn(&Schema) -> bool) -> bool {
    let mut known = traces.iter().filter_map(|schemas| Some(schemas.get(schemas.find(event)?))).peekable();
    known.peek().is_some() && known.all(|schema| fits(schema))
}
