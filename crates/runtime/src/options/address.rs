//! The address of a monitor: `unix:PATH[,KEY=VALUE...]`. In PATH and in values, `,,` stands for a
//! comma.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::str::FromStr;

use ringtrace_events::nearest::nearest;

/// The maximum length of a socket's path in bytes: the size of `sun_path` without the terminating
/// zero. Linux accepts one more byte, but most clients need the terminating zero.
pub(crate) const MAX_PATH_BYTES: usize = 107;

/// The socket of a monitor, and its settings.
///
/// ```
/// use ringtrace::monitor::{Address, Mode};
///
/// let address: Address = "unix:/run/vmm/trace.sock,mode=qmp".parse()?;
/// assert_eq!(address.mode, Mode::Qmp);
/// assert_eq!(address, Address { mode: Mode::Qmp, ..Address::new("/run/vmm/trace.sock") });
/// # Ok::<(), ringtrace::monitor::AddressError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The path of the socket. `%d` stands for the process id: see [`Address::socket`].
    pub path: PathBuf,
    /// The language of the monitor.
    pub mode: Mode,
    /// The folder that must contain all files named by clients. `None`: the program decides.
    pub directory: Option<PathBuf>,
}

/// The language of a monitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// The monitor sends QMP's greeting. The client's first character then selects the language:
    /// `{` means QMP.
    #[default]
    Auto,
    /// JSON, for machines.
    Qmp,
    /// Words, for people.
    Hmp,
}

/// An error in an address string.
///
/// `Debug` prints the message, because a `main` that returns the error prints it that way.
#[derive(Clone, PartialEq, Eq)]
pub struct AddressError(String);

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for AddressError {}

struct Key {
    name: &'static str,
    value: &'static str,
    about: &'static str,
    take: fn(&mut Address, &OsStr) -> Result<(), AddressError>,
}

static KEYS: &[Key] = &[
    Key { name: "mode", value: "MODE", about: "language: auto, qmp, hmp", take: mode },
    Key { name: "files", value: "DIR", about: "clients may name files only in this folder", take: files },
];

/// Parameters that QEMU needs for such a socket. They are accepted and ignored, because a monitor
/// always behaves as they request.
const AS_IN_QEMU: [&str; 4] = ["server=on", "wait=off", "server", "nowait"];

const MODES: [(&str, Mode); 3] = [("auto", Mode::Auto), ("qmp", Mode::Qmp), ("hmp", Mode::Hmp)];

fn mode(address: &mut Address, value: &OsStr) -> Result<(), AddressError> {
    let known = MODES.iter().find(|(name, _)| *name == value);
    address.mode = known.map(|(_, mode)| *mode).ok_or_else(|| {
        let shown = shown(value.as_bytes());
        let near = match shown.as_str() {
            // `control` and `readline` are the names of the modes in QEMU's option `-mon`.
            "control" => Some("qmp"),
            "readline" => Some("hmp"),
            word => nearest(word, MODES.map(|(name, _)| name)),
        };
        let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
        AddressError(format!("mode={shown}: expected one of auto, qmp, hmp{near}"))
    })?;
    Ok(())
}

fn files(address: &mut Address, value: &OsStr) -> Result<(), AddressError> {
    if value.is_empty() {
        return Err(AddressError("files=: expected a folder".to_owned()));
    }
    address.directory = Some(value.into());
    Ok(())
}

impl Address {
    /// Creates an address for a socket that accepts both languages.
    pub fn new(path: impl Into<PathBuf>) -> Address {
        Address { path: path.into(), mode: Mode::default(), directory: None }
    }

    /// Returns a help text of at most 80 columns that describes the syntax of an address.
    pub fn help() -> String {
        let mut text = "  unix:PATH         a socket; `%d` in PATH stands for the process id\n".to_owned();
        for key in KEYS {
            text.push_str(&format!("  {:<17} {}\n", format!("{}={}", key.name, key.value), key.about));
        }
        text.push_str("\nDefault: mode=auto, which depends on the first character that a client sends\n");
        text
    }

    /// Parses an address.
    ///
    /// # Errors
    /// Fails if `text` is not `unix:PATH[,KEY=VALUE...]`, or the path is invalid for a socket.
    pub fn parse(text: impl AsRef<OsStr>) -> Result<Address, AddressError> {
        let mut parts = split(text.as_ref().as_bytes()).into_iter();
        let first = parts.next().unwrap_or_default();
        let mut address = Address::new(socket(&first)?);
        for part in parts {
            address.take(&part)?;
        }
        Ok(address)
    }

    fn take(&mut self, part: &OsStr) -> Result<(), AddressError> {
        if AS_IN_QEMU.iter().any(|word| *word == part) {
            return Ok(());
        }
        let mut name_and_value = part.as_bytes().splitn(2, |&byte| byte == b'=');
        let name = shown(name_and_value.next().unwrap_or_default());
        let key = KEYS.iter().find(|key| key.name == name);
        match (key, name_and_value.next()) {
            (Some(key), Some(value)) => (key.take)(self, OsStr::from_bytes(value)),
            (Some(Key { name, value, .. }), None) => {
                Err(AddressError(format!("`{name}`: expected {name}={value}")))
            }
            (None, _) => Err(unknown(&name, part)),
        }
    }

    /// The path of the socket in this process: `%d` is replaced by the process id.
    pub fn socket(&self) -> PathBuf {
        let mut path = Vec::new();
        let mut rest = self.path.as_os_str().as_bytes();
        while let Some(at) = rest.windows(2).position(|two| two == b"%d") {
            path.extend_from_slice(&rest[..at]);
            path.extend_from_slice(std::process::id().to_string().as_bytes());
            rest = &rest[at + 2..];
        }
        path.extend_from_slice(rest);
        OsString::from_vec(path).into()
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Address, AddressError> {
        Address::parse(text)
    }
}

/// Splits a string at single commas, and replaces double commas with single ones.
fn split(text: &[u8]) -> Vec<OsString> {
    let mut parts = vec![Vec::new()];
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let ends = byte == b',' && bytes.next_if_eq(&b',').is_none();
        match parts.last_mut() {
            Some(part) if !ends => part.push(byte),
            _ => parts.push(Vec::new()),
        }
    }
    parts.into_iter().map(OsString::from_vec).collect()
}

/// Parses the first part of an address.
fn socket(first: &OsStr) -> Result<PathBuf, AddressError> {
    let shown = shown(first.as_bytes());
    let Some(path) = first.as_bytes().strip_prefix(b"unix:") else { return Err(no_socket(&shown)) };
    let address = Address::new(OsStr::from_bytes(path));
    let length = address.socket().as_os_str().len();
    let why = match path {
        [] => "expected a path after `unix:`".to_owned(),
        [b'@', ..] => format!(
            "abstract sockets cannot be restricted to their owner; expected a path (for a file named `{}`, write unix:./{0})",
            &shown["unix:".len()..]
        ),
        _ if path.contains(&0) => "the path contains a zero byte".to_owned(),
        _ if length > MAX_PATH_BYTES => format!(
            "the path has {length} bytes, but a socket's path can have at most {MAX_PATH_BYTES}; use a shorter path, \
             or one relative to the current folder"
        ),
        _ => return Ok(address.path),
    };
    Err(AddressError(why))
}

/// Creates the error for an address that does not start with `unix:`.
fn no_socket(shown: &str) -> AddressError {
    let (kind, rest) = shown.split_once(':').unwrap_or((shown, ""));
    let why = match kind {
        _ if kind.eq_ignore_ascii_case("unix") => format!("expected unix:PATH; did you mean `unix:{rest}`?"),
        "" => "expected unix:PATH, such as unix:monitor.sock".to_owned(),
        "tcp" | "telnet" | "udp" | "vsock" | "websocket" => {
            "expected unix:PATH, because other sockets do not identify the client's user; to connect from another \
             machine, forward the socket with `ssh -L`"
                .to_owned()
        }
        "stdio" | "pty" | "pipe" | "file" | "fd" | "chardev" | "vc" | "none" | "null" => {
            "expected unix:PATH, because a monitor listens only on a Unix socket".to_owned()
        }
        _ => format!("expected unix:PATH; did you mean `unix:{shown}`?"),
    };
    AddressError(why)
}

fn unknown(name: &str, part: &OsStr) -> AddressError {
    let part = shown(part.as_bytes());
    let why = match name {
        "abstract" => "abstract sockets cannot be restricted to their owner".to_owned(),
        "server" => "the program always listens, and clients connect to it".to_owned(),
        "wait" => "the program never waits for a client".to_owned(),
        _ => match nearest(name, KEYS.iter().map(|key| key.name)) {
            Some(near) => format!("did you mean `{near}=`?"),
            None => {
                let keys: Vec<String> =
                    KEYS.iter().map(|key| format!("{}={}", key.name, key.value)).collect();
                format!("expected {}; write a comma in the path as `,,`", keys.join(" or "))
            }
        },
    };
    AddressError(format!("`{part}`: {why}"))
}

/// A part of an address, escaped for messages.
fn shown(part: &[u8]) -> String {
    String::from_utf8_lossy(part).escape_debug().to_string().replace("\\'", "'")
}
