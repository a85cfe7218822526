//! Queries on workers give the right result or a named error, whatever happens to the workers.

#![allow(clippy::unwrap_used, reason = "tests fail with a panic")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use ringtrace_export::Dataset as Ingesting;
use ringtrace_export::dataset::{CompactionLimits, Identity};
use ringtrace_query::workers::{Client, Fleet, ReadOptions, Token, new_certificate};
use ringtrace_query::{ErrorKind, Opening};
use ringtrace_tracefile::Needs;
use ringtrace_tracefile::pair::{Description, PairDescription, PairSpec, SpanTracker};

const PAIR: &str = "disk_read:disk_done:req";
const LIMIT: Duration = Duration::from_secs(60);

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name).canonicalize().unwrap()
}

/// A folder with a certificate, and with the dataset `data/fleet` of the traces in `data`.
struct Site {
    folder: tempfile::TempDir,
}

impl Site {
    fn new() -> Site {
        let site = Site { folder: tempfile::tempdir().unwrap() };
        new_certificate(&site.path("")).unwrap();
        fs::create_dir(site.path("data")).unwrap();
        let dataset = Ingesting::open(&site.path("data/fleet"), false).unwrap();
        for name in ["alpha-1", "alpha-2", "beta-1", "beta-2"] {
            let path = site.path(&format!("data/{name}.trace"));
            fs::copy(testdata(&format!("queries/traces/{name}.trace")), &path).unwrap();
            let opening = Opening { paths: vec![path], ..Opening::default() };
            let readers = opening.readers().unwrap();
            let identity = Identity::of(&readers[0]).unwrap();
            let pairs = vec![PairDescription::from(&PairSpec::parse(PAIR).unwrap())];
            let description = Description { pairs, ..Description::default() };
            let mut tracker = SpanTracker::new(description).keep_begins(true);
            let needs = Needs { anchor: true, ..Needs::default() };
            dataset.ingest(&mut opening.gather(readers, needs).unwrap(), &mut tracker, &identity).unwrap();
        }
        site
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// Starts a worker that serves `folder`.
    fn worker(&self, folder: &str) -> Worker {
        let mut process = Command::new(env!("CARGO_BIN_EXE_ringtrace-worker"))
            .args(["--listen", "127.0.0.1:0", "--threads", "2", "--folder", &self.text(folder)])
            .args(["--certificate", &self.text("certificate.pem"), "--key", &self.text("key.pem")])
            .args(["--token-file", &self.text("token")])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Worker { process, address: line.trim().strip_prefix("listening at ").unwrap().to_owned() }
    }

    fn sql(&self, workers: &[&Worker]) -> Command {
        let addresses: Vec<&str> = workers.iter().map(|worker| worker.address.as_str()).collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace-sql"));
        command
            .args(["--workers", &addresses.join(","), "--threads", "2"])
            .args(["--worker-certificate", &self.text("certificate.pem")])
            .args(["--token-file", &self.text("token")]);
        command
    }

    fn client(&self) -> Client {
        Client::new(&self.path("certificate.pem"), Token::read(&self.path("token")).unwrap()).unwrap()
    }
}

/// A process that ends with the test.
struct Worker {
    process: Child,
    address: String,
}

impl Worker {
    fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.process.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn succeed(command: &mut Command) -> String {
    let ran = command.output().unwrap();
    assert!(ran.status.success(), "{command:?}: {}", text(&ran.stderr));
    text(&ran.stdout)
}

fn fail(command: &mut Command, expected: &[&str]) -> Output {
    let started = Instant::now();
    let ran = command.output().unwrap();
    let message = text(&ran.stderr);
    assert!(!ran.status.success() && ran.stdout.is_empty(), "{command:?}: {message}");
    for expected in expected {
        assert!(message.contains(expected), "{message}\nexpected {expected}");
    }
    assert!(started.elapsed() < LIMIT);
    ran
}

/// Returns the rows of a JSON result, with all values as strings.
fn values(json: &str) -> Vec<Vec<Option<String>>> {
    let rows: Vec<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(json).unwrap();
    let value = |value: serde_json::Value| match value {
        serde_json::Value::Null => None,
        serde_json::Value::String(text) => Some(text),
        other => Some(other.to_string()),
    };
    rows.into_iter().map(|row| row.into_iter().map(|(_, cell)| value(cell)).collect()).collect()
}

#[test]
fn two_workers_answer_the_queries() {
    let site = Site::new();
    let workers = [site.worker("data"), site.worker("data")];
    let entries = fs::read_dir(testdata("queries")).unwrap().map(|entry| entry.unwrap().path());
    let queries = entries.filter(|path| path.extension().is_some_and(|ending| ending == "sql"));
    let queries: Vec<PathBuf> = queries.collect();
    assert_eq!(queries.len(), 12);
    // Each file contains rows of one trace, and then of several.
    answer(&site, &workers, &queries);
    let dataset = Ingesting::open(&site.path("data/fleet"), false).unwrap();
    let plan = dataset.plan_compaction(CompactionLimits::default()).unwrap();
    assert!(dataset.compact(&plan, &AtomicU64::new(0)).unwrap().merged > 0);
    answer(&site, &workers, &queries);
}

/// Checks the results of queries over the dataset that two workers read.
fn answer(site: &Site, workers: &[Worker; 2], queries: &[PathBuf]) {
    for path in queries {
        let mut command = site.sql(&[&workers[0], &workers[1]]);
        command.args(["--format", "csv", &site.text("data/fleet"), "-f"]).arg(path);
        let distributed = succeed(&mut command);
        let mut alone = Command::new(env!("CARGO_BIN_EXE_ringtrace-sql"));
        alone.args(["--format", "csv", &site.text("data/fleet"), "-f"]).arg(path);
        assert_eq!(distributed, succeed(&mut alone), "{}", path.display());

        // Sorted keys would change the order of the columns, so the values are compared as sets.
        let mut command = site.sql(&[&workers[0], &workers[1]]);
        command.args(["--format", "json", &site.text("data/fleet"), "-f"]).arg(path);
        let found = values(&succeed(&mut command));
        let expected = fs::read_to_string(path.with_extension("json")).unwrap();
        let expected: Vec<Vec<Option<String>>> = serde_json::from_str(&expected).unwrap();
        let sorted = |rows: Vec<Vec<Option<String>>>| -> Vec<Vec<Option<String>>> {
            let plain = |value: Option<String>| value.map(|text| text.replace('T', " ").replace('Z', ""));
            let rows = rows.into_iter().map(|row| {
                let mut row: Vec<Option<String>> = row.into_iter().map(plain).collect();
                row.sort();
                row
            });
            rows.collect()
        };
        assert_eq!(sorted(found), sorted(expected), "{}", path.display());
    }
}

#[test]
fn workers_count_where_the_traces_are() {
    let site = Site::new();
    fs::create_dir_all(site.path("one/t")).unwrap();
    fs::create_dir_all(site.path("two/t")).unwrap();
    for (from, to) in [
        ("alpha-1", "one/t/a.trace"),
        ("alpha-2", "two/t/a.trace"),
        ("beta-1", "one/t/b.trace"),
        ("beta-1", "two/t/b.trace"),
    ] {
        fs::copy(site.path(&format!("data/{from}.trace")), site.path(to)).unwrap();
    }
    let workers = [site.worker("one"), site.worker("two")];
    let run = |query: &str| {
        let mut command = site.sql(&[&workers[0], &workers[1]]);
        succeed(command.args(["--format", "csv", "--pair", PAIR, "t/a.trace", "t/b.trace", query]))
    };
    // A trace that both have is read once.
    assert_eq!(run("select count(*) as n from events"), format!("n\n{}\n", 431 + 227 + 329));
    assert_eq!(run("select count(*) as n from spans"), "n\n450\n");
    assert_eq!(
        run("select count(*) as n, min(tid) is null as t from drops where cause = 'none'"),
        "n,t\n0,true\n"
    );
    let traces = run("select trace, records from traces order by trace");
    assert_eq!(traces.lines().count(), 4, "{traces}");
    // Groups are counted by the workers.
    let plan = run("explain select event, count(*) from events where pid > 1 group by event");
    assert!(plan.contains("mode=Partial") && plan.contains("on workers=[AggregateExec"), "{plan}");
    // Damage is reported with the worker.
    let damaged = site.path("two/t/damaged.trace");
    let mut bytes = fs::read(site.path("two/t/b.trace")).unwrap();
    bytes.truncate(bytes.len() - 5);
    fs::write(damaged, bytes).unwrap();
    let mut command = site.sql(&[&workers[0], &workers[1]]);
    let ran = command.args(["t/damaged.trace", "select count(*) from events"]).output().unwrap();
    let message = text(&ran.stderr);
    assert_eq!(ran.status.code(), Some(1), "{message}");
    assert!(message.contains(&format!("error: worker {}", workers[1].address)), "{message}");
    // Copies of a trace that differ are an error.
    fail(
        site.sql(&[&workers[0], &workers[1]]).args(["t/b.trace", "t/damaged.trace", "select 1 from events"]),
        &["trace b1000000000000000000000000000003 is in t/b.trace", "they differ"],
    );
    // Lost events of each trace are reported once.
    let mut command = site.sql(&[&workers[0], &workers[1]]);
    let ran = command.args(["t/a.trace", "t/b.trace", "select count(*) from events"]).output().unwrap();
    let warning = text(&ran.stderr);
    assert!(warning.contains("912 events were lost while recording"), "{warning}");
}

/// The traces are small, so the join multiplies rows.
const JOIN: &str = "select count(*) as n, sum(a.time_ns - b.time_ns) as d, max(b.pid) as p from events a \
    join events b on a.host = b.host";

#[test]
fn a_killed_worker_never_changes_a_result() {
    let site = Site::new();
    let dataset = site.text("data/fleet");
    let mut alone = Command::new(env!("CARGO_BIN_EXE_ringtrace-sql"));
    let started = Instant::now();
    let expected = succeed(alone.args(["--format", "csv", &dataset, JOIN]));
    let duration = started.elapsed();
    let survivor = site.worker("data");
    let (mut right, mut named) = (0, 0);
    for moment in 0..10_u32 {
        // Half of the workers are killed, half stop to answer.
        let victim = site.worker("data");
        let started = Instant::now();
        let mut command = site.sql(&[&survivor, &victim]);
        command.args(["--shared", "--format", "csv", &dataset, JOIN]);
        let client = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(duration * moment / 10);
        victim.signal(if moment % 2 == 0 { "-KILL" } else { "-STOP" });
        let ran = client.wait_with_output().unwrap();
        assert!(started.elapsed() < LIMIT, "{:?}", started.elapsed());
        let message = text(&ran.stderr);
        if ran.status.success() {
            assert_eq!(text(&ran.stdout), expected, "moment {moment}: {message}");
            right += 1;
        } else {
            assert!(ran.stdout.is_empty(), "moment {moment}: {message}");
            assert!(message.contains(&victim.address), "moment {moment}: {message}");
            named += 1;
        }
    }
    // All files are shared, so a result without the victim is always possible.
    assert_eq!((right, named), (10, 0));
}

#[test]
fn three_workers_can_be_lost_in_one_query() {
    let site = Site::new();
    let dataset = site.text("data/fleet");
    let mut alone = Command::new(env!("CARGO_BIN_EXE_ringtrace-sql"));
    let expected = succeed(alone.args(["--format", "csv", &dataset, JOIN]));
    let workers: Vec<Worker> = (0..4).map(|_| site.worker("data")).collect();
    let mut command = site.sql(&workers.iter().collect::<Vec<_>>());
    command.args(["--format", "csv", &dataset, JOIN]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = Instant::now();
    let client = command.spawn().unwrap();
    for (worker, signal) in workers[..3].iter().zip(["-STOP", "-KILL", "-STOP"]) {
        std::thread::sleep(Duration::from_millis(400));
        worker.signal(signal);
    }
    let ran = client.wait_with_output().unwrap();
    assert!(started.elapsed() < LIMIT, "{:?}", started.elapsed());
    let message = text(&ran.stderr);
    match ran.status.success() {
        true => assert_eq!(text(&ran.stdout), expected, "{message}"),
        // A worker was lost before the client knew its traces.
        false => assert!(ran.stdout.is_empty() && message.contains("its traces are unknown"), "{message}"),
    }
}

#[tokio::test]
async fn a_trace_that_only_a_lost_worker_has_is_an_error() {
    use ringtrace_query::{Resources, Session, collect};
    let site = Site::new();
    fs::create_dir_all(site.path("one")).unwrap();
    fs::create_dir_all(site.path("two")).unwrap();
    fs::copy(site.path("data/alpha-1.trace"), site.path("one/a.trace")).unwrap();
    fs::copy(site.path("data/alpha-2.trace"), site.path("two/a.trace")).unwrap();
    let workers = [site.worker("one"), site.worker("two")];
    let addresses = workers.iter().map(|worker| worker.address.clone()).collect();
    let paths = ["a.trace".to_owned()];
    let fleet = Fleet::open(site.client(), addresses, &paths, ReadOptions::default(), false).await.unwrap();
    let session = Session::new(fleet, Resources { threads: 2, memory_bytes: 1 << 30 }).unwrap();
    let sql = "select count(*) from events";
    let statement = session.parse(sql).unwrap().remove(0);
    assert!(collect(&session, &statement, sql, &Default::default()).await.is_ok());
    workers[1].signal("-STOP");
    let started = Instant::now();
    let error = collect(&session, &statement, sql, &Default::default()).await.unwrap_err();
    assert!(started.elapsed() < LIMIT);
    assert_eq!(error.kind, ErrorKind::System);
    assert!(error.message.contains(&workers[1].address), "{}", error.message);
    assert!(error.message.contains("trace a2000000000000000000000000000002"), "{}", error.message);
    // The loss is permanent.
    assert!(collect(&session, &statement, sql, &Default::default()).await.is_err());
}

#[test]
fn requests_without_permission_are_refused() {
    let site = Site::new();
    let other = Site::new();
    std::os::unix::fs::symlink(site.path("key.pem"), site.path("data/link.trace")).unwrap();
    let worker = site.worker("data");
    let query = "select count(*) from events";
    let run = |path: &str, expected: &[&str]| fail(site.sql(&[&worker]).args([path, query]), expected);
    run(&site.text("key.pem"), &[&worker.address, "is not in a folder of this worker"]);
    run("../key.pem", &["contains `..`"]);
    run("link.trace", &["leads out of the folders of this worker"]);
    run(&site.text("data"), &["contains the link `link.trace`, which leads out"]);
    run("missing.trace", &["no worker has this file or folder"]);
    let mut command = site.sql(&[&worker]);
    fail(
        command.args(["--workers", "localhost", "fleet", query]),
        &["expected HOST:PORT, found `localhost`"],
    );

    let with = |certificate: &Site, token: &Site| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringtrace-sql"));
        command
            .args([
                "--workers",
                &worker.address,
                "--worker-certificate",
                &certificate.text("certificate.pem"),
            ])
            .args(["--token-file", &token.text("token"), "fleet", query]);
        command
    };
    fail(&mut with(&site, &other), &["the token is not the one of this worker", "RINGTRACE_TOKEN"]);
    fail(&mut with(&other, &site), &["its certificate is not a trusted one", "--worker-certificate"]);
    fs::set_permissions(other.path("token"), std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    fail(&mut with(&site, &other), &["other users can access this token (mode 644)", "chmod 600"]);
    succeed(&mut with(&site, &site));
}

#[tokio::test]
async fn a_worker_of_another_version_is_an_error() {
    let site = Site::new();
    let worker = site.worker("data");
    let client = site.client().with_version("0.0.1 (protocol 0)");
    let (addresses, paths) = (vec![worker.address.clone()], ["fleet".to_owned()]);
    let opened = Fleet::open(client, addresses, &paths, ReadOptions::default(), false);
    let error = opened.await.unwrap_err();
    assert!(error.message.contains("the client has version 0.0.1 (protocol 0)"), "{}", error.message);
    assert!(error.help.unwrap().contains("same version"));
}

#[test]
fn connections_without_a_handshake_do_not_block_a_worker() {
    let site = Site::new();
    let worker = site.worker("data");
    // More than a worker keeps at the same time.
    let silent: Vec<TcpStream> = (0..600).map(|_| TcpStream::connect(&worker.address).unwrap()).collect();
    let mut plain = TcpStream::connect(&worker.address).unwrap();
    plain.write_all(b"GET / HTTP/1.0\r\n\r\n").unwrap();
    let mut command = site.sql(&[&worker]);
    let rows = succeed(command.args(["--format", "csv", "fleet", "select count(*) as n from events"]));
    assert_eq!(rows, "n\n1260\n");
    // The oldest ones are closed to make room, and the others after a time.
    for mut stream in [&silent[0], &silent[599]] {
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        assert_eq!(stream.read(&mut [0; 16]).unwrap_or(0), 0);
    }
}
