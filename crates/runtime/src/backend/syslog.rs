//! The backend `syslog` sends lines to the system's log daemon.
//!
//! Each line is a datagram like those that syslog(3) sends with `LOG_PID`, facility `daemon` and
//! severity `info`. The C library's function cannot be used in a signal handler: it allocates,
//! takes a lock that the program's own calls also take, and waits forever if the daemon is stuck.

use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use rustix::io::Errno;
use rustix::net::{self, AddressFamily, SendFlags, SocketAddrUnix, SocketFlags, SocketType};

use super::descriptor::Descriptor;
use super::health::{Health, monotonic_ns};
use super::line::{Prefix, ShortText, TextLine};
use super::moment::Moment;
use super::reentry::ReentryGuard;
use super::{OpenError, TextBackend};
use crate::options::{Backends, Settings};
use crate::os::{self, program};

const SOCKET: &str = "/dev/log";

/// `LOG_DAEMON | LOG_INFO`.
const PRIORITY: u8 = 3 << 3 | 6;

/// The maximum length of the program's name in messages.
const IDENT_BYTES: usize = 48;

const RETRY_NS: u64 = 100_000_000;

pub(crate) static SYSLOG: Syslog = Syslog::new();

#[derive(Debug)]
pub(crate) struct Syslog {
    socket: Descriptor,
    /// The address of the daemon. Probes use `try_lock`, so they never wait for it.
    address: Mutex<Option<SocketAddrUnix>>,
    ident: OnceLock<ShortText<IDENT_BYTES>>,
    zone_offset_s: AtomicI32,
    /// The time of the next attempt to reconnect.
    retry_ns: AtomicU64,
    health: Health,
}

impl Syslog {
    pub(super) const fn new() -> Syslog {
        Syslog {
            socket: Descriptor::new(),
            address: Mutex::new(None),
            ident: OnceLock::new(),
            zone_offset_s: AtomicI32::new(0),
            retry_ns: AtomicU64::new(0),
            health: Health::new("syslog"),
        }
    }

    /// Writes the prefix `<30>Nov 20 12:54:11 program[4711]: `.
    fn push_prefix(&self, out: &mut Prefix) -> std::fmt::Result {
        write!(out, "<{PRIORITY}>")?;
        Moment::now().push_rfc3164(self.zone_offset_s.load(Ordering::Relaxed), out)?;
        out.push(b" ");
        out.push(self.ident.get().map_or(b"", ShortText::as_bytes));
        write!(out, "[{}]: ", rustix::process::getpid().as_raw_nonzero())
    }

    fn send(&self, message: &[u8]) -> Result<(), Errno> {
        let socket = self.socket.get().ok_or(Errno::NOTCONN)?;
        let mut deadline_ns = None;
        let mut is_new = false;
        loop {
            match net::send(socket, message, SendFlags::DONTWAIT | SendFlags::NOSIGNAL) {
                Ok(_) => return Ok(()),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => self.health.wait(socket, &mut deadline_ns)?,
                Err(Errno::CONNREFUSED | Errno::CONNRESET | Errno::NOTCONN | Errno::PIPE) if !is_new => {
                    self.connect_again()?;
                    is_new = true;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Connects to a daemon that was restarted. The descriptor stays the same, because a sandbox
    /// may forbid new sockets.
    fn connect_again(&self) -> Result<(), Errno> {
        let now_ns = monotonic_ns();
        if now_ns < self.retry_ns.load(Ordering::Relaxed) {
            return Err(Errno::CONNREFUSED);
        }
        // Another thread has the lock and is connecting.
        let Ok(address) = self.address.try_lock() else { return Err(Errno::CONNREFUSED) };
        let (Some(socket), Some(address)) = (self.socket.get(), address.as_ref()) else {
            return Err(Errno::NOTCONN);
        };
        net::connect(socket, address)
            .inspect_err(|_| self.retry_ns.store(now_ns + RETRY_NS, Ordering::Relaxed))
    }
}

impl TextBackend for Syslog {
    fn backend(&self) -> Backends {
        Backends::SYSLOG
    }

    fn open(&self, settings: &Settings) -> Result<(), OpenError> {
        let path = settings.syslog_socket.as_deref().unwrap_or(Path::new(SOCKET));
        let failed = |error| OpenError { help: help(error), ..OpenError::new("syslog", path, error) };
        let address = SocketAddrUnix::new(path).map_err(failed)?;
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let socket = net::socket_with(AddressFamily::UNIX, SocketType::DGRAM, flags, None).map_err(failed)?;
        net::connect(&socket, &address).map_err(failed)?;
        self.ident.get_or_init(|| {
            let mut ident = ShortText::new();
            let is_plain = |byte: &u8| byte.is_ascii_graphic() && !b"[]:".contains(byte);
            program::name().iter().for_each(|byte| ident.push(&[if is_plain(byte) { *byte } else { b'_' }]));
            ident
        });
        self.zone_offset_s.store(program::zone_offset_s(Moment::now().seconds), Ordering::Relaxed);
        let _inside = ReentryGuard::enter();
        let mut connected = os::lock(&self.address);
        self.socket.put(socket).map_err(|error| OpenError::new("syslog", path, error))?;
        *connected = Some(address);
        self.retry_ns.store(0, Ordering::Relaxed);
        Ok(())
    }

    fn write(&self, line: &mut TextLine) {
        let mut prefix = Prefix::new();
        let _ = self.push_prefix(&mut prefix);
        let outcome = self.send(line.behind(&prefix));
        self.health.note(outcome, line.is_cut(), advice);
    }

    fn health(&self) -> &Health {
        &self.health
    }
}

fn help(error: Errno) -> Option<&'static str> {
    match error {
        Errno::NOENT | Errno::CONNREFUSED => {
            Some("no log daemon listens there; start one (rsyslogd, systemd-journald)")
        }
        Errno::PROTOTYPE => Some("the file is not a datagram socket"),
        _ => None,
    }
}

fn advice(error: Errno) -> Option<&'static str> {
    match error {
        Errno::AGAIN => Some("the log daemon has stopped reading"),
        Errno::CONNREFUSED | Errno::CONNRESET | Errno::NOTCONN | Errno::NOENT => {
            Some("the log daemon has ended; the program tries to reconnect up to ten times a second")
        }
        _ => None,
    }
}
