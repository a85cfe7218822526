//! LTTng sessions with the real daemon and reader.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The daemon of root serves the whole machine: there can be only one, and its location is fixed.
/// Other users have daemons of their own in their home folders. Root therefore runs the daemon as
/// this user.
const NOBODY: u32 = 65534;

const TIMEOUT: Duration = Duration::from_secs(60);

/// A daemon with a home folder of its own. It ends when this is dropped.
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
            assert!(begin.elapsed() < TIMEOUT, "no daemon after {TIMEOUT:?}: {}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
        daemon
    }

    /// The home folder.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Returns a command that runs a program as the daemon's user.
    pub fn program(&self, path: &Path) -> Command {
        as_user(self.copy_of(path), self.home.path())
    }

    /// Copies the program at `path` to a folder that every user can read. A build folder may belong
    /// to root.
    pub fn copy_of(&self, path: &Path) -> PathBuf {
        let copy = self.home.path().join(path.file_name().unwrap());
        if !copy.exists() {
            fs::copy(path, &copy).unwrap();
            fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).unwrap();
        }
        copy
    }

    /// Records `events` while `program` runs. Returns the events and their values as babeltrace2
    /// prints them, without times and processors, and with characters other than ASCII escaped.
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

    /// Runs an `lttng` command.
    pub fn command(&self, arguments: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.lttng(arguments);
        let [stdout, stderr] = [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(status.success(), "lttng {arguments:?}: {stdout}{stderr}");
        stdout
    }

    fn lttng(&self, arguments: &[&str]) -> Output {
        // By default, lttng would start a daemon itself, and would wait for a daemon that hangs.
        let mut command = as_user("timeout", self.home.path());
        command.arg(TIMEOUT.as_secs().to_string()).args(["lttng", "--no-sessiond"]).args(arguments);
        command.stdin(Stdio::null()).output().unwrap()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // A daemon that gets SIGTERM ends its children, too.
        let _ = Command::new("sh").args(["-c", &format!("kill {}", self.child.id())]).status();
        let begin = Instant::now();
        while begin.elapsed() < TIMEOUT && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs `program` as the daemon's user, without access to other daemons.
fn as_user(program: impl AsRef<OsStr>, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(home).env("HOME", home).env("LTTNG_HOME", home).env("LC_ALL", "C.UTF-8");
    // Programs do not start running until the daemon knows them.
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

/// Shortens `[TIME] (+TIME) HOST PROVIDER:EVENT: { cpu_id = 0 }, { ... }` to `PROVIDER:EVENT { NAME
/// = VALUE, ... }`.
fn without_circumstances(line: &str) -> String {
    let parts = line
        .split_once(": { cpu_id = ")
        .and_then(|(before, after)| Some((before.rsplit(' ').next()?, after.split_once(" }, ")?.1)));
    let (event, values) = parts.unwrap_or_else(|| panic!("not as expected: {line}"));
    format!("{event} {values}")
}
