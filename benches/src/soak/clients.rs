//! Clients of the monitor.

use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// The longest time that a command may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A connection to the monitor, in QMP.
struct Connection {
    socket: BufReader<UnixStream>,
    line: String,
}

impl Connection {
    fn open(socket: &Path) -> io::Result<Connection> {
        let socket = UnixStream::connect(socket)?;
        socket.set_read_timeout(Some(TIMEOUT))?;
        let mut connection = Connection { socket: BufReader::new(socket), line: String::new() };
        connection.execute(r#"{"execute": "qmp_capabilities"}"#)?;
        Ok(connection)
    }

    /// Runs a command, and skips the greeting and events.
    fn execute(&mut self, command: &str) -> io::Result<()> {
        self.socket.get_mut().write_all(command.as_bytes())?;
        loop {
            self.line.clear();
            if self.socket.read_line(&mut self.line)? == 0 {
                return Err(io::Error::other(format!("no answer to {command}")));
            }
            if self.line.starts_with(r#"{"return""#) {
                return Ok(());
            }
            if self.line.starts_with(r#"{"error""#) {
                return Err(io::Error::other(format!("{command} was answered with {}", self.line)));
            }
        }
    }
}

/// Runs clients of several kinds until `ends` is set. Counts their commands in `commands`.
///
/// # Errors
/// Fails if the monitor does not answer, or a command fails.
pub fn run(socket: &Path, snapshot: &Path, ends: &AtomicBool, commands: &AtomicU64) -> io::Result<()> {
    type Turn<'a> = &'a (dyn Fn(&mut Option<Connection>) -> io::Result<()> + Sync);
    let execute = |connection: &mut Option<Connection>, command: &str| {
        let connection = match connection {
            Some(connection) => connection,
            None => connection.insert(Connection::open(socket)?),
        };
        commands.fetch_add(1, Ordering::Relaxed);
        connection.execute(command)
    };
    let switch = |connection: &mut Option<Connection>| {
        for state in ["true", "false"] {
            let arguments = format!(r#"{{"name": "soak_switched", "enable": {state}}}"#);
            execute(
                connection,
                &format!(r#"{{"execute": "trace-event-set-state", "arguments": {arguments}}}"#),
            )?;
        }
        Ok(())
    };
    // A new connection each time.
    let visit = |_: &mut Option<Connection>| execute(&mut None, r#"{"execute": "query-trace-status"}"#);
    let flush =
        |connection: &mut Option<Connection>| execute(connection, r#"{"execute": "trace-file-flush"}"#);
    let take_snapshot = |connection: &mut Option<Connection>| {
        let arguments = format!(r#"{{"file": "{}"}}"#, snapshot.display());
        execute(connection, &format!(r#"{{"execute": "trace-snapshot", "arguments": {arguments}}}"#))?;
        std::fs::remove_file(snapshot)
    };
    let clients: [(u64, Turn<'_>); 4] = [(20, &switch), (50, &visit), (200, &flush), (5000, &take_snapshot)];
    thread::scope(|scope| {
        let clients = clients.map(|(milliseconds, turn)| {
            scope.spawn(move || {
                let mut connection = None;
                while !ends.load(Ordering::Relaxed) {
                    turn(&mut connection)?;
                    thread::sleep(Duration::from_millis(milliseconds));
                }
                Ok(())
            })
        });
        for client in clients {
            client.join().unwrap_or_else(|_| Err(io::Error::other("a client panicked")))?;
        }
        Ok(())
    })
}
