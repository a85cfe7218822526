//! `cargo xtask dist DIR`: the tool as a package would install it.
//!
//! ```text
//! bin/ringtrace                                   the tool
//! bin/simpletrace, bin/kvmtrace_format            its other names
//! bin/tracetool                                   the generator
//! lib/libringtrace.a, lib/libringtrace.so         the C library
//! lib/pkgconfig/ringtrace.pc
//! include/ringtrace/                              its headers
//! share/man/man1/                                 a manual page for each command, each name and the generator
//! share/bash-completion/completions/ringtrace     completions
//! share/zsh/site-functions/_ringtrace
//! share/fish/vendor_completions.d/ringtrace.fish
//! share/ringtrace/tracetool.py                    what stands in for QEMU's script, and calls the generator
//! share/doc/ringtrace/                            README, CHANGELOG, docs/ and the licences
//! ```
//!
//! What commands and names there are, the built tool says itself.

mod library;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::{root, step};

/// Each shell, and where it looks for completions below `share/`.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/ringtrace"),
    ("zsh", "zsh/site-functions/_ringtrace"),
    ("fish", "fish/vendor_completions.d/ringtrace.fish"),
];

/// Documents that a user wants, from the workspace's root.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// A program of its own, and its page.
const GENERATOR: &str = "tracetool";

/// Lays out the tool in the folder named; `--debug` is quick to build, for trying this out.
pub fn run(arguments: &[&str]) -> ExitCode {
    let (folder, debug) = match arguments {
        [folder] => (folder, false),
        [folder, "--debug"] | ["--debug", folder] => (folder, true),
        _ => {
            eprintln!("usage: cargo xtask dist DIR [--debug]");
            return ExitCode::from(2);
        }
    };
    let laid_out =
        std::path::absolute(folder).map_err(Problem::from).and_then(|folder| lay_out(&folder, debug));
    match laid_out {
        Ok(files) => {
            files.iter().for_each(|file| println!("{}", file.display()));
            ExitCode::SUCCESS
        }
        Err(Problem(what)) => {
            eprintln!("error: {what}");
            ExitCode::FAILURE
        }
    }
}

struct Problem(String);

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        Problem(error.to_string())
    }
}

/// Fills `folder`, and tells what is in it now.
fn lay_out(folder: &Path, debug: bool) -> Result<Vec<PathBuf>, Problem> {
    let bin = folder.join("bin");
    let share = folder.join("share");
    for package in ["crates/cli", "crates/tracetool"] {
        build(package, folder, debug)?;
    }
    library::lay_out(folder, debug)?;
    let tool = bin.join("ringtrace");

    let man = share.join("man/man1");
    run_tool(&tool, &["man".as_ref(), man.as_os_str()])?;
    for name in other_names(&man)? {
        let link = bin.join(name);
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink("ringtrace", link)?;
    }
    write(&man.join(format!("{GENERATOR}.1")), &run_tool(&bin.join(GENERATOR), &["--man".as_ref()])?)?;
    let stub = fs::read(root().join("crates/tracetool/tracetool.py"))?;
    write(&share.join("ringtrace/tracetool.py"), &stub)?;
    for (shell, place) in SHELLS {
        write(&share.join(place), &run_tool(&tool, &["completions".as_ref(), shell.as_ref()])?)?;
    }
    let doc = share.join("doc/ringtrace");
    for name in DOCUMENTS {
        write(&doc.join(name), &fs::read(root().join(name))?)?;
    }
    for document in files_below(&root().join("docs"))? {
        let place = document.strip_prefix(root()).unwrap_or(&document);
        write(&doc.join(place), &fs::read(&document)?)?;
    }
    Ok(files_below(folder)?)
}

/// Builds the programs of a package into the folder's `bin`.
fn build(package: &str, folder: &Path, debug: bool) -> Result<(), Problem> {
    let folder = folder.to_str().ok_or_else(|| Problem("the folder's name is not UTF-8".to_owned()))?;
    let mut arguments =
        vec!["install", "--path", package, "--root", folder, "--locked", "--no-track", "--force", "--quiet"];
    if debug {
        arguments.push("--debug");
    }
    let finished = step::cargo(&arguments, &[])?;
    if finished.status.success() { Ok(()) } else { Err(Problem(finished.output)) }
}

fn run_tool(tool: &Path, arguments: &[&std::ffi::OsStr]) -> Result<Vec<u8>, Problem> {
    let output = Command::new(tool).args(arguments).stderr(Stdio::inherit()).output()?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(Problem(format!("{}: {}", tool.display(), output.status)))
    }
}

/// The names by which the tool answers as another program: each has a manual page of its own.
fn other_names(man: &Path) -> Result<Vec<String>, Problem> {
    let pages = fs::read_dir(man)?.collect::<io::Result<Vec<_>>>()?;
    let names =
        pages.iter().filter_map(|page| page.file_name().to_str()?.strip_suffix(".1").map(str::to_owned));
    Ok(names.filter(|name| !name.starts_with("ringtrace") && name != GENERATOR).collect())
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)
}

/// All files below `folder`, sorted.
fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            files.extend(files_below(&entry.path())?);
        } else {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}
