//! Completions and hints in the shell.

use super::completion::{CompletionKind, choices, command_names, context_at, events, files, hint};
use super::hmp_commands::HmpCommands;
use super::hmp_commands::tests::HELP;

fn displays(candidates: &[super::completion::Candidate]) -> Vec<&str> {
    candidates.iter().map(|candidate| candidate.display.as_str()).collect()
}

#[test]
fn completion_depends_on_the_words_before() {
    let commands = HmpCommands::parse(HELP);
    for (line, start, typed, kind) in [
        ("", 0, "", CompletionKind::Command { is_info: false }),
        ("tr", 0, "tr", CompletionKind::Command { is_info: false }),
        ("  tr", 2, "tr", CompletionKind::Command { is_info: false }),
        ("info tr", 5, "tr", CompletionKind::Command { is_info: true }),
        ("help ", 5, "", CompletionKind::Command { is_info: false }),
        ("help info ", 10, "", CompletionKind::Command { is_info: true }),
        ("help trace-event ", 17, "", CompletionKind::Nothing),
        ("trace-event ", 12, "", CompletionKind::Event),
        ("trace-event blk_ ", 17, "", CompletionKind::Choice("on|off")),
        ("trace-event blk_ o", 17, "o", CompletionKind::Choice("on|off")),
        ("trace-event blk_ on 0 ", 22, "", CompletionKind::Nothing),
        ("info trace-events blk", 18, "blk", CompletionKind::Event),
        ("trace-file ", 11, "", CompletionKind::Choice("on|off|flush|set")),
        ("trace-file on x", 14, "x", CompletionKind::Nothing),
        ("trace-file set x", 15, "x", CompletionKind::File),
        ("trace-file set \"a b", 15, "a b", CompletionKind::File),
        ("logfile /tmp/", 8, "/tmp/", CompletionKind::File),
        ("log no", 4, "no", CompletionKind::Choice("none|help|trace:")),
        ("log none,tr", 9, "tr", CompletionKind::Choice("none|help|trace:")),
        ("log none,trace:bl", 15, "bl", CompletionKind::Event),
        ("log trace:-bl", 11, "bl", CompletionKind::Event),
        ("quit ", 5, "", CompletionKind::Nothing),
        ("nosuch x", 7, "x", CompletionKind::Nothing),
    ] {
        let context_at = context_at(line, &commands);
        assert_eq!((context_at.start, context_at.typed, context_at.kind), (start, typed, kind), "{line}");
    }
}

#[test]
fn hints_show_what_is_still_to_be_typed() {
    let commands = HmpCommands::parse(HELP);
    for (line, expected) in [
        ("trace-eve", None),
        ("trace-event", Some(" name on|off [vcpu]")),
        ("trace-event ", Some("name on|off [vcpu]")),
        ("trace-event blk_", Some(" on|off [vcpu]")),
        ("trace-event blk_ on", Some(" [vcpu]")),
        ("trace-event blk_ on 0", None),
        ("quit", None),
        ("info", Some(" [subcommand]")),
        ("info trace-events ", Some("[name] [vcpu]")),
    ] {
        assert_eq!(hint(line, &commands).as_deref(), expected, "{line}");
    }
}

#[test]
fn commands_and_choices_are_completed() {
    let commands = HmpCommands::parse(HELP);
    let all = command_names("", false, &commands, &["exit"]);
    assert_eq!(
        displays(&all),
        ["exit", "help", "info", "log", "logfile", "q", "quit", "trace-event", "trace-file"]
    );
    assert_eq!(displays(&command_names("", true, &commands, &["exit"])), ["trace-events", "version"]);
    let [one] = &command_names("trace-e", false, &commands, &[])[..] else { panic!("one candidate") };
    assert_eq!(one.replacement, "trace-event ");
    assert_eq!(displays(&choices("o", "on|off")), ["on", "off"]);
    assert_eq!(choices("tr", "none|help|trace:")[0].replacement, "trace:", "the pattern follows at once");
}

#[test]
fn few_events_are_listed_and_many_part_by_part() {
    let few = ["blk_read", "blk_write", "nvme_read"];
    assert_eq!(displays(&events("blk", few)), ["blk_read", "blk_write"]);
    assert_eq!(events("n", few)[0].replacement, "nvme_read ");
    assert_eq!(events("x", few), []);
    let many: Vec<String> =
        (0..6000).map(|i| format!("{}_{i:04}_x", ["blk", "nvme", "vfio"][i % 3])).collect();
    let many = || many.iter().map(String::as_str).chain(["lonely"]);
    assert_eq!(displays(&events("", many())), ["blk_* 2000", "lonely", "nvme_* 2000", "vfio_* 2000"]);
    assert_eq!(events("", many())[0].replacement, "blk_");
    assert_eq!(events("blk_", many()).len(), 2000, "each name has a different second segment");
    assert_eq!(events("blk_000", many()).len(), 4);
}

#[test]
fn files_are_completed_in_the_working_folder() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["with space", "plain", ".hidden"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    std::fs::create_dir(folder.path().join("sub dir")).unwrap();
    let names = |typed| {
        let found = files(typed, folder.path());
        found.into_iter().map(|candidate| candidate.replacement).collect::<Vec<_>>()
    };
    assert_eq!(names(""), ["plain", "\"sub dir/", "\"with space\""]);
    assert_eq!(names("pl"), ["plain "]);
    assert_eq!(names("with s"), ["\"with space\" "]);
    assert_eq!(names(".h"), [".hidden "]);
    assert_eq!(names("nowhere/"), [""; 0]);
}
