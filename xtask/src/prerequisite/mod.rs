//! External programs that tests run.
//!
//! As root on Debian, missing programs are installed with apt-get. Python and Node packages are
//! installed in folders below `target`. A test whose program is missing is skipped. `docs/peers.md`
//! lists the same programs.

mod node;
mod package;
pub mod python;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that tests run, or a C header that generated code includes.
struct Program {
    name: &'static str,
    /// The Debian package that contains it.
    package: &'static str,
    /// Why tests need it.
    purpose: &'static str,
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "python3",
        package: "python3",
        purpose: "to compare with Python's % formatting and bytes literals",
    },
    Program { name: "objdump", package: "binutils", purpose: "to count the instructions of a probe" },
    Program { name: "readelf", package: "binutils", purpose: "to read the notes of USDT probes" },
    Program { name: "bpftrace", package: "bpftrace", purpose: "to trace USDT probes" },
    Program { name: "nm", package: "binutils", purpose: "to list the symbols of generated code" },
    Program { name: "dtrace", package: "systemtap-sdt-dev", purpose: "to compile generated USDT probes" },
    Program { name: "sys/sdt.h", package: "systemtap-sdt-dev", purpose: "to compile USDT probes in C" },
    Program {
        name: "lttng/tracepoint.h",
        package: "liblttng-ust-dev",
        purpose: "to compile LTTng-UST providers",
    },
    Program { name: "stap", package: "systemtap", purpose: "to parse generated SystemTap scripts" },
    Program { name: "lttng-sessiond", package: "lttng-tools", purpose: "to record LTTng tracepoints" },
    Program { name: "babeltrace2", package: "babeltrace2", purpose: "to print LTTng and CTF traces" },
    Program { name: "gcc", package: "gcc", purpose: "to compile generated C" },
    Program { name: "clang", package: "clang", purpose: "to compile generated C with a second compiler" },
    Program {
        name: "clang++",
        package: "clang",
        purpose: "to include the C library's headers from C++ with a second compiler",
    },
    Program { name: "g++", package: "g++", purpose: "to include the C library's headers from C++" },
    Program { name: "make", package: "make", purpose: "for builds that run tracetool" },
    Program { name: "ninja", package: "ninja-build", purpose: "for builds that run tracetool" },
    Program { name: "meson", package: "meson", purpose: "for builds that run tracetool" },
    Program { name: "cmake", package: "cmake", purpose: "for builds that find the C library" },
    Program { name: "pkg-config", package: "pkg-config", purpose: "for builds that link the C library" },
    Program { name: "script", package: "bsdutils", purpose: "to test output to a terminal" },
    Program { name: "rsyslogd", package: "rsyslog", purpose: "to receive log messages" },
    Program { name: "tmux", package: "tmux", purpose: "to capture the screens of `top`" },
    Program { name: "socat", package: "socat", purpose: "to connect clients to the monitor" },
    Program {
        name: "chromium-headless-shell",
        package: "chromium-headless-shell",
        purpose: "to render the report pages",
    },
    Program { name: "trace-cmd", package: "trace-cmd", purpose: "to print exported trace.dat files" },
    Program { name: "jq", package: "jq", purpose: "to read JSON lines in shell scripts" },
    Program { name: "java", package: "openjdk-17-jre-headless", purpose: "to run Spark" },
    Program { name: "npm", package: "npm", purpose: "to install Node and its packages" },
    Program { name: "pip3", package: "python3-pip", purpose: "to install Python packages" },
];

/// Optional parts of the Rust toolchain: the cargo command, and its rustup component.
const COMPONENTS: &[(&str, &str)] = &[("fmt", "rustfmt"), ("clippy", "clippy")];

/// The result of [`provide`]: lines to print.
pub struct Provided {
    /// The installed programs, and the missing parts of the toolchain. Steps that need such a part
    /// are skipped.
    pub notes: Vec<String>,
    /// Programs and packages that are still missing.
    pub missing: Vec<String>,
}

/// Installs what is missing, where possible.
pub fn provide() -> Provided {
    let mut notes = Vec::new();
    for (command, component) in COMPONENTS {
        if succeeds("cargo", &[command, "--version"]) {
            continue;
        }
        let installed = succeeds("rustup", &["component", "add", component]);
        notes.push(if installed {
            format!("installed {component} with rustup")
        } else {
            format!("missing: {component}; install it with `rustup component add {component}`")
        });
    }
    let absent: Vec<&Program> = PROGRAMS.iter().filter(|program| !is_installed(program.name)).collect();
    let mut packages: Vec<&str> = absent.iter().map(|program| program.package).collect();
    packages.dedup();
    if !packages.is_empty() && is_root() && is_installed("apt-get") {
        install(&packages);
    }
    let (missing, installed): (Vec<&Program>, Vec<&Program>) =
        absent.into_iter().partition(|program| !is_installed(program.name));
    notes.extend(
        installed.iter().map(|Program { name, package, .. }| {
            format!("installed {name} with apt-get (package {package})")
        }),
    );
    let missing = missing.iter().map(|Program { name, package, purpose }| {
        format!("missing: {name} ({purpose}); Debian package: {package}")
    });
    let mut missing: Vec<String> = missing.collect();
    // Do this after installing the programs, because pip and npm are among them.
    for registry in [python::REGISTRY, python::LIBRARIES, node::REGISTRY] {
        match registry.provide(&crate::root()) {
            Ok(installed) => notes.extend(installed),
            Err(absent) => missing.extend(absent),
        }
    }
    Provided { missing, notes }
}

/// Installs Debian packages with one command. If that fails, for instance because one package is
/// unknown, installs them one by one.
fn install(packages: &[&str]) {
    const INSTALL: &[&str] = &["install", "-y", "-qq", "--no-install-recommends"];
    succeeds("apt-get", &["update", "-qq"]);
    if !succeeds("apt-get", &[INSTALL, packages].concat()) {
        for package in packages {
            succeeds("apt-get", &[INSTALL, &[package]].concat());
        }
    }
}

/// Returns whether the cargo command `name` is installed. Only those in [`COMPONENTS`] may be
/// missing.
pub fn has_cargo_command(name: &str) -> bool {
    COMPONENTS.iter().all(|(command, _)| *command != name) || succeeds("cargo", &[name, "--version"])
}

/// Returns whether the program or header `name` is installed.
fn is_installed(name: &str) -> bool {
    let is_in = |folder: PathBuf| folder.join(name).is_file();
    if name.ends_with(".h") {
        let headers = Path::new("/usr/include");
        // Debian has an include folder for each architecture.
        let folders = headers.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
        return folders.chain([headers.to_owned()]).any(is_in);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Daemons are in a folder that is not in the PATH of ordinary users.
    std::env::split_paths(&path).chain(["/usr/sbin".into()]).any(is_in)
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    // The owner of a process's entry in `/proc` is its effective user.
    Path::new("/proc/self").metadata().is_ok_and(|own| own.uid() == 0)
}

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::skips;

    /// Returns the rows of the table in `docs/peers.md` whose heading starts with `heading`, as
    /// cells.
    fn table(heading: &str) -> Vec<Vec<String>> {
        let text = std::fs::read_to_string(crate::root().join("docs/peers.md")).unwrap();
        let rows = text
            .lines()
            .skip_while(|line| !line.starts_with(heading))
            .take_while(|line| line.starts_with('|'));
        let cells = |row: &str| row.split('|').skip(1).map(|cell| cell.trim().to_owned()).collect();
        rows.skip(2).map(cells).collect()
    }

    fn quoted(cell: &str) -> impl Iterator<Item = &str> {
        cell.split('`').skip(1).step_by(2)
    }

    #[test]
    fn docs_list_every_program_and_its_package() {
        let listed: BTreeSet<(String, String)> = table("| program |")
            .iter()
            .map(|row| (row[0].trim_matches('`').to_owned(), row[1].trim_matches('`').to_owned()))
            .collect();
        let called: BTreeSet<(String, String)> =
            PROGRAMS.iter().map(|program| (program.name.to_owned(), program.package.to_owned())).collect();
        assert_eq!(listed, called, "left: docs/peers.md, right: PROGRAMS");
    }

    #[test]
    fn docs_list_every_package_of_python_and_its_version() {
        for (heading, registry) in [
            ("| PyPI package |", python::REGISTRY),
            ("| Python library |", python::LIBRARIES),
            ("| Spark's package |", python::SPARK),
        ] {
            let listed = table(heading);
            let listed: Vec<[&str; 2]> =
                listed.iter().map(|row| [row[0].trim_matches('`'), &row[1]]).collect();
            let pinned: Vec<[&str; 2]> =
                registry.packages.iter().map(|package| [package.name, package.version]).collect();
            assert_eq!(listed, pinned, "left: docs/peers.md, right: {heading}");
        }
    }

    #[test]
    fn docs_list_every_package_of_node_and_its_version() {
        let listed = table("| npm package |");
        let listed: Vec<[&str; 2]> = listed.iter().map(|row| [row[0].trim_matches('`'), &row[1]]).collect();
        let pinned: Vec<[&str; 2]> =
            node::PACKAGES.iter().map(|package| [package.name, package.version]).collect();
        assert_eq!(listed, pinned, "left: docs/peers.md, right: PACKAGES");
    }

    #[test]
    fn docs_name_existing_tests() {
        let headings = ["| program |", "| PyPI package |", "| npm package |", "| kernel feature |"];
        let rows = headings.map(table).concat();
        let tests: Vec<&str> = rows.iter().flat_map(|row| quoted(&row[2])).collect();
        assert!(tests.len() >= rows.len(), "each row names a test");
        for test in tests {
            assert!(crate::root().join(test).exists(), "docs/peers.md names {test}");
        }
    }

    #[test]
    fn skips_for_missing_kernel_features_are_allowed() {
        let allowed = skips::allowed(&crate::root()).unwrap();
        let rows = table("| kernel feature |");
        assert!(!rows.is_empty());
        for row in rows {
            for why in quoted(&row[3]) {
                let skip = crate::libtest::Skip { test: String::new(), reason: why.to_owned() };
                assert!(skips::explanation(&allowed, &skip).is_some(), "{} has no `{why}`", skips::ALLOWED);
            }
        }
    }
}
