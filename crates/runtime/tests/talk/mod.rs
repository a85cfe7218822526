//! A client of a monitor's socket. Every wait has a timeout, which reports the awaited condition.

#![allow(dead_code, reason = "not every test uses all functions")]

use std::io::{ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use ringtrace::monitor::{Address, Mode, Server};

pub const TIMEOUT: Duration = Duration::from_secs(60);

pub fn server(path: &Path, mode: Mode) -> Server {
    Server::new(Address { mode, ..Address::new(path) })
}

pub struct Client {
    pub stream: UnixStream,
    /// Received bytes that have not been returned.
    pub input: Vec<u8>,
}

impl Client {
    pub fn connect(path: &Path) -> Client {
        let stream = UnixStream::connect(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream.set_write_timeout(Some(TIMEOUT)).unwrap();
        Client { stream, input: Vec::new() }
    }

    /// Connects, and completes QMP's negotiation.
    pub fn qmp(path: &Path) -> Client {
        let mut client = Client::connect(path);
        assert!(client.line().starts_with("{\"QMP\""));
        assert_eq!(client.ask("{\"execute\": \"qmp_capabilities\"}"), "{\"return\": {}}");
        client
    }

    pub fn send(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap_or_else(|error| panic!("sending {text:?}: {error}"));
    }

    pub fn end(&mut self) {
        self.stream.shutdown(Shutdown::Write).unwrap();
    }

    /// Reads once. Returns `false` if the other side has closed the connection.
    fn read(&mut self, wanted: &str) -> bool {
        let mut bytes = [0; 65536];
        match self.stream.read(&mut bytes) {
            Ok(0) => false,
            Ok(length) => {
                self.input.extend_from_slice(&bytes[..length]);
                true
            }
            // By then, all data sent before the reset has been read.
            Err(error) if error.kind() == ErrorKind::ConnectionReset => false,
            Err(error) => {
                panic!("waiting for {wanted}: {error}; got {:?}", String::from_utf8_lossy(&self.input))
            }
        }
    }

    pub fn until(&mut self, end: &str) -> String {
        let mut seen = 0;
        loop {
            let found = self.input[seen..].windows(end.len()).position(|window| window == end.as_bytes());
            if let Some(at) = found {
                let rest = self.input.split_off(seen + at + end.len());
                return String::from_utf8(std::mem::replace(&mut self.input, rest)).unwrap();
            }
            seen = self.input.len().saturating_sub(end.len());
            assert!(
                self.read(end),
                "closed, waiting for {end:?}: {:?}",
                String::from_utf8_lossy(&self.input)
            );
        }
    }

    pub fn line(&mut self) -> String {
        self.until("\r\n").trim_end().to_owned()
    }

    pub fn ask(&mut self, text: &str) -> String {
        self.send(&format!("{text}\n"));
        self.line()
    }

    /// Reads everything until the other side closes.
    pub fn rest(&mut self) -> String {
        while self.read("the end") {}
        String::from_utf8(std::mem::take(&mut self.input)).unwrap()
    }
}

pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let give_up = Instant::now() + TIMEOUT;
    while !is_so() {
        assert!(Instant::now() < give_up, "timed out waiting for this: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

pub fn descriptors() -> Vec<String> {
    let open = std::fs::read_dir("/proc/self/fd").unwrap();
    // Skip the descriptor of the folder itself, which is already closed.
    let open = open.filter_map(|entry| std::fs::read_link(entry.unwrap().path()).ok());
    open.map(|target| target.display().to_string()).filter(|target| !target.starts_with("/proc/")).collect()
}

/// Returns a size from `/proc/self/status`, such as `VmRSS`, in bytes.
pub fn memory_bytes(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
}
