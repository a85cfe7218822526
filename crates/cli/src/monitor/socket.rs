//! Bytes to a monitor and back, with a time limit on everything.

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

/// No answer is longer: the states of a million events take less.
const MAX_WAITING_BYTES: usize = 256 << 20;

/// How long to wait for room in the queue of connections, until asking again: nothing tells when there is some.
const RETRY: Duration = Duration::from_millis(20);

/// Between two looks at whether somebody wants to wait no longer. A signal may come to another thread, or just before the wait.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A connection, and what has come in and was not looked at yet.
#[derive(Debug)]
pub(super) struct Socket {
    stream: UnixStream,
    path: PathBuf,
    pub incoming: Vec<u8>,
    has_ended: bool,
    /// Set by who wants to wait no longer.
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
                // The queue is full: a stopped program takes no connections.
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

    /// Sends all of `bytes`. What comes in meanwhile is kept: a monitor may read no more until it is taken.
    pub fn send(&mut self, mut bytes: &[u8], limit: &Limit) -> Result<(), MonitorError> {
        while !bytes.is_empty() {
            match self.stream.write(bytes) {
                Ok(sent) => bytes = &bytes[sent..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait(PollFlags::IN | PollFlags::OUT, limit)?;
                    self.take()?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.trouble(error)),
            }
        }
        Ok(())
    }

    /// Waits until more has come in.
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

    /// Takes what is there, and does not wait. Whether there may be more, some day.
    pub fn take(&mut self) -> Result<bool, MonitorError> {
        let mut block = [0; 1 << 16];
        while !self.has_ended {
            match self.stream.read(&mut block) {
                Ok(0) => self.has_ended = true,
                Ok(got) => self.incoming.extend_from_slice(&block[..got]),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => break,
                    ErrorKind::Interrupted => {}
                    // What it said before stands.
                    ErrorKind::ConnectionReset => self.has_ended = true,
                    _ => return Err(self.trouble(error)),
                },
            }
            if self.incoming.len() > MAX_WAITING_BYTES {
                let why = format!("an answer of more than {} MiB", MAX_WAITING_BYTES >> 20);
                return Err(MonitorErrorKind::Garbled(why).at(&self.path));
            }
        }
        Ok(!self.has_ended)
    }

    /// The next line, without its end, if a whole one is there. `looked` is how many bytes are known to have no end in them.
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
            if ready.map_err(|error| self.trouble(error))? {
                return Ok(());
            }
        }
    }

    fn trouble(&self, error: io::Error) -> MonitorError {
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

/// Until when something is waited for.
#[derive(Debug)]
pub(super) struct Limit {
    pub time: Duration,
    pub deadline: Instant,
}

impl Limit {
    /// From now on.
    pub fn new(time: Duration) -> Limit {
        let now = Instant::now();
        // Who waits for ever waits for a year.
        let far = now + Duration::from_hours(365 * 24);
        Limit { time, deadline: now.checked_add(time).unwrap_or(far) }
    }
}

/// Waits for `time` at most, and says whether something of `flags` is there.
pub(super) fn wait_for(descriptor: BorrowedFd<'_>, flags: PollFlags, time: Duration) -> io::Result<bool> {
    let timeout =
        Timespec { tv_sec: time.as_secs().min(1 << 40) as i64, tv_nsec: time.subsec_nanos().into() };
    match poll(&mut [PollFd::from_borrowed_fd(descriptor, flags)], Some(&timeout)) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
