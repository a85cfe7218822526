//! Accepts connections of clients.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::folders::Folders;
use super::message::{
    self, DONE, FAILED, Failure, HELLO, Hello, MAX_HELLO_BYTES, MAX_REQUEST_BYTES, REQUEST, ROWS, Request,
    json, read_frame, version, write_frame,
};
use super::security::{Certificate, Token};
use super::work::Work;
use super::{ALIVE, TIMEOUT};
use crate::error::{Error, ErrorKind};

/// The longest time for which a client may receive no rows.
const MAX_PAUSE: Duration = Duration::from_secs(600);

/// The longest time in which a client sends a request.
const MAX_REQUEST_TIME: Duration = Duration::from_secs(60);

/// The number of clients with the token that are answered at the same time. There is no smaller limit for
/// requests, because a query can need rows of several requests at once.
const MAX_CLIENTS: usize = 256;

/// The number of connections that have not shown the token. If there are more, the oldest one is closed.
const MAX_STRANGERS: usize = 256;

/// The number of frames that are computed in advance.
const FRAMES_AHEAD: usize = 2;

/// The limits of a worker.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The number of threads that process rows.
    pub threads: usize,
    /// The limit for the memory of grouping, in bytes.
    pub memory_bytes: usize,
}

/// Answers requests of clients. Rows are processed in another runtime, so that signs of life are
/// sent in time.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("listener", &self.listener).finish_non_exhaustive()
    }
}

struct Shared {
    config: Arc<ServerConfig>,
    token: Token,
    work: Arc<Work>,
    compute: Handle,
    clients: Semaphore,
    log: Box<dyn Fn(String) + Send + Sync>,
}

impl Server {
    /// Listens at `address`. Rows are processed in the runtime `compute`, which must not be the one
    /// that calls this function. `log` receives a line for each refused request.
    ///
    /// # Errors
    /// The address cannot be used, or the certificate does not match its key.
    pub async fn bind(
        address: &str,
        (certificate, token): (Certificate, Token),
        folders: Folders,
        limits: Limits,
        compute: Handle,
        log: impl Fn(String) + Send + Sync + 'static,
    ) -> Result<Server, Error> {
        let listener = TcpListener::bind(address).await.map_err(|error| Error::system(address, &error))?;
        let shared = Shared {
            config: certificate.config()?,
            token,
            work: Arc::new(Work::new(folders, limits.threads.max(1), limits.memory_bytes)?),
            compute,
            clients: Semaphore::new(MAX_CLIENTS),
            log: Box::new(log),
        };
        Ok(Server { listener, shared: Arc::new(shared) })
    }

    /// Returns the address at which the server listens.
    ///
    /// # Errors
    /// The system does not report the address.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until the future is dropped.
    pub async fn serve(self) {
        let mut strangers: VecDeque<AbortHandle> = VecDeque::new();
        loop {
            let (stream, peer) = match self.listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    // For example, there are too many open files. This passes.
                    (self.shared.log)(format!("cannot accept a connection: {error}"));
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            strangers.retain(|stranger| !stranger.is_finished());
            if strangers.len() >= MAX_STRANGERS
                && let Some(oldest) = strangers.pop_front()
            {
                oldest.abort();
            }
            let shared = Arc::clone(&self.shared);
            let greeting = tokio::spawn(async move {
                match shared.greet(stream).await {
                    // The client is no stranger any more.
                    Ok(Some(stream)) => drop(tokio::spawn(shared.serve(stream, peer))),
                    Ok(None) => {}
                    Err(error) => shared.report(peer, &error),
                }
            });
            strangers.push_back(greeting.abort_handle());
        }
    }
}

impl Shared {
    /// Returns the connection if the client has the token.
    async fn greet(&self, stream: TcpStream) -> io::Result<Option<TlsStream<TcpStream>>> {
        stream.set_nodelay(true)?;
        let greet = async {
            let mut stream = TlsAcceptor::from(Arc::clone(&self.config)).accept(stream).await?;
            let contents = self.read(&mut stream, HELLO, MAX_HELLO_BYTES).await?;
            io::Result::Ok((stream, contents))
        };
        // Others must not occupy connections for long.
        let greeted = timeout(TIMEOUT, greet).await;
        let (mut stream, contents) = greeted.map_err(|_| io::Error::other("no token in time"))??;
        if let Err(error) = self.check(&contents) {
            (self.log)(format!("refused a request: {}", error.message));
            finish(&mut stream, Err(error)).await?;
            return Ok(None);
        }
        Ok(Some(stream))
    }

    async fn serve(self: Arc<Shared>, mut stream: TlsStream<TcpStream>, peer: SocketAddr) {
        if let Err(error) = self.answer(&mut stream).await {
            self.report(peer, &error);
        }
    }

    fn report(&self, peer: SocketAddr, error: &io::Error) {
        if !is_gone(error) {
            (self.log)(format!("{peer}: {error}"));
        }
    }

    /// Answers the request of a client that has the token.
    async fn answer(&self, stream: &mut TlsStream<TcpStream>) -> io::Result<()> {
        write_frame(stream, message::ALIVE, &[], TIMEOUT).await?;
        let _permit = loop {
            match timeout(ALIVE, self.clients.acquire()).await {
                Ok(permit) => break permit.map_err(io::Error::other)?,
                Err(_) => write_frame(stream, message::ALIVE, &[], TIMEOUT).await?,
            }
        };
        let contents = self.read(stream, REQUEST, MAX_REQUEST_BYTES).await?;
        let request: Request = serde_json::from_slice(&contents).map_err(io::Error::other)?;
        let (sender, mut rows) = mpsc::channel(FRAMES_AHEAD);
        let work = Arc::clone(&self.work);
        let task =
            self.compute.spawn(async move { work.answer(&request.options, request.body, &sender).await });
        let cancel = CancelGuard(task.abort_handle());
        loop {
            match timeout(ALIVE, rows.recv()).await {
                Ok(Some(batch)) => write_frame(stream, ROWS, &batch, MAX_PAUSE).await?,
                Ok(None) => break,
                Err(_) => write_frame(stream, message::ALIVE, &[], MAX_PAUSE).await?,
            }
        }
        let answer = task
            .await
            .unwrap_or_else(|error| Err(Error::new(ErrorKind::System, format!("internal error: {error}"))));
        drop(cancel);
        finish(stream, answer).await
    }

    /// Reads a frame of this kind.
    async fn read(&self, stream: &mut TlsStream<TcpStream>, kind: u8, most: usize) -> io::Result<Vec<u8>> {
        match timeout(MAX_REQUEST_TIME, read_frame(stream, most, TIMEOUT)).await {
            Ok(read) => match read? {
                (found, contents) if found == kind => Ok(contents),
                _ => Err(io::Error::other("not a request of `ringtrace sql`")),
            },
            Err(_) => Err(io::Error::other("no request in time")),
        }
    }

    /// Checks the token and the version of a client.
    fn check(&self, hello: &[u8]) -> Result<(), Error> {
        let hello: Hello = serde_json::from_slice(hello)
            .map_err(|_| Error::usage("the request is not one of `ringtrace sql`"))?;
        if !self.token.is(&hello.token) {
            return Err(Error::usage("the token is not the one of this worker")
                .help("--token-file, or the variable RINGTRACE_TOKEN, must contain the worker's token"));
        }
        if hello.version == version() {
            return Ok(());
        }
        let message = format!("it has version {}, and the client has version {}", version(), hello.version);
        Err(Error::usage(message).help("install the same version of ringtrace on all machines"))
    }
}

/// Returns whether a client has closed its connection, as it does when it needs no further rows.
fn is_gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset | io::ErrorKind::UnexpectedEof
    )
}

/// Sends the last frame.
async fn finish(stream: &mut TlsStream<TcpStream>, answer: Result<Vec<u8>, Error>) -> io::Result<()> {
    let (kind, contents) = match answer {
        Ok(answer) => (DONE, answer),
        Err(error) => (FAILED, json(&Failure::from(error)).unwrap_or_default()),
    };
    write_frame(stream, kind, &contents, MAX_PAUSE).await?;
    timeout(TIMEOUT, stream.shutdown()).await.unwrap_or(Ok(()))
}

/// Ends the work for a client that is gone.
struct CancelGuard(AbortHandle);

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.0.abort();
    }
}
