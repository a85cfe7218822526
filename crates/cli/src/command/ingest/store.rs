//! Datasets in object stores. The program `ringtrace-sql`, which has the clients of the stores,
//! copies the types of columns from there, and publishes traces that were written to a local folder.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};

use ringtrace_export::Dataset;
use tempfile::TempDir;

use crate::command::sql;
use crate::exit::{CliError, Exit};

/// A local copy of a dataset without its traces.
#[derive(Debug)]
pub struct Store {
    program: PathBuf,
    url: String,
    folder: TempDir,
}

/// The result of publishing a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    Changed,
    /// The dataset already contained the same rows.
    Unchanged,
    /// Another process has registered other types of columns: the trace must be read again.
    OtherColumns,
}

/// Returns the URL of a dataset in an object store.
pub fn url(dataset: &Path) -> Option<&str> {
    let name = dataset.to_str()?;
    let (scheme, _) = name.split_once("://")?;
    (!scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(name)
}

impl Store {
    /// Prepares a local folder for traces of the dataset at `url`.
    pub fn open(url: &str, signed: bool) -> Result<(Store, Dataset), CliError> {
        let failed = |error: io::Error| CliError::system("the folder for temporary files", &error);
        let program = sql::program()?;
        let folder = TempDir::with_prefix("ringtrace-ingest-").map_err(failed)?;
        let open = || {
            Dataset::open(folder.path(), signed)
                .map_err(|error| CliError::lines(Exit::System, error.to_string()))
        };
        // Fails if this program cannot write datasets, before anything is created in the store.
        drop(open()?);
        let store = Store { program, url: url.to_owned(), folder };
        let task = if signed { "--fetch-signed" } else { "--fetch" };
        store.run(&[task.as_ref(), url.as_ref(), store.folder.path().as_os_str()])?;
        let dataset = Dataset::open(store.folder.path(), signed)
            .map_err(|error| CliError::lines(Exit::System, error.to_string()))?;
        Ok((store, dataset))
    }

    /// Adds a trace that is in the local folder to the dataset. Deletes it from the folder.
    pub fn publish(&self, trace: &str) -> Result<Published, CliError> {
        let folder = self.folder.path();
        let word =
            self.run(&["--publish".as_ref(), self.url.as_ref(), folder.as_os_str(), trace.as_ref()])?;
        self.clear().map_err(|error| CliError::system(folder.display(), &error))?;
        match word.as_str() {
            "changed" => Ok(Published::Changed),
            "unchanged" => Ok(Published::Unchanged),
            "columns" => Ok(Published::OtherColumns),
            other => Err(self.mismatch(&format!("printed `{other}`"))),
        }
    }

    /// Deletes all tables from the folder.
    fn clear(&self) -> io::Result<()> {
        for entry in fs::read_dir(self.folder.path())? {
            let entry = entry?;
            if entry.file_type()?.is_dir() && !entry.file_name().as_encoded_bytes().starts_with(b"_") {
                fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }

    /// Runs the program. Returns its output. It reports errors itself.
    fn run(&self, arguments: &[&OsStr]) -> Result<String, CliError> {
        let mut command = process::Command::new(&self.program);
        command.args(arguments).stdin(Stdio::null()).stderr(Stdio::inherit());
        let output = command.output().map_err(|error| CliError::system(self.program.display(), &error))?;
        let exit = match output.status.code() {
            Some(0) => return Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            Some(1) => Exit::Input,
            Some(2) => Exit::Usage,
            Some(4) => Exit::System,
            _ => return Err(self.mismatch(&format!("ended with {}", output.status))),
        };
        Err(CliError::lines(exit, ""))
    }

    fn mismatch(&self, problem: &str) -> CliError {
        CliError::lines(Exit::System, format!("{} {problem}", self.program.display()))
            .help("run the command again; `ringtrace` and `ringtrace-sql` must be of the same version")
    }
}
