//! A web server with an asynchronous runtime of four threads. It uses the spans and events of
//! `tracing`, and ringtrace records them.
//!
//! ```sh
//! cargo run --release -p ringtrace-example-async-server -- --trace 'async_server::*,file=server.trace'
//! curl http://127.0.0.1:PORT/read/7
//! ```
//!
//! It prints its address, and ends on SIGTERM or Ctrl-C.

#![expect(clippy::print_stdout, reason = "a program for a terminal")]

use std::error::Error;
use std::time::Duration;

use axum::Router;
use axum::extract::Path;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Semaphore, SemaphorePermit};
use tracing::{info, instrument};
use tracing_subscriber::prelude::*;

/// The connections to the database. A query waits until one is free.
static CONNECTIONS: Semaphore = Semaphore::const_new(2);

/// Answers `GET /read/ID`. `tracing` turns each call into a span.
#[instrument]
async fn request(Path(id): Path<u64>) -> String {
    let rows = query(id).await;
    render(id, rows)
}

#[instrument]
async fn query(id: u64) -> u64 {
    let _connection = connect().await;
    let rows = fetch(id).await;
    info!(id, rows, "rows found");
    rows
}

#[instrument]
async fn connect() -> Option<SemaphorePermit<'static>> {
    CONNECTIONS.acquire().await.ok()
}

/// Waits for the database. The task may continue on another thread.
#[instrument]
async fn fetch(id: u64) -> u64 {
    tokio::time::sleep(Duration::from_millis(id % 8)).await;
    id % 10
}

#[instrument]
fn render(id: u64, rows: u64) -> String {
    let row = |row| (0..1500).fold(format!("{id}: row {row}:"), |line, column| line + &format!(" {column}"));
    (0..rows).map(|number| row(number) + "\n").collect()
}

#[tokio::main(worker_threads = 4)]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::registry().with(ringtrace_tracing::layer()).init();
    let _tracing = ringtrace_tracing::Options::from_env_and_args()?.with_monitor()?.start()?;

    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("http://{}", listener.local_addr()?);
    let router = Router::new().route("/read/{id}", get(request));
    let mut terminated = signal(SignalKind::terminate())?;
    let end = async move {
        tokio::select! {
            _ = terminated.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
    };
    axum::serve(listener, router).with_graceful_shutdown(end).await?;
    Ok(())
}
