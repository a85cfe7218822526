//! Built-in descriptions of pairs and counters.

use ringtrace_events::SourceFile;
use ringtrace_wire::simpletrace::ArgumentKind;

use super::binding::bind;
use super::description::{Description, EventKeys, PairDescription};
use super::parse::parse;
use super::spec::{KeySource, PairError};
use super::tracker::SpanTracker;
use crate::entry::{Schema, Schemas};

/// A built-in description.
#[derive(Debug)]
pub struct BuiltInDescription {
    /// The name, as in `--pairs`.
    pub name: &'static str,
    /// The text, in the language of `--pairs` files.
    pub text: &'static str,
}

/// All built-in descriptions.
pub const BUILT_IN: &[BuiltInDescription] =
    &[BuiltInDescription { name: "qemu", text: include_str!("qemu.pairs") }];

impl BuiltInDescription {
    /// Returns the parsed description.
    pub fn description(&self) -> Description {
        let mut description = parse(&SourceFile::new(self.name, self.text)).0;
        for pair in &mut description.pairs {
            pair.is_built_in = true;
        }
        description
    }
}

impl Description {
    /// Adds the pairs that are recognized by the names of the events in `traces`, and the built-in pairs and
    /// counters, reduced to these events. Those whose names are not new are left out.
    pub fn add_recognized(&mut self, traces: &[&Schemas]) {
        self.add_new(Description::by_names(traces));
        for ready in BUILT_IN {
            self.add_new(ready.description().known_to(traces));
        }
    }

    /// Removes events that none of `traces` declares, and pairs that then have no begin event or no
    /// end event. This adapts a description that covers all versions of a program to these traces.
    #[must_use]
    pub fn known_to(mut self, traces: &[&Schemas]) -> Description {
        self.pairs.retain_mut(|pair| {
            let track = &pair.track;
            let has_keys = |event: &EventKeys, schema: &Schema| has(schema, &event.keys);
            pair.begins.retain(|begin| {
                is_known(&begin.event, traces, |schema| has_keys(begin, schema) && has(schema, track))
            });
            for events in [&mut pair.ends, &mut pair.steps] {
                events.retain(|event| is_known(&event.event, traces, |schema| has_keys(event, schema)));
            }
            !pair.begins.is_empty() && !pair.ends.is_empty()
        });
        self.counters.retain_mut(|counter| {
            let track = &counter.track;
            counter.values.retain(|value| {
                is_known(&value.event, traces, |schema| {
                    let argument = schema.argument(&value.argument).and_then(|index| schema.kinds.get(index));
                    argument.is_some_and(|&kind| kind != ArgumentKind::Str) && has(schema, track)
                })
            });
            !counter.values.is_empty()
        });
        self
    }
}

impl Description {
    /// Checks the pairs that [`Description::known_to`] removes although `traces` declare one of
    /// their events. A name in such a pair is probably wrong.
    ///
    /// # Errors
    /// Returns an error for the first event that is not declared, or that does not have its key.
    pub fn check_partly_known(&self, traces: &[&Schemas]) -> Result<(), PairError> {
        let used = self.clone().known_to(traces);
        let is_declared = |event: &EventKeys| is_known(&event.event, traces, |_| true);
        let is_removed = |pair: &PairDescription| used.pairs.iter().all(|other| other.name != pair.name);
        let partly_known =
            self.pairs.iter().filter(|pair| is_removed(pair) && pair.events().any(is_declared));
        let pairs = partly_known.cloned().collect();
        let mut tracker = SpanTracker::new(Description { pairs, counters: Vec::new() });
        tracker.bind(traces)?;
        tracker.check_known(traces)
    }
}

fn has(schema: &Schema, sources: &[KeySource]) -> bool {
    bind(sources, schema, "").is_ok()
}

/// Returns true if any of `traces` declares `event`, and `fits` accepts every such declaration.
fn is_known(event: &str, traces: &[&Schemas], fits: impl Fn(&Schema) -> bool) -> bool {
    let mut known = traces.iter().filter_map(|schemas| Some(schemas.get(schemas.find(event)?))).peekable();
    known.peek().is_some() && known.all(|schema| fits(schema))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::sample::Sample;

    #[test]
    fn built_in_descriptions_have_no_errors() {
        for ready in BUILT_IN {
            let (description, diagnostics) = parse(&SourceFile::new(ready.name, ready.text));
            assert_eq!(diagnostics, []);
            assert!(!description.is_empty());
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "tests may read the environment")]
    fn the_document_lists_the_built_in_descriptions() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pairs.md");
        let document = std::fs::read_to_string(path).unwrap();
        let (before, rest) = document.split_once("<!-- ready:").unwrap();
        let (mark, rest) = rest.split_once("-->\n").unwrap();
        let (shown, after) = rest.split_once("<!-- end of ready -->").unwrap();
        let some = |names: Vec<&str>| match names.as_slice() {
            [first, second, _, more @ ..] => format!("`{first}`, `{second}` and {} more", more.len() + 1),
            _ => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        };
        let events = |events: &[EventKeys]| some(events.iter().map(|event| event.event.as_str()).collect());
        let mut table = String::new();
        for ready in BUILT_IN {
            let description = ready.description();
            table += "| pair | begins with | ends with |\n| --- | --- | --- |\n";
            for pair in &description.pairs {
                table += &format!("| {} | {} | {} |\n", pair.name, events(&pair.begins), events(&pair.ends));
            }
            table += "\n| counter | value of |\n| --- | --- |\n";
            for counter in &description.counters {
                let values = counter.values.iter().map(|value| value.event.as_str());
                table += &format!("| {} | {} |\n", counter.name, some(values.collect()));
            }
        }
        if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
            let new = format!("{before}<!-- ready:{mark}-->\n{table}<!-- end of ready -->{after}");
            std::fs::write(path, new).unwrap();
            return;
        }
        assert_eq!(shown, table, "run the test with RINGTRACE_ACCEPT=1 to update the document");
    }

    /// QEMU 10.2 declares all events and arguments of the description.
    #[test]
    fn qemu_has_the_events_of_its_description() {
        let Some(path) = ringtrace_corpus::find_or_skip("qemu/trace-events-all") else { return };
        let sample = Sample::new(&std::fs::read_to_string(path).unwrap());
        let description = BUILT_IN[0].description();
        assert_eq!(description.clone().known_to(&[&sample.schemas]), description);
        let mut tracker = SpanTracker::new(description);
        tracker.bind(&[&sample.schemas]).unwrap();
        tracker.check_known(&[&sample.schemas]).unwrap();
    }

    #[test]
    fn pairs_with_a_wrong_name_are_reported() {
        let sample = Sample::new("submit(int id) \"\"\ncomplete(int id) \"\"\n");
        let check = |text: &str| {
            let (description, diagnostics) = parse(&SourceFile::new("mine", text));
            assert_eq!(diagnostics, []);
            description.check_partly_known(&[&sample.schemas])
        };
        assert_eq!(check("pair a\n begin submit id\n end complete id\n"), Ok(()));
        assert_eq!(check("pair a\n begin open fd\n end close fd\n"), Ok(()), "of another program");
        // One of several events suffices.
        assert_eq!(check("pair a\n begin submit id\n begin start id\n end complete id\n"), Ok(()));
        let error = check("pair a\n begin submit id\n end compete id\n").unwrap_err();
        assert_eq!(error.message, "mine:3: pair `a`: unknown event `compete`");
        assert_eq!(error.help, "did you mean `complete`?");
        let error = check("pair a\n begin submit ib\n end complete id\n").unwrap_err();
        assert_eq!(error.message, "mine:2: `submit` has no argument `ib`; it has `id`");
        assert_eq!(error.help, "did you mean `id`?");
    }

    #[test]
    fn undeclared_events_are_removed() {
        let sample = Sample::new(
            "virtio_blk_handle_read(void *vdev, void *req) \"\"\n\
             virtio_blk_handle_write(void *vdev, int number) \"\"\n\
             virtio_blk_req_complete(void *vdev, void *req, int status) \"\"\n\
             qcow2_writev_start_req(void *co) \"\"\n\
             cpu_throttle_set(const char *new_throttle_pct) \"\"\n\
             migrate_pending_estimate(uint64_t size) \"\"\n",
        );
        let known = BUILT_IN[0].description().known_to(&[&sample.schemas]);
        assert_eq!(known.names().collect::<Vec<_>>(), ["virtio-blk request", "migration pending bytes"]);
        assert_eq!(known.pairs[0].begins.len(), 1);
        let other = Sample::new("virtio_blk_req_complete(void *vdev) \"\"\n");
        let known = BUILT_IN[0].description().known_to(&[&sample.schemas, &other.schemas]);
        assert_eq!(known.names().collect::<Vec<_>>(), ["migration pending bytes"]);
        assert!(BUILT_IN[0].description().known_to(&[]).is_empty());
    }
}
