//! The table as a document: the section of docs/control.md that a test holds against it.

use std::fmt::Write;

use super::{Argument, COMMANDS, Command};

/// All commands, in Markdown: first as people call them, then as machines do.
pub(in crate::monitor) fn reference() -> String {
    let mut text = String::from("### HMP\n");
    for (command, hmp) in Command::all_of_hmp() {
        let names =
            hmp.aliases.iter().fold(format!("`{}`", hmp.name), |names, alias| names + ", `" + alias + "`");
        let usage = if hmp.usage.is_empty() { String::new() } else { format!(" `{}`", hmp.usage) };
        let _ = writeln!(text, "\n**{names}**{usage}: {}\n", command.help);
        arguments(&mut text, hmp.arguments);
    }
    text += "\n### QMP\n";
    for (command, qmp) in COMMANDS.iter().filter_map(|command| Some((command, command.qmp.as_ref()?))) {
        let _ = writeln!(text, "\n**`{}`**: {}; returns {}\n", qmp.name, command.help, qmp.returns);
        arguments(&mut text, qmp.arguments);
    }
    // A command without arguments leaves a blank line behind it.
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    text.trim_end().to_owned() + "\n"
}

fn arguments(text: &mut String, arguments: &[Argument]) {
    for argument in arguments {
        let optional = if argument.is_optional { ", optional" } else { "" };
        let _ =
            writeln!(text, "* `{}` ({}{optional}): {}", argument.name, argument.kind.about(), argument.help);
    }
}
