//! Runs the server under load from a real client, and checks that its trace agrees with the
//! client's measurements.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http_body_util::{BodyExt, Empty};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use ringtrace_tracefile::pair::{Description, DrawnOn, Pairing};
use ringtrace_tracefile::recover::{ArenaFile, find_arenas, gather};
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader, Schemas, Value};
use rustix::process::{Pid, Signal, kill_process};
use rustix::time::{ClockId, clock_gettime};

/// The maximum difference between the server's clock, which is derived from the processor's
/// counter, and the client's clock, which is the kernel's.
const CLOCKS_DIFFER_NS: u64 = 200_000;

struct Server {
    child: Child,
    _stdout: BufReader<ChildStdout>,
    address: String,
    folder: tempfile::TempDir,
}

/// For each request id, when the client sent the request and when it had received the response.
type Answered = BTreeMap<u64, (u64, u64)>;

fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

impl Server {
    fn start() -> Server {
        let folder = tempfile::tempdir_in("/dev/shm").unwrap();
        let path = folder.path().display();
        let options = format!("async_server::*,file={path}/trace,dir={path},policy=block");
        let mut command = Command::new(env!("CARGO_BIN_EXE_async-server"));
        let mut child = command.args(["--trace", &options]).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut address = String::new();
        stdout.read_line(&mut address).unwrap();
        Server { child, _stdout: stdout, address: address.trim().to_owned(), folder }
    }

    /// Sends requests over eight connections until `done` accepts the number of answers.
    fn load(&self, done: impl Fn(usize) -> bool) -> Answered {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let client: Client<_, Empty<&[u8]>> = Client::builder(TokioExecutor::new()).build_http();
        let (answered, next) = (Arc::new(Mutex::new(Answered::new())), Arc::new(AtomicU64::new(0)));
        let is_over = Arc::new(AtomicBool::new(false));
        let mut tasks = Vec::new();
        for _ in 0..8 {
            let (client, address) = (client.clone(), self.address.clone());
            let (answered, next, is_over) = (Arc::clone(&answered), Arc::clone(&next), Arc::clone(&is_over));
            tasks.push(runtime.spawn(async move {
                while !is_over.load(Ordering::Relaxed) {
                    let id = next.fetch_add(1, Ordering::Relaxed);
                    let uri = format!("{address}/read/{id}").parse().unwrap();
                    let sent_ns = now_ns();
                    // When the server is killed, requests fail.
                    let Ok(response) = client.get(uri).await else { break };
                    let Ok(body) = response.into_body().collect().await else { break };
                    let received_ns = now_ns();
                    assert_eq!(body.to_bytes().split(|&byte| byte == b'\n').count() as u64, id % 10 + 1);
                    answered.lock().unwrap().insert(id, (sent_ns, received_ns));
                }
            }));
        }
        while !done(answered.lock().unwrap().len()) {
            std::thread::sleep(Duration::from_millis(1));
        }
        is_over.store(true, Ordering::Relaxed);
        for task in tasks {
            runtime.block_on(task).unwrap();
        }
        answered.lock().unwrap().clone()
    }

    fn end(&mut self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A request, as the trace shows it.
#[derive(Debug, Default)]
struct Traced {
    begin_ns: u64,
    end_ns: u64,
    threads: BTreeSet<u32>,
    rows_found: u64,
}

fn read(file: &Path) -> Reader {
    Reader::new("trace", Input::open(file).unwrap(), &Options::default()).unwrap()
}

/// Returns the requests by their ids.
fn requests(file: &Path) -> BTreeMap<u64, Traced> {
    let (mut by_span, mut ids) = (BTreeMap::<u64, Traced>::new(), BTreeMap::<u64, u64>::new());
    let mut reader = read(file);
    // The span of the request to which each query's span belongs.
    let mut request_of = BTreeMap::<u64, u64>::new();
    let mut done = BTreeMap::new();
    reader
        .for_each(|entry: &Entry<'_>| {
            let integer = |name: &str| {
                let index = entry.schema.argument(name)?;
                match entry.value(index)? {
                    Value::Integer(bits) => Some(bits),
                    Value::Str(text) => str::from_utf8(text).ok()?.parse().ok(),
                }
            };
            let span = integer("span").unwrap();
            let name = entry.schema.name.strip_prefix("async_server__").unwrap();
            match name {
                "request__begin" => {
                    let id = match entry.value(2) {
                        // `Path(7)` is recorded in its `Debug` form.
                        Some(Value::Str(text)) => str::from_utf8(text).unwrap().parse().unwrap(),
                        other => panic!("{other:?}"),
                    };
                    ids.insert(span, id);
                    by_span.insert(span, Traced { begin_ns: entry.timestamp_ns, ..Traced::default() });
                }
                "request__end" => {
                    let mut traced = by_span.remove(&span).unwrap();
                    traced.end_ns = entry.timestamp_ns;
                    done.insert(ids[&span], traced);
                }
                "request__enter" => _ = by_span.get_mut(&span).unwrap().threads.insert(entry.tid().unwrap()),
                "query__begin" => _ = request_of.insert(span, integer("parent").unwrap()),
                _ if name.starts_with("info_") => {
                    let traced = by_span.get_mut(&request_of[&span]).unwrap();
                    traced.rows_found += 1;
                    assert_eq!(integer("id"), Some(ids[&request_of[&span]]));
                }
                _ => {}
            }
            Flow::Continue
        })
        .unwrap();
    assert!(reader.anomalies().is_empty(), "{:?}", reader.anomalies());
    done
}

fn check(answered: &Answered, traced: &BTreeMap<u64, Traced>) {
    let mut overhead_ns = Vec::new();
    for (id, (sent_ns, received_ns)) in answered {
        let request = traced.get(id).unwrap_or_else(|| panic!("request {id} is missing"));
        let (begin_ns, end_ns) = (request.begin_ns, request.end_ns);
        // The request in the trace is within the client's interval.
        assert!(*sent_ns <= begin_ns + CLOCKS_DIFFER_NS, "{id}: sent {sent_ns}, begun {begin_ns}");
        assert!(end_ns <= received_ns + CLOCKS_DIFFER_NS, "{id}: ended {end_ns}, received {received_ns}");
        // The request takes at least as long as the query sleeps.
        assert!(end_ns - begin_ns + CLOCKS_DIFFER_NS >= id % 8 * 1_000_000, "{id}: {request:?}");
        assert_eq!(request.rows_found, 1, "{id}: {request:?}");
        overhead_ns.push((received_ns - sent_ns).saturating_sub(end_ns - begin_ns));
    }
    overhead_ns.sort_unstable();
    let median = overhead_ns[overhead_ns.len() / 2];
    println!("{} requests; in the client, they took {} us longer (median)", answered.len(), median / 1000);
}

#[test]
fn help_explains_why_call_sites_are_not_listed() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_async-server"));
    let output = command.args(["--trace", "help"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stdout, b"");
    let reported = String::from_utf8(output.stderr).unwrap();
    assert!(
        reported.starts_with("async-server: note: events that the program declares while it runs, such as call sites of `tracing` and"),
        "{reported}"
    );
}

#[test]
fn latencies_agree_with_those_of_the_client() {
    let mut server = Server::start();
    let answered = server.load(|count| count >= 2000);
    server.end(Signal::TERM);
    let trace = server.folder.path().join("trace");
    let traced = requests(&trace);
    check(&answered, &traced);
    let moved = traced.values().filter(|request| request.threads.len() > 1).count();
    println!("{moved} of {} requests moved between threads", traced.len());
    assert!(moved > 0, "tasks move between the four threads");

    // The reader recognizes pairs by the names of their events.
    let declared = read(&trace).all_declared().unwrap();
    let schemas: [&Schemas; 1] = [&declared];
    let description = Description::by_names(&schemas);
    let trees: Vec<String> = description
        .pairs
        .iter()
        .filter(|pair| pair.drawn_on == DrawnOn::Tree)
        .map(|pair| pair.name.clone())
        .collect();
    let names = ["connect", "fetch", "query", "render", "request"];
    assert_eq!(trees, names.map(|name| format!("async_server::{name}")));
    let mut pairing = Pairing::new(description.pairs, 1 << 16);
    pairing.bind(&schemas).unwrap();
    read(&trace)
        .for_each(|entry: &Entry<'_>| {
            pairing.count(entry, &mut ()).unwrap();
            Flow::Continue
        })
        .unwrap();
    for pair in pairing.pairs() {
        let (name, counts) = (&pair.description().name, pair.statistics());
        assert!(counts.matched > 0 && counts.restarted + counts.ends_alone == 0, "{name}: {counts:?}");
        assert_eq!(pair.open_count(), 0, "{name}");
        if !name.ends_with("(busy)") {
            assert_eq!(counts.matched, traced.len() as u64, "{name}");
        }
    }
}

#[test]
fn a_kill_under_load_loses_nothing() {
    for round in 0..3 {
        let mut server = Server::start();
        let pid = Pid::from_child(&server.child);
        let answered = server.load(|count| {
            let is_enough = count >= 200 + 300 * round;
            if is_enough {
                kill_process(pid, Signal::KILL).unwrap();
            }
            is_enough
        });
        server.child.wait().unwrap();
        let arenas = find_arenas(server.folder.path()).unwrap();
        let arenas = arenas.iter().map(|path| ArenaFile::open(path).unwrap());
        let process = gather(arenas.collect()).unwrap().pop().unwrap();
        let mut trace = Vec::new();
        let recovered = process.recover(|bytes| {
            trace.extend_from_slice(bytes);
            Ok(())
        });
        println!("{} records were only in the rings", recovered.unwrap().ring_records);
        let path = server.folder.path().join("recovered");
        std::fs::write(&path, trace).unwrap();
        // The server sends a response only after the request's span has ended.
        check(&answered, &requests(&path));
    }
}
