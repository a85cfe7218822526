//! npm and PyPI packages that tests need. Each has a fixed version and is in a folder below
//! `target`.

use std::fs;
use std::path::Path;

pub struct Package {
    pub name: &'static str,
    /// The only version that is installed, so that tests give the same results every day.
    pub version: &'static str,
    /// Why tests need it.
    pub purpose: &'static str,
}

/// A registry, and how to install packages from it.
pub struct Registry {
    pub name: &'static str,
    /// The program that installs packages.
    pub installer: &'static str,
    /// The folder of the packages, relative to the workspace's root.
    pub folder: &'static str,
    /// All wanted packages. Dependencies are not installed automatically, so they are listed, too.
    pub packages: &'static [Package],
    /// Returns the name and version in the installer's syntax.
    pub requirement: fn(&Package) -> String,
    /// Returns whether a folder contains the wanted version.
    pub has: fn(&Path, &Package) -> bool,
    /// Installs all packages into a new folder. Returns whether that succeeded.
    pub install: fn(&Path) -> bool,
    /// The command that installs one package by hand, to be followed by the package's requirement.
    pub by_hand: &'static str,
}

impl Registry {
    /// Installs the packages that are missing below `root`.
    ///
    /// Returns a line to print if something was installed.
    ///
    /// # Errors
    /// Returns a line for each package that is still missing.
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
        let lines = absent.into_iter().map(|package| {
            let (requirement, purpose) = ((self.requirement)(package), package.purpose);
            format!(
                "missing: {requirement} ({purpose}); from {}: `{} {requirement}`",
                self.name, self.by_hand
            )
        });
        Err(lines.collect())
    }

    /// Installs all packages into a new folder, which then replaces `folder`, so that an
    /// interrupted run leaves no incomplete package.
    fn replace(&self, folder: &Path) {
        let fresh = folder.with_extension(format!("{}.new", std::process::id()));
        if (self.install)(&fresh) {
            let _ = fs::remove_dir_all(folder);
            let _ = fs::rename(&fresh, folder);
        }
        let _ = fs::remove_dir_all(&fresh);
    }
}
