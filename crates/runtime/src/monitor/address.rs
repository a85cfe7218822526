//! Where a monitor listens, as people write it: `unix:PATH[,mode=auto|qmp|hmp]`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Where a monitor listens, and which language it speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The socket.
    pub path: PathBuf,
    /// What it speaks.
    pub mode: Mode,
}

/// What a monitor speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// It greets as QMP does, and goes on in the language of the client's first character: `{` is QMP.
    #[default]
    Auto,
    /// JSON, for machines.
    Qmp,
    /// Words, for people.
    Hmp,
}

/// Why an address cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressError(String);

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for AddressError {}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Address, AddressError> {
        let mut parts = text.split(',');
        let place = parts.next().unwrap_or_default();
        let path = place.strip_prefix("unix:").filter(|path| !path.is_empty());
        let path = path.ok_or_else(|| AddressError(format!("`{place}`: expected unix:PATH")))?;
        let mut mode = Mode::Auto;
        for part in parts {
            mode = match part {
                "mode=auto" => Mode::Auto,
                "mode=qmp" => Mode::Qmp,
                "mode=hmp" => Mode::Hmp,
                _ => return Err(AddressError(format!("`{part}`: expected mode=auto, mode=qmp or mode=hmp"))),
            };
        }
        Ok(Address { path: path.into(), mode })
    }
}
