//! Tests of the written files and of the messages to cargo.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::cargo::Environment;
use super::{BuildError, Builder, cargo};

/// A package's folder with declarations files.
struct Package {
    folder: tempfile::TempDir,
}

impl Package {
    fn new(files: &[(&str, &str)]) -> Package {
        let package = Package { folder: tempfile::tempdir().unwrap() };
        files.iter().for_each(|(name, text)| package.write(name, text));
        package
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Runs the builder. Returns the lines for cargo, with the package's folder replaced by `DIR`,
    /// and the result.
    fn build(&self, builder: &Builder) -> (String, Result<(), BuildError>) {
        let environment = Environment { out_dir: Some(self.path("out")), ..Environment::default() };
        let mut printed = Vec::new();
        let result = builder.run(&environment, &mut printed);
        (self.anonymous(&String::from_utf8(printed).unwrap()), result)
    }

    fn anonymous(&self, text: &str) -> String {
        text.replace(self.folder.path().to_str().unwrap(), "DIR")
    }

    /// Identifies a version of an output file: inode and modification time.
    fn output(&self, group: &str) -> (u64, i64, i64) {
        let path = self.path(&format!("out/ringtrace/trace-{group}.rs"));
        let metadata = path.metadata().unwrap();
        (metadata.ino(), metadata.mtime(), metadata.mtime_nsec())
    }
}

/// A package with the groups `blk` and `net`, in files of these names.
fn two_groups() -> (Package, Builder) {
    let package = Package::new(&[
        ("blk", "blk_read(int len) \"len=%d\"\n"),
        ("net", "# packets\nnet_send(int len) \"len=%d\"\n"),
    ]);
    let builder = Builder::new().group("blk", package.path("blk")).group("net", package.path("net"));
    (package, builder)
}

#[test]
fn unchanged_files_are_not_written() {
    let (package, builder) = two_groups();
    let (printed, result) = package.build(&builder);
    assert_eq!(result, Ok(()));
    let lines = [
        "cargo::rerun-if-changed=DIR/blk",
        "cargo::rerun-if-changed=DIR/net",
        "cargo::rustc-env=RINGTRACE_GROUP_blk=made",
        "cargo::rustc-env=RINGTRACE_GROUP_net=made",
    ];
    assert_eq!(printed.lines().collect::<Vec<_>>(), lines);
    let before = (package.output("blk"), package.output("net"));

    package.build(&builder).1.unwrap();
    assert_eq!((package.output("blk"), package.output("net")), before, "nothing changed");

    package.write("net", "# packets and more\n\nnet_send(int len) \"len=%d\"\n");
    package.build(&builder).1.unwrap();
    assert_eq!((package.output("blk"), package.output("net")), before, "a comment changed");

    package.write("net", "net_send(size_t len) \"len=%zu\"\n");
    package.build(&builder).1.unwrap();
    assert_eq!(package.output("blk"), before.0, "nothing of this group changed");
    assert_ne!(package.output("net"), before.1);
    let names: Vec<_> = fs::read_dir(package.path("out/ringtrace")).unwrap().collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn with_an_error_nothing_is_written() {
    let (package, builder) = two_groups();
    package.write("net", "net_send(int len\n");
    assert!(package.build(&builder).1.is_err());
    assert!(!package.path("out").exists());
}

/// Compares the messages with `testdata/tracetool/builder.out`, which `RINGTRACE_ACCEPT=1` updates.
#[test]
#[expect(clippy::disallowed_methods, reason = "tests may read the environment")]
fn all_errors_are_reported() {
    let package = Package::new(&[
        ("blk", "a(struct bar *b) \"%p\"\nb(int x) \"%lu\"\nc(int x\nd(int type) \"%d\"\n"),
        ("net", "# twice\nb(void) \"\"\nd_enabled(void) \"\"\n"),
    ]);
    let (printed, result) = package.build(
        &Builder::new()
            .group("blk", package.path("blk"))
            .group_of_files("net", [package.path("net"), package.path("none")])
            .group("net", package.path("net"))
            .group("a/b", package.path("blk"))
            .allow("format-tipe")
            .deny("E0005"),
    );
    let shown = package.anonymous(&format!("{:?}", result.unwrap_err()));
    let text = format!("{printed}\n--- what `main` returns\nError: {shown}\n");
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/tracetool/builder.out");
    if std::env::var_os("RINGTRACE_ACCEPT").is_some_and(|value| value == "1") {
        fs::write(&golden, &text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(&golden).unwrap(), "RINGTRACE_ACCEPT=1 accepts");
}

#[test]
fn lints_are_warnings_that_can_be_allowed_or_denied() {
    let package = Package::new(&[("blk", "a(int x, int type) \"%d\"\n")]);
    let builder = || Builder::new().group("blk", package.path("blk"));
    let rerun = "cargo::rerun-if-changed=DIR/blk\n";
    let unused = "DIR/blk:1:14: argument `type` of `a` is never printed [unused-argument]; \
        the format has no conversion for this\n";
    for (builder, printed, good) in [
        (builder(), format!("cargo::warning={unused}"), true),
        (builder().allow("unused-argument"), String::new(), true),
        (builder().allow("all"), String::new(), true),
        (builder().deny("unused-argument"), format!("cargo::error={unused}"), false),
        (builder().deny("all").allow("all"), String::new(), true),
    ] {
        let (now, result) = package.build(&builder);
        let made = if good { "cargo::rustc-env=RINGTRACE_GROUP_blk=made\n" } else { "" };
        assert_eq!((now, result.is_ok()), (format!("{rerun}{printed}{made}"), good), "{builder:?}");
    }
}

#[test]
fn backends_and_providers_are_named() {
    let (package, _) = two_groups();
    let builder = || Builder::new().group("blk", package.path("blk")).group("net", package.path("net"));
    let text =
        |group: &str| fs::read_to_string(package.path(&format!("out/ringtrace/trace-{group}.rs"))).unwrap();
    package.build(&builder().backends(["dtrace", "log"])).1.unwrap();
    assert!(text("blk").contains("::ringtrace::usdt! { provider: \"blk\", name: \"blk_read\""));
    package.build(&builder().backends(["dtrace"]).provider("my-program")).1.unwrap();
    assert!(text("net").contains("::ringtrace::usdt! { provider: \"my-program\", name: \"net_send\""));
    package.build(&builder().backends(["simple", "log"])).1.unwrap();
    assert!(!text("blk").contains("usdt"));

    for (builder, printed) in [
        (
            builder().backends(["dtrase"]),
            "unknown backend \"dtrase\"; expected nop, dtrace, ftrace, log, simple, syslog, ust",
        ),
        (builder().backends(["dtrace", "dtrace"]), "the backend `dtrace` is specified twice"),
        (
            builder().provider("my program"),
            "the provider's name \"my program\" must consist of letters, digits, `_` and `-`",
        ),
    ] {
        let (all, result) = package.build(&builder);
        assert!(result.is_err() && all.contains(&format!("cargo::error=Builder: {printed}\n")), "{all}");
    }
}

/// These lints are errors because the generated code would not compile.
#[test]
fn some_lints_are_errors_always() {
    let package = Package::new(&[("blk", "a(unsigned bool x) \"%d\"\nb(void) \"\"\nb(void) \"\"\n")]);
    let (_, result) = package.build(&Builder::new().group("blk", package.path("blk")).allow("all"));
    assert_eq!(result.unwrap_err().to_string(), "no probes were generated, because of 2 errors");
}

#[test]
fn an_output_folder_is_required() {
    let mut printed = Vec::new();
    let result = Builder::new().run(&Environment::default(), &mut printed);
    assert!(result.is_err());
    assert!(String::from_utf8(printed).unwrap().contains("OUT_DIR is not set"));
}

#[test]
fn out_dir_selects_the_folder() {
    let (package, builder) = two_groups();
    let builder = builder.out_dir(package.path("generated"));
    builder.run(&Environment::default(), &mut Vec::new()).unwrap();
    assert!(package.path("generated/trace-blk.rs").exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let (package, builder) = two_groups();
    package.write("out", "no folder");
    let (printed, result) = package.build(&builder);
    assert!(result.is_err());
    assert!(printed.contains("cargo::error=DIR/out/ringtrace/trace-blk.rs: "), "{printed}");
}

#[test]
fn linker_support_is_detected() {
    let knows = "#!/bin/sh\necho '  --export-dynamic-symbol SYMBOL  Export'\n";
    let knows_not = "#!/bin/sh\necho '  --export-dynamic  Export all'\n";
    let package = Package::new(&[("new-cc", knows), ("old-cc", knows_not)]);
    let supports = |name: &str| {
        let path = package.path(name);
        if let Ok(metadata) = path.metadata() {
            let mut permissions = metadata.permissions();
            std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o700);
            fs::set_permissions(&path, permissions).unwrap();
        }
        cargo::takes_export(path.as_os_str())
    };
    assert!(supports("new-cc"));
    assert!(!supports("old-cc"));
    assert!(!supports("no-cc"));
}

/// All output consists of lines for cargo.
#[test]
fn every_line_is_one_for_cargo() {
    let package = Package::new(&[("blk", "a(int x)\u{1b}[31m \"\"\nb\u{7}(int x) \"\"\n")]);
    let (printed, _) = package.build(&Builder::new().group("blk", package.path("blk")));
    assert!(printed.lines().all(|line| line.starts_with("cargo::")), "{printed}");
    assert!(!printed.contains(['\u{1b}', '\u{7}']), "{printed}");
}

#[test]
fn a_relative_path_counts_from_the_package() {
    let mut printed = Vec::new();
    let builder = Builder::new().group("blk", Path::new("no/such/trace-events"));
    builder.run(&Environment::default(), &mut printed).unwrap_err();
    let printed = String::from_utf8(printed).unwrap();
    assert!(printed.contains("no/such/trace-events: No such file or directory"), "{printed}");
    assert!(printed.contains("relative to the folder of Cargo.toml"), "{printed}");
}

/// A C compiler is called only with the feature `ust`.
#[cfg(not(feature = "ust"))]
#[test]
fn lttng_is_a_feature() {
    let (package, builder) = two_groups();
    let (printed, result) = package.build(&builder.backends(["ust"]));
    assert!(result.is_err());
    assert!(
        printed.contains("`ringtrace-tracetool = { .., features = [\"ust\"] }` in [build-dependencies]"),
        "{printed}"
    );
}
