//! Programs that tests call and that are not part of this project. Where we may, they are installed as packages of
//! the system; where we may not, the tests that want them say so.

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
    Program {
        name: "dtrace",
        package: "systemtap-sdt-dev",
        purpose: "USDT probes in C: it makes their header",
    },
    Program {
        name: "lttng-gen-tp",
        package: "liblttng-ust-dev",
        purpose: "LTTng's headers, that generated C includes",
    },
    Program { name: "gcc", package: "gcc", purpose: "generated C, to compile it" },
    Program { name: "clang", package: "clang", purpose: "generated C, to compile it with another compiler" },
    Program { name: "g++", package: "g++", purpose: "the C library's headers, to be included from C++" },
    Program { name: "make", package: "make", purpose: "a build that calls tracetool" },
    Program { name: "ninja", package: "ninja-build", purpose: "a build that calls tracetool" },
    Program { name: "meson", package: "meson", purpose: "a build that calls tracetool" },
    Program { name: "rsyslogd", package: "rsyslog", purpose: "a log daemon, to be written to" },
];

/// Parts of the Rust toolchain beyond the compiler: the cargo command, and the rustup component that brings it.
const COMPONENTS: &[(&str, &str)] = &[("fmt", "rustfmt"), ("clippy", "clippy")];

/// Installs what is missing, and tells what still is. Every line is one for people.
pub fn provide() -> Vec<String> {
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
    let mut updated = false;
    for program in PROGRAMS.iter().filter(|program| !is_installed(program.name)) {
        let Program { name, package, purpose } = program;
        let may = is_root() && is_installed("apt-get");
        if may && !updated {
            updated = true;
            succeeds("apt-get", &["update", "-qq"]);
        }
        let installed =
            may && succeeds("apt-get", &["install", "-y", "-qq", "--no-install-recommends", package]);
        notes.push(if installed {
            format!("installed {package} with apt-get")
        } else {
            format!("missing: {name} ({purpose}); on Debian it is in the package {package}")
        });
    }
    notes
}

/// Whether the cargo command `name` can be called: those of [`COMPONENTS`] may be missing.
pub fn has_cargo_command(name: &str) -> bool {
    COMPONENTS.iter().all(|(command, _)| *command != name) || succeeds("cargo", &[name, "--version"])
}

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
