//! The commands of a monitor (ringtrace's or QEMU's), parsed from its `help`.

use crate::monitor::{Client, MonitorError};

#[derive(Debug, Default)]
pub struct HmpCommands {
    commands: Vec<HmpCommand>,
}

#[derive(Debug, PartialEq)]
pub struct HmpCommand {
    /// The name and its aliases. A subcommand of `info` is listed as `info NAME`.
    pub names: Vec<String>,
    /// The arguments as written in the help.
    pub arguments: Vec<String>,
}

impl HmpCommand {
    pub fn is_called(&self, name: &str) -> bool {
        self.names.iter().any(|one| one == name)
    }
}

impl HmpCommands {
    /// Queries the commands of a monitor.
    pub fn query(client: &mut Client) -> Result<HmpCommands, MonitorError> {
        let help = client.human("help")?;
        Ok(HmpCommands::parse(&(help + &client.human("help info")?)))
    }

    /// Parses the output of `help` and `help info`, with lines `NAME|NAME ARGUMENT.. --
    /// DESCRIPTION`.
    pub fn parse(help: &str) -> HmpCommands {
        let commands = help.lines().filter_map(|line| {
            let (usage, _) = line.split_once(" -- ")?;
            let mut words = usage.split_whitespace();
            let (first, mut arguments) = (words.next()?, words.map(str::to_owned).collect::<Vec<_>>());
            let is_two_words =
                first == "info" && arguments.first().is_some_and(|word| !word.starts_with('['));
            let names = match is_two_words {
                true => vec![format!("info {}", arguments.remove(0))],
                false => first.split('|').map(str::to_owned).collect(),
            };
            Some(HmpCommand { names, arguments })
        });
        HmpCommands { commands: commands.collect() }
    }

    /// Returns all names, including those like `info NAME`.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.commands.iter().flat_map(|known| known.names.iter().map(String::as_str))
    }

    /// Returns the command at the start of `line`, and the rest of the line.
    pub fn find<'l>(&self, line: &'l str) -> Option<(&HmpCommand, &'l str)> {
        let line = line.trim_start();
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let named = |name: &str| self.commands.iter().find(|known| known.is_called(name));
        if first == "info" {
            let (second, rest) =
                rest.trim_start().split_once(char::is_whitespace).unwrap_or((rest.trim_start(), ""));
            if let Some(known) = named(&format!("info {second}")) {
                return Some((known, rest));
            }
        }
        Some((named(first)?, rest))
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Help lines from ringtrace's monitor and from QEMU.
    pub const HELP: &str = "\
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

    #[test]
    fn commands_are_found_by_all_of_their_names() {
        let commands = HmpCommands::parse(HELP);
        let found = |line| {
            let (known, rest) = commands.find(line)?;
            Some((known.names.join("|"), known.arguments.join(" "), rest))
        };
        for (line, expected) in [
            ("? x", Some(("help|?", "[cmd]", "x"))),
            ("quit", Some(("quit|q", "", ""))),
            ("info", Some(("info", "[subcommand]", ""))),
            ("info tr", Some(("info", "[subcommand]", "tr"))),
            (" info  trace-events blk_*", Some(("info trace-events", "[name] [vcpu]", "blk_*"))),
            ("trace-event a on", Some(("trace-event", "name on|off [vcpu]", "a on"))),
            ("trace-evnt a on", None),
            ("", None),
        ] {
            let expected =
                expected.map(|(names, arguments, rest)| (names.to_owned(), arguments.to_owned(), rest));
            assert_eq!(found(line), expected, "{line}");
        }
    }
}
