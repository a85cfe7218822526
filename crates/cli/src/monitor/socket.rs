//! Exchanges bytes with a monitor, with a timeout on every operation.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};

use super::error::{MonitorError, MonitorErrorKind};

/// The maximum size of an answer. Even the states of a million events need less.
const MAX_WAITING_BYTES: usize = 256 << 20;

/// The time between two attempts to connect while the listener's queue is full. This condition
/// cannot be polled.
const RETRY: Duration = Duration::from_millis(20);

/// The time between two checks of the interrupt flag. The checks are needed because a signal may
/// arrive in another thread, or just before the wait.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A connection, and the bytes received but not yet parsed.
#[derive(Debug)]
pub(super) struct Socket {
    stream: UnixStream,
    path: PathBuf,
    pub incoming: Vec<u8>,
    has_ended: bool,
    /// A flag that ends a wait early when it is set.
    pub interrupt: Arc<AtomicBool>,
}

impl Socket {
    pub fn connect(path: &Path, deadline: Instant) -> Result<Socket, MonitorError> {
        let refused = |error: io::Error| MonitorErrorKind::System(error).at(path);
        let metadata = path.metadata().map_err(refused)?;
        if !metadata.file_type().is_socket() {
            return Err(MonitorErrorKind::NotASocket.at(path));
        }
        let address = SocketAddrUnix::new(path).map_err(|error| refused(error.into()))?;
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None);
        let socket = socket.map_err(|error| refused(error.into()))?;
        loop {
            match connect(&socket, &address) {
                Ok(()) => break,
                Err(Errno::CONNREFUSED) => return Err(MonitorErrorKind::Dead.at(path)),
                // The queue is full: a stopped program accepts no connections.
                Err(Errno::AGAIN) if Instant::now() < deadline => std::thread::sleep(RETRY),
                Err(Errno::AGAIN) => return Err(MonitorErrorKind::NotAMonitor(None).at(path)),
                Err(Errno::INTR) => {}
                Err(error) => return Err(refused(error.into())),
            }
        }
        Ok(Socket {
            stream: socket.into(),
            path: path.to_owned(),
            incoming: Vec::new(),
            has_ended: false,
            interrupt: Arc::default(),
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Sends all of `bytes`. Also receives while sending, because a monitor whose output is blocked
    /// may stop reading.
    pub fn send(&mut self, mut bytes: &[u8], limit: &Limit) -> Result<(), MonitorError> {
        while !bytes.is_empty() {
            match self.stream.write(bytes) {
                Ok(sent) => bytes = &bytes[sent..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait(PollFlags::IN | PollFlags::OUT, limit)?;
                    self.take()?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.error(error)),
            }
        }
        Ok(())
    }

    /// Waits until more bytes have been received.
    pub fn receive(&mut self, limit: &Limit) -> Result<(), MonitorError> {
        let before = self.incoming.len();
        loop {
            self.take()?;
            if self.incoming.len() > before {
                return Ok(());
            }
            if self.has_ended {
                return Err(MonitorErrorKind::Ended.at(&self.path));
            }
            self.wait(PollFlags::IN, limit)?;
        }
    }

    /// Receives the available bytes without waiting. Returns whether the connection is still open.
    pub fn take(&mut self) -> Result<bool, MonitorError> {
        let mut block = [0; 1 << 16];
        while !self.has_ended {
            match self.stream.read(&mut block) {
                Ok(0) => self.has_ended = true,
                Ok(got) => self.incoming.extend_from_slice(&block[..got]),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => break,
                    ErrorKind::Interrupted => {}
                    // The bytes received before the reset remain valid.
                    ErrorKind::ConnectionReset => self.has_ended = true,
                    _ => return Err(self.error(error)),
                },
            }
            if self.incoming.len() > MAX_WAITING_BYTES {
                let why = format!("the answer is longer than {} MiB", MAX_WAITING_BYTES >> 20);
                return Err(MonitorErrorKind::Garbled(why).at(&self.path));
            }
        }
        Ok(!self.has_ended)
    }

    /// Returns the next complete line, without its line end. `looked` is the number of bytes known
    /// to contain no line end.
    pub fn line(&mut self, looked: &mut usize) -> Option<String> {
        let end = self.incoming[*looked..].iter().position(|&byte| byte == b'\n');
        let Some(end) = end.map(|end| *looked + end) else {
            *looked = self.incoming.len();
            return None;
        };
        *looked = 0;
        let line: Vec<u8> = self.incoming.drain(..=end).collect();
        let line = String::from_utf8_lossy(&line);
        Some(line.trim_end_matches(['\r', '\n']).to_owned())
    }

    fn wait(&self, flags: PollFlags, limit: &Limit) -> Result<(), MonitorError> {
        loop {
            if self.interrupt.swap(false, Ordering::Relaxed) {
                return Err(MonitorErrorKind::Interrupted.at(&self.path));
            }
            let left = limit.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(MonitorErrorKind::Timeout(limit.time).at(&self.path));
            }
            let ready = wait_for(self.stream.as_fd(), flags, left.min(POLL_INTERVAL));
            if ready.map_err(|error| self.error(error))? {
                return Ok(());
            }
        }
    }

    fn error(&self, error: io::Error) -> MonitorError {
        match error.kind() {
            ErrorKind::BrokenPipe | ErrorKind::ConnectionReset => MonitorErrorKind::Ended,
            _ => MonitorErrorKind::System(error),
        }
        .at(&self.path)
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

/// A timeout, and the time at which it expires.
#[derive(Debug)]
pub(super) struct Limit {
    pub time: Duration,
    pub deadline: Instant,
}

impl Limit {
    pub fn new(time: Duration) -> Limit {
        let now = Instant::now();
        // If the deadline overflows, use one year.
        let far = now + Duration::from_hours(365 * 24);
        Limit { time, deadline: now.checked_add(time).unwrap_or(far) }
    }
}

/// Waits up to `time`. Returns whether one of `flags` is ready.
pub(super) fn wait_for(descriptor: BorrowedFd<'_>, flags: PollFlags, time: Duration) -> io::Result<bool> {
    let timeout =
        Timespec { tv_sec: time.as_secs().min(1 << 40) as i64, tv_nsec: time.subsec_nanos().into() };
    match poll(&mut [PollFd::from_borrowed_fd(descriptor, flags)], Some(&timeout)) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
