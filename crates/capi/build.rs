//! Compiles the parts that cannot be written in Rust: a thread-local symbol, streams, and variadic
//! functions.

#[expect(clippy::disallowed_methods, reason = "build scripts are configured by the environment")]
fn main() {
    const SOURCES: [&str; 9] = [
        "src/c/extensions.c",
        "src/c/ftrace.c",
        "src/c/host.c",
        "src/c/log.c",
        "src/c/module.c",
        "src/c/options.c",
        "src/c/record.c",
        "src/c/stream.c",
        "src/c/text.c",
    ];
    cc::Build::new()
        .files(SOURCES)
        .include("include")
        .std("gnu11")
        .define("_GNU_SOURCE", None)
        .warnings(true)
        .extra_warnings(true)
        .pic(true)
        .flag("-fvisibility=default")
        .compile("ringtrace_c_side");
    if let Ok(here) = std::env::var("CARGO_MANIFEST_DIR") {
        println!("cargo:include={here}/include");
    }
    for path in ["src/c", "include"] {
        println!("cargo:rerun-if-changed={path}");
    }
}
