//! Packages that tests want of a registry, each in one version, in a folder of the workspace.

use std::fs;
use std::path::Path;

/// A package.
pub struct Package {
    /// Its name in the registry.
    pub name: &'static str,
    /// The one version that is installed: what a test meets today it meets tomorrow.
    pub version: &'static str,
    /// What it is for.
    pub purpose: &'static str,
}

/// Where packages are from, and how they are installed.
pub struct Registry {
    /// Its name.
    pub name: &'static str,
    /// The program that installs them.
    pub installer: &'static str,
    /// Where they are, relative to the workspace's root.
    pub folder: &'static str,
    /// All of them. None brings others: what they need would stand here, too.
    pub packages: &'static [Package],
    /// What the installer calls the version that is wanted.
    pub requirement: fn(&Package) -> String,
    /// Whether a folder has that version.
    pub has: fn(&Path, &Package) -> bool,
    /// Installs all into a folder that is new, and says whether it could.
    pub install: fn(&Path) -> bool,
    /// How a person installs one; its requirement comes behind.
    pub by_hand: &'static str,
}

impl Registry {
    /// Installs what `root` does not have, and says so, or what is missing.
    pub fn provide(&self, root: &Path) -> Result<Option<String>, Vec<String>> {
        let folder = root.join(self.folder);
        let absent = || -> Vec<&Package> {
            self.packages.iter().filter(|package| !(self.has)(&folder, package)).collect()
        };
        if absent().is_empty() {
            return Ok(None);
        }
        self.replace(&folder);
        let absent = absent();
        if absent.is_empty() {
            let names: Vec<String> = self.packages.iter().map(self.requirement).collect();
            let (installer, folder) = (self.installer, self.folder);
            return Ok(Some(format!("installed {} with {installer}, in {folder}", names.join(", "))));
        }
        let told = absent.into_iter().map(|package| {
            let (requirement, purpose) = ((self.requirement)(package), package.purpose);
            format!(
                "missing: {requirement} ({purpose}); from {}: `{} {requirement}`",
                self.name, self.by_hand
            )
        });
        Err(told.collect())
    }

    /// Installs all into a new folder, which takes the place of `folder`: who is interrupted leaves no half of a package.
    fn replace(&self, folder: &Path) {
        let fresh = folder.with_extension(format!("{}.new", std::process::id()));
        if (self.install)(&fresh) {
            let _ = fs::remove_dir_all(folder);
            let _ = fs::rename(&fresh, folder);
        }
        let _ = fs::remove_dir_all(&fresh);
    }
}
