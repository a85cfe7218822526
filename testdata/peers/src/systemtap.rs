//! SystemTap as far as it goes without a kernel's headers: its first two passes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A folder for scripts, and beside them a kernel that has nothing but what SystemTap asks for.
#[derive(Debug)]
pub struct Place {
    folder: TempDir,
}

impl Place {
    /// Makes it.
    pub fn new() -> Place {
        let place = Place { folder: TempDir::new().unwrap() };
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

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What is called `name` in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// What stap says after its pass `pass`, as `-p2`, over `arguments`. It must find nothing wrong. `None`: there is no stap.
    pub fn stap(&self, pass: &str, arguments: &[&str]) -> Option<String> {
        let mut stap = Command::new("stap");
        // It keeps what it finds out in the user's home, else.
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

impl Default for Place {
    fn default() -> Place {
        Place::new()
    }
}
