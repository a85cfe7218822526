//! `cargo xtask fuzz`: builds the libFuzzer program with the stable toolchain, and runs fuzz
//! targets.
//!
//! Coverage comes from an LLVM pass that stable compilers can run. AddressSanitizer needs an
//! unstable option, and therefore `RUSTC_BOOTSTRAP`. See docs/fuzzing.md.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::step::{self, Finished};

const USAGE: &str = "\
usage: cargo xtask fuzz [TARGET]... [--seconds N] [--asan] [--input FILE]
       cargo xtask fuzz --list

Without a target, runs all of them, one at a time.
  --seconds N    run each target for N seconds (default: 60)
  --asan         detect invalid memory accesses (AddressSanitizer); about half as fast
  --input FILE   run one input, such as a finding, instead of generating inputs
  --list         list the targets";

/// Options for LLVM: an 8-bit counter for each edge, and the operands of comparisons, for
/// libFuzzer.
const COVERAGE: [&str; 6] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

/// The environment variable that selects the target. With `list`, the program lists all targets.
const TARGET_VARIABLE: &str = "RINGTRACE_FUZZ_TARGET";

/// libFuzzer reports a hang if one input takes longer.
const TIMEOUT_SECONDS: u32 = 10;

/// libFuzzer reports an input if the process, including libFuzzer itself, uses more memory.
const MEMORY_MIB: u32 = 512;

struct Arguments<'w> {
    targets: Vec<&'w str>,
    seconds: u32,
    asan: bool,
    list: bool,
    input: Option<PathBuf>,
}

/// Runs the command with the arguments after `fuzz`.
pub fn run(words: &[&str]) -> ExitCode {
    let arguments = match Arguments::parse(words) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match fuzz(&arguments) {
        Ok(found) if found.is_empty() => ExitCode::SUCCESS,
        Ok(found) => {
            let found = found.join(", ");
            eprintln!("error: failures in: {found}");
            eprintln!(
                "  help: the inputs are in fuzz/artifacts; docs/fuzzing.md describes how to turn them into tests"
            );
            ExitCode::FAILURE
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

impl<'w> Arguments<'w> {
    fn parse(words: &[&'w str]) -> Result<Arguments<'w>, String> {
        let mut arguments =
            Arguments { targets: Vec::new(), seconds: 60, asan: false, list: false, input: None };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut value = || words.next().copied().ok_or_else(|| format!("{word} needs a value"));
            match word {
                "--seconds" => {
                    let seconds = value()?;
                    let number =
                        seconds.parse().map_err(|_| format!("--seconds: expected a number, got `{seconds}`"));
                    arguments.seconds = number?;
                }
                "--input" => arguments.input = Some(value()?.into()),
                "--asan" => arguments.asan = true,
                "--list" => arguments.list = true,
                _ if word.starts_with('-') => return Err(format!("unknown option `{word}`")),
                name => arguments.targets.push(name),
            }
        }
        Ok(arguments)
    }
}

/// Runs the targets. Returns the names of those that failed.
fn fuzz(arguments: &Arguments<'_>) -> Result<Vec<String>, String> {
    let fuzz = crate::root().join("fuzz");
    let program = build(&fuzz, arguments.asan)?;
    let targets = targets(&program)?;
    if arguments.list {
        for Target { name, about, .. } in targets {
            println!("{name:<14} {about}");
        }
        return Ok(Vec::new());
    }
    if let Some(unknown) =
        arguments.targets.iter().find(|name| targets.iter().all(|known| known.name != **name))
    {
        return Err(format!("there is no target `{unknown}`\n  help: `--list` lists the targets"));
    }
    let mut found = Vec::new();
    for target in targets {
        let wanted = arguments.targets.is_empty() || arguments.targets.contains(&&*target.name);
        if wanted && !target.run(&program, &fuzz, arguments)? {
            found.push(target.name);
        }
    }
    Ok(found)
}

/// One of `TARGETS` in `fuzz/targets`. xtask does not depend on that package, so that xtask runs
/// even if the package does not build.
struct Target {
    name: String,
    max_bytes: usize,
    about: String,
}

/// Returns the targets that the program lists.
fn targets(program: &Path) -> Result<Vec<Target>, String> {
    let output = Command::new(program).env(TARGET_VARIABLE, "list").output();
    let output = output.map_err(|error| format!("{}: {error}", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let targets = text.lines().map(|line| {
        let mut fields = line.splitn(3, ' ');
        let (name, max_bytes, about) = (fields.next()?, fields.next()?.parse().ok()?, fields.next()?);
        Some(Target { name: name.to_owned(), max_bytes, about: about.to_owned() })
    });
    targets.collect::<Option<_>>().ok_or_else(|| format!("{} did not list its targets", program.display()))
}

/// Builds the program. Returns its path.
fn build(fuzz: &Path, asan: bool) -> Result<PathBuf, String> {
    let triple = host_triple()?;
    let mut flags = COVERAGE.to_vec();
    // Each set of flags has its own folder, so that changing flags does not rebuild everything.
    let folder = fuzz.join(if asan { "target/asan" } else { "target/plain" });
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--release", "--quiet", "--manifest-path"]).arg(fuzz.join("Cargo.toml"));
    // With an explicit target, cargo does not pass the flags to build scripts.
    cargo.args(["--target", &triple, "--target-dir"]).arg(&folder);
    if asan {
        flags.push("-Zsanitizer=address");
        cargo.env("RUSTC_BOOTSTRAP", "1");
    }
    let status = cargo.env("RUSTFLAGS", flags.join(" ")).status();
    match status {
        Ok(status) if status.success() => Ok(folder.join(triple).join("release/ringtrace-fuzz")),
        Ok(_) => {
            Err("the libFuzzer program cannot be built\n  help: the build needs a C++ compiler".to_owned())
        }
        Err(error) => Err(format!("cargo: {error}")),
    }
}

fn host_triple() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| format!("rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV did not print the host".to_owned())
}

impl Target {
    /// Runs the target, writes the output of libFuzzer to a file, and prints a summary. Returns
    /// whether the target passed.
    fn run(&self, program: &Path, fuzz: &Path, arguments: &Arguments<'_>) -> Result<bool, String> {
        let mut command = Command::new(program);
        command.env(TARGET_VARIABLE, &self.name).env("RUST_BACKTRACE", "0");
        if let Some(input) = &arguments.input {
            command.arg(input);
        } else {
            command.arg(format!("-max_total_time={}", arguments.seconds));
            command.arg(format!("-max_len={}", self.max_bytes));
            command.arg(format!("-timeout={TIMEOUT_SECONDS}"));
            command.arg(format!("-rss_limit_mb={MEMORY_MIB}"));
            command.arg(format!("-artifact_prefix={}/", self.folder(fuzz, "artifacts")?.display()));
            command.args(["-print_final_stats=1", "-use_value_profile=1"]);
            // libFuzzer writes new inputs to the first folder.
            for kind in ["corpus", "seeds", "findings"] {
                command.arg(self.folder(fuzz, kind)?);
            }
        }
        let Finished { status, output } =
            step::run(command).map_err(|error| format!("{}: {error}", program.display()))?;
        let log = self.folder(fuzz, "artifacts")?.with_extension("log");
        std::fs::write(&log, &output).map_err(|error| format!("{}: {error}", log.display()))?;
        println!("{:<14} {}", self.name, summary(&output));
        if !status.success() {
            println!("{}", failure(&output));
            println!("  complete output: {}", log.display());
        }
        Ok(status.success())
    }

    fn folder(&self, fuzz: &Path, kind: &str) -> Result<PathBuf, String> {
        let folder = fuzz.join(kind).join(&self.name);
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(folder)
    }
}

/// Returns a line with the number of runs and the coverage.
fn summary(output: &str) -> String {
    let statistic = |name: &str| {
        let prefix = format!("stat::{name}:");
        output.lines().find_map(|line| line.strip_prefix(&*prefix)).map_or("?", str::trim)
    };
    // `#1234 DONE cov: 567 ft: ...`
    let covered = output.lines().rev().find_map(|line| line.split_once("cov: ")?.1.split(' ').next());
    format!(
        "{:>9} runs, {:>6} per second, {:>5} edges, {:>4} MiB peak",
        statistic("number_of_executed_units"),
        statistic("average_exec_per_sec"),
        covered.unwrap_or("?"),
        statistic("peak_rss_mb"),
    )
}

/// Returns the panic's message or libFuzzer's error, and the path of the input that caused it.
fn failure(output: &str) -> String {
    let lines = output.lines().skip_while(|line| !line.contains("panicked at") && !line.contains("ERROR:"));
    let message = lines.take_while(|line| !line.contains("libFuzzer has rudimentary"));
    let written = output.lines().filter(|line| line.contains("Test unit written"));
    message.take(40).chain(written).map(|line| format!("  {line}\n")).collect()
}
