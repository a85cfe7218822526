//! The command table as Markdown. A test compares it with docs/control.md.

use std::fmt::Write;

use super::{COMMANDS, Command, Parameter, ParameterKind};

/// Formats all commands as Markdown: first HMP, then QMP.
pub(in crate::control) fn reference() -> String {
    let mut text = String::from("### HMP\n\n| command | what it does | arguments |\n| --- | --- | --- |\n");
    for (command, hmp) in Command::all_of_hmp() {
        let call = hmp.usage_line("").trim_end_matches("-- ").trim_end().to_owned();
        let row = [format!("`{call}`"), command.help.to_owned(), arguments(hmp.arguments, |_| None)];
        write_row(&mut text, &row);
    }
    text += "\n### QMP\n\n| command | what it does | arguments | returns |\n| --- | --- | --- | --- |\n";
    for (command, qmp) in COMMANDS.iter().filter_map(|command| Some((command, command.qmp.as_ref()?))) {
        let arguments = arguments(qmp.arguments, |argument| Some(argument.kind.in_json()));
        let row = [format!("`{}`", qmp.name), command.help.to_owned(), arguments, qmp.returns.to_owned()];
        write_row(&mut text, &row);
    }
    text
}

fn write_row(text: &mut String, cells: &[String]) {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    // Writing to a string does not fail.
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

fn arguments(arguments: &[Parameter], kind: impl Fn(&Parameter) -> Option<&'static str>) -> String {
    let one = |argument: &Parameter| {
        let optional = Some("optional").filter(|_| argument.is_optional);
        let what: Vec<_> = kind(argument).into_iter().chain(optional).collect();
        let what = if what.is_empty() { String::new() } else { format!(" ({})", what.join(", ")) };
        format!("`{}`{what}: {}", argument.name, argument.help)
    };
    arguments.iter().map(one).collect::<Vec<_>>().join("<br>")
}

impl ParameterKind {
    fn in_json(self) -> &'static str {
        match self {
            ParameterKind::Text | ParameterKind::File | ParameterKind::Rest => "string",
            ParameterKind::Flag => "boolean",
            ParameterKind::Integer => "integer",
            ParameterKind::Texts => "array of strings",
        }
    }
}
