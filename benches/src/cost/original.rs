//! Compares the handwritten Rust loops with the C programs that they reimplement, if those programs
//! are available.

use std::path::{Path, PathBuf};
use std::process::Command;

use ringtrace_benches::recording::by_hand::{pipeline, stores};
use ringtrace_benches::recording::cores;
use ringtrace_benches::recording::turns::{Side, round};
use tempfile::TempDir;

/// The environment variable with the folder of the C programs.
const VARIABLE: &str = "RINGTRACE_YARDSTICKS";
const EVENTS: u64 = 5_000_000;

/// Compares `ours` with `limit.c`. `clock` is 0 for none and 1 for the counter; `kind` is `two` or
/// `str`.
///
/// # Errors
/// Fails if the program cannot be compiled or run.
pub fn limit(rounds: usize, clock: u8, kind: &str, ours: impl Fn(u64)) -> Result<(), String> {
    stores::provide().map_err(|error| error.to_string())?;
    cores::usable().first().map_or(Ok(()), |&core| cores::stay_on(core))?;
    let defines = [format!("-DCLK={clock}"), "-DMODE=0".to_owned()];
    let Some(program) = Program::compile("limit.c", &defines)? else { return Ok(()) };
    for _ in 0..rounds {
        let their_ns = program.run(&["-k", kind, "-b", "1000", "-n", "200000"], "med=")?;
        let our_ns = round(
            &mut Side { emit: &mut |events| ours(events), settle: &mut || {} },
            &mut Side { emit: &mut |_| {}, settle: &mut || {} },
        )
        .ours_ns;
        println!("round {our_ns:.4} {their_ns:.4} {:.4}", our_ns / their_ns);
    }
    Ok(())
}

/// Compares the pipeline with `sustain.c`, both writing to `/dev/null`.
///
/// # Errors
/// Fails if the program cannot be compiled or run.
pub fn sustain(rounds: usize) -> Result<(), String> {
    let Some(program) = Program::compile("sustain.c", &[])? else { return Ok(()) };
    let events = EVENTS.to_string();
    for _ in 0..rounds {
        let their_ns = program.run(&["-n", &events], "wall=")?;
        let null = std::fs::File::create("/dev/null").map_err(|error| error.to_string())?;
        let our_ns = pipeline::run(&null, EVENTS).map_err(|error| error.to_string())?.ns;
        println!("round {our_ns:.4} {their_ns:.4} {:.4}", our_ns / their_ns);
    }
    Ok(())
}

struct Program {
    path: PathBuf,
    _folder: TempDir,
}

impl Program {
    /// Compiles a program. Prints a reason and returns `None` if the source or the compiler is
    /// missing.
    fn compile(source: &str, defines: &[String]) -> Result<Option<Program>, String> {
        let source = folder().join(source);
        if !source.is_file() {
            println!("skipped no {} ({VARIABLE})", source.display());
            return Ok(None);
        }
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("program");
        let mut compiler = Command::new("gcc");
        compiler
            .args(["-O3", "-march=native", "-w", "-pthread"])
            .args(defines)
            .arg(&source)
            .arg("-o")
            .arg(&path);
        match compiler.status() {
            Ok(status) if status.success() => Ok(Some(Program { path, _folder: folder })),
            Ok(status) => Err(format!("gcc {}: {status}", source.display())),
            Err(error) => {
                println!("skipped gcc: {error}");
                Ok(None)
            }
        }
    }

    /// Runs the program. Returns the number after `field` in its output.
    fn run(&self, arguments: &[&str], field: &str) -> Result<f64, String> {
        let output = Command::new(&self.path).args(arguments).output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let number = text.split_whitespace().find_map(|word| word.strip_prefix(field)?.parse().ok());
        number.ok_or_else(|| format!("{}: no {field} in {text:?}", self.path.display()))
    }
}

fn folder() -> PathBuf {
    std::env::var_os(VARIABLE)
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/yardsticks"), PathBuf::from)
}
