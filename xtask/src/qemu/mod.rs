//! `cargo xtask qemu DIR`: builds QEMU's disk tools on ringtrace, and checks their traces.
//!
//! The tree comes from the user. Nothing of QEMU is part of this project. `docs/qemu.md` describes
//! the same steps as commands.

mod build;
mod compare;
mod job;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use crate::{dist, root};
use build::{Build, Settings};
use job::Job;
use tree::{TRIED, Tree, at};

const USAGE: &str = "\
usage: cargo xtask qemu DIR [OPTION]...
       cargo xtask qemu DIR --revert

Builds qemu-img and qemu-io of an unpacked QEMU source tree with ringtrace in place of QEMU's
tracing, runs a job with every event enabled, and checks its trace.
  --build DIR        folder for a copy of the tree and for all output (default: target/qemu/VERSION)
  --in-place         change the tree itself instead of a copy
  --revert           restore a tree that was changed with --in-place, and do nothing else
  --no-build         only change the copy (with --in-place, the tree)
  --installed DIR    use the files that `cargo xtask dist DIR` installed
  --untried          accept a version of QEMU that has never been tried
  --python PROGRAM   Python for QEMU's build (default: python3)
  --configure OPTION pass an option to QEMU's configure; repeatable
  --compare          also build the tree with QEMU's own backend, and measure both
  --rounds N         rounds of --compare (default: 9)";

#[derive(Debug)]
struct Arguments<'w> {
    tree: &'w Path,
    build: Option<&'w Path>,
    installed: Option<&'w Path>,
    python: &'w str,
    options: Vec<&'w str>,
    rounds: usize,
    in_place: bool,
    revert: bool,
    no_build: bool,
    untried: bool,
    compare: bool,
}

/// Runs the command with the arguments after `qemu`.
pub fn run(words: &[&str]) -> ExitCode {
    let arguments = match Arguments::parse(words) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("error: {message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match qemu(&arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(failed) => {
            eprintln!("error: {failed} checks failed");
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
        let mut tree = None;
        let mut arguments = Arguments {
            tree: Path::new(""),
            build: None,
            installed: None,
            python: "python3",
            options: Vec::new(),
            rounds: 9,
            in_place: false,
            revert: false,
            no_build: false,
            untried: false,
            compare: false,
        };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut value = || words.next().copied().ok_or_else(|| format!("{word} needs a value"));
            match word {
                "--build" => arguments.build = Some(Path::new(value()?)),
                "--installed" => arguments.installed = Some(Path::new(value()?)),
                "--python" => arguments.python = value()?,
                "--configure" => arguments.options.push(value()?),
                "--rounds" => {
                    let rounds = value()?;
                    let number = rounds.parse().ok().filter(|rounds| *rounds > 0);
                    arguments.rounds =
                        number.ok_or_else(|| format!("--rounds: expected a number, got `{rounds}`"))?;
                }
                "--in-place" => arguments.in_place = true,
                "--revert" => arguments.revert = true,
                "--no-build" => arguments.no_build = true,
                "--untried" => arguments.untried = true,
                "--compare" => arguments.compare = true,
                _ if word.starts_with('-') => return Err(format!("unknown option `{word}`")),
                folder if tree.is_none() => tree = Some(folder),
                more => return Err(format!("unexpected argument `{more}`: only one folder can be given")),
            }
        }
        arguments.tree = Path::new(tree.ok_or("the folder of QEMU's sources is missing")?);
        if arguments.compare && (arguments.in_place || arguments.no_build) {
            return Err(
                "--compare also builds the unmodified tree, so it cannot be combined with --in-place or --no-build".into()
            );
        }
        Ok(arguments)
    }
}

/// Does everything. Returns the number of checks that failed.
fn qemu(arguments: &Arguments<'_>) -> Result<usize, String> {
    let given = Tree::open(arguments.tree)?;
    if arguments.revert {
        println!("{} files restored in {}", given.revert()?, given.root.display());
        return Ok(0);
    }
    println!("QEMU {} in {}", given.version, given.root.display());
    if !given.was_tried() {
        let tried = TRIED.join(" and ");
        let message =
            format!("QEMU {} has never been tried with ringtrace, only QEMU {tried}", given.version);
        if !arguments.untried {
            return Err(format!("{message}\n  help: to try it, use --untried"));
        }
        println!("warning: {message}");
    }
    let folder = match arguments.build {
        Some(folder) => absolute(folder)?,
        None => root().join("target/qemu").join(&given.version),
    };
    fs::create_dir_all(&folder).map_err(|error| at(&folder, &error))?;
    let installed = installed(arguments.installed, &folder)?;

    let changed =
        if arguments.in_place { Tree::open(&given.root)? } else { given.copy(&folder.join("source"))? };
    changed.change(&installed)?;
    println!("ringtrace has replaced the tracing in {}", changed.root.display());
    if arguments.no_build {
        return Ok(0);
    }
    // The build runs in another folder, so make the path absolute.
    let python = match arguments.python {
        path if path.contains('/') => absolute(Path::new(path))?.display().to_string(),
        name => name.to_owned(),
    };
    let missing = build::missing(&changed, &python);
    if !missing.is_empty() {
        return Err(format!("the build needs:\n  {}", missing.join("\n  ")));
    }
    let settings = Settings { installed: &installed, python: &python, options: &arguments.options };
    let timed = |source: &Tree, name: &str, backends: &str| -> Result<Build, String> {
        let start = Instant::now();
        let built = build::build(source, &folder.join(name), backends, &settings)?;
        println!("built {} in {:.0} s", built.folder.display(), start.elapsed().as_secs_f64());
        Ok(built)
    };
    // The checks compare the trace with the lines that QEMU's own log backend generates.
    let checked = timed(&changed, "simple-and-log", "simple,log")?;
    let work = folder.join("work");
    fs::create_dir_all(&work).map_err(|error| at(&work, &error))?;
    let job = Job { folder: &work, installed: &installed };
    let mut failed = 0;
    job.check(&checked, &changed.root, &python, &mut |check, result| match result {
        Ok(detail) if detail.is_empty() => println!("ok      {check}"),
        Ok(detail) => println!("ok      {check}: {detail}"),
        Err(reason) => {
            failed += 1;
            println!("FAILED  {check}: {reason}");
        }
    })?;
    if arguments.compare {
        // Compare builds with `simple` alone: QEMU's backend `log` would write its lines as well.
        let ours = timed(&changed, "simple", "simple")?;
        let theirs = timed(&given, "unmodified", "simple")?;
        print!("\n{}", compare::compare(&job, &ours, &theirs, arguments.rounds)?);
    }
    Ok(failed)
}

/// Returns the folder with the library and the tools. If none is given, installs them below
/// `folder`.
fn installed(named: Option<&Path>, folder: &Path) -> Result<PathBuf, String> {
    let Some(named) = named else {
        let own = folder.join("ringtrace");
        println!("installing ringtrace in {}", own.display());
        dist::install_in(&own)?;
        return Ok(own);
    };
    let named = absolute(named)?;
    let needed = ["bin/ringtrace", "bin/tracetool", "lib/libringtrace.a", "lib/pkgconfig/ringtrace.pc"];
    match needed.iter().find(|name| !named.join(name).exists()) {
        Some(absent) => {
            let advice = "help: `cargo xtask dist DIR` installs everything";
            Err(format!("{} has no {absent}\n  {advice}", named.display()))
        }
        None => Ok(named),
    }
}

fn absolute(path: &Path) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| at(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_options_and_one_folder() {
        let arguments =
            Arguments::parse(&["--build", "b", "tree", "--configure", "--enable-x", "--rounds", "7"])
                .unwrap();
        assert_eq!(arguments.tree, Path::new("tree"));
        assert_eq!(arguments.build, Some(Path::new("b")));
        assert_eq!(arguments.options, ["--enable-x"]);
        assert_eq!(arguments.rounds, 7);
        for (words, message) in [
            (&[][..], "the folder of QEMU's sources is missing"),
            (&["a", "b"], "unexpected argument `b`: only one folder can be given"),
            (&["a", "--build"], "--build needs a value"),
            (&["a", "--rounds", "0"], "--rounds: expected a number, got `0`"),
            (&["a", "--fast"], "unknown option `--fast`"),
        ] {
            assert_eq!(Arguments::parse(words).unwrap_err(), message);
        }
        assert!(
            Arguments::parse(&["a", "--compare", "--in-place"]).unwrap_err().contains("cannot be combined")
        );
    }

    #[test]
    fn a_version_that_was_never_tried_needs_a_flag() {
        let folder = tempfile::tempdir().unwrap();
        for path in
            ["configure", "meson.build", "trace/meson.build", "stubs/meson.build", "scripts/tracetool.py"]
        {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        fs::write(folder.path().join("VERSION"), "99.1.0\n").unwrap();
        let tree = folder.path().to_str().unwrap();
        let error = qemu(&Arguments::parse(&[tree]).unwrap()).unwrap_err();
        assert!(error.contains("QEMU 99.1.0 has never been tried") && error.contains("--untried"), "{error}");
    }
}
