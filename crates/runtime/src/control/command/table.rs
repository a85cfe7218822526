//! The table.

use super::{Command, Effect, Hmp, Parameter, ParameterKind, Qmp, about, events, log, status, trace_file};

const fn needed(name: &'static str, kind: ParameterKind, help: &'static str) -> Parameter {
    Parameter { name, kind, is_optional: false, help }
}

const fn optional(name: &'static str, kind: ParameterKind, help: &'static str) -> Parameter {
    Parameter { name, kind, is_optional: true, help }
}

const fn hmp(name: &'static str, usage: &'static str, arguments: &'static [Parameter]) -> Option<Hmp> {
    Some(Hmp { name, aliases: &[], usage, arguments })
}

const fn qmp(name: &'static str, arguments: &'static [Parameter], returns: &'static str) -> Option<Qmp> {
    Some(Qmp { name, arguments, returns })
}

/// Older QEMUs had states by virtual processor; what is asked for one is so for all.
const VCPU: Parameter = optional("vcpu", ParameterKind::Integer, "taken and ignored");

/// All commands, in the order of `query-commands`; people see them in order of their names.
pub(in crate::control) static COMMANDS: &[Command] = &[
    Command {
        hmp: hmp(
            "info trace-events",
            "[name] [vcpu]",
            &[optional("name", ParameterKind::Text, "an event, or a pattern with `*`"), VCPU],
        ),
        qmp: qmp(
            "trace-event-get-state",
            &[needed("name", ParameterKind::Text, "an event, or a pattern with `*`"), VCPU],
            r#"`[{"name", "state": "enabled"|"disabled"|"unavailable"}]`"#,
        ),
        help: "show available trace-events & their state (name: event name pattern; vcpu: vCPU to query, default is any)",
        effect: Effect::Run(events::states),
        is_slow: never,
    },
    Command {
        hmp: hmp(
            "trace-event",
            "name on|off [vcpu]",
            &[
                needed("name", ParameterKind::Text, "an event, or a pattern with `*`"),
                needed("enable", ParameterKind::Flag, "whether it is switched on"),
                VCPU,
            ],
        ),
        qmp: None,
        help: "changes status of a specific trace event (vcpu: vCPU to set, default is all)",
        effect: Effect::Run(events::switch_what_can_be),
        is_slow: never,
    },
    Command {
        hmp: None,
        qmp: qmp(
            "trace-event-set-state",
            &[
                needed("name", ParameterKind::Text, "an event, or a pattern with `*`"),
                needed("enable", ParameterKind::Flag, "whether it is switched on"),
                optional(
                    "ignore-unavailable",
                    ParameterKind::Flag,
                    "switch what can be; else nothing is switched when something cannot be",
                ),
                VCPU,
            ],
            "`{}`",
        ),
        help: "switch events on or off: all that are meant, or none",
        effect: Effect::Run(events::switch_all_or_nothing),
        is_slow: never,
    },
    Command {
        hmp: hmp(
            "trace-file",
            "on|off|flush|set [arg]",
            &[
                optional(
                    "op",
                    ParameterKind::Text,
                    "what to do; without it, the file and its state are shown",
                ),
                optional("arg", ParameterKind::File, "of `set`: the new file"),
            ],
        ),
        qmp: None,
        help: "open, close, or flush trace file, or set a new file name",
        effect: Effect::Run(trace_file::words),
        is_slow: trace_file::is_slow,
    },
    Command {
        hmp: None,
        qmp: qmp(
            "trace-file-set-state",
            &[needed("enable", ParameterKind::Flag, "whether events go to the trace file")],
            "`{}`",
        ),
        help: "begin or stop to write the trace file; nothing of it is lost",
        effect: Effect::Run(trace_file::set_state),
        is_slow: always,
    },
    Command {
        hmp: None,
        qmp: qmp("trace-file-set", &[needed("file", ParameterKind::File, "the new file")], "`{}`"),
        help: "go on in another trace file, or name the one that is to be made",
        effect: Effect::Run(trace_file::set_file),
        is_slow: always,
    },
    Command {
        hmp: None,
        qmp: qmp("trace-file-flush", &[], "`{}`"),
        help: "wait until all that was recorded so far is in the trace file",
        effect: Effect::Run(trace_file::flush),
        is_slow: always,
    },
    Command {
        hmp: hmp(
            "trace-snapshot",
            "file",
            &[needed("file", ParameterKind::File, "the file of the snapshot")],
        ),
        qmp: qmp(
            "trace-snapshot",
            &[needed("file", ParameterKind::File, "the file of the snapshot")],
            r#"`{"records": N}`"#,
        ),
        help: "write what the rings hold now as a trace of its own",
        effect: Effect::Run(trace_file::snapshot),
        is_slow: always,
    },
    Command {
        hmp: hmp(
            "info trace-status",
            "[name]",
            &[optional(
                "name",
                ParameterKind::Text,
                "an event, or a pattern with `*`; without it, events with something to tell of",
            )],
        ),
        qmp: None,
        help: "show what was recorded and dropped, and how full the rings are",
        effect: Effect::Run(status::overview),
        is_slow: never,
    },
    Command {
        hmp: None,
        qmp: qmp(
            "query-trace-status",
            &[
                optional(
                    "name",
                    ParameterKind::Text,
                    "an event, or a pattern with `*`; without it, all events",
                ),
                optional(
                    "seen",
                    ParameterKind::Flag,
                    "only events that are enabled, or were recorded or dropped",
                ),
            ],
            "see below",
        ),
        help: "tell how recording goes: file, totals, rings and events",
        effect: Effect::Run(status::report),
        is_slow: never,
    },
    Command {
        hmp: hmp(
            "log",
            "item1[,...]",
            &[needed("items", ParameterKind::Text, "what to log, by commas; `help` lists it")],
        ),
        qmp: None,
        help: "activate logging of the specified items",
        effect: Effect::Run(log::log),
        is_slow: always,
    },
    Command {
        hmp: hmp(
            "logfile",
            "filename",
            &[needed("file", ParameterKind::File, "where the log goes; one `%d` in it is the process id")],
        ),
        qmp: None,
        help: "output logs to 'filename'",
        effect: Effect::Run(log::set_file),
        is_slow: always,
    },
    Command {
        hmp: hmp("info trace", "", &[]),
        qmp: None,
        help: "show the records that are not in the trace file yet, the newest last",
        effect: Effect::Run(status::buffered),
        is_slow: always,
    },
    Command {
        hmp: hmp("info", "[subcommand]", &[]),
        qmp: None,
        help: "show various information about the program and its tracing",
        effect: Effect::Run(about::info),
        is_slow: never,
    },
    Command {
        hmp: Some(Hmp {
            name: "help",
            aliases: &["?"],
            usage: "[cmd]",
            arguments: &[optional("command", ParameterKind::Rest, "the command to be told of")],
        }),
        qmp: None,
        help: "show the help",
        effect: Effect::Run(about::help),
        is_slow: never,
    },
    Command {
        hmp: Some(Hmp { name: "quit", aliases: &["q"], usage: "", arguments: &[] }),
        qmp: qmp("quit", &[], "`{}`, after the event `SHUTDOWN`"),
        help: "end the program, where it allows that",
        effect: Effect::Run(about::quit),
        is_slow: never,
    },
    Command {
        hmp: None,
        qmp: qmp(
            "qmp_capabilities",
            &[optional("enable", ParameterKind::Texts, "capabilities to switch on: there are none")],
            "`{}`",
        ),
        help: "end the negotiation: before it, nothing else can be called",
        effect: Effect::Negotiate,
        is_slow: never,
    },
    Command {
        hmp: None,
        qmp: qmp(
            "human-monitor-command",
            &[
                needed("command-line", ParameterKind::Text, "a line of HMP"),
                optional("cpu-index", ParameterKind::Integer, "taken and ignored"),
            ],
            "what HMP says, as a string whose lines end in CR LF",
        ),
        help: "run a command of HMP",
        effect: Effect::Line,
        is_slow: never,
    },
    Command {
        hmp: None,
        qmp: qmp("query-commands", &[], r#"`[{"name"}]`"#),
        help: "list the commands of QMP",
        effect: Effect::Run(about::commands),
        is_slow: never,
    },
    Command {
        hmp: hmp("info version", "", &[]),
        qmp: qmp("query-version", &[], r#"`{"qemu": {"micro", "minor", "major"}, "package"}`"#),
        help: "show the version of QEMU whose protocol is spoken, and who speaks it",
        effect: Effect::Run(about::version),
        is_slow: never,
    },
    Command {
        hmp: hmp("info name", "", &[]),
        qmp: qmp("query-name", &[], r#"`{"name"}`; `{}` where the program gave none"#),
        help: "show the name that the program gives itself",
        effect: Effect::Run(about::name),
        is_slow: never,
    },
];

fn never(_: &super::Arguments) -> bool {
    false
}

fn always(_: &super::Arguments) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{COMMANDS, Effect, ParameterKind};

    #[test]
    fn every_command_can_be_called_by_names_of_its_own() {
        let mut names = BTreeSet::new();
        for command in COMMANDS {
            let hmp = command.hmp.iter().flat_map(|hmp| std::iter::once(&hmp.name).chain(hmp.aliases));
            let hmp: Vec<_> = hmp.map(|name| ("hmp", *name)).collect();
            let qmp: Vec<_> = command.qmp.iter().map(|qmp| ("qmp", qmp.name)).collect();
            assert!(!hmp.is_empty() || !qmp.is_empty(), "{command:?}");
            for name in hmp.into_iter().chain(qmp) {
                assert!(names.insert(name), "{name:?} stands twice");
            }
        }
    }

    #[test]
    fn what_people_can_call_they_can_write() {
        for (command, hmp) in COMMANDS.iter().filter_map(|command| Some((command, command.hmp.as_ref()?))) {
            assert!(matches!(command.effect, Effect::Run(_)), "{}", hmp.name);
            let optional: Vec<_> = hmp.arguments.iter().map(|argument| argument.is_optional).collect();
            assert!(optional.is_sorted(), "{}: what is needed stands first", hmp.name);
            assert!(
                hmp.arguments.iter().all(|argument| argument.kind != ParameterKind::Texts),
                "{}",
                hmp.name
            );
            let shown = hmp.usage.split_whitespace().count();
            // `info` shows the words that other commands have.
            assert!(hmp.name == "info" || shown == hmp.arguments.len(), "{}: {}", hmp.name, hmp.usage);
        }
    }

    #[test]
    fn arguments_have_names_of_their_own() {
        for command in COMMANDS {
            let hmp = command.hmp.as_ref().map(|hmp| (hmp.name, hmp.arguments));
            let qmp = command.qmp.as_ref().map(|qmp| (qmp.name, qmp.arguments));
            for (name, arguments) in hmp.into_iter().chain(qmp) {
                let names: BTreeSet<_> = arguments.iter().map(|argument| argument.name).collect();
                assert_eq!(names.len(), arguments.len(), "{name}");
            }
        }
    }
}
