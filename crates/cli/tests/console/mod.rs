//! Conversations with the tool: shell commands, each followed by its expected output.
//!
//! ```text
//! $ ringtrace explain format-type | head -1
//! format-type: a conversion does not match the argument's type
//! $ ringtrace print no-such-file
//! error: no-such-file: No such file or directory
//! [exit 4]
//! ```
//!
//! A line that starts with `$ ` is a shell command, and continues on the next line if it ends with
//! a backslash. The lines after it are its output on both streams, and its exit status if that is
//! not 0. The shell finds the tool by all of its names, and the terminal has 80 columns, UTF-8 and
//! no colours. Conversations are in files `*.console`, and in blocks marked `console` in documents.
//! `RINGTRACE_ACCEPT=1` writes the current output to these files and documents.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]
#![allow(dead_code, reason = "each test program uses some functions")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Whether to write golden files instead of comparing them.
pub fn accepting() -> bool {
    std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1")
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The folder in which commands run, and a folder of programs that is added to PATH.
pub struct Shell {
    folder: PathBuf,
    names: TempDir,
}

impl Shell {
    /// Creates a shell that finds the tool under all of its names.
    pub fn new(folder: impl Into<PathBuf>) -> Shell {
        // Tests of other crates do not have this variable. They pass their own programs to `with`.
        let tool = option_env!("CARGO_BIN_EXE_ringtrace").map(Path::new).unwrap();
        Shell::with(folder, ["ringtrace", "simpletrace", "kvmtrace_format"].map(|name| (name, tool)))
    }

    /// Creates a shell that finds programs under these names.
    pub fn with<'p>(
        folder: impl Into<PathBuf>,
        programs: impl IntoIterator<Item = (&'p str, &'p Path)>,
    ) -> Shell {
        let names = tempfile::tempdir().unwrap();
        for (name, program) in programs {
            std::os::unix::fs::symlink(program, names.path().join(name)).unwrap();
        }
        Shell { folder: folder.into(), names }
    }

    /// Runs the command `line` and returns its output.
    pub fn answer(&self, line: &str) -> String {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(self.names.path().to_owned()).chain(std::env::split_paths(&path));
        let (mut reader, writer) = std::io::pipe().unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(&self.folder).stdin(Stdio::null());
        shell.env("PATH", std::env::join_paths(path).unwrap()).env("LC_ALL", "C.UTF-8").env("TZ", "UTC");
        // Hide the arenas of other processes, because programs report those that they find.
        shell.env("RINGTRACE_DIR", self.names.path().join("arenas"));
        // The output must not depend on the user's settings.
        shell.env("XDG_CONFIG_HOME", self.names.path().join("config"));
        for name in ["COLUMNS", "LC_CTYPE", "LANG", "NO_COLOR", "CLICOLOR_FORCE", "TERM"] {
            shell.env_remove(name);
        }
        // Set the width. Without a terminal, the tool's tables can have any width.
        if self.names.path().join("ringtrace").exists() {
            shell.env("COLUMNS", "80");
        }
        shell.stdout(writer.try_clone().unwrap()).stderr(writer);
        let mut child = shell.spawn().unwrap();
        // `shell` owns our copies of the write end, which would keep the pipe open.
        drop(shell);
        let mut said = Vec::new();
        std::io::Read::read_to_end(&mut reader, &mut said).unwrap();
        let status = child.wait().unwrap();
        let mut said = String::from_utf8_lossy(&said).into_owned();
        if !said.is_empty() && !said.ends_with('\n') {
            said.push('\n');
        }
        if !status.success() {
            let code = status.code().unwrap_or_else(|| panic!("`{line}` was killed: {status}"));
            said.push_str(&format!("[exit {code}]\n"));
        }
        said
    }

    /// Runs the commands in `text`, and returns it with their current output.
    pub fn held_now(&self, text: &str) -> String {
        let mut now = String::new();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let Some(first) = line.strip_prefix("$ ") else { continue };
            now.push_str(&format!("{line}\n"));
            let mut command = first.to_owned();
            while command.ends_with('\\')
                && let Some(line) = lines.next()
            {
                command.truncate(command.len() - 1);
                command.push_str(line);
                now.push_str(&format!("{line}\n"));
            }
            now.push_str(&self.answer(&typed(&command)));
        }
        now
    }

    /// Checks the conversations in all files `*.console` of `folder`.
    pub fn hold_all(&self, folder: &Path) {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<PathBuf> =
            files.filter(|path| path.extension().is_some_and(|it| it == "console")).collect();
        files.sort();
        assert!(!files.is_empty(), "{} contains no sessions", folder.display());
        let differing: Vec<String> = files
            .iter()
            .filter_map(|file| {
                let accepted = fs::read_to_string(file).unwrap();
                expect(file, &accepted, &self.held_now(&accepted))
            })
            .collect();
        assert!(differing.is_empty(), "RINGTRACE_ACCEPT=1 accepts\n{}", differing.join("\n"));
    }
}

/// Compares `now` with the accepted text, and returns a description of the difference. When
/// accepting, writes `now` to `file` instead.
pub fn expect(file: &Path, accepted: &str, now: &str) -> Option<String> {
    if accepted == now {
        return None;
    }
    if accepting() {
        fs::write(file, now).unwrap();
        return None;
    }
    let same = accepted.lines().zip(now.lines()).take_while(|(accepted, now)| accepted == now).count();
    let from =
        |text: &str| text.lines().skip(same).take(20).map(|line| format!("{line}\n")).collect::<String>();
    Some(format!(
        "{} from line {}\n--- accepted\n{}--- now\n{}",
        file.display(),
        same + 1,
        from(accepted),
        from(now)
    ))
}

/// Returns `command` with `cargo run` replaced by the tool that was built for the tests.
fn typed(command: &str) -> String {
    command.replace("cargo run --release -- ", "ringtrace ")
}
