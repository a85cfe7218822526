//! Tests `ringtrace open` with Python's HTTP client, and with Perfetto's UI in Chromium.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use ringtrace_peers::{chromium, perfetto, program};
use rustix::process::{Pid, Signal, kill_process};

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// A running `ringtrace open`.
struct Served {
    child: Child,
    /// The pipe must stay open, because the tool writes to it later.
    said: BufReader<ChildStdout>,
    /// The address that the page fetches.
    url: String,
}

impl Served {
    /// Serves the trace at `path`. Temporary files go to `folder`.
    fn start(path: &Path, folder: &Path) -> Served {
        // Shells start background jobs with SIGINT ignored.
        let mut tool = Command::new("env");
        tool.args(["--default-signal", env!("CARGO_BIN_EXE_ringtrace")]);
        tool.args(["open", "--port", "0", "--no-browser"]).arg(path).env("TMPDIR", folder);
        let mut child = tool.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains("https://ui.perfetto.dev/#!/?url=") {
            line.clear();
            assert!(said.read_line(&mut line).unwrap() > 0, "no address was printed");
        }
        let url = line.trim().split_once("url=").unwrap().1.to_owned();
        Served { child, said, url }
    }

    /// Returns `127.0.0.1:PORT`.
    fn address(&self) -> &str {
        self.url.strip_prefix("http://").unwrap().split('/').next().unwrap()
    }

    /// Waits for a successful exit, and returns the output.
    fn ended(mut self) -> String {
        let mut said = String::new();
        self.said.read_to_string(&mut said).unwrap();
        let output = self.child.wait_with_output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}: {words}", output.status);
        words
    }
}

/// A client that sends forbidden requests and wrong paths, and then fetches the trace while another
/// connection sends nothing.
const CLIENT: &str = "
import http.client, sys
address, path, file = sys.argv[1:]

def ask(method, path, **headers):
    client = http.client.HTTPConnection(address, timeout=60)
    client.request(method, path, headers={name.replace('_', '-'): value for name, value in headers.items()})
    answer = client.getresponse()
    return answer, answer.read()

def status(*request, **headers):
    answer, body = ask(*request, **headers)
    return answer.status, len(body), answer.headers['Access-Control-Allow-Origin']

page = 'https://ui.perfetto.dev'
assert status('GET', '/') == (404, 0, None)
assert status('GET', path.rsplit('/', 1)[0] + '/') == (404, 0, None)
assert status('GET', '/etc/passwd') == (404, 0, None)
assert status('GET', path, Host='evil.example:9001') == (403, 0, None)
assert status('GET', path, Origin='https://evil.example') == (403, 0, None)
assert status('GET', path, Origin='null') == (403, 0, None)
assert status('POST', path) == (405, 0, None)
assert status('GET', '/' + 'x' * 100_000) == (431, 0, None)
head, body = ask('HEAD', path, Origin=page)
length = int(head.headers['Content-Length'])
assert (head.status, body) == (200, b'')
allowed, body = ask('OPTIONS', path, Origin=page, Access_Control_Request_Method='GET', Access_Control_Request_Private_Network='true')
assert allowed.status == 204 and allowed.headers['Access-Control-Allow-Private-Network'] == 'true', allowed.headers
assert allowed.headers['Access-Control-Allow-Origin'] == page
got, body = ask('GET', path, Origin=page)
assert (got.status, got.headers['Access-Control-Allow-Origin'], len(body)) == (200, page, length), got.headers
open(file, 'wb').write(body)
";

/// The user's browser is started with the printed address, except with `--no-browser`.
#[test]
fn a_browser_is_started() {
    let folder = tempfile::tempdir().unwrap();
    let browser = folder.path().join("browser");
    let script = "#!/bin/sh\nprintf %s \"$1\" > \"$0.part\"; mv \"$0.part\" \"$0.opened\"\n";
    program::create_script(&browser, script);
    let opened = folder.path().join("browser.opened");
    for (options, first) in [
        (&["--no-browser"][..], "Open this address in a browser on this machine. "),
        (&[][..], "A browser opens this address. "),
    ] {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
        tool.args(["open", "--port", "0"]).args(options).arg(testdata("export/everything.trace"));
        tool.env("BROWSER", format!("{}:other", browser.display())).env("TMPDIR", folder.path());
        let mut child = tool.stdout(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        assert!(said.next().unwrap().starts_with(first));
        let address = said.find(|line| line.contains("url=")).unwrap();
        if options.is_empty() {
            let deadline = Instant::now() + Duration::from_secs(60);
            while !opened.exists() {
                assert!(Instant::now() < deadline, "no browser was started");
                std::thread::sleep(Duration::from_millis(10));
            }
            assert_eq!(fs::read_to_string(&opened).unwrap(), address.trim());
        } else {
            assert!(!opened.exists());
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn a_client_gets_the_trace_once_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let trace = testdata("export/everything.trace");
    let served = Served::start(&trace, folder.path());
    let _silent = TcpStream::connect(served.address()).unwrap();
    let (path, file) = (served.url.split_once(served.address()).unwrap().1, folder.path().join("fetched"));
    let client = Command::new("python3").args(["-c", CLIENT, served.address(), path]).arg(&file).output();
    let Ok(client) = client else { return eprintln!("SKIPPED: no python3") };
    assert!(client.status.success(), "{}", String::from_utf8_lossy(&client.stderr));
    assert!(path.ends_with("/everything.pftrace"));
    let secret = path.split('/').nth(1).unwrap();
    assert!(secret.len() == 32 && secret.bytes().all(|byte| byte.is_ascii_hexdigit()), "{secret}");

    let words = served.ended();
    assert!(words.contains("events were lost while recording"), "{words}");
    assert!(words.ends_with("note: the trace was fetched\n"), "{words}");
    let fetched = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "temporary files remain");

    let exported = folder.path().join("exported.pftrace");
    let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    assert!(tool.arg("export").arg(&trace).arg("-o").arg(&exported).output().unwrap().status.success());
    assert!(fetched == fs::read(exported).unwrap());
}

#[test]
fn an_interrupt_ends_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let mut served = Served::start(&testdata("export/empty.trace"), folder.path());
    let address = served.address().to_owned();
    kill_process(Pid::from_child(&served.child), Signal::INT).unwrap();
    assert_eq!(served.child.wait().unwrap().signal(), Some(Signal::INT.as_raw()));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "temporary files remain");
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn a_used_port_is_reported_before_the_export() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = Served::start(&testdata("export/empty.trace"), folder.path());
    let port = first.address().split_once(':').unwrap().1;
    let mut second = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
    let said = second.args(["open", "--port", port, "no-such-trace"]).output().unwrap();
    let words = String::from_utf8(said.stderr).unwrap();
    assert!(
        words.starts_with(&format!("error: port {port} of 127.0.0.1: Address already in use\n")),
        "{words}"
    );
    assert_eq!(said.status.code(), Some(4));
    first.child.kill().unwrap();
    first.child.wait().unwrap();
}

/// Perfetto's UI, served locally without internet access, must open the printed address.
const PAGE: &str = "
const http = require('http'), fs = require('fs'), path = require('path');
const { spawn } = require('child_process');
const [web, tool, ...rest] = args;
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json' };
const server = http.createServer((request, response) => {
    const file = path.join(web, path.normalize(new URL(request.url, 'http://x').pathname));
    const name = file.endsWith('/') ? file + 'index.html' : file;
    fs.readFile(name, (error, bytes) => {
        response.writeHead(error ? 404 : 200, { 'Content-Type': types[path.extname(name)] || 'text/plain' });
        response.end(error ? '' : bytes);
    });
});
await new Promise(done => server.listen(0, '127.0.0.1', done));
const port = server.address().port;
const child = spawn(tool, ['open', '--port', '0', '--ui', `http://127.0.0.1:${port}/`, ...rest], { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = new Promise(done => child.on('exit', done));
try {
    let said = '';
    const address = await new Promise((done, failed) => {
        child.stdout.on('data', data => { const found = /http:\\S+url=\\S+/.exec(said += data); if (found) done(found[0]); });
        child.on('exit', code => failed(new Error('it ended with ' + code + ': ' + said)));
    });
    const url = address.split('url=')[1];
    // A page of another origin on this machine.
    const other = await context.newPage();
    await other.goto(`http://localhost:${port}/LICENSE`);
    const stolen = await other.evaluate(url => fetch(url).then(answer => answer.status, error => String(error)), url);
    expect(stolen === 'TypeError: Failed to fetch', stolen);
    await other.close();

    await page.goto(address);
    await page.getByText('virtio-blk request').first().waitFor();
    const code = await ended;
    expect(code === 0, `exit status 0, not ${code}`);
    return await page.title();
} finally {
    child.kill();
    server.close();
    server.closeAllConnections();
}
";

#[test]
fn perfettos_page_opens_the_printed_address() {
    let Some(page) = perfetto::page() else { return };
    let arguments = [
        page.parent().unwrap().to_owned(),
        env!("CARGO_BIN_EXE_ringtrace").into(),
        "-e".into(),
        testdata("boot-small.events"),
        testdata("boot-small.bin"),
    ];
    let Some(ran) = chromium::run(PAGE, &arguments) else { return };
    assert!(ran.succeeded().contains("boot-small.pftrace"));
}
