//! The command table.

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

/// In older versions of QEMU, events had a separate state for each virtual processor. Here, a
/// request for one processor applies to all processors.
const VCPU: Parameter = optional("vcpu", ParameterKind::Integer, "accepted and ignored");

/// All commands, in the order of `query-commands`. HMP lists them sorted by name.
pub(in crate::control) static COMMANDS: &[Command] = &[
    Command {
        hmp: hmp(
            "info trace-events",
            "[name] [vcpu]",
            &[optional("name", ParameterKind::Text, "event name, or pattern with `*`"), VCPU],
        ),
        qmp: qmp(
            "trace-event-get-state",
            &[needed("name", ParameterKind::Text, "event name, or pattern with `*`"), VCPU],
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
                needed("name", ParameterKind::Text, "event name, or pattern with `*`"),
                needed("enable", ParameterKind::Flag, "whether to enable the events"),
                VCPU,
            ],
        ),
        qmp: None,
        help: "changes status of a specific trace event (vcpu: vCPU to set, default is all)",
        effect: Effect::Run(events::switch_available),
        is_slow: never,
    },
    Command {
        hmp: None,
        qmp: qmp(
            "trace-event-set-state",
            &[
                needed("name", ParameterKind::Text, "event name, or pattern with `*`"),
                needed("enable", ParameterKind::Flag, "whether to enable the events"),
                optional(
                    "ignore-unavailable",
                    ParameterKind::Flag,
                    "skip unavailable events; otherwise, they make the command fail",
                ),
                VCPU,
            ],
            "`{}`",
        ),
        help: "enable or disable all matching events; if there is an error, no event is changed",
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
                    "operation; if it is absent, the file and its state are shown",
                ),
                optional("arg", ParameterKind::File, "for `set`: the new file"),
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
            &[needed("enable", ParameterKind::Flag, "whether to write events to the trace file")],
            "`{}`",
        ),
        help: "start or stop writing to the trace file; its contents are kept",
        effect: Effect::Run(trace_file::set_state),
        is_slow: always,
    },
    Command {
        hmp: None,
        qmp: qmp("trace-file-set", &[needed("file", ParameterKind::File, "the new file")], "`{}`"),
        help: "continue in another trace file, or set the name of the file to create",
        effect: Effect::Run(trace_file::set_file),
        is_slow: always,
    },
    Command {
        hmp: None,
        qmp: qmp("trace-file-flush", &[], "`{}`"),
        help: "wait until everything recorded so far is in the trace file",
        effect: Effect::Run(trace_file::flush),
        is_slow: always,
    },
    Command {
        hmp: hmp("trace-snapshot", "file", &[needed("file", ParameterKind::File, "file to create")]),
        qmp: qmp(
            "trace-snapshot",
            &[needed("file", ParameterKind::File, "file to create")],
            r#"`{"records": N}`"#,
        ),
        help: "write the current contents of the rings to a separate trace",
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
                "event name, or pattern with `*`; without it, events that are enabled or have counts",
            )],
        ),
        qmp: None,
        help: "show totals, counts of events and the fill levels of the rings",
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
                    "event name, or pattern with `*`; without it, all events",
                ),
                optional("seen", ParameterKind::Flag, "only events that are enabled or have counts"),
            ],
            "see [below](#result-of-query-trace-status)",
        ),
        help: "return the status of recording: file, totals, rings and events",
        effect: Effect::Run(status::report),
        is_slow: never,
    },
    Command {
        hmp: hmp(
            "log",
            "item1[,...]",
            &[needed("items", ParameterKind::Text, "items to log, separated by commas; `help` lists them")],
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
            &[needed("file", ParameterKind::File, "log file; one `%d` in it stands for the process id")],
        ),
        qmp: None,
        help: "output logs to 'filename'",
        effect: Effect::Run(log::set_file),
        is_slow: always,
    },
    Command {
        hmp: hmp("info trace", "", &[]),
        qmp: None,
        help: "show records that are not in the trace file yet, newest last",
        effect: Effect::Run(status::buffered),
        is_slow: always,
    },
    Command {
        hmp: hmp("info", "[subcommand]", &[]),
        qmp: None,
        help: "show information about the program and its tracing",
        effect: Effect::Run(about::info),
        is_slow: never,
    },
    Command {
        hmp: Some(Hmp {
            name: "help",
            aliases: &["?"],
            usage: "[cmd]",
            arguments: &[optional("command", ParameterKind::Rest, "command to describe")],
        }),
        qmp: None,
        help: "show the help",
        effect: Effect::Run(about::help),
        is_slow: never,
    },
    Command {
        hmp: Some(Hmp { name: "quit", aliases: &["q"], usage: "", arguments: &[] }),
        qmp: qmp("quit", &[], "`{}`, after the event `SHUTDOWN`"),
        help: "end the program, if the program allows it",
        effect: Effect::Run(about::quit),
        is_slow: never,
    },
    Command {
        hmp: None,
        qmp: qmp(
            "qmp_capabilities",
            &[optional("enable", ParameterKind::Texts, "capabilities to enable; none are available")],
            "`{}`",
        ),
        help: "complete the negotiation; required before all other commands",
        effect: Effect::Negotiate,
        is_slow: never,
    },
    Command {
        hmp: None,
        qmp: qmp(
            "human-monitor-command",
            &[
                needed("command-line", ParameterKind::Text, "line of HMP"),
                optional("cpu-index", ParameterKind::Integer, "accepted and ignored"),
            ],
            "output of the HMP command, a string whose lines end in CR LF",
        ),
        help: "run an HMP command",
        effect: Effect::Line,
        is_slow: never,
    },
    Command {
        hmp: None,
        qmp: qmp("query-commands", &[], r#"`[{"name"}]`"#),
        help: "list the QMP commands",
        effect: Effect::Run(about::commands),
        is_slow: never,
    },
    Command {
        hmp: hmp("info version", "", &[]),
        qmp: qmp("query-version", &[], r#"`{"qemu": {"micro", "minor", "major"}, "package"}`"#),
        help: "show the versions of the QEMU protocol and of ringtrace",
        effect: Effect::Run(about::version),
        is_slow: never,
    },
    Command {
        hmp: hmp("info name", "", &[]),
        qmp: qmp("query-name", &[], r#"`{"name"}`; `{}` if the program has no name"#),
        help: "show the program's name",
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
    fn command_names_are_unique() {
        let mut names = BTreeSet::new();
        for command in COMMANDS {
            let hmp = command.hmp.iter().flat_map(|hmp| std::iter::once(&hmp.name).chain(hmp.aliases));
            let hmp: Vec<_> = hmp.map(|name| ("hmp", *name)).collect();
            let qmp: Vec<_> = command.qmp.iter().map(|qmp| ("qmp", qmp.name)).collect();
            assert!(!hmp.is_empty() || !qmp.is_empty(), "{command:?}");
            for name in hmp.into_iter().chain(qmp) {
                assert!(names.insert(name), "{name:?} is listed twice");
            }
        }
    }

    #[test]
    fn hmp_arguments_can_be_written_on_a_line() {
        for (command, hmp) in COMMANDS.iter().filter_map(|command| Some((command, command.hmp.as_ref()?))) {
            assert!(matches!(command.effect, Effect::Run(_)), "{}", hmp.name);
            let optional: Vec<_> = hmp.arguments.iter().map(|argument| argument.is_optional).collect();
            assert!(optional.is_sorted(), "{}: required arguments come first", hmp.name);
            assert!(
                hmp.arguments.iter().all(|argument| argument.kind != ParameterKind::Texts),
                "{}",
                hmp.name
            );
            let shown = hmp.usage.split_whitespace().count();
            // `info` takes no arguments: its usage shows the second word of other commands.
            assert!(hmp.name == "info" || shown == hmp.arguments.len(), "{}: {}", hmp.name, hmp.usage);
        }
    }

    #[test]
    fn argument_names_are_unique() {
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
