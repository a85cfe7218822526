//! Measures LTTng-UST, with a program in C and a session daemon of its own. Needs a C compiler and,
//! on Debian, the packages `lttng-tools` and `liblttng-ust-dev`.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::Measured;
use crate::ringtrace_probe::Session;

const BURSTS_A_ROUND: u64 = 200;
const EVENTS_A_BURST: u64 = 1000;
/// How long the program pauses, so that the daemon can read all events.
const PAUSE_US: u64 = 500;
const SESSION: &str = "ringtrace-peers";

pub fn measure(rounds: usize, _: &Session) -> Result<Measured, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let program = compile(&folder)?;
    let _daemon = Daemon::start(&folder)?;
    let output = folder.path().join("trace");
    lttng(&folder, &["create", SESSION, "--output", &output.to_string_lossy()])?;
    lttng(&folder, &["enable-channel", "--userspace", "--subbuf-size=1M", "--num-subbuf=8", "here"])?;
    lttng(&folder, &["enable-event", "--userspace", "--channel=here", "peers:two"])?;
    lttng(&folder, &["start"])?;
    let mut all = Vec::new();
    for _ in 0..rounds {
        let words = [BURSTS_A_ROUND, EVENTS_A_BURST, PAUSE_US].map(|number| number.to_string());
        let by_hand = crate::measure(1, |_| {}, |_| {}, |_| String::new());
        let text = run(home(Command::new(&program), &folder).args(words))?;
        let ns: f64 = text.trim().parse().map_err(|_| format!("emit: unexpected output {text:?}"))?;
        all.push([ns, by_hand.ns[1], by_hand.ns[2]]);
    }
    lttng(&folder, &["stop"])?;
    let listed = lttng(&folder, &["list", SESSION])?;
    let discarded = listed.lines().find_map(|line| line.trim().strip_prefix("Discarded events:"));
    let issued = all.len() as u64 * BURSTS_A_ROUND * EVENTS_A_BURST;
    let note = match discarded.map(str::trim) {
        Some("0") => "none discarded".to_owned(),
        Some(count) => format!("{count} of {issued} discarded"),
        None => "unknown".to_owned(),
    };
    lttng(&folder, &["destroy", SESSION])?;
    let of = |value: fn(&[f64; 3]) -> f64| {
        ringtrace_benches::recording::turns::median(all.iter().map(value).collect())
    };
    Ok(Measured {
        ns: [of(|ns| ns[0]), of(|ns| ns[1]), of(|ns| ns[2])],
        ratios: [of(|ns| ns[0] / ns[1]), of(|ns| ns[0] / ns[2])],
        note,
    })
}

fn compile(folder: &TempDir) -> Result<std::path::PathBuf, String> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lttng");
    let program = folder.path().join("emit");
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-I"]).arg(&sources).arg(sources.join("emit.c")).arg("-o").arg(&program);
    run(compiler.args(["-llttng-ust", "-ldl"]))
        .map_err(|why| format!("LTTng-UST or a C compiler is missing ({why})"))?;
    Ok(program)
}

fn lttng(folder: &TempDir, words: &[&str]) -> Result<String, String> {
    run(home(Command::new("lttng"), folder).arg("--no-sessiond").args(words))
}

/// Sets the folder for settings and sockets. LTTng ignores the setting when it runs as root.
fn home(mut command: Command, folder: &TempDir) -> Command {
    command.env("LTTNG_HOME", folder.path());
    command
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let first = stderr.lines().find(|line| line.to_lowercase().contains("error")).or(stderr.lines().next());
    Err(format!("{}: {}", command.get_program().display(), first.unwrap_or("no error message")))
}

struct Daemon(Child);

impl Daemon {
    fn start(folder: &TempDir) -> Result<Daemon, String> {
        let mut command = home(Command::new("lttng-sessiond"), folder);
        command.args(["--no-kernel", "--quiet"]).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().map_err(|error| format!("lttng-sessiond: {error}"))?;
        let daemon = Daemon(child);
        for _ in 0..100 {
            if lttng(folder, &["list"]).is_ok() {
                return Ok(daemon);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err("lttng-sessiond does not respond".to_owned())
    }
}

impl Drop for Daemon {
    /// Ends the daemon with SIGTERM, so that it also ends its consumer. `Child::kill` would send
    /// SIGKILL.
    fn drop(&mut self) {
        let asked = Command::new("kill").arg(self.0.id().to_string()).status();
        if !asked.is_ok_and(|status| status.success()) {
            let _ = self.0.kill();
        }
        let _ = self.0.wait();
    }
}
