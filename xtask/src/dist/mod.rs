//! `cargo xtask dist DIR`: installs the tool and the C library, as a package would.
//!
//! ```text
//! bin/ringtrace                                   the tool
//! bin/simpletrace, bin/kvmtrace_format            the same tool, by other names
//! bin/tracetool                                   the generator
//! lib/libringtrace.a, lib/libringtrace.so         the C library
//! lib/pkgconfig/ringtrace.pc                      for pkg-config
//! lib/cmake/ringtrace/                            for CMake
//! include/ringtrace/                              its headers
//! share/man/man1/                                 manual pages of the commands, the names and the generator
//! share/bash-completion/completions/ringtrace     completions
//! share/zsh/site-functions/_ringtrace
//! share/fish/vendor_completions.d/ringtrace.fish
//! share/ringtrace/tracetool.py                    replaces QEMU's script; calls the generator
//! share/ringtrace/python/simpletrace.py           replaces QEMU's module; calls the tool
//! share/doc/ringtrace/                            README, CHANGELOG, docs/ and the licences
//! ```
//!
//! The lists of commands and names come from the tool that was built.

mod cmake;
mod library;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::{root, step};

/// Each shell, and its completion file in `share`.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/ringtrace"),
    ("zsh", "zsh/site-functions/_ringtrace"),
    ("fish", "fish/vendor_completions.d/ringtrace.fish"),
];

/// Documents that are installed besides the folder `docs`.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// The name of the generator. It has a program and a manual page.
const GENERATOR: &str = "tracetool";

/// Installs into the given folder. With `--debug`, builds without optimisation, which is faster.
pub fn run(arguments: &[&str]) -> ExitCode {
    let (folder, debug) = match arguments {
        [folder] => (folder, false),
        [folder, "--debug"] | ["--debug", folder] => (folder, true),
        _ => {
            eprintln!("usage: cargo xtask dist DIR [--debug]");
            return ExitCode::from(2);
        }
    };
    let installed =
        std::path::absolute(folder).map_err(Error::from).and_then(|folder| install(&folder, debug));
    match installed {
        Ok(files) => {
            files.iter().for_each(|file| println!("{}", file.display()));
            ExitCode::SUCCESS
        }
        Err(Error(message)) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Installs everything in `folder`.
///
/// # Errors
/// Fails if a part cannot be built or written.
pub fn install_in(folder: &Path) -> Result<(), String> {
    install(folder, false).map(drop).map_err(|Error(message)| message)
}

struct Error(String);

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error(error.to_string())
    }
}

/// Fills `folder` and returns all files in it.
fn install(folder: &Path, debug: bool) -> Result<Vec<PathBuf>, Error> {
    let bin = folder.join("bin");
    let share = folder.join("share");
    build("crates/cli", &["--features", "parquet,zstd"], folder, debug)?;
    build("crates/tracetool", &[], folder, debug)?;
    library::install(folder, debug)?;
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
    // The module has a folder of its own, which users can add to PYTHONPATH.
    let module = fs::read(root().join("python/simpletrace.py"))?;
    write(&share.join("ringtrace/python/simpletrace.py"), &module)?;
    for (shell, file) in SHELLS {
        write(&share.join(file), &run_tool(&tool, &["completions".as_ref(), shell.as_ref()])?)?;
    }
    let doc = share.join("doc/ringtrace");
    for name in DOCUMENTS {
        write(&doc.join(name), &fs::read(root().join(name))?)?;
    }
    for document in files_below(&root().join("docs"))? {
        let name = document.strip_prefix(root()).unwrap_or(&document);
        write(&doc.join(name), &fs::read(&document)?)?;
    }
    Ok(files_below(folder)?)
}

/// Builds the programs of a package, and installs them in the folder's `bin`.
fn build(package: &str, options: &[&str], folder: &Path, debug: bool) -> Result<(), Error> {
    let folder = folder.to_str().ok_or_else(|| Error("the name of the folder is not UTF-8".to_owned()))?;
    let mut arguments =
        vec!["install", "--path", package, "--root", folder, "--locked", "--no-track", "--force", "--quiet"];
    arguments.extend(options);
    arguments.extend(if debug { &["--debug"][..] } else { &["--profile", "dist"] });
    let finished = step::cargo(&arguments, &[])?;
    if finished.status.success() { Ok(()) } else { Err(Error(finished.output)) }
}

fn run_tool(tool: &Path, arguments: &[&std::ffi::OsStr]) -> Result<Vec<u8>, Error> {
    let output = Command::new(tool).args(arguments).stderr(Stdio::inherit()).output()?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(Error(format!("{}: {}", tool.display(), output.status)))
    }
}

/// Returns the names under which the tool imitates other programs. Each has a manual page.
fn other_names(man: &Path) -> Result<Vec<String>, Error> {
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

/// Returns all files in `folder` and below, sorted.
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
