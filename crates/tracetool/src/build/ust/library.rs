//! Compiles C, as directed by cargo and the environment (`CC`, `CFLAGS`, the target).

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// Compiles `source` to the library `lib{name}.a` in `folder`.
pub fn compile(name: &str, source: &Path, folder: &Path) -> Result<(), String> {
    let mut build = cc::Build::new();
    // The generated Rust code links the library itself, if that code is compiled at all.
    build.file(source).include(folder).out_dir(folder).cargo_metadata(false);
    // LTTng's macros cause warnings.
    build.warnings(false);
    build.try_compile(name).map_err(|error| {
        if build.try_get_compiler().is_ok_and(|compiler| lacks_header(compiler.to_command())) {
            "Builder: the backend `ust` requires the LTTng-UST header lttng/tracepoint.h, which was not found; \
             on Debian it is in the package liblttng-ust-dev, on Fedora in lttng-ust-devel"
                .to_owned()
        } else {
            format!("Builder: {} does not compile: {error}", source.display())
        }
    })
}

/// Whether `compiler` works but cannot find LTTng's header.
fn lacks_header(mut compiler: std::process::Command) -> bool {
    let mut finds = |include: &str| {
        compiler
            .args(["-E", "-x", "c", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        compiler.spawn().and_then(|mut child| {
            if let Some(mut stdin) = child.stdin.take() {
                writeln!(stdin, "#include <{include}>")?;
            }
            child.wait()
        })
    };
    let found = |include| finds(include).is_ok_and(|status| status.success());
    let [standard, tracepoint] = ["stddef.h", "lttng/tracepoint.h"].map(found);
    standard && !tracepoint
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::{compile, lacks_header};

    /// A fake compiler that finds every header except `header`.
    fn finding_all_but(header: &str) -> Command {
        let mut compiler = Command::new("sh");
        let script = format!("while read -r line; do case $line in *{header}*) exit 1;; esac; done");
        compiler.args(["-c", &script]);
        compiler
    }

    #[test]
    fn missing_headers_are_detected() {
        assert!(lacks_header(finding_all_but("lttng")));
        assert!(!lacks_header(finding_all_but("nothing")));
        assert!(!lacks_header(finding_all_but("h")), "it finds nothing at all");
        assert!(!lacks_header(Command::new("/no/such/compiler")));
    }

    /// Outside a build script, compiling fails because cargo's variables are not set. In a build
    /// script, the compiler's own messages precede this one.
    #[test]
    fn compile_errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("wrong.c");
        fs::write(&source, "no C\n").unwrap();
        let message = compile("wrong", &source, folder.path()).unwrap_err();
        assert!(
            message.starts_with("Builder: ") && message.contains("wrong.c does not compile"),
            "{message}"
        );
    }
}
