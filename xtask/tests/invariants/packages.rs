//! The packages of the workspace, as cargo describes them.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::root;

pub struct Package {
    pub name: String,
    /// Its Cargo.toml, relative to the workspace's root.
    pub manifest: PathBuf,
    /// The packages that it depends on. Dependencies of tests and build scripts are not included.
    pub dependencies: Vec<String>,
    /// Whether `cargo publish` accepts it.
    pub is_published: bool,
    description: Value,
}

/// Returns all packages of the workspace.
pub fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--locked"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array_mut().unwrap().drain(..).map(Package::new).collect()
}

impl Package {
    fn new(description: Value) -> Package {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let dependencies = description["dependencies"].as_array().unwrap();
        let normal = dependencies.iter().filter(|dependency| dependency["kind"].is_null());
        let manifest = text(&description["manifest_path"]);
        Package {
            name: text(&description["name"]),
            manifest: Path::new(&manifest).strip_prefix(root()).unwrap().to_owned(),
            dependencies: normal.map(|dependency| text(&dependency["name"])).collect(),
            is_published: description["publish"].as_array().is_none_or(|list| !list.is_empty()),
            description,
        }
    }

    /// Returns the name of the package's folder in `crates`, or `None` if it is elsewhere.
    pub fn crate_folder(&self) -> Option<String> {
        let folder = self.manifest.parent()?.strip_prefix("crates").ok()?;
        Some(folder.to_str().unwrap().to_owned())
    }

    /// Returns the fields that are missing from the manifest, or that crates.io would reject.
    pub fn missing_fields(&self) -> impl Iterator<Item = &'static str> {
        let has_text = |field: &str| self.description[field].as_str().is_some_and(|text| !text.is_empty());
        let count = |field: &str| self.description[field].as_array().map_or(0, Vec::len);
        let internal = self.description["dependencies"].as_array().unwrap().iter();
        let mut internal = internal.filter(|dependency| dependency["path"].is_string());
        let checks = [
            ("description", has_text("description")),
            ("license", has_text("license")),
            ("readme", has_text("readme")),
            ("rust-version", has_text("rust_version")),
            ("keywords (one to five)", (1..=5).contains(&count("keywords"))),
            ("categories", count("categories") > 0),
            ("package.metadata.docs.rs", self.description["metadata"]["docs"]["rs"].is_object()),
            // A development dependency without a version is dropped from the published manifest.
            (
                "version of a path dependency",
                internal.all(|dependency| dependency["kind"] == "dev" || dependency["req"] != "*"),
            ),
        ];
        checks.into_iter().filter(|(_, holds)| !holds).map(|(field, _)| field)
    }
}
