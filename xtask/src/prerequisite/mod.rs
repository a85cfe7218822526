//! Programs that tests call and that are not part of this project. Where we may, they are installed as packages of
//! the system, or of Python and Node in folders of our own; where we may not, the tests that want them say so. For people, `docs/peers.md`
//! lists them.

mod node;
mod package;
mod python;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that tests call, or a C header that generated code includes.
struct Program {
    /// What is called or included.
    name: &'static str,
    /// The Debian package that brings it.
    package: &'static str,
    /// What it is called for.
    purpose: &'static str,
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "python3",
        package: "python3",
        purpose: "Python's own % formatting and bytes literals, to compare with",
    },
    Program { name: "objdump", package: "binutils", purpose: "the instructions of a probe, to count them" },
    Program {
        name: "readelf",
        package: "binutils",
        purpose: "the notes of USDT probes, as others read them",
    },
    Program { name: "bpftrace", package: "bpftrace", purpose: "to listen to USDT probes" },
    Program { name: "nm", package: "binutils", purpose: "the symbols of generated code" },
    Program {
        name: "dtrace",
        package: "systemtap-sdt-dev",
        purpose: "headers and objects of generated USDT probes",
    },
    Program { name: "sys/sdt.h", package: "systemtap-sdt-dev", purpose: "USDT probes in C" },
    Program { name: "lttng/tracepoint.h", package: "liblttng-ust-dev", purpose: "providers of LTTng-UST" },
    Program { name: "stap", package: "systemtap", purpose: "to parse scripts that are written for it" },
    Program { name: "lttng-sessiond", package: "lttng-tools", purpose: "to record what tracepoints report" },
    Program {
        name: "babeltrace2",
        package: "babeltrace2",
        purpose: "to print what LTTng has recorded, and CTF",
    },
    Program { name: "gcc", package: "gcc", purpose: "generated C, to compile it" },
    Program { name: "clang", package: "clang", purpose: "generated C, to compile it with another compiler" },
    Program { name: "g++", package: "g++", purpose: "the C library's headers, to be included from C++" },
    Program { name: "make", package: "make", purpose: "a build that calls tracetool" },
    Program { name: "ninja", package: "ninja-build", purpose: "a build that calls tracetool" },
    Program { name: "meson", package: "meson", purpose: "a build that calls tracetool" },
    Program { name: "pkg-config", package: "pkg-config", purpose: "a build that asks for the C library" },
    Program { name: "script", package: "bsdutils", purpose: "a terminal, for what is shown on one" },
    Program { name: "rsyslogd", package: "rsyslog", purpose: "a log daemon, to be written to" },
    Program { name: "tmux", package: "tmux", purpose: "a terminal, to see what people see" },
    Program { name: "socat", package: "socat", purpose: "to speak with a monitor as people do" },
    Program {
        name: "chromium-headless-shell",
        package: "chromium-headless-shell",
        purpose: "pages as people see them",
    },
    Program { name: "trace-cmd", package: "trace-cmd", purpose: "to print what is exported for KernelShark" },
    Program { name: "jq", package: "jq", purpose: "JSON lines, as scripts of shells read them" },
    Program { name: "npm", package: "npm", purpose: "packages of Node, and Node itself, to install them" },
    Program { name: "pip3", package: "python3-pip", purpose: "packages of Python, to install them" },
];

/// Parts of the Rust toolchain beyond the compiler: the cargo command, and the rustup component that brings it.
const COMPONENTS: &[(&str, &str)] = &[("fmt", "rustfmt"), ("clippy", "clippy")];

/// What [`provide`] did. Every line is one for people.
pub struct Provided {
    /// What was installed, and what parts of the toolchain are missing: steps that want them are skipped.
    pub notes: Vec<String>,
    /// What tests want and this machine does not have.
    pub missing: Vec<String>,
}

/// Installs what is missing, and tells what still is.
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
        format!("missing: {name} ({purpose}); on Debian it is in the package {package}")
    });
    let mut missing: Vec<String> = missing.collect();
    // Behind the programs: pip and npm are among them.
    for registry in [python::REGISTRY, node::REGISTRY] {
        match registry.provide(&crate::root()) {
            Ok(installed) => notes.extend(installed),
            Err(absent) => missing.extend(absent),
        }
    }
    Provided { missing, notes }
}

/// One call for all is soonest done. But one package of which the system knows nothing makes it install none: then each by itself.
fn install(packages: &[&str]) {
    const INSTALL: &[&str] = &["install", "-y", "-qq", "--no-install-recommends"];
    succeeds("apt-get", &["update", "-qq"]);
    if !succeeds("apt-get", &[INSTALL, packages].concat()) {
        for package in packages {
            succeeds("apt-get", &[INSTALL, &[package]].concat());
        }
    }
}

/// Whether the cargo command `name` can be called: those of [`COMPONENTS`] may be missing.
pub fn has_cargo_command(name: &str) -> bool {
    COMPONENTS.iter().all(|(command, _)| *command != name) || succeeds("cargo", &[name, "--version"])
}

/// Whether there is the program, or the header, called `name`.
fn is_installed(name: &str) -> bool {
    let is_in = |folder: PathBuf| folder.join(name).is_file();
    if name.ends_with(".h") {
        let headers = Path::new("/usr/include");
        // Debian has a folder for each architecture.
        let folders = headers.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
        return folders.chain([headers.to_owned()]).any(is_in);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Daemons are where paths of users do not lead.
    std::env::split_paths(&path).chain(["/usr/sbin".into()]).any(is_in)
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    // Whom the process's own entry belongs to is who it runs as.
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

    /// The rows of the table in `docs/peers.md` whose heading begins with `heading`, cell by cell.
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
    fn people_are_told_of_every_program_and_its_package() {
        let told: BTreeSet<(String, String)> = table("| program |")
            .iter()
            .map(|row| (row[0].trim_matches('`').to_owned(), row[1].trim_matches('`').to_owned()))
            .collect();
        let called: BTreeSet<(String, String)> =
            PROGRAMS.iter().map(|program| (program.name.to_owned(), program.package.to_owned())).collect();
        assert_eq!(told, called, "left: docs/peers.md, right: PROGRAMS");
    }

    #[test]
    fn people_are_told_of_every_package_of_python_and_its_version() {
        let told = table("| package of PyPI |");
        let told: Vec<[&str; 2]> = told.iter().map(|row| [row[0].trim_matches('`'), &row[1]]).collect();
        let pinned: Vec<[&str; 2]> =
            python::PACKAGES.iter().map(|package| [package.name, package.version]).collect();
        assert_eq!(told, pinned, "left: docs/peers.md, right: PACKAGES");
    }

    #[test]
    fn people_are_told_of_every_package_of_node_and_its_version() {
        let told = table("| package of npm |");
        let told: Vec<[&str; 2]> = told.iter().map(|row| [row[0].trim_matches('`'), &row[1]]).collect();
        let pinned: Vec<[&str; 2]> =
            node::PACKAGES.iter().map(|package| [package.name, package.version]).collect();
        assert_eq!(told, pinned, "left: docs/peers.md, right: PACKAGES");
    }

    #[test]
    fn tests_that_want_a_program_or_the_kernel_are_where_people_are_told() {
        let headings = ["| program |", "| package of PyPI |", "| package of npm |", "| of the kernel |"];
        let rows = headings.map(table).concat();
        let tests: Vec<&str> = rows.iter().flat_map(|row| quoted(&row[2])).collect();
        assert!(tests.len() >= rows.len(), "each row names a test");
        for test in tests {
            assert!(crate::root().join(test).exists(), "docs/peers.md names {test}");
        }
    }

    #[test]
    fn what_the_kernel_lacks_is_an_allowed_skip() {
        let allowed = skips::allowed(&crate::root()).unwrap();
        let rows = table("| of the kernel |");
        assert!(!rows.is_empty());
        for row in rows {
            for why in quoted(&row[3]) {
                let skip = crate::libtest::Skip { what: String::new(), why: why.to_owned() };
                assert!(skips::reason(&allowed, &skip).is_some(), "{} has no `{why}`", skips::ALLOWED);
            }
        }
    }
}
