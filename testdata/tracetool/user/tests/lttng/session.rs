//! Sessions of LTTng: the real daemon records, the real reader prints.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Root's daemon is the machine's: there can be one, and its sockets are where everybody looks. Any other user has one of his own, in his
/// home. So root becomes nobody here.
const NOBODY: u32 = 65534;

/// Beyond this, whatever is waited for does not come.
const PATIENCE: Duration = Duration::from_secs(60);

/// A daemon of our own, in a home of its own. It ends with this.
pub struct Daemon {
    home: TempDir,
    child: Child,
}

impl Daemon {
    pub fn start() -> Daemon {
        let home = tempfile::tempdir().unwrap();
        if is_root() {
            fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
            chown(home.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let mut command = as_user("lttng-sessiond", home.path());
        command.arg("--no-kernel").stdin(Stdio::null()).stdout(Stdio::null());
        let log = fs::File::create(home.path().join("lttng-sessiond.log")).unwrap();
        let child = command
            .stderr(log)
            .spawn()
            .unwrap_or_else(|error| panic!("lttng-sessiond: {error}; it is in Debian's package lttng-tools"));
        let daemon = Daemon { home, child };
        let begin = Instant::now();
        while !daemon.lttng(&["list"]).status.success() {
            let log = || fs::read_to_string(daemon.home.path().join("lttng-sessiond.log")).unwrap();
            assert!(begin.elapsed() < PATIENCE, "no daemon after {PATIENCE:?}: {}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
        daemon
    }

    /// The folder in which everything is.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// A program that the daemon's user starts.
    pub fn program(&self, path: &Path) -> Command {
        as_user(self.copy_of(path), self.home.path())
    }

    /// The program at `path` where any user can reach it: a build's folder may be root's.
    pub fn copy_of(&self, path: &Path) -> PathBuf {
        let copy = self.home.path().join(path.file_name().unwrap());
        if !copy.exists() {
            fs::copy(path, &copy).unwrap();
            fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).unwrap();
        }
        copy
    }

    /// What sessions record of `events` while `program` runs: events with their values, as babeltrace2 prints them, but for times and
    /// processors; what is not ASCII is escaped.
    pub fn record(&self, name: &str, events: &[&str], program: impl FnOnce()) -> Vec<String> {
        let trace = self.home.path().join(name);
        let output = format!("--output={}", trace.display());
        self.command(&["create", name, &output]);
        for event in events {
            self.command(&["enable-event", "--userspace", event]);
        }
        self.command(&["start"]);
        program();
        self.command(&["stop"]);
        self.command(&["destroy", name]);
        self.printed(&trace)
    }

    fn printed(&self, trace: &Path) -> Vec<String> {
        let output = as_user("babeltrace2", self.home.path())
            .arg(trace)
            .output()
            .unwrap_or_else(|error| panic!("babeltrace2: {error}; it is in Debian's package babeltrace2"));
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !told.contains("discarded"), "babeltrace2: {told}");
        let lines = output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let escaped = |line: &[u8]| line.escape_ascii().to_string().replace("\\\"", "\"");
        lines.map(|line| without_circumstances(&escaped(line))).collect()
    }

    /// What `lttng` has to do.
    pub fn command(&self, arguments: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.lttng(arguments);
        let [stdout, stderr] = [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(status.success(), "lttng {arguments:?}: {stdout}{stderr}");
        stdout
    }

    fn lttng(&self, arguments: &[&str]) -> Output {
        // It would start a daemon by itself; and it would wait for one that hangs.
        let mut command = as_user("timeout", self.home.path());
        command.arg(PATIENCE.as_secs().to_string()).args(["lttng", "--no-sessiond"]).args(arguments);
        command.stdin(Stdio::null()).output().unwrap()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // When it is asked to end, it takes those that it started with it.
        let _ = Command::new("sh").args(["-c", &format!("kill {}", self.child.id())]).status();
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `program` as the daemon's user, who knows of no other daemon.
fn as_user(program: impl AsRef<OsStr>, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(home).env("HOME", home).env("LTTNG_HOME", home).env("LC_ALL", "C.UTF-8");
    // Programs begin when the daemon knows them.
    command.env("LTTNG_UST_REGISTER_TIMEOUT", "-1").env("RINGTRACE_DIR", home);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    Path::new("/proc/self").metadata().unwrap().uid() == 0
}

/// `PROVIDER:EVENT { NAME = VALUE, ... }` of `[TIME] (+TIME) HOST PROVIDER:EVENT: { cpu_id = 0 }, { ... }`.
fn without_circumstances(line: &str) -> String {
    let parts = line
        .split_once(": { cpu_id = ")
        .and_then(|(before, after)| Some((before.rsplit(' ').next()?, after.split_once(" }, ")?.1)));
    let (event, values) = parts.unwrap_or_else(|| panic!("not as expected: {line}"));
    format!("{event} {values}")
}
