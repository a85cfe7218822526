//! `cargo xtask aarch64`: runs tests for aarch64 on another processor, with QEMU's user mode.
//!
//! QEMU executes one instruction after the other and orders memory at least as strongly as its host
//! does. The tests therefore find errors that are specific to this processor, for example in the
//! use of its counter, in alignment and in system calls, but not in memory orderings. The loom
//! models check those.

use std::path::Path;
use std::process::{Command, ExitCode};

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const EMULATOR: &str = "qemu-aarch64";

/// The folder in which Debian's cross compiler installs the target's C library.
const C_LIBRARY: &str = "/usr/aarch64-linux-gnu";

/// The number of cases for each property test. Emulation is slow.
const CASES: &str = "16";

/// The packages with code that depends on the processor.
const PACKAGES: &[&str] = &["ringtrace-wire", "ringtrace-tracefile", "ringtrace"];

/// Runs the tests. `words` are further arguments of `cargo test`, such as `--test accounting`.
pub fn run(words: &[&str]) -> ExitCode {
    if let Err(message) = check() {
        eprintln!("error: {message}");
        return ExitCode::FAILURE;
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--locked", "--target", TARGET, "--no-fail-fast", "--target-dir"]);
    cargo.arg(crate::root().join("target/aarch64"));
    if !words.iter().any(|word| ["-p", "--package"].contains(word)) {
        cargo.args(PACKAGES.iter().flat_map(|package| ["--package", package]));
    }
    cargo.args(words).current_dir(crate::root());
    cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", EMULATOR);
    // Programs that tests start inherit this variable.
    cargo.env("QEMU_LD_PREFIX", C_LIBRARY).env("PROPTEST_CASES", CASES);
    match cargo.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: cargo: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Checks that the programs and libraries for the target are installed.
fn check() -> Result<(), String> {
    for (program, package) in
        [(LINKER, "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"), (EMULATOR, "qemu-user")]
    {
        if Command::new(program).arg("--version").output().is_err() {
            return Err(format!(
                "the program `{program}` is missing\n  help: on Debian, `apt-get install {package}` installs it"
            ));
        }
    }
    // cargo also runs the compiler in this variable.
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(&rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
    let output = output.map_err(|error| format!("{}: {error}", rustc.display()))?;
    let folder = String::from_utf8_lossy(&output.stdout);
    if Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    Err(format!(
        "{} has no standard library for {TARGET}\n  help: `rustup target add {TARGET}`, or set RUSTC to a compiler that has one",
        rustc.display()
    ))
}
