//! A server for one file, which runs until a client has fetched the file.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::request::{Answer, ServedTrace};

/// The maximum number of simultaneous connections. Browsers open connections that they use late or
/// never; these must not block other requests.
const MAX_CONNECTIONS: usize = 32;

/// How long a client may take to send its request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// How long a client may stall while it receives the file.
const SEND_TIMEOUT: Duration = Duration::from_secs(60);

/// How long a client may take to close the connection after receiving the file.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

const BLOCK_BYTES: usize = 1 << 18;

/// A listening socket on the loopback interface.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    port: u16,
}

impl Server {
    /// Listens on `port` of 127.0.0.1; 0 is any free port.
    pub fn bind(port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        Ok(Server { listener, port })
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Serves requests until `file` has been sent completely.
    pub fn serve_once(self, file: &File, served: &ServedTrace) -> io::Result<()> {
        let bytes = file.metadata()?.len();
        let (sender, receiver) = channel();
        let file = file.try_clone()?;
        let served = served.clone();
        // The thread accepts connections until the process ends.
        thread::Builder::new().name("server".to_owned()).spawn(move || {
            let busy = AtomicUsize::new(0);
            thread::scope(|scope| {
                for stream in self.listener.incoming().filter_map(Result::ok) {
                    if busy.fetch_add(1, Ordering::Relaxed) >= MAX_CONNECTIONS {
                        busy.fetch_sub(1, Ordering::Relaxed);
                        continue;
                    }
                    let (sender, file, served, busy) = (sender.clone(), &file, &served, &busy);
                    let answer = move || {
                        answer(stream, file, bytes, served, &sender);
                        busy.fetch_sub(1, Ordering::Relaxed);
                    };
                    // If the thread cannot be started, the connection is closed.
                    let started =
                        thread::Builder::new().name("client".to_owned()).spawn_scoped(scope, answer);
                    if started.is_err() {
                        busy.fetch_sub(1, Ordering::Relaxed);
                    }
                }
            });
        })?;
        // Receiving fails only if the server thread has ended.
        receiver.recv().unwrap_or_else(|_| Err(io::ErrorKind::BrokenPipe.into()))
    }
}

/// Answers one request. Reports to `done` when the file has been sent or cannot be read. Ignores
/// connection errors, because the client can retry.
fn answer(
    mut stream: TcpStream,
    file: &File,
    bytes: u64,
    served: &ServedTrace,
    done: &Sender<io::Result<()>>,
) {
    let Ok(answer) = read_request(&mut stream, served) else { return };
    if stream.set_write_timeout(Some(SEND_TIMEOUT)).is_err()
        || stream.write_all(served.answer(answer, bytes).as_bytes()).is_err()
    {
        return;
    }
    if answer == Answer::Send {
        match send(&mut stream, file, bytes) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                let _ = done.send(Err(error));
                return;
            }
        }
    }
    wait_for_close(&mut stream);
    if answer == Answer::Send {
        // Ignore errors: the receiver may be gone, because the process ends after the first
        // success.
        let _ = done.send(Ok(()));
    }
}

fn read_request(stream: &mut TcpStream, served: &ServedTrace) -> io::Result<Answer> {
    let begin = Instant::now();
    let (mut head, mut block) = (Vec::new(), [0; 4096]);
    loop {
        if let Some(answer) = served.decide(&head) {
            return Ok(answer);
        }
        let left = REQUEST_TIMEOUT.checked_sub(begin.elapsed()).filter(|left| !left.is_zero());
        stream.set_read_timeout(Some(left.ok_or(io::ErrorKind::TimedOut)?))?;
        match stream.read(&mut block)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => head.extend_from_slice(&block[..count]),
        }
    }
}

/// Sends all of `file`. Returns `false` if the client closed the connection.
fn send(stream: &mut TcpStream, file: &File, bytes: u64) -> io::Result<bool> {
    let mut block = vec![0; BLOCK_BYTES];
    let mut sent = 0;
    while sent < bytes {
        let count = (bytes - sent).min(BLOCK_BYTES as u64) as usize;
        file.read_exact_at(&mut block[..count], sent)?;
        if stream.write_all(&block[..count]).is_err() {
            return Ok(false);
        }
        sent += count as u64;
    }
    Ok(true)
}

/// Waits until the client closes the connection. Closing it earlier could reset it while the client
/// is still reading.
fn wait_for_close(stream: &mut TcpStream) {
    if stream.shutdown(Shutdown::Write).is_err() || stream.set_read_timeout(Some(CLOSE_TIMEOUT)).is_err() {
        return;
    }
    let begin = Instant::now();
    let mut block = [0; 4096];
    while begin.elapsed() < CLOSE_TIMEOUT && stream.read(&mut block).is_ok_and(|count| count > 0) {}
}
