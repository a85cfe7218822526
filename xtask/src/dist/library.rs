//! The C library: archive, shared object, headers, and what tells builds of them.
//!
//! rustc makes the archive. The shared object is linked from it here, because rustc's own would hide what is written in C.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Problem, files_below, write};
use crate::{root, step};

/// The library's version, which is the workspace's.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Which versions can stand for each other.
const ABI: &str = "0";

/// What pkg-config knows of it. Paths are seen from where this file is, so that the folder can be moved.
const PKG_CONFIG: &str = "\
prefix=${pcfiledir}/../..
libdir=${prefix}/lib
includedir=${prefix}/include/ringtrace
bindir=${prefix}/bin
# The generator, and what links the archive instead of the shared object.
tracetool=${bindir}/tracetool
static_libs=${libdir}/libringtrace.a @PRIVATE@

Name: ringtrace
Description: Tracing for C programs: QEMU's interface over lock-free rings
Version: @VERSION@
Cflags: -I${includedir}
Libs: -L${libdir} -lringtrace
Libs.private: @PRIVATE@
";

/// Lays the library out below `folder`.
pub(super) fn lay_out(folder: &Path, debug: bool) -> Result<(), Problem> {
    let source = root().join("crates/capi");
    let lib = folder.join("lib");
    fs::create_dir_all(&lib)?;

    let (built, libraries) = build(debug)?;
    let archive = lib.join("libringtrace.a");
    fs::copy(built, &archive)?;
    // Of the names in it, linkers need some; of the lines, nobody has the sources.
    succeed(Command::new("strip").arg("--strip-debug").arg(&archive))?;
    let object = lib.join(format!("libringtrace.so.{VERSION}"));
    succeed(&mut link(&archive, &libraries, &source.join("libringtrace.map"), &object))?;
    for (name, target) in [(format!("libringtrace.so.{ABI}"), VERSION), ("libringtrace.so".to_owned(), ABI)] {
        let place = lib.join(name);
        let _ = fs::remove_file(&place);
        std::os::unix::fs::symlink(format!("libringtrace.so.{target}"), place)?;
    }

    let include = source.join("include");
    for header in files_below(&include)? {
        let place = header.strip_prefix(&include).unwrap_or(&header);
        write(&folder.join("include/ringtrace").join(place), &fs::read(&header)?)?;
    }
    let about = PKG_CONFIG.replace("@VERSION@", VERSION).replace("@PRIVATE@", &libraries.join(" "));
    write(&lib.join("pkgconfig/ringtrace.pc"), about.as_bytes())?;
    Ok(())
}

/// Builds the archive; says where it is, and what of the system it wants to be linked with.
fn build(debug: bool) -> Result<(PathBuf, Vec<String>), Problem> {
    let mut arguments = vec!["rustc", "--package", "ringtrace-capi", "--lib", "--locked", "--quiet"];
    if !debug {
        arguments.push("--release");
    }
    arguments.extend(["--crate-type", "staticlib", "--message-format", "json-render-diagnostics"]);
    arguments.extend(["--", "--print", "native-static-libs"]);
    let finished = step::cargo(&arguments, &[])?;
    let output = &finished.output;
    if !finished.status.success() {
        return Err(Problem(output.clone()));
    }
    let unknown = |what: &str| Problem(format!("cargo does not say {what}:\n{output}"));
    let is_archive = |word: &&str| word.ends_with("/libringtrace_c.a");
    let archive = output.split('"').find(is_archive).ok_or_else(|| unknown("where the archive is"))?;
    let libraries = output.lines().find_map(|line| line.split_once("native-static-libs: "));
    let (_, libraries) = libraries.ok_or_else(|| unknown("which libraries it wants"))?;
    // The C library comes by itself.
    let libraries = libraries.split_whitespace().filter(|name| *name != "-lc").map(str::to_owned);
    Ok((PathBuf::from(archive), libraries.collect()))
}

/// What links the shared object: all of the archive that can be reached by what `map` shows.
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

fn succeed(command: &mut Command) -> Result<(), Problem> {
    let output = command.output()?;
    if output.status.success() {
        Ok(())
    } else {
        Err(Problem(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr))))
    }
}
