use std::fmt::Write as _;
use std::path::Path;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use ringtrace_events::SourceFile;
use ringtrace_events::message::{MessageFormat, render};

use super::*;

/// Every file `testdata/pairs/*.pairs` has a file with the expected output: the errors, or the
/// description if there are no errors.
#[test]
fn files_give_the_accepted_output() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/pairs");
    #[expect(clippy::disallowed_methods, reason = "tests may read the environment")]
    let accepts = std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1");
    let mut files = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "pairs") {
            continue;
        }
        files += 1;
        let name = path.file_name().unwrap().to_str().unwrap();
        let source = SourceFile::from_bytes(name, &std::fs::read(&path).unwrap());
        let (description, diagnostics) = parse(&source);
        let mut reported = render(&diagnostics, &[source], MessageFormat::Human { colour: false });
        write!(reported, "{description}").unwrap();
        let expected = path.with_extension("out");
        if accepts {
            std::fs::write(&expected, &reported).unwrap();
        }
        let expected = std::fs::read_to_string(expected).unwrap_or_default();
        assert_eq!(reported, expected, "{name}: run the test with RINGTRACE_ACCEPT=1 to accept it");
    }
    assert!(files > 2, "{files}");
}

#[test]
fn every_code_has_a_valid_example() {
    for (index, code) in PAIR_CODES.iter().enumerate() {
        assert_eq!(code.code, format!("P{:04}", index + 1));
        assert!(code.explanation.ends_with('.') && !code.title.ends_with('.'), "{}", code.code);
        if code.bad.is_empty() {
            continue;
        }
        let found = |text: &str| -> Vec<&str> {
            parse(&SourceFile::new("example", text)).1.iter().map(|found| found.code).collect()
        };
        let wrong = found(code.bad);
        assert!(!wrong.is_empty() && wrong.iter().all(|found| *found == code.code), "{wrong:?}");
        assert!(found(code.good).is_empty(), "{}", code.code);
    }
}

#[test]
fn errors_without_an_example_are_found() {
    let codes = |source: &SourceFile| parse(source).1.iter().map(|found| found.code).collect::<Vec<_>>();
    let with_byte = b"pair caf\xe9\n  begin a x\n  end b x\n";
    assert_eq!(codes(&SourceFile::from_bytes("latin", with_byte)), ["P0001"]);
    assert_eq!(codes(&SourceFile::new("binary", "pair \0\nx\n")), ["P0001"]);
    let many: String = (0..=MAX_STATEMENTS).map(|n| format!("counter {n}\n  value a b\n")).collect();
    assert_eq!(codes(&SourceFile::new("many", many)), ["P0011"]);
    // The number of errors is limited.
    let wrong = SourceFile::new("wrong", "x\n".repeat(1000));
    assert_eq!(parse(&wrong).1.len(), 100);
}

fn name() -> impl Strategy<Value = String> {
    "[a-z_][a-z0-9_]{0,8}"
}

fn keys(count: usize) -> impl Strategy<Value = Vec<KeySource>> {
    let source = prop_oneof![
        Just("pid".to_owned()),
        Just("tid".to_owned()),
        name(),
        name().prop_map(|n| format!("arg.{n}"))
    ];
    vec(source.prop_map(|text| KeySource::parse(&text).unwrap()), count)
}

fn events(count: usize, keys_count: usize) -> impl Strategy<Value = Vec<EventKeys>> {
    let event = (name(), keys(keys_count));
    vec(event.prop_map(|(event, keys)| EventKeys { event, keys, location: None }), count)
}

fn pair() -> impl Strategy<Value = PairDescription> {
    let title = "[a-zA-Z0-9 ä/-]{0,20}[a-z]";
    let counts = (0_usize..4, 1_usize..4, 1_usize..4, 0_usize..3, 0_usize..3);
    (title, counts).prop_flat_map(|(title, (keys_count, begins, ends, steps, track))| {
        let all =
            (events(begins, keys_count), events(ends, keys_count), events(steps, keys_count), keys(track));
        all.prop_map(move |(begins, ends, steps, track)| PairDescription {
            name: title.trim().to_owned(),
            begins,
            ends,
            steps,
            track,
            ..PairDescription::default()
        })
    })
}

fn counter() -> impl Strategy<Value = CounterDescription> {
    let value = (name(), name()).prop_filter("an argument", |(_, argument)| {
        KeySource::parse(argument).is_some_and(|source| matches!(source, KeySource::Argument(_)))
    });
    let value = value.prop_map(|(event, argument)| CounterValue { event, argument, location: None });
    (name(), vec(value, 1..4), keys(1)).prop_map(|(name, values, track)| CounterDescription {
        name: format!("{name} over time"),
        values,
        track,
    })
}

fn placeless(mut description: Description) -> Description {
    for pair in &mut description.pairs {
        pair.events_mut().for_each(|event| event.location = None);
    }
    for counter in &mut description.counters {
        counter.values.iter_mut().for_each(|value| value.location = None);
    }
    description
}

proptest! {
    #[test]
    fn printed_descriptions_are_parsed_back(pairs in vec(pair(), 0..4), counters in vec(counter(), 0..3)) {
        let description = Description { pairs, counters };
        let (parsed, diagnostics) = parse(&SourceFile::new("made", description.to_string()));
        // A generated description may have duplicates, which are the only possible errors.
        if diagnostics.is_empty() {
            prop_assert_eq!(placeless(parsed), description);
        } else {
            prop_assert!(diagnostics.iter().all(|found| ["P0005", "P0009", "P0010"].contains(&found.code)), "{diagnostics:?}");
        }
    }

    #[test]
    fn blanks_and_comments_are_ignored(pair in pair(), comment in option::of("[ -~]{0,10}"), blank in "[ \t]{1,3}") {
        let description = Description { pairs: vec![pair], counters: Vec::new() };
        let (expected, _) = parse(&SourceFile::new("made", description.to_string()));
        let comment = comment.map_or(String::new(), |comment| format!("{blank}# {comment}"));
        let text: String = description
            .to_string()
            .lines()
            .map(|line| format!("{}{comment}{blank}\r\n\n", line.replace("  ", &blank)))
            .collect();
        // A name with several blanks in a row would change.
        prop_assume!(!description.pairs[0].name.contains("  "));
        let (parsed, _) = parse(&SourceFile::new("made", text));
        prop_assert_eq!(placeless(parsed), placeless(expected));
    }

    #[test]
    fn any_text_is_parsed_to_something(text in "((pair|counter|begin|end|step|value|track|  |[a-z,# é\t=.]{1,6}|\n|\r\n| ){0,3}){0,40}") {
        let source = SourceFile::new("any", text);
        let (description, diagnostics) = parse(&source);
        for found in &diagnostics {
            prop_assert!(source.text().get(found.span.clone()).is_some(), "{found:?}");
            prop_assert!(PAIR_CODES.iter().any(|code| code.code == found.code));
        }
        prop_assert!(diagnostics.iter().is_sorted_by_key(|found| found.span.start));
        for pair in &description.pairs {
            prop_assert!(!pair.begins.is_empty() && !pair.ends.is_empty() && !pair.name.is_empty());
            let keys = pair.begins[0].keys.len();
            prop_assert!(pair.events().all(|event| event.keys.len() == keys));
        }
        // The printed description is parsed without errors.
        let (again, diagnostics) = parse(&SourceFile::new("again", description.to_string()));
        prop_assert_eq!(diagnostics, []);
        prop_assert_eq!(placeless(again), placeless(description));
    }
}
