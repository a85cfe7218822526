//! The commands `help` and `info`.

use crate::control::command::{Command, CommandError, Hmp, log_items};

impl Hmp {
    /// Formats a command's usage and description as one line, without a line end.
    pub(in crate::control) fn usage_line(&self, help: &str) -> String {
        let names = self.aliases.iter().fold(self.name.to_owned(), |names, alias| names + "|" + alias);
        // With no arguments, QEMU prints two blanks.
        format!("{names} {} -- {help}", self.usage)
    }
}

/// Returns the output of `help` for a command, or the list of all commands if `about` is empty.
pub(in crate::control) fn help(about: &str) -> Result<String, CommandError> {
    let mut words = about.split_whitespace();
    let first = words.next();
    let all = Command::all_of_hmp();
    let name = match (first, words.next()) {
        (None, _) => {
            let one_word = |name: &str| !name.contains(' ');
            return Ok(lines(all.into_iter().filter(|(_, hmp)| one_word(hmp.name))));
        }
        (Some("info"), None) => {
            return Ok(lines(all.into_iter().filter(|(_, hmp)| hmp.name.starts_with("info "))));
        }
        (Some("info"), Some(second)) => format!("info {second}"),
        // Words after the command's name are ignored.
        (Some(name), _) => name.to_owned(),
    };
    match Command::of_hmp(&name) {
        // Like QEMU, list the items instead of the command's usage.
        Some((_, hmp)) if hmp.name == "log" => Ok(log_items()),
        Some(found) => Ok(lines([found])),
        None => Err(CommandError::new(format_args!("unknown command: '{name}'"))),
    }
}

fn lines<'c>(commands: impl IntoIterator<Item = (&'c Command, &'c Hmp)>) -> String {
    commands.into_iter().map(|(command, hmp)| hmp.usage_line(command.help) + "\n").collect()
}
