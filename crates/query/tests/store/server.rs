//! A server of S3 on loopback, whose objects are files. It can stop in the middle of an ingest.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

const KEY: &str = "test-key";
const SECRET: &str = "test-secret";

/// The server. It ends when it is dropped.
pub struct Server {
    root: TempDir,
    address: SocketAddr,
    state: Arc<State>,
    _runtime: Runtime,
}

/// Shared with the tasks of requests.
struct State {
    /// The requests since the last call of [`Server::requests`]: method and key.
    requests: Mutex<Vec<(String, String)>>,
    /// How many further requests may change something.
    allowed: AtomicUsize,
    /// Whether a request was not allowed.
    is_stopped: AtomicBool,
    /// Whether the requests that were not allowed are executed now.
    is_late: AtomicBool,
    /// The server of the crate checks the conditions of a write, and then writes.
    changes: tokio::sync::Mutex<()>,
}

impl Server {
    /// Starts a server with the bucket `bucket`.
    pub fn start() -> Server {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("bucket")).unwrap();
        let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(root.path()).unwrap());
        service.set_auth(SimpleAuth::from_single(KEY, SECRET));
        let service = service.build();
        let state = Arc::new(State {
            requests: Mutex::default(),
            allowed: AtomicUsize::new(usize::MAX),
            is_stopped: AtomicBool::new(false),
            is_late: AtomicBool::new(false),
            changes: tokio::sync::Mutex::new(()),
        });
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(accept(listener, service, Arc::clone(&state)));
        Server { root, address, state, _runtime: runtime }
    }

    /// Sets the environment of a process that uses the server.
    pub fn environment<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command
            .env("AWS_ENDPOINT_URL", format!("http://{}", self.address))
            .env("AWS_ALLOW_HTTP", "true")
            .env("AWS_ACCESS_KEY_ID", KEY)
            .env("AWS_SECRET_ACCESS_KEY", SECRET)
            .env("AWS_REGION", "us-east-1")
    }

    /// The folder with the objects whose keys begin with `fleet/`.
    pub fn fleet(&self) -> PathBuf {
        self.root.path().join("bucket/fleet")
    }

    /// Returns the objects below [`Server::fleet`] with their contents.
    pub fn objects(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.fleet(), "", &mut found);
        found
    }

    /// Returns the requests since the last call.
    pub fn requests(&self) -> Vec<(String, String)> {
        std::mem::take(&mut self.state.requests.lock().unwrap())
    }

    /// After `allowed` further requests that change something, does not execute or answer any of these.
    pub fn stop_after(&self, allowed: usize) {
        self.state.is_stopped.store(false, Ordering::SeqCst);
        self.state.allowed.store(allowed, Ordering::SeqCst);
    }

    /// Waits until a request is not answered, or `has_ended` returns true. Returns whether a request
    /// is not answered.
    pub fn wait_for_stop(&self, mut has_ended: impl FnMut() -> bool) -> bool {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < Duration::from_secs(60));
            if self.state.is_stopped.load(Ordering::SeqCst) {
                return true;
            }
            if has_ended() {
                return false;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Answers all further requests.
    pub fn go_on(&self) {
        self.stop_after(usize::MAX);
    }

    /// Executes the requests that were not executed, and answers them.
    pub fn execute_late_requests(&self) {
        self.state.is_late.store(true, Ordering::SeqCst);
    }
}

async fn accept(listener: TcpListener, service: S3Service, state: Arc<State>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (service, state) = (service.clone(), Arc::clone(&state));
        let answer = service_fn(move |request| answer(request, service.clone(), Arc::clone(&state)));
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), answer));
    }
}

async fn answer(
    request: hyper::Request<Incoming>,
    service: S3Service,
    state: Arc<State>,
) -> Result<s3s::HttpResponse, s3s::HttpError> {
    let method = request.method().to_string();
    let uri = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
    state.requests.lock().unwrap().push((method.clone(), uri));
    if ["GET", "HEAD"].contains(&method.as_str()) {
        return service.call(request.map(s3s::Body::from)).await;
    }
    let guard = state.changes.lock().await;
    let spend = |left: usize| left.checked_sub(usize::from(left != usize::MAX));
    if state.allowed.fetch_update(Ordering::SeqCst, Ordering::SeqCst, spend).is_err() {
        state.is_stopped.store(true, Ordering::SeqCst);
        drop(guard);
        while !state.is_late.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
    service.call(request.map(s3s::Body::from)).await
}

fn collect(folder: &Path, name: &str, found: &mut BTreeMap<String, Vec<u8>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.map(|entry| entry.unwrap()) {
        let name = format!("{name}{}", entry.file_name().to_str().unwrap());
        match entry.path().is_dir() {
            true => collect(&entry.path(), &format!("{name}/"), found),
            false => drop(found.insert(name, std::fs::read(entry.path()).unwrap())),
        }
    }
}
