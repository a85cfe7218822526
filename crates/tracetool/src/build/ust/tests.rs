//! Tests of the C files generated for Rust.

use std::fs;
use std::path::{Path, PathBuf};

use ringtrace_events::SourceFile;
use ringtrace_events::parse::{Dialect, Parsed, parse};

use super::{Sources, sources};
use crate::Group;

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/tracetool").join(name)
}

fn parsed(texts: &[&str]) -> Parsed {
    let sources = texts.iter().map(|text| SourceFile::new("trace-events", (*text).to_owned())).collect();
    parse(sources, Dialect::Read)
}

/// Generates the files for one group from each source, with the given providers.
fn of_providers(parsed: &Parsed, providers: &[&str]) -> Vec<Sources> {
    let declarations = &parsed.declarations;
    let group = |index: usize| Group {
        name: "group",
        sources: vec![&declarations.sources[index]],
        events: declarations.events.iter().filter(|event| event.source == index).collect(),
    };
    let groups: Vec<Group<'_>> = (0..providers.len()).map(group).collect();
    let named: Vec<(&str, &Group<'_>)> = std::iter::zip(providers.iter().copied(), &groups).collect();
    sources(&named).unwrap()
}

/// Compares the files with `testdata/tracetool/ust-rust`, which `RINGTRACE_ACCEPT=1` updates.
#[test]
fn types_and_names_are_as_rust_passes_them() {
    #[expect(clippy::disallowed_methods, reason = "tests may read the environment")]
    let accept = std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1");
    for name in ["types", "names"] {
        let parsed = parsed(&[&fs::read_to_string(testdata(&format!("{name}.events"))).unwrap()]);
        let all = of_providers(&parsed, &[name]);
        assert_eq!(all.len(), 1);
        for (ending, text) in [("h", &all[0].header), ("c", &all[0].shim)] {
            let golden = testdata(&format!("ust-rust/trace-ust-{name}.{ending}"));
            if accept {
                fs::create_dir_all(testdata("ust-rust")).unwrap();
                fs::write(&golden, text).unwrap();
            }
            assert_eq!(text, &fs::read_to_string(&golden).unwrap(), "RINGTRACE_ACCEPT=1 accepts");
        }
    }
}

/// LTTng would ignore a provider's second registration.
#[test]
fn groups_of_one_provider_are_one_library() {
    let parsed = parsed(&["a(int x) \"%d\"\n", "b(int x) \"%d\"\n", "c(void) \"\"\n"]);
    let all = of_providers(&parsed, &["my-app", "other", "my_app"]);
    let words: Vec<&str> = all.iter().map(|sources| sources.word.as_str()).collect();
    assert_eq!(words, ["my_app", "other"]);
    assert!(all[0].shim.contains("ringtrace_ust_fire_my_app___a") && all[0].shim.contains("_my_app___c"));
    assert!(!all[0].header.contains("other"), "{}", all[0].header);
}

#[test]
fn a_provider_of_nothing_has_no_library() {
    let parsed = parsed(&["disable a(int x) \"%d\"\n"]);
    assert_eq!(of_providers(&parsed, &["blk"]).len(), 0);
}

#[test]
fn too_many_arguments_for_lttng_are_an_error() {
    let arguments: Vec<String> = (0..11).map(|number| format!("int a{number}")).collect();
    let parsed = parsed(&[&format!("a({}) \"\"\n", arguments.join(", "))]);
    let group =
        Group { name: "blk", sources: Vec::new(), events: parsed.declarations.events.iter().collect() };
    let Err(refused) = sources(&[("blk", &group)]) else { panic!("the event was not rejected") };
    assert!(refused[0].message.contains("argument"), "{refused:?}");
}
