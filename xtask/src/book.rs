//! `cargo xtask book`: builds the pages of `docs` as a book, if mdbook is installed. This is not
//! part of the checks.

use std::io::ErrorKind;
use std::process::{Command, ExitCode};

use crate::root;

/// Builds the book into `target/book`.
pub fn run() -> ExitCode {
    if !root().join("book.toml").is_file() {
        eprintln!("error: there is no book.toml");
        return ExitCode::FAILURE;
    }
    let folder = root().join("target/book");
    match Command::new("mdbook").arg("build").arg("--dest-dir").arg(&folder).current_dir(root()).status() {
        Ok(status) if status.success() => {
            println!("{}", folder.join("index.html").display());
            ExitCode::SUCCESS
        }
        Ok(_) => ExitCode::FAILURE,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!(
                "error: mdbook is not installed\n  help: install it with `cargo install mdbook --locked`"
            );
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: cannot run mdbook: {error}");
            ExitCode::FAILURE
        }
    }
}
