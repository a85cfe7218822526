//! Accepts connections of clients.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::folders::Folders;
use super::message::{
    self, DONE, FAILED, Failure, MAX_REQUEST_BYTES, REQUEST, ROWS, Request, json, read_frame, version,
    write_frame,
};
use super::security::{Certificate, Token};
use super::work::Work;
use super::{ALIVE, TIMEOUT};
use crate::error::{Error, ErrorKind};

/// The longest time for which a client may receive no rows.
const MAX_PAUSE: Duration = Duration::from_secs(600);

/// The number of connections at the same time.
const MAX_CONNECTIONS: usize = 256;

/// The number of frames that are computed in advance.
const FRAMES_AHEAD: usize = 2;

/// The limits of a worker.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The number of threads that process rows.
    pub threads: usize,
    /// The limit for the memory of grouping, in bytes.
    pub memory_bytes: usize,
    /// The number of requests that are answered at the same time. Others wait.
    pub requests: usize,
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
    running: Semaphore,
    compute: Handle,
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
            running: Semaphore::new(limits.requests.max(1)),
            compute,
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
        let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        loop {
            let Ok(permit) = Arc::clone(&connections).acquire_owned().await else { return };
            let (stream, peer) = match self.listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    // For example, there are too many open files. This passes.
                    (self.shared.log)(format!("cannot accept a connection: {error}"));
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            let shared = Arc::clone(&self.shared);
            tokio::spawn(async move {
                if let Err(error) = shared.connection(stream).await {
                    (shared.log)(format!("{peer}: {error}"));
                }
                drop(permit);
            });
        }
    }
}

impl Shared {
    async fn connection(&self, stream: TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let accept = timeout(TIMEOUT, TlsAcceptor::from(Arc::clone(&self.config)).accept(stream));
        let mut stream = accept.await.map_err(|_| io::Error::other("no TLS handshake in time"))??;
        // A client without the token cannot use more memory than this.
        let read = timeout(TIMEOUT * 3, read_frame(&mut stream, MAX_REQUEST_BYTES, TIMEOUT)).await;
        let (kind, contents) = read.map_err(|_| io::Error::other("no request in time"))??;
        let request = match serde_json::from_slice::<Request>(&contents) {
            Ok(request) if kind == REQUEST => self.check(request),
            // Clients of other versions may send other requests.
            Ok(_) | Err(_) => Err(self.other_version(&contents)),
        };
        let request = match request {
            Ok(request) => request,
            Err(error) => {
                (self.log)(format!("refused a request: {}", error.message));
                return finish(&mut stream, Err(error)).await;
            }
        };
        let (sender, mut rows) = mpsc::channel(FRAMES_AHEAD);
        let permit = loop {
            match timeout(ALIVE, self.running.acquire()).await {
                Ok(permit) => break permit.map_err(io::Error::other)?,
                Err(_) => write_frame(&mut stream, message::ALIVE, &[], MAX_PAUSE).await?,
            }
        };
        let work = Arc::clone(&self.work);
        let task =
            self.compute.spawn(async move { work.answer(&request.options, request.body, &sender).await });
        let cancel = CancelGuard(task.abort_handle());
        loop {
            match timeout(ALIVE, rows.recv()).await {
                Ok(Some(batch)) => write_frame(&mut stream, ROWS, &batch, MAX_PAUSE).await?,
                Ok(None) => break,
                Err(_) => write_frame(&mut stream, message::ALIVE, &[], MAX_PAUSE).await?,
            }
        }
        let answer = task
            .await
            .unwrap_or_else(|error| Err(Error::new(ErrorKind::System, format!("internal error: {error}"))));
        drop((cancel, permit));
        finish(&mut stream, answer).await
    }

    fn check(&self, request: Request) -> Result<Request, Error> {
        if !self.token.is(&request.token) {
            return Err(Error::new(ErrorKind::Usage, "the token is not the one of this worker")
                .help("--token-file, or the variable RINGTRACE_TOKEN, must contain the worker's token"));
        }
        match request.version == version() {
            true => Ok(request),
            false => Err(different(&request.version)),
        }
    }

    /// Returns the error of a request that cannot be parsed.
    fn other_version(&self, contents: &[u8]) -> Error {
        let request: serde_json::Value = serde_json::from_slice(contents).unwrap_or_default();
        let text = |name: &str| request.get(name).and_then(serde_json::Value::as_str);
        match (text("token"), text("version")) {
            (Some(token), Some(version)) if self.token.is(token) => different(version),
            _ => Error::new(ErrorKind::Usage, "the request is not one of `ringtrace sql`"),
        }
    }
}

fn different(found: &str) -> Error {
    let found: String = found.chars().take(100).collect();
    Error::new(ErrorKind::Usage, format!("it has version {}, and the client has version {found}", version()))
        .help("install the same version of ringtrace on all machines")
}

/// Sends the last frame.
async fn finish(stream: &mut TlsStream<TcpStream>, answer: Result<Vec<u8>, Error>) -> io::Result<()> {
    let (kind, contents) = match answer {
        Ok(answer) => (DONE, answer),
        Err(error) => (FAILED, json(&Failure::from(error)).unwrap_or_default()),
    };
    write_frame(stream, kind, &contents, MAX_PAUSE).await?;
    stream.shutdown().await
}

/// Ends the work for a client that is gone.
struct CancelGuard(tokio::task::AbortHandle);

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.0.abort();
    }
}
