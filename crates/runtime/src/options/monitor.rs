//! Monitors that are asked for: `--monitor ADDRESS`, and the variable `RINGTRACE_MONITOR`. A program opts in, because whoever may
//! connect to a monitor may have the program write files.

use std::ffi::{OsStr, OsString};

use super::arguments::{quoted, take, values, variable};
use super::error::{OptionsError, OptionsErrorKind};
use super::{Address, OptionItem, Options};

/// The variable that has addresses of monitors.
pub const MONITOR_VARIABLE: &str = "RINGTRACE_MONITOR";

const OPTION: &str = "--monitor";

impl Options {
    /// A monitor at this address, beside those that were asked for before.
    #[must_use]
    pub fn monitor(mut self, address: Address) -> Options {
        self.items.push(OptionItem::Monitor(address));
        self
    }

    /// The monitors that the environment variable `RINGTRACE_MONITOR` asks for. A program with more rights than
    /// who starts it does not look at it.
    ///
    /// # Errors
    /// When an address cannot be understood.
    pub fn monitor_from_env() -> Result<Options, OptionsError> {
        variable(MONITOR_VARIABLE)
            .map_or(Ok(Options::new()), |text| Options::parse_monitor_variable(MONITOR_VARIABLE, text))
    }

    /// The monitors that the value of a variable asks for: addresses, each on its line or parted by `;`. In an address, `;;` is a
    /// semicolon. Empty ones ask for nothing.
    ///
    /// # Errors
    /// When an address cannot be understood. The text of the error has the variable's name.
    pub fn parse_monitor_variable(name: &str, value: impl AsRef<OsStr>) -> Result<Options, OptionsError> {
        let mut options = Options::new();
        for address in values(value.as_ref()) {
            options.items.push(item(&format!("{name}="), &address)?);
        }
        Ok(options)
    }

    /// The monitors that arguments ask for; and the other arguments, in order, for the program's own parser.
    ///
    /// # Errors
    /// When an address cannot be understood or is missing.
    pub fn monitor_from_args<A: Into<OsString>>(
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<(Options, Vec<OsString>), OptionsError> {
        let (addresses, rest) = take(OPTION, "unix:monitor.sock", arguments)?;
        let mut options = Options::new();
        for address in addresses {
            options.items.push(item(&format!("{OPTION} "), &address)?);
        }
        Ok((options, rest))
    }

    /// These, or, if there is no monitor among them, those that the environment variable `RINGTRACE_MONITOR` asks for.
    ///
    /// # Errors
    /// When an address of the variable cannot be understood.
    pub fn or_monitor_from_env(mut self) -> Result<Options, OptionsError> {
        if !self.items.iter().any(|item| matches!(item, OptionItem::Monitor(_) | OptionItem::MonitorHelp)) {
            self.extend(Options::monitor_from_env()?);
        }
        Ok(self)
    }

    /// The monitors that are asked for.
    pub fn monitors(&self) -> impl Iterator<Item = &Address> {
        self.items.iter().filter_map(|item| match item {
            OptionItem::Monitor(address) => Some(address),
            _ => None,
        })
    }
}

/// What an address asks for, or `help`, that follows `location`.
fn item(location: &str, text: &OsStr) -> Result<OptionItem, OptionsError> {
    if ["help", "?"].iter().any(|word| *word == text) {
        return Ok(OptionItem::MonitorHelp);
    }
    let failed =
        |error| OptionsError::new(format!("{location}{}", quoted(text)), OptionsErrorKind::Monitor(error));
    Address::parse(text).map(OptionItem::Monitor).map_err(failed)
}
