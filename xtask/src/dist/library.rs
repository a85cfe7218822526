//! The C library: archive, shared object, headers, and files for pkg-config and CMake.
//!
//! rustc creates an archive. The shared object is linked from it here, because rustc's own `cdylib`
//! would not export functions that are written in C.
//!
//! rustc's archive contains Rust's standard library, with global symbols. A program with two such
//! archives, such as a QEMU with devices in Rust, does not link if both contain the same function.
//! Therefore the installed archive has one object, whose only global symbols are those that the
//! shared object exports.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Error, cmake, files_below, write};
use crate::{root, step};

/// The library's version, which is the workspace's version.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The number in the soname: libraries with the same number are compatible.
const ABI: &str = "0";

/// The file for pkg-config. Its paths are relative to the file, so the folder can be moved.
const PKG_CONFIG: &str = "\
prefix=${pcfiledir}/../..
libdir=${prefix}/lib
includedir=${prefix}/include/ringtrace
bindir=${prefix}/bin
# The generator, and the flags to link the archive instead of the shared object.
tracetool=${bindir}/tracetool
static_libs=${libdir}/libringtrace.a @PRIVATE@

Name: ringtrace
Description: Tracing for C programs: QEMU's interface over lock-free rings
Version: @VERSION@
Cflags: -I${includedir}
Libs: -L${libdir} -lringtrace
Libs.private: @PRIVATE@
";

pub(super) fn install(folder: &Path, debug: bool) -> Result<(), Error> {
    let source = root().join("crates/capi");
    let lib = folder.join("lib");
    fs::create_dir_all(&lib)?;

    let (built, libraries) = build(debug)?;
    let map = source.join("libringtrace.map");
    archive(&built, &exported(&fs::read_to_string(&map)?), &lib)?;
    let object = lib.join(format!("libringtrace.so.{VERSION}"));
    succeed(&mut link(&built, &libraries, &map, &object))?;
    for (name, target) in [(format!("libringtrace.so.{ABI}"), VERSION), ("libringtrace.so".to_owned(), ABI)] {
        let link = lib.join(name);
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(format!("libringtrace.so.{target}"), link)?;
    }

    let include = source.join("include");
    for header in files_below(&include)? {
        let name = header.strip_prefix(&include).unwrap_or(&header);
        write(&folder.join("include/ringtrace").join(name), &fs::read(&header)?)?;
    }
    let about = PKG_CONFIG.replace("@VERSION@", VERSION).replace("@PRIVATE@", &libraries.join(" "));
    write(&lib.join("pkgconfig/ringtrace.pc"), about.as_bytes())?;
    cmake::install(&lib, VERSION, ABI, &libraries)?;
    Ok(())
}

/// Builds the archive. Returns its path, and the flags for the system libraries that it needs.
fn build(debug: bool) -> Result<(PathBuf, Vec<String>), Error> {
    let mut arguments =
        vec!["rustc", "--package", "ringtrace-capi", "--features", "zstd", "--lib", "--locked", "--quiet"];
    if !debug {
        arguments.extend(["--profile", "dist"]);
    }
    arguments.extend(["--crate-type", "staticlib", "--message-format", "json-render-diagnostics"]);
    arguments.extend(["--", "--print", "native-static-libs"]);
    let finished = step::cargo(&arguments, &[])?;
    let output = &finished.output;
    if !finished.status.success() {
        return Err(Error(output.clone()));
    }
    let missing = |what: &str| Error(format!("cargo did not print {what}:\n{output}"));
    let is_archive = |word: &&str| word.ends_with("/libringtrace_c.a");
    let archive = output.split('"').find(is_archive).ok_or_else(|| missing("the path of the archive"))?;
    let libraries = output.lines().find_map(|line| line.split_once("native-static-libs: "));
    let (_, libraries) = libraries.ok_or_else(|| missing("the native libraries"))?;
    // Compilers link these by default. An option for libgcc_s would fail with -static.
    let is_default = |name: &str| matches!(name, "-lc" | "-lgcc_s");
    let libraries = libraries.split_whitespace().filter(|name| !is_default(name)).map(str::to_owned);
    Ok((PathBuf::from(archive), libraries.collect()))
}

/// Returns the symbols that a version script exports.
fn exported(map: &str) -> Vec<&str> {
    let global = map.split_once("global:").and_then(|(_, rest)| rest.split_once("local:"));
    let names = global.map_or("", |(names, _)| names).split(';').map(str::trim);
    names.filter(|name| !name.is_empty()).collect()
}

/// Creates `libringtrace.a` in `lib`. It contains one object with all code that the symbols in
/// `exported` need.
fn archive(built: &Path, exported: &[&str], lib: &Path) -> Result<(), Error> {
    let (object, names) = (lib.join("ringtrace.o"), lib.join("exported"));
    let mut ld = Command::new("ld");
    ld.args(["-r", "--gc-sections"]).args(exported.iter().map(|name| format!("--undefined={name}")));
    // Dissolve section groups. Other Rust archives contain groups with the same names, and a linker
    // keeps only one group of each name. Ours must be kept, because their symbols become local.
    ld.arg("--force-group-allocation").arg("-o").arg(&object).arg(built);
    succeed(&mut ld)?;
    fs::write(&names, exported.join("\n"))?;
    let mut objcopy = Command::new("objcopy");
    objcopy.arg(format!("--keep-global-symbols={}", names.display()));
    // Remove line numbers, because the sources are not installed. Remove rustc's bitcode, because
    // tools with a plugin of another LLVM version cannot read it.
    objcopy.args(["--strip-debug", "--remove-section=.llvmbc", "--remove-section=.llvmcmd"]).arg(&object);
    succeed(&mut objcopy)?;
    let archive = lib.join("libringtrace.a");
    let _ = fs::remove_file(&archive);
    succeed(Command::new("ar").arg("rcs").arg(&archive).arg(&object))?;
    fs::remove_file(object)?;
    fs::remove_file(names)?;
    Ok(())
}

/// Returns the command that links the shared object from the parts of the archive that the symbols
/// in `map` need.
fn link(archive: &Path, libraries: &[String], map: &Path, object: &Path) -> Command {
    let mut command = Command::new("cc");
    command.arg("-shared").arg("-o").arg(object);
    command.arg("-Wl,--whole-archive").arg(archive).arg("-Wl,--no-whole-archive");
    command.arg(format!("-Wl,-soname,libringtrace.so.{ABI}"));
    command.arg(format!("-Wl,--version-script={}", map.display()));
    command.args(["-Wl,--gc-sections", "-Wl,--as-needed", "-Wl,-z,defs", "-Wl,-z,relro,-z,now", "-s"]);
    command.args(libraries);
    command
}

fn succeed(command: &mut Command) -> Result<(), Error> {
    let output = command.output()?;
    if output.status.success() {
        Ok(())
    } else {
        Err(Error(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr))))
    }
}
