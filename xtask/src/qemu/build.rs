//! Builds QEMU's disk tools, qemu-img and qemu-io: prerequisites, configuration, and ninja.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::tree::{Tree, at};
use crate::step::{self, Finished};

/// Options of QEMU's `configure` that build only the tools, without optional features.
pub const OPTIONS: [&str; 6] = [
    "--without-default-features",
    "--target-list=",
    "--disable-system",
    "--disable-user",
    "--enable-tools",
    "--disable-install-blobs",
];

/// The build targets: the programs, and a file with all declarations.
const TARGETS: [&str; 3] = ["qemu-img", "qemu-io", "trace/trace-events-all"];

/// The number of lines of a failed program's output that an error shows.
const SHOWN_LINES: usize = 25;

/// The oldest Python that QEMU's build accepts.
const PYTHON: &str = "import sys; sys.exit(sys.version_info < (3, 9))";

/// The oldest meson that QEMU's build accepts. It must belong to the Python in use.
const MESON: &str = "\
from importlib.metadata import version
import re, sys
sys.exit([int(number) for number in re.findall('[0-9]+', version('meson'))][:2] < [1, 5])";

const PYCOTAP: &str = "import pycotap";

pub struct Settings<'a> {
    /// The folder with the installed library and generator.
    pub installed: &'a Path,
    pub python: &'a str,
    /// Options of `configure` from the command line.
    pub options: &'a [&'a str],
}

pub struct Build {
    pub folder: PathBuf,
}

impl Build {
    pub fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Returns the path of the file that contains all declarations.
    pub fn declarations(&self) -> PathBuf {
        self.folder.join("trace/trace-events-all")
    }
}

/// Returns the missing prerequisites for building a tree, with advice.
pub fn missing(tree: &Tree, python: &str) -> Vec<String> {
    let mut missing = Vec::new();
    let mut need = |is_present: bool, what: &str| {
        if !is_present {
            missing.push(what.to_owned());
        }
    };
    let has_package = |name: &str| succeeds("pkg-config", &["--exists", name]);
    need(succeeds("cc", &["--version"]), "a C compiler (Debian: gcc)");
    need(succeeds("ninja", &["--version"]), "ninja (Debian: ninja-build)");
    need(succeeds("pkg-config", &["--version"]), "pkg-config (Debian: pkg-config)");
    need(has_package("glib-2.0 >= 2.66"), "GLib 2.66 or later (Debian: libglib2.0-dev)");
    need(has_package("zlib"), "zlib (Debian: zlib1g-dev)");
    if !succeeds(python, &["-c", PYTHON]) {
        need(
            false,
            &format!(
                "Python 3.9 or later, but `{python}` is older or does not run (Debian: python3, python3-venv)"
            ),
        );
        return missing;
    }
    let has_module = |module: &str, test: &str| {
        // Release archives contain the packages that QEMU's build needs; Debian's source package
        // does not.
        tree.has_wheel(module) || succeeds(python, &["-c", test])
    };
    let advice = "python3 -m venv FOLDER; FOLDER/bin/pip install 'meson>=1.5' pycotap; then --python FOLDER/bin/python3";
    need(has_module("meson", MESON), &format!("meson 1.5 or later, installed for `{python}` ({advice})"));
    let is_needed = tree.build_needs("pycotap");
    need(
        !is_needed || has_module("pycotap", PYCOTAP),
        &format!("pycotap, installed for `{python}` ({advice})"),
    );
    missing
}

/// Configures and builds `source` in `folder`, with the named trace backends. If the folder is
/// already configured in the same way, only rebuilds what has changed.
///
/// # Errors
/// Fails if a program fails. The message contains the end of its output, and the name of the file
/// with the whole output.
pub fn build(source: &Tree, folder: &Path, backends: &str, settings: &Settings<'_>) -> Result<Build, String> {
    fs::create_dir_all(folder).map_err(|error| at(folder, &error))?;
    let mut configure = Command::new(source.root.join("configure"));
    configure.arg(format!("--python={}", settings.python)).args(OPTIONS);
    configure.arg(format!("--enable-trace-backends={backends}")).args(settings.options);
    let call = format!("{configure:?}");
    let done = folder.join("ringtrace-configured");
    let is_configured = fs::read_to_string(&done).is_ok_and(|before| before == call);
    if !is_configured {
        run(&configure, folder, "configure", settings.installed)?;
        fs::write(&done, call).map_err(|error| at(&done, &error))?;
    }
    let mut ninja = Command::new("ninja");
    ninja.args(TARGETS);
    run(&ninja, folder, "ninja", settings.installed)?;
    Ok(Build { folder: folder.to_owned() })
}

/// Runs a program in `folder`, with the library and the generator in its environment.
fn run(command: &Command, folder: &Path, name: &str, installed: &Path) -> Result<(), String> {
    // `step::run` sets the current folder to the workspace, so let `env` change it.
    let mut inside = Command::new("env");
    inside.arg("-C").arg(folder).arg(command.get_program()).args(command.get_args());
    inside.env("PKG_CONFIG_PATH", first_in("PKG_CONFIG_PATH", &installed.join("lib/pkgconfig"))?);
    inside.env("TRACETOOL", installed.join("bin/tracetool"));
    // This runs scripts directly from a source tree that must stay unmodified, so Python must not
    // write bytecode into it.
    inside.env("PYTHONDONTWRITEBYTECODE", "1");
    let Finished { status, output } = step::run(inside).map_err(|error| format!("{name}: {error}"))?;
    let log = folder.join(format!("{name}.log"));
    fs::write(&log, &output).map_err(|error| at(&log, &error))?;
    if status.success() {
        return Ok(());
    }
    let lines: Vec<&str> = output.lines().collect();
    let shown = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
    Err(format!("{name} failed:\n{}\n  help: {} contains the whole output", shown.join("\n"), log.display()))
}

/// Returns the value of a variable that lists folders, with `folder` in front.
fn first_in(variable: &str, folder: &Path) -> Result<std::ffi::OsString, String> {
    let present = std::env::var_os(variable).unwrap_or_default();
    let folders = std::env::split_paths(&present).filter(|path| !path.as_os_str().is_empty());
    std::env::join_paths([folder.to_owned()].into_iter().chain(folders))
        .map_err(|error| format!("{}: {error}", folder.display()))
}

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}
