//! The rules for dependencies between the modules of a crate.

use std::collections::{BTreeMap, BTreeSet};

use super::modules::Edge;

/// The maximum number of modules that may depend on each other in a cycle.
const MOST: usize = 4;

/// Returns a message for each cycle that breaks a rule:
///
/// 1. The top-level modules of a crate form no cycle. An exception is a cycle of at most [`MOST`]
///    modules that contain no other modules.
/// 2. Files form no cycle of more than [`MOST`] modules.
///
/// `folders` are the top-level modules that contain other modules.
pub fn violations(name: &str, folders: &BTreeSet<&str>, edges: &[Edge]) -> Vec<String> {
    let top = |module: &str| module.split("::").next().unwrap_or_default().to_owned();
    let top_edges: Vec<Edge> = edges
        .iter()
        .map(|Edge { from, to, place }| Edge {
            from: top(from),
            to: top(to),
            place: format!("{place}, {from} -> {to}"),
        })
        .filter(|edge| edge.from != edge.to)
        .collect();
    let across = components(&top_edges)
        .into_iter()
        .filter(|cycle| cycle.len() > MOST || cycle.iter().any(|module| folders.contains(module)))
        .map(|cycle| message(name, "top-level modules", &cycle, &top_edges));
    let files = components(edges)
        .into_iter()
        .filter(|cycle| cycle.len() > MOST)
        .map(|cycle| message(name, "files", &cycle, edges));
    across.chain(files).collect()
}

fn message(name: &str, of: &str, cycle: &[&str], edges: &[Edge]) -> String {
    let mut text = format!("{name}: a cycle of {} {of}: {}\n", cycle.len(), cycle.join(", "));
    let mut inside: Vec<&Edge> =
        edges.iter().filter(|edge| cycle.contains(&&*edge.from) && cycle.contains(&&*edge.to)).collect();
    inside.dedup_by(|a, b| (&a.from, &a.to) == (&b.from, &b.to));
    for Edge { from, to, place } in inside {
        text += &format!("    {from} -> {to}    ({place})\n");
    }
    text
}

/// Returns the groups of modules that depend on each other in a cycle.
fn components(edges: &[Edge]) -> Vec<Vec<&str>> {
    let mut graph: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for Edge { from, to, .. } in edges {
        graph.entry(from).or_default().push(to);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|module| (*module, reached_from(module, &graph))).collect();
    let mut left: BTreeSet<&str> = graph.keys().copied().collect();
    let mut found = Vec::new();
    while let Some(module) = left.pop_first() {
        let is_mutual = |other: &&str| reached.get(other).is_some_and(|back| back.contains(module));
        let cycle: Vec<&str> = reached[module].iter().copied().filter(is_mutual).collect();
        left.retain(|other| !cycle.contains(other));
        if cycle.len() > 1 {
            found.push(cycle);
        }
    }
    found
}

/// Returns all modules that `module` depends on, directly or not. They include `module` itself if
/// it is in a cycle.
fn reached_from<'n>(module: &'n str, graph: &BTreeMap<&'n str, Vec<&'n str>>) -> BTreeSet<&'n str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![module];
    while let Some(next) = open.pop() {
        let fresh = graph.get(next).into_iter().flatten().filter(|to| reached.insert(**to));
        open.extend(fresh);
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(list: &[(&str, &str)]) -> Vec<Edge> {
        let edge = |(from, to): &(&str, &str)| Edge {
            from: (*from).to_owned(),
            to: (*to).to_owned(),
            place: String::new(),
        };
        list.iter().map(edge).collect()
    }

    #[test]
    fn components_are_the_cycles() {
        let list = edges(&[
            ("a", "b"),
            ("b", "c"),
            ("c", "a"),
            ("c", "d"),
            ("d", "e"),
            ("e", "d"),
            ("f", "a"),
            ("d", "g"),
        ]);
        assert_eq!(components(&list), [vec!["a", "b", "c"], vec!["d", "e"]]);
    }

    /// Checks a crate with a module for each of `paths`, and the dependencies in `list`.
    fn check(paths: &[&str], list: &[(&str, &str)]) -> Vec<String> {
        let folders = paths.iter().filter_map(|path| Some(path.split_once("::")?.0)).collect();
        violations("sample", &folders, &edges(list))
    }

    #[test]
    fn four_files_may_form_a_cycle_and_five_may_not() {
        let paths = ["a", "b", "c", "d", "e"];
        let four = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("d", "e")];
        assert_eq!(check(&paths, &four), [""; 0]);
        let five = [&four[..], &[("e", "a")]].concat();
        let found = check(&paths, &five);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("sample: a cycle of 5 top-level modules: a, b, c, d, e\n"), "{found:?}");
        assert!(found[1].contains("    e -> a    ()\n"), "{found:?}");
    }

    #[test]
    fn folders_are_in_no_cycle_however_small() {
        let paths = ["a", "a::x", "a::y", "b"];
        assert_eq!(check(&paths, &[("a::x", "b"), ("a::y", "a::x"), ("a::x", "a::y")]), [""; 0]);
        let found = check(&paths, &[("a::x", "b"), ("b", "a::y")]);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("2 top-level modules: a, b\n    a -> b    (, a::x -> b)\n"), "{found:?}");
    }
}
