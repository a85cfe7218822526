//! Runs the first two passes of SystemTap, which do not need kernel headers.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A folder for scripts, with the minimal kernel tree that SystemTap needs.
#[derive(Debug)]
pub struct ScriptFolder {
    folder: TempDir,
}

impl ScriptFolder {
    /// Creates the folder.
    pub fn new() -> ScriptFolder {
        let place = ScriptFolder { folder: TempDir::new().unwrap() };
        let kernel = place.path("kernel");
        std::fs::create_dir_all(kernel.join("include/config")).unwrap();
        for (file, text) in [
            (".config", "CONFIG_TRACEPOINTS=y\nCONFIG_ARCH_SUPPORTS_UPROBES=y\nCONFIG_UPROBES=y\n"),
            ("Makefile", ""),
            ("Module.symvers", ""),
            ("include/config/kernel.release", "6.1.0\n"),
        ] {
            std::fs::write(kernel.join(file), text).unwrap();
        }
        place
    }

    /// Returns the path of the folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the path of the file `name`.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// Runs stap up to a pass, such as `-p2`, and returns its output. Returns `None` if stap is
    /// missing.
    pub fn stap(&self, pass: &str, arguments: &[&str]) -> Option<String> {
        let mut stap = Command::new("stap");
        // The default cache folder is in the user's home folder.
        stap.env("SYSTEMTAP_DIR", self.path("cache")).current_dir(self.folder()).stdin(Stdio::null());
        stap.arg("-r").arg(self.path("kernel")).args(["-w", pass]).args(arguments);
        let output = match stap.output() {
            Ok(output) => output,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                eprintln!("SKIPPED: no stap (on Debian in the package systemtap)");
                return None;
            }
            Err(error) => panic!("{stap:?}: {error}"),
        };
        assert!(output.status.success(), "{stap:?}\n{}", String::from_utf8_lossy(&output.stderr));
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

impl Default for ScriptFolder {
    fn default() -> ScriptFolder {
        ScriptFolder::new()
    }
}
