//! Takes the pictures in `docs/images` from real runs: `ringtrace top`, a report, and traces in
//! Perfetto's UI. `cargo xtask pictures` builds the programs and calls this one.
//!
//! ```text
//! pictures PROGRAMS OUT [NAME]...
//! ```
//!
//! PROGRAMS is the folder that contains `ringtrace`, `engine` and `async-server`. The pictures are
//! written to OUT: those that NAME selects (`top`, `engine`, `tracing`), or all.
//! This needs tmux, aha, pngquant, Chromium and the packages that `cargo xtask check` installs.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a tool for developers: it prints, and panics on failure"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ringtrace_peers::{chromium, perfetto};

/// The engine's requests, for the report and for Perfetto.
const PAIRS: &str = "\
pair get
  begin get_begin op
  end get_end op
  track tid
pair put
  begin put_begin op
  end put_end op
  track tid
pair disk request
  begin blk_submit req
  end blk_complete req
";

/// Takes a screenshot of a page of WIDTH by HEIGHT CSS pixels.
const SCREENSHOT: &str = r"
const [url, out, width, height] = args;
await page.setViewportSize({ width: Number(width), height: Number(height) });
await page.goto('file://' + url);
await page.screenshot({ path: out });
";

/// Expands all groups in Perfetto's UI, zooms in, selects a request, and takes a screenshot.
const PERFETTO: &str = r#"
await page.setViewportSize({ width: 1280, height: 900 });
const closed = page.locator('.pf-track__collapse-button i:text-is("expand_more")');
for (let count; (count = await closed.count()) > 0;) {
    await closed.first().click();
    await page.waitForTimeout(300);
}
const search = page.locator('.pf-omnibox input').first();
await search.fill('get_begin');
await page.locator('.pf-omnibox__stepthrough-current, .pf-omnibox').getByText(' / ').waitFor();
for (let step = 0; step < 300; step++) await search.press('Enter');
await page.getByText('Arguments', { exact: true }).waitFor();
await search.evaluate(element => element.blur());
await page.keyboard.press('f');
await page.waitForTimeout(500);
await page.mouse.move(800, 300);
for (let step = 0; step < 6; step++) {
    await page.keyboard.press('s', { delay: 150 });
    await page.waitForTimeout(100);
}
await page.waitForTimeout(3000);
await page.screenshot({ path: args[2] });
"#;

/// Takes a screenshot of three requests of the async server, in larger letters than usual.
///
/// The trace contains nothing else, so the page shows the right time range without zooming.
const REQUESTS: &str = r#"
const large = await browser.newPage({ viewport: { width: 1024, height: 512 }, deviceScaleFactor: 1.25 });
await large.goto(new URL(page.url()).origin);
await large.locator('.pf-track').first().waitFor();
await large.locator('.pf-track__collapse-button i:text-is("expand_more")').last().click();
await large.mouse.move(600, 100);
// Tracks grow when their slices are loaded.
await large.waitForTimeout(2000);
await large.locator('.pf-track').last().evaluate(track => {
    while (track.scrollHeight <= track.clientHeight) track = track.parentElement;
    track.scrollTop = track.scrollHeight;
});
await large.waitForTimeout(2000);
await large.screenshot({ path: args[2] });
"#;

/// The ids of these requests. The server has two connections to its database, so the third request
/// waits until the second has finished its query, which takes `id % 8` ms.
const REQUEST_IDS: [u64; 3] = [19, 9, 49];

/// Takes a picture, or several from one recording.
type Take = fn(&Pictures);

/// The pictures by name.
const PICTURES: [(&str, Take); 3] =
    [("top", Pictures::top), ("engine", Pictures::engine), ("tracing", Pictures::tracing)];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [programs, out, names @ ..] = arguments.as_slice() else {
        panic!("usage: pictures PROGRAMS OUT [NAME]...")
    };
    for name in names {
        assert!(
            PICTURES.iter().any(|(known, _)| known == name),
            "{name}: not one of {:?}",
            PICTURES.map(|it| it.0)
        );
    }
    let program = |name| Path::new(programs).join(name).canonicalize().unwrap();
    let pictures = Pictures {
        tool: program("ringtrace"),
        engine: program("engine"),
        server: program("async-server"),
        out: Path::new(out).canonicalize().unwrap(),
        folder: tempfile::tempdir().unwrap(),
    };
    for (name, take) in PICTURES {
        if names.is_empty() || names.iter().any(|wanted| wanted == name) {
            take(&pictures);
        }
    }
}

struct Pictures {
    tool: PathBuf,
    engine: PathBuf,
    server: PathBuf,
    out: PathBuf,
    folder: tempfile::TempDir,
}

impl Pictures {
    /// Takes a picture of `ringtrace top` beside an engine with all events on, as tmux shows it
    /// after a few seconds.
    fn top(&self) {
        let socket = self.folder.path().join("engine.sock");
        let mut engine = Command::new(&self.engine)
            .args(["--monitor", &format!("unix:{}", socket.display())])
            .args(["--trace", "*,file=engine.trace"])
            .current_dir(&self.folder)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let limit = Instant::now() + Duration::from_secs(10);
        while !socket.exists() {
            assert!(Instant::now() < limit, "the engine is not listening on {}", socket.display());
            sleep(Duration::from_millis(20));
        }
        let screen = Screen::start(&self.folder.path().join("tmux.sock"));
        let command = format!("exec {} top {}", self.tool.display(), socket.display());
        screen.tmux(&["new-session", "-d", "-x", "96", "-y", "24", "sh", "-c", &command]);
        sleep(Duration::from_secs(45));
        let text = screen.tmux(&["capture-pane", "-e", "-p"]);
        drop(screen);
        terminate(&mut engine);

        let captured = self.folder.path().join("top.ansi");
        std::fs::write(&captured, text).unwrap();
        let html = run(Command::new("aha").args(["--black", "--title", "top", "-f"]).arg(&captured));
        let page = self.folder.path().join("top.html");
        let styled = String::from_utf8(html)
            .unwrap()
            .replace("<pre>", "<pre style=\"font: 14px/1.25 'DejaVu Sans Mono', monospace; margin: 12px\">");
        std::fs::write(&page, styled).unwrap();
        self.screenshot(&page, "top.png", (840, 450));
    }

    /// Takes pictures of a recording of the engine: its report, and the same trace in Perfetto's
    /// page.
    fn engine(&self) {
        let trace = self.folder.path().join("engine.trace");
        let option = format!("*,policy=block,file={}", trace.display());
        run(Command::new(&self.engine).args(["--seconds", "4", "--slow", "read=+50%", "--trace", &option]));
        let pairs = self.folder.path().join("engine.pairs");
        std::fs::write(&pairs, PAIRS).unwrap();
        let page = self.folder.path().join("report.html");
        run(Command::new(&self.tool)
            .args(["report", "--pairs"])
            .arg(&pairs)
            .arg(&trace)
            .arg("-o")
            .arg(&page));
        self.screenshot(&page, "report.png", (1280, 1000));

        self.perfetto(&trace, &["--pairs".as_ref(), pairs.as_path()], PERFETTO, "perfetto.png");
    }

    /// Takes a picture of a few requests of the async server, which uses `tracing`, in Perfetto's
    /// page.
    fn tracing(&self) {
        let trace = self.folder.path().join("server.trace");
        let option = format!("async_server::*,policy=block,file={}", trace.display());
        let mut server =
            Command::new(&self.server).args(["--trace", &option]).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(server.stdout.take().unwrap());
        let mut address = String::new();
        stdout.read_line(&mut address).unwrap();
        let host = address.trim().trim_start_matches("http://");
        // All requests arrive at nearly the same time, after the server has accepted the connections.
        let mut clients = REQUEST_IDS.map(|id| (id, TcpStream::connect(host).unwrap()));
        sleep(Duration::from_secs(1));
        for (id, client) in &mut clients {
            write!(client, "GET /read/{id} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        }
        for (id, client) in &mut clients {
            let mut answer = String::new();
            client.read_to_string(&mut answer).unwrap();
            assert!(answer.starts_with("HTTP/1.1 200"), "request {id}: {answer}");
        }
        terminate(&mut server);
        self.perfetto(&trace, &[], REQUESTS, "tracing.png");
    }

    /// Exports `trace` with `options`, opens it in Perfetto's page, and keeps the screenshot that
    /// `steps` take.
    fn perfetto(&self, trace: &Path, options: &[&Path], steps: &str, name: &str) {
        let exported = trace.with_extension("pftrace");
        run(Command::new(&self.tool).arg("export").args(options).arg(trace).arg("-o").arg(&exported));
        let picture = self.folder.path().join(name);
        perfetto::in_page(&exported, steps, &[&picture])
            .expect("Chromium or the Perfetto page was not found");
        self.keep(&picture, name);
    }

    fn screenshot(&self, page: &Path, name: &str, (width, height): (u32, u32)) {
        let picture = self.folder.path().join(name);
        let [width, height] = [width, height].map(|pixels| pixels.to_string());
        let arguments = [page.as_os_str(), picture.as_os_str(), width.as_ref(), height.as_ref()];
        chromium::run(SCREENSHOT, &arguments).expect("no Chromium").succeeded();
        self.keep(&picture, name);
    }

    /// Writes `picture` to the folder of pictures, reduced to 64 colours, which saves two thirds of
    /// the bytes.
    fn keep(&self, picture: &Path, name: &str) {
        let out = self.out.join(name);
        run(Command::new("pngquant").args(["--force", "64", "--output"]).arg(&out).arg("--").arg(picture));
        println!("{}, {} bytes", out.display(), std::fs::metadata(&out).unwrap().len());
    }
}

/// A separate tmux server, which ends when this is dropped.
struct Screen {
    socket: PathBuf,
}

impl Screen {
    fn start(socket: &Path) -> Screen {
        Screen { socket: socket.to_owned() }
    }

    fn tmux(&self, arguments: &[&str]) -> Vec<u8> {
        let mut tmux = Command::new("tmux");
        tmux.env("TERM", "xterm-256color").env("COLORTERM", "truecolor").env_remove("TMUX");
        run(tmux.arg("-S").arg(&self.socket).args(arguments))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

/// Ends `program` with SIGTERM.
fn terminate(program: &mut Child) {
    run(Command::new("kill").arg(program.id().to_string()));
    program.wait().unwrap();
}

/// Returns the standard output of `command`.
///
/// # Panics
/// Panics if the command cannot be started, or fails.
fn run(command: &mut Command) -> Vec<u8> {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}
