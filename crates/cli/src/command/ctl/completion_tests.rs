//! What is proposed, in the shell, where the cursor is.

use super::completion::{Kind, choices, commands, events, files, hint, wanted};
use super::hmp_commands::Vocabulary;

/// Lines of ours and of QEMU's `help`.
const HELP: &str = "\
help|? [cmd] -- show the help
info [subcommand] -- show various information about the system state
log item1[,...] -- activate logging of the specified items
logfile filename -- output logs to 'filename'
quit|q  -- quit the emulator
trace-event name on|off [vcpu] -- changes status of a specific trace event (vcpu: vCPU to set, default is all)
trace-file on|off|flush|set [arg] -- open, close, or flush trace file, or set a new file name
info trace-events [name] [vcpu] -- show available trace-events & their state
info version  -- show the version of QEMU
";

fn displays(candidates: &[super::completion::Candidate]) -> Vec<&str> {
    candidates.iter().map(|candidate| candidate.display.as_str()).collect()
}

#[test]
fn what_is_wanted_depends_on_the_words_before() {
    let vocabulary = Vocabulary::parse(HELP);
    for (line, start, typed, kind) in [
        ("", 0, "", Kind::Command { is_info: false }),
        ("tr", 0, "tr", Kind::Command { is_info: false }),
        ("  tr", 2, "tr", Kind::Command { is_info: false }),
        ("info tr", 5, "tr", Kind::Command { is_info: true }),
        ("help ", 5, "", Kind::Command { is_info: false }),
        ("help info ", 10, "", Kind::Command { is_info: true }),
        ("help trace-event ", 17, "", Kind::Nothing),
        ("trace-event ", 12, "", Kind::Event),
        ("trace-event blk_ ", 17, "", Kind::Choice("on|off")),
        ("trace-event blk_ o", 17, "o", Kind::Choice("on|off")),
        ("trace-event blk_ on 0 ", 22, "", Kind::Nothing),
        ("info trace-events blk", 18, "blk", Kind::Event),
        ("trace-file ", 11, "", Kind::Choice("on|off|flush|set")),
        ("trace-file on x", 14, "x", Kind::Nothing),
        ("trace-file set x", 15, "x", Kind::File),
        ("trace-file set \"a b", 15, "a b", Kind::File),
        ("logfile /tmp/", 8, "/tmp/", Kind::File),
        ("log no", 4, "no", Kind::Choice("none|help|trace:")),
        ("log none,tr", 9, "tr", Kind::Choice("none|help|trace:")),
        ("log none,trace:bl", 15, "bl", Kind::Event),
        ("log trace:-bl", 11, "bl", Kind::Event),
        ("quit ", 5, "", Kind::Nothing),
        ("nosuch x", 7, "x", Kind::Nothing),
    ] {
        let wanted = wanted(line, &vocabulary);
        assert_eq!((wanted.start, wanted.typed, wanted.kind), (start, typed, kind), "{line}");
    }
}

#[test]
fn hints_show_what_is_still_to_be_typed() {
    let vocabulary = Vocabulary::parse(HELP);
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
        assert_eq!(hint(line, &vocabulary).as_deref(), expected, "{line}");
    }
}

#[test]
fn commands_and_choices_are_completed() {
    let vocabulary = Vocabulary::parse(HELP);
    let all = commands("", false, &vocabulary, &["exit"]);
    assert_eq!(
        displays(&all),
        ["exit", "help", "info", "log", "logfile", "q", "quit", "trace-event", "trace-file"]
    );
    assert_eq!(displays(&commands("", true, &vocabulary, &["exit"])), ["trace-events", "version"]);
    let [one] = &commands("trace-e", false, &vocabulary, &[])[..] else { panic!("one is meant") };
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
    assert_eq!(events("blk_", many()).len(), 2000, "no two of them begin alike");
    assert_eq!(events("blk_000", many()).len(), 4);
}

#[test]
fn files_are_completed_where_the_program_is() {
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
