//! A QEMU source tree: recognizes it, replaces its tracing with ringtrace, and restores it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The releases with which the whole command was tried.
pub const TRIED: [&str; 2] = ["10.0", "10.2"];

/// C files that the library replaces: the folder and the file's name.
const REPLACED: [(&str, &str); 5] = [
    ("trace", "control.c"),
    ("trace", "control-target.c"),
    ("trace", "ftrace.c"),
    ("trace", "simple.c"),
    ("stubs", "trace-control.c"),
];

/// The line that links the library. It is added at the end of `trace/meson.build`.
const LINK: &str = "trace_ss.add(dependency('ringtrace', static: true))\n";

/// The generator's script.
const SCRIPT: &str = "scripts/tracetool.py";

/// The folder in a changed tree that contains the original files.
const ORIGINALS: &str = ".ringtrace-originals";

/// The file in [`ORIGINALS`] that lists the files that were added to the tree.
const ADDED: &str = "ADDED";

/// A QEMU source tree.
#[derive(Debug)]
pub struct Tree {
    pub root: PathBuf,
    /// The version, such as `10.2.2`.
    pub version: String,
}

/// A file that is different in the changed tree.
struct Change {
    /// The path in the tree.
    path: PathBuf,
    /// The new contents; `None` if the file is removed.
    contents: Option<Vec<u8>>,
}

impl Tree {
    /// Recognizes the tree in a folder.
    ///
    /// # Errors
    /// Fails if the folder does not contain QEMU's sources.
    pub fn open(root: &Path) -> Result<Tree, String> {
        let root = std::path::absolute(root).map_err(|error| at(root, &error))?;
        if !root.is_dir() {
            return Err(format!("{}: no such folder", root.display()));
        }
        let needed =
            ["VERSION", "configure", "meson.build", "trace/meson.build", "stubs/meson.build", SCRIPT];
        if let Some(absent) = needed.iter().find(|name| !root.join(name).is_file()) {
            return Err(format!(
                "{} is not a source tree of QEMU: it has no {absent}\n  help: on Debian, `apt-get source qemu` unpacks one",
                root.display()
            ));
        }
        let version = read_text(&root.join("VERSION"))?.trim().to_owned();
        Ok(Tree { root, version })
    }

    /// Whether the command was tried with this release.
    pub fn was_tried(&self) -> bool {
        was_tried(&self.version)
    }

    /// Whether the tree contains a Python package, as release archives do.
    pub fn has_wheel(&self, package: &str) -> bool {
        let wheels = files_below(&self.root.join("python/wheels")).unwrap_or_default();
        let prefix = format!("{package}-");
        wheels.iter().filter_map(|wheel| wheel.file_name()?.to_str()).any(|name| name.starts_with(&prefix))
    }

    /// Whether the build of the tree needs a Python package.
    pub fn build_needs(&self, package: &str) -> bool {
        let list = fs::read_to_string(self.root.join("pythondeps.toml")).unwrap_or_default();
        list.lines().any(|line| line.split('=').next().is_some_and(|name| name.trim() == package))
    }

    /// Copies the tree to `folder`, unless a copy is there already. Returns the copy.
    ///
    /// # Errors
    /// Fails if files cannot be copied, or if the copy is of another version.
    pub fn copy(&self, folder: &Path) -> Result<Tree, String> {
        if !folder.exists() {
            // Copy under another name first, so that an interrupted copy is not used later.
            let partial = folder.with_extension("partial");
            let _ = fs::remove_dir_all(&partial);
            copy_folder(&self.root, &partial)?;
            fs::rename(&partial, folder).map_err(|error| at(folder, &error))?;
        }
        let copy = Tree::open(folder)?;
        if copy.version != self.version {
            return Err(format!(
                "{} contains version {}, not {}\n  help: delete it, or name another folder with --build",
                folder.display(),
                copy.version,
                self.version
            ));
        }
        Ok(copy)
    }

    /// Replaces QEMU's tracing with the library in `installed`. Saves the files that it changes. A
    /// tree that was changed before is brought up to date.
    ///
    /// # Errors
    /// Fails before changing anything if the tree is not as expected. Also fails if a file cannot
    /// be written.
    pub fn change(&self, installed: &Path) -> Result<(), String> {
        let changes = self.changes(installed)?;
        for change in &changes {
            self.save(&change.path)?;
        }
        for Change { path, contents } in &changes {
            let file = self.root.join(path);
            match contents {
                // A file with the same contents keeps its time, so that it is not compiled again.
                Some(contents) if fs::read(&file).is_ok_and(|present| present == *contents) => {}
                // Replace the file instead of writing into it: it may have other names (hard
                // links).
                Some(contents) => {
                    let new = file.with_extension("ringtrace-new");
                    fs::write(&new, contents).map_err(|error| at(&new, &error))?;
                    fs::rename(&new, &file).map_err(|error| at(&file, &error))?;
                }
                None => remove(&file)?,
            }
        }
        Ok(())
    }

    /// Restores the files that [`Tree::change`] changed. Returns their number.
    ///
    /// # Errors
    /// Fails if the tree was not changed, or if files cannot be moved.
    pub fn revert(&self) -> Result<usize, String> {
        let originals = self.root.join(ORIGINALS);
        if !originals.is_dir() {
            return Err(format!("{} was not changed with --in-place", self.root.display()));
        }
        let added = self.added()?;
        for path in added.lines() {
            remove(&self.root.join(path))?;
        }
        let _ = fs::remove_file(originals.join(ADDED));
        let saved = files_below(&originals)?;
        for file in &saved {
            let path = file.strip_prefix(&originals).unwrap_or(file);
            fs::rename(file, self.root.join(path)).map_err(|error| at(file, &error))?;
        }
        fs::remove_dir_all(&originals).map_err(|error| at(&originals, &error))?;
        Ok(saved.len() + added.lines().count())
    }

    /// Returns the changes that replace QEMU's tracing with the library in `installed`.
    fn changes(&self, installed: &Path) -> Result<Vec<Change>, String> {
        let mut changes = Vec::new();
        let mut write = |path: &str, contents: Vec<u8>| {
            changes.push(Change { path: path.into(), contents: Some(contents) });
        };
        let script = installed.join("share/ringtrace/tracetool.py");
        write(SCRIPT, fs::read(&script).map_err(|error| at(&script, &error))?);
        let headers = installed.join("include/ringtrace/trace");
        for header in files_below(&headers)? {
            let name = header.strip_prefix(&headers).unwrap_or(&header).display();
            write(&format!("trace/{name}"), fs::read(&header).map_err(|error| at(&header, &error))?);
        }
        // This header is for code that calls functions of the library, such as `ringtrace_monitor`.
        let header = installed.join("include/ringtrace/ringtrace.h");
        write("include/ringtrace.h", fs::read(&header).map_err(|error| at(&header, &error))?);
        for folder in ["trace", "stubs"] {
            let path = format!("{folder}/meson.build");
            let mut text = read_text(&self.original(Path::new(&path)))?;
            for (_, source) in REPLACED.iter().filter(|(of, _)| *of == folder) {
                text = without_source(&text, source).map_err(|error| format!("{path}: {error}"))?;
            }
            if folder == "trace" {
                text += LINK;
            }
            write(&path, text.into_bytes());
        }
        for (folder, source) in REPLACED {
            let path = Path::new(folder).join(source);
            if !self.original(&path).is_file() {
                return Err(format!(
                    "{} is missing: the tracing of this version is different",
                    path.display()
                ));
            }
            changes.push(Change { path, contents: None });
        }
        Ok(changes)
    }

    /// Returns the path of the original of a file.
    fn original(&self, path: &Path) -> PathBuf {
        let saved = self.root.join(ORIGINALS).join(path);
        if saved.exists() { saved } else { self.root.join(path) }
    }

    /// Saves a file, unless an earlier change has done so.
    fn save(&self, path: &Path) -> Result<(), String> {
        let saved = self.root.join(ORIGINALS).join(path);
        let mut added = self.added()?;
        let name = path.display().to_string();
        if saved.exists() || added.lines().any(|line| line == name) {
            return Ok(());
        }
        let folder = saved.parent().unwrap_or(&saved);
        fs::create_dir_all(folder).map_err(|error| at(folder, &error))?;
        let file = self.root.join(path);
        if file.exists() {
            // `copy` keeps the permissions. The copy gets its final name only when it is complete.
            let partial = self.root.join(ORIGINALS).with_extension("partial");
            fs::copy(&file, &partial).map_err(|error| at(&file, &error))?;
            return fs::rename(&partial, &saved).map_err(|error| at(&saved, &error));
        }
        added += &format!("{name}\n");
        let list = self.root.join(ORIGINALS).join(ADDED);
        fs::write(&list, added).map_err(|error| at(&list, &error))
    }

    /// Returns the paths of the files that a change added to the tree, one per line.
    fn added(&self) -> Result<String, String> {
        let list = self.root.join(ORIGINALS).join(ADDED);
        if list.exists() { read_text(&list) } else { Ok(String::new()) }
    }
}

/// Whether `version`, such as `10.2.2`, belongs to one of the releases [`TRIED`].
fn was_tried(version: &str) -> bool {
    TRIED.iter().any(|tried| version == *tried || version.starts_with(&format!("{tried}.")))
}

/// Removes a source file from the text of a `meson.build`: its name from a call `files(..)`, or the
/// whole line if no other file is in the call.
fn without_source(build: &str, source: &str) -> Result<String, String> {
    let quoted = format!("'{source}'");
    let lines: Vec<&str> = build.lines().filter(|line| line.contains(&quoted)).collect();
    let [line] = lines[..] else {
        return Err(format!("expected one line that names {quoted}, found {}", lines.len()));
    };
    let call = line.split_once("files(").and_then(|(before, rest)| {
        let (files, after) = rest.split_once(')')?;
        Some((before, files, after))
    });
    let Some((before, files, after)) = call else {
        return Err(format!("expected {quoted} inside `files(..)` on a single line: {line}"));
    };
    let kept: Vec<&str> = files.split(',').map(str::trim).filter(|file| *file != quoted).collect();
    let new = match kept.is_empty() {
        true => String::new(),
        false => format!("{before}files({}){after}\n", kept.join(", ")),
    };
    Ok(build.replacen(&format!("{line}\n"), &new, 1))
}

/// Copies a folder with all permissions, times and links, using the program `cp`.
fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(|error| at(folder, &error))?;
    let mut command = std::process::Command::new("cp");
    let output = command.args(["-a", "--reflink=auto", "--"]).arg(from).arg(to).output();
    let output = output.map_err(|error| format!("cannot run cp: {error}"))?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| at(folder, &error))? {
        let path = entry.map_err(|error| at(folder, &error))?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn read_text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| at(path, &error))
}

/// Removes a file if it exists.
fn remove(path: &Path) -> Result<(), String> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path, &error)),
        _ => Ok(()),
    }
}

/// Returns the message of an error, preceded by the path of the file.
pub fn at(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sample build files. The command edits some of the lines and must not change the others.
    const TRACE: &str = "\
system_ss.add(files('control-target.c', 'other.c'))

if 'simple' in backends
  trace_ss.add(files('simple.c'))
endif
if 'ftrace' in backends
  trace_ss.add(files('ftrace.c'))
endif
trace_ss.add(files('control.c'))
last_line = 1
";
    const STUBS: &str = "stub_ss.add(files('first.c'))\nstub_ss.add(files('trace-control.c'))\n";

    struct Sample {
        folder: tempfile::TempDir,
    }

    impl Sample {
        /// A tree with the files that the command uses, and an installed library.
        fn new() -> Sample {
            let sample = Sample { folder: tempfile::tempdir().unwrap() };
            for (path, text) in [
                ("VERSION", "10.2.2\n"),
                ("configure", "#!/bin/sh\n"),
                ("meson.build", "project('sample')\n"),
                ("scripts/tracetool.py", "the script\n"),
                ("trace/meson.build", TRACE),
                ("trace/control.h", "the header\n"),
                ("trace/other.c", "stays\n"),
                ("include/other.h", "stays\n"),
                ("stubs/meson.build", STUBS),
            ] {
                sample.write(&format!("tree/{path}"), text);
            }
            for (folder, source) in REPLACED {
                sample.write(&format!("tree/{folder}/{source}"), "the source\n");
            }
            sample.write("installed/share/ringtrace/tracetool.py", "our script\n");
            sample.write("installed/include/ringtrace/trace/control.h", "our header\n");
            sample.write("installed/include/ringtrace/trace/new.h", "our second header\n");
            sample.write("installed/include/ringtrace/ringtrace.h", "our own functions\n");
            sample
        }

        fn path(&self, path: &str) -> PathBuf {
            self.folder.path().join(path)
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn read(&self, path: &str) -> String {
            fs::read_to_string(self.path(path)).unwrap()
        }

        fn tree(&self) -> Tree {
            Tree::open(&self.path("tree")).unwrap()
        }

        /// All files of the tree and their contents.
        fn contents(&self) -> Vec<(PathBuf, String)> {
            let files = files_below(&self.path("tree")).unwrap();
            files.into_iter().map(|file| (file.clone(), fs::read_to_string(&file).unwrap())).collect()
        }
    }

    #[test]
    fn other_folders_are_refused_with_what_is_missing() {
        let sample = Sample::new();
        let refused = |path: &str| Tree::open(&sample.path(path)).unwrap_err();
        assert!(refused("nothing").contains("no such folder"));
        assert!(refused("installed").contains("is not a source tree of QEMU: it has no VERSION"));
        fs::remove_file(sample.path("tree/trace/meson.build")).unwrap();
        assert!(refused("tree").contains("it has no trace/meson.build"));
    }

    #[test]
    fn releases_are_recognized_by_their_first_two_numbers() {
        for version in ["10.2.2", "10.2", "10.2.50", "10.0.13"] {
            assert!(was_tried(version), "{version}");
        }
        for version in ["10.20.1", "1.10.2", "11.1.3", "9.2.4", "10", ""] {
            assert!(!was_tried(version), "{version}");
        }
        assert_eq!(Sample::new().tree().version, "10.2.2");
    }

    #[test]
    fn packages_are_found_in_the_tree() {
        let sample = Sample::new();
        assert!(!sample.tree().has_wheel("meson"));
        assert!(!sample.tree().build_needs("pycotap"), "older trees have no list");
        sample.write("tree/python/wheels/meson-1.9.0-py3-none-any.whl", "");
        let list = "[meson]\nmeson = { accepted = \">=1.5.0\" }\npycotap = { accepted = \">=1.1.0\" }\n";
        sample.write("tree/pythondeps.toml", list);
        assert!(sample.tree().has_wheel("meson") && !sample.tree().has_wheel("pycotap"));
        assert!(sample.tree().build_needs("pycotap") && !sample.tree().build_needs("pycota"));
    }

    #[test]
    fn a_source_leaves_its_list_or_takes_the_line_with_it() {
        let edited = without_source(TRACE, "control-target.c").unwrap();
        assert!(edited.starts_with("system_ss.add(files('other.c'))\n\nif"), "{edited}");
        let edited = without_source(TRACE, "simple.c").unwrap();
        assert!(edited.contains("if 'simple' in backends\nendif\n"), "{edited}");
        assert_eq!(without_source("a.add(files('x.c', 'y.c'))\n", "y.c").unwrap(), "a.add(files('x.c'))\n");
    }

    #[test]
    fn lines_of_another_form_are_errors() {
        let error = |build: &str| without_source(build, "control.c").unwrap_err();
        assert_eq!(error("a.add(files('x.c'))\n"), "expected one line that names 'control.c', found 0");
        assert!(error("a.add(files('control.c'))\nb.add(files('control.c'))\n").ends_with("found 2"));
        assert!(error("a.add(files(\n  'control.c',\n))\n").contains("inside `files(..)` on a single line"));
    }

    #[test]
    fn a_changed_tree_has_our_files_and_links_the_library() {
        let sample = Sample::new();
        sample.tree().change(&sample.path("installed")).unwrap();
        let build = sample.read("tree/trace/meson.build");
        assert!(build.starts_with("system_ss.add(files('other.c'))\n"), "{build}");
        assert!(build.ends_with(&format!("last_line = 1\n{LINK}")), "{build}");
        assert!(!build.contains("control.c") && !build.contains("simple.c"), "{build}");
        assert_eq!(sample.read("tree/stubs/meson.build"), "stub_ss.add(files('first.c'))\n");
        assert_eq!(sample.read("tree/scripts/tracetool.py"), "our script\n");
        assert_eq!(sample.read("tree/trace/control.h"), "our header\n");
        assert_eq!(sample.read("tree/trace/new.h"), "our second header\n");
        assert_eq!(sample.read("tree/include/ringtrace.h"), "our own functions\n");
        assert_eq!(sample.read("tree/trace/other.c"), "stays\n");
        for (folder, source) in REPLACED {
            assert!(!sample.path(&format!("tree/{folder}/{source}")).exists(), "{source}");
        }
    }

    #[test]
    fn revert_restores_every_file_even_after_two_changes() {
        let sample = Sample::new();
        let before = sample.contents();
        assert!(sample.tree().revert().unwrap_err().contains("was not changed"));
        sample.tree().change(&sample.path("installed")).unwrap();
        sample.write("installed/include/ringtrace/trace/control.h", "our later header\n");
        let unchanged = sample.path("tree/scripts/tracetool.py");
        let time = unchanged.metadata().unwrap().modified().unwrap();
        sample.tree().change(&sample.path("installed")).unwrap();
        assert_eq!(sample.read("tree/trace/control.h"), "our later header\n");
        assert_eq!(unchanged.metadata().unwrap().modified().unwrap(), time, "not written again");
        assert_eq!(sample.tree().revert().unwrap(), 11);
        assert_eq!(sample.contents(), before);
    }

    #[test]
    fn a_tree_that_differs_is_not_touched() {
        for path in ["tree/trace/meson.build", "tree/stubs/meson.build"] {
            let sample = Sample::new();
            sample.write(path, "nothing.add(files('known.c'))\n");
            let before = sample.contents();
            let error = sample.tree().change(&sample.path("installed")).unwrap_err();
            assert!(error.contains(path.strip_prefix("tree/").unwrap()), "{error}");
            assert_eq!(sample.contents(), before);
        }
        let sample = Sample::new();
        fs::remove_file(sample.path("tree/trace/simple.c")).unwrap();
        let before = sample.contents();
        let error = sample.tree().change(&sample.path("installed")).unwrap_err();
        assert!(error.contains("trace/simple.c is missing"), "{error}");
        assert_eq!(sample.contents(), before);
    }

    #[test]
    fn a_copy_is_used_again_if_its_version_is_the_same() {
        let sample = Sample::new();
        let (tree, folder) = (sample.tree(), sample.path("build/source"));
        let copy = tree.copy(&folder).unwrap();
        copy.change(&sample.path("installed")).unwrap();
        tree.copy(&folder).unwrap();
        assert_eq!(sample.read("build/source/trace/control.h"), "our header\n", "not copied again");
        assert_eq!(sample.read("tree/trace/control.h"), "the header\n");
        sample.write("tree/VERSION", "10.0.1\n");
        assert!(sample.tree().copy(&folder).unwrap_err().contains("contains version 10.2.2, not 10.0.1"));
    }
}
