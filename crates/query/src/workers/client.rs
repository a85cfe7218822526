//! Connections to a worker.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, Error as TlsError};
use serde::de::DeserializeOwned;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::TIMEOUT;
use super::message::{
    ALIVE, Body, DONE, FAILED, Failure, HELLO, Hello, MAX_ANSWER_BYTES, REQUEST, ROWS, ReadOptions, Request,
    json, read_frame, version, write_frame,
};
use super::security::{Token, client_config};
use crate::error::{Error, ErrorKind};

/// Sends requests to workers.
#[derive(Clone)]
pub struct Client {
    config: Arc<ClientConfig>,
    token: Token,
    version: String,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("version", &self.version).finish_non_exhaustive()
    }
}

/// The reason why a request has failed.
#[derive(Debug, Clone)]
pub enum WorkerError {
    /// The connection failed, or the worker did not answer in time. The request can be repeated
    /// elsewhere.
    Lost(Error),
    /// The worker refused the request, or could not answer it.
    Failed(Error),
}

impl WorkerError {
    /// Returns the error.
    pub fn into_error(self) -> Error {
        match self {
            WorkerError::Lost(error) | WorkerError::Failed(error) => error,
        }
    }
}

/// A frame of an answer.
pub(super) enum Answer {
    Rows(Vec<u8>),
    Done(Vec<u8>),
}

impl Client {
    /// Creates a client. It trusts the certificates in the PEM file `certificate`.
    ///
    /// # Errors
    /// The file cannot be read, or contains no certificate.
    pub fn new(certificate: &Path, token: Token) -> Result<Client, Error> {
        Ok(Client { config: client_config(certificate)?, token, version: version() })
    }

    /// Replaces the version that the client reports.
    #[must_use]
    pub fn with_version(self, version: impl Into<String>) -> Client {
        Client { version: version.into(), ..self }
    }

    /// Sends a request to the worker at `address`, which is `HOST:PORT`.
    pub(super) async fn send(
        &self,
        address: &str,
        options: &ReadOptions,
        body: Body,
    ) -> Result<Exchange, WorkerError> {
        let failed = |error: io::Error| Exchange::failed(address, &error);
        let connect = async {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            // The certificate is compared as a whole, so the name is not used.
            let name = ServerName::try_from("ringtrace-worker").map_err(io::Error::other)?;
            TlsConnector::from(Arc::clone(&self.config)).connect(name, stream).await
        };
        let stream = timeout(TIMEOUT, connect).await.unwrap_or_else(|_| {
            Err(io::Error::new(
                io::ErrorKind::TimedOut,
                format!("no connection within {} s", TIMEOUT.as_secs()),
            ))
        });
        let mut stream = stream.map_err(failed)?;
        let hello = Hello { token: self.token.text().to_owned(), version: self.version.clone() };
        let hello = json(&hello).map_err(WorkerError::Failed)?;
        write_frame(&mut stream, HELLO, &hello, TIMEOUT).await.map_err(failed)?;
        let mut exchange = Exchange { address: address.to_owned(), stream };
        // An answer to a long request could be lost, so the permission is checked first.
        exchange.frame().await?;
        let request = Request { options: options.clone(), body };
        let request = json(&request).map_err(WorkerError::Failed)?;
        write_frame(&mut exchange.stream, REQUEST, &request, TIMEOUT).await.map_err(failed)?;
        Ok(exchange)
    }

    /// Sends a request whose answer contains no rows.
    pub(super) async fn ask<T: DeserializeOwned>(
        &self,
        address: &str,
        options: &ReadOptions,
        body: Body,
    ) -> Result<T, WorkerError> {
        let mut exchange = self.send(address, options, body).await?;
        loop {
            if let Answer::Done(answer) = exchange.next().await? {
                return exchange.parse(&answer);
            }
        }
    }
}

/// A connection on which a request was sent.
pub(super) struct Exchange {
    address: String,
    stream: TlsStream<TcpStream>,
}

impl Exchange {
    fn failed(address: &str, error: &io::Error) -> WorkerError {
        let tls = error.get_ref().and_then(|inner| inner.downcast_ref::<TlsError>());
        if let Some(TlsError::InvalidCertificate(_)) = tls {
            let message = format!("worker {address}: its certificate is not a trusted one");
            return WorkerError::Lost(
                Error::new(ErrorKind::System, message)
                    .help("--worker-certificate must name a copy of the worker's certificate.pem"),
            );
        }
        if error.kind() == io::ErrorKind::InvalidData {
            // Another worker would send the same.
            let message = format!("worker {address}: {error}");
            return WorkerError::Failed(Error::new(ErrorKind::System, message));
        }
        let reason = match error.kind() {
            io::ErrorKind::UnexpectedEof => "it closed the connection".to_owned(),
            io::ErrorKind::TimedOut => error.to_string(),
            _ => ringtrace_tracefile::error::reason(error).to_string(),
        };
        WorkerError::Lost(Error::new(ErrorKind::System, format!("worker {address}: {reason}")))
    }

    /// Waits for the next frame that is not a sign of life.
    pub(super) async fn next(&mut self) -> Result<Answer, WorkerError> {
        loop {
            if let Some(answer) = self.frame().await? {
                return Ok(answer);
            }
        }
    }

    /// Waits for the next frame. Returns `None` for a sign of life.
    async fn frame(&mut self) -> Result<Option<Answer>, WorkerError> {
        let read = read_frame(&mut self.stream, MAX_ANSWER_BYTES, TIMEOUT).await;
        match read.map_err(|error| Exchange::failed(&self.address, &error))? {
            (ALIVE, _) => Ok(None),
            (ROWS, rows) => Ok(Some(Answer::Rows(rows))),
            (DONE, answer) => Ok(Some(Answer::Done(answer))),
            (FAILED, answer) => {
                let error = Error::from(self.parse::<Failure>(&answer)?);
                let message = format!("worker {}: {}", self.address, error.message);
                Err(WorkerError::Failed(Error { message, ..error }))
            }
            (kind, _) => {
                let message = format!("worker {}: unknown message {kind:#04x}", self.address);
                Err(WorkerError::Lost(Error::new(ErrorKind::System, message)))
            }
        }
    }

    /// Parses the last frame of an answer.
    pub(super) fn parse<T: DeserializeOwned>(&self, answer: &[u8]) -> Result<T, WorkerError> {
        serde_json::from_slice(answer).map_err(|error| {
            let message = format!("worker {}: unreadable answer: {error}", self.address);
            WorkerError::Lost(Error::new(ErrorKind::System, message))
        })
    }
}
