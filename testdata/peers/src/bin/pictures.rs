//! Takes the pictures in `docs/images` from real runs: `ringtrace top`, a report, and a trace in
//! Perfetto's UI. `cargo xtask pictures` builds the programs and calls this one.
//!
//! ```text
//! pictures PROGRAMS OUT
//! ```
//!
//! PROGRAMS is the folder that contains `ringtrace` and `engine`. The pictures are written to OUT.
//! This needs tmux, aha, pngquant, Chromium and the packages that `cargo xtask check` installs.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a tool for developers: it prints, and panics on failure"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
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

fn main() {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [programs, out] = arguments.as_slice() else { panic!("usage: pictures PROGRAMS OUT") };
    let pictures = Pictures {
        tool: programs.join("ringtrace").canonicalize().unwrap(),
        engine: programs.join("engine").canonicalize().unwrap(),
        out: out.canonicalize().unwrap(),
        folder: tempfile::tempdir().unwrap(),
    };
    pictures.top();
    pictures.trace();
}

struct Pictures {
    tool: PathBuf,
    engine: PathBuf,
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
        run(Command::new("kill").arg(engine.id().to_string()));
        engine.wait().unwrap();

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
    /// UI.
    fn trace(&self) {
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

        let exported = self.folder.path().join("engine.pftrace");
        run(Command::new(&self.tool)
            .args(["export", "--pairs"])
            .arg(&pairs)
            .arg(&trace)
            .arg("-o")
            .arg(&exported));
        let picture = self.folder.path().join("perfetto.png");
        perfetto::in_page(&exported, PERFETTO, &[&picture]).expect("Chromium or Perfetto's UI was not found");
        self.keep(&picture, "perfetto.png");
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

/// Returns the standard output of `command`.
///
/// # Panics
/// Panics if the command cannot be started, or fails.
fn run(command: &mut Command) -> Vec<u8> {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}
