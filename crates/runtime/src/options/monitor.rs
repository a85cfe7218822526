//! Options for monitors: `--monitor ADDRESS` and the variable `RINGTRACE_MONITOR`. A program must
//! opt in, because a client of a monitor can make it write files.

use std::ffi::{OsStr, OsString};

use super::arguments::{quoted, take, values, variable};
use super::error::{OptionsError, OptionsErrorKind};
use super::{Address, OptionItem, Options};

/// The environment variable for addresses of monitors.
pub const MONITOR_VARIABLE: &str = "RINGTRACE_MONITOR";

const OPTION: &str = "--monitor";

impl Options {
    /// Adds a monitor at this address.
    #[must_use]
    pub fn monitor(mut self, address: Address) -> Options {
        self.items.push(OptionItem::Monitor(address));
        self
    }

    /// Reads the monitors from the environment variable `RINGTRACE_MONITOR`. The variable is
    /// ignored if the program has more privileges than its caller.
    ///
    /// # Errors
    /// Fails if an address is invalid.
    pub fn monitor_from_env() -> Result<Options, OptionsError> {
        variable(MONITOR_VARIABLE)
            .map_or(Ok(Options::new()), |text| Options::parse_monitor_variable(MONITOR_VARIABLE, text))
    }

    /// Parses monitors from the value of a variable: addresses, separated by line breaks or `;`.
    /// Within an address, `;;` stands for a semicolon. Empty addresses are ignored.
    ///
    /// # Errors
    /// Fails if an address is invalid. The message includes the variable's name.
    pub fn parse_monitor_variable(name: &str, value: impl AsRef<OsStr>) -> Result<Options, OptionsError> {
        let mut options = Options::new();
        for address in values(value.as_ref()) {
            options.items.push(item(&format!("{name}="), &address)?);
        }
        Ok(options)
    }

    /// Parses the monitors among arguments. Also returns the other arguments in order, for the
    /// program's own parser.
    ///
    /// # Errors
    /// Fails if an address is invalid or missing.
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

    /// Adds the monitors of the environment variable `RINGTRACE_MONITOR`, unless these options
    /// already contain a monitor.
    ///
    /// # Errors
    /// Fails if an address of the variable is invalid.
    pub fn or_monitor_from_env(mut self) -> Result<Options, OptionsError> {
        if !self.items.iter().any(|item| matches!(item, OptionItem::Monitor(_) | OptionItem::MonitorHelp)) {
            self.extend(Options::monitor_from_env()?);
        }
        Ok(self)
    }

    /// The requested monitors.
    pub fn monitors(&self) -> impl Iterator<Item = &Address> {
        self.items.iter().filter_map(|item| match item {
            OptionItem::Monitor(address) => Some(address),
            _ => None,
        })
    }
}

/// Parses an address or `help`. `location` precedes it in error messages.
fn item(location: &str, text: &OsStr) -> Result<OptionItem, OptionsError> {
    if ["help", "?"].iter().any(|word| *word == text) {
        return Ok(OptionItem::MonitorHelp);
    }
    let failed =
        |error| OptionsError::new(format!("{location}{}", quoted(text)), OptionsErrorKind::Monitor(error));
    Address::parse(text).map(OptionItem::Monitor).map_err(failed)
}
