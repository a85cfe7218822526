//! A terminal for tests: `tmux` reports what a program draws.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long to wait for an expected screen.
const TIMEOUT: Duration = Duration::from_mins(1);

/// When accepting, a screen is complete after it has not changed for this time.
const CALM: Duration = Duration::from_millis(700);

/// A terminal with a shell that finds the tool.
#[derive(Debug)]
pub struct Screen {
    /// The folder of tmux's socket, which is also the shell's home. The names of all such folders
    /// have the same length.
    folder: TempDir,
}

impl Screen {
    /// Opens a terminal of this size, with a shell in `folder`. Returns `None` if tmux is missing.
    pub fn open(columns: u32, rows: u32, folder: &Path) -> Option<Screen> {
        let screen = Screen { folder: tempfile::tempdir().unwrap() };
        if Command::new("tmux").arg("-V").stdout(Stdio::null()).status().is_err() {
            eprintln!("SKIPPED: no tmux (on Debian in the package tmux)");
            return None;
        }
        let configuration = "set -g status off\nset -g default-terminal screen\nset -s escape-time 0\n";
        std::fs::write(screen.folder.path().join("conf"), configuration).unwrap();
        // By default, a root shell has a different prompt, despite `PS1` in the environment.
        let begin = screen.folder.path().join("begin");
        std::fs::write(&begin, "PS1='$ '\n").unwrap();
        let tool = Path::new(env!("CARGO_BIN_EXE_ringtrace")).parent().unwrap();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(tool.to_owned()).chain(std::env::split_paths(&path));
        let mut tmux = screen.tmux();
        tmux.arg("-f").arg(screen.folder.path().join("conf"));
        tmux.args(["new-session", "-d", "-x", &columns.to_string(), "-y", &rows.to_string(), "exec sh"]);
        tmux.current_dir(folder).env("PATH", std::env::join_paths(path).unwrap()).env("ENV", begin);
        tmux.env("HOME", screen.folder.path()).env("LC_ALL", "C.UTF-8").env("TZ", "UTC");
        for name in ["XDG_STATE_HOME", "NO_COLOR", "COLUMNS", "LINES", "TMUX", "TERM"] {
            tmux.env_remove(name);
        }
        assert!(tmux.status().unwrap().success(), "tmux cannot start a session");
        // Wait for the shell: keys pressed before it reads would appear elsewhere on the screen.
        screen.wait_until("the shell", |seen| seen == "$\n");
        Some(screen)
    }

    pub fn home(&self) -> &Path {
        self.folder.path()
    }

    /// Presses keys: text to type, or tmux's key names, such as `Enter`, `Tab` and `C-c`.
    pub fn press(&self, keys: &[&str]) {
        let sent = self.tmux().arg("send-keys").args(keys).status().unwrap();
        assert!(sent.success(), "tmux cannot send keys");
    }

    /// Returns the screen's text, without trailing blanks and blank lines. With `colours`, it
    /// includes escape sequences.
    pub fn look(&self, colours: bool) -> String {
        let mut tmux = self.tmux();
        tmux.args(["capture-pane", "-p"]).args(colours.then_some("-e"));
        let seen = tmux.output().unwrap();
        assert!(seen.status.success(), "tmux cannot capture the screen");
        let text = String::from_utf8(seen.stdout).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        lines.join("\n").trim_end().to_owned() + "\n"
    }

    /// Waits until `is_so` accepts the screen, and returns it.
    pub fn wait_until(&self, what: &str, mut is_so: impl FnMut(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let seen = self.look(false);
            if is_so(&seen) {
                return seen;
            }
            assert!(start.elapsed() < TIMEOUT, "timed out waiting for {what}:\n{seen}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the screen no longer changes, and returns it. Used only when accepting.
    pub fn settle(&self, mask: &dyn Fn(&str) -> String) -> String {
        let (mut since, mut before) = (Instant::now(), String::new());
        while since.elapsed() < CALM {
            let seen = mask(&self.look(false));
            if seen != before {
                (since, before) = (Instant::now(), seen);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        before
    }

    fn tmux(&self) -> Command {
        let mut tmux = Command::new("tmux");
        tmux.arg("-u").arg("-S").arg(self.folder.path().join("tmux"));
        tmux.stdin(Stdio::null());
        tmux
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.tmux().arg("kill-server").stderr(Stdio::null()).status();
    }
}
