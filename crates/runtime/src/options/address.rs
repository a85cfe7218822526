//! Where a monitor listens, as people write it: `unix:PATH[,KEY=VALUE...]`. In PATH and in values, `,,` is a comma.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::str::FromStr;

use ringtrace_events::nearest::nearest;

/// The longest path that a socket can have, in bytes: the system's `sun_path`, without the zero at its end. Linux takes one
/// byte more, but clients mostly want that zero.
pub(crate) const MAX_PATH_BYTES: usize = 107;

/// Where a monitor listens, and which language it speaks.
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
    /// The socket. `%d` in it stands for the process id: see [`Address::socket`].
    pub path: PathBuf,
    /// What it speaks.
    pub mode: Mode,
    /// Files that clients name must be in this folder or below. `None`: the program decides.
    pub directory: Option<PathBuf>,
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
///
/// Its `Debug` is its text, too, since that is what a `main` that returns it prints.
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

/// One key.
struct Key {
    name: &'static str,
    value: &'static str,
    about: &'static str,
    take: fn(&mut Address, &OsStr) -> Result<(), AddressError>,
}

/// All keys, in the order of the help text.
static KEYS: &[Key] = &[
    Key { name: "mode", value: "MODE", about: "what it speaks: auto, qmp, hmp", take: mode },
    Key { name: "files", value: "DIR", about: "clients may name files in this folder only", take: files },
];

/// What QEMU's users write behind a socket, and what a monitor does anyway.
const AS_IN_QEMU: [&str; 4] = ["server=on", "wait=off", "server", "nowait"];

const MODES: [(&str, Mode); 3] = [("auto", Mode::Auto), ("qmp", Mode::Qmp), ("hmp", Mode::Hmp)];

fn mode(address: &mut Address, value: &OsStr) -> Result<(), AddressError> {
    let known = MODES.iter().find(|(name, _)| *name == value);
    address.mode = known.map(|(_, mode)| *mode).ok_or_else(|| {
        let shown = shown(value.as_bytes());
        let near = match shown.as_str() {
            // As QEMU's option `-mon` calls them.
            "control" => Some("qmp"),
            "readline" => Some("hmp"),
            word => nearest(word, MODES.map(|(name, _)| name)),
        };
        let near = near.map(|near| format!(" (is `{near}` meant?)")).unwrap_or_default();
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
    /// A socket that speaks both languages.
    pub fn new(path: impl Into<PathBuf>) -> Address {
        Address { path: path.into(), mode: Mode::default(), directory: None }
    }

    /// What an address is made of, as a help text of 80 columns shows it.
    pub fn help() -> String {
        let mut text = "  unix:PATH         a socket; `%d` in PATH is the process id\n".to_owned();
        for key in KEYS {
            text.push_str(&format!("  {:<17} {}\n", format!("{}={}", key.name, key.value), key.about));
        }
        text.push_str("\nDefault: mode=auto, which goes by the first character that a client sends\n");
        text
    }

    /// What a text means.
    ///
    /// # Errors
    /// When it is not `unix:PATH[,KEY=VALUE...]`, or the system has no socket of that name.
    pub fn parse(text: impl AsRef<OsStr>) -> Result<Address, AddressError> {
        let mut parts = split(text.as_ref().as_bytes()).into_iter();
        let place = parts.next().unwrap_or_default();
        let mut address = Address::new(socket(&place)?);
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

    /// The socket's path in this process.
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

/// The parts between commas that stand alone, with the commas that stand in twos as one.
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

/// The path of the first part.
fn socket(place: &OsStr) -> Result<PathBuf, AddressError> {
    let shown = shown(place.as_bytes());
    let Some(path) = place.as_bytes().strip_prefix(b"unix:") else { return Err(no_socket(&shown)) };
    let address = Address::new(OsStr::from_bytes(path));
    let length = address.socket().as_os_str().len();
    let why = match path {
        [] => "expected a path behind `unix:`".to_owned(),
        [b'@', ..] => format!(
            "a name without a file has no owner, and who may connect to it cannot be limited: expected a path (the \
             file `{}` is unix:./{0})",
            &shown["unix:".len()..]
        ),
        _ if path.contains(&0) => "no path has a zero in it".to_owned(),
        _ if length > MAX_PATH_BYTES => format!(
            "{length} bytes are too many, a socket's path has at most {MAX_PATH_BYTES}: give a shorter one, or one \
             that begins at the current folder"
        ),
        _ => return Ok(address.path),
    };
    Err(AddressError(why))
}

/// Why something that does not begin with `unix:` is no address.
fn no_socket(shown: &str) -> AddressError {
    let (kind, rest) = shown.split_once(':').unwrap_or((shown, ""));
    let why = match kind {
        _ if kind.eq_ignore_ascii_case("unix") => format!("expected unix:PATH: is `unix:{rest}` meant?"),
        "" => "expected unix:PATH, such as unix:monitor.sock".to_owned(),
        "tcp" | "telnet" | "udp" | "vsock" | "websocket" => {
            "expected unix:PATH, since no other socket tells who the client is; to get there from another machine, \
             `ssh -L` carries it"
                .to_owned()
        }
        "stdio" | "pty" | "pipe" | "file" | "fd" | "chardev" | "vc" | "none" | "null" => {
            "expected unix:PATH: a monitor listens there and nowhere else".to_owned()
        }
        _ => format!("expected unix:PATH: is `unix:{shown}` meant?"),
    };
    AddressError(why)
}

fn unknown(name: &str, part: &OsStr) -> AddressError {
    let part = shown(part.as_bytes());
    let why = match name {
        "abstract" => {
            "a name without a file has no owner, and who may connect to it cannot be limited".to_owned()
        }
        "server" => "the program listens, and clients connect to it".to_owned(),
        "wait" => "the program does not wait for a client".to_owned(),
        _ => match nearest(name, KEYS.iter().map(|key| key.name)) {
            Some(near) => format!("is `{near}=` meant?"),
            None => {
                let keys: Vec<String> =
                    KEYS.iter().map(|key| format!("{}={}", key.name, key.value)).collect();
                format!("expected {}; a comma in the path is written `,,`", keys.join(" or "))
            }
        },
    };
    AddressError(format!("`{part}`: {why}"))
}

/// A part in a message.
fn shown(part: &[u8]) -> String {
    String::from_utf8_lossy(part).escape_debug().to_string().replace("\\'", "'")
}
