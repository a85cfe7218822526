//! The C program, built as QEMU is: source files for each group, and one LTTng provider for all
//! groups.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ringtrace_events::SourceFile;
use ringtrace_events::parse::{Dialect, Parsed, parse};
use ringtrace_tracetool::{Backend, Format, Group, Request, SourceWriter};
use tempfile::TempDir;

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The groups and their declarations files.
const GROUPS: [(&str, &str); 2] =
    [("listened", "src/bin/listened/trace-events"), ("more", "tests/lttng/more.events")];

/// A compiled program.
pub struct CProgram {
    _folder: TempDir,
    pub path: PathBuf,
}

impl CProgram {
    /// Builds the program with these backends, linked with the library.
    pub fn build(backends: &[&str]) -> CProgram {
        let folder = tempfile::tempdir().unwrap();
        let backends: Vec<&'static Backend> =
            backends.iter().map(|name| Backend::named(name).unwrap()).collect();
        let has = |name: &str| backends.iter().any(|backend| backend.name == name);
        let at = |name: String| folder.path().join(name);
        let sources =
            GROUPS.map(|(_, file)| SourceFile::new(file, fs::read_to_string(package().join(file)).unwrap()));
        let parsed = parse(sources.to_vec(), Dialect::NEW);
        let mut inputs = vec![package().join("tests/lttng/listened.c")];
        for (index, (name, _)) in GROUPS.iter().enumerate() {
            let generate =
                |format, output: &Path| generate(&parsed, format, name, Some(index), &backends, output);
            generate("h", &at(format!("trace-{name}.h")));
            inputs.push(at(format!("trace-{name}.c")));
            generate("c", &at(format!("trace-{name}.c")));
            if has("dtrace") {
                let script = at(format!("trace-dtrace-{name}.dtrace"));
                generate("d", &script);
                for (option, output) in [("-h", "h"), ("-G", "o")] {
                    let output = at(format!("trace-dtrace-{name}.{output}"));
                    let mut dtrace = Command::new("dtrace");
                    dtrace.args(["-DSTAP_SDT_V2", option, "-s"]).arg(&script).arg("-o").arg(output);
                    succeed(dtrace.current_dir(folder.path()), "systemtap-sdt-dev");
                }
                inputs.push(at(format!("trace-dtrace-{name}.o")));
            }
            generate("ust-events-h", &at(format!("trace-ust-{name}.h")));
        }
        if has("ust") {
            let all = |format, output: &Path| generate(&parsed, format, "all", None, &backends, output);
            all("ust-events-h", &at("trace-ust-all.h".to_owned()));
            all("ust-events-c", &at("trace-ust-all.c".to_owned()));
            inputs.push(at("trace-ust-all.c".to_owned()));
        }
        let path = at("listened-in-c".to_owned());
        let mut compiler = Command::new("gcc");
        compiler
            .args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o"])
            .arg(&path)
            .arg("-I")
            .arg(folder.path());
        compiler.arg("-I").arg(package().join("../../../crates/capi/include")).args(&inputs).arg(library());
        compiler.args(["-llttng-ust", "-lpthread", "-ldl", "-lm", "-lgcc_s"]);
        succeed(&mut compiler, "gcc and liblttng-ust-dev");
        CProgram { _folder: folder, path }
    }
}

/// Writes the output of `format` for the group `name`, from one declarations file or from all.
fn generate(
    parsed: &Parsed,
    format: &str,
    name: &str,
    file: Option<usize>,
    backends: &[&'static Backend],
    output: &Path,
) {
    let is_of_file = |index: usize| file.is_none_or(|file| file == index);
    let declarations = &parsed.declarations;
    let group = Group {
        name,
        sources: declarations
            .sources
            .iter()
            .enumerate()
            .filter(|(index, _)| is_of_file(*index))
            .map(|(_, source)| source)
            .collect(),
        events: declarations.events.iter().filter(|event| is_of_file(event.source)).collect(),
    };
    let mut out = SourceWriter::new();
    let request = Request { output: output.to_str().unwrap(), ..Request::new(group, backends) };
    (Format::named(format).unwrap().generate)(&request, &mut out).unwrap();
    fs::write(output, out.finish()).unwrap();
}

/// Returns the newest archive of the library that cargo has built for this test.
fn library() -> PathBuf {
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let archives = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("libringtrace_c") && name.ends_with(".a")
    });
    archives.max_by_key(|path| path.metadata().unwrap().modified().unwrap()).unwrap()
}

/// Runs a command from the Debian package `package`.
fn succeed(command: &mut Command, package: &str) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}; install {package}"));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} (of {package}): {told}");
}
